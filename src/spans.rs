//! Spans: what each byte of a file is. Every format's `explain` returns them, and an `explain` of your own can build them.
//!
//! [`Spans`] takes the spans of an input in order, each with the place that was [entered](Spans::enter), and hands on those
//! that are wanted.
//!
//! ```
//! use core::ops::ControlFlow;
//! use fourfold::Segment;
//! use fourfold::spans::{Spans, hex, text};
//!
//! let bytes = [2, b'h', b'i'];
//! let mut shown = Vec::new();
//! let mut each = |span: fourfold::Span| {
//!     shown.push(format!("{:?} {}: {} {}", span.range, span.place, span.what, span.value));
//!     ControlFlow::Continue(())
//! };
//! let mut spans = Spans::new("", &mut each);
//! spans.put_named(1, || "length".into(), || bytes[0].to_string(), None);
//! spans.enter(|| Segment::named("name"));
//! spans.put_named(2, || "text".into(), || text(&bytes[1..]), None);
//! spans.leave();
//! spans.finish(bytes.len());
//! assert_eq!(shown, ["0..1 : length 2", r#"1..3 name: text "hi""#]);
//! assert_eq!(hex(&bytes), "026869");
//! ```

mod place;
mod span;
mod text;
#[cfg(any(feature = "primitiv", feature = "tsm"))]
pub(crate) mod walk;

pub use self::place::Place;
pub(crate) use self::span::collect;
pub use self::span::{Each, Span, Spans};
pub use self::text::{hex, is_text, text};

/// How many parts are looked at ahead of the first span, where what comes first depends on what follows. Bounds memory
/// and the wait for the first span, whatever the input.
pub(crate) const LOOKED_AT: usize = 1 << 20;
