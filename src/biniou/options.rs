//! Choices of one call.

use alloc::sync::Arc;

use super::Dictionary;
use crate::limits::{DEFAULT_MAX_DEPTH, DEFAULT_MAX_INPUT};

/// How to read and write; the free functions are those of `Options::new()`.
///
/// ```
/// use fourfold::biniou::Options;
///
/// const CAREFUL: Options = Options::new().max_depth(16).max_input(1 << 20);
/// assert_eq!(CAREFUL.to_vec("hi")?, [18, 2, b'h', b'i']);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(super) max_depth: u16,
    pub(super) max_input: u64,
    pub(super) allow_trailing: bool,
    pub(super) names: Option<Arc<Dictionary>>,
}

impl Options {
    /// The defaults: 128 levels, 1 GiB from a reader, no trailing bytes, no names.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            max_depth: DEFAULT_MAX_DEPTH,
            max_input: DEFAULT_MAX_INPUT,
            allow_trailing: false,
            names: None,
        }
    }

    /// Maximum depth of nested values, in writing and in reading; 128 by default.
    ///
    /// A level is an ARRAY, TUPLE, RECORD, row of a TABLE, a VARIANT or NUM_VARIANT with an
    /// argument, or a SHARED value. Newtype structs take no bytes and are counted apart, against
    /// the same limit. Each level takes stack memory: some hundred levels more need a larger stack
    /// than the two megabytes of a Rust thread.
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

    /// Maximum number of bytes that `from_reader` reads; 1 GiB by default. Of a stream of values,
    /// it is the limit of each.
    #[must_use]
    pub const fn max_input(mut self, bytes: u64) -> Self {
        self.max_input = bytes;
        self
    }

    /// Accepts trailing bytes after the outermost value, as OCaml's readers do; off by default.
    #[must_use]
    pub const fn allow_trailing(mut self, yes: bool) -> Self {
        self.allow_trailing = yes;
        self
    }

    /// Sets the names of hashes for types that need a self-describing format: untagged and internally
    /// tagged enums, maps and `serde_json::Value` where a RECORD is. [`Dictionary::of_value`] collects them
    /// from a value.
    ///
    /// A writer assumes that its reader has the same names, and leaves out fields of adjacently tagged enums, which
    /// it refuses otherwise.
    ///
    /// ```
    /// use fourfold::biniou::{Dictionary, Options, to_vec};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize, Debug, PartialEq)]
    /// #[serde(tag = "kind")]
    /// enum Shape {
    ///     Circle { radius: f64 },
    /// }
    ///
    /// let circle = Shape::Circle { radius: 2.0 };
    /// let bytes = to_vec(&circle)?;
    /// let named = Options::new().names(Dictionary::from_words("kind\nradius")?);
    /// assert_eq!(named.from_slice::<Shape>(&bytes)?, circle);
    /// # Ok::<(), fourfold::biniou::Error>(())
    /// ```
    #[must_use]
    pub fn names(mut self, names: Dictionary) -> Self {
        self.names = Some(Arc::new(names));
        self
    }

    /// The names of hashes: what [`names`](Options::names) has set.
    #[must_use]
    pub fn dictionary(&self) -> Option<&Dictionary> {
        self.names.as_deref()
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
