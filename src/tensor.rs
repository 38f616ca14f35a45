//! The bytes of tensors: where they are stored, and the files that they come from.

pub(crate) mod memory;
#[cfg(feature = "mmap")]
pub(crate) mod mmap;

pub use memory::Memory;
#[cfg(feature = "mmap")]
pub use mmap::replace_file;
