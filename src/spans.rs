//! What each byte of a file is.

mod place;
mod span;
#[cfg(any(feature = "primitiv", feature = "tsm"))]
pub(crate) mod walk;

pub use place::Place;
pub use span::Span;
pub(crate) use span::{Each, LOOKED_AT, Spans, Verdict, beginning, collect, hex, text};
