//! Values given as encoded bytes, which are checked.

use fourfold::Reader;
use fourfold::biniou::wire::{self, Tag};
use fourfold::biniou::{Options, Result};
use serde_core::de::Error;

use super::Body;
use crate::atd::shape::Type;
use crate::atd::verify::Check;
use crate::common::Ignore;
use crate::depth::Depth;

impl Body<'_, '_> {
    /// The bytes of the value itself, with the tag.
    pub(super) fn encoded<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        let tag = checked(bytes, self.ty, self.around)
            .map_err(|error| E::custom(format!("bytes that are no value of the type: {error}")))?;
        let bytes = match self.is_tagged {
            // Where a type has several tags, the one of these bytes.
            true => {
                self.out.pop();
                bytes
            }
            false if Some(tag) == self.ty.tag() => bytes.get(1..).unwrap_or_default(),
            false => {
                let tag = tag.name();
                return Err(E::custom(format!("{tag} where all values have another tag")));
            }
        };
        self.out.extend(bytes);
        Ok(())
    }
}

/// The tag of bytes that are a value of the type, and nothing else.
fn checked(bytes: &[u8], ty: Type<'_>, depth: Depth) -> Result<Tag> {
    let mut reader = Reader::new(bytes, 0);
    let tag = wire::take_tag(&mut reader)?;
    let mut check = Check::new(&Options::new());
    check.value(&mut reader, 0, tag, ty, depth, &mut Ignore)?;
    reader.finish()?;
    Ok(tag)
}
