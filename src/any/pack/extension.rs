//! Writes an ext of MessagePack: a tuple of its type and bytes, with a name that serde's other crates
//! use. Knows nothing else of MessagePack.

use rmp::Marker;
use serde_core::ser::{self, Serialize};

use super::Packer;
use super::header::{Headed, Header};
use crate::error::{Error, Kind};
use crate::glue::refusing::Never;

#[cold]
pub(super) fn no_extension<K: Kind>() -> Error<K> {
    ser::Error::custom("an ext of messagepack is an i8 and bytes")
}

/// Writes an ext.
pub(super) struct Extension<'a, K> {
    pub(super) packer: &'a mut Packer<K>,
    pub(super) tag: Option<i8>,
    pub(super) is_written: bool,
}

macro_rules! no_extension {
    ($($method:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $(_: $type),*) -> Result<$ok, Error<K>> {
            Err(no_extension())
        }
    )*};
}

impl<K: Kind> ser::Serializer for &mut Extension<'_, K> {
    type Ok = ();
    type Error = Error<K>;
    type SerializeSeq = Never<Error<K>>;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Never<Error<K>>;
    type SerializeTupleVariant = Never<Error<K>>;
    type SerializeMap = Never<Error<K>>;
    type SerializeStruct = Never<Error<K>>;
    type SerializeStructVariant = Never<Error<K>>;

    no_extension! {
        serialize_bool(bool) -> (); serialize_char(char) -> ();
        serialize_i16(i16) -> (); serialize_i32(i32) -> (); serialize_i64(i64) -> ();
        serialize_i128(i128) -> (); serialize_u8(u8) -> (); serialize_u16(u16) -> ();
        serialize_u32(u32) -> (); serialize_u64(u64) -> (); serialize_u128(u128) -> ();
        serialize_f32(f32) -> (); serialize_f64(f64) -> (); serialize_str(&str) -> ();
        serialize_none() -> (); serialize_unit() -> (); serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Never<Error<K>>;
        serialize_tuple_struct(&'static str, usize) -> Never<Error<K>>;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never<Error<K>>;
        serialize_map(Option<usize>) -> Never<Error<K>>;
        serialize_struct(&'static str, usize) -> Never<Error<K>>;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never<Error<K>>;
    }

    fn serialize_i8(self, value: i8) -> Result<(), Error<K>> {
        self.tag = Some(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error<K>> {
        let Some(tag) = self.tag.filter(|_| !self.is_written) else { return Err(no_extension()) };
        let marker = match value.len() {
            1 => Marker::FixExt1,
            2 => Marker::FixExt2,
            4 => Marker::FixExt4,
            8 => Marker::FixExt8,
            16 => Marker::FixExt16,
            0..0x100 => Marker::Ext8,
            0x100..0x1_0000 => Marker::Ext16,
            _ => Marker::Ext32,
        };
        // The count is that of a bin, behind another marker.
        let header = Header::new::<K>(Headed::Bin, value.len())?;
        let count = match marker {
            Marker::Ext8 | Marker::Ext16 | Marker::Ext32 => header.as_slice().get(1..),
            _ => None,
        };
        self.packer.put(marker, count.unwrap_or_default())?;
        self.packer.out.extend_from_slice(&tag.to_be_bytes());
        self.packer.out.extend_from_slice(value);
        self.is_written = true;
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), Error<K>> {
        Err(no_extension())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error<K>> {
        Err(no_extension())
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error<K>> {
        Err(no_extension())
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error<K>> {
        Ok(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<K: Kind> ser::SerializeTuple for &mut Extension<'_, K> {
    type Ok = ();
    type Error = Error<K>;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Error<K>> {
        Ok(())
    }
}
