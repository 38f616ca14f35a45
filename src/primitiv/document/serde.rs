//! Documents as serde types.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, Visitor};
use serde_core::ser::{Serialize, SerializeSeq, Serializer};

use super::pieces::Pieces;
use super::{DocumentKind, File, Model, Optimizer, Parameter, Shape, Tensor};
use crate::primitiv::{Error, Result};
use crate::read::Reader;

/// Passes the input to a document's visitor, which returns how many bytes it took. The visitor's
/// own error has neither kind nor offset, so the document is parsed again to find them.
///
/// A model that is `alone` may not be the first bytes of a file.
pub(in crate::primitiv) fn hand_over<'de, V: Visitor<'de>>(
    which: DocumentKind,
    reader: &mut Reader<'de>,
    lenient: bool,
    alone: Alone,
    visitor: V,
) -> Result<V::Value> {
    let start = *reader;
    if (which, alone) == (DocumentKind::Model, Alone::Yes) {
        Model::check_no_file_header(start, lenient)?;
    }
    visitor
        .visit_map(Loan { reader, lenient })
        .map_err(|error| which.error(start, lenient).unwrap_or(error))
}

/// Whether a document is all that is to be read, or nested in something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::primitiv) enum Alone {
    Yes,
    No,
}

/// As a map: one entry, the input and whether to be lenient; then the key [`Taken`].
struct Loan<'a, 'de> {
    reader: &'a mut Reader<'de>,
    lenient: bool,
}

impl<'de> de::MapAccess<'de> for Loan<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        seed.deserialize(LoanPart { reader: self.reader, lenient: self.lenient }).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(LoanPart { reader: self.reader, lenient: self.lenient })
    }
}

struct LoanPart<'a, 'de> {
    reader: &'a mut Reader<'de>,
    lenient: bool,
}

impl<'de> Deserializer<'de> for LoanPart<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    /// The rest of the input.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut ahead = *self.reader;
        visitor.visit_borrowed_bytes(ahead.take(ahead.left())?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_bool(self.lenient)
    }

    /// So many bytes are taken.
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.reader.take(len)?;
        visitor.visit_unit()
    }

    serde_core::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string byte_buf option unit
        unit_struct newtype_struct seq tuple_struct map struct enum identifier ignored_any
    }
}

/// Returns how many bytes a document has taken.
struct Taken(usize);

impl<'de> DeserializeSeed<'de> for Taken {
    type Value = IgnoredAny;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<IgnoredAny, D::Error> {
        deserializer.deserialize_tuple(self.0, IgnoredAny)
    }
}

/// Bytes from another format, which may not support byte strings.
struct Piece(Vec<u8>);

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(PieceVisitor)
    }
}

struct PieceVisitor;

impl<'de> Visitor<'de> for PieceVisitor {
    type Value = Piece;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Piece, E> {
        Ok(Piece(bytes.to_vec()))
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Piece, E> {
        Ok(Piece(bytes))
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Piece, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(Piece(bytes))
    }
}

/// One byte string of a document.
struct Borrowed<'a>(&'a [u8]);

impl Serialize for Borrowed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// The content of the newtype struct of a document.
struct Body<'a, T>(&'a T);

struct BodyVisitor<T>(PhantomData<T>);

/// For each document: its reserved name, its kind, its type with any lifetime, with one that the
/// input outlives, and with none.
macro_rules! documents {
    ($($name:literal $expecting:literal $type:ident ($any:ty) ($lived:ty) ($owned:ty),)*) => {$(
        impl Serialize for $any {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($name, &Body(self))
            }
        }

        impl Serialize for Body<'_, $any> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                // Some formats need the number of pieces beforehand.
                let custom = <S::Error as serde_core::ser::Error>::custom;
                let mut count = 0;
                let mut out = Pieces::new(
                    |_: &[u8]| {
                        count += 1;
                        Ok(())
                    },
                    custom,
                );
                self.0.put(&mut out)?;
                out.finish()?;
                let mut pieces = serializer.serialize_seq(Some(count))?;
                let mut out = Pieces::new(
                    |piece: &[u8]| pieces.serialize_element(&Borrowed(piece)),
                    custom,
                );
                self.0.put(&mut out)?;
                out.finish()?;
                pieces.end()
            }
        }

        impl<'de: 'a, 'a> Deserialize<'de> for $lived {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct($name, BodyVisitor::<$lived>(PhantomData))
            }
        }

        impl<'de: 'a, 'a> Visitor<'de> for BodyVisitor<$lived> {
            type Value = $lived;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($expecting)
            }

            /// This module's deserializer lends its input.
            fn visit_map<A: de::MapAccess<'de>>(self, mut loan: A) -> Result<$lived, A::Error> {
                let Some((input, lenient)) = loan.next_entry::<&'de [u8], bool>()? else {
                    return Err(de::Error::invalid_length(0, &self));
                };
                let mut reader = Reader::new(input, 0);
                let value = $type::take(&mut reader, lenient).map_err(de::Error::custom)?;
                loan.next_key_seed(Taken(reader.offset()))?;
                Ok(value)
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<$lived, D::Error> {
                deserializer.deserialize_seq(self)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut pieces: A) -> Result<$lived, A::Error> {
                let mut bytes = Vec::new();
                while let Some(Piece(piece)) = pieces.next_element()? {
                    bytes.extend_from_slice(&piece);
                }
                let mut reader = Reader::new(&bytes, 0);
                let value: $owned = $type::take(&mut reader, false)
                    .and_then(|value| reader.finish().map(|()| value))
                    .map_err(de::Error::custom)?
                    .into_owned();
                Ok(value)
            }
        }
    )*};
}

documents! {
    "fourfold.primitiv.File" "a primitiv file" File (File<'_>) (File<'a>) (File<'static>),
    "fourfold.primitiv.Shape" "a primitiv shape" Shape (Shape) (Shape) (Shape),
    "fourfold.primitiv.Tensor" "a primitiv tensor" Tensor (Tensor<'_>) (Tensor<'a>) (Tensor<'static>),
    "fourfold.primitiv.Parameter" "a primitiv parameter" Parameter (Parameter<'_>) (Parameter<'a>)
        (Parameter<'static>),
    "fourfold.primitiv.Model" "a primitiv model" Model (Model<'_>) (Model<'a>) (Model<'static>),
    "fourfold.primitiv.Optimizer" "a primitiv optimizer" Optimizer (Optimizer<'_>) (Optimizer<'a>)
        (Optimizer<'static>),
}
