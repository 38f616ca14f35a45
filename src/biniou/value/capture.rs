//! A [`Value`] out of what its own `Serialize` shows. The writer meets it like any other enum, but needs the
//! whole value before it can write.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde_core::ser::{self, Impossible, Serialize};

use super::form::Kind;
use super::number::{Double, Number, Single};
use super::{Table, VALUE, Value};
use crate::biniou::wire::Tag;
use crate::biniou::{Error, ErrorKind, Result};
use crate::limits::DepthMeter;

/// The value that is written as `variant` of the enum [`VALUE`] with this payload (`()` for a unit
/// variant).
///
/// `depth` is that of the value. It only bounds the recursion here: writing the value still checks its
/// levels.
pub(in crate::biniou) fn capture<T: ?Sized + Serialize>(
    variant: &'static str,
    payload: &T,
    depth: DepthMeter,
) -> Result<Value> {
    let kind = Kind::from_name(variant).ok_or_else(|| no_value(variant))?;
    let form = payload.serialize(Forms { within: kind, depth })?;
    form.into_value(kind).ok_or_else(|| no_value(variant))
}

#[cold]
fn no_value(variant: &'static str) -> Error {
    Error::placeless(ErrorKind::WrongTag { found: "another enum of that name", expected: variant })
}

/// The maximum number of elements for which memory is reserved ahead, since a type may announce more than it has.
const MOST_RESERVED: usize = 64;

/// The content of a payload.
enum Form {
    Bool(bool),
    Unsigned(u128),
    Signed(i128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    Nothing,
    Node(Value),
    Parts(Vec<Form>),
}

impl Form {
    fn into_value(self, kind: Kind) -> Option<Value> {
        let Kind::Node(tag) = kind else {
            return self.into_other(kind);
        };
        Some(match tag {
            Tag::Bool => match self {
                Form::Bool(value) => Value::Bool(value),
                _ => return None,
            },
            Tag::Int8 => Value::Int8(self.into_unsigned()?),
            Tag::Int16 => Value::Int16(self.into_unsigned()?),
            Tag::Int32 => Value::Int32(self.into_signed()?),
            Tag::Int64 => Value::Int64(self.into_signed()?),
            Tag::Float32 => Value::Float32(self.into_float::<Single>()?.0),
            Tag::Float64 => Value::Float64(self.into_float::<Double>()?.0),
            Tag::Uvint => Value::Uvint(self.into_unsigned()?),
            Tag::Svint => Value::Svint(self.into_signed()?),
            Tag::String => match self {
                Form::Text(text) => Value::String(text.into_bytes()),
                Form::Bytes(bytes) => Value::String(bytes),
                _ => return None,
            },
            Tag::Array => Value::Array(self.into_list(Form::into_node)?),
            Tag::Tuple => Value::Tuple(self.into_list(Form::into_node)?),
            Tag::Record => Value::Record(self.into_list(|field| {
                let [hash, value] = field.into_parts()?;
                Some((hash.into_unsigned()?, value.into_node()?))
            })?),
            Tag::NumVariant => {
                let [number, argument] = self.into_parts()?;
                Value::NumVariant(number.into_unsigned()?, argument.into_argument()?)
            }
            Tag::Variant => {
                let [hash, argument] = self.into_parts()?;
                Value::Variant(hash.into_unsigned()?, argument.into_argument()?)
            }
            Tag::Unit => match self {
                Form::Nothing => Value::Unit,
                _ => return None,
            },
            Tag::Table => {
                let [columns, rows] = self.into_parts()?;
                let columns = columns.into_list(Form::into_column)?;
                let rows = rows.into_list(|row| row.into_list(Form::into_node))?;
                Value::from(Table { columns, rows })
            }
            Tag::Shared => {
                let [id, value] = self.into_parts()?;
                Value::Shared(id.into_unsigned()?, Box::new(value.into_node()?))
            }
        })
    }

    /// The variants that have no tag of their own.
    fn into_other(self, kind: Kind) -> Option<Value> {
        if kind == Kind::Reference {
            return Some(Value::Reference(self.into_unsigned()?));
        }
        let [extra, value] = self.into_parts()?;
        let [first, second] = extra.into_parts()?;
        let extra = [first.into_unsigned()?, second.into_unsigned()?];
        Some(Value::Overlong(extra, Box::new(value.into_node()?)))
    }

    fn into_unsigned<N: TryFrom<u128>>(self) -> Option<N> {
        match self {
            Form::Unsigned(number) => N::try_from(number).ok(),
            _ => None,
        }
    }

    fn into_signed<N: TryFrom<i128>>(self) -> Option<N> {
        match self {
            Form::Signed(number) => N::try_from(number).ok(),
            _ => None,
        }
    }

    fn into_float<N: Number>(self) -> Option<N> {
        match self {
            Form::Float(number) => N::from_float(number),
            Form::Text(bits) => N::from_text(&bits),
            _ => None,
        }
    }

    fn into_node(self) -> Option<Value> {
        match self {
            Form::Node(value) => Some(value),
            _ => None,
        }
    }

    fn into_argument(self) -> Option<Option<Box<Value>>> {
        match self {
            Form::Nothing => Some(None),
            form => Some(Some(Box::new(form.into_node()?))),
        }
    }

    fn into_column(self) -> Option<(u32, Tag)> {
        let [hash, name] = self.into_parts()?;
        match name {
            Form::Text(name) => match Kind::from_name(&name)? {
                Kind::Node(tag) => Some((hash.into_unsigned()?, tag)),
                _ => None,
            },
            _ => None,
        }
    }

    fn into_parts<const N: usize>(self) -> Option<[Form; N]> {
        match self {
            Form::Parts(parts) => parts.try_into().ok(),
            _ => None,
        }
    }

    fn into_list<T>(self, item: impl FnMut(Form) -> Option<T>) -> Option<Vec<T>> {
        match self {
            Form::Parts(parts) => parts.into_iter().map(item).collect(),
            _ => None,
        }
    }
}

/// Builds forms: of the types that payloads contain, and no others.
#[derive(Clone, Copy)]
struct Forms {
    /// The variant whose payload this is.
    within: Kind,
    depth: DepthMeter,
}

impl Forms {
    /// Payloads hold nothing but numbers, text, sequences and other values.
    #[cold]
    fn foreign<T>(self) -> Result<T> {
        Err(no_value(self.within.name()))
    }
}

/// Serializer methods of plain values: `method Type => Form;`.
macro_rules! form_of {
    ($($method:ident $type:ty => $form:ident;)*) => {$(
        fn $method(self, value: $type) -> Result<Form> {
            Ok(Form::$form(value.into()))
        }
    )*};
}

impl ser::Serializer for Forms {
    type Ok = Form;
    type Error = Error;
    type SerializeSeq = Parts;
    type SerializeTuple = Parts;
    type SerializeStruct = Parts;
    type SerializeTupleStruct = Impossible<Form, Error>;
    type SerializeTupleVariant = Impossible<Form, Error>;
    type SerializeMap = Impossible<Form, Error>;
    type SerializeStructVariant = Impossible<Form, Error>;

    form_of! {
        serialize_bool bool => Bool;
        serialize_u8 u8 => Unsigned;
        serialize_u16 u16 => Unsigned;
        serialize_u32 u32 => Unsigned;
        serialize_u64 u64 => Unsigned;
        serialize_u128 u128 => Unsigned;
        serialize_i8 i8 => Signed;
        serialize_i16 i16 => Signed;
        serialize_i32 i32 => Signed;
        serialize_i64 i64 => Signed;
        serialize_i128 i128 => Signed;
        serialize_f32 f32 => Float;
        serialize_f64 f64 => Float;
        serialize_char char => Text;
        serialize_str &str => Text;
        serialize_bytes &[u8] => Bytes;
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_none(self) -> Result<Form> {
        Ok(Form::Nothing)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Form> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Form> {
        Ok(Form::Nothing)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Form> {
        self.foreign()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Form> {
        self.serialize_newtype_variant(name, 0, variant, &())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<Form> {
        self.foreign()
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        mut self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        payload: &T,
    ) -> Result<Form> {
        if name != VALUE {
            return self.foreign();
        }
        if self.within != Kind::Overlong {
            self.depth.enter()?;
        }
        capture(variant, payload, self.depth).map(Form::Node)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Parts> {
        let capacity = len.unwrap_or_default().min(MOST_RESERVED);
        Ok(Parts { list: Vec::with_capacity(capacity), forms: self })
    }

    fn serialize_tuple(self, len: usize) -> Result<Parts> {
        self.serialize_seq(Some(len))
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Parts> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Impossible<Form, Error>> {
        self.foreign()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<Form, Error>> {
        self.foreign()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Impossible<Form, Error>> {
        self.foreign()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<Form, Error>> {
        self.foreign()
    }
}

/// A sequence, or the fields of a table, under construction.
struct Parts {
    list: Vec<Form>,
    forms: Forms,
}

impl Parts {
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.list.push(value.serialize(self.forms)?);
        Ok(())
    }
}

/// The traits whose items have no names.
macro_rules! parts_of {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Parts {
            type Ok = Form;
            type Error = Error;

            fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.push(value)
            }

            fn end(self) -> Result<Form> {
                Ok(Form::Parts(self.list))
            }
        }
    )*};
}

parts_of! { SerializeSeq SerializeTuple }

impl ser::SerializeStruct for Parts {
    type Ok = Form;
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, _: &'static str, value: &T) -> Result<()> {
        self.push(value)
    }

    fn end(self) -> Result<Form> {
        Ok(Form::Parts(self.list))
    }
}
