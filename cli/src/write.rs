//! Text that is written: harmless for whoever shows it, as wide as it should be, in words for people.
//! Knows no format.

pub(crate) mod count;
pub(crate) mod hex;
pub(crate) mod markup;
pub(crate) mod missing;
pub(crate) mod plain;
pub(crate) mod table;
pub(crate) mod width;
