//! The random schemas of the build script, with the readers that the official compiler generates for them.

#![allow(
    dead_code,
    elided_lifetimes_in_paths,
    non_camel_case_types,
    unreachable_pub,
    unused,
    clippy::all,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "generated code has a style of its own, and all of the format"
)]

use molecule::prelude::Reader;

/// A schema, and the verdicts of the official reader of each of its types.
#[derive(Debug)]
pub(crate) struct Official {
    pub(crate) schema: &'static str,
    pub(crate) verdicts: &'static [(&'static str, fn(&[u8]) -> Verdict)],
}

/// Whether bytes are a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) strict: bool,
    pub(crate) compatible: bool,
}

fn verdict<'r, R: Reader<'r>>(bytes: &'r [u8]) -> Verdict {
    Verdict {
        strict: R::from_slice(bytes).is_ok(),
        compatible: R::from_compatible_slice(bytes).is_ok(),
    }
}

include!(concat!(env!("OUT_DIR"), "/random.rs"));
