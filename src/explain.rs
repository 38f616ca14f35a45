//! What each byte of a file is: the data behind an annotated hex dump. Every format has an
//! `explain` of its own, which cuts its bytes into spans. Knows nothing of any one format.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::error::Segment;

/// How much of a text or of bytes a value shows, in characters.
pub(crate) const SHOWN: usize = 64;

/// A run of bytes and what it is. The spans of a file come in order and hold each of its bytes
/// once; a span without bytes says what is missing where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// Which bytes, counted from the start of the input.
    pub range: Range<usize>,
    /// Which part of the whole they belong to.
    pub place: Place,
    /// What they are, in the words of the format: `magic`, `count of nodes`, `field tag`.
    pub what: Cow<'static, str>,
    /// What they say, on one line; long text and data are shortened. Empty if there is no more to
    /// say.
    pub value: String,
    /// What is wrong with them. Whatever follows is read as far as the format still tells where
    /// it begins.
    pub fault: Option<String>,
}

/// A part of a value, as in the path of an error: `nodes[2].bubble.op`. Spans of one part share it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Place(Option<Arc<Step>>);

#[derive(PartialEq, Eq)]
struct Step {
    outer: Place,
    segment: Segment,
}

impl Place {
    /// Whether the whole value is meant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The segments, outermost first.
    #[must_use]
    pub fn segments(&self) -> Vec<&Segment> {
        let mut segments = Vec::new();
        let mut place = self;
        while let Some(step) = &place.0 {
            segments.push(&step.segment);
            place = &step.outer;
        }
        segments.reverse();
        segments
    }

    fn part(&self, segment: Segment) -> Self {
        Place(Some(Arc::new(Step { outer: self.clone(), segment })))
    }
}

/// As a [`Path`](crate::Path) is written.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.segments().into_iter().enumerate() {
            segment.write(i == 0, f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Cuts an input into spans, each from where the one before ended: no byte is left out or told
/// twice.
pub(crate) struct Spans {
    spans: Vec<Span>,
    place: Place,
    end: usize,
}

impl Spans {
    pub(crate) const fn new() -> Self {
        Spans { spans: Vec::new(), place: Place(None), end: 0 }
    }

    /// Where the next span begins.
    #[allow(dead_code, reason = "only formats whose parts lie at offsets ask")]
    pub(crate) const fn offset(&self) -> usize {
        self.end
    }

    /// From here on, until [`leave`](Self::leave), bytes belong to that part of the present one.
    pub(crate) fn enter(&mut self, segment: Segment) {
        self.place = self.place.part(segment);
    }

    pub(crate) fn leave(&mut self) {
        self.place = match &self.place.0 {
            Some(step) => step.outer.clone(),
            None => Place(None),
        };
    }

    /// The next `len` bytes.
    pub(crate) fn put(&mut self, len: usize, what: impl Into<Cow<'static, str>>, value: String) {
        self.push(len, what.into(), value, None);
    }

    /// The next `len` bytes, which are wrong.
    pub(crate) fn put_fault(
        &mut self,
        len: usize,
        what: impl Into<Cow<'static, str>>,
        value: String,
        fault: String,
    ) {
        self.push(len, what.into(), value, Some(fault));
    }

    fn push(&mut self, len: usize, what: Cow<'static, str>, value: String, fault: Option<String>) {
        let start = self.end;
        self.end = start.saturating_add(len);
        self.spans.push(Span {
            range: start..self.end,
            place: self.place.clone(),
            what,
            value,
            fault,
        });
    }

    /// How many spans there are so far.
    #[allow(dead_code, reason = "only formats whose values stand one behind the other ask")]
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Takes all spans back but the first `len`, of which the last belongs to the present part or
    /// one around it.
    #[allow(dead_code, reason = "only formats whose values stand one behind the other ask")]
    pub(crate) fn truncate(&mut self, len: usize) {
        self.spans.truncate(len);
        self.end = self.spans.last().map_or(0, |span| span.range.end);
    }

    /// The spans of an input of `len` bytes. What has not been told is a span of its own, of the
    /// whole value.
    pub(crate) fn finish(mut self, len: usize) -> Vec<Span> {
        self.place = Place(None);
        self.put_rest(len);
        self.spans
    }

    /// What has not been told of the bytes before `end`.
    pub(crate) fn put_rest(&mut self, end: usize) {
        if self.end < end {
            self.put(end - self.end, "not read", String::new());
        }
    }
}

/// Bytes in hexadecimal, shortened.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use core::fmt::Write as _;

    let mut text = String::new();
    for byte in bytes.iter().take(SHOWN / 2) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    if bytes.len() > SHOWN / 2 {
        let _ = write!(text, "… ({} bytes)", bytes.len());
    }
    text
}

/// Text in quotes and escaped, shortened; bytes that are no UTF-8 in hexadecimal.
pub(crate) fn text(bytes: &[u8]) -> String {
    use core::fmt::Write as _;

    // One character takes at most four bytes, so this many hold all that is shown.
    let looked_at = bytes.get(..SHOWN * 4).unwrap_or(bytes);
    let valid = match core::str::from_utf8(looked_at) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && looked_at.len() < bytes.len() => {
            let valid = looked_at.get(..error.valid_up_to()).unwrap_or_default();
            core::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return hex(bytes),
    };
    let mut shown = String::from("\"");
    shown.extend(valid.chars().take(SHOWN).flat_map(char::escape_debug));
    if valid.chars().nth(SHOWN).is_some() {
        let _ = write!(shown, "…\" ({} bytes)", bytes.len());
    } else {
        shown.push('"');
    }
    shown
}
