//! Reads damaged inputs, given the index of a type and bytes, to test verdicts in the virtual machine. Not a lock.

#![no_std]
#![no_main]

extern crate alloc;

use ckb_script::{Closed, Loaded, Request, script};
use fourfold::molecule::small::from_slice;

#[allow(warnings, clippy::all, reason = "generated code has more types than are read")]
mod generated {
    use super::*;

    include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
}

script!(read);

/// Returns `Data` for an invalid value and `Claim` for a valid one.
fn read(mut loaded: Loaded) -> Result<Request, Closed> {
    let (index, bytes) = loaded.witness()?.split_first().ok_or(Closed::Witness)?;
    Err(match generated::is_accepted(*index, bytes) {
        None => Closed::Witness,
        Some(false) => Closed::Data,
        Some(true) => Closed::Claim,
    })
}
