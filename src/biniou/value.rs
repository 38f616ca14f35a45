//! Any biniou value as a tree.

mod canonical;
mod outline;
mod read;
mod write;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use self::outline::{Node, NodeFields, NodeList, NodeParts, Outline};
pub(super) use self::read::check_tree;
pub(super) use self::write::bytes_of;
use super::wire::{Tag, hash};

/// The name of the newtype struct as which serde sees a [`Value`]: reserved.
pub(super) const VALUE: &str = "fourfold.biniou.value";

/// Any biniou value: a tree of nodes, as they are in the bytes.
///
/// Keeps everything that is in the bytes: widths and tags, the order of fields and repeated ones,
/// hashes (names are not in the bytes: see [`Dictionary`](super::Dictionary)), sharing, even
/// cyclic, and vints with more bytes than needed. What was read is written back byte for byte.
///
/// Two values are equal if their bytes are: floats are compared bit by bit, so that a NaN equals
/// itself and `0.0` is not `-0.0`.
///
/// ```
/// use fourfold::biniou::{from_slice, to_vec, Value};
///
/// // TUPLE of int8 7 and string "hi"
/// let bytes = [20, 2, 1, 7, 18, 2, b'h', b'i'];
/// let value: Value = from_slice(&bytes)?;
/// assert_eq!(value, Value::Tuple(vec![Value::Int8(7), Value::from("hi")]));
/// assert_eq!(value.item(1).and_then(Value::as_str), Some("hi"));
/// assert_eq!(to_vec(&value)?, bytes);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
///
/// Some values have no encoding (an [`Array`](Value::Array) of unlike items, a
/// [`Reference`](Value::Reference) to nothing): these are refused when written.
///
/// Other formats refuse it in both directions, as they refuse a [`Raw`](super::Raw). `fourfold dump --json` shows one as JSON.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// One byte, 0 or 1.
    Bool(bool),
    /// One byte.
    Int8(u8),
    /// Two bytes.
    Int16(u16),
    /// Four bytes.
    Int32(i32),
    /// Eight bytes.
    Int64(i64),
    /// IEEE 754 binary32.
    Float32(f32),
    /// IEEE 754 binary64.
    Float64(f64),
    /// An unsigned vint.
    Uvint(u128),
    /// A signed vint.
    Svint(i128),
    /// Bytes, which need not be UTF-8.
    String(Vec<u8>),
    /// Values that all have one tag.
    Array(Vec<Value>),
    /// Values of any tags.
    Tuple(Vec<Value>),
    /// Fields: the 31-bit hash of the name, and the value. A hash may come twice; OCaml's readers
    /// take the last.
    Record(Vec<(u32, Value)>),
    /// A number below 128, and perhaps an argument. OCaml's options are number 0.
    NumVariant(u8, Option<Box<Value>>),
    /// The 31-bit hash of a name, and perhaps an argument.
    Variant(u32, Option<Box<Value>>),
    /// The value of OCaml's `unit`.
    Unit,
    /// Rows of one shape.
    Table(Box<Table>),
    /// A value that may be referred to, with its number: these values are counted from 1 in the
    /// order in which they begin.
    Shared(u32, Box<Value>),
    /// The value with this number once more. It comes before, or around.
    Reference(u32),
    /// A value whose own vints (length, count, number, distance) are spelled longer than they need
    /// be: how many bytes the first and the second have too many, and the value. Only a
    /// [`Table`](Value::Table) has a second, its column count.
    ///
    /// No writer that is known makes such, but readers accept them.
    Overlong([u8; 2], Box<Value>),
}

/// The TABLE of a [`Value`]: columns, then rows without names or tags.
///
/// Without rows the bytes hold no columns either, so that both are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The 31-bit hash of each column's name, and the tag of its cells.
    pub columns: Vec<(u32, Tag)>,
    /// The cells of each row, as many as there are columns.
    pub rows: Vec<Vec<Value>>,
}

impl Value {
    /// The tag before it.
    #[must_use]
    pub fn tag(&self) -> Tag {
        match self {
            Value::Bool(_) => Tag::Bool,
            Value::Int8(_) => Tag::Int8,
            Value::Int16(_) => Tag::Int16,
            Value::Int32(_) => Tag::Int32,
            Value::Int64(_) => Tag::Int64,
            Value::Float32(_) => Tag::Float32,
            Value::Float64(_) => Tag::Float64,
            Value::Uvint(_) => Tag::Uvint,
            Value::Svint(_) => Tag::Svint,
            Value::String(_) => Tag::String,
            Value::Array(_) => Tag::Array,
            Value::Tuple(_) => Tag::Tuple,
            Value::Record(_) => Tag::Record,
            Value::NumVariant(..) => Tag::NumVariant,
            Value::Variant(..) => Tag::Variant,
            Value::Unit => Tag::Unit,
            Value::Table(_) => Tag::Table,
            Value::Shared(..) | Value::Reference(_) => Tag::Shared,
            Value::Overlong(_, value) => value.tag(),
        }
    }

    /// The value itself, whether it may be referred to or is spelled longer than need be.
    fn bare(&self) -> &Value {
        let mut value = self;
        while let Value::Shared(_, inner) | Value::Overlong(_, inner) = value {
            value = inner;
        }
        value
    }

    /// The bool, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.bare() {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is an integer of any width and not negative.
    #[must_use]
    pub fn as_u128(&self) -> Option<u128> {
        match self.bare() {
            Value::Uvint(number) => Some(*number),
            value => u128::try_from(value.as_i128()?).ok(),
        }
    }

    /// The number, if it is an integer of any width.
    ///
    /// ```
    /// use fourfold::biniou::Value;
    ///
    /// assert_eq!(Value::Int8(255).as_i128(), Some(255));
    /// assert_eq!(Value::Int32(-1).as_i128(), Some(-1));
    /// assert_eq!(Value::Float64(1.0).as_i128(), None);
    /// ```
    #[must_use]
    pub fn as_i128(&self) -> Option<i128> {
        match self.bare() {
            Value::Int8(number) => Some(i128::from(*number)),
            Value::Int16(number) => Some(i128::from(*number)),
            Value::Int32(number) => Some(i128::from(*number)),
            Value::Int64(number) => Some(i128::from(*number)),
            Value::Uvint(number) => i128::try_from(*number).ok(),
            Value::Svint(number) => Some(*number),
            _ => None,
        }
    }

    /// The number, if it is a float of either width.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self.bare() {
            Value::Float32(number) => Some(f64::from(*number)),
            Value::Float64(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, if it is a string in UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(self.as_bytes()?).ok()
    }

    /// The bytes, if it is a string.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.bare() {
            Value::String(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The items, if it is an array or a tuple.
    #[must_use]
    pub fn items(&self) -> Option<&[Value]> {
        match self.bare() {
            Value::Array(items) | Value::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The item at a position, if it is an array or a tuple that has one there.
    #[must_use]
    pub fn item(&self, index: usize) -> Option<&Value> {
        self.items()?.get(index)
    }

    /// The field of a name, if it is a record that has one. Of several, it is the last.
    ///
    /// ```
    /// use fourfold::biniou::{hash, Value};
    ///
    /// let point = Value::Record(vec![(hash("x"), Value::Svint(1)), (hash("y"), Value::Svint(2))]);
    /// assert_eq!(point.get("y").and_then(Value::as_i128), Some(2));
    /// assert_eq!(point.get("z"), None);
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let wanted = hash(name);
        match self.bare() {
            Value::Record(fields) => {
                fields.iter().rfind(|(found, _)| *found == wanted).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(one), Value::Bool(two)) => one == two,
            (Value::Int8(one), Value::Int8(two)) => one == two,
            (Value::Int16(one), Value::Int16(two)) => one == two,
            (Value::Int32(one), Value::Int32(two)) => one == two,
            (Value::Int64(one), Value::Int64(two)) => one == two,
            (Value::Float32(one), Value::Float32(two)) => one.to_bits() == two.to_bits(),
            (Value::Float64(one), Value::Float64(two)) => one.to_bits() == two.to_bits(),
            (Value::Uvint(one), Value::Uvint(two)) => one == two,
            (Value::Svint(one), Value::Svint(two)) => one == two,
            (Value::String(one), Value::String(two)) => one == two,
            (Value::Array(one), Value::Array(two)) => one == two,
            (Value::Tuple(one), Value::Tuple(two)) => one == two,
            (Value::Record(one), Value::Record(two)) => one == two,
            (Value::NumVariant(one, a), Value::NumVariant(two, b)) => one == two && a == b,
            (Value::Variant(one, a), Value::Variant(two, b)) => one == two && a == b,
            (Value::Unit, Value::Unit) => true,
            (Value::Table(one), Value::Table(two)) => one == two,
            (Value::Shared(one, a), Value::Shared(two, b)) => one == two && a == b,
            (Value::Reference(one), Value::Reference(two)) => one == two,
            (Value::Overlong(one, a), Value::Overlong(two, b)) => one == two && a == b,
            _ => false,
        }
    }
}

/// Bits equal themselves, so that every value does.
impl Eq for Value {}

/// Each type becomes what [`to_vec`](super::to_vec) writes for it.
macro_rules! from_scalars {
    ($($variant:ident: $($type:ty)*;)*) => {$($(
        impl From<$type> for Value {
            fn from(value: $type) -> Value {
                Value::$variant(value.into())
            }
        }
    )*)*};
}

from_scalars! {
    Bool: bool;
    Uvint: u8 u16 u32 u64 u128;
    Svint: i8 i16 i32 i64 i128;
    Float32: f32;
    Float64: f64;
    String: &str String;
    Table: Table;
}

impl From<()> for Value {
    fn from((): ()) -> Value {
        Value::Unit
    }
}
