//! A second, simple implementation of the layout, as a serializer without code of the crate. Both refuse the same values,
//! and write the same bytes.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt::Display;

/// Maximum number of items without bytes in a value.
pub(crate) const FREE_ITEMS: usize = 4096;

/// The bytes of a value, or the reason why it is refused.
pub(crate) fn bytes_of<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>, Refusal> {
    let mut model = Model { bytes: Vec::new(), free: 0 };
    value.serialize(&mut model)?;
    if model.free > FREE_ITEMS {
        return Err(Refusal(format!("{} items without bytes", model.free)));
    }
    Ok(model.bytes)
}

#[derive(Debug, PartialEq)]
pub(crate) struct Refusal(pub(crate) String);

impl Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl serde::ser::Error for Refusal {
    fn custom<T: Display>(message: T) -> Self {
        Refusal(message.to_string())
    }
}

type Written = Result<(), Refusal>;

struct Model {
    bytes: Vec<u8>,
    free: usize,
}

impl Model {
    fn put(&mut self, bytes: &[u8]) -> Written {
        self.bytes.extend(bytes);
        Ok(())
    }

    fn count(&mut self, count: usize) -> Written {
        let count = i32::try_from(count).map_err(|_| Refusal("a count".into()))?;
        self.put(&count.to_le_bytes())
    }

    fn items(&mut self, left: usize) -> Items<'_> {
        Items { start: self.bytes.len(), model: self, left, count_at: None }
    }
}

macro_rules! little_endian {
    ($($method:ident $type:ty,)*) => {$(
        fn $method(self, number: $type) -> Written {
            self.put(&number.to_le_bytes())
        }
    )*};
}

impl<'m> Serializer for &'m mut Model {
    type Ok = ();
    type Error = Refusal;
    type SerializeSeq = Items<'m>;
    type SerializeTuple = Items<'m>;
    type SerializeTupleStruct = Items<'m>;
    type SerializeTupleVariant = Items<'m>;
    type SerializeMap = Items<'m>;
    type SerializeStruct = Items<'m>;
    type SerializeStructVariant = Items<'m>;

    little_endian! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    fn serialize_bool(self, yes: bool) -> Written {
        self.put(&[u8::from(yes)])
    }

    fn serialize_char(self, character: char) -> Written {
        self.put(&u32::from(character).to_le_bytes())
    }

    fn serialize_str(self, text: &str) -> Written {
        self.serialize_bytes(text.as_bytes())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.count(bytes.len())?;
        self.put(bytes)
    }

    fn serialize_none(self) -> Written {
        self.put(&[0])
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Written {
        self.put(&[1])?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Written {
        self.put(&index.to_le_bytes())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Written {
        self.put(&index.to_le_bytes())?;
        value.serialize(self)
    }

    fn serialize_seq(self, count: Option<usize>) -> Result<Items<'m>, Refusal> {
        let count_at = self.bytes.len();
        self.count(count.unwrap_or(0))?;
        let mut items = self.items(count.unwrap_or(usize::MAX));
        items.count_at = count.is_none().then_some(count_at);
        Ok(items)
    }

    fn serialize_map(self, count: Option<usize>) -> Result<Items<'m>, Refusal> {
        self.serialize_seq(count)
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'m>, Refusal> {
        Ok(self.items(0))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'m>, Refusal> {
        Ok(self.items(0))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'m>, Refusal> {
        Ok(self.items(0))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Items<'m>, Refusal> {
        self.put(&index.to_le_bytes())?;
        Ok(self.items(0))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Items<'m>, Refusal> {
        self.put(&index.to_le_bytes())?;
        Ok(self.items(0))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Concatenated items or fields. `left` counts those of a sequence or map only.
struct Items<'m> {
    model: &'m mut Model,
    left: usize,
    /// The offset of the item.
    start: usize,
    /// The offset of a count that is still unknown.
    count_at: Option<usize>,
}

impl Items<'_> {
    fn begin(&mut self) -> Written {
        self.left =
            self.left.checked_sub(1).ok_or_else(|| Refusal("more than announced".into()))?;
        self.start = self.model.bytes.len();
        Ok(())
    }

    fn finish(&mut self) {
        self.model.free += usize::from(self.model.bytes.len() == self.start);
    }

    fn all(self) -> Written {
        if let Some(at) = self.count_at {
            let count = i32::try_from(usize::MAX - self.left).unwrap();
            self.model.bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
            return Ok(());
        }
        match self.left {
            0 => Ok(()),
            left => Err(Refusal(format!("{left} fewer than announced"))),
        }
    }
}

impl SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Refusal;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Written {
        self.begin()?;
        value.serialize(&mut *self.model)?;
        self.finish();
        Ok(())
    }

    fn end(self) -> Written {
        self.all()
    }
}

impl SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Refusal;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Written {
        // The names of a flattened struct's fields.
        if self.count_at.is_some() && size_of::<&T>() > size_of::<usize>() {
            return Err(Refusal("flattened".into()));
        }
        self.begin()?;
        key.serialize(&mut *self.model)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Written {
        value.serialize(&mut *self.model)?;
        self.finish();
        Ok(())
    }

    fn end(self) -> Written {
        self.all()
    }
}

/// Compound values without a count: fields in order, none may be skipped.
macro_rules! in_order {
    ($($trait:ident $method:ident)*) => {$(
        impl $trait for Items<'_> {
            type Ok = ();
            type Error = Refusal;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Written {
                value.serialize(&mut *self.model)
            }

            fn end(self) -> Written {
                Ok(())
            }
        }
    )*};
}

in_order! {
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! by_name {
    ($($trait:ident)*) => {$(
        impl $trait for Items<'_> {
            type Ok = ();
            type Error = Refusal;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                _: &'static str,
                value: &T,
            ) -> Written {
                value.serialize(&mut *self.model)
            }

            fn skip_field(&mut self, name: &'static str) -> Written {
                Err(Refusal(format!("{name} is skipped")))
            }

            fn end(self) -> Written {
                Ok(())
            }
        }
    )*};
}

by_name! { SerializeStruct SerializeStructVariant }
