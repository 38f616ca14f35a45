//! Choices of one call.

use crate::limits::{DEFAULT_MAX_DEPTH, DEFAULT_MAX_INPUT};

/// How to read and write; the free functions are those of `Options::new()`.
///
/// ```
/// use fourfold::tsm::Options;
///
/// const CAREFUL: Options = Options::new().max_input(1 << 20).max_depth(16);
/// assert_eq!(CAREFUL.to_vec("hi")?, [2, 0, 0, 0, b'h', b'i']);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(super) max_depth: u16,
    pub(super) max_input: u64,
    pub(super) allow_trailing: bool,
}

impl Options {
    /// The defaults: 128 levels, 1 GiB from a reader, no trailing bytes.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            max_depth: DEFAULT_MAX_DEPTH,
            max_input: DEFAULT_MAX_INPUT,
            allow_trailing: false,
        }
    }

    /// Maximum depth of nested values, in writing and in reading; 128 by default.
    ///
    /// A level is a struct, tuple, array, sequence or map, or a variant with content. `Some` and
    /// newtype structs are counted apart, against the same limit.
    /// tsm's own documents, such as `Module`, do not count: none nests in itself.
    #[must_use]
    pub const fn max_depth(mut self, depth: u16) -> Self {
        self.max_depth = depth;
        self
    }

    /// Maximum number of bytes that `from_reader` reads; 1 GiB by default.
    #[must_use]
    pub const fn max_input(mut self, bytes: u64) -> Self {
        self.max_input = bytes;
        self
    }

    /// Accepts trailing bytes after the outermost value; off by default.
    #[must_use]
    pub const fn allow_trailing(mut self, yes: bool) -> Self {
        self.allow_trailing = yes;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
