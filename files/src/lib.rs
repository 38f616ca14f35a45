//! Files of Molecule, biniou, tsm and primitiv, for what shows them: a command, a package of Python, a page.
//!
//! Bytes of a file go in, with the name that messages call it by. What comes out is for people or for JSON. What bytes
//! mean, the library [`fourfold`] decides.
//!
//! ```
//! use fourfold::biniou::Options;
//! use fourfold_files::formats::{Format, settled};
//!
//! let bytes = fourfold::biniou::to_vec(&[1_i64, 2, 3])?;
//! assert_eq!(settled(&bytes, &Options::new()), Some(Format::Biniou));
//! # Ok::<(), fourfold::biniou::Error>(())
//! ```

#![allow(missing_docs, reason = "there are no users besides the packages of this project")]
#![cfg_attr(
    test,
    allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)
)]

#[cfg(feature = "ckb")]
pub mod ckb;
pub mod diff;
pub mod explain;
pub mod failure;
pub mod formats;
pub mod graph;
pub mod input;
mod layout;
pub mod model;
pub mod show;
pub mod tensors;
pub mod write;
