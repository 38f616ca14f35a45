//! Parts of a file as text: JSON, YAML, and a tree for people; and selection of a part by its path.

pub mod json;
pub mod lines;
pub mod select;
pub mod tree;
pub mod yaml;
