//! Marks, as every format makes them: a module for `with` and a wrapper, both of which put the
//! value into a newtype struct with a reserved name.

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};

/// Hands a newtype struct's inner value out.
pub(crate) struct Inner<T>(PhantomData<T>);

impl<T> Inner<T> {
    pub(crate) const fn new() -> Self {
        Inner(PhantomData)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Inner<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a marked value")
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }

    /// Some formats read a newtype struct as a sequence of one.
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        match items.next_element()? {
            Some(value) => Ok(value),
            None => Err(de::Error::invalid_length(0, &self)),
        }
    }
}

/// `docs; module Wrapper RESERVED_NAME;` for each mark.
macro_rules! marks {
    ($($(#[$doc:meta])* $module:ident $wrapper:ident $name:ident;)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

            /// Writes `value` under the mark.
            ///
            /// # Errors
            ///
            /// Those of the serializer.
            #[inline]
            pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
            where
                T: ?Sized + Serialize,
                S: Serializer,
            {
                serializer.serialize_newtype_struct(super::$name, value)
            }

            /// Reads a value under the mark.
            ///
            /// # Errors
            ///
            /// Those of the deserializer.
            #[inline]
            pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
            where
                T: Deserialize<'de>,
                D: Deserializer<'de>,
            {
                let inner = crate::macros::Inner::new();
                deserializer.deserialize_newtype_struct(super::$name, inner)
            }
        }

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $wrapper<T>(pub T);

        impl<T: serde_core::Serialize> serde_core::Serialize for $wrapper<T> {
            #[inline]
            fn serialize<S: serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $module::serialize(&self.0, serializer)
            }
        }

        impl<'de, T: serde_core::Deserialize<'de>> serde_core::Deserialize<'de> for $wrapper<T> {
            #[inline]
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $module::deserialize(deserializer).map($wrapper)
            }
        }
    )*};
}

pub(crate) use marks;
