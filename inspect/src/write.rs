//! Writes text: escaped for terminals and HTML, aligned, and in words.

pub mod count;
pub mod float;
pub mod hex;
pub mod listing;
pub mod markup;
pub mod missing;
pub mod plain;
pub mod report;
pub mod table;
pub mod width;
