//! Values of any type of the notation.

mod from;
mod path;
mod scalars;
mod show;

use std::ops::Range;

pub(super) use self::path::{Found, segment};
pub use self::scalars::Scalars;
use super::syntax::Names;

/// What bytes hold: a value, the values in it with their names, and where each is.
///
/// It borrows from the bytes. Two trees are equal if their values are, wherever these are; floats
/// are compared bit by bit.
///
/// ```
/// use fourfold_schema::notation::Notation;
///
/// let notation = Notation::parse("<int32:width><[<int8:x><int8*$width:row>]*2:lines>")?;
/// let tree = notation.decode(&[2, 0, 0, 0, 5, 1, 2, 6, 3, 4])?;
/// assert_eq!(tree.int("width"), Some(2));
/// assert_eq!(tree.int("lines[1].x"), Some(6));
/// assert_eq!(tree.int("lines[1].row[0]"), Some(3));
/// assert_eq!(tree.get("lines[1]").and_then(|line| line.range()), Some(7..10));
/// assert_eq!(
///     serde_json::to_string(&tree).unwrap(),
///     r#"{"width":2,"lines":[{"x":5,"row":[1,2]},{"x":6,"row":[3,4]}]}"#
/// );
/// # Ok::<(), fourfold_schema::notation::Error>(())
/// ```
///
/// [`Display`](std::fmt::Display) shows it to people, one value a line; `{:#}` adds the ranges.
///
/// In other formats, serde sees maps, sequences and numbers. An array of `byte` is bytes, one of
/// `char8` is a string or, where it is not UTF-8, bytes.
#[derive(Clone, Debug)]
pub struct Tree<'de> {
    value: Value<'de>,
    range: Option<Range<usize>>,
}

/// A value of a [`Tree`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value<'de> {
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
/// A field of the notation goes by its name; without one, by the name of its type, if the type is
/// declared and the structure has no other field of that name; otherwise by its position, `"0"`.
#[derive(Clone, Debug)]
pub struct Struct<'de> {
    names: Names,
    values: Vec<Tree<'de>>,
}

impl<'de> Struct<'de> {
    pub(super) fn new(names: Names, values: Vec<Tree<'de>>) -> Self {
        Struct { names, values }
    }

    /// The values without their names.
    #[must_use]
    pub fn values(&self) -> &[Tree<'de>] {
        &self.values
    }

    /// The values with their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Tree<'de>)> {
        self.names.iter().map(|name| &**name).zip(&self.values)
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tree<'de>> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Tree<'de>> {
        let position = self.names.position(name)?;
        self.values.get_mut(position)
    }
}

impl PartialEq for Struct<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names && self.values == other.values
    }
}

impl Eq for Struct<'_> {}

impl Value<'_> {
    /// What it is, for errors.
    pub(super) fn found(&self) -> &'static str {
        match self {
            Value::Int(_) => "integer",
            Value::Float32(_) => "float32",
            Value::Float64(_) => "float64",
            Value::Scalars(array) => array.builtin().array_name(),
            Value::Array(_) => "array",
            Value::Struct(_) => "structure",
        }
    }

    /// How many items it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Value::Scalars(array) => array.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        }
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Int(one), Value::Int(two)) => one == two,
            (Value::Float32(one), Value::Float32(two)) => one.to_bits() == two.to_bits(),
            (Value::Float64(one), Value::Float64(two)) => one.to_bits() == two.to_bits(),
            (Value::Scalars(one), Value::Scalars(two)) => one == two,
            (Value::Array(one), Value::Array(two)) => one == two,
            (Value::Struct(one), Value::Struct(two)) => one == two,
            _ => false,
        }
    }
}

/// Bits equal themselves, so that every value does.
impl Eq for Value<'_> {}

impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Tree<'_> {}

impl<'de> Tree<'de> {
    pub(super) fn at(value: Value<'de>, range: Range<usize>) -> Self {
        Tree { value, range: Some(range) }
    }

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
    pub fn structure<N: Into<String>>(fields: impl IntoIterator<Item = (N, Tree<'de>)>) -> Self {
        let (names, values): (Vec<Box<str>>, _) =
            fields.into_iter().map(|(name, value)| (name.into().into_boxed_str(), value)).unzip();
        Value::Struct(Struct::new(Names::new(names.into()), values)).into()
    }

    /// An array of anything but a built-in type; arrays of these are made by `from`.
    #[must_use]
    pub fn array(items: impl IntoIterator<Item = Tree<'de>>) -> Self {
        Value::Array(items.into_iter().collect()).into()
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &Value<'de> {
        &self.value
    }

    /// The value, without its place.
    #[must_use]
    pub fn into_value(self) -> Value<'de> {
        self.value
    }

    /// Where it is in the bytes it was decoded from; `None` if it was built.
    ///
    /// A part that was changed has no place, but those around it keep theirs.
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        self.range.clone()
    }

    /// The integer, if it is one.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self.value {
            Value::Int(int) => Some(int),
            _ => None,
        }
    }

    /// The float, if it is one of either width.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.value.as_f64()
    }

    /// The array of a built-in type, if it is one.
    #[must_use]
    pub fn as_scalars(&self) -> Option<&Scalars<'de>> {
        match &self.value {
            Value::Scalars(array) => Some(array),
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
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The fields, if it is a structure.
    #[must_use]
    pub fn as_struct(&self) -> Option<&Struct<'de>> {
        match &self.value {
            Value::Struct(parts) => Some(parts),
            _ => None,
        }
    }

    /// The same tree without the lifetime of its bytes, which are copied.
    #[must_use]
    pub fn into_owned(self) -> Tree<'static> {
        let all = |trees: Vec<Tree<'de>>| trees.into_iter().map(Tree::into_owned).collect();
        let value = match self.value {
            Value::Int(int) => Value::Int(int),
            Value::Float32(float) => Value::Float32(float),
            Value::Float64(float) => Value::Float64(float),
            Value::Scalars(array) => Value::Scalars(array.into_owned()),
            Value::Array(items) => Value::Array(all(items)),
            Value::Struct(parts) => Value::Struct(Struct::new(parts.names, all(parts.values))),
        };
        Tree { value, range: self.range }
    }
}

impl Value<'_> {
    fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float32(float) => Some(f64::from(*float)),
            Value::Float64(float) => Some(*float),
            _ => None,
        }
    }
}
