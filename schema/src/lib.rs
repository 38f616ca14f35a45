#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(feature = "atd", feature = "mol", feature = "primitiv", feature = "tsm")),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        unused_macros,
        reason = "what one language uses alone is not dead: that is looked for where all are built"
    )
)]
#![doc = include_str!("../README.md")]

#[cfg(any(feature = "atd", feature = "mol", feature = "primitiv", feature = "tsm"))]
mod common;
#[cfg(any(feature = "atd", feature = "mol"))]
mod count;
#[cfg(any(feature = "atd", feature = "mol", feature = "notation"))]
mod depth;
#[cfg(any(feature = "primitiv", feature = "tsm"))]
mod fit;
#[cfg(any(feature = "atd", feature = "mol"))]
mod foresight;
#[cfg(any(feature = "atd", feature = "mol"))]
mod lanes;
#[cfg(any(feature = "atd", feature = "mol", feature = "primitiv", feature = "tsm"))]
mod trace;

#[cfg(feature = "atd")]
pub mod atd;
#[cfg(feature = "mol")]
pub mod mol;
#[cfg(feature = "notation")]
pub mod notation;
#[cfg(feature = "primitiv")]
pub mod primitiv;
#[cfg(feature = "tsm")]
pub mod tsm;

#[cfg(any(feature = "atd", feature = "mol", feature = "primitiv", feature = "tsm"))]
pub use crate::common::{
    Change, Changes, CommonKind, Error, Interest, Lane, LaneKind, Location, Mismatch, Mismatches,
    Most, Outcome, Passed, Refusal, RustBytes, RustOptions, Step, Verdict, Visit, is_atd, is_mol,
    suggestion,
};
