//! Writing all items of a sequence at once, as serde's own sequences ask for. Knows the order of items, does
//! not know how values are written.

use serde_core::ser::{Serialize, SerializeSeq, Serializer};

use super::compound::{Compound, fail};
use super::prefix::Prefix;
use super::value::ValueWriter;
use crate::biniou::Result;
use crate::biniou::wire::Tag;
use crate::error::Segment;
use crate::fast::forecast::{Forecast, exact_length};

/// Writes a sequence.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_all<F: Prefix, T: Serialize>(
    writer: ValueWriter<'_, F>,
    items: impl Iterator<Item = T>,
) -> Result<Option<Tag>> {
    let mut sequence = writer.serialize_seq(exact_length(&items))?;
    let forecast = Forecast { at: sequence.encoder.out.len(), count: sequence.count };
    sequence.put_each(items, forecast)?;
    sequence.end()
}

impl Compound<'_> {
    /// Writes all items, one by one.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_each<T: Serialize>(
        &mut self,
        mut items: impl Iterator<Item = T>,
        forecast: Forecast,
    ) -> Result<()> {
        while let Some(item) = items.next() {
            self.put_item(&item, Self::put_with_tag)?;
            // While items have the tag of the first one, nothing else is looked at.
            while let Some(tag) = self.tag() {
                self.encoder.out.look_ahead(forecast, self.count, &items);
                let Some(item) = items.next() else { return Ok(()) };
                self.put_item(&item, |this, item| this.put_without_tag(item, tag))?;
            }
            self.encoder.out.look_ahead(forecast, self.count, &items);
        }
        Ok(())
    }

    /// Writes an item by `put`, and explains its error.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_item<T: ?Sized>(
        &mut self,
        value: &T,
        put: impl FnOnce(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        let index = self.count;
        match put(self, value) {
            Ok(()) => Ok(()),
            Err(error) => Err(fail(self.encoder, error, Segment::Index(index))),
        }
    }
}
