//! The compatibility layer: marks for one use of a type, and for types that are not yours.
//!
//! Each mark is a module for `#[serde(with = "..")]` and a wrapper for where `with` does not reach:
//! the top level, `Option<..>`, a map's values, an argument of a generic type.
//!
//! | on | Molecule | module | wrapper |
//! |---|---|---|---|
//! | a struct, tuple or array of fixed items | struct or array, without header | [`structure`] | [`Struct`] |
//! | any tuple, array or struct | table | [`table`] | [`Table`] |
//! | a sequence or map of fixed items, text, bytes | fixvec | [`fixvec`] | [`FixVec`] |
//! | a sequence or map of dynamic items | dynvec | [`dynvec`] | [`DynVec`] |
//! | `[T; N]` of any length | as an array of at most 32 items | [`mod@array`] | [`Array`] |
//! | types that need a self-describing format | MessagePack in a fixvec of bytes | [`mod@any`] | [`Any`] |
//!
//! A mark reaches through `Option`, `Box` and newtype structs to the value that it fits, and is
//! refused on any other, and under another mark. Formats other than Molecule see the plain value:
//!
//! ```
//! use fourfold::molecule::{to_vec, with::{dynvec, DynVec}};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Witness {
//!     #[serde(with = "dynvec")]
//!     lines: Vec<String>,
//! }
//!
//! let witness = Witness { lines: vec![] };
//! assert_eq!(to_vec(&witness)?, [12, 0, 0, 0, 8, 0, 0, 0, /* lines: */ 4, 0, 0, 0]);
//! assert_eq!(serde_json::to_string(&witness).unwrap(), r#"{"lines":[]}"#);
//!
//! let lines: DynVec<Vec<String>> = DynVec(vec![]);
//! assert_eq!(to_vec(&lines)?, [4, 0, 0, 0]);
//! # Ok::<(), fourfold::molecule::Error>(())
//! ```
//!
//! A limit: `flatten` and untagged enums buffer what they read, and what is buffered has lost its
//! marks. (Molecule refuses these shapes but under [`mod@any`], inside which other marks mean nothing.)

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, SerializeTuple, Serializer};

use super::mark::{DYNVEC, FIXVEC, STRUCT, TABLE};
#[cfg(feature = "any")]
pub use crate::any::{Any, any};
use crate::glue::macros::marks;

marks! {
    /// A Molecule `struct` (or `array`): concatenated items, all of a fixed size, without a
    /// header. Structs in it are packed as well.
    structure Struct STRUCT;

    /// A Molecule `table`: full size, an offset per item, the items.
    table Table TABLE;

    /// A Molecule `fixvec`: item count, items of one fixed size. Structs in it are packed.
    fixvec FixVec FIXVEC;

    /// A Molecule `dynvec`: full size, an offset per item, the items, which are dynamic.
    dynvec DynVec DYNVEC;
}

/// `[T; N]` of any length; serde itself supports arrays of at most 32 items. Every format sees a
/// tuple of `N` items.
///
/// ```
/// use fourfold::molecule::{to_vec, with::array};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Signature(#[serde(with = "array")] [u8; 65]);
///
/// assert_eq!(to_vec(&Signature([7; 65]))?, [7; 65]);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
pub mod array {
    use super::*;

    /// Writes `items` as a tuple of `N` items.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    #[inline]
    pub fn serialize<T, S, const N: usize>(items: &[T; N], serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize,
        S: Serializer,
    {
        let mut tuple = serializer.serialize_tuple(N)?;
        for item in items {
            tuple.serialize_element(item)?;
        }
        tuple.end()
    }

    /// Reads a tuple of `N` items.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    #[inline]
    pub fn deserialize<'de, T, D, const N: usize>(deserializer: D) -> Result<[T; N], D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        deserializer.deserialize_tuple(N, Items(PhantomData))
    }
}

/// Collects the items of an array.
struct Items<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
    type Value = [T; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} items")
    }

    #[inline]
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<[T; N], A::Error> {
        let mut items = alloc::vec::Vec::new();
        for read in 0..N {
            match seq.next_element()? {
                Some(item) => items.push(item),
                None => return Err(de::Error::invalid_length(read, &self)),
            }
        }
        let read = items.len();
        items.try_into().map_err(|_| de::Error::invalid_length(read, &self))
    }
}

/// `[T; N]` of any length, where [the module](mod@array) does not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array<T, const N: usize>(pub [T; N]);

impl<T: Serialize, const N: usize> Serialize for Array<T, N> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        array::serialize(&self.0, serializer)
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Array<T, N> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        array::deserialize(deserializer).map(Array)
    }
}
