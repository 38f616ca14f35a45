//! Optimizers: two maps of configs.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::pieces::Pieces;
use super::{Name, within, within_item};
use crate::primitiv::Result;
use crate::primitiv::wire::{self, Headed, Width};
use crate::read::Reader;

/// An optimizer: map of str to uint32, map of str to float.
///
/// Which optimizer it is shows in the names only: see [`Settings`](super::Settings).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Optimizer<'de> {
    /// `Optimizer.epoch`, and whatever else there is.
    pub uint_configs: Configs<'de, u32>,
    /// All others, such as `Adam.alpha`.
    pub float_configs: Configs<'de, f32>,
}

/// A map of configs, in the order of the file.
#[derive(Clone, Debug)]
pub struct Configs<'de, T> {
    entries: Vec<(Name<'de>, T)>,
    width: Width,
}

/// What configs hold: `u32` or `f32`.
pub trait Config: Copy + sealed::Sealed {}

impl Config for u32 {}
impl Config for f32 {}

mod sealed {
    use super::{Reader, Result, wire};

    pub trait Sealed {
        #[allow(private_interfaces, reason = "sealed: only this crate implements or calls it")]
        fn take(reader: &mut Reader<'_>, lenient: bool) -> Result<Self>
        where
            Self: Sized;

        /// The bits, which floats are compared by.
        fn bits(self) -> u32;

        fn encoded(self) -> [u8; 5];
    }

    impl Sealed for u32 {
        #[allow(private_interfaces, reason = "sealed: only this crate implements or calls it")]
        fn take(reader: &mut Reader<'_>, lenient: bool) -> Result<Self> {
            wire::take_uint32(reader, lenient)
        }

        fn bits(self) -> u32 {
            self
        }

        fn encoded(self) -> [u8; 5] {
            wire::uint32(self)
        }
    }

    impl Sealed for f32 {
        #[allow(private_interfaces, reason = "sealed: only this crate implements or calls it")]
        fn take(reader: &mut Reader<'_>, lenient: bool) -> Result<Self> {
            wire::take_float(reader, lenient)
        }

        fn bits(self) -> u32 {
            self.to_bits()
        }

        fn encoded(self) -> [u8; 5] {
            wire::float(self)
        }
    }
}

impl<'de, T: Config> Configs<'de, T> {
    /// No configs.
    #[must_use]
    pub const fn new() -> Self {
        Configs { entries: Vec::new(), width: Width::Shortest }
    }

    /// These entries, even such that have one name, in this order.
    #[must_use]
    pub const fn from_entries(entries: Vec<(Name<'de>, T)>) -> Self {
        Configs { entries, width: Width::Shortest }
    }

    /// How wide the count of entries is written.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The same with a count that is written as wide as that, or wider if it must be.
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Configs { width, ..self }
    }

    /// All entries, in the order of the file. Of equal names primitiv takes the first.
    #[must_use]
    pub fn entries(&self) -> &[(Name<'de>, T)] {
        &self.entries
    }

    /// The value of a name: the first one, as for primitiv.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<T> {
        let name = name.as_ref();
        let entry = self.entries.iter().find(|(own, _)| own.as_bytes() == name);
        entry.map(|(_, value)| *value)
    }

    /// Inserts a value, and returns the previous one of that name.
    pub fn insert(&mut self, name: impl Into<Name<'de>>, value: T) -> Option<T> {
        let name = name.into();
        if let Some((_, old)) = self.entries.iter_mut().find(|(own, _)| *own == name) {
            return Some(core::mem::replace(old, value));
        }
        self.entries.push((name, value));
        None
    }

    /// Takes a name's value out.
    pub fn remove(&mut self, name: impl AsRef<[u8]>) -> Option<T> {
        let name = name.as_ref();
        let value = self.get(name);
        self.entries.retain(|(own, _)| own.as_bytes() != name);
        value
    }

    fn into_owned(self) -> Configs<'static, T> {
        let entries = self.entries.into_iter().map(|(name, value)| (name.into_owned(), value));
        Configs { entries: entries.collect(), width: self.width }
    }

    fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let (count, width) = wire::take_count(reader, Headed::Map, 2)?;
        let mut entries = Vec::new();
        for index in 0..count {
            let name = within_item(index, within("key", Name::take(reader, lenient)))?;
            let value = within_item(index, within("value", T::take(reader, lenient)))?;
            entries.push((name, value));
        }
        Ok(Configs { entries, width })
    }

    fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        out.put_header(Headed::Map, self.entries.len(), self.width)?;
        self.entries.iter().try_for_each(|(name, value)| {
            name.put(out)?;
            out.put(&value.encoded());
            Ok(())
        })
    }
}

impl<T: Config> Default for Configs<'_, T> {
    fn default() -> Self {
        Configs::new()
    }
}

impl<T: Config> PartialEq for Configs<'_, T> {
    /// Whether entries and their order are equal, floats bit by bit.
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.entries.iter().zip(&other.entries);
        self.entries.len() == other.entries.len()
            && pairs.all(|((own_name, own), (name, value))| {
                own_name == name && own.bits() == value.bits()
            })
    }
}

impl<T: Config> Eq for Configs<'_, T> {}

/// Of equal names the last value counts, in the place of the first.
impl<'de, N: Into<Name<'de>>, T: Config> FromIterator<(N, T)> for Configs<'de, T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Self {
        let mut configs = Configs::new();
        let mut places = BTreeMap::new();
        for (name, value) in entries {
            let name = name.into();
            let place = *places.entry(name.clone()).or_insert(configs.entries.len());
            match configs.entries.get_mut(place) {
                Some((_, old)) => *old = value,
                None => configs.entries.push((name, value)),
            }
        }
        configs
    }
}

impl<'de> Optimizer<'de> {
    /// The same without the input's lifetime.
    #[must_use]
    pub fn into_owned(self) -> Optimizer<'static> {
        Optimizer {
            uint_configs: self.uint_configs.into_owned(),
            float_configs: self.float_configs.into_owned(),
        }
    }

    pub(super) fn take(reader: &mut Reader<'de>, lenient: bool) -> Result<Self> {
        let uint_configs = within("uint_configs", Configs::take(reader, lenient))?;
        let float_configs = within("float_configs", Configs::take(reader, lenient))?;
        Ok(Optimizer { uint_configs, float_configs })
    }

    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        self.uint_configs.put(out)?;
        self.float_configs.put(out)
    }
}
