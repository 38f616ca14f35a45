//! Summaries of files, and their input.

use std::fmt::Display;
use std::io::{self, Write};

use fourfold::biniou::Dictionary;
pub use fourfold_tennis::Input;
use serde::Serialize;

use super::plain::write_json_lines;

/// Information for reports in addition to the loaded file.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The name of the file.
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// Names for hashes.
    pub names: &'a Dictionary,
    /// Number of levels shown of nested values.
    pub depth: usize,
    /// Shapes of the inputs of a module.
    pub inputs: &'a [Input],
}

/// A summary of a file: as text, and as JSON with the same content.
pub trait Report: Display {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl<T: Serialize + Display> Report for T {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json_lines(out, self)?;
        out.write_all(b"\n")
    }
}
