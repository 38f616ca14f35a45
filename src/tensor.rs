//! The bytes of tensors: where they lie, and the files that they come from. Knows nothing of what they
//! mean.

pub(crate) mod memory;
#[cfg(feature = "mmap")]
pub(crate) mod mmap;

pub use memory::Memory;
#[cfg(feature = "mmap")]
pub use mmap::replace_file;
