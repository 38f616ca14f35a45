#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![cfg_attr(
    not(any(feature = "biniou", feature = "molecule", feature = "primitiv", feature = "tsm")),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "without a format nobody needs the floor"
    )
)]
#![doc = include_str!("../README.md")]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(any(feature = "molecule", feature = "tsm"))]
mod buffer;
mod count;
mod document;
mod error;
#[cfg(feature = "std")]
mod explain;
mod io;
mod limits;
mod macros;
#[cfg(any(feature = "primitiv", feature = "tsm"))]
mod memory;
#[cfg(feature = "mmap")]
mod mmap;
#[cfg(all(
    doctest,
    feature = "biniou",
    feature = "molecule",
    feature = "primitiv",
    feature = "tsm"
))]
mod pages;
#[cfg(any(feature = "molecule", feature = "primitiv", feature = "tsm"))]
mod parts;
mod read;
#[cfg(any(feature = "molecule", feature = "tsm"))]
mod scalar;
mod text;
#[cfg(all(feature = "std", any(feature = "primitiv", feature = "tsm")))]
mod walk;

#[cfg(feature = "biniou")]
pub mod biniou;
#[cfg(feature = "molecule")]
pub mod molecule;
#[cfg(feature = "primitiv")]
pub mod primitiv;
#[cfg(feature = "tsm")]
pub mod tsm;

pub use crate::error::{Category, Error, Fault, Kind, Path, Segment};
#[cfg(feature = "std")]
pub use crate::explain::{Place, Span};
#[cfg(any(feature = "primitiv", feature = "tsm"))]
pub use crate::memory::Memory;
#[cfg(feature = "mmap")]
pub use crate::mmap::replace_file;
