//! Names, which are bytes, and keys, which are rows of names.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Write as _};
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::slice;

use super::pieces::Pieces;
use super::within_item;
use crate::primitiv::wire::{self, Headed, Width};
use crate::primitiv::{Error, ErrorKind, Result};
use crate::read::Reader;

/// A name: bytes, which primitiv writes as str without checking that they are UTF-8.
///
/// Compares with text and bytes. Its [`Display`](fmt::Display) is one line: bytes that are no text
/// are escaped, such as `\xff`, and so are letters that control the line.
///
/// ```
/// use fourfold::primitiv::Name;
///
/// assert_eq!(Name::from("lstm").as_str(), Some("lstm"));
/// let name = Name::from(&[0xff, b'w'][..]);
/// assert_eq!((name.as_str(), name.as_bytes()), (None, &[0xff, b'w'][..]));
/// assert_eq!(name.to_string(), r"\xffw");
/// ```
#[derive(Clone, Default)]
pub struct Name<'de> {
    bytes: Cow<'de, [u8]>,
    width: Width,
}

impl<'de> Name<'de> {
    /// The name's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The name as text, if it is UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(&self.bytes).ok()
    }

    /// How wide its length is written.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The same with a length that is written as wide as that, or wider if it must be.
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Name { width, ..self }
    }

    /// The same without the input's lifetime.
    #[must_use]
    pub fn into_owned(self) -> Name<'static> {
        Name { bytes: Cow::Owned(self.bytes.into_owned()), width: self.width }
    }

    #[inline]
    pub(super) fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let (bytes, _, width) = wire::take_bytes(reader, Headed::Str, lenient)?;
        Ok(Name { bytes: Cow::Borrowed(bytes), width })
    }

    #[inline]
    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        out.put_bytes(Headed::Str, &self.bytes, self.width)
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => text.chars().try_for_each(|letter| match misleads(letter) {
                true => fmt::Display::fmt(&letter.escape_unicode(), f),
                false => f.write_char(letter),
            }),
            None => fmt::Display::fmt(&self.bytes.escape_ascii(), f),
        }
    }
}

/// Whether a letter would break a line, or turn it around.
fn misleads(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => fmt::Debug::fmt(text, f),
            None => write!(f, "b\"{}\"", self.bytes.escape_ascii()),
        }
    }
}

impl AsRef<[u8]> for Name<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for Name<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Name<'_> {}

impl PartialEq<str> for Name<'_> {
    fn eq(&self, other: &str) -> bool {
        *self.bytes == *other.as_bytes()
    }
}

impl PartialEq<&str> for Name<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl PartialEq<[u8]> for Name<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        *self.bytes == *other
    }
}

impl PartialOrd for Name<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

impl Hash for Name<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

/// Conversions to names.
macro_rules! names_from {
    ($($type:ty, $value:ident => $bytes:expr;)*) => {$(
        impl<'de> From<$type> for Name<'de> {
            fn from($value: $type) -> Self {
                Name { bytes: $bytes.into(), width: Width::Shortest }
            }
        }
    )*};
}

names_from! {
    &'de str, text => text.as_bytes();
    &'de [u8], bytes => bytes;
    String, text => text.into_bytes();
    Vec<u8>, bytes => bytes;
    Cow<'de, [u8]>, bytes => bytes;
}

/// The address of a parameter: array of str, from the outermost submodel to the parameter's own
/// name.
///
/// Keys are ordered as primitiv writes them: by segments, each as bytes, the shorter first.
#[derive(Clone)]
pub struct Key<'de> {
    parts: Parts<'de>,
    /// The width of the count of segments; not part of a key's identity.
    width: Width,
}

/// The segments of a key. A parameter of a model without submodels has one segment, which needs no
/// memory of its own.
#[derive(Clone)]
enum Parts<'de> {
    One(Name<'de>),
    Many(Vec<Name<'de>>),
}

impl<'de> Deref for Parts<'de> {
    type Target = [Name<'de>];

    fn deref(&self) -> &[Name<'de>] {
        match self {
            Parts::One(part) => slice::from_ref(part),
            Parts::Many(parts) => parts,
        }
    }
}

impl<'de> FromIterator<Name<'de>> for Parts<'de> {
    fn from_iter<I: IntoIterator<Item = Name<'de>>>(parts: I) -> Self {
        let mut parts = parts.into_iter();
        match (parts.next(), parts.next()) {
            (None, _) => Parts::Many(Vec::new()),
            (Some(part), None) => Parts::One(part),
            (Some(first), Some(second)) => {
                Parts::Many([first, second].into_iter().chain(parts).collect())
            }
        }
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Key<'_> {}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(other.parts())
    }
}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl<'de> Key<'de> {
    /// The key of these segments.
    ///
    /// ```
    /// use fourfold::primitiv::Key;
    ///
    /// assert_eq!(Key::new(["encoder", "w"]).to_string(), "encoder.w");
    /// ```
    pub fn new<N: Into<Name<'de>>>(parts: impl IntoIterator<Item = N>) -> Self {
        let parts = parts.into_iter().map(Into::into).collect();
        Key { parts, width: Width::default() }
    }

    /// Its segments, the outermost first.
    #[must_use]
    pub fn parts(&self) -> &[Name<'de>] {
        &self.parts
    }

    /// The parameter's own name: the last segment.
    #[must_use]
    pub fn name(&self) -> Option<&Name<'de>> {
        self.parts.last()
    }

    /// The written width of the count of segments.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The same with a count that is written as wide as that, or wider if it must be.
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Key { width, ..self }
    }

    /// The same without the input's lifetime.
    #[must_use]
    pub fn into_owned(self) -> Key<'static> {
        let parts = match self.parts {
            Parts::One(part) => Parts::One(part.into_owned()),
            Parts::Many(parts) => parts.into_iter().map(Name::into_owned).collect(),
        };
        Key { parts, width: self.width }
    }

    /// Whether `self` is the address of a submodel that contains `other`.
    pub(super) fn contains(&self, other: &Key<'_>) -> bool {
        self.parts.len() < other.parts.len()
            && self.parts.iter().zip(&*other.parts).all(|(own, others)| own.bytes == others.bytes)
    }

    /// Compares it with segments of another type.
    pub(super) fn cmp_parts<P: AsRef<[u8]>>(&self, parts: &[P]) -> Ordering {
        let own = self.parts.iter().map(Name::as_bytes);
        own.cmp(parts.iter().map(AsRef::as_ref))
    }

    #[inline]
    pub(super) fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let start = reader.offset();
        let (count, width) = wire::take_count(reader, Headed::Array, 1)?;
        if count == 0 {
            return Err(Error::at(ErrorKind::EmptyKey, start));
        }
        if count > MAX_UNCHECKED_PARTS {
            let mut ahead = *reader;
            for index in 0..count {
                within_item(index, Name::take(&mut ahead, lenient))?;
            }
        }
        if count == 1 {
            let part = within_item(0, Name::take(reader, lenient))?;
            return Ok(Key { parts: Parts::One(part), width });
        }
        let mut parts = Vec::with_capacity(count);
        for index in 0..count {
            parts.push(within_item(index, Name::take(reader, lenient))?);
        }
        Ok(Key { parts: Parts::Many(parts), width })
    }

    #[inline]
    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        out.put_header(Headed::Array, self.parts.len(), self.width)?;
        self.parts.iter().try_for_each(|part| part.put(out))
    }
}

/// Memory for at most so many segments is reserved ahead: a segment takes one byte of input, and much
/// more in memory.
const MAX_UNCHECKED_PARTS: usize = 64;

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{part}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.parts()).finish()
    }
}

/// Conversions from lists of names to keys.
impl<'de, N: Into<Name<'de>>, const LEN: usize> From<[N; LEN]> for Key<'de> {
    fn from(parts: [N; LEN]) -> Self {
        Key::new(parts)
    }
}

impl<'de, N: Into<Name<'de>>> From<Vec<N>> for Key<'de> {
    fn from(parts: Vec<N>) -> Self {
        Key::new(parts)
    }
}

impl<'de, N: Into<Name<'de>> + Clone, const LEN: usize> From<&[N; LEN]> for Key<'de> {
    fn from(parts: &[N; LEN]) -> Self {
        Key::new(parts.iter().cloned())
    }
}

impl<'de, N: Into<Name<'de>> + Clone> From<&[N]> for Key<'de> {
    fn from(parts: &[N]) -> Self {
        Key::new(parts.iter().cloned())
    }
}

/// A key of one segment. A dot in it is part of the name.
impl<'de> From<&'de str> for Key<'de> {
    fn from(name: &'de str) -> Self {
        Key::new([name])
    }
}

/// A key of one segment. A dot in it is part of the name.
impl From<String> for Key<'_> {
    fn from(name: String) -> Self {
        Key::new([name])
    }
}
