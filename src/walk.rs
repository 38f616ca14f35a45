//! Walking through an input to tell what each byte is, past faults as far as the layout is known.
//! Knows no layout; a format's `explain` brings it.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::error::{Error, Fault, Kind, Segment};
use crate::explain::{Span, Spans, hex};
use crate::read::Reader;

/// What is told of an input so far, and where it is told of next. Steps that end the walk, since
/// nothing tells where the next part begins, are `None`.
pub(crate) struct Walk<'de> {
    bytes: &'de [u8],
    reader: Reader<'de>,
    spans: Spans,
    /// Faults of bytes that were told of before they showed, and where those begin.
    remarks: Vec<(usize, String)>,
}

impl<'de> Walk<'de> {
    pub(crate) fn new(bytes: &'de [u8]) -> Self {
        let reader = Reader::new(bytes, 0);
        Walk { bytes, reader, spans: Spans::new(), remarks: Vec::new() }
    }

    /// A cursor on what was not told yet, to look ahead with.
    pub(crate) const fn ahead(&self) -> Reader<'de> {
        self.reader
    }

    /// Where the next span begins.
    pub(crate) const fn offset(&self) -> usize {
        self.spans.offset()
    }

    /// How many bytes were not told of yet.
    pub(crate) fn left(&self) -> usize {
        self.reader.left()
    }

    /// Tells of a part.
    pub(crate) fn within<T>(
        &mut self,
        segment: Segment,
        tell: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.spans.enter(segment);
        let told = tell(self);
        self.spans.leave();
        told
    }

    /// Tells of a named part.
    pub(crate) fn field<T>(
        &mut self,
        name: &'static str,
        tell: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.within(Segment::Field(name.into()), tell)
    }

    /// Tells of so many items, as long as they are there.
    pub(crate) fn items(
        &mut self,
        count: usize,
        mut tell: impl FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        (0..count)
            .try_for_each(|index| self.within(Segment::Index(index), |walk| tell(walk, index)))
    }

    /// The next `len` bytes, which are told of next; if they are not there, what is there is told
    /// of as cut off.
    pub(crate) fn look(&mut self, len: usize, what: &'static str) -> Option<&'de [u8]> {
        let mut ahead = self.reader;
        match ahead.take::<Fault>(len) {
            Ok(bytes) => Some(bytes),
            Err(_) => {
                self.cut(len, what);
                None
            }
        }
    }

    /// As [`look`](Self::look), as an array.
    pub(crate) fn look_at<const N: usize>(&mut self, what: &'static str) -> Option<[u8; N]> {
        self.look(N, what)?.first_chunk().copied()
    }

    /// Tells of the next bytes.
    pub(crate) fn tell(&mut self, len: usize, what: impl Into<Cow<'static, str>>, value: String) {
        self.skip(len);
        self.spans.put(len, what, value);
    }

    /// Tells of the next bytes, which are wrong if there is a fault.
    pub(crate) fn tell_with(
        &mut self,
        len: usize,
        what: impl Into<Cow<'static, str>>,
        value: String,
        fault: Option<String>,
    ) {
        match fault {
            None => self.tell(len, what, value),
            Some(fault) => {
                self.skip(len);
                self.spans.put_fault(len, what, value, fault);
            }
        }
    }

    /// Tells of the rest of the input, where `needed` bytes should be.
    pub(crate) fn cut(&mut self, needed: usize, what: impl Into<Cow<'static, str>>) {
        let left = self.left();
        let fault = Fault::UnexpectedEnd { needed, left }.to_string();
        let value = hex(self.bytes.get(self.offset()..).unwrap_or_default());
        self.tell_with(left, what, value, Some(fault));
    }

    /// Tells of what stands behind the value.
    pub(crate) fn trailing(&mut self) {
        if let count @ 1.. = self.left() {
            let fault = Fault::TrailingBytes { count }.to_string();
            let value = hex(self.bytes.get(self.offset()..).unwrap_or_default());
            self.tell_with(count, "trailing bytes", value, Some(fault));
        }
    }

    /// Adds a fault to the span that begins at `offset`.
    pub(crate) fn remark(&mut self, offset: usize, fault: String) {
        self.remarks.push((offset, fault));
    }

    fn skip(&mut self, len: usize) {
        // Those who tell have looked.
        let _ = self.reader.take::<Fault>(len);
    }

    /// All spans, with the faults in agreement with what the reader says of the same input: none
    /// if it is accepted, else none in front of the byte that it is refused for.
    pub(crate) fn finish<K: Kind>(self, refused: Option<&Error<K>>) -> Vec<Span> {
        let mut spans = self.spans.finish(self.bytes.len());
        for (offset, fault) in self.remarks {
            remark(&mut spans, offset, fault);
        }
        let first = refused.map(|error| error.offset().unwrap_or_default());
        let settled = spans.partition_point(|span| first.is_none_or(|at| span.range.start < at));
        spans.iter_mut().take(settled).for_each(|span| span.fault = None);
        if let Some(error) = refused {
            remark(&mut spans, first.unwrap_or_default(), error.kind().to_string());
        }
        spans
    }
}

/// Adds a fault to the span that begins at `offset`, or holds it.
fn remark(spans: &mut [Span], offset: usize, fault: String) {
    let at = spans.partition_point(|span| span.range.start < offset);
    let begins = spans.get(at).is_some_and(|span| span.range.start == offset);
    let at = if begins { at } else { at.saturating_sub(1) };
    if let Some(span) = spans.get_mut(at) {
        match &mut span.fault {
            Some(known) if known.contains(&fault) => {}
            Some(known) => {
                known.push_str("; ");
                known.push_str(&fault);
            }
            none => *none = Some(fault),
        }
    }
}
