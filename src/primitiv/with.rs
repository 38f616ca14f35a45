//! Marks for one use of a type: modules for `#[serde(with = "...")]`, and wrappers for places that
//! `with` does not reach.
//!
//! | module | wrapper | on | becomes |
//! |---|---|---|---|
//! | [`text`] | [`Text`] | bytes | str, as names in primitiv are: they need not be UTF-8 |
//! | [`named`] | [`Named`] | an enum | the variant's name as str instead of its index |
//! | [`owned`] | [`Owned`] | a document such as `Model<'static>` | the same; what is read owns its bytes |
//! | [`mod@any`] | [`Any`] | types that need a self-describing format | a bin of MessagePack |
//!
//! The first two apply through `Option` and newtypes. On your own types they are in the serde name of a
//! newtype (`text.Name`) or enum (`named.Event`), adjacently tagged ones included: on a struct, `named`
//! is on its first field, which is the tag.
//!
//! ```
//! use fourfold::primitiv::{from_slice, to_vec, with::Text};
//! use serde_bytes::ByteBuf;
//!
//! let name = Text(ByteBuf::from([0xff, b'w']));
//! assert_eq!(to_vec(&name)?, [0xa2, 0xff, b'w']);
//! assert_eq!(to_vec(&name.0)?, [0xc4, 2, 0xff, b'w']);
//! assert_eq!(from_slice::<Text<ByteBuf>>(&[0xa2, 0xff, b'w'])?, name);
//! # Ok::<(), fourfold::primitiv::Error>(())
//! ```

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::OwnedDocument;
use super::mark::{NAMED, TEXT};
#[cfg(feature = "any")]
pub use crate::any::{Any, any};

crate::glue::macros::marks! {
    /// Bytes that are written as str.
    text Text TEXT;
    /// An enum whose variants are written by their names.
    named Named NAMED;
}

/// A document of primitiv that owns its bytes, as a field of a type without a lifetime.
///
/// ```
/// use fourfold::primitiv::{Model, from_reader, to_vec, with};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// struct Checkpoint {
///     epoch: u32,
///     #[serde(with = "with::owned")]
///     model: Model<'static>,
/// }
///
/// let checkpoint = Checkpoint { epoch: 3, model: Model::new() };
/// let bytes = to_vec(&checkpoint)?;
/// assert_eq!(from_reader::<_, Checkpoint>(&bytes[..])?, checkpoint);
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
pub mod owned {
    use serde_core::{Deserializer, Serialize, Serializer};

    use crate::primitiv::OwnedDocument;

    /// Writes a document.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<T: OwnedDocument + Serialize, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Reads a document and copies what is borrowed.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    pub fn deserialize<'de, T: OwnedDocument, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        T::deserialize_owned(deserializer)
    }
}

/// A document of primitiv that owns its bytes, such as `Owned<Model<'static>>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owned<T>(pub T);

impl<T: OwnedDocument + Serialize> Serialize for Owned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        owned::serialize(&self.0, serializer)
    }
}

impl<'de, T: OwnedDocument> Deserialize<'de> for Owned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        owned::deserialize(deserializer).map(Owned)
    }
}
