//! The notation in which TenniS describes its files: a text of it reads and writes bytes.
//!
#![doc = include_str!("notation/guide.md")]

mod builtin;
mod error;
mod evaluate;
mod expression;
mod note;
mod options;
mod parse;
mod resolve;
mod scalars;
mod syntax;
mod token;
mod tree;
mod walk;

pub use fourfold::{Category, CommonKind, Path, Segment};

pub use self::builtin::Builtin;
pub use self::error::ErrorKind;
pub use self::note::{Note, NoteKind};
pub use self::options::Options;
pub use self::scalars::Scalars;
use self::syntax::Schema;
pub use self::tree::{Struct, Tree};

/// What went wrong: at which byte of the text, or at which byte and in which field of the data.
///
/// The offset is `None` for errors of encoding, the path is empty for errors of a text.
pub type Error = fourfold::Error<ErrorKind>;

/// A result of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A text of the notation, ready to read and write what it describes.
#[derive(Clone, Debug)]
pub struct Notation {
    schema: Schema,
    notes: Vec<Note>,
}

impl Notation {
    /// Reads a text of the notation.
    ///
    /// # Errors
    ///
    /// Every error of the text, with its offset in the text.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold_schema::notation::{ErrorKind, Notation};
    ///
    /// let error = Notation::parse("<int32:size").unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Unexpected { expected: "`>`", .. }));
    /// assert_eq!(error.offset(), Some(11));
    /// ```
    pub fn parse(text: &str) -> Result<Notation> {
        let (schema, notes) = parse::parse(text)?;
        Ok(Notation { schema, notes })
    }

    /// The slips of the text, in order.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Reads all of `bytes` as the text describes them.
    ///
    /// # Errors
    ///
    /// `UnexpectedEnd` and `TrailingBytes`; of expressions, `Unresolved`, `NoMember`, `NoItem`,
    /// `NotInteger`, `NotIntegers`, `Overflow`, `DivisionByZero`, `DType` and `NegativeCount`, at
    /// the byte where the array that they count would begin; the limits `DepthLimit` and
    /// `ZeroBytes`.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold_schema::notation::Notation;
    ///
    /// let notation = Notation::parse("<int32:size><char8*$size:data>")?;
    /// let tree = notation.decode(&[2, 0, 0, 0, b'h', b'i'])?;
    /// assert_eq!(tree.get("data").and_then(|data| data.as_str()), Some("hi"));
    ///
    /// let error = notation.decode(&[3, 0, 0, 0, b'h', b'i']).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "input ends early: 3 bytes needed, 2 left in data at byte 4"
    /// );
    /// # Ok::<(), fourfold_schema::notation::Error>(())
    /// ```
    pub fn decode<'de>(&self, bytes: &'de [u8]) -> Result<Tree<'de>> {
        Options::new().decode(self, bytes)
    }

    /// Writes `tree` as the text describes it. [`decode`](Notation::decode) reads the bytes as an
    /// equal tree.
    ///
    /// # Errors
    ///
    /// `Mismatch`, `FieldCount`, `FieldName` and `Range` if the tree is not of the described
    /// shape; `ItemCount` if an array has another length than its count; the same of expressions
    /// and limits as decoding. They have a path and no offset.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold_schema::notation::{Notation, Tree};
    ///
    /// let notation = Notation::parse("<int32:size><char8*$size:data>")?;
    /// let tree = Tree::structure([("size", Tree::from(3)), ("data", Tree::from("hi"))]);
    /// let error = notation.encode(&tree).unwrap_err();
    /// assert_eq!(error.to_string(), "count is 3, but the array has 2 items in data");
    /// # Ok::<(), fourfold_schema::notation::Error>(())
    /// ```
    pub fn encode(&self, tree: &Tree<'_>) -> Result<Vec<u8>> {
        Options::new().encode(self, tree)
    }
}
