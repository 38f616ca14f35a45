//! Writes embedded values with `rmp-serde`, and refuses those that would be read back as another value.
//!
//! `rmp-serde` writes a 128-bit integer as bytes, `Some(None)` as nil, and any count that a type announces; it does not
//! limit the depth. So each serializer of it has a [`Checked`] around it, and each value in it a [`Nested`].

use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use serde_core::ser::{self, Serialize, Serializer};

use super::Limits;
use crate::error::{CommonKind, Error, Kind, Segment};
use crate::glue::mark::ANY;
use crate::glue::refusing::refusing;
use crate::limits::{DepthMeter, Height};

/// The bytes of a marked value, and its height.
#[cold]
#[inline(never)]
pub(crate) fn pack_and_measure<T: ?Sized + Serialize, K: Kind>(
    value: &T,
    limits: Limits,
) -> Result<(Vec<u8>, Height), Error<K>> {
    let outer = DepthMeter::within(limits.depth, limits.max_depth);
    let state =
        State { depth: Cell::new(outer), is_nil: Cell::new(false), error: RefCell::new(None) };
    let mut bytes = Vec::new();
    value.serialize(Gate(&state, &mut bytes))?;
    Ok((bytes, state.depth.get().measured(outer)))
}

/// The bytes of a marked value.
pub(crate) fn pack<T: ?Sized + Serialize, K: Kind>(
    value: &T,
    limits: Limits,
) -> Result<Vec<u8>, Error<K>> {
    pack_and_measure(value, limits).map(|(bytes, _)| bytes)
}

/// Accepts a newtype struct of the mark's name and packs its value. It refuses everything else, so that nothing is
/// compiled for other types.
struct Gate<'a, K>(&'a State<K>, &'a mut Vec<u8>);

#[cold]
fn not_packed<K: Kind>() -> Error<K> {
    ser::Error::custom("the name `fourfold.any` is reserved for values that `with::any` marks")
}

impl<K: Kind> Serializer for Gate<'_, K> {
    refusing!(but newtype_struct, not_packed, Error<K>);

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error<K>> {
        if name != ANY {
            return Err(not_packed());
        }
        let Gate(state, bytes) = self;
        let mut inner = rmp_serde::Serializer::new(bytes).with_struct_map();
        let written = value.serialize(Checked { state, inner: &mut inner });
        match (written, state.error.take()) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(_)) => Err(Error::placeless(CommonKind::Abandoned)),
            (Err(_), Some(error)) => Err(error),
            (Err(error), None) => Err(ser::Error::custom(error)),
        }
    }
}

/// State shared by all serializers of an embedded value.
struct State<K> {
    /// How deep the next value may nest, and the height so far.
    depth: Cell<DepthMeter>,
    /// Whether the last value was written as nil.
    is_nil: Cell<bool>,
    error: RefCell<Option<Error<K>>>,
}

impl<K: Kind> State<K> {
    /// Records why a value is refused.
    #[cold]
    fn refuse<T, E: ser::Error>(&self, error: Error<K>) -> Result<T, E> {
        let refused = E::custom(&error);
        self.error.replace(Some(error));
        Err(refused)
    }

    /// Adds the step into the value that was refused.
    #[cold]
    fn trace<E: ser::Error>(&self, error: E, segment: Segment) -> E {
        let recorded = self.error.take();
        let inner = recorded.unwrap_or_else(|| ser::Error::custom(error.to_string()));
        self.error.replace(Some(inner.inside(segment)));
        error
    }

    fn change_depth<E: ser::Error>(
        &self,
        change: fn(&mut DepthMeter) -> Result<(), Error<K>>,
    ) -> Result<(), E> {
        let mut depth = self.depth.get();
        match change(&mut depth) {
            Ok(()) => {
                self.depth.set(depth);
                Ok(())
            }
            Err(error) => self.refuse(error),
        }
    }

    fn enter<E: ser::Error>(&self) -> Result<(), E> {
        self.change_depth(DepthMeter::enter)
    }

    fn wrap<E: ser::Error>(&self) -> Result<(), E> {
        self.change_depth(DepthMeter::wrap)
    }

    fn unwrap(&self) {
        let mut depth = self.depth.get();
        depth.unwrap();
        self.depth.set(depth);
    }

    /// Ends a value of so many levels, which is not nil.
    fn leave(&self, levels: u16) {
        let mut depth = self.depth.get();
        for _ in 0..levels {
            depth.leave();
        }
        self.depth.set(depth);
        self.is_nil.set(false);
    }

    /// MessagePack has lengths of 32 bits, which `rmp-serde` does not check.
    fn check_length<E: ser::Error>(&self, len: usize) -> Result<(), E> {
        match u32::try_from(len) {
            Ok(_) => Ok(()),
            Err(_) => self.unsupported("messagepack has lengths up to 4,294,967,295", None),
        }
    }

    #[cold]
    fn unsupported<T, E: ser::Error>(
        &self,
        reason: &'static str,
        hint: Option<&'static str>,
    ) -> Result<T, E> {
        self.refuse(Error::placeless(CommonKind::Unsupported { reason, hint }))
    }

    #[cold]
    fn wide<T, E: ser::Error>(&self) -> Result<T, E> {
        let reason = "an integer of more than 64 bits has no form in messagepack";
        self.unsupported(reason, Some("write it as text, or as `[u64; 2]`"))
    }
}

/// A value inside an embedded value.
struct Nested<'a, T: ?Sized, K> {
    state: &'a State<K>,
    value: &'a T,
}

impl<T: ?Sized + Serialize, K: Kind> Serialize for Nested<'_, T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Checked { state: self.state, inner: serializer })
    }
}

/// A serializer of `rmp-serde` whose values are checked.
struct Checked<'a, S, K> {
    state: &'a State<K>,
    inner: S,
}

impl<'a, S: Serializer, K: Kind> Checked<'a, S, K> {
    /// Begins a list of values or fields that takes so many levels.
    fn parts<C>(
        self,
        levels: u16,
        count: Option<usize>,
        begin: impl FnOnce(S) -> Result<C, S::Error>,
    ) -> Result<Parts<'a, C, K>, S::Error> {
        let Checked { state, inner } = self;
        state.check_length(count.unwrap_or(0))?;
        for _ in 0..levels {
            state.enter()?;
        }
        Ok(Parts {
            state,
            inner: begin(inner)?,
            levels,
            announced: count,
            given: 0,
            lacks_value: false,
        })
    }
}

macro_rules! leaves {
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
        fn $method(self, $($arg: $type),*) -> Result<S::Ok, S::Error> {
            self.state.is_nil.set(false);
            self.inner.$method($($arg),*)
        }
    )*};
}

impl<'a, S: Serializer, K: Kind> Serializer for Checked<'a, S, K> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Parts<'a, S::SerializeSeq, K>;
    type SerializeTuple = Parts<'a, S::SerializeTuple, K>;
    type SerializeTupleStruct = Parts<'a, S::SerializeTupleStruct, K>;
    type SerializeTupleVariant = Parts<'a, S::SerializeTupleVariant, K>;
    type SerializeMap = Parts<'a, S::SerializeMap, K>;
    type SerializeStruct = Parts<'a, S::SerializeStruct, K>;
    type SerializeStructVariant = Parts<'a, S::SerializeStructVariant, K>;

    leaves! {
        serialize_bool(v: bool) serialize_i8(v: i8) serialize_i16(v: i16) serialize_i32(v: i32)
        serialize_i64(v: i64) serialize_u8(v: u8) serialize_u16(v: u16) serialize_u32(v: u32)
        serialize_u64(v: u64) serialize_f32(v: f32) serialize_f64(v: f64) serialize_char(v: char)
        serialize_unit_struct(name: &'static str)
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str)
    }

    fn serialize_i128(self, v: i128) -> Result<S::Ok, S::Error> {
        match (u64::try_from(v), i64::try_from(v)) {
            (Ok(v), _) => self.serialize_u64(v),
            (_, Ok(v)) => self.serialize_i64(v),
            _ => self.state.wide(),
        }
    }

    fn serialize_u128(self, v: u128) -> Result<S::Ok, S::Error> {
        match u64::try_from(v) {
            Ok(v) => self.serialize_u64(v),
            Err(_) => self.state.wide(),
        }
    }

    fn serialize_str(self, v: &str) -> Result<S::Ok, S::Error> {
        self.state.check_length(v.len())?;
        self.state.is_nil.set(false);
        self.inner.serialize_str(v)
    }

    fn serialize_bytes(self, v: &[u8]) -> Result<S::Ok, S::Error> {
        self.state.check_length(v.len())?;
        self.state.is_nil.set(false);
        self.inner.serialize_bytes(v)
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.state.is_nil.set(true);
        self.inner.serialize_unit()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<S::Ok, S::Error> {
        let Checked { state, inner } = self;
        state.wrap()?;
        let written = inner.serialize_some(&Nested { state, value })?;
        state.unwrap();
        match state.is_nil.get() {
            false => Ok(written),
            true => state.unsupported(
                "`Some` of nothing is nil in messagepack, as `None` is",
                Some("use a tuple in the option, `Some((value,))`"),
            ),
        }
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let Checked { state, inner } = self;
        state.wrap()?;
        let written = inner.serialize_newtype_struct(name, &Nested { state, value })?;
        state.unwrap();
        Ok(written)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let Checked { state, inner } = self;
        state.enter()?;
        let value = Nested { state, value };
        let written = inner.serialize_newtype_variant(name, index, variant, &value)?;
        state.leave(1);
        Ok(written)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        self.parts(1, len, |inner| inner.serialize_seq(len))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        self.parts(1, Some(len), |inner| inner.serialize_tuple(len))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        self.parts(1, Some(len), |inner| inner.serialize_tuple_struct(name, len))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        self.parts(2, Some(len), |inner| inner.serialize_tuple_variant(name, index, variant, len))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        self.parts(1, len, |inner| inner.serialize_map(len))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        self.parts(1, Some(len), |inner| inner.serialize_struct(name, len))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        self.parts(2, Some(len), |inner| inner.serialize_struct_variant(name, index, variant, len))
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// Values or fields that follow one another.
struct Parts<'a, C, K> {
    state: &'a State<K>,
    inner: C,
    /// How many levels of depth the list takes.
    levels: u16,
    /// How many the type has announced, and how many there were.
    announced: Option<usize>,
    given: usize,
    /// Whether a key is without its value.
    lacks_value: bool,
}

impl<C, K: Kind> Parts<'_, C, K> {
    /// Begins one more value, and returns its index.
    fn begin(&mut self) -> usize {
        let index = self.given;
        self.given += 1;
        index
    }

    /// Ends the list.
    fn finish<T, E: ser::Error>(self, end: impl FnOnce(C) -> Result<T, E>) -> Result<T, E> {
        let Parts { state, inner, levels, announced, given, lacks_value } = self;
        match announced {
            _ if lacks_value => return state.refuse(wrong_count(given, given.saturating_add(1))),
            Some(expected) if expected != given => {
                return state.refuse(wrong_count(given, expected));
            }
            _ => {}
        }
        state.leave(levels);
        end(inner)
    }
}

macro_rules! items {
    ($($trait:ident $method:ident,)*) => {$(
        impl<C: ser::$trait, K: Kind> ser::$trait for Parts<'_, C, K> {
            type Ok = C::Ok;
            type Error = C::Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), C::Error> {
                let state = self.state;
                let index = self.begin();
                let written = self.inner.$method(&Nested { state, value });
                written.map_err(|error| state.trace(error, Segment::Index(index)))
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.finish(C::end)
            }
        }
    )*};
}

macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl<C: ser::$trait, K: Kind> ser::$trait for Parts<'_, C, K> {
            type Ok = C::Ok;
            type Error = C::Error;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), C::Error> {
                let state = self.state;
                self.begin();
                let written = self.inner.serialize_field(key, &Nested { state, value });
                written.map_err(|error| state.trace(error, Segment::Field(key.into())))
            }

            fn end(self) -> Result<C::Ok, C::Error> {
                self.finish(C::end)
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

fields! { SerializeStruct SerializeStructVariant }

impl<C: ser::SerializeMap, K: Kind> ser::SerializeMap for Parts<'_, C, K> {
    type Ok = C::Ok;
    type Error = C::Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), C::Error> {
        let (state, index) = (self.state, self.given);
        if core::mem::replace(&mut self.lacks_value, true) {
            return state.refuse(wrong_count(index, index.saturating_add(1)));
        }
        let written = self.inner.serialize_key(&Nested { state, value });
        written.map_err(|error| state.trace(error, Segment::Index(index)))
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), C::Error> {
        let state = self.state;
        let index = self.begin();
        if !core::mem::take(&mut self.lacks_value) {
            return state.refuse(wrong_count(index.saturating_add(1), index));
        }
        let written = self.inner.serialize_value(&Nested { state, value });
        written.map_err(|error| state.trace(error, Segment::Index(index)))
    }

    fn end(self) -> Result<C::Ok, C::Error> {
        self.finish(C::end)
    }
}

#[cold]
fn wrong_count<K: Kind>(found: usize, expected: usize) -> Error<K> {
    Error::placeless(CommonKind::PartCount { found, expected })
}
