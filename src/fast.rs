//! What makes reading and writing fast: an error of size zero for readers, a buffer with memory ahead
//! for writers. Knows offsets and widths, knows no format.
//!
//! A fast reader reads what is usual, and returns [`Bail`] for everything else. Then the exact
//! reader does it. So the fast one may bail on what the exact one accepts, but never accept what the
//! exact one refuses.

pub(crate) mod bail;
pub(crate) mod buffer;
pub(crate) mod forecast;
#[cfg(all(feature = "schema", any(feature = "biniou", feature = "molecule")))]
pub(crate) mod foresight;
#[cfg(all(feature = "schema", any(feature = "biniou", feature = "molecule")))]
pub(crate) mod lanes;

pub(crate) use bail::{Bail, ErrorTextReads};

/// Whether readers try the fast way first. Without it the exact readers do everything, and programs
/// are smaller.
pub(crate) const FAST: bool = cfg!(feature = "fast");
