//! What each byte of a file is. Knows spans and how to go on behind a fault, knows no format.

mod place;
mod span;
#[cfg(any(feature = "primitiv", feature = "tsm"))]
pub(crate) mod walk;

pub use place::Place;
pub use span::Span;
pub(crate) use span::{Each, LOOKED_AT, Spans, Verdict, beginning, collect, hex, text};
