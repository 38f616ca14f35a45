//! Values of any type of the notation.

use std::borrow::Cow;
use std::fmt;

use fourfold::{Path, Segment};
use serde_core::ser::{Serialize, SerializeMap as _, Serializer};

use super::scalars::counted;
use super::syntax::{NameList, Names};
use super::{Builtin, Scalars};

/// A decoded value, and the values in it with their names.
///
/// It borrows from the bytes. Floats are equal if their bits are.
///
/// ```
/// use fourfold_schema::notation::Notation;
///
/// let notation = Notation::parse("<int32:width><[<int8:x><int8*$width:row>]*2:lines>")?;
/// let tree = notation.decode(&[2, 0, 0, 0, 5, 1, 2, 6, 3, 4])?;
/// assert_eq!(tree.int("width"), Some(2));
/// assert_eq!(tree.int("lines[1].x"), Some(6));
/// assert_eq!(tree.int("lines[1].row[0]"), Some(3));
/// assert_eq!(
///     serde_json::to_string(&tree).unwrap(),
///     r#"{"width":2,"lines":[{"x":5,"row":[1,2]},{"x":6,"row":[3,4]}]}"#
/// );
/// # Ok::<(), fourfold_schema::notation::Error>(())
/// ```
///
/// As text ([`Display`](std::fmt::Display)), it has a line for each value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Tree<'de> {
    /// An integer of any width, a byte, or a character as its number.
    Int(i64),
    /// IEEE 754 binary32.
    Float32(f32),
    /// IEEE 754 binary64.
    Float64(f64),
    /// An array of a built-in type.
    Scalars(Scalars<'de>),
    /// An array of anything else.
    Array(Vec<Tree<'de>>),
    /// Values with names.
    Struct(Struct<'de>),
}

/// Values with names, in order.
///
/// A field without a name has the name of its type, if the type is declared and the structure has no other field of
/// that name; otherwise its position, `"0"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct<'de> {
    pub(super) names: Names,
    pub(super) values: Vec<Tree<'de>>,
}

impl<'de> Struct<'de> {
    /// The values with their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Tree<'de>)> {
        self.names.list.iter().map(|name| &**name).zip(&self.values)
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tree<'de>> {
        self.values.get(self.names.position(name)?)
    }
}

impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Tree::Int(one), Tree::Int(two)) => one == two,
            (Tree::Float32(one), Tree::Float32(two)) => one.to_bits() == two.to_bits(),
            (Tree::Float64(one), Tree::Float64(two)) => one.to_bits() == two.to_bits(),
            (Tree::Scalars(one), Tree::Scalars(two)) => one == two,
            (Tree::Array(one), Tree::Array(two)) => one == two,
            (Tree::Struct(one), Tree::Struct(two)) => one == two,
            _ => false,
        }
    }
}

/// Bits equal themselves, so that every value does.
impl Eq for Tree<'_> {}

impl<'de> Tree<'de> {
    /// A structure of fields with these names.
    ///
    /// ```
    /// use fourfold_schema::notation::{Notation, Tree};
    ///
    /// let tree = Tree::structure([("size", Tree::from(2)), ("data", Tree::from("hi"))]);
    /// let notation = Notation::parse("<int32:size><char8*$size:data>")?;
    /// assert_eq!(notation.encode(&tree)?, [2, 0, 0, 0, b'h', b'i']);
    /// # Ok::<(), fourfold_schema::notation::Error>(())
    /// ```
    #[must_use]
    pub fn structure<N: Into<Box<str>>>(fields: impl IntoIterator<Item = (N, Tree<'de>)>) -> Self {
        let (names, values): (Vec<Box<str>>, _) =
            fields.into_iter().map(|(name, value)| (name.into(), value)).unzip();
        Tree::Struct(Struct { names: NameList::new(names), values })
    }

    /// The value at a path, which is written as in errors: `graph.nodes[0].bubble`, `[2].0`. The
    /// empty path is the one of the tree itself.
    ///
    /// Items of an array of a built-in type are not trees in it: see [`int`](Tree::int),
    /// [`float`](Tree::float) and [`Scalars`].
    ///
    /// ```
    /// use fourfold_schema::notation::Notation;
    ///
    /// let notation = Notation::parse("string := <int32:size><char8*$size:data>; <string><string*1>")?;
    /// let tree = notation.decode(&[1, 0, 0, 0, b'a', 1, 0, 0, 0, b'b'])?;
    /// // Both fields would have the name of their type, so that neither does.
    /// assert_eq!(tree.get("0.data").and_then(|data| data.as_str()), Some("a"));
    /// assert_eq!(tree.get("1[0].data").and_then(|data| data.as_str()), Some("b"));
    /// assert_eq!(tree.get("1[1].data"), None);
    /// # Ok::<(), fourfold_schema::notation::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Tree<'de>> {
        match self.find(path)? {
            Cow::Borrowed(tree) => Some(tree),
            Cow::Owned(_) => None,
        }
    }

    /// The value at a path, to be changed.
    ///
    /// ```
    /// use fourfold_schema::notation::Notation;
    ///
    /// let notation = Notation::parse("<int32:fake><int32:code>")?;
    /// let mut tree = notation.decode(&[1, 0, 0, 0, 2, 0, 0, 0])?;
    /// if let Some(fake) = tree.get_mut("fake") {
    ///     *fake = 7.into();
    /// }
    /// assert_eq!(notation.encode(&tree)?, [7, 0, 0, 0, 2, 0, 0, 0]);
    /// # Ok::<(), fourfold_schema::notation::Error>(())
    /// ```
    pub fn get_mut(&mut self, path: &str) -> Option<&mut Tree<'de>> {
        let mut tree = self;
        for (segment, _) in Path::parse(path).ok()? {
            tree = match (&segment, tree) {
                (Segment::Index(index), Tree::Array(items)) => items.get_mut(*index)?,
                (segment, Tree::Struct(fields)) => {
                    fields.values.get_mut(fields.names.position(&name_of(segment)?)?)?
                }
                _ => return None,
            };
        }
        Some(tree)
    }

    /// The integer at a path, also one in an array: `inputs.indexs[0]`.
    #[must_use]
    pub fn int(&self, path: &str) -> Option<i64> {
        match *self.find(path)? {
            Tree::Int(int) => Some(int),
            _ => None,
        }
    }

    /// The float of either width at a path, also one in an array.
    #[must_use]
    pub fn float(&self, path: &str) -> Option<f64> {
        match *self.find(path)? {
            Tree::Float32(float) => Some(float.into()),
            Tree::Float64(float) => Some(float),
            _ => None,
        }
    }

    /// The array of a built-in type, if it is one.
    #[must_use]
    pub fn as_scalars(&self) -> Option<&Scalars<'de>> {
        match self {
            Tree::Scalars(array) => Some(array),
            _ => None,
        }
    }

    /// The bytes, if it is an array of `byte` or `char8`.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.as_scalars().filter(|array| array.is_bytes()).map(Scalars::bytes)
    }

    /// The text, if it is an array of `char8` in UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.as_scalars().and_then(Scalars::as_str)
    }

    /// The items, if it is an array of anything but a built-in type.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Tree<'de>]> {
        match self {
            Tree::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The same tree without the lifetime of its bytes, which are copied.
    #[must_use]
    pub fn into_owned(self) -> Tree<'static> {
        let all = |trees: Vec<Tree<'de>>| trees.into_iter().map(Tree::into_owned).collect();
        match self {
            Tree::Int(int) => Tree::Int(int),
            Tree::Float32(float) => Tree::Float32(float),
            Tree::Float64(float) => Tree::Float64(float),
            Tree::Scalars(array) => Tree::Scalars(array.into_owned()),
            Tree::Array(items) => Tree::Array(all(items)),
            Tree::Struct(Struct { names, values }) => {
                Tree::Struct(Struct { names, values: all(values) })
            }
        }
    }

    fn find(&self, path: &str) -> Option<Cow<'_, Tree<'de>>> {
        let mut found = Cow::Borrowed(self);
        for (segment, _) in Path::parse(path).ok()? {
            found = match segment {
                Segment::Index(index) => item(&found, index)?,
                segment => member(&found, &name_of(&segment)?)?,
            };
        }
        Some(found)
    }

    /// What it is, for errors.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Tree::Int(_) => "integer",
            Tree::Float32(_) => "float32",
            Tree::Float64(_) => "float64",
            Tree::Scalars(array) => array.builtin().array_name(),
            Tree::Array(_) => "array",
            Tree::Struct(_) => "structure",
        }
    }

    /// How many items it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Tree::Scalars(array) => array.len(),
            Tree::Array(items) => items.len(),
            _ => 0,
        }
    }
}

/// A field of a structure.
pub(super) fn member<'s, 'de>(tree: &Cow<'s, Tree<'de>>, name: &str) -> Option<Cow<'s, Tree<'de>>> {
    match tree {
        Cow::Borrowed(Tree::Struct(fields)) => fields.get(name).map(Cow::Borrowed),
        _ => None,
    }
}

/// An item of an array.
pub(super) fn item<'s, 'de>(tree: &Cow<'s, Tree<'de>>, index: usize) -> Option<Cow<'s, Tree<'de>>> {
    match tree {
        Cow::Borrowed(Tree::Array(items)) => items.get(index).map(Cow::Borrowed),
        Cow::Borrowed(Tree::Scalars(array)) => array.get(index).map(Cow::Owned),
        _ => None,
    }
}

/// The name of the field that a segment selects.
fn name_of(segment: &Segment) -> Option<Cow<'_, str>> {
    match segment {
        Segment::Field(name) => Some(Cow::Borrowed(name)),
        Segment::Slot(position) => Some(Cow::Owned(position.to_string())),
        _ => None,
    }
}

macro_rules! from_numbers {
    ($($variant:ident $($type:ty)*;)*) => {$($(
        impl From<$type> for Tree<'_> {
            fn from(value: $type) -> Self {
                Tree::$variant(value.into())
            }
        }
    )*)*};
}

from_numbers! { Int u8 u16 u32 i8 i16 i32 i64; Float32 f32; Float64 f64; }

macro_rules! from_arrays {
    ($($builtin:ident $type:ty;)*) => {$(
        impl From<&[$type]> for Tree<'_> {
            fn from(items: &[$type]) -> Self {
                let bytes: Vec<u8> = items.iter().flat_map(|item| item.to_le_bytes()).collect();
                Tree::Scalars(Scalars::of(Builtin::$builtin, bytes))
            }
        }
    )*};
}

from_arrays! { Int8 i8; Int16 i16; Int32 i32; Int64 i64; Float32 f32; Float64 f64; }

/// An array of `char8`.
impl<'de> From<&'de str> for Tree<'de> {
    fn from(text: &'de str) -> Self {
        Tree::Scalars(Scalars::of(Builtin::Char8, text.as_bytes()))
    }
}

/// An array of `byte`.
impl<'de> From<&'de [u8]> for Tree<'de> {
    fn from(bytes: &'de [u8]) -> Self {
        Tree::Scalars(Scalars::of(Builtin::Byte, bytes))
    }
}

/// An array of `byte`.
impl From<Vec<u8>> for Tree<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Tree::Scalars(Scalars::of(Builtin::Byte, bytes))
    }
}

/// A line for each value, those in it below it and indented.
///
/// ```
/// use fourfold_schema::notation::Notation;
///
/// let notation = Notation::parse("<int8:n><[<char8*2:name><float*2:at>]*$n:points>")?;
/// let tree = notation.decode(b"\x01up\0\0\xc0\x3f\0\0\0\0")?;
/// let text = "\
/// n: 1
/// points: 1 item
///   [0]:
///     name: \"up\"
///     at: [1.5, 0.0]
/// ";
/// assert_eq!(tree.to_string(), text);
/// # Ok::<(), fourfold_schema::notation::Error>(())
/// ```
impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(f, 0)
    }
}

impl Tree<'_> {
    fn show(&self, f: &mut fmt::Formatter<'_>, level: usize) -> fmt::Result {
        let mut line = |name: &dyn fmt::Display, value: &Tree<'_>| {
            write!(f, "{:1$}{name}:", "", 2 * level)?;
            match value {
                Tree::Struct(_) => writeln!(f)?,
                Tree::Array(items) => writeln!(f, " {}", counted(items.len(), "item"))?,
                value => return writeln!(f, " {value}"),
            }
            value.show(f, level + 1)
        };
        match self {
            Tree::Int(int) => write!(f, "{int}"),
            Tree::Float32(float) => write!(f, "{float:?}"),
            Tree::Float64(float) => write!(f, "{float:?}"),
            Tree::Struct(fields) => fields.iter().try_for_each(|(name, value)| line(&name, value)),
            Tree::Array(items) => {
                let mut items = items.iter().enumerate();
                items.try_for_each(|(at, item)| line(&format_args!("[{at}]"), item))
            }
            Tree::Scalars(array) => write!(f, "{array}"),
        }
    }
}

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::Int(int) => serializer.serialize_i64(*int),
            Tree::Float32(float) => serializer.serialize_f32(*float),
            Tree::Float64(float) => serializer.serialize_f64(*float),
            Tree::Scalars(array) => array.serialize(serializer),
            Tree::Array(items) => serializer.collect_seq(items),
            Tree::Struct(fields) => {
                let mut map = serializer.serialize_map(Some(fields.values.len()))?;
                for (name, value) in fields.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}
