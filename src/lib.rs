#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![doc = include_str!("../README.md")]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod error;
mod io;
mod limits;
mod read;

#[cfg(feature = "molecule")]
pub mod molecule;

pub use crate::error::{Category, Error, Fault, Kind, Path, Segment};
