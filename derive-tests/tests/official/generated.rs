//! The official types, as the build script generated them.

#![allow(
    dead_code,
    elided_lifetimes_in_paths,
    unreachable_pub,
    clippy::all,
    clippy::cast_possible_truncation,
    reason = "generated code has a style of its own, and all of the format"
)]

pub(crate) mod blockchain {
    include!(concat!(env!("OUT_DIR"), "/blockchain.rs"));
}

pub(crate) mod extensions {
    include!(concat!(env!("OUT_DIR"), "/extensions.rs"));
}
