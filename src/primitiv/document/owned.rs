//! Documents that own their bytes, for types without a lifetime.

use serde_core::de::{Deserialize, Deserializer};

use super::{File, Model, Optimizer, Parameter, Tensor};

/// A document without a lifetime, and the type that borrows.
pub trait OwnedDocument: Sized + sealed::Sealed {
    /// Reads it and copies what is borrowed.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    fn deserialize_owned<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! owned {
    ($($type:ident)*) => {$(
        impl sealed::Sealed for $type<'static> {}

        impl OwnedDocument for $type<'static> {
            fn deserialize_owned<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $type::<'de>::deserialize(deserializer).map($type::into_owned)
            }
        }
    )*};
}

owned! { File Tensor Parameter Model Optimizer }
