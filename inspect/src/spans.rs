//! Spans: what each byte of a file is, past errors as far as the layout is known.
//!
//! Each format has an `explain`, which calls a function with the spans of the value at a path, and of everything inside it,
//! one after another: memory does not grow with the input. The path is written as a [`Place`] is; an empty one selects the
//! whole file. [`ControlFlow::Break`] ends the walk.
//!
//! Every byte is in one span, whatever the input. What is wrong with bytes is an error of their span.

pub mod biniou;
pub mod molecule;
mod place;
pub mod primitiv;
mod span;
mod text;
pub mod tsm;
mod walk;

use std::fmt::Display;
use std::ops::ControlFlow;

pub use self::place::Place;
use self::span::Spans;
pub use self::span::{Each, Span};
use self::text::{hex, is_text, text};

/// How many values are looked at ahead of the first span, where what comes first depends on what follows. Bounds memory
/// and the wait for the first span, whatever the input.
const LOOKED_AT: usize = 1 << 20;

/// All spans that an `explain` emits.
pub fn all(explain: impl FnOnce(&mut Each<'_>)) -> Vec<Span> {
    let mut spans = Vec::new();
    explain(&mut |span| {
        spans.push(span);
        ControlFlow::Continue(())
    });
    spans
}

/// `1 byte`, `2 bytes`.
fn byte_count<N: Display + PartialEq + From<u8>>(count: N) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} byte{ending}")
}
