//! A trait for all formats, for tests that apply to several of them.
//!
//! The root of a test binary lists the formats that it is compiled with:
//! `support::format::formats! { biniou Biniou, tsm Tsm }`.

use std::fmt::{self, Debug};
use std::io::{Read, Write};

use fourfold::{Category, Error, Kind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fixture::hex;

/// The result of a function of a format.
pub(crate) type Outcome<F, T> = Result<T, Error<<F as Format>::Kind>>;

/// The public functions that every format has.
pub(crate) trait Format: Debug + PartialEq + Sized + 'static {
    type Kind: Kind + Send + Sync;
    type Options: Options<Self>;

    const NAME: &'static str;

    fn to_vec<T: ?Sized + Serialize>(value: &T) -> Outcome<Self, Vec<u8>>;

    fn to_writer<T: ?Sized + Serialize>(writer: impl Write, value: &T) -> Outcome<Self, ()>;

    /// Writes with a `Serializer`.
    fn serialize<T: ?Sized + Serialize>(value: &T) -> Outcome<Self, Vec<u8>> {
        let mut bytes = Vec::new();
        Self::serialize_to(&mut bytes, value)?;
        Ok(bytes)
    }

    /// Writes with a `Serializer` to a writer.
    fn serialize_to<T: ?Sized + Serialize>(writer: impl Write, value: &T) -> Outcome<Self, ()>;

    fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<Self, T>;

    fn from_reader<T: DeserializeOwned>(reader: impl Read) -> Outcome<Self, T>;

    /// Reads with a `Deserializer`, which has to end with the bytes.
    fn deserialize<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<Self, T>;

    /// The same without a check for trailing bytes.
    fn deserialize_first<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<Self, T>;

    /// Reads the first of concatenated values, and returns the bytes after it. Not for Molecule.
    fn take_from_slice<'de, T: Deserialize<'de>>(
        bytes: &'de [u8],
    ) -> Outcome<Self, (T, &'de [u8])> {
        Self::from_slice(bytes).map(|value| (value, &[][..]))
    }

    fn options() -> Self::Options {
        Self::Options::default()
    }
}

/// The options that every format has, and the four functions with options.
#[allow(
    clippy::wrong_self_convention,
    reason = "the names are those of the formats' own functions"
)]
pub(crate) trait Options<F: Format>: Clone + Debug + Default {
    fn max_depth(self, levels: u16) -> Self;

    fn max_input(self, bytes: u64) -> Self;

    fn allow_trailing(self, yes: bool) -> Self;

    fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Outcome<F, Vec<u8>>;

    fn to_writer<T: ?Sized + Serialize>(&self, writer: impl Write, value: &T) -> Outcome<F, ()>;

    fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Outcome<F, T>;

    fn from_reader<T: DeserializeOwned>(&self, reader: impl Read) -> Outcome<F, T>;
}

/// A format whose values can be concatenated.
pub(crate) trait Chained: Format {
    /// Writes two values with one `Serializer`, the second one also if the first is refused.
    fn serialize_two<A: Serialize, B: Serialize>(
        writer: impl Write,
        first: &A,
        second: &B,
    ) -> [Outcome<Self, ()>; 2];

    /// Reads two values with one `Deserializer`. Calls `between` with the first before the second is read.
    fn deserialize_two<'de, A: Deserialize<'de>, B: Deserialize<'de>, R>(
        bytes: &'de [u8],
        between: impl FnOnce(A) -> R,
    ) -> Outcome<Self, (R, B)>;
}

/// The parts of an error that a user sees, for comparison.
#[derive(Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) text: String,
    pub(crate) category: Category,
}

impl<K: Kind> From<Error<K>> for Refusal {
    fn from(error: Error<K>) -> Self {
        Refusal { text: error.to_string(), category: error.category() }
    }
}

impl Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.category, self.text)
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct Biniou;

#[derive(Debug, PartialEq)]
pub(crate) struct Molecule;

#[derive(Debug, PartialEq)]
pub(crate) struct Primitiv;

#[derive(Debug, PartialEq)]
pub(crate) struct Tsm;

/// The formats that a test binary is compiled with.
macro_rules! formats {
    ($($module:ident $format:ident),*) => {$(
        const _: () = {
            use std::io::{Read, Write};

            use fourfold::$module;
            use serde::{Deserialize, Serialize, de::DeserializeOwned};
            use $crate::support::format::{Format, Options, Outcome, $format};

            impl Format for $format {
                type Kind = $module::ErrorKind;
                type Options = $module::Options;

                const NAME: &'static str = stringify!($module);

                fn to_vec<T: ?Sized + Serialize>(value: &T) -> $module::Result<Vec<u8>> {
                    $module::to_vec(value)
                }

                fn to_writer<T: ?Sized + Serialize>(
                    writer: impl Write,
                    value: &T,
                ) -> $module::Result<()> {
                    $module::to_writer(writer, value)
                }

                fn serialize_to<T: ?Sized + Serialize>(
                    writer: impl Write,
                    value: &T,
                ) -> $module::Result<()> {
                    value.serialize(&mut $module::Serializer::new(writer))?;
                    Ok(())
                }

                fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> $module::Result<T> {
                    $module::from_slice(bytes)
                }

                fn from_reader<T: DeserializeOwned>(reader: impl Read) -> $module::Result<T> {
                    $module::from_reader(reader)
                }

                fn deserialize<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> $module::Result<T> {
                    let mut deserializer = $module::Deserializer::from_slice(bytes);
                    let value = T::deserialize(&mut deserializer)?;
                    deserializer.end()?;
                    Ok(value)
                }

                fn deserialize_first<'de, T: Deserialize<'de>>(
                    bytes: &'de [u8],
                ) -> $module::Result<T> {
                    T::deserialize(&mut $module::Deserializer::from_slice(bytes))
                }

                $crate::support::format::formats!(@take_from_slice $module);
            }

            impl Options<$format> for $module::Options {
                fn max_depth(self, levels: u16) -> Self {
                    $module::Options::max_depth(self, levels)
                }

                fn max_input(self, bytes: u64) -> Self {
                    $module::Options::max_input(self, bytes)
                }

                fn allow_trailing(self, yes: bool) -> Self {
                    $module::Options::allow_trailing(self, yes)
                }

                fn to_vec<T: ?Sized + Serialize>(&self, value: &T) -> Outcome<$format, Vec<u8>> {
                    $module::Options::to_vec(self, value)
                }

                fn to_writer<T: ?Sized + Serialize>(
                    &self,
                    writer: impl Write,
                    value: &T,
                ) -> Outcome<$format, ()> {
                    $module::Options::to_writer(self, writer, value)
                }

                fn from_slice<'de, T: Deserialize<'de>>(
                    &self,
                    bytes: &'de [u8],
                ) -> Outcome<$format, T> {
                    $module::Options::from_slice(self, bytes)
                }

                fn from_reader<T: DeserializeOwned>(
                    &self,
                    reader: impl Read,
                ) -> Outcome<$format, T> {
                    $module::Options::from_reader(self, reader)
                }
            }

            $crate::support::format::formats!(@chained $module $format);
        };
    )*};
    (@take_from_slice molecule) => {};
    (@take_from_slice $module:ident) => {
        fn take_from_slice<'de, T: Deserialize<'de>>(
            bytes: &'de [u8],
        ) -> $module::Result<(T, &'de [u8])> {
            $module::take_from_slice(bytes)
        }
    };
    (@chained molecule $format:ident) => {};
    (@chained $module:ident $format:ident) => {
        impl $crate::support::format::Chained for $format {
            fn serialize_two<A: Serialize, B: Serialize>(
                writer: impl Write,
                first: &A,
                second: &B,
            ) -> [Outcome<$format, ()>; 2] {
                let mut serializer = $module::Serializer::new(writer);
                let first = first.serialize(&mut serializer).map(drop);
                [first, second.serialize(&mut serializer).map(drop)]
            }

            fn deserialize_two<'de, A: Deserialize<'de>, B: Deserialize<'de>, R>(
                bytes: &'de [u8],
                between: impl FnOnce(A) -> R,
            ) -> Outcome<$format, (R, B)> {
                let mut deserializer = $module::Deserializer::from_slice(bytes);
                let first = between(A::deserialize(&mut deserializer)?);
                let second = B::deserialize(&mut deserializer)?;
                deserializer.end().map(|()| (first, second))
            }
        }
    };
}
pub(crate) use formats;

/// Makes tests of functions that are generic over the format, in a module for each format: the test `biniou::depth` calls
/// `depth::<Biniou>()`. Uses all four formats, unless some are named.
macro_rules! for_formats {
    ([$($module:ident $format:ident),*] $tests:tt) => {$(
        $crate::support::format::for_formats! { @module $module $format $tests }
    )*};
    ({ $($test:ident)* }) => {
        $crate::support::format::for_formats! {
            [biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm] { $($test)* }
        }
    };
    (@module $module:ident $format:ident { $($test:ident)* }) => {
        mod $module {
            $(
                #[test]
                fn $test() {
                    super::$test::<$crate::support::format::$format>();
                }
            )*
        }
    };
}
pub(crate) use for_formats;

/// Asserts that a value survives each way of writing and reading.
#[track_caller]
pub(crate) fn both_ways<F: Format, T>(value: &T)
where
    T: Serialize + DeserializeOwned + Debug + PartialEq,
{
    let bytes = F::to_vec(value).unwrap();
    assert_written_alike::<F, T>(F::NAME, value, &bytes);
    assert_eq!(F::from_slice::<T>(&bytes).unwrap(), *value, "{}", F::NAME);
    assert_read_alike::<F, T>(F::NAME, value, &bytes);
}

/// Asserts that the other functions that write return the same bytes as `to_vec`.
#[track_caller]
pub(crate) fn assert_written_alike<F: Format, T>(name: &str, value: &T, bytes: &[u8])
where
    T: Serialize + Debug,
{
    let mut written = Vec::new();
    F::to_writer(&mut written, value).unwrap();
    assert_eq!(hex(&written), hex(bytes), "to_writer of {name} {value:?}");
    let written = F::serialize(value).unwrap();
    assert_eq!(hex(&written), hex(bytes), "Serializer of {name} {value:?}");
}

/// Asserts that the other functions that read return the same value as `from_slice`.
#[track_caller]
pub(crate) fn assert_read_alike<F: Format, T>(name: &str, value: &T, bytes: &[u8])
where
    T: DeserializeOwned + Debug + PartialEq,
{
    let shown = hex(bytes);
    let read = F::from_reader::<T>(bytes).unwrap();
    assert_eq!(read, *value, "from_reader of {name} {shown}");
    let read = F::deserialize::<T>(bytes)
        .unwrap_or_else(|error| panic!("Deserializer of {name} {shown}: {error}"));
    assert_eq!(read, *value, "Deserializer of {name} {shown}");
}
