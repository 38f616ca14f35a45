//! The machinery of the fast ways: memory that is ready ahead, an error of no size, serializers for a few
//! bytes. Knows places and widths, knows no format.
//!
//! A fast way reads or writes what is usual, and bails with [`Bail`] on everything else, which is then read
//! or written by the exact way. So it may refuse what the exact way takes, never the other way round.

pub(crate) mod bail;
pub(crate) mod buffer;
pub(crate) mod forecast;
pub(crate) mod packed64;
pub(crate) mod scalar;
pub(crate) mod slice;

pub(crate) use bail::{Bail, ErrorTextReads};

/// Whether readers try the fast way first. Without, the exact one does everything, so that programs are
/// smaller.
pub(crate) const FAST: bool = cfg!(feature = "fast");

/// The same of writers. A value that a fast writer bails on is serialized again, so types whose values can
/// be serialized once only, such as iterators, need that this is off.
pub(crate) const FAST_WRITE: bool = cfg!(feature = "fast-write");
