//! What the tests of every format share.
//!
//! Each test binary mounts this folder as `crate::support` and uses a part of it.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "no single test binary needs all of it"
)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking, helpers included"
)]

pub(crate) mod alloc;
pub(crate) mod digest;
pub(crate) mod erased;
pub(crate) mod fixture;
pub(crate) mod format;
pub(crate) mod hints;
pub(crate) mod outcome;
pub(crate) mod random;
pub(crate) mod streams;
pub(crate) mod stubborn;
pub(crate) mod zoo;

/// The text of an error with its place, which is before the fix: ` in x at byte 7`.
pub(crate) fn placed(text: &str, place: &str) -> String {
    match text.split_once("; ") {
        Some((fact, hint)) => format!("{fact}{place}; {hint}"),
        None => format!("{text}{place}"),
    }
}

/// An error's text without its fix.
pub(crate) fn fact(text: &str) -> &str {
    text.split_once("; ").map_or(text, |(fact, _)| fact)
}
