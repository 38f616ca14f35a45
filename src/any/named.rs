//! Whole types that their containers' names mark `any`. Knows how their parts come, does not know the
//! formats around them.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use serde_core::ser::{self, Serialize};

use crate::any::Limits;
use crate::any::pack::{AnyValue, Frame, Packer, Parts, pack_by};
use crate::error::{Error, Fault, Kind};
use crate::limits::{Depth, Height};

/// Where a value of a format goes, which may be a part in MessagePack.
pub(crate) trait Place<K>: Sized {
    /// What the format's serializer gives.
    type Ok;

    /// How deep the part may be.
    fn begin(&mut self) -> Result<Limits, Error<K>>;

    /// Writes the part, and passes as far in as that is high.
    fn put_part(self, part: &[u8], height: Height) -> Result<Self::Ok, Error<K>>;
}

/// Writes a value that comes as a whole.
#[cold]
#[inline(never)]
pub(crate) fn put<K: Kind, P: Place<K>>(
    mut place: P,
    write: impl FnOnce(&mut Packer<K>) -> Result<(), Error<K>>,
) -> Result<P::Ok, Error<K>> {
    let (part, height) = pack_by(place.begin()?, write)?;
    place.put_part(&part, height)
}

/// A value whose parts are being written: in the format's own way, or in MessagePack.
pub(crate) enum Named<C, K, P> {
    Plain(C),
    Packed(Box<Packing<K, P>>),
}

/// A value whose parts are being written in MessagePack.
pub(crate) struct Packing<K, P> {
    packer: Packer<K>,
    outer: Depth,
    frame: Frame,
    place: P,
}

impl<C: fmt::Debug, K, P> fmt::Debug for Named<C, K, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Named::Plain(parts) => parts.fmt(f),
            Named::Packed(_) => f.write_str("Packed"),
        }
    }
}

impl<K: Kind, P: Place<K>> Packing<K, P> {
    /// Begins a value.
    #[cold]
    #[inline(never)]
    fn new(
        mut place: P,
        begin: impl FnOnce(&mut Packer<K>) -> Result<Parts<'_, K>, Error<K>>,
    ) -> Result<Box<Self>, Error<K>> {
        let limits = place.begin()?;
        let mut packer = Packer::new(limits);
        let frame = begin(&mut packer)?.frame();
        Ok(Box::new(Packing { packer, outer: limits.depth, frame, place }))
    }

    #[cold]
    #[inline(never)]
    fn put(&mut self, value: &dyn AnyValue<K>) -> Result<(), Error<K>> {
        let mut parts = Parts::again(&mut self.packer, self.frame);
        let result = parts.put(value);
        self.frame = parts.frame();
        result
    }

    #[cold]
    #[inline(never)]
    fn put_field(&mut self, key: &'static str, value: &dyn AnyValue<K>) -> Result<(), Error<K>> {
        let mut parts = Parts::again(&mut self.packer, self.frame);
        let result = parts.put_field(key, value);
        self.frame = parts.frame();
        result
    }

    /// Completes the part, and gives it back with its place.
    #[cold]
    #[inline(never)]
    pub(crate) fn complete(self) -> Result<(P, Vec<u8>, Height), Error<K>> {
        let Packing { mut packer, outer, frame, place } = self;
        Parts::again(&mut packer, frame).finish()?;
        packer.finish(outer).map(|(part, height)| (place, part, height))
    }

    /// Completes the value.
    #[cold]
    #[inline(never)]
    fn finish(self) -> Result<P::Ok, Error<K>> {
        let (place, part, height) = self.complete()?;
        place.put_part(&part, height)
    }
}

impl<C, K: Kind, P: Place<K>> Named<C, K, P> {
    /// Begins a value with parts in MessagePack.
    #[cold]
    #[inline(never)]
    pub(crate) fn packed(
        place: P,
        begin: impl FnOnce(&mut Packer<K>) -> Result<Parts<'_, K>, Error<K>>,
    ) -> Result<Self, Error<K>> {
        Packing::new(place, begin).map(Named::Packed)
    }
}

impl<C, K, P> From<C> for Named<C, K, P> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from(parts: C) -> Self {
        Named::Plain(parts)
    }
}

/// How a value is completed: in its own way, or in MessagePack.
macro_rules! end {
    ($trait:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn end(self) -> Result<P::Ok, Error<K>> {
            match self {
                Named::Plain(parts) => ser::$trait::end(parts),
                Named::Packed(parts) => parts.finish(),
            }
        }
    };
}

/// Parts that have no name of their own: they are never in MessagePack here.
macro_rules! nameless {
    ($($trait:ident { $($method:ident)* })*) => {$(
        impl<C, K, P> ser::$trait for Named<C, K, P>
        where
            C: ser::$trait<Ok = P::Ok, Error = Error<K>>,
            K: Kind,
            P: Place<K>,
        {
            type Ok = P::Ok;
            type Error = Error<K>;

            $(#[inline]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
                match self {
                    Named::Plain(parts) => parts.$method(value),
                    Named::Packed(_) => Err(Error::placeless(Fault::Abandoned)),
                }
            })*

            end! { $trait }
        }
    )*};
}

nameless! {
    SerializeSeq { serialize_element }
    SerializeTuple { serialize_element }
    SerializeMap { serialize_key serialize_value }
}

macro_rules! slots {
    ($($trait:ident)*) => {$(
        impl<C, K, P> ser::$trait for Named<C, K, P>
        where
            C: ser::$trait<Ok = P::Ok, Error = Error<K>>,
            K: Kind,
            P: Place<K>,
        {
            type Ok = P::Ok;
            type Error = Error<K>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
                match self {
                    Named::Plain(parts) => parts.serialize_field(value),
                    Named::Packed(parts) => parts.put(&value),
                }
            }

            end! { $trait }
        }
    )*};
}

macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl<C, K, P> ser::$trait for Named<C, K, P>
        where
            C: ser::$trait<Ok = P::Ok, Error = Error<K>>,
            K: Kind,
            P: Place<K>,
        {
            type Ok = P::Ok;
            type Error = Error<K>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error<K>> {
                match self {
                    Named::Plain(parts) => parts.serialize_field(key, value),
                    Named::Packed(parts) => parts.put_field(key, &value),
                }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn skip_field(&mut self, key: &'static str) -> Result<(), Error<K>> {
                match self {
                    Named::Plain(parts) => parts.skip_field(key),
                    Named::Packed(_) => Ok(()),
                }
            }

            end! { $trait }
        }
    )*};
}

slots! { SerializeTupleStruct SerializeTupleVariant }

fields! { SerializeStruct SerializeStructVariant }
