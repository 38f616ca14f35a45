//! A module as a serde type, and the error of a refused one.

use alloc::vec::Vec;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::Module;
use crate::glue::macros::Inner;
use crate::read::Reader;
use crate::tsm::fields::read_fields;
use crate::tsm::{Error, ErrorKind, Graph, Header, Options, Result, de};

/// The name of the newtype struct around a [`Module`].
pub(in crate::tsm) const MODULE: &str = "fourfold.tsm.module";

impl Serialize for Module<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.refusal() {
            Some(diagnostic) => Err(serde_core::ser::Error::custom(diagnostic)),
            None => serializer.serialize_newtype_struct(MODULE, &Accepted(self)),
        }
    }
}

/// A module that was checked.
pub(super) struct Accepted<'a>(pub(super) &'a Module<'a>);

impl Serialize for Accepted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Module", 4)?;
        fields.serialize_field("header", &self.0.header)?;
        fields.serialize_field("inputs", &self.0.inputs)?;
        fields.serialize_field("outputs", &self.0.outputs)?;
        fields.serialize_field("graph", &self.0.graph)?;
        fields.end()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Module<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let inner = Inner::<Checked<'de>>::new();
        deserializer.deserialize_newtype_struct(MODULE, inner).map(|Checked(module)| module)
    }
}

/// What is inside of the mark.
struct Checked<'de>(Module<'de>);

impl<'de> Deserialize<'de> for Checked<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Unchecked(module) = Unchecked::deserialize(deserializer)?;
        match module.refusal() {
            Some(diagnostic) => Err(serde_core::de::Error::custom(diagnostic)),
            None => Ok(Checked(module)),
        }
    }
}

/// A module of sound bytes that may make no sense.
struct Unchecked<'de>(Module<'de>);

impl<'de> Unchecked<'de> {
    fn read(
        header: Header,
        inputs: Vec<u32>,
        outputs: Vec<u32>,
        graph: Graph<'de>,
    ) -> Result<Self, ErrorKind> {
        Ok(Unchecked(Module { header, inputs, outputs, graph }))
    }
}

read_fields! {
    Unchecked<'a> as Unchecked<'de>, "a module" = Unchecked::read;
    header: Header, PhantomData::<Header>;
    inputs: Vec<u32>, PhantomData::<Vec<u32>>;
    outputs: Vec<u32>, PhantomData::<Vec<u32>>;
    graph: Graph<'de>, PhantomData::<Graph<'de>>;
}

impl<'de> Module<'de> {
    /// Reads a module. Its type is known here, so this one reading also returns the kind and offset of an error.
    pub(super) fn read(options: &Options, bytes: &'de [u8]) -> Result<Self> {
        let (Unchecked(module), taken) = de::take(options, bytes)?;
        module.check_read()?;
        if !options.allow_trailing {
            Reader::after(bytes, taken).finish()?;
        }
        Ok(module)
    }

    /// Refuses what TenniS refuses, at its place in the bytes that the module was read from.
    fn check_read(&self) -> Result<()> {
        let Some(diagnostic) = self.refusal() else { return Ok(()) };
        let (offset, path) = self.place(&diagnostic);
        let error = Error::at(ErrorKind::Refused(diagnostic), offset);
        Err(path.into_iter().flatten().fold(error, Error::inside))
    }
}

/// Why the module at the start of `bytes` was refused, and where: offsets from its start.
#[cold]
pub(in crate::tsm) fn reason(bytes: &[u8]) -> Option<Error> {
    let (Unchecked(module), _) = de::take(&Options::new(), bytes).ok()?;
    module.check_read().err()
}

/// Whether the bytes are those of a module, be it one that is refused.
pub(in crate::tsm) fn is_sound(bytes: &[u8]) -> bool {
    de::take::<Unchecked<'_>>(&Options::new(), bytes).is_ok()
}
