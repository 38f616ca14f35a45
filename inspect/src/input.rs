//! Input files.

use std::io;
use std::path::PathBuf;

use fourfold::Memory;

/// Reads the bytes of a file at an offset.
pub type ReadAt<'r> = dyn FnMut(u64, &mut [u8]) -> io::Result<()> + 'r;

/// A file's bytes, and its name in messages.
#[derive(Debug)]
pub struct Input {
    /// As given, or `standard input`.
    pub name: String,
    /// Where the file is, for formats with other files beside it; `None` for standard input, and for bytes.
    pub path: Option<PathBuf>,
    /// Memory-mapped if the input is a file.
    pub bytes: Memory<'static>,
}

impl Input {
    /// Bytes without a path.
    pub fn new(name: impl Into<String>, bytes: impl Into<Memory<'static>>) -> Self {
        Input { name: name.into(), path: None, bytes: bytes.into() }
    }
}

/// Removes the UTF-8 byte order mark, which some programs write at the start of a file.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
