//! The bytes of tensors: where they are stored, the files that they come from, and the documents that they are in.

pub(crate) mod document;
pub(crate) mod memory;
#[cfg(feature = "mmap")]
pub(crate) mod mmap;
pub(crate) mod pieces;

pub use memory::Memory;
#[cfg(feature = "mmap")]
pub use mmap::replace_file;
