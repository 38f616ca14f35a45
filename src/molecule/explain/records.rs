//! Records one behind the other, told of one after another. Knows where each begins, does not know what is in them.

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

/// Who tells of records.
pub(in crate::molecule) trait Tell<'s> {
    fn spans(&mut self) -> &mut Spans<'s>;

    /// Tells of all of a record, which comes next.
    fn record(&mut self, record: Record<'_>);

    /// Tells of all of `bytes`, which are records. Those of which nothing is wanted are stepped over.
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
