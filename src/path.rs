//! Paths to nested values.

mod route;
mod text;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display};
use core::str::FromStr;

pub use self::route::{Choice, NOWHERE, Route, Step, Stop};
pub use self::text::PathError;
use self::text::parse;

/// One step from a value to a nested value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Segment {
    /// A named field.
    Field(Cow<'static, str>),
    /// A field that has a number but no name: of a tuple struct for example.
    Slot(usize),
    /// An item of a sequence, map, tuple or array.
    Index(usize),
}

impl Segment {
    /// The field of that name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Segment::Field(Cow::Owned(name.into()))
    }

    /// Appends the step to a path; only the first one goes without a dot.
    fn write(&self, first: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Field(name) if first => text::write_name(name, f),
            Segment::Field(name) => {
                f.write_str(".")?;
                text::write_name(name, f)
            }
            Segment::Slot(slot) if first => write!(f, "{slot}"),
            Segment::Slot(slot) => write!(f, ".{slot}"),
        }
    }
}

/// As the first segment of a path.
impl Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(true, f)
    }
}

/// The path from the outermost value to a nested one, such as `outputs[2].lock.args`.
///
/// Errors carry the path to the value that is wrong. [`Path::new`] parses one from text, for the functions `at`
/// of the formats.
///
/// # Text
///
/// [`Display`](fmt::Display) writes, and [`new`](Path::new) parses: a name after a dot (`.lock`), the number of a
/// field without a name after a dot (`.2`), the number of an item in brackets (`[5]`). The first step has no dot. A
/// name is quoted if it is empty, a number, or has a dot, a bracket, a quote, `…` or a control character:
/// `params."layers.0"[1]`. In quotes, quotes and backslashes are escaped by a backslash, and control characters as in
/// Rust. An empty path is the outermost value itself.
///
/// Of a long path, `Display` writes both ends: `next.next…(112 more)….next`, with eight segments on either side. A path
/// compares with a `str` of either form, in full or as it is written.
///
/// # Examples
///
/// ```
/// use fourfold::{Path, Segment};
///
/// let path = Path::new("outputs[2].lock.0")?;
/// let segments: Vec<_> = path.segments().cloned().collect();
/// assert_eq!(segments[..2], [Segment::Field("outputs".into()), Segment::Index(2)]);
/// assert_eq!(segments[2..], [Segment::Field("lock".into()), Segment::Slot(0)]);
/// assert_eq!(path.to_string(), "outputs[2].lock.0");
/// # Ok::<(), fourfold::PathError>(())
/// ```
#[derive(Clone, Default)]
pub struct Path {
    /// Innermost first: segments are added while an error travels outwards.
    inwards: Vec<Segment>,
    /// Where the values on the path are, if it was resolved with a type.
    route: Option<Box<Route>>,
}

impl Path {
    /// Reads a path from text, see [above](Path#text). A leading dot is allowed.
    ///
    /// # Errors
    ///
    /// Text that is no path, with the byte where it is not.
    ///
    /// # Examples
    ///
    /// ```
    /// use fourfold::Path;
    ///
    /// assert_eq!(Path::new(r#"params."a.b"[0]"#)?.segments().len(), 3);
    /// let error = Path::new("outputs[two]").unwrap_err();
    /// assert_eq!(error.to_string(), "a number is missing between brackets at byte 8 of the path");
    /// # Ok::<(), fourfold::PathError>(())
    /// ```
    pub fn new(text: &str) -> Result<Self, PathError> {
        Ok(parse(text)?.into_iter().map(|(segment, _)| segment).collect())
    }

    /// The segments of a text, outermost first, and the byte of the text where each begins: for errors that name it.
    ///
    /// ```
    /// use fourfold::{Path, Segment};
    ///
    /// let segments = Path::parse("outputs[2].lock")?;
    /// assert_eq!(segments[1..], [(Segment::Index(2), 7), (Segment::named("lock"), 10)]);
    /// # Ok::<(), fourfold::PathError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`new`](Path::new).
    pub fn parse(text: &str) -> Result<Vec<(Segment, usize)>, PathError> {
        parse(text)
    }

    /// Whether the outermost value itself is meant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inwards.is_empty()
    }

    /// All the segments, outermost first.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &Segment> + ExactSizeIterator {
        self.inwards.iter().rev()
    }

    /// Adds a step before the others: the path then begins in the value that has this one in `segment`.
    ///
    /// ```
    /// use fourfold::{Path, Segment};
    ///
    /// let mut path = Path::new("lock.args")?;
    /// path.push_outer(Segment::Index(2));
    /// path.push_outer(Segment::Field("outputs".into()));
    /// assert_eq!(path, "outputs[2].lock.args");
    /// # Ok::<(), fourfold::PathError>(())
    /// ```
    pub fn push_outer(&mut self, segment: Segment) {
        self.inwards.push(segment);
        self.route = None;
    }

    /// Where the values on the path are, if it was resolved with a type.
    pub(crate) fn route(&self) -> Option<&Route> {
        self.route.as_deref()
    }

    /// The same path with a route to the part, for `molecule::at`: see `molecule::route`.
    ///
    /// # Errors
    ///
    /// If steps of the route go in a circle without a step into a union, which takes bytes: such a walk would not end.
    pub fn with_route(self, route: Route) -> Result<Self, PathError> {
        match route.ends() {
            true => Ok(Path { route: Some(Box::new(route)), ..self }),
            false => Err(PathError::new("the steps of its route go in a circle", None)),
        }
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Path::new(text)
    }
}

/// Outermost first.
impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        let mut inwards: Vec<_> = segments.into_iter().collect();
        inwards.reverse();
        Path { inwards, route: None }
    }
}

/// Whether they have the same segments, even if only one of them was resolved with a type.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.inwards == other.inwards
    }
}

impl Eq for Path {}

/// So many segments of a long path are written at each end, and one is long that has more than thrice as many.
const SEGMENTS_AT_END: usize = 8;

impl Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.inwards.len();
        let left_out = match count > 3 * SEGMENTS_AT_END {
            true => SEGMENTS_AT_END..count - SEGMENTS_AT_END,
            false => count..count,
        };
        for (i, segment) in self.segments().enumerate() {
            if i == left_out.start {
                write!(f, "…({} more)…", left_out.len())?;
            }
            if !left_out.contains(&i) {
                segment.write(i == 0, f)?;
            }
        }
        Ok(())
    }
}

/// A path with nothing left out.
pub(crate) struct InFull<'a>(pub(crate) &'a Path);

impl Display for InFull<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.segments().enumerate().try_for_each(|(i, segment)| segment.write(i == 0, f))
    }
}

impl Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl PartialEq<str> for Path {
    fn eq(&self, other: &str) -> bool {
        let (written, in_full) = (self.to_string(), InFull(self).to_string());
        written == other || in_full == other
    }
}

impl PartialEq<&str> for Path {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}
