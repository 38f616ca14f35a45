//! The data sets. Each file has the types of one set, with serde's derives, attributes for Molecule layouts, and the
//! derives of crates without serde.

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

/// The type of a message.
pub(crate) trait Data: Serialize + DeserializeOwned + Clone + PartialEq + 'static {
    /// The same with borrowed text.
    type Borrowed<'a>: Deserialize<'a> + Serialize;

    /// Whether there is text to borrow. If not, `Borrowed` is not used.
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
