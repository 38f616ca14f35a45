//! Choices of one call.

use crate::limits::{DEFAULT_MAX_DEPTH, DEFAULT_MAX_INPUT};

/// How to read and write; the free functions are those of `Options::new()`.
///
/// ```
/// use fourfold::molecule::Options;
///
/// const CAREFUL: Options = Options::new().strict(true).max_depth(16);
/// assert_eq!(CAREFUL.to_vec("hi")?, [2, 0, 0, 0, b'h', b'i']);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(super) max_depth: u16,
    pub(super) max_input: u64,
    pub(super) allow_trailing: bool,
    pub(super) strict: bool,
    pub(super) compatible: bool,
}

impl Options {
    /// The defaults: 128 levels, 1 GiB from a reader, everything else off.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            max_depth: DEFAULT_MAX_DEPTH,
            max_input: DEFAULT_MAX_INPUT,
            allow_trailing: false,
            strict: false,
            compatible: false,
        }
    }

    /// Maximum depth of nested values, in writing and in reading; 128 by default.
    ///
    /// A level is a struct, table, tuple, vector, map or union around a value. `Some`
    /// and newtype structs take no bytes and are counted apart, against the same limit.
    #[must_use]
    pub const fn max_depth(mut self, depth: u16) -> Self {
        self.max_depth = depth;
        self
    }

    /// How deep values may nest: what [`max_depth`](Options::max_depth) has set.
    #[must_use]
    pub const fn depth_limit(&self) -> u16 {
        self.max_depth
    }

    /// Maximum number of bytes that `from_reader` reads; 1 GiB by default.
    #[must_use]
    pub const fn max_input(mut self, bytes: u64) -> Self {
        self.max_input = bytes;
        self
    }

    /// Accepts trailing bytes after the outermost value; off by default.
    ///
    /// Molecule leaves the length of a value to its surroundings. The end of a fixed value, of a
    /// marked vector, of text, bytes, a map, a table and a union of these is still to be seen; an
    /// unmarked sequence and an option are refused, because their end is not.
    #[must_use]
    pub const fn allow_trailing(mut self, yes: bool) -> Self {
        self.allow_trailing = yes;
        self
    }

    /// Makes every inference an error that names the mark to add; off by default.
    ///
    /// It speaks of the values that it meets. There are two cases: an empty sequence without a mark, which does not show whether it is a fixvec
    /// or a dynvec (add `fixvec` or `dynvec`), and a tuple or array without a mark that holds a
    /// dynamic item (add `table`).
    ///
    /// It also refuses container names that look like a mark and are none: a word before a dot that
    /// no format has as a mark (`packed.Point`), and a bare keyword (`fixvec`).
    #[must_use]
    pub const fn strict(mut self, yes: bool) -> Self {
        self.strict = yes;
        self
    }

    /// Reads tables of a newer version: those that have more fields than the type, at any depth;
    /// off by default. Nothing else changes, as in the official compatible readers. (With a one-sided
    /// `skip_deserializing`, fields of the same version move up instead of being refused.)
    #[must_use]
    pub const fn compatible(mut self, yes: bool) -> Self {
        self.compatible = yes;
        self
    }

    /// Whether tables of a newer version are read: what [`compatible`](Options::compatible) has set.
    #[must_use]
    pub const fn is_compatible(&self) -> bool {
        self.compatible
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
