//! The parts of a document's outermost value, of any kind. Does not know how parts are written.

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::entries::Entries;
use super::fields::{Fields, Table};
use super::marking::Plain;
use super::position::Written;
use super::sequence::Sequence;
use super::tuple::Tuple;
use crate::molecule::{Error, Result};
/// Parts of a value that several traits of serde complete.
trait Close<'a> {
    /// Completes the value and returns the encoder.
    fn close(self) -> Result<(&'a mut Encoder, Written)>;
}

macro_rules! close {
    ($($type:ty;)*) => {$(
        impl<'a> Close<'a> for $type {
            fn close(self) -> Result<(&'a mut Encoder, Written)> {
                self.close()
            }
        }
    )*};
}

close! { Entries<'a, Plain>; Sequence<'a, Plain>; Tuple<'a, Plain>; Fields<'a>; Table<'a>; }

macro_rules! compound {
    ($($kind:ident $type:ty;)*) => {
        /// An outermost value whose parts are being written.
        #[derive(Debug)]
        pub(super) enum Compound<'a> {
            $($kind($type),)*
        }

        $(impl<'a> From<$type> for Compound<'a> {
            fn from(parts: $type) -> Self {
                Compound::$kind(parts)
            }
        })*

        impl<'a> Compound<'a> {
            /// Completes the value and returns the encoder.
            pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
                match self {
                    $(Compound::$kind(parts) => Close::close(parts),)*
                }
            }
        }
    };
}

compound! {
    Entries Entries<'a, Plain>;
    Fields Fields<'a>;
    Table Table<'a>;
    Sequence Sequence<'a, Plain>;
    Tuple Tuple<'a, Plain>;
}

/// serde's traits of parts: each is used by one kind only.
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
    SerializeTupleStruct Fields { serialize_field<T>(value: &T); }
    SerializeTupleVariant Table { serialize_field<T>(value: &T); }
    SerializeStruct Fields {
        serialize_field<T>(key: &'static str, value: &T);
        skip_field(key: &'static str);
    }
    SerializeStructVariant Table {
        serialize_field<T>(key: &'static str, value: &T);
        skip_field(key: &'static str);
    }
    SerializeMap Entries { serialize_key<T>(key: &T); serialize_value<T>(value: &T); }
}
