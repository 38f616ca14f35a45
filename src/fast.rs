//! The machinery of the fast readers and writers: an error of size zero, a buffer with memory
//! ahead, serializers into a slice. Knows offsets and widths, knows no format.
//!
//! Fast code reads or writes what is usual, and returns [`Bail`] for everything else. Then the
//! exact reader or writer does it. So the fast one may bail on what the exact one accepts, but
//! never accept what the exact one refuses.

pub(crate) mod bail;
pub(crate) mod buffer;
pub(crate) mod forecast;
pub(crate) mod packed64;
pub(crate) mod scalar;
pub(crate) mod slice;

pub(crate) use bail::{Bail, ErrorTextReads};

/// Whether readers try the fast way first. Without it the exact readers do everything, and programs
/// are smaller.
pub(crate) const FAST: bool = cfg!(feature = "fast");

/// The same for writers. A value on which a fast writer bails is serialized again. So values that
/// can be serialized only once, such as iterators, need this to be off.
pub(crate) const FAST_WRITE: bool = cfg!(feature = "fast-write");
