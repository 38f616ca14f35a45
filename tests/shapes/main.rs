//! Shapes of serde types that all formats treat in the same way: `with::any`, types that need a self-describing format, `flatten`,
//! adjacently tagged enums, values that serialize once. Each is compiled for all formats.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod adjacent;
#[cfg(feature = "any")]
mod any;
#[cfg(feature = "any")]
mod flatten;
#[cfg(feature = "any")]
mod once;
#[cfg(feature = "any")]
mod requests;
#[path = "../support/mod.rs"]
mod support;

support::format::formats! { biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm }
