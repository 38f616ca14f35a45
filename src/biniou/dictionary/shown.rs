//! The names in a value: a serializer that writes nothing and collects the names that the value shows.

use core::fmt;

use serde_core::ser::{self, Serialize};

use super::Dictionary;
use crate::biniou::raw::is_reserved;
use crate::biniou::{Error, Result};
use crate::limits::{DEFAULT_MAX_DEPTH, DepthMeter};

/// The names of the fields and variants in `value`.
pub(super) fn names<T: ?Sized + Serialize>(value: &T) -> Result<Dictionary> {
    let mut names = Dictionary::new();
    let mut depth = DepthMeter::new(DEFAULT_MAX_DEPTH);
    value.serialize(Shown { names: &mut names, depth: &mut depth })?;
    Ok(names)
}

/// A serializer for a value or a nested value.
struct Shown<'a> {
    names: &'a mut Dictionary,
    depth: &'a mut DepthMeter,
}

impl Shown<'_> {
    /// Looks at what is in the value.
    fn inside<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        let Shown { names, depth } = self;
        depth.enter()?;
        value.serialize(Shown { names, depth: &mut *depth })?;
        depth.leave();
        Ok(())
    }

    /// Enters nested values.
    fn parts(self) -> Result<Self> {
        self.depth.enter()?;
        Ok(self)
    }
}

macro_rules! nameless {
    ($($method:ident($($arg:ty),*))*) => {$(
        fn $method(self, $(_: $arg),*) -> Result<()> {
            Ok(())
        }
    )*};
}

macro_rules! parts {
    ($($method:ident($($arg:ty),*))*) => {$(
        fn $method(self, $(_: $arg),*) -> Result<Self> {
            self.parts()
        }
    )*};
}

impl ser::Serializer for Shown<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    nameless! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32)
        serialize_i64(i64) serialize_i128(i128) serialize_u8(u8) serialize_u16(u16)
        serialize_u32(u32) serialize_u64(u64) serialize_u128(u128) serialize_f32(f32)
        serialize_f64(f64) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_none() serialize_unit() serialize_unit_struct(&'static str)
    }

    parts! {
        serialize_seq(Option<usize>) serialize_tuple(usize) serialize_map(Option<usize>)
        serialize_tuple_struct(&'static str, usize) serialize_struct(&'static str, usize)
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.names.insert(variant)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        self.inside(value)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        // Bytes have only the hashes of names.
        match is_reserved(name) {
            true => Ok(()),
            false => self.inside(value),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.names.insert(variant)?;
        self.inside(value)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self> {
        self.names.insert(variant)?;
        self.parts()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self> {
        self.names.insert(variant)?;
        self.parts()
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl Shown<'_> {
    fn part<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        value.serialize(Shown { names: &mut *self.names, depth: &mut *self.depth })
    }

    fn end_parts(self) {
        self.depth.leave();
    }
}

macro_rules! of_items {
    ($($trait:ident $method:ident)*) => {$(
        impl ser::$trait for Shown<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.part(value)
            }

            fn end(self) -> Result<()> {
                self.end_parts();
                Ok(())
            }
        }
    )*};
}

of_items! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! of_fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Shown<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                self.names.insert(key)?;
                self.part(value)
            }

            fn end(self) -> Result<()> {
                self.end_parts();
                Ok(())
            }
        }
    )*};
}

of_fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Shown<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        self.part(key)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.part(value)
    }

    fn end(self) -> Result<()> {
        self.end_parts();
        Ok(())
    }
}
