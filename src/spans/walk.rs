//! Walking through an input to tell what each byte is, past faults as far as the layout is known.
//! Knows no layout; a format's `explain` brings it.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::error::{Error, Fault, Kind, Segment};
use crate::read::Reader;
use crate::spans::{LOOKED_AT, Spans, Verdict, hex};

/// What is told of an input so far, and where it is told of next. Steps that end the walk, since
/// nothing tells where the next part begins, are `None`.
pub(crate) struct Walk<'de, 's> {
    bytes: &'de [u8],
    reader: Reader<'de>,
    spans: Spans<'s>,
}

impl<'de, 's> Walk<'de, 's> {
    pub(crate) fn new(bytes: &'de [u8], mut spans: Spans<'s>) -> Self {
        spans.delay();
        Walk { bytes, reader: Reader::new(bytes, 0), spans }
    }

    /// A walk that gives no spans, and ends where a look ahead ends.
    pub(crate) fn looking(bytes: &'de [u8]) -> Self {
        Walk::new(bytes, Spans::looking())
    }

    /// What such a walk has found out.
    pub(crate) fn seen(&self) -> Seen {
        match (self.spans.is_stopped(), self.spans.has_fault()) {
            (false, false) => Seen::Good,
            (false, true) if self.bytes.len() <= LOOKED_AT => Seen::Damaged,
            (true, false) => Seen::GoodSoFar,
            _ => Seen::Large,
        }
    }

    /// A cursor on what was not told yet, to look ahead with.
    pub(crate) const fn ahead(&self) -> Reader<'de> {
        self.reader
    }

    /// Where the next span begins.
    pub(crate) const fn offset(&self) -> usize {
        self.spans.offset()
    }

    /// Whether no more spans are wanted.
    pub(crate) const fn is_stopped(&self) -> bool {
        self.spans.is_stopped()
    }

    /// How many bytes have no span yet.
    pub(crate) fn left(&self) -> usize {
        self.reader.left()
    }

    /// Gives the spans of a part.
    pub(crate) fn within<T>(
        &mut self,
        segment: impl FnOnce() -> Segment,
        tell: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.spans.enter(segment);
        let told = tell(self);
        self.spans.leave();
        told
    }

    /// Gives the spans of a named part.
    pub(crate) fn field<T>(
        &mut self,
        name: &'static str,
        tell: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.within(|| Segment::Field(name.into()), tell)
    }

    /// Gives the spans of `count` items, as far as there are bytes.
    pub(crate) fn items(
        &mut self,
        count: usize,
        mut tell: impl FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        (0..count).try_for_each(|index| {
            self.within(|| Segment::Index(index), |walk| tell(walk, index))?;
            // The others are not wanted.
            (!self.spans.is_stopped()).then_some(())
        })
    }

    /// The next `len` bytes, which are told of next; if they are not there, what is there is told
    /// of as cut off.
    pub(crate) fn look(&mut self, len: usize, what: &'static str) -> Option<&'de [u8]> {
        if self.spans.is_stopped() {
            return None;
        }
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

    /// Gives a span of the next bytes.
    pub(crate) fn tell(&mut self, len: usize, what: &'static str, value: impl FnOnce() -> String) {
        self.skip(len);
        self.spans.put(len, what, value);
    }

    /// Gives a span of the next bytes, with a fault if there is one.
    pub(crate) fn tell_with(
        &mut self,
        len: usize,
        what: &'static str,
        value: impl FnOnce() -> String,
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

    /// Gives a span of the rest of the input, where `needed` bytes should be.
    pub(crate) fn cut(&mut self, needed: usize, what: &'static str) {
        let left = self.left();
        let fault = Fault::UnexpectedEnd { needed, left }.to_string();
        let bytes = self.bytes.get(self.offset()..).unwrap_or_default();
        self.tell_with(left, what, || hex(bytes), Some(fault));
    }

    /// Gives a span of the bytes behind the value.
    pub(crate) fn trailing(&mut self) {
        if let count @ 1.. = self.left() {
            let fault = Fault::TrailingBytes { count }.to_string();
            let bytes = self.bytes.get(self.offset()..).unwrap_or_default();
            self.tell_with(count, "trailing bytes", || hex(bytes), Some(fault));
        }
    }

    /// Adds a fault to the span that begins at `offset`, one of the last that were told of.
    pub(crate) fn remark(&mut self, offset: usize, fault: String) {
        self.spans.remark(offset, fault);
    }

    fn skip(&mut self, len: usize) {
        // Those who tell have looked.
        let _ = self.reader.take::<Fault>(len);
    }

    /// Puts the faults in agreement with what the reader says of the same input: none if it is
    /// accepted, else none in front of the byte that it is refused for. `besides` are faults that
    /// the walk does not see, and where.
    pub(crate) fn judge<K: Kind>(
        &mut self,
        refused: Option<&Error<K>>,
        mut besides: Vec<(usize, String)>,
    ) {
        let at = |error: &Error<K>| error.offset().unwrap_or_default();
        let refusal = refused.map(|error| (at(error), error.kind().to_string()));
        besides.sort_by_key(|(at, _)| *at);
        self.spans.judge(Verdict {
            refused: refused.map(at),
            faults: refusal.into_iter().chain(besides).collect(),
        });
    }

    /// Adds faults that the walk does not see, and where, to its own.
    pub(crate) fn add(&mut self, faults: impl IntoIterator<Item = (usize, String)>) {
        let faults = faults.into_iter().collect();
        self.spans.judge(Verdict { refused: Some(0), faults });
    }

    pub(crate) fn finish(self) {
        self.spans.finish(self.bytes.len());
    }
}

/// What a look ahead has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The walk went through to the end, and nothing seems wrong.
    Good,
    /// Something is wrong with a small input.
    Damaged,
    /// The walk found nothing wrong as far as it looked.
    GoodSoFar,
    /// There are so many parts, or damage to so many bytes, that no reader should be asked: its
    /// memory may be many times that of the input.
    Large,
}

impl Seen {
    /// Whether a reader may be asked about the same input.
    pub(crate) const fn is_for_readers(self) -> bool {
        matches!(self, Seen::Good | Seen::Damaged)
    }
}
