//! Inspects files of Molecule, biniou, tsm and primitiv: code shared by the command, the Python package and the web
//! viewer, on the public API of [`fourfold`].
//!
//! Functions take the bytes of a file, and the name that messages use for it.
//!
//! ```
//! use fourfold::biniou::Options;
//! use fourfold_inspect::formats::{Format, detect_bytes};
//!
//! let bytes = fourfold::biniou::to_vec(&[1_i64, 2, 3])?;
//! assert_eq!(detect_bytes(&bytes, &Options::new()), Some(Format::Biniou));
//! # Ok::<(), fourfold::biniou::Error>(())
//! ```

#![allow(missing_docs, reason = "there are no users besides the packages of this project")]
#![cfg_attr(
    test,
    allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)
)]

#[cfg(feature = "ckb")]
pub mod ckb;
mod contents;
pub mod diff;
pub mod exchange;
pub mod explain;
pub mod failure;
pub mod formats;
pub mod graph;
pub mod hints;
pub mod input;
mod layout;
mod messagepack;
pub mod model;
pub mod package;
pub mod show;
pub mod spans;
#[cfg(feature = "mmap")]
pub mod target;
pub mod tensors;
pub mod view;
pub mod window;
pub mod write;
