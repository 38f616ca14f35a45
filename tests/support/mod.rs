//! What the tests of every format share. Knows serde, and of formats their public face at most.
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
pub(crate) mod fixture;
pub(crate) mod format;
pub(crate) mod outcome;
pub(crate) mod random;
pub(crate) mod spans;
pub(crate) mod streams;
pub(crate) mod stubborn;
pub(crate) mod zoo;
