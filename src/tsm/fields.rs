//! Reads the fields of documents: in order from this format, and by name from formats that have
//! names.

use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::tensor::memory::Memory;

/// `Type<'a> as Type<'de>, "what" = build; field: its type, read by a seed; ..`
///
/// `build` makes a `Result` from the fields. A seed may use the fields before its own.
macro_rules! read_fields {
    ($name:ident $(<$life:lifetime>)? as $value:ty, $what:literal = $build:expr;
        $($field:ident: $of:ty, $seed:expr;)*) => {
        impl<'de $(: $life, $life)?> serde_core::de::Deserialize<'de> for $name $(<$life>)? {
            #[inline]
            fn deserialize<D: serde_core::de::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                struct Fields;

                impl<'de> serde_core::de::Visitor<'de> for Fields {
                    type Value = $value;

                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str($what)
                    }

                    #[inline]
                    fn visit_seq<A: serde_core::de::SeqAccess<'de>>(
                        self,
                        mut fields: A,
                    ) -> Result<Self::Value, A::Error> {
                        use serde_core::de::Error as _;
                        $(let Some($field) = fields.next_element_seed($seed)? else {
                            return Err(A::Error::missing_field(stringify!($field)));
                        };)*
                        ($build)($($field),*).map_err(A::Error::custom)
                    }

                    fn visit_map<A: serde_core::de::MapAccess<'de>>(
                        self,
                        mut fields: A,
                    ) -> Result<Self::Value, A::Error> {
                        use serde_core::de::Error as _;
                        $(let mut $field: Option<$of> = None;)*
                        while let Some(name) = fields.next_key::<alloc::string::String>()? {
                            match name.as_str() {
                                $(stringify!($field) => {
                                    if $field.replace(fields.next_value()?).is_some() {
                                        return Err(A::Error::duplicate_field(stringify!($field)));
                                    }
                                })*
                                _ => drop(fields.next_value::<serde_core::de::IgnoredAny>()?),
                            }
                        }
                        $(let Some($field) = $field else {
                            return Err(A::Error::missing_field(stringify!($field)));
                        };)*
                        ($build)($($field),*).map_err(A::Error::custom)
                    }
                }

                const NAMES: &[&str] = &[$(stringify!($field)),*];
                deserializer.deserialize_struct(stringify!($name), NAMES, Fields)
            }
        }
    };
}

pub(super) use read_fields;

/// Bytes after their count.
#[derive(Debug)]
pub(super) struct Counted<'de>(pub(super) Memory<'de>);

impl<'de> Deserialize<'de> for Counted<'de> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(AnyBytes).map(Counted)
    }
}

impl<'de> From<Counted<'de>> for Memory<'de> {
    fn from(bytes: Counted<'de>) -> Self {
        bytes.0
    }
}

/// Writes bytes as one piece.
pub(super) struct AsBytes<'a>(pub(super) &'a [u8]);

impl Serialize for AsBytes<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Takes bytes in every shape in which formats hand them out.
struct AnyBytes;

impl<'de> Visitor<'de> for AnyBytes {
    type Value = Memory<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    #[inline]
    fn visit_borrowed_bytes<E: de::Error>(self, bytes: &'de [u8]) -> Result<Memory<'de>, E> {
        Ok(bytes.into())
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Memory<'de>, E> {
        Ok(bytes.to_vec().into())
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Memory<'de>, E> {
        Ok(bytes.into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Memory<'de>, E> {
        self.visit_bytes(text.as_bytes())
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Memory<'de>, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(bytes.into())
    }
}
