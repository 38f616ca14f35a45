//! Errors of every format: what is wrong, in which field, at which byte, and the fix.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Debug, Display, Write as _};

use crate::count::{Bytes, Things};
use crate::io;
pub use crate::path::{Path, Segment};

/// What went wrong, with the byte offset and the field path where it did.
///
/// `K` is the format's own `ErrorKind`. One pointer wide, so that `Result<()>` is too; the rest is
/// allocated only when an error occurs.
///
/// The text, for [`Display`](fmt::Display) and [`Debug`] alike, is one line: the kind, then
/// `in` and the path, then `at byte` and the offset, as far as they are known. The fix is last, after a
/// semicolon, if there is one: [`hint`](Error::hint) returns it alone.
pub struct Error<K> {
    inner: Box<Inner<K>>,
}

struct Inner<K> {
    kind: K,
    offset: Option<usize>,
    path: Path,
    /// The fix, where more is known than the kind has.
    hint: Hint,
    /// What is before and after the kind's text, if a type has put the error into its own message.
    around: Option<Box<[String; 2]>>,
}

/// The fix for an error, if there is one: complete enough to paste.
pub(crate) type Hint = Option<Cow<'static, str>>;

/// What a caller branches on; the same five for every format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// Reading or writing the underlying stream failed.
    Io,
    /// The input ends too early.
    Eof,
    /// The bytes are not in the format.
    Syntax,
    /// The bytes are in the format, but do not fit the Rust type, or the value does not fit the
    /// format.
    Data,
    /// A limit was reached: of `Options`, or of what the format can count.
    Limit,
}

/// Errors that every format shares.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommonKind {
    /// The input ends before the value does.
    #[error("input ends early: {} needed, {left} left", Bytes(.needed))]
    UnexpectedEnd {
        /// Bytes that the value needs from here on.
        needed: usize,
        /// Bytes that are there.
        left: usize,
    },
    /// Bytes are left over after the value; the offset is that of the first one.
    #[error("{}", Things(.count, "trailing byte"))]
    TrailingBytes {
        /// How many.
        count: usize,
    },
    /// Text is not UTF-8; the offset is that of the first bad byte.
    #[error("invalid utf-8")]
    InvalidUtf8,
    /// Values are nested deeper than `Options::max_depth`.
    #[error("nested deeper than {}", Things(.limit, "level"))]
    DepthLimit {
        /// The limit that was reached.
        limit: u16,
    },
    /// A reader returned more bytes than `Options::max_input`.
    #[error("input is longer than {}", Bytes(.limit))]
    InputLimit {
        /// The limit that was reached.
        limit: u64,
    },
    /// The format cannot hold what the type needs.
    #[error("{reason}")]
    Unsupported {
        /// What the format cannot hold.
        reason: &'static str,
        /// The fix.
        hint: Option<&'static str>,
    },
    /// A `Serialize` or `Deserialize` implementation ignored an error of a nested value.
    #[error("the type ignored an error of a nested value")]
    Abandoned,
    /// The name of a container begins with what is nearly a mark, or is a mark's keyword without a dot and the
    /// type's name, and so would not be one.
    #[error("container name `{name}` is not the mark `{mark}.`, but nearly")]
    MisspeltMark {
        /// The container's serde name.
        name: &'static str,
        /// The mark's keyword.
        mark: &'static str,
    },
    /// The name of a container begins with `any` and a dot: of all marks, that one is not a name.
    #[error("container name `{name}` is not a mark")]
    AnyName {
        /// The container's serde name.
        name: &'static str,
    },
    /// The bytes of a value that is marked `any` end before it does. More bytes after the input would
    /// not help. Offset: of the first of the bytes.
    #[error("value in messagepack ends after its {}", Bytes(.len))]
    PartEnd {
        /// How many bytes there are.
        len: usize,
    },
    /// The bytes of a value that is marked `any` are not MessagePack. Offset: of the first of them.
    #[error("no messagepack: {reason}")]
    Part {
        /// What is wrong with them.
        reason: Box<str>,
    },
    /// An array or map in a value that is marked `any` has another count than its `Serialize`
    /// implementation has announced.
    #[error("{}, not {expected}", Things(.found, "item"))]
    PartCount {
        /// The count.
        found: usize,
        /// The one that the type takes.
        expected: usize,
    },
    /// The underlying reader or writer failed.
    #[error("{0}")]
    Io(io::Error),
    /// The text of an error of a `Serialize` or `Deserialize` implementation.
    #[error("{}", OneLine(.0))]
    Message(Box<str>),
}

impl CommonKind {
    /// The category of an error that every format shares.
    #[must_use]
    pub fn category(&self) -> Category {
        match self {
            CommonKind::UnexpectedEnd { .. } => Category::Eof,
            CommonKind::TrailingBytes { .. }
            | CommonKind::InvalidUtf8
            | CommonKind::PartEnd { .. }
            | CommonKind::Part { .. } => Category::Syntax,
            CommonKind::DepthLimit { .. } | CommonKind::InputLimit { .. } => Category::Limit,
            CommonKind::Io(_) => Category::Io,
            CommonKind::Unsupported { .. }
            | CommonKind::Abandoned
            | CommonKind::MisspeltMark { .. }
            | CommonKind::AnyName { .. }
            | CommonKind::PartCount { .. }
            | CommonKind::Message(_) => Category::Data,
        }
    }

    /// The fix of an error that every format shares.
    #[cold]
    #[must_use]
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            CommonKind::DepthLimit { .. } => "use `Options::max_depth` to allow more".into(),
            CommonKind::InputLimit { .. } => "use `Options::max_input` to allow more".into(),
            CommonKind::Unsupported { hint, .. } => return hint.map(Cow::from),
            CommonKind::Abandoned => {
                "return that error from its `Serialize` or `Deserialize` implementation".into()
            }
            CommonKind::MisspeltMark { name, mark } => {
                // Of a keyword alone, the type's own name is unknown.
                let own = name.split_once('.').map_or("Type", |(_, own)| own);
                format!("use `#[serde(rename = \"{mark}.{own}\")]`, or another name").into()
            }
            CommonKind::AnyName { .. } => {
                "use another name, and `with::any` on the field that holds the value".into()
            }
            _ => return None,
        })
    }
}

/// Text that may come from the input, in one line: control characters are escaped.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c.is_control() {
            true => write!(f, "{}", c.escape_default()),
            false => f.write_char(c),
        })
    }
}

/// What [`Error`] needs of a format's `ErrorKind`. Only the formats of this workspace implement it.
pub trait Kind: Debug + Display + From<CommonKind> + sealed::Sealed {
    /// What a caller branches on.
    fn category(&self) -> Category;

    /// The shared error inside, if there is one.
    fn common(&self) -> Option<&CommonKind>;

    /// Takes the shared error out, if there is one.
    fn into_common(self) -> Option<CommonKind>;

    /// The fix, if the kind alone has one. [`Error::hint`] may have a better one.
    fn hint(&self) -> Option<Cow<'static, str>> {
        self.common().and_then(CommonKind::hint)
    }
}

pub(crate) mod sealed {
    /// Only the formats of this workspace implement it.
    pub trait Sealed {
        /// Whether a struct may come with the names of its fields. What cannot be need not be compiled.
        const STRUCTS_WITH_NAMES: bool = true;

        /// Whether it may come without them, in the order of its fields.
        const STRUCTS_IN_ORDER: bool = true;
    }
}

impl<K> Error<K> {
    /// An error about the byte at `offset` of the input, for readers that are built on `wire` of a format.
    ///
    /// ```
    /// use fourfold::molecule::{Error, ErrorKind};
    /// use fourfold::{CommonKind, Segment};
    ///
    /// let error = Error::at(CommonKind::InvalidUtf8, 7).inside(Segment::Field("name".into()));
    /// assert_eq!(error.to_string(), "invalid utf-8 in name at byte 7");
    /// assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::InvalidUtf8)));
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn at(kind: impl Into<K>, offset: usize) -> Self {
        Error::new(kind.into(), Some(offset))
    }

    /// An error that concerns no byte of an input: one of writing.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn placeless(kind: impl Into<K>) -> Self {
        Error::new(kind.into(), None)
    }

    fn new(kind: K, offset: Option<usize>) -> Self {
        let path = Path::default();
        Error { inner: Box::new(Inner { kind, offset, path, hint: None, around: None }) }
    }

    /// Adds the step into the field or item where the error happened. Called on the way outwards. Without the feature
    /// `paths` it does nothing.
    #[cfg(feature = "paths")]
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn inside(mut self, segment: Segment) -> Self {
        self.inner.path.push_outer(segment);
        self
    }

    /// Without paths, nothing of it is compiled.
    #[cfg(not(feature = "paths"))]
    #[inline]
    #[must_use]
    pub fn inside(self, _: Segment) -> Self {
        self
    }

    /// Adds the step into the `key` or `value` of a map's entry.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_entry(self, index: usize, half: &'static str) -> Self {
        self.inside(Segment::Field(half.into())).inside(Segment::Index(index))
    }

    /// Changes the kind, where more is known about it.
    #[cold]
    #[must_use]
    pub fn map_kind(mut self, map: impl FnOnce(K) -> K) -> Self {
        self.inner.kind = map(self.inner.kind);
        self
    }

    /// Puts the text of the kind, and what is around it already, between two others.
    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn between(mut self, before: &str, after: &str) -> Self {
        let [first, last] = &mut **self.inner.around.get_or_insert_default();
        first.insert_str(0, before);
        last.push_str(after);
        self
    }

    /// Adds a hint that is better than the kind's own, unless one was added further in.
    #[cold]
    #[must_use]
    pub fn or_hint(mut self, hint: Option<impl Into<Cow<'static, str>>>) -> Self {
        self.inner.hint = self.inner.hint.or(hint.map(Into::into));
        self
    }

    /// Adds the place to an error that does not have one, such as those of visitors.
    #[cold]
    #[inline(never)]
    pub(crate) fn or_offset(mut self, offset: usize) -> Self {
        self.inner.offset.get_or_insert(offset);
        self
    }

    /// The same error without the offset, which counts in bytes that are no input.
    pub(crate) fn without_offset(mut self) -> Self {
        self.inner.offset = None;
        self
    }

    /// The same error with its offset increased by `bytes`: where the input was a slice of a larger one.
    ///
    /// ```
    /// use fourfold::biniou::{self, Error};
    ///
    /// let file = [0, 1, 0, 9];
    /// let error: Error = biniou::from_slice::<bool>(&file[2..]).unwrap_err();
    /// assert_eq!(error.moved(2).to_string(), "bool is 9, neither 0 nor 1 at byte 3");
    /// ```
    #[cold]
    #[must_use]
    pub fn moved(mut self, by: usize) -> Self {
        self.inner.offset = self.inner.offset.map(|offset| offset.saturating_add(by));
        self
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &K {
        &self.inner.kind
    }

    /// Which byte is wrong, counted from the start of the input. `None` for errors of writing.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.inner.offset
    }

    /// In which field it is. Empty if this library was built without the feature `paths`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.path
    }
}

impl<K: Kind> Error<K> {
    /// What a caller branches on.
    #[must_use]
    pub fn category(&self) -> Category {
        self.inner.kind.category()
    }

    /// The fix, which the error's text ends with: an attribute, a wrapper or an option that makes this value
    /// pass. `None` where only other bytes or another value would.
    ///
    /// ```
    /// use fourfold::molecule;
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// #[serde(rename = "strct.Pair")]
    /// struct Pair(u8, u16);
    ///
    /// let error = molecule::to_vec(&Pair(1, 2)).unwrap_err();
    /// let hint = error.hint().unwrap();
    /// assert_eq!(hint, "use `#[serde(rename = \"struct.Pair\")]`, or another name");
    /// assert!(error.to_string().ends_with(&*hint));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<Cow<'_, str>> {
        match &self.inner.hint {
            Some(hint) => Some(Cow::Borrowed(hint)),
            None => self.inner.kind.hint(),
        }
    }

    /// The error's text without the [`hint`](Error::hint): kind, path and offset. For programs whose users see no
    /// Rust types, and cannot follow it.
    ///
    /// ```
    /// use fourfold::biniou::{self, Value};
    ///
    /// let deep = [0x13, 0x01, 0x13, 0x01, 0x13, 0x00];
    /// let error = biniou::Options::new().max_depth(2).from_slice::<Value>(&deep).unwrap_err();
    /// assert_eq!(error.without_hint().to_string(), "nested deeper than 2 levels in [0][0] at byte 5");
    /// ```
    pub fn without_hint(&self) -> impl Display + '_ {
        WithoutHint(&self.inner)
    }

    /// Whether the input ends too early: more bytes might make it good.
    #[must_use]
    pub fn is_eof(&self) -> bool {
        self.category() == Category::Eof
    }
}

/// An error's text up to its hint.
struct WithoutHint<'a, K>(&'a Inner<K>);

impl<K: Display> Display for WithoutHint<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, offset, path, around, .. } = self.0;
        match around.as_deref() {
            Some([before, after]) => write!(f, "{before}{kind}{after}")?,
            None => Display::fmt(kind, f)?,
        }
        if !path.is_empty() {
            write!(f, " in {path}")?;
        }
        match offset {
            Some(offset) => write!(f, " at byte {offset}"),
            None => Ok(()),
        }
    }
}

impl<K: Kind> Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.without_hint(), f)?;
        if let Some(hint) = self.hint() {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl<K: Kind> Debug for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl<K: Kind> core::error::Error for Error<K> {
    #[cfg(feature = "std")]
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self.inner.kind.common() {
            Some(CommonKind::Io(source)) => Some(source),
            _ => None,
        }
    }
}

impl<K: Kind> serde_core::ser::Error for Error<K> {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        Error::placeless(CommonKind::Message(message.to_string().into_boxed_str()))
    }
}

impl<K: Kind> serde_core::de::Error for Error<K> {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        serde_core::ser::Error::custom(message)
    }

    /// Not inlined: each field of each type may call it.
    #[cold]
    #[inline(never)]
    fn missing_field(field: &'static str) -> Self {
        serde_core::ser::Error::custom(format_args!("missing field `{field}`"))
    }

    #[cold]
    #[inline(never)]
    fn duplicate_field(field: &'static str) -> Self {
        serde_core::ser::Error::custom(format_args!("duplicate field `{field}`"))
    }
}

/// The stream's own error is returned unchanged. An early end is `UnexpectedEof`, all else `InvalidData`.
#[cfg(feature = "std")]
impl<K: Kind + Send + Sync + 'static> From<Error<K>> for io::Error {
    fn from(error: Error<K>) -> Self {
        let kind = match error.category() {
            Category::Io => match error.inner.kind.into_common() {
                Some(CommonKind::Io(source)) => return source,
                _ => return io::Error::from(io::ErrorKind::Other),
            },
            Category::Eof => io::ErrorKind::UnexpectedEof,
            Category::Syntax | Category::Data | Category::Limit => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
