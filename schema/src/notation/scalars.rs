//! Arrays of the built-in types: their bytes and their values.

use std::borrow::Cow;
use std::fmt;

use serde_core::ser::{Serialize, Serializer};

use super::{Builtin, Tree};

/// An array of a built-in type: its bytes as in the input.
///
/// In other formats, serde gets one of `byte` as bytes, one of `char8` as a string or, if it is not UTF-8, as bytes,
/// and others as sequences of numbers.
///
/// ```
/// use fourfold_schema::notation::{Builtin, Scalars, Tree};
///
/// let array = Scalars::new(Builtin::Int16, &[1, 0, 0xfe, 0xff][..]).unwrap();
/// assert!(array.iter().eq([Tree::Int(1), Tree::Int(-2)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalars<'de> {
    builtin: Builtin,
    bytes: Cow<'de, [u8]>,
}

impl<'de> Scalars<'de> {
    /// An array of these bytes, if they are a whole number of items.
    #[must_use]
    pub fn new(builtin: Builtin, bytes: impl Into<Cow<'de, [u8]>>) -> Option<Self> {
        let bytes = bytes.into();
        (bytes.len() % builtin.size() == 0).then_some(Scalars { builtin, bytes })
    }

    /// Bytes that are known to be a whole number of items.
    pub(super) fn of(builtin: Builtin, bytes: impl Into<Cow<'de, [u8]>>) -> Self {
        Scalars { builtin, bytes: bytes.into() }
    }

    /// The type of its items.
    #[must_use]
    pub fn builtin(&self) -> Builtin {
        self.builtin
    }

    /// The bytes of all items.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.builtin.size()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The item at a position.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Tree<'static>> {
        let size = self.builtin.size();
        let start = index.checked_mul(size)?;
        let bytes = self.bytes.get(start..start.checked_add(size)?)?;
        Some(self.builtin.read(bytes))
    }

    /// All items.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Tree<'static>> + '_ {
        self.bytes.chunks_exact(self.builtin.size()).map(move |bytes| self.builtin.read(bytes))
    }

    /// The text, if it is one of `char8` in UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|_| self.builtin == Builtin::Char8)
    }

    /// Whether its items are bytes: of `byte` or `char8`.
    pub(super) fn is_bytes(&self) -> bool {
        matches!(self.builtin, Builtin::Byte | Builtin::Char8)
    }

    pub(super) fn into_owned(self) -> Scalars<'static> {
        Scalars::of(self.builtin, self.bytes.into_owned())
    }
}

/// How many numbers of an array are shown.
const MOST_NUMBERS: usize = 16;

/// How many characters of a text are shown.
const MOST_CHARACTERS: usize = 64;

/// A text in quotes, bytes as hexadecimal digits, numbers in brackets; of long ones, the beginning.
impl fmt::Display for Scalars<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, is_cut) = (self.len(), self.len() > MOST_NUMBERS);
        if let Some(text) = self.as_str() {
            let end = text.char_indices().nth(MOST_CHARACTERS).map(|(end, _)| end);
            return match end.and_then(|end| text.get(..end)) {
                None => write!(f, "{text:?}"),
                Some(shown) => write!(f, "{shown:?}.. {}", counted(len, "byte")),
            };
        }
        if self.is_bytes() {
            f.write_str(&counted(len, "byte"))?;
            self.bytes.iter().take(MOST_NUMBERS).try_for_each(|byte| write!(f, " {byte:02x}"))?;
            return f.write_str(if is_cut { " .." } else { "" });
        }
        let shown = self.iter().take(MOST_NUMBERS).map(|item| item.to_string());
        let shown = shown.collect::<Vec<_>>().join(", ");
        match is_cut {
            true => write!(f, "[{shown}, ..] {}", counted(len, "item")),
            false => write!(f, "[{shown}]"),
        }
    }
}

/// `1 item`, `2 items`
pub(super) fn counted(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

impl Serialize for Scalars<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None if self.is_bytes() => serializer.serialize_bytes(&self.bytes),
            None => serializer.collect_seq(self.iter()),
        }
    }
}
