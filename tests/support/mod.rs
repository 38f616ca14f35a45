//! Code shared by the tests of all formats.
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

use std::fmt::Debug;

use fourfold::{Error, Kind};

pub(crate) mod alloc;
pub(crate) mod damage;
pub(crate) mod depth;
pub(crate) mod digest;
pub(crate) mod erased;
pub(crate) mod fixture;
pub(crate) mod format;
pub(crate) mod hints;
pub(crate) mod large;
pub(crate) mod lazy;
pub(crate) mod outcome;
pub(crate) mod random;
pub(crate) mod streams;
pub(crate) mod stubborn;
pub(crate) mod visits;
pub(crate) mod zoo;

/// The text of an error with its path and offset, ` in x at byte 7`, inserted before the fix.
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

/// Every error has a reason, on one line, and its text has offset and path.
pub(crate) fn assert_reason<K: Kind>(error: &Error<K>, about: &dyn Debug) {
    let (kind, text) = (error.kind().to_string(), error.to_string());
    assert!(!kind.trim().is_empty(), "no reason: {about:?}");
    assert!(text.starts_with(kind.as_str()), "{text} does not say {kind}: {about:?}");
    // serde's error for an unknown name contains the name unchanged.
    assert_eq!(text.lines().count(), kind.lines().count(), "{text}");
    if let Some(offset) = error.offset() {
        assert!(fact(&text).ends_with(&format!("at byte {offset}")), "{text}");
    }
    if !error.path().is_empty() {
        assert!(text.contains(&format!(" in {}", error.path())), "{text}");
    }
}
