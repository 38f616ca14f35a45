//! Options of decoding and encoding.

use super::{Notation, Result, Tree, decode, encode};
use crate::depth::DEFAULT_MAX_DEPTH;

/// How to decode and encode; the methods of [`Notation`] are those of `Options::new()`.
///
/// ```
/// use fourfold_schema::notation::{Notation, Options};
///
/// const CAREFUL: Options = Options::new().max_depth(16).allow_trailing(true);
/// let notation = Notation::parse("<int32:size>")?;
/// let tree = CAREFUL.decode(&notation, &[7, 0, 0, 0, 0xff])?;
/// assert_eq!(tree.int("size"), Some(7));
/// # Ok::<(), fourfold_schema::notation::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(super) max_depth: u16,
    pub(super) allow_trailing: bool,
}

impl Options {
    /// The defaults: 128 levels, no trailing bytes.
    #[must_use]
    pub const fn new() -> Self {
        Options { max_depth: DEFAULT_MAX_DEPTH, allow_trailing: false }
    }

    /// How deep values may nest, on encoding just as on decoding; 128 by default.
    ///
    /// A level is a structure, or an array of anything but a type that is built in. Types that
    /// only give another one a name are counted apart, against the same limit.
    #[must_use]
    pub const fn max_depth(mut self, depth: u16) -> Self {
        self.max_depth = depth;
        self
    }

    /// Accepts bytes after the last field; off by default.
    #[must_use]
    pub const fn allow_trailing(mut self, yes: bool) -> Self {
        self.allow_trailing = yes;
        self
    }

    /// Reads `bytes` as `notation` describes them.
    ///
    /// # Errors
    ///
    /// Those of [`Notation::decode`], as far as these options do not lift them.
    pub fn decode<'de>(&self, notation: &Notation, bytes: &'de [u8]) -> Result<Tree<'de>> {
        decode::decode(self, notation.schema(), bytes)
    }

    /// Writes `tree` as `notation` describes it.
    ///
    /// # Errors
    ///
    /// Those of [`Notation::encode`].
    pub fn encode(&self, notation: &Notation, tree: &Tree<'_>) -> Result<Vec<u8>> {
        encode::encode(self, notation.schema(), tree)
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
