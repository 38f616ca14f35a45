//! Encodes the rows of a report as a stream of bytes, which `rows.js` reads: places that are entered and left, and the
//! parts in them.
//!
//! A step is a byte of [`op`] and its operands: numbers as LEB128, and texts ([`Texts`]).

use fourfold::Segment;

use super::choice::Shown;
use super::texts::Texts;
use crate::spans::Span;
use crate::write::count::number;

/// The first byte of a step.
mod op {
    /// A count: leaves that many places.
    pub(super) const LEAVE: u8 = 0;
    /// A text: enters the place of that name.
    pub(super) const NAME: u8 = 1;
    /// A number: enters the place at that position of a list.
    pub(super) const INDEX: u8 = 2;
    /// A length and two texts: a part of that many bytes, with its kind and its value.
    pub(super) const PART: u8 = 3;
    /// A text: a part with the length and kind of the last one, and that value.
    pub(super) const AGAIN: u8 = 4;
    /// A text: the error of the last part.
    pub(super) const ERROR: u8 = 5;
    /// A length: that many bytes belong to no part in the report.
    pub(super) const GAP: u8 = 6;
    /// Four lengths: the last part is cut; omitted, present, omitted and present bytes.
    pub(super) const CUT: u8 = 7;
    /// Leaves the place and enters the next position; then as `AGAIN`.
    pub(super) const NEXT: u8 = 8;
    /// A count: as `NEXT`, repeated, with the value of the last part.
    pub(super) const REPEAT: u8 = 9;
}

/// Encodes rows.
pub(super) struct Rows {
    /// The steps since the last part was added.
    out: Vec<u8>,
    texts: Texts,
    /// The current place.
    place: Vec<Segment>,
    /// For each segment of `place`, the number of rows when it was entered.
    entered: Vec<u64>,
    /// The end of the last part.
    end: usize,
    last: Last,
    /// Number of `NEXT`s with the same value that are not written yet.
    repeats: u64,
    count: u64,
}

/// The last part.
#[derive(Default, PartialEq, Eq)]
struct Last {
    len: usize,
    what: String,
    value: String,
    /// Whether it has no error and is not cut, so that `REPEAT` can repeat it.
    is_plain: bool,
}

impl Rows {
    pub(super) fn new() -> Self {
        Rows {
            out: Vec::new(),
            texts: Texts::default(),
            place: Vec::new(),
            entered: Vec::new(),
            end: 0,
            last: Last::default(),
            repeats: 0,
            count: 0,
        }
    }

    /// Adds a part, and the places that contain it. Returns the next bytes of the stream.
    pub(super) fn put(&mut self, span: &Span, shown: &Shown) -> &[u8] {
        self.out.clear();
        let place = span.place.segments();
        let common = place.iter().zip(&self.place).take_while(|(new, old)| **new == *old).count();
        let gap = span.range.start.saturating_sub(self.end);
        let same = self.last.len == span.range.len() && self.last.what == span.what;
        let is_plain = span.error.is_none() && shown.is_whole(&span.range);
        let next = gap == 0 && self.follows(&place, common);
        if next && same && is_plain && self.last.is_plain && self.last.value == span.value {
            self.repeats += 1;
            self.step_on();
        } else {
            self.put_repeats();
            if next && same {
                self.step_on();
                self.out.push(op::NEXT);
            } else {
                self.go(&place, common, gap);
                match same {
                    true => self.out.push(op::AGAIN),
                    false => {
                        self.out.push(op::PART);
                        self.put_len(span.range.len());
                        self.texts.put(&mut self.out, &span.what);
                    }
                }
            }
            self.texts.put(&mut self.out, &span.value);
            if !shown.is_whole(&span.range) {
                self.out.push(op::CUT);
                let mut at = span.range.start;
                for piece in &shown.pieces {
                    self.put_len(piece.start - at);
                    self.put_len(piece.len());
                    at = piece.end;
                }
            }
            if let Some(error) = &span.error {
                self.out.push(op::ERROR);
                self.texts.put(&mut self.out, error);
            }
            self.last = Last {
                len: span.range.len(),
                what: span.what.to_string(),
                value: span.value.clone(),
                is_plain,
            };
        }
        self.count += 1;
        self.end = span.range.end;
        &self.out
    }

    /// Adds bytes of unknown meaning. Returns the next bytes of the stream.
    pub(super) fn put_unknown(&mut self, len: usize) -> &[u8] {
        self.out.clear();
        self.out.push(op::PART);
        self.put_len(len);
        self.texts.put(&mut self.out, "bytes");
        self.texts.put(&mut self.out, "");
        self.count += 1;
        &self.out
    }

    /// Ends the stream. Returns its last bytes.
    pub(super) fn finish(&mut self) -> &[u8] {
        self.out.clear();
        self.put_repeats();
        self.go(&[], 0, 0);
        &self.out
    }

    /// Number of rows.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    pub(super) const fn texts(&self) -> u64 {
        self.texts.count()
    }

    /// Whether `place` is the next position in the list of the current place.
    fn follows(&self, place: &[&Segment], common: usize) -> bool {
        match (self.place.as_slice(), place) {
            ([.., Segment::Index(old)], [.., Segment::Index(new)]) => {
                place.len() == self.place.len()
                    && common + 1 == place.len()
                    && old.checked_add(1) == Some(*new)
            }
            _ => false,
        }
    }

    /// Moves to the next position of the list.
    fn step_on(&mut self) {
        self.merge();
        self.count += 1;
        if let Some(entered) = self.entered.last_mut() {
            *entered = self.count;
        }
        if let Some(Segment::Index(index)) = self.place.last_mut() {
            *index += 1;
        }
    }

    /// A place that contains only one part shares its row.
    fn merge(&mut self) {
        self.count -=
            u64::from(self.entered.last().is_some_and(|entered| entered + 1 == self.count));
    }

    /// Leaves and enters places until `place` is the current one.
    fn go(&mut self, place: &[&Segment], common: usize, gap: usize) {
        if self.place.len() > common {
            self.out.push(op::LEAVE);
            self.put_len(self.place.len() - common);
            self.merge();
            self.place.truncate(common);
            self.entered.truncate(common);
        }
        if gap > 0 {
            self.out.push(op::GAP);
            self.put_len(gap);
        }
        for segment in place.iter().skip(common) {
            self.count += 1;
            match segment {
                Segment::Index(index) => {
                    self.out.push(op::INDEX);
                    self.put_len(*index);
                }
                Segment::Field(name) => {
                    self.out.push(op::NAME);
                    self.texts.put(&mut self.out, name);
                }
                Segment::Slot(slot) => {
                    self.out.push(op::NAME);
                    self.texts.put(&mut self.out, &slot.to_string());
                }
                _ => {
                    self.out.push(op::NAME);
                    self.texts.put(&mut self.out, "?");
                }
            }
            self.place.push((*segment).clone());
            self.entered.push(self.count);
        }
    }

    fn put_repeats(&mut self) {
        if self.repeats > 0 {
            self.out.push(op::REPEAT);
            put_number(&mut self.out, self.repeats);
            self.repeats = 0;
        }
    }

    fn put_len(&mut self, len: usize) {
        put_number(&mut self.out, number(len));
    }
}

pub(super) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            return out.push(low & 0x7f);
        }
        out.push(low | 0x80);
    }
}
