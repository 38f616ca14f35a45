//! What each byte of a file is, for annotated hex dumps. The `explain` of each format cuts its
//! bytes into spans.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

use fourfold::Segment;

use super::LOOKED_AT;
use super::place::Place;
use super::text::{SHOWN, hex, hex_up_to, quoted, text};

/// A run of bytes and what it is. The spans of a file come in order and hold each of its bytes
/// once; a span without bytes says what is missing where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which bytes, counted from the start of the input.
    pub range: Range<usize>,
    /// The nested value that they belong to.
    pub place: Place,
    /// What they are, in the words of the format: `magic`, `count of nodes`, `field tag`.
    pub what: Cow<'static, str>,
    /// Their meaning, on one line; long text and data are shortened. Empty if there is nothing to
    /// add.
    pub value: String,
    /// What is wrong with them. Later bytes are still explained as far as the format shows where
    /// the next value begins.
    pub error: Option<String>,
}

impl Span {
    /// The value with up to `most` characters of a text or of hexadecimal digits, where the [value](Span::value) has 64.
    /// `input` is what was explained.
    pub fn value_up_to(&self, most: usize, input: &[u8]) -> Cow<'_, str> {
        let bytes = input.get(self.range.clone()).unwrap_or_default();
        if bytes.len() > SHOWN / 2 {
            // Other values are complete. `text` includes hexadecimal digits.
            if hex(bytes) == self.value {
                return Cow::Owned(hex_up_to(bytes, most));
            }
            if text(bytes) == self.value {
                let start = bytes.get(..most.saturating_mul(4)).unwrap_or(bytes);
                let valid = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
                return Cow::Owned(quoted(valid, most, bytes.len()));
            }
        }
        Cow::Borrowed(&self.value)
    }
}

/// Takes spans one by one. [`ControlFlow::Break`] ends the walk.
pub type Each<'s> = dyn FnMut(Span) -> ControlFlow<()> + 's;

/// How many spans wait in case that what is wrong with them shows after them: more than the longest
/// shape has dims.
const WAITING: usize = 80;

/// Cuts an input into spans, each from where the one before ended: no byte is left out or in two spans. Hands on the spans
/// of one part of the input; no text is made for others.
pub(super) struct Spans<'s> {
    /// A look ahead gives no spans.
    each: Option<&'s mut Each<'s>>,
    wanted: Wanted<'s>,
    place: Place,
    end: usize,
    /// How many spans more there may be before the walk ends by itself.
    most: usize,
    has_error: bool,
    is_stopped: bool,
    verdict: Option<Verdict>,
    waiting: VecDeque<Span>,
    /// How many spans wait.
    delay: usize,
    /// Whether the span before this is the last that waits.
    is_last_shown: bool,
}

/// What a reader says of the same input. Errors before it are none.
struct Verdict {
    /// Where the input is refused, if it is.
    refused: Option<usize>,
    /// What is wrong with which bytes, in their order.
    errors: VecDeque<(usize, String)>,
}

impl<'s> Spans<'s> {
    /// Hands on the spans of the part at `path`, written as a [`Place`] is, and of all parts inside it; an empty path
    /// means all.
    pub(super) fn new(path: &'s str, each: &'s mut Each<'s>) -> Self {
        Spans::of(Some(each), Wanted::new(path), usize::MAX)
    }

    /// Those of an input that nothing is known of yet.
    fn of(each: Option<&'s mut Each<'s>>, wanted: Wanted<'s>, most: usize) -> Self {
        Spans {
            each,
            wanted,
            place: Place(None),
            end: 0,
            most,
            has_error: false,
            is_stopped: false,
            verdict: None,
            waiting: VecDeque::new(),
            delay: 0,
            is_last_shown: false,
        }
    }
}

impl Spans<'_> {
    /// Makes no spans: looks how far the input goes, as far as a look ahead goes.
    pub(super) fn looking() -> Self {
        Spans::of(None, Wanted::nothing(), LOOKED_AT)
    }

    /// From here on spans wait for a while, so that errors can be added to them.
    pub(super) fn delay(&mut self) {
        self.delay = WAITING;
    }

    /// From here on the errors of spans agree with what a reader says of the same bytes: none before the byte at which it
    /// refuses them, none at all if it accepts them. `errors` are errors and their offsets, in order, which are added to
    /// the spans there. Requires [`delay`](Spans::delay).
    pub(super) fn judge(
        &mut self,
        refused: Option<usize>,
        errors: impl IntoIterator<Item = (usize, String)>,
    ) {
        self.flush_verdict();
        self.verdict = Some(Verdict { refused, errors: errors.into_iter().collect() });
    }

    /// Adds all that is left of the verdict to the last span.
    fn flush_verdict(&mut self) {
        // If the walk was stopped, the error may be far after the last span.
        let end = if self.is_stopped { self.end } else { usize::MAX };
        self.add_errors(|at| at < end);
    }

    /// Where the next span begins.
    pub(super) const fn offset(&self) -> usize {
        self.end
    }

    /// Whether no more spans are wanted.
    pub(super) const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Whether anything so far was wrong.
    pub(super) const fn has_error(&self) -> bool {
        self.has_error
    }

    /// Whether nothing of the present part is wanted: it may be skipped.
    pub(super) const fn is_hidden(&self) -> bool {
        self.wanted.hidden > 0
    }

    /// The first item of the present part, from `index` on, of which anything is wanted: those before it may be
    /// [passed](Spans::pass).
    pub(super) fn first_wanted(&self, index: usize) -> usize {
        self.wanted.first_item(index)
    }

    /// From here on, until [`leave`](Self::leave), bytes belong to that part of the present one.
    pub(super) fn enter(&mut self, segment: impl FnOnce() -> Segment) {
        let is_first = self.place.is_empty();
        if let Some(segment) = self.wanted.enter(is_first, segment) {
            self.place = self.place.part(segment);
        }
    }

    /// Returns to the part around the present one.
    pub(super) fn leave(&mut self) {
        if self.is_hidden() {
            self.wanted.hidden -= 1;
            return;
        }
        self.is_stopped |= self.wanted.leave();
        self.place = match &self.place.0 {
            Some(step) => step.outer.clone(),
            None => Place(None),
        };
    }

    /// The next `len` bytes.
    pub(super) fn put(&mut self, len: usize, what: &'static str, value: impl FnOnce() -> String) {
        self.put_named(len, || what.into(), value, None);
    }

    /// The next `len` bytes, which are wrong.
    pub(super) fn put_wrong(
        &mut self,
        len: usize,
        what: &'static str,
        value: impl FnOnce() -> String,
        error: String,
    ) {
        self.put_named(len, || what.into(), value, Some(error));
    }

    /// The next `len` bytes, of which nothing is wanted.
    pub(super) fn pass(&mut self, len: usize) {
        self.step(len);
        self.is_last_shown = false;
    }

    /// Moves on by `len` bytes, and returns where they begin. Drops the errors of bytes before them.
    fn step(&mut self, len: usize) -> usize {
        let start = self.end;
        self.end = start.saturating_add(len);
        match self.most.checked_sub(1) {
            Some(most) => self.most = most,
            None => self.is_stopped = true,
        }
        start
    }

    /// The next `len` bytes: what they are, their value, and the error if they are wrong.
    pub(super) fn put_named(
        &mut self,
        len: usize,
        what: impl FnOnce() -> Cow<'static, str>,
        value: impl FnOnce() -> String,
        error: Option<String>,
    ) {
        let start = self.step(len);
        self.has_error |= error.is_some();
        // Errors of a byte within the span before, which has no span of its own.
        self.add_errors(|at| at < start);
        let is_shown = self.wanted.is_whole() && !self.is_stopped;
        self.is_last_shown = is_shown;
        if is_shown {
            let error = error.filter(|_| self.is_believed(start));
            let (range, place) = (start..self.end, self.place.clone());
            self.waiting.push_back(Span { range, place, what: what(), value: value(), error });
        }
        self.add_errors(|at| at == start);
        while self.waiting.len() > self.delay {
            self.hand_on();
        }
    }

    /// Adds the reader's errors that concern the last span.
    fn add_errors(&mut self, concerns: impl Fn(usize) -> bool) {
        let Some(verdict) = &mut self.verdict else { return };
        while verdict.errors.front().is_some_and(|(at, _)| concerns(*at)) {
            let Some((_, error)) = verdict.errors.pop_front() else { return };
            if let Some(last) = self.waiting.back_mut().filter(|_| self.is_last_shown) {
                add_error(last, error);
            }
        }
    }

    /// Whether what seems wrong at `start` is wrong.
    fn is_believed(&self, start: usize) -> bool {
        let verdict = self.verdict.as_ref();
        verdict.is_none_or(|verdict| verdict.refused.is_some_and(|at| start >= at))
    }

    /// Adds an error to the recent span that begins at `offset`, or contains it.
    pub(crate) fn note(&mut self, offset: usize, error: String) {
        self.has_error = true;
        let at = self.waiting.partition_point(|span| span.range.start < offset);
        let begins = self.waiting.get(at).is_some_and(|span| span.range.start == offset);
        let at = if begins { at } else { at.saturating_sub(1) };
        let Some(start) = self.waiting.get(at).map(|span| span.range.start) else { return };
        let is_believed = self.is_believed(start);
        if let Some(span) = self.waiting.get_mut(at).filter(|_| is_believed) {
            if begins || span.range.contains(&offset) {
                add_error(span, error);
            }
        }
    }

    fn hand_on(&mut self) {
        if let (Some(span), Some(each)) = (self.waiting.pop_front(), &mut self.each) {
            if each(span).is_break() {
                self.is_stopped = true;
                self.waiting.clear();
            }
        }
    }

    /// The end of an input of `len` bytes. Bytes without a span get one, of the whole value.
    pub(super) fn finish(mut self, len: usize) {
        self.put_rest(len);
        self.flush_verdict();
        while !self.waiting.is_empty() {
            self.hand_on();
        }
    }

    /// A span of the bytes before `end` that have none.
    pub(super) fn put_rest(&mut self, end: usize) {
        if self.end < end && !self.is_stopped {
            self.put(end - self.end, "not read", String::new);
        }
    }
}

fn add_error(span: &mut Span, error: String) {
    match &mut span.error {
        Some(known) if known.contains(&error) => {}
        Some(known) => {
            known.push_str("; ");
            known.push_str(&error);
        }
        none => *none = Some(error),
    }
}

/// Which value is selected, and how far the current one is on the path to it.
struct Wanted<'s> {
    path: &'s str,
    /// How many bytes of the path the current value matches.
    matched: usize,
    /// The same for the values around it, and whether there is only one of each.
    outer: Vec<(usize, bool)>,
    /// How many levels deeper this is than the last value on the path.
    hidden: usize,
}

impl<'s> Wanted<'s> {
    fn new(path: &'s str) -> Self {
        let path = path.trim_start_matches('.');
        Wanted { path, matched: 0, outer: Vec::new(), hidden: 0 }
    }

    fn nothing() -> Self {
        Wanted { hidden: 1, ..Wanted::new("") }
    }

    /// Whether the current value is selected with everything inside it.
    fn is_whole(&self) -> bool {
        self.hidden == 0 && self.matched == self.path.len()
    }

    fn rest(&self) -> &'s str {
        self.path.get(self.matched..).unwrap_or_default()
    }

    /// Enters a nested value. Returns the step if anything inside is selected.
    fn enter(&mut self, is_first: bool, segment: impl FnOnce() -> Segment) -> Option<Segment> {
        if self.hidden > 0 {
            self.hidden += 1;
            return None;
        }
        let segment = segment();
        let rest = self.rest();
        let Some(len) = (if rest.is_empty() { Some(0) } else { common(rest, is_first, &segment) })
        else {
            self.hidden = 1;
            return None;
        };
        // A name from the input may be there twice; a name from the format and a number are not.
        let is_single = !matches!(segment, Segment::Field(Cow::Owned(_)))
            && self.outer.last().is_none_or(|(_, is_single)| *is_single);
        self.outer.push((self.matched, is_single));
        self.matched += len;
        Some(segment)
    }

    /// Leaves a nested value in which something was selected; returns whether nothing else can match.
    fn leave(&mut self) -> bool {
        let Some((matched, is_single)) = self.outer.pop() else { return false };
        let was_on_the_way = self.matched > matched;
        self.matched = matched;
        was_on_the_way && is_single
    }

    fn first_item(&self, index: usize) -> usize {
        match self.rest().starts_with('[') {
            _ if self.hidden > 0 => usize::MAX,
            false => index,
            true => match leading_index(self.rest()) {
                Some((only, _)) if index <= only => only,
                _ => usize::MAX,
            },
        }
    }
}

/// The number of an item that a path begins with, and how long it is there.
fn leading_index(path: &str) -> Option<(usize, usize)> {
    let (digits, _) = path.strip_prefix('[')?.split_once(']')?;
    // `parse` takes a sign.
    let index = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
    Some((index, digits.len() + "[]".len()))
}

/// How much of `path` a step has, if it is one on the way there.
fn common(path: &str, is_first: bool, segment: &Segment) -> Option<usize> {
    // Of many items nearly none is it, which should not take long to see.
    if let Segment::Index(index) = segment {
        return leading_index(path).filter(|(only, _)| only == index).map(|(_, len)| len);
    }
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
    let dot = if is_first { "" } else { "." };
    let text = format!("{dot}{segment}");
    if let Some(rest) = path.strip_prefix(text.as_str()) {
        return ends(rest).then_some(text.len());
    }
    // A name that has a dot or bracket itself, without the quotes that it is written in.
    let Segment::Field(name) = segment else { return None };
    let rest = path.strip_prefix(dot)?;
    match (rest.strip_prefix(&**name), name.strip_prefix(rest)) {
        (Some(after), _) if ends(after) => Some(dot.len() + name.len()),
        (_, Some(after)) if ends(after) => Some(path.len()),
        _ => None,
    }
}
