//! What is written and read. Every set has its types in one file: serde's plain derives, the marks
//! that a Molecule schema wants, and the derives of peers that do without serde.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(crate) mod ckb;
pub(crate) mod gaps;
pub(crate) mod log;
pub(crate) mod mesh;
pub(crate) mod official;
pub(crate) mod saves;
pub(crate) mod ticks;
pub(crate) mod updates;

/// A document's type.
pub(crate) trait Data: Serialize + DeserializeOwned + Clone + PartialEq + 'static {
    /// The same with text that stays in the input.
    type Borrowed<'a>: Deserialize<'a> + Serialize;

    /// Whether there is text to borrow. Otherwise `Borrowed` is not used.
    const BORROWS: bool;
}

/// A set without text.
macro_rules! owned_only {
    ($name:ty) => {
        impl $crate::data::Data for $name {
            type Borrowed<'a> = Self;
            const BORROWS: bool = false;
        }
    };
}
pub(crate) use owned_only;
