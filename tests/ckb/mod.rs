//! The types of a CKB node: what `Schema::to_rust` makes of `extensions.mol` and the `blockchain.mol` that it
//! imports. `tests/schema/rust.rs` keeps `types.rs`.

// Whoever includes this folder uses only some of it. A union is as large as its largest item.
#![allow(dead_code, unreachable_pub, clippy::large_enum_variant)]

pub mod hex;
#[rustfmt::skip]
pub mod types;
