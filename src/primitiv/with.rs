//! Marks for one use of a type: modules for `#[serde(with = "...")]`, and wrappers for places that
//! `with` does not reach.
//!
//! | module | wrapper | on | becomes |
//! |---|---|---|---|
//! | [`text`] | [`Text`] | bytes | str, as names in primitiv are: they need not be UTF-8 |
//! | [`named`] | [`Named`] | an enum | the variant's name as str instead of its index |
//!
//! Both go through `Option` and newtypes. On types of your own they stand in the serde name of a
//! newtype (`text.Name`) or enum (`named.Event`).
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

use super::mark::{NAMED, TEXT};

crate::macros::marks! {
    /// Bytes that are written as str.
    text Text TEXT;
    /// An enum whose variants are written by their names.
    named Named NAMED;
}
