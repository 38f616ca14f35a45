//! Converts our values to official entities, with the official builders.

use fourfold::molecule::with::{DynVec, FixVec};
use molecule::prelude::Byte;

use crate::ckb::types::Bytes;

/// A value with an official type.
pub(crate) trait ToOfficial {
    /// An `Entity`, or `Byte`.
    type Official;

    fn to_official(&self) -> Self::Official;
}

/// The only type that no schema declares.
impl ToOfficial for u8 {
    type Official = Byte;

    fn to_official(&self) -> Byte {
        Byte::new(*self)
    }
}

/// A newtype, because its JSON differs from that of a `Vec<u8>`.
impl ToOfficial for Bytes {
    type Official = <Vec<u8> as ToOfficial>::Official;

    fn to_official(&self) -> Self::Official {
        self.0.to_official()
    }
}

impl<T: ToOfficial> ToOfficial for FixVec<T> {
    type Official = T::Official;

    fn to_official(&self) -> T::Official {
        self.0.to_official()
    }
}

impl<T: ToOfficial> ToOfficial for DynVec<T> {
    type Official = T::Official;

    fn to_official(&self) -> T::Official {
        self.0.to_official()
    }
}

/// Implements [`ToOfficial`] with a function that fills the builder of the entity.
macro_rules! entity {
    ($ours:ty, $official:ty, $fill:expr) => {
        impl $crate::to_official::ToOfficial for $ours {
            type Official = $official;

            fn to_official(&self) -> $official {
                use ::molecule::prelude::{Builder, Entity};
                type Empty = <$official as Entity>::Builder;
                let fill: fn(&$ours, Empty) -> Empty = $fill;
                fill(self, <$official>::new_builder()).build()
            }
        }
    };
}
pub(crate) use entity;

/// Implements [`ToOfficial`] for a declaration of a schema.
macro_rules! to_official {
    (array $official:ty, $name:ident ($ours:ty, $to_bytes:expr)) => {
        entity!($ours, $official, |array, builder| {
            let to_bytes: fn($ours) -> _ = $to_bytes;
            builder.set(to_bytes(*array).map(::molecule::prelude::Byte::new))
        });
    };
    (vector $official:ty, $name:ident ($item:ty)) => {
        entity!(Vec<$item>, $official, |vector, builder| {
            builder.set(vector.iter().map(ToOfficial::to_official).collect())
        });
    };
    (option $official:ty, $name:ident ($item:ty $(, $marked:ty)?)) => {
        entity!(Option<$item>, $official, |option, builder| {
            builder.set(option.as_ref().map(ToOfficial::to_official))
        });
    };
    (union $official:ty, $name:ident { $($item:ident),* $(,)? }) => {
        entity!($name, $official, |union, builder| match union {
            $($name::$item(item) => builder.set(item.to_official()),)*
        });
    };
    // A struct or a table. The pattern makes sure that all fields are converted.
    ($kind:ident $official:ty, $name:ident { $($field:ident),* $(,)? }) => {
        entity!($name, $official, |record, builder| {
            let $name { $($field),* } = record;
            builder$(.$field($field.to_official()))*
        });
    };
}
pub(crate) use to_official;
