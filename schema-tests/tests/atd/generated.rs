//! The random `.atd` schemas of the build script, with the Rust types generated from them.

#![deny(warnings)]
#![allow(
    dead_code,
    elided_lifetimes_in_paths,
    unreachable_pub,
    clippy::all,
    reason = "as in generated libraries"
)]

use fourfold::biniou::{Result, from_slice, to_vec};
use serde::{Deserialize, Serialize};

/// A schema, and functions that read and write each of its types.
#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) schema: &'static str,
    pub(crate) types: &'static [(&'static str, fn(&[u8]) -> Result<Vec<u8>>)],
}

fn again<'b, T: Serialize + Deserialize<'b>>(bytes: &'b [u8]) -> Result<Vec<u8>> {
    to_vec(&from_slice::<T>(bytes)?)
}

include!(concat!(env!("OUT_DIR"), "/atd_random.rs"));
