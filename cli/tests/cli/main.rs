//! End-to-end tests of the `fourfold` command.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod chromium;
mod command;
mod convert;
mod detect;
mod diff;
mod docs;
mod dtypes;
mod dump;
mod exchange;
mod explain;
mod graph;
mod habits;
mod hex;
mod hints;
mod info;
mod jsonl;
#[cfg(feature = "tables")]
mod lines;
mod make;
mod many;
mod onnx;
mod package;
#[cfg(feature = "png")]
mod page;
mod paths;
mod project;
#[cfg(feature = "tables")]
mod records;
mod schema;
#[cfg(feature = "sql")]
mod sql;
mod streaming;
mod verify;
