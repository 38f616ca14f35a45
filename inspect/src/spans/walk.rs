//! Walks through an input and reports what each byte is, past errors as far as the layout is known.

use fourfold::{CommonKind, Error, Kind, Reader, Segment};

use super::{LOOKED_AT, Spans, hex};

/// The bytes reported so far, and the next offset. Steps that end the walk, since it is unknown
/// where the next value begins, return `None`.
pub(super) struct Walk<'de, 's> {
    bytes: &'de [u8],
    reader: Reader<'de>,
    spans: Spans<'s>,
}

impl<'de, 's> Walk<'de, 's> {
    pub(super) fn new(bytes: &'de [u8], mut spans: Spans<'s>) -> Self {
        spans.delay();
        Walk { bytes, reader: Reader::new(bytes, 0), spans }
    }

    /// A walk that emits no spans, and ends where a look ahead ends.
    pub(super) fn looking(bytes: &'de [u8]) -> Self {
        Walk::new(bytes, Spans::looking())
    }

    /// What such a walk has found out.
    pub(super) fn seen(&self) -> Seen {
        match (self.spans.is_stopped(), self.spans.has_error()) {
            (false, false) => Seen::Good,
            (false, true) if self.bytes.len() <= LOOKED_AT => Seen::Damaged,
            (true, false) => Seen::GoodSoFar,
            _ => Seen::Large,
        }
    }

    /// The unreported bytes, for looking ahead.
    pub(super) fn rest(&self) -> &'de [u8] {
        self.reader.rest()
    }

    /// Where the next span begins.
    pub(super) const fn offset(&self) -> usize {
        self.spans.offset()
    }

    /// Whether no more spans are wanted.
    pub(super) const fn is_stopped(&self) -> bool {
        self.spans.is_stopped()
    }

    /// How many bytes have no span yet.
    pub(super) fn left(&self) -> usize {
        self.reader.left()
    }

    /// Emits the spans of a nested value.
    pub(super) fn within<T>(
        &mut self,
        segment: impl FnOnce() -> Segment,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.spans.enter(segment);
        let result = body(self);
        self.spans.leave();
        result
    }

    /// Emits the spans of a field.
    pub(super) fn field<T>(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.within(|| Segment::Field(name.into()), body)
    }

    /// Emits the spans of `count` items, as far as there are bytes.
    pub(super) fn items(
        &mut self,
        count: usize,
        mut body: impl FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        (0..count).try_for_each(|index| {
            self.within(|| Segment::Index(index), |walk| body(walk, index))?;
            // The others are not wanted.
            (!self.spans.is_stopped()).then_some(())
        })
    }

    /// The next `len` bytes, which are reported next. If the input is shorter, the rest is
    /// reported as cut off.
    pub(super) fn look(&mut self, len: usize, what: &'static str) -> Option<&'de [u8]> {
        if self.spans.is_stopped() {
            return None;
        }
        let mut ahead = self.reader;
        match ahead.take::<CommonKind>(len) {
            Ok(bytes) => Some(bytes),
            Err(_) => {
                self.cut(len, what);
                None
            }
        }
    }

    /// As [`look`](Self::look), as an array.
    pub(super) fn look_at<const N: usize>(&mut self, what: &'static str) -> Option<[u8; N]> {
        self.look(N, what)?.first_chunk().copied()
    }

    /// Emits a span of the next bytes.
    pub(super) fn emit(&mut self, len: usize, what: &'static str, value: impl FnOnce() -> String) {
        self.skip(len);
        self.spans.put(len, what, value);
    }

    /// Emits a span of the next bytes, with an error if there is one.
    pub(super) fn emit_with(
        &mut self,
        len: usize,
        what: &'static str,
        value: impl FnOnce() -> String,
        error: Option<String>,
    ) {
        match error {
            None => self.emit(len, what, value),
            Some(error) => {
                self.skip(len);
                self.spans.put_wrong(len, what, value, error);
            }
        }
    }

    /// Emits a span of the rest of the input, where `needed` bytes should be.
    pub(super) fn cut(&mut self, needed: usize, what: &'static str) {
        let left = self.left();
        let error = CommonKind::UnexpectedEnd { needed, left }.to_string();
        let bytes = self.bytes.get(self.offset()..).unwrap_or_default();
        self.emit_with(left, what, || hex(bytes), Some(error));
    }

    /// Emits a span of the bytes after the value.
    pub(super) fn trailing(&mut self) {
        if let count @ 1.. = self.left() {
            let error = CommonKind::TrailingBytes { count }.to_string();
            let bytes = self.bytes.get(self.offset()..).unwrap_or_default();
            self.emit_with(count, "trailing bytes", || hex(bytes), Some(error));
        }
    }

    /// Adds an error to the span that begins at `offset`, one of the last ones.
    pub(super) fn note(&mut self, offset: usize, error: String) {
        self.spans.note(offset, error);
    }

    fn skip(&mut self, len: usize) {
        // The caller has looked ahead.
        let _ = self.reader.take::<CommonKind>(len);
    }

    /// Makes the errors agree with those of a reader of the same input: none if it is accepted,
    /// else none before the byte that it is refused for. `besides` are errors that the walk does
    /// not find, and where.
    pub(super) fn judge<K: Kind>(
        &mut self,
        refused: Option<&Error<K>>,
        mut besides: Vec<(usize, String)>,
    ) {
        let at = |error: &Error<K>| error.offset().unwrap_or_default();
        let refusal = refused.map(|error| (at(error), error.kind().to_string()));
        besides.sort_by_key(|(at, _)| *at);
        self.spans.judge(refused.map(at), refusal.into_iter().chain(besides));
    }

    /// Adds errors that the walk does not find, and where, to its own.
    pub(super) fn add(&mut self, errors: impl IntoIterator<Item = (usize, String)>) {
        self.spans.judge(Some(0), errors);
    }

    pub(super) fn finish(self) {
        self.spans.finish(self.bytes.len());
    }
}

/// What a look ahead has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The walk went through to the end, and nothing seems wrong.
    Good,
    /// Something is wrong with a small input.
    Damaged,
    /// The walk found nothing wrong as far as it looked.
    GoodSoFar,
    /// There are so many values, or damage to so many bytes, that no reader should be called: it
    /// may need many times the memory of the input.
    Large,
}

impl Seen {
    /// Whether a reader may be called for the same input.
    pub(super) const fn is_for_readers(self) -> bool {
        matches!(self, Seen::Good | Seen::Damaged)
    }
}
