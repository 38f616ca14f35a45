//! Values that are given as their bytes. Knows that these have to be checked.

use fourfold::molecule::Options;
use serde_core::de::Error;

use crate::depth::Depth;
use crate::mol::verify::Check;
use crate::mol::{Type, Value};

/// The type of a value, and how deep it may nest.
#[derive(Clone, Copy)]
pub(super) struct Encoded<'s> {
    pub(super) ty: Type<'s>,
    pub(super) depth: Depth,
}

impl Encoded<'_> {
    pub(super) fn append<E: Error>(self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), E> {
        let Encoded { ty, depth } = self;
        // What is written may be of a later version: its fields are shown as `$extra`.
        let check = Check::new(&Options::new().compatible(true));
        check
            .value(Value::unchecked(ty, bytes), 0, depth)
            .map_err(|error| E::custom(format!("bytes that are no {}: {error}", ty.name())))?;
        out.extend(bytes);
        Ok(())
    }
}
