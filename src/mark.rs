//! Names of serde containers that are common to all formats: for programs that look at a type without a value of it, as
//! `fourfold-schema` does. The marks of one format are in its own module, such as `molecule::mark`.
//!
//! ```
//! use fourfold::mark::{ANY, is_lazy};
//!
//! // What a type with `with::any`, and one with a lazy value, requests from a `Deserializer`: newtype structs of these names.
//! assert_eq!(ANY, "fourfold.any");
//! assert!(is_lazy("fourfold.molecule.lazy") && !is_lazy("Lazy"));
//! ```

pub use crate::glue::mark::ANY;
pub use crate::raw::{empty_lazy, is_lazy};
