//! Readers as trait objects, so that exact readers are compiled once, in this library. Knows serde, knows no
//! format.
//!
//! serde reads a user's type from an [`Erased`]. Its visitors and seeds go to the reader as trait objects,
//! and what the reader finds comes back as trait objects ([`reader`]). So a type costs one function for
//! each of its visitors and seeds, however long the reader is.

mod allowed;
mod reader;

use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use serde_core::de as serde;

use self::allowed::{
    Allowed, Everything, Fields, Maps, Names, Newtypes, Options, Sequences, Units, Variants,
};
use self::reader::EnumOnce;
use super::de::{Deserializer, EnumAccess, Request, Shape, for_each_request};
use crate::error::{Error, Fault, Kind};

/// A deserializer as an object.
trait AnyDeserializer<'de, K> {
    fn read(
        &mut self,
        request: Request,
        visitor: &mut dyn AnyVisitor<'de, K>,
    ) -> Result<(), Error<K>>;

    fn is_human_readable(&self) -> bool;
}

/// A visitor as an object, which keeps its value.
pub(crate) trait AnyVisitor<'de, K> {
    fn shape(&self) -> Shape;

    fn visit(&mut self, found: Found<'_, 'de, K>) -> Result<(), Error<K>>;
}

/// A seed as an object, which keeps its value.
trait AnySeed<'de, K> {
    fn shape(&self) -> Shape;

    fn deserialize(&mut self, value: &mut dyn AnyDeserializer<'de, K>) -> Result<(), Error<K>>;
}

/// Items as an object: whether there was one for the seed.
trait AnySeq<'de, K> {
    fn next_element(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<bool, Error<K>>;

    fn size_hint(&self) -> Option<usize>;
}

/// Entries as an object.
trait AnyMap<'de, K> {
    fn next_key(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<bool, Error<K>>;

    fn next_value(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<(), Error<K>>;

    fn size_hint(&self) -> Option<usize>;
}

/// A variant as an object: first its name, then one of the others.
trait AnyEnum<'de, K> {
    fn variant(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<(), Error<K>>;

    fn unit(&mut self) -> Result<(), Error<K>>;

    fn newtype(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<(), Error<K>>;

    fn tuple(&mut self, len: usize, visitor: &mut dyn AnyVisitor<'de, K>) -> Result<(), Error<K>>;

    fn structure(
        &mut self,
        fields: &'static [&'static str],
        visitor: &mut dyn AnyVisitor<'de, K>,
    ) -> Result<(), Error<K>>;
}

/// What a reader has found.
pub(crate) enum Found<'a, 'de, K> {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    I128(i128),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Str(&'a str),
    BorrowedStr(&'de str),
    String(String),
    BorrowedBytes(&'de [u8]),
    ByteBuf(Vec<u8>),
    None,
    Unit,
    Some(Erased<'a, 'de, K>),
    Newtype(Erased<'a, 'de, K>),
    Seq(Items<'a, 'de, K>),
    Map(Entries<'a, 'de, K>),
    Enum(Variant<'a, 'de, K>),
}

/// The error for a second use of what serde uses once. It never reaches a user.
#[cold]
#[inline(never)]
fn used_up<K: Kind>() -> Error<K> {
    Error::placeless(Fault::Abandoned)
}

/// A value that is taken once.
struct Once<T>(Option<T>);

impl<T> Once<T> {
    const fn new(value: T) -> Self {
        Once(Some(value))
    }

    fn take<K: Kind>(&mut self) -> Result<T, Error<K>> {
        self.0.take().ok_or_else(used_up)
    }
}

/// A value that is still to be read, for serde.
pub(crate) struct Erased<'a, 'de, K>(&'a mut dyn AnyDeserializer<'de, K>);

/// The name of a field or variant, for serde.
struct Name<'a, 'de, K>(&'a mut dyn AnyDeserializer<'de, K>);

/// The fields of a struct, for serde.
struct NamedParts<'a, 'de, K>(&'a mut dyn AnyMap<'de, K>);

/// Items, for serde.
pub(crate) struct Items<'a, 'de, K>(&'a mut dyn AnySeq<'de, K>);

/// Entries, for serde.
pub(crate) struct Entries<'a, 'de, K>(&'a mut dyn AnyMap<'de, K>);

/// A variant, for serde.
pub(crate) struct Variant<'a, 'de, K>(&'a mut dyn AnyEnum<'de, K>);

/// How a type of the user is read, as an object: each time from the start.
pub(crate) type Read<'r, 'de, K> = dyn FnMut(Erased<'_, 'de, K>) -> Result<(), Error<K>> + 'r;

/// Reads a `T` by what reads anything, perhaps more than once: the last value counts.
pub(crate) fn value_by<'de, K: Kind, T: serde::Deserialize<'de>>(
    read: impl FnOnce(&mut Read<'_, 'de, K>) -> Result<(), Error<K>>,
) -> Result<T, Error<K>> {
    let mut value = None;
    read(&mut |reader| {
        value = Some(T::deserialize(reader)?);
        Ok(())
    })?;
    value.ok_or_else(used_up)
}

/// Asks once, as `ask` does, what reads anything.
pub(crate) fn answer_by<'de, K: Kind, T>(
    ask: impl FnOnce(Erased<'_, 'de, K>) -> Result<T, Error<K>>,
    read: impl FnOnce(&mut Read<'_, 'de, K>) -> Result<(), Error<K>>,
) -> Result<T, Error<K>> {
    let (mut ask, mut value) = (Once::new(ask), None);
    read(&mut |reader| {
        value = Some(ask.take()?(reader)?);
        Ok(())
    })?;
    value.ok_or_else(used_up)
}

/// Hands a variant to a visitor of serde's.
pub(crate) fn visit_enum<'de, K: Kind, A: EnumAccess<'de, Error = Error<K>>, V>(
    variant: A,
    visitor: V,
) -> Result<V::Value, Error<K>>
where
    V: serde::Visitor<'de>,
{
    visitor.visit_enum(Variant(&mut EnumOnce::Access(variant)))
}

/// Has `read` read through `reader`.
pub(crate) fn read_by<'de, K: Kind, D: Deserializer<'de, Error = Error<K>>>(
    reader: D,
    read: &mut Read<'_, 'de, K>,
) -> Result<(), Error<K>> {
    read(Erased(&mut Once::new(reader)))
}

/// What takes a value, and then the value.
enum Taking<S, T> {
    From(S),
    Made(T),
    Used,
}

impl<S, T> Taking<S, T> {
    /// Makes the value, once.
    #[inline]
    fn make<K: Kind>(
        &mut self,
        make: impl FnOnce(S) -> Result<T, Error<K>>,
    ) -> Result<(), Error<K>> {
        let Taking::From(source) = core::mem::replace(self, Taking::Used) else {
            return Err(used_up());
        };
        *self = Taking::Made(make(source)?);
        Ok(())
    }

    #[inline]
    fn made<K: Kind>(self) -> Result<T, Error<K>> {
        match self {
            Taking::Made(value) => Ok(value),
            Taking::From(_) | Taking::Used => Err(used_up()),
        }
    }
}

/// A visitor that waits for what a request allows: so nothing else of it is compiled. The rest it gets to see
/// as serde's visitors do what they do not expect.
struct Waiting<V, T, A> {
    taking: Taking<V, T>,
    allowed: PhantomData<fn() -> A>,
}

impl<'de, K: Kind, V: serde::Visitor<'de>, A: Allowed> AnyVisitor<'de, K>
    for Waiting<V, V::Value, A>
{
    fn shape(&self) -> Shape {
        const { Shape::of::<V::Value>() }
    }

    fn visit(&mut self, found: Found<'_, 'de, K>) -> Result<(), Error<K>> {
        self.taking.make(|visitor| A::visit(visitor, found))
    }
}

/// Has `read` hand `visitor` what it waits for.
fn take<'de, K: Kind, V: serde::Visitor<'de>, A: Allowed>(
    visitor: V,
    _: A,
    read: impl FnOnce(&mut dyn AnyVisitor<'de, K>) -> Result<(), Error<K>>,
) -> Result<V::Value, Error<K>> {
    let mut waiting: Waiting<V, V::Value, A> =
        Waiting { taking: Taking::From(visitor), allowed: PhantomData };
    read(&mut waiting)?;
    waiting.taking.made()
}

/// The seed of a name.
struct Naming<S, T>(Taking<S, T>);

impl<'de, K: Kind, S: serde::DeserializeSeed<'de>> AnySeed<'de, K> for Naming<S, S::Value> {
    fn shape(&self) -> Shape {
        const { Shape::of::<S::Value>() }
    }

    fn deserialize(&mut self, value: &mut dyn AnyDeserializer<'de, K>) -> Result<(), Error<K>> {
        self.0.make(|seed| seed.deserialize(Name(value)))
    }
}

impl<'de, K: Kind, S: serde::DeserializeSeed<'de>> AnySeed<'de, K> for Taking<S, S::Value> {
    fn shape(&self) -> Shape {
        const { Shape::of::<S::Value>() }
    }

    fn deserialize(&mut self, value: &mut dyn AnyDeserializer<'de, K>) -> Result<(), Error<K>> {
        self.make(|seed| seed.deserialize(Erased(value)))
    }
}

/// What a request allows.
macro_rules! allowed_by {
    (Identifier $identifiers:ident) => {
        $identifiers
    };
    (Option $_:ident) => {
        Options
    };
    (Unit $_:ident) => {
        Units
    };
    (UnitStruct $_:ident) => {
        Units
    };
    (NewtypeStruct $_:ident) => {
        Newtypes
    };
    (Seq $_:ident) => {
        Sequences
    };
    (Tuple $_:ident) => {
        Sequences
    };
    (TupleStruct $_:ident) => {
        Sequences
    };
    (Map $_:ident) => {
        Maps
    };
    (Struct $_:ident) => {
        Fields
    };
    (Enum $_:ident) => {
        Variants
    };
    ($_:ident $__:ident) => {
        Everything
    };
}

macro_rules! reader {
    ($reader:ident $identifiers:ident:
        $($method:ident($($arg:ident: $type:ty),*) $request:ident)*
    ) => {
        impl<'de, K: Kind> serde::Deserializer<'de> for $reader<'_, 'de, K> {
            type Error = Error<K>;

            $(fn $method<V: serde::Visitor<'de>>(
                self,
                $($arg: $type,)*
                visitor: V,
            ) -> Result<V::Value, Error<K>> {
                take(visitor, allowed_by!($request $identifiers), |visitor| {
                    self.0.read(Request::$request($($arg),*), visitor)
                })
            })*

            fn is_human_readable(&self) -> bool {
                self.0.is_human_readable()
            }
        }
    };
}

for_each_request!(reader, Erased Everything:);
for_each_request!(reader, Name Names:);

/// serde's methods of a deserializer that users see, by one of its own that reads anything.
macro_rules! forward {
    ($read:ident: $($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        fn $method<V: serde_core::de::Visitor<'de>>(
            self,
            $($arg: $type,)*
            visitor: V,
        ) -> Result<V::Value> {
            $crate::glue::erased::answer_by(
                |reader| reader.$method($($arg,)* visitor),
                |read| self.$read(read),
            )
        }
    )*};
}
pub(crate) use forward;

impl<'de, K: Kind> serde::SeqAccess<'de> for Items<'_, 'de, K> {
    type Error = Error<K>;

    #[inline(never)]
    fn next_element_seed<T: serde::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error<K>> {
        let mut taking = Taking::From(seed);
        match self.0.next_element(&mut taking)? {
            true => taking.made().map(Some),
            false => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

macro_rules! entries {
    ($($entries:ident $key:expr, $made:expr;)*) => {$(
        impl<'de, K: Kind> serde::MapAccess<'de> for $entries<'_, 'de, K> {
            type Error = Error<K>;

            #[inline(never)]
            fn next_key_seed<T: serde::DeserializeSeed<'de>>(
                &mut self,
                seed: T,
            ) -> Result<Option<T::Value>, Error<K>> {
                let mut key = $key(Taking::From(seed));
                match self.0.next_key(&mut key)? {
                    true => $made(key).made().map(Some),
                    false => Ok(None),
                }
            }

            #[inline(never)]
            fn next_value_seed<T: serde::DeserializeSeed<'de>>(
                &mut self,
                seed: T,
            ) -> Result<T::Value, Error<K>> {
                let mut taking = Taking::From(seed);
                self.0.next_value(&mut taking)?;
                taking.made()
            }

            fn size_hint(&self) -> Option<usize> {
                self.0.size_hint()
            }
        }
    )*};
}

entries! {
    Entries core::convert::identity, core::convert::identity;
    NamedParts Naming, |Naming(taking)| taking;
}

impl<'de, K: Kind> serde::EnumAccess<'de> for Variant<'_, 'de, K> {
    type Error = Error<K>;
    type Variant = Self;

    #[inline(never)]
    fn variant_seed<T: serde::DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self), Error<K>> {
        let mut naming = Naming(Taking::From(seed));
        self.0.variant(&mut naming)?;
        naming.0.made().map(|variant| (variant, self))
    }
}

impl<'de, K: Kind> serde::VariantAccess<'de> for Variant<'_, 'de, K> {
    type Error = Error<K>;

    fn unit_variant(self) -> Result<(), Error<K>> {
        self.0.unit()
    }

    #[inline(never)]
    fn newtype_variant_seed<T: serde::DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, Error<K>> {
        let mut taking = Taking::From(seed);
        self.0.newtype(&mut taking)?;
        taking.made()
    }

    fn tuple_variant<V: serde::Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        take(visitor, Sequences, |visitor| self.0.tuple(len, visitor))
    }

    fn struct_variant<V: serde::Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        take(visitor, Fields, |visitor| self.0.structure(fields, visitor))
    }
}
