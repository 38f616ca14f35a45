//! The parts of a document's outermost value, whichever they are.

use serde_core::ser::{self, Serialize};

use super::encoder::{Encoder, Named, Written};
use super::entries::Entries;
use super::sequence::Sequence;
use super::tuple::Tuple;
use crate::molecule::{Error, Result};

macro_rules! compound {
    ($($kind:ident)*) => {
        /// An outermost value whose parts are being written.
        #[derive(Debug)]
        pub(super) enum Compound<'a> {
            $($kind($kind<'a>),)*
        }

        $(impl<'a> From<$kind<'a>> for Compound<'a> {
            fn from(parts: $kind<'a>) -> Self {
                Compound::$kind(parts)
            }
        })*

        impl<'a> Compound<'a> {
            /// Completes the value and gives the encoder back.
            pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
                match self {
                    $(Compound::$kind(parts) => parts.close(),)*
                }
            }
        }
    };
}

compound! { Entries Named Sequence Tuple }

/// serde's traits of parts: each has one kind, and the others never meet it.
macro_rules! parts {
    ($($trait:ident $kind:ident {
        $($method:ident $(<$type:ident>)? ($($arg:ident: $arg_type:ty),*);)*
    })*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Written;
            type Error = Error;

            $(fn $method $(<$type: ?Sized + Serialize>)? (
                &mut self,
                $($arg: $arg_type),*
            ) -> Result<()> {
                match self {
                    Compound::$kind(parts) => ser::$trait::$method(parts, $($arg),*),
                    _ => Ok(()),
                }
            })*

            fn end(self) -> Result<Written> {
                self.close().map(|(_, written)| written)
            }
        }
    )*};
}

parts! {
    SerializeSeq Sequence { serialize_element<T>(value: &T); }
    SerializeTuple Tuple { serialize_element<T>(value: &T); }
    SerializeTupleStruct Named { serialize_field<T>(value: &T); }
    SerializeTupleVariant Named { serialize_field<T>(value: &T); }
    SerializeStruct Named {
        serialize_field<T>(key: &'static str, value: &T);
        skip_field(key: &'static str);
    }
    SerializeStructVariant Named {
        serialize_field<T>(key: &'static str, value: &T);
        skip_field(key: &'static str);
    }
    SerializeMap Entries { serialize_key<T>(key: &T); serialize_value<T>(value: &T); }
}
