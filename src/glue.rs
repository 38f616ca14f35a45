//! Code between serde and the formats: what serde repeats, and what its calls show of a type.

#[cfg(any(feature = "primitiv", feature = "tsm"))]
pub(crate) mod adjacent;
pub(crate) mod document;
pub(crate) mod macros;
pub(crate) mod mark;
#[cfg(any(feature = "molecule", feature = "primitiv", feature = "tsm"))]
pub(crate) mod names;
pub(crate) mod refusing;
