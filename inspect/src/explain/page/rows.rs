//! The rows of a page as a stream of bytes: places that are entered and left, and the parts in them.
//! `rows.js` reads it.
//!
//! A step is a byte of [`op`] and what it says there: numbers of 7 bits per byte, the lowest first,
//! where all bytes but the last have bit 7 set; and texts ([`Texts`]).

use fourfold::{Segment, Span};

use super::choice::Shown;
use super::texts::Texts;
use crate::write::count::number;

/// What a step of the stream begins with.
mod op {
    /// A count: so many places are left.
    pub(super) const LEAVE: u8 = 0;
    /// A text: the place of that name is entered.
    pub(super) const NAME: u8 = 1;
    /// A number: the place at that position of a list is entered.
    pub(super) const INDEX: u8 = 2;
    /// A length and two texts: a part of so many bytes, what it is and what it says.
    pub(super) const PART: u8 = 3;
    /// A text: a part as long as the last one, of the same kind, which says that.
    pub(super) const AGAIN: u8 = 4;
    /// A text: what is wrong with the last part.
    pub(super) const FAULT: u8 = 5;
    /// A length: so many bytes belong to no part of the page.
    pub(super) const GAP: u8 = 6;
    /// Four lengths: of the last part, so many bytes are not there, so many are, and so once more.
    pub(super) const CUT: u8 = 7;
    /// The place is left and the one at the next position entered; then as `AGAIN`.
    pub(super) const NEXT: u8 = 8;
    /// A count: as `NEXT`, so many times, with the text of the last part.
    pub(super) const REPEAT: u8 = 9;
}

/// Writes rows.
pub(super) struct Rows {
    /// The steps since the last part was added.
    out: Vec<u8>,
    texts: Texts,
    /// The present place.
    place: Vec<Segment>,
    /// For each step of it, how many rows there were when it was entered.
    entered: Vec<u64>,
    /// Where the last part ended.
    end: usize,
    last: Last,
    /// How many `NEXT`s with the same text are not written yet.
    repeats: u64,
    count: u64,
}

/// The last part.
#[derive(Default, PartialEq, Eq)]
struct Last {
    len: usize,
    what: String,
    value: String,
    /// Whether it has nothing that a later part does not repeat.
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

    /// Adds a part, and the places that it is in. Gives the next bytes of the stream.
    pub(super) fn put(&mut self, span: &Span, shown: &Shown) -> &[u8] {
        self.out.clear();
        let place = span.place.segments();
        let common = place.iter().zip(&self.place).take_while(|(new, old)| **new == *old).count();
        let gap = span.range.start.saturating_sub(self.end);
        let same = self.last.len == span.range.len() && self.last.what == span.what;
        let is_plain = span.fault.is_none() && shown.is_whole(&span.range);
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
            if let Some(fault) = &span.fault {
                self.out.push(op::FAULT);
                self.texts.put(&mut self.out, fault);
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

    /// Adds bytes of which nothing is known. Gives the next bytes of the stream.
    pub(super) fn put_unknown(&mut self, len: usize) -> &[u8] {
        self.out.clear();
        self.out.push(op::PART);
        self.put_len(len);
        self.texts.put(&mut self.out, "bytes");
        self.texts.put(&mut self.out, "");
        self.count += 1;
        &self.out
    }

    /// Ends the stream. Gives the last bytes of it.
    pub(super) fn finish(&mut self) -> &[u8] {
        self.out.clear();
        self.put_repeats();
        self.go(&[], 0, 0);
        &self.out
    }

    /// How many rows there are.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    pub(super) const fn texts(&self) -> u64 {
        self.texts.count()
    }

    /// Whether the place is the one behind the present one in a list.
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

    /// To the next position of the list.
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

    /// A place with one part and nothing else is one row together with it.
    fn merge(&mut self) {
        self.count -=
            u64::from(self.entered.last().is_some_and(|entered| entered + 1 == self.count));
    }

    /// Leaves and enters places.
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
