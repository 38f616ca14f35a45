//! The API of modules and tensors: fields, files, diagnostics, memory, parameters.

mod access;
mod diagnostics;
#[cfg(feature = "mmap")]
mod files;
mod foreign;
mod hostile;
mod memory;
mod params;

use crate::vectors::{FIXTURES, good, odd};
