//! Parts of a file as text: JSON, YAML, and a tree for people; and the part that a path leads to. Knows
//! parts, does not know formats.

pub mod json;
pub mod lines;
pub mod select;
pub mod tree;
pub mod yaml;
