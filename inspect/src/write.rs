//! Text that is written: harmless for whoever shows it, as wide as it should be, in words for people.
//! Knows no format.

pub mod count;
pub mod hex;
pub mod listing;
pub mod markup;
pub mod missing;
pub mod plain;
pub mod report;
pub mod table;
pub mod width;
