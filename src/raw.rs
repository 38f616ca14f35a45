//! Lazy values: kept as bytes, and read later or not at all.

mod handed;
mod lazy;
mod list;
mod owned;
mod written;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

pub(crate) use self::handed::{deserialize as part_of, hand_over};
pub use self::lazy::Lazy;
pub(crate) use self::list::sealed::ListFormat;
pub use self::list::{Items, List};
pub use self::owned::OwnedRaw;
pub(crate) use self::written::{
    Bytes, Emit, bytes_of, no_raw, pieces_of, serialize as write_part, serialize_part, take_part,
};
use crate::error::{Error, Kind};
use crate::limits::Depth;

/// The bytes of one value, as they are in the message.
///
/// It can be a field, an item, a map value, the content of an option or a variant, or the whole message.
/// Reading keeps the bytes and checks them as far as the format allows without a type, writing copies them.
/// [`get`](Raw::get) reads the value. `Raw` borrows from the input; use [`OwnedRaw`] in types that own their
/// data. Other formats refuse it in both directions.
///
/// Two are equal if their bytes are.
///
/// Each format has its own: see `Raw` in its module.
#[repr(align(16))]
pub struct Raw<'a, K> {
    bytes: Cow<'a, [u8]>,
    origin: Origin,
    format: PhantomData<fn() -> K>,
}

/// Where a lazy value was found, and how its message is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Offset of the value in the whole message.
    pub(crate) offset: usize,
    pub(crate) settings: Settings,
}

/// The options that the value is read with, and its maximum depth: a number, since it is passed through serde.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whatever else the format has for options.
    pub(crate) flags: u16,
    pub(crate) depth: Depth,
    pub(crate) max_depth: u16,
}

impl Settings {
    const fn to_number(self) -> u64 {
        let Settings { flags, depth: Depth { levels, wrappers }, max_depth } = self;
        let ([a, b], [c, d]) = (flags.to_le_bytes(), levels.to_le_bytes());
        let ([e, f], [g, h]) = (wrappers.to_le_bytes(), max_depth.to_le_bytes());
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    const fn from_number(number: u64) -> Self {
        let [a, b, c, d, e, f, g, h] = number.to_le_bytes();
        let depth =
            Depth { levels: u16::from_le_bytes([c, d]), wrappers: u16::from_le_bytes([e, f]) };
        Settings { flags: u16::from_le_bytes([a, b]), depth, max_depth: u16::from_le_bytes([g, h]) }
    }
}

/// Bytes of a value, and where they were found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'de> {
    pub(crate) bytes: &'de [u8],
    /// Offset in the whole message.
    pub(crate) offset: usize,
    pub(crate) settings: Settings,
}

/// A format whose values have bytes of their own.
///
/// Only the formats here have it.
pub trait RawFormat: Kind + sealed::RawFormat {}

impl<K: Kind + sealed::RawFormat> RawFormat for K {}

pub(crate) mod sealed {
    use super::*;

    pub trait RawFormat: Sized {
        /// The reserved name under which serde passes a lazy value.
        const NAME: &'static str;

        /// What errors call the format.
        const FORMAT: &'static str;

        /// The settings of the default options.
        fn settings() -> Settings;

        /// The bytes of a value.
        fn write<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>, Error<Self>>;

        /// All bytes of a value, including those stored elsewhere in the message.
        fn whole<'a>(bytes: &'a [u8], settings: &mut Settings) -> Cow<'a, [u8]> {
            let _ = settings;
            Cow::Borrowed(bytes)
        }

        /// Reads the value. Its error has its offset in the whole message, and a path that begins at the value.
        fn read<'de, T: Deserialize<'de>>(part: Found<'de>) -> Result<T, Error<Self>>;
    }
}

impl<'a, K: RawFormat> Raw<'a, K> {
    /// The bytes of `value`, as `to_vec` writes them.
    ///
    /// # Errors
    ///
    /// Those of `to_vec`.
    pub fn of<T: ?Sized + Serialize>(value: &T) -> Result<Self, Error<K>> {
        let origin = Origin { offset: 0, settings: K::settings() };
        Ok(Raw { bytes: Cow::Owned(K::write(value)?), origin, format: PhantomData })
    }

    fn found(part: Found<'a>) -> Self {
        let Found { bytes, offset, mut settings } = part;
        let bytes = K::whole(bytes, &mut settings);
        Raw { bytes, origin: Origin { offset, settings }, format: PhantomData }
    }

    fn part(&self) -> Found<'_> {
        let Origin { offset, settings } = self.origin;
        Found { bytes: &self.bytes, offset, settings }
    }

    /// The bytes of the value.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The offset in the message that the value was read from; 0 if it was not read.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.origin.offset
    }

    /// Reads the value, which may borrow from the bytes.
    ///
    /// # Errors
    ///
    /// The same errors as reading the whole message: with the offset in the message, and a path that begins at
    /// this value.
    pub fn get<'s, T: Deserialize<'s>>(&'s self) -> Result<T, Error<K>> {
        K::read(self.part())
    }

    /// The same bytes, to be read as a `T`.
    #[must_use]
    pub fn lazy<T>(&self) -> Lazy<'_, T, K> {
        Lazy::found(self.part())
    }

    /// An owned copy of the bytes.
    #[must_use]
    pub fn into_owned(self) -> Raw<'static, K> {
        let bytes = Cow::Owned(self.bytes.into_owned());
        Raw { bytes, origin: self.origin, format: PhantomData }
    }
}

impl<K> Clone for Raw<'_, K> {
    fn clone(&self) -> Self {
        Raw { bytes: self.bytes.clone(), origin: self.origin, format: PhantomData }
    }
}

impl<K> fmt::Debug for Raw<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Raw").field(&self.bytes).finish()
    }
}

impl<K> PartialEq for Raw<'_, K> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<K> Eq for Raw<'_, K> {}

impl<K> Hash for Raw<'_, K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl<K> AsRef<[u8]> for Raw<'_, K> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<K: RawFormat> Serialize for Raw<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        written::serialize(K::FORMAT, K::NAME, &self.bytes, serializer)
    }
}

impl<'de: 'a, 'a, K: RawFormat> Deserialize<'de> for Raw<'a, K> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        handed::deserialize(K::FORMAT, K::NAME, deserializer).map(Raw::found)
    }
}

/// Whether a newtype struct of this name is a lazy value, of any format.
#[must_use]
pub fn is_lazy(name: &str) -> bool {
    let name = name.strip_prefix("fourfold.").unwrap_or_default();
    matches!(name.split_once('.'), Some((_, "lazy" | "list" | "value")))
}

/// A lazy value of no bytes, for a `Deserializer` that has no input: what it passes to `visit_enum` where a newtype struct
/// [`is_lazy`].
pub fn empty_lazy<'de, E: serde_core::de::Error>() -> impl serde_core::de::EnumAccess<'de, Error = E>
{
    let depth = Depth { levels: 0, wrappers: 0 };
    let settings = Settings { flags: 0, depth, max_depth: 0 };
    hand_over(Found { bytes: &[], offset: 0, settings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_pass_through_a_number() {
        let depth = Depth { levels: 0x1234, wrappers: 0xfedc };
        let settings = Settings { flags: 0xa55a, depth, max_depth: 7 };
        assert_eq!(Settings::from_number(settings.to_number()), settings);
    }
}
