//! Modules and tensors beyond their bytes: fields, files, findings, memory, parameters.

mod access;
#[cfg(feature = "mmap")]
mod files;
mod findings;
mod foreign;
mod hostile;
mod memory;
mod params;

use crate::vectors::{FIXTURES, good, odd};
