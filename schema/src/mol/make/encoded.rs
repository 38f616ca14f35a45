//! Values given as encoded bytes, which are checked.

use fourfold::molecule::Options;
use serde_core::de::Error;

use super::Making;
use crate::mol::Value;
use crate::mol::verify::Check;

impl Making<'_, '_> {
    pub(super) fn encoded<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        let Making { ty, depth, out } = self;
        // What is written may be of a later version: its fields are shown as `$extra`.
        let check = Check::new(&Options::new().compatible(true));
        check
            .value(Value::unchecked(ty, bytes), 0, depth)
            .map_err(|error| E::custom(format!("bytes that are no {}: {error}", ty.name())))?;
        out.extend(bytes);
        Ok(())
    }
}
