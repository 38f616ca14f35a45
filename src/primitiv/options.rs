//! Choices of one call.

use crate::limits::{DEFAULT_MAX_DEPTH, DEFAULT_MAX_INPUT};

/// How to read and write; the free functions are those of `Options::new()`.
///
/// ```
/// use fourfold::primitiv::Options;
///
/// const CAREFUL: Options = Options::new().max_depth(16).max_input(1 << 20);
/// assert_eq!(CAREFUL.to_vec("hi")?, [0xa2, b'h', b'i']);
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(super) max_depth: u16,
    pub(super) max_input: u64,
    pub(super) allow_trailing: bool,
    pub(super) lenient: bool,
}

impl Options {
    /// The defaults: 128 levels, 1 GiB from a reader, no trailing bytes, primitiv's own widths.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            max_depth: DEFAULT_MAX_DEPTH,
            max_input: DEFAULT_MAX_INPUT,
            allow_trailing: false,
            lenient: false,
        }
    }

    /// Maximum depth of nested values, in writing and in reading; 128 by default.
    ///
    /// ```
    /// use fourfold::primitiv::Options;
    ///
    /// let flat = Options::new().max_depth(1);
    /// assert!(flat.to_vec(&vec![1u32]).is_ok());
    /// let error = flat.to_vec(&vec![vec![1u32]]).unwrap_err();
    /// assert_eq!(error.to_string(), "nested deeper than 1 level in [0]; use `Options::max_depth` to allow more");
    /// ```
    #[must_use]
    pub const fn max_depth(self, levels: u16) -> Self {
        Options { max_depth: levels, ..self }
    }

    /// Maximum number of bytes that `from_reader` reads; 1 GiB by default.
    #[must_use]
    pub const fn max_input(self, bytes: u64) -> Self {
        Options { max_input: bytes, ..self }
    }

    /// Whether bytes may follow the value; they may not by default. primitiv ignores them.
    ///
    /// ```
    /// use fourfold::primitiv::{Options, from_slice};
    ///
    /// assert!(from_slice::<bool>(&[0xc3, 0]).is_err());
    /// assert!(Options::new().allow_trailing(true).from_slice::<bool>(&[0xc3, 0])?);
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    #[must_use]
    pub const fn allow_trailing(self, yes: bool) -> Self {
        Options { allow_trailing: yes, ..self }
    }

    /// Whether to read what other MessagePack writers emit and primitiv refuses, where nothing is
    /// lost by it; not by default. Changes nothing on writing.
    ///
    /// Accepts: integers of any width and sign whose value fits; float64 for a float32 that holds
    /// it exactly, and float32 for a float64; str where bin is expected, and bin for str. Supports
    /// types that need a self-describing format, such as `serde_json::Value`: in data of other
    /// writers the markers show the type.
    ///
    /// **Not for what this module has written itself from such types.** Structs, tuples and enums
    /// have no markers here, so an untagged enum may take the first field of one for the whole and
    /// return another value without an error. Input that the strict reader accepts is read the same
    /// with this option.
    ///
    /// ```
    /// use fourfold::primitiv::{Options, from_slice};
    ///
    /// assert!(from_slice::<u32>(&[7]).is_err());
    /// assert_eq!(Options::new().lenient(true).from_slice::<u32>(&[7])?, 7);
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    #[must_use]
    pub const fn lenient(self, yes: bool) -> Self {
        Options { lenient: yes, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
