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
use super::de::{Deserializer, EnumAccess, Request, for_each_request};
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
    fn visit(&mut self, found: Found<'_, 'de, K>) -> Result<(), Error<K>>;
}

/// A seed as an object, which keeps its value.
trait AnySeed<'de, K> {
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
    /// Borrowed, since code that drops it would be compiled for each visitor. A visitor takes it.
    String(&'a mut String),
    BorrowedBytes(&'de [u8]),
    /// The same.
    ByteBuf(&'a mut Vec<u8>),
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

/// Keeps a value that has been read, where none is kept yet. Not inlined, so that visitors and seeds of a type
/// share it, and what follows.
#[inline(never)]
fn keep<T, K>(kept: &mut Option<T>, value: Result<T, Error<K>>) -> Result<(), Error<K>> {
    match value {
        Ok(value) => {
            // Code to drop one that is never there would be compiled for each type.
            core::mem::forget(kept.replace(value));
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// The value that was kept, unless reading has failed.
#[inline(never)]
fn made<T, K: Kind>(read: Result<(), Error<K>>, kept: Option<T>) -> Result<T, Error<K>> {
    match read {
        Ok(()) => kept.ok_or_else(used_up),
        Err(error) => Err(error),
    }
}

/// The same of a part that need not be there.
#[inline(never)]
fn made_if_any<T, K>(read: Result<bool, Error<K>>, kept: Option<T>) -> Result<Option<T>, Error<K>> {
    match read {
        Ok(true) => Ok(kept),
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    }
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

/// A type of the user that is read, as an object: each time from the start.
pub(crate) trait AnyType<'de, K> {
    fn read(&mut self, value: Erased<'_, 'de, K>) -> Result<(), Error<K>>;
}

/// Such a type of the user.
pub(crate) type Read<'r, 'de, K> = dyn AnyType<'de, K> + 'r;

/// The last value that was read.
struct Last<T>(Option<T>);

impl<'de, K: Kind, T: serde::Deserialize<'de>> AnyType<'de, K> for Last<T> {
    fn read(&mut self, value: Erased<'_, 'de, K>) -> Result<(), Error<K>> {
        // That of the reading before.
        self.0 = None;
        keep(&mut self.0, T::deserialize(value))
    }
}

/// Reads a `T` by what reads anything, perhaps more than once: the last value counts.
pub(crate) fn value_by<'de, K: Kind, T: serde::Deserialize<'de>>(
    read: impl FnOnce(&mut Read<'_, 'de, K>) -> Result<(), Error<K>>,
) -> Result<T, Error<K>> {
    let mut value = Last(None);
    let read = read(&mut value);
    made(read, value.0)
}

/// What is asked once, and the answer.
struct Asked<F, T> {
    ask: Option<F>,
    answer: Option<T>,
}

impl<'de, K, F, T> AnyType<'de, K> for Asked<F, T>
where
    K: Kind,
    F: FnOnce(Erased<'_, 'de, K>) -> Result<T, Error<K>>,
{
    fn read(&mut self, value: Erased<'_, 'de, K>) -> Result<(), Error<K>> {
        let Some(ask) = self.ask.take() else { return Err(used_up()) };
        keep(&mut self.answer, ask(value))
    }
}

/// Asks once, as `ask` does, what reads anything.
pub(crate) fn answer_by<'de, K: Kind, T>(
    ask: impl FnOnce(Erased<'_, 'de, K>) -> Result<T, Error<K>>,
    read: impl FnOnce(&mut Read<'_, 'de, K>) -> Result<(), Error<K>>,
) -> Result<T, Error<K>> {
    let mut asked = Asked { ask: Some(ask), answer: None };
    let read = read(&mut asked);
    made(read, asked.answer)
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
    read.read(Erased(&mut Once::new(reader)))
}

/// A visitor or seed, and then the value that it has made.
///
/// It waits for what `A` allows, so nothing else of it is compiled. What else comes, it gets to see as serde's
/// visitors do what they do not expect.
struct Waiting<S, T, A> {
    source: Option<S>,
    value: Option<T>,
    allowed: PhantomData<A>,
}

impl<S, T, A> Waiting<S, T, A> {
    fn new(source: S, _: A) -> Self {
        Waiting { source: Some(source), value: None, allowed: PhantomData }
    }
}

impl<'de, K: Kind, V: serde::Visitor<'de>, A: Allowed> AnyVisitor<'de, K>
    for Waiting<V, V::Value, A>
{
    fn visit(&mut self, found: Found<'_, 'de, K>) -> Result<(), Error<K>> {
        let Some(visitor) = self.source.take() else { return Err(used_up()) };
        keep(&mut self.value, A::visit(visitor, found))
    }
}

/// The methods of a seed that reads from `$reader` where `$allowed` may come.
macro_rules! seeds {
    ($($allowed:ident from $reader:ident,)*) => {$(
        impl<'de, K: Kind, S: serde::DeserializeSeed<'de>> AnySeed<'de, K>
            for Waiting<S, S::Value, $allowed>
        {
            fn deserialize(
                &mut self,
                value: &mut dyn AnyDeserializer<'de, K>,
            ) -> Result<(), Error<K>> {
                let Some(seed) = self.source.take() else { return Err(used_up()) };
                keep(&mut self.value, seed.deserialize($reader(value)))
            }
        }
    )*};
}

seeds! { Everything from Erased, Names from Name, }

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
                let mut waiting = Waiting::new(visitor, allowed_by!($request $identifiers));
                let read = self.0.read(Request::$request($($arg),*), &mut waiting);
                made(read, waiting.value)
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
        let mut waiting = Waiting::new(seed, Everything);
        let read = self.0.next_element(&mut waiting);
        made_if_any(read, waiting.value)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

macro_rules! entries {
    ($($entries:ident by $keys:ident,)*) => {$(
        impl<'de, K: Kind> serde::MapAccess<'de> for $entries<'_, 'de, K> {
            type Error = Error<K>;

            #[inline(never)]
            fn next_key_seed<T: serde::DeserializeSeed<'de>>(
                &mut self,
                seed: T,
            ) -> Result<Option<T::Value>, Error<K>> {
                let mut waiting = Waiting::new(seed, $keys);
                let read = self.0.next_key(&mut waiting);
                made_if_any(read, waiting.value)
            }

            #[inline(never)]
            fn next_value_seed<T: serde::DeserializeSeed<'de>>(
                &mut self,
                seed: T,
            ) -> Result<T::Value, Error<K>> {
                let mut waiting = Waiting::new(seed, Everything);
                let read = self.0.next_value(&mut waiting);
                made(read, waiting.value)
            }

            fn size_hint(&self) -> Option<usize> {
                self.0.size_hint()
            }
        }
    )*};
}

entries! { Entries by Everything, NamedParts by Names, }

impl<'de, K: Kind> serde::EnumAccess<'de> for Variant<'_, 'de, K> {
    type Error = Error<K>;
    type Variant = Self;

    #[inline(never)]
    fn variant_seed<T: serde::DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self), Error<K>> {
        let mut waiting = Waiting::new(seed, Names);
        let read = self.0.variant(&mut waiting);
        made(read, waiting.value).map(|variant| (variant, self))
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
        let mut waiting = Waiting::new(seed, Everything);
        let read = self.0.newtype(&mut waiting);
        made(read, waiting.value)
    }

    fn tuple_variant<V: serde::Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        let mut waiting = Waiting::new(visitor, Sequences);
        let read = self.0.tuple(len, &mut waiting);
        made(read, waiting.value)
    }

    fn struct_variant<V: serde::Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        let mut waiting = Waiting::new(visitor, Fields);
        let read = self.0.structure(fields, &mut waiting);
        made(read, waiting.value)
    }
}
