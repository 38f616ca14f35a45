//! Options of decoding and encoding.

use super::{Notation, Result, Tree, walk};
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

    /// How deep values may nest, in decoding and in encoding; 128 by default.
    ///
    /// A level is a structure, or an array of anything but a built-in type. Other names of types are counted apart,
    /// against the same limit.
    #[must_use]
    pub const fn max_depth(mut self, depth: u16) -> Self {
        self.max_depth = depth;
        self
    }

    /// Accepts bytes after the last field in decoding; off by default.
    #[must_use]
    pub const fn allow_trailing(mut self, yes: bool) -> Self {
        self.allow_trailing = yes;
        self
    }

    /// Reads `bytes` as `notation` describes them.
    ///
    /// # Errors
    ///
    /// Those of [`Notation::decode`], except for those that these options permit.
    pub fn decode<'de>(&self, notation: &Notation, bytes: &'de [u8]) -> Result<Tree<'de>> {
        walk::decode(self, &notation.schema, bytes)
    }

    /// Writes `tree` as `notation` describes it.
    ///
    /// # Errors
    ///
    /// Those of [`Notation::encode`].
    pub fn encode(&self, notation: &Notation, tree: &Tree<'_>) -> Result<Vec<u8>> {
        walk::encode(self, &notation.schema, tree)
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
