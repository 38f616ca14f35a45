//! Input files.

use std::io;

use fourfold::Memory;

/// Reads the bytes of a file at an offset.
pub type ReadAt<'r> = dyn FnMut(u64, &mut [u8]) -> io::Result<()> + 'r;

/// A file's bytes, and its name in messages.
#[derive(Debug)]
pub struct Input {
    /// As given, or `standard input`.
    pub name: String,
    /// Memory-mapped if the input is a file.
    pub bytes: Memory<'static>,
}

/// Removes the UTF-8 byte order mark, which some programs write at the start of a file.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
