//! Macros for the public serializers in the `ser.rs` of each format. They define what is passed to a
//! stream's writer, and what is not after an error.
//!
//! `document_serializer!()` builds a message in memory and passes it to the writer when it is complete.
//! It needs in scope: `Serializer<W>` with the fields `writer` and `encoder`; `root`, which begins a
//! message and returns the serializer of its outermost value; `Compound` with `From` for compound
//! serializers; `Compound::close`; `write_document`.
//!
//! `stream_serializer!()` writes directly to a writer. It needs in scope: `Serializer<W>` with the field
//! `encoder`, whose `begin_value` returns the serializer of a value; `Stream<W>`; and `Named` with `From`
//! for compound serializers.

#[cfg(feature = "std")]
use std::io::{BufWriter, Write as _};

#[cfg(feature = "std")]
use crate::error::{CommonKind, Error, Kind};

/// Lets `write` write a value whose small pieces are gathered for `writer`. After an error, those that are
/// still here make no value, so that they are forgotten.
#[cfg(feature = "std")]
pub(crate) fn gathered<W: std::io::Write, K: Kind>(
    writer: W,
    write: impl FnOnce(&mut BufWriter<W>) -> Result<(), Error<K>>,
) -> Result<(), Error<K>> {
    let mut gathered = BufWriter::new(writer);
    let written = write(&mut gathered)
        .and_then(|()| gathered.flush().map_err(|error| Error::placeless(CommonKind::Io(error))));
    drop(gathered.into_parts());
    written
}

/// Methods of the outermost value, by their arguments: a plain value, one around another value, or a compound value.
macro_rules! document_methods {
    ($(of $of:ident($($of_value:ident: $of_type:ty),*))*
     $(around $around:ident($($around_value:ident: $around_type:ty),*))*
     $(with $with:ident($($with_value:ident: $with_type:ty),*) $compound:ident)*) => {
        $(fn $of(self, $($of_value: $of_type),*) -> Result<()> {
            let done = root(&mut self.encoder).$of($($of_value),*)?;
            write_document(&mut self.writer, &mut self.encoder, done)
        })*
        $(fn $around<T: ?Sized + Serialize>(
            self,
            $($around_value: $around_type,)*
            inner: &T,
        ) -> Result<()> {
            let done = root(&mut self.encoder).$around($($around_value,)* inner)?;
            write_document(&mut self.writer, &mut self.encoder, done)
        })*
        $(fn $with(self, $($with_value: $with_type),*) -> Result<Self::$compound> {
            let compound = root(&mut self.encoder).$with($($with_value),*)?;
            Ok(Document { writer: &mut self.writer, compound: compound.into() })
        })*
    };
}

/// The same of a value that is written forward.
macro_rules! stream_methods {
    ($(of $of:ident($($of_value:ident: $of_type:ty),*))*
     $(around $around:ident($($around_value:ident: $around_type:ty),*))*
     $(with $with:ident($($with_value:ident: $with_type:ty),*) $compound:ident)*) => {
        $(#[inline]
        fn $of(self, $($of_value: $of_type),*) -> Result<()> {
            self.encoder.begin_value().$of($($of_value),*).map(drop)
        })*
        $(#[inline]
        fn $around<T: ?Sized + Serialize>(
            self,
            $($around_value: $around_type,)*
            inner: &T,
        ) -> Result<()> {
            self.encoder.begin_value().$around($($around_value,)* inner).map(drop)
        })*
        $(#[inline]
        fn $with(self, $($with_value: $with_type),*) -> Result<Self::$compound> {
            let compound = self.encoder.begin_value().$with($($with_value),*)?;
            Ok(Document { compound: compound.into() })
        })*
    };
}

/// The methods of each compound trait that write or skip an element.
macro_rules! document_parts {
    ($($trait:ident $($method:ident($($key:ident: $type:ty)?)),+ $(skip $skip:ident)?;)*) => {$(
        impl<W: Write> ser::$trait for Document<'_, W> {
            type Ok = ();
            type Error = Error;

            $(fn $method<T: ?Sized + Serialize>(
                &mut self,
                $($key: $type,)?
                value: &T,
            ) -> Result<()> {
                ser::$trait::$method(&mut self.compound, $($key,)? value)
            })+

            $(fn $skip(&mut self, key: &'static str) -> Result<()> {
                ser::$trait::$skip(&mut self.compound, key)
            })?

            fn end(self) -> Result<()> {
                self.hand_over(ser::$trait::end)
            }
        }
    )*};
}

/// `Serializer<W>` and, for compound values, `Document`, whose `hand_over` completes the message.
macro_rules! outermost_serializer {
    ($methods:ident) => {
        impl<'a, W: Write> ser::Serializer for &'a mut Serializer<W> {
            type Ok = ();
            type Error = Error;
            type SerializeSeq = Document<'a, W>;
            type SerializeTuple = Document<'a, W>;
            type SerializeTupleStruct = Document<'a, W>;
            type SerializeTupleVariant = Document<'a, W>;
            type SerializeMap = Document<'a, W>;
            type SerializeStruct = Document<'a, W>;
            type SerializeStructVariant = Document<'a, W>;

            crate::glue::macros::for_each_serialize_method!(crate::glue::document::$methods);

            fn is_human_readable(&self) -> bool {
                false
            }
        }

        crate::glue::document::document_parts! {
            SerializeSeq serialize_element();
            SerializeTuple serialize_element();
            SerializeTupleStruct serialize_field();
            SerializeTupleVariant serialize_field();
            SerializeMap serialize_key(), serialize_value();
            SerializeStruct serialize_field(key: &'static str) skip skip_field;
            SerializeStructVariant serialize_field(key: &'static str) skip skip_field;
        }
    };
}

macro_rules! document_serializer {
    () => {
        crate::glue::document::outermost_serializer! { document_methods }

        /// A message whose outermost value is a compound value.
        #[derive(Debug)]
        pub struct Document<'a, W> {
            writer: &'a mut W,
            compound: Compound<'a>,
        }

        impl<'a, W: Write> Document<'a, W> {
            /// Each `end` completes the message.
            fn hand_over<T>(self, _: fn(Compound<'a>) -> T) -> Result<()> {
                let (encoder, done) = self.compound.close()?;
                write_document(self.writer, encoder, done)
            }
        }
    };
}

macro_rules! stream_serializer {
    () => {
        crate::glue::document::outermost_serializer! { stream_methods }

        /// A compound value.
        #[derive(Debug)]
        pub struct Document<'a, W> {
            compound: Compound<'a, Stream<W>>,
        }

        impl<'a, W: Write> Document<'a, W> {
            fn hand_over<T>(self, end: fn(Compound<'a, Stream<W>>) -> Result<T>) -> Result<()> {
                end(self.compound).map(drop)
            }
        }
    };
}

pub(crate) use {
    document_methods, document_parts, document_serializer, outermost_serializer, stream_methods,
    stream_serializer,
};
