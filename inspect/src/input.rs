//! Files that are looked at.

use fourfold::Memory;

/// A file's bytes and the name that messages call it by.
#[derive(Debug)]
pub struct Input {
    /// As given, or `standard input`.
    pub name: String,
    /// Mapped where it is a file.
    pub bytes: Memory<'static>,
}

/// Text without the byte order mark that programs of some systems put in front of UTF-8.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
