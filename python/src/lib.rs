//! The extension module of the Python package `fourfold`: converts between the library's values and Python objects.

mod array;
mod biniou;
mod dtype;
mod edit;
mod error;
mod explain;
mod feed;
mod float;
mod given;
mod input;
mod molecule;
mod numpy;
mod primitiv;
mod schema;
mod signals;
mod tensors;
mod tsm;

/// The functions and classes that the package's modules re-export.
#[pyo3::pymodule]
mod _fourfold {
    #[pymodule_export]
    use crate::biniou::{
        Dictionary, Values, biniou_dump, biniou_dump_all, biniou_dumps, biniou_dumps_all,
        biniou_hash, biniou_load, biniou_load_all, biniou_loads, biniou_loads_all, biniou_tag,
    };
    #[pymodule_export]
    use crate::explain::{Explanation, Row, detect, explain, verify};
    #[pymodule_export]
    use crate::molecule::{Records, Schema};
    #[pymodule_export]
    use crate::primitiv::{
        primitiv_algorithm, primitiv_configs, primitiv_dumps, primitiv_load, primitiv_loads,
        primitiv_save,
    };
    #[pymodule_export]
    use crate::schema::schema_of;
    #[pymodule_export]
    use crate::tensors::{Entries, convert, save, tensors};
    #[pymodule_export]
    use crate::tsm::{
        Module, ModuleBuilder, Node, NodeId, dtypes, tsm_dump, tsm_dumps, tsm_load, tsm_loads,
    };
    use fourfold_inspect::hints::{Hints, set_hints};
    use pyo3::prelude::*;

    /// What errors suggest.
    const HINTS: Hints = Hints {
        raw: "pass raw=True to write them anyway",
        original: "pass the module to fill as like=",
        unknown: "pass format= to read it as one",
        ambiguous: "pass one of them as format=",
        layouts: "pass its schema= and type=",
        schema: "pass schema=",
        is_command: false,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        set_hints(HINTS);
        // Two classes have the name `Schema`.
        module.add("BiniouSchema", module.py().get_type::<crate::biniou::Schema>())
    }
}
