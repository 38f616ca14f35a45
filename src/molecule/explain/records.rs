//! Explains concatenated records one by one.

use crate::error::Segment;
use crate::molecule::{Error, Frames};
use crate::spans::Spans;

/// Bytes that begin where a record does.
pub(in crate::molecule) enum Record<'de> {
    /// Those of a record.
    Whole(&'de [u8]),
    /// All that are left, since nothing shows where the record ends, and why not.
    Open(&'de [u8], Error),
}

/// A walk through records.
pub(in crate::molecule) trait Tell<'s> {
    fn spans(&mut self) -> &mut Spans<'s>;

    /// Emits the spans of the next record.
    fn record(&mut self, record: Record<'_>);

    /// Emits the spans of all records in `bytes`. Unselected ones are skipped.
    fn records(&mut self, bytes: &[u8]) {
        for (index, (place, frame)) in Frames::from_slice(bytes).with_places().enumerate() {
            if self.spans().is_stopped() {
                return;
            }
            let (end, record) = match frame {
                Ok(frame) => (place.end, Record::Whole(frame)),
                Err(error) => {
                    let rest = bytes.get(place.start..).unwrap_or_default();
                    (bytes.len(), Record::Open(rest, error))
                }
            };
            self.spans().enter(|| Segment::Index(index));
            if !self.spans().is_hidden() {
                self.record(record);
            }
            self.spans().put_rest(end);
            self.spans().leave();
        }
    }
}
