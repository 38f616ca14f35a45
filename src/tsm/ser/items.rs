//! Writes all items of a sequence at once, for serde's own sequences.
//!
//! What is called for every value is always inlined, for the reason in [`encoder`](super::encoder).

use serde_core::ser::Serialize;

use super::compound::Compound;
use super::output::Output;
use crate::forecast::Forecast;
use crate::tsm::Result;

impl<O: Output> Compound<'_, O> {
    /// Writes all items of a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_all<I: Iterator<Item: Serialize>>(&mut self, mut items: I) -> Result<()> {
        let forecast = Forecast { at: self.at, count: self.given };
        while let Some(item) = items.next() {
            self.put_item(&item)?;
            if let Some(out) = self.encoder.out.memory() {
                forecast.look_ahead(out, self.at, self.given, &items);
            }
        }
        Ok(())
    }
}
