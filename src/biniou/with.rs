//! Compatibility with atdgen: marks for annotations that Rust's types cannot express.
//!
//! Each mark is a module for `#[serde(with = "..")]` and a wrapper for where `with` does not reach:
//! the top level, `Option<..>`, a map's values, an argument of a generic type. On a newtype of your
//! own, the serde name does the same: `#[serde(rename = "int8.Level")] struct Level(u8)`.
//!
//! | on | biniou | atd | module | wrapper |
//! |---|---|---|---|---|
//! | an integer 0 to 255 | int8 | `<biniou repr="int8">` | [`int8`] | [`Int8`] |
//! | an integer 0 to 65535 | int16 | `<biniou repr="int16">` | [`int16`] | [`Int16`] |
//! | an integer of 32 bits, signed | int32 | `<biniou repr="int32">` | [`int32`] | [`Int32`] |
//! | an integer of 64 bits, signed | int64 | `<biniou repr="int64">` | [`int64`] | [`Int64`] |
//! | an integer that is not negative | uvint | `<biniou repr="uvint">` | [`uvint`] | [`Uvint`] |
//! | an integer | svint | `int` | [`svint`] | [`Svint`] |
//! | a float that fits | float32 | `<biniou repr="float32">` | [`float32`] | [`Float32`] |
//! | a `char` up to U+00FF | int8 | `<ocaml repr="char">` | [`mod@char`] | [`Char`] |
//! | a sequence of structs | TABLE | `<biniou repr="table">` | [`table`] | [`Table`] |
//! | an `Option` that is a field | absent or bare | `?field` | [`optional`] | [`Optional`] |
//! | an `Rc` or `Arc` | SHARED | | [`shared`] | [`Shared`] |
//! | types that need a self-describing format | MessagePack in a string | | [`mod@any`] | [`Any`] |
//!
//! The marks of numbers reach through `Option`, newtype structs, sequences, tuples and arrays to the
//! numbers in them. Formats other than biniou see the plain value:
//!
//! ```
//! use fourfold::biniou::{from_slice, to_vec, with::{int8, optional}};
//! use serde::{Deserialize, Serialize};
//!
//! // type pixel = { rgb : int8 list; ?name : string option }
//! #[derive(Serialize, Deserialize, Debug, PartialEq)]
//! struct Pixel {
//!     #[serde(with = "int8")]
//!     rgb: Vec<u8>,
//!     #[serde(with = "optional", default)]
//!     name: Option<String>,
//! }
//!
//! let pixel = Pixel { rgb: vec![255, 127, 0], name: None };
//! let bytes = to_vec(&pixel)?;
//! // RECORD of 1 field: its hash, ARRAY of 3, int8
//! assert_eq!(bytes, [21, 1, 0x80, 0x56, 0xdb, 0x0d, 19, 3, 1, 255, 127, 0]);
//! assert_eq!(from_slice::<Pixel>(&bytes)?, pixel);
//! assert_eq!(serde_json::to_string(&pixel).unwrap(), r#"{"rgb":[255,127,0],"name":null}"#);
//! # Ok::<(), fourfold::biniou::Error>(())
//! ```
//!
//! A limit: `flatten` and untagged enums buffer what they read, and what is buffered has lost its
//! marks. Under [`mod@any`] such types are read back complete; inside it other marks mean nothing.

use alloc::rc::Rc;
use alloc::sync::Arc;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::mark::{
    CHAR, FLOAT32, INT8, INT16, INT32, INT64, OPTIONAL, SHARED, SHARED_ONCE, SVINT, TABLE, UVINT,
};
#[cfg(feature = "any")]
pub use crate::any::{Any, any};
use crate::glue::macros::marks;

marks! {
    /// An integer as int8: one byte, 0 to 255.
    int8 Int8 INT8;

    /// An integer as int16: two bytes, 0 to 65535.
    int16 Int16 INT16;

    /// An integer as int32: four bytes, signed.
    int32 Int32 INT32;

    /// An integer as int64: eight bytes, signed.
    int64 Int64 INT64;

    /// An integer as uvint: a vint that is not negative.
    uvint Uvint UVINT;

    /// An integer as svint: a signed vint.
    svint Svint SVINT;

    /// A float as float32: four bytes. An `f64` that four bytes do not hold exactly is refused.
    float32 Float32 FLOAT32;

    /// A `char` up to U+00FF as int8: OCaml's `char`.
    char Char CHAR;

    /// A sequence of structs as TABLE: names and tags once, then rows. All rows need the same
    /// columns; a field that may be missing is [`optional`].
    table Table TABLE;

    /// An `Option` that is a field of a struct, as atd's `?field`: `None` leaves the field out,
    /// `Some` is the bare value. In a TABLE, and anywhere else, it is a plain option. Goes with
    /// `#[serde(default)]`.
    optional Optional OPTIONAL;
}

/// An `Rc` or `Arc` as SHARED: the value is written where it comes first, and referred to where the
/// same pointer comes again.
///
/// Reading creates a separate value for each reference; what they expand to is limited. Cycles are
/// refused. A pointer is identified by its address, so it has to live until the message is written:
/// only a `Serialize` written by hand could create two pointers to one value and drop both on the
/// way. Pointers of several types to one value, such as an `Rc<str>` and the `Rc<[u8]>` made of it,
/// are taken for one.
pub mod shared {
    use super::{
        Deserialize, Deserializer, SHARED, SHARED_ONCE, Serialize, Serializer, SharedPointer,
    };

    /// Writes the value of `pointer`, or a reference to it.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    #[inline]
    pub fn serialize<P, S>(pointer: &P, serializer: S) -> Result<S::Ok, S::Error>
    where
        P: SharedPointer,
        P::Target: Serialize,
        S: Serializer,
    {
        let name = match pointer.has_other_holders() {
            true => SHARED,
            false => SHARED_ONCE,
        };
        serializer.serialize_newtype_struct(name, &**pointer)
    }

    /// Reads a value, shared or not.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    #[inline]
    pub fn deserialize<'de, P, D>(deserializer: D) -> Result<P, D::Error>
    where
        P: SharedPointer + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        deserializer.deserialize_newtype_struct(SHARED, crate::glue::macros::Inner::new())
    }
}

/// An `Rc` or `Arc` as SHARED, where [`shared`] does not reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shared<P>(pub P);

impl<P> Serialize for Shared<P>
where
    P: SharedPointer,
    P::Target: Serialize,
{
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        shared::serialize(&self.0, serializer)
    }
}

impl<'de, P: SharedPointer + Deserialize<'de>> Deserialize<'de> for Shared<P> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        shared::deserialize(deserializer).map(Shared)
    }
}

/// [`Rc`] and [`Arc`]: pointers that share a value.
pub trait SharedPointer: core::ops::Deref + sealed::Sealed {
    /// Whether another pointer shares the value too. If not, the value's address has no meaning
    /// once this pointer is gone.
    #[doc(hidden)]
    fn has_other_holders(&self) -> bool;
}

mod sealed {
    pub trait Sealed {}
    impl<T: ?Sized> Sealed for super::Rc<T> {}
    impl<T: ?Sized> Sealed for super::Arc<T> {}
}

impl<T: ?Sized> SharedPointer for Rc<T> {
    fn has_other_holders(&self) -> bool {
        Rc::strong_count(self) > 1
    }
}

impl<T: ?Sized> SharedPointer for Arc<T> {
    fn has_other_holders(&self) -> bool {
        Arc::strong_count(self) > 1
    }
}
