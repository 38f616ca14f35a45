//! The extension module of the Python package `fourfold`: converts between the library's values and Python objects.

mod array;
mod biniou;
mod dtype;
mod edit;
mod error;
mod exchange;
mod explain;
mod feed;
mod float;
mod given;
mod input;
mod levels;
mod molecule;
mod numpy;
mod primitiv;
mod schema;
mod signals;
mod sta;
mod target;
mod tensors;
mod tsm;

/// The functions and classes that the package's modules re-export.
#[pyo3::pymodule]
mod _fourfold {
    #[pymodule_export]
    use crate::biniou::{Dictionary, Values};
    #[pymodule_export]
    use crate::explain::{Explanation, Row};
    #[pymodule_export]
    use crate::molecule::{Records, Schema};
    #[pymodule_export]
    use crate::tensors::Entries;
    #[pymodule_export]
    use crate::tsm::{Module, ModuleBuilder, Node, NodeId, NodeShape};
    use crate::{biniou, explain, primitiv, schema, sta, tensors, tsm};
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
        shapes: Some(crate::exchange::argument),
        is_command: false,
    };

    /// Adds functions, whose names and modules are those that users write: `fourfold.biniou.loads` is `biniou_loads` here.
    macro_rules! functions {
        ($module:ident: $($home:literal $prefix:literal [$($function:path),* $(,)?])*) => {
            $($({
                let function = wrap_pyfunction!($function, $module)?;
                function.setattr("__module__", $home)?;
                let name: String = function.getattr("__name__")?.extract()?;
                $module.add(format!("{}{name}", $prefix), function)?;
            })*)*
        };
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        set_hints(HINTS);
        functions! { module:
            "fourfold.biniou" "biniou_" [
                biniou::biniou_dump,
                biniou::biniou_dump_all,
                biniou::biniou_dumps,
                biniou::biniou_dumps_all,
                biniou::biniou_hash,
                biniou::biniou_load,
                biniou::biniou_load_all,
                biniou::biniou_loads,
                biniou::biniou_loads_all,
                biniou::biniou_tag,
            ]
            "fourfold.primitiv" "primitiv_" [
                primitiv::primitiv_algorithm,
                primitiv::primitiv_configs,
                primitiv::primitiv_dumps,
                primitiv::primitiv_load,
                primitiv::primitiv_loads,
                primitiv::primitiv_save,
            ]
            "fourfold.sta" "sta_" [sta::sta_dump, sta::sta_dumps, sta::sta_load, sta::sta_loads]
            "fourfold.tsm" "tsm_" [tsm::tsm_dump, tsm::tsm_dumps, tsm::tsm_load, tsm::tsm_loads]
            "fourfold.tsm" "" [tsm::dtypes]
            "fourfold" "" [
                explain::detect,
                explain::explain,
                explain::verify,
                schema::schema_of,
                tensors::convert,
                tensors::entries_of,
                tensors::save,
                tensors::tensors,
            ]
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // Two classes have the name `Schema`.
        module.add("BiniouSchema", module.py().get_type::<biniou::Schema>())
    }
}
