//! The types met so far and which of their parts have been shown. Knows names, does not know serde.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// How much of a value is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Everything that a type can show.
    Full,
    /// As little as it accepts, so that types that contain themselves come to an end.
    Spare,
}

/// A type within itself is shown in full so many times. More than once, because two types may look
/// alike: those that one generic type becomes.
const MOST_OPEN: usize = 3;

/// A type is shown in full so many times in one pass.
const MOST_SHOWN: usize = 16;

/// What tells types apart: the name, and where the list of fields or variants is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    name: &'static str,
    parts: (usize, usize),
}

impl Key {
    pub(super) fn new(name: &'static str, parts: &'static [&'static str]) -> Self {
        Key { name, parts: (parts.as_ptr().addr(), parts.len()) }
    }
}

/// A type.
#[derive(Default)]
struct Kind {
    parts: Vec<Part>,
    /// Values of it that are being made.
    open: usize,
    /// Values of it that this pass has begun in full.
    shown: usize,
}

/// A field or variant.
#[derive(Clone, Copy, Default)]
struct Part {
    /// Has been made, or was at least begun.
    is_begun: bool,
    /// Has been made: it has an end, and is not refused.
    is_made: bool,
    /// Of a variant: nothing in it is left to show.
    is_complete: bool,
    /// Of a field: its name was refused.
    is_refused: bool,
    /// Being made, so many times within itself.
    open: usize,
    /// How often it was begun.
    tries: usize,
}

/// How a variant was chosen.
pub(super) struct Choice {
    /// What was left to show, of the values before.
    was_pending: bool,
    /// Whether all is shown that the type has at this place.
    is_full: bool,
}

/// All types met so far.
#[derive(Default)]
pub(super) struct Kinds {
    kinds: BTreeMap<Key, Kind>,
    /// Whether this pass has shown something new.
    pub(super) has_news: bool,
    /// Whether this pass has left out something that it met.
    pub(super) is_pending: bool,
    /// How many parts have been begun, over all passes.
    pub(super) begun: usize,
}

impl Kinds {
    /// Begins a pass, wherever the last one ended.
    pub(super) fn begin(&mut self) {
        self.has_news = false;
        self.is_pending = false;
        for kind in self.kinds.values_mut() {
            kind.open = 0;
            kind.shown = 0;
            for part in &mut kind.parts {
                part.open = 0;
            }
        }
    }

    /// Begins a value of a type, and says how much of it to make.
    pub(super) fn open(&mut self, key: Key, parts: usize) -> Mode {
        let kind = self
            .kinds
            .entry(key)
            .or_insert_with(|| Kind { parts: vec![Part::default(); parts], ..Kind::default() });
        kind.open += 1;
        if kind.open > MOST_OPEN || kind.shown >= MOST_SHOWN {
            return Mode::Spare;
        }
        kind.shown += 1;
        Mode::Full
    }

    pub(super) fn close(&mut self, key: Key) {
        if let Some(kind) = self.kinds.get_mut(&key) {
            kind.open = kind.open.saturating_sub(1);
        }
    }

    fn part(&mut self, key: Key, index: usize) -> Option<&mut Part> {
        self.kinds.get_mut(&key)?.parts.get_mut(index)
    }

    fn begin_part(&mut self, key: Key, index: usize) {
        let Some(part) = self.part(key, index) else {
            return;
        };
        part.tries += 1;
        if !part.is_begun {
            part.is_begun = true;
            self.begun += 1;
            self.has_news = true;
        }
    }

    /// The order in which to make the fields of a struct: new ones first, and those that were refused before
    /// last, since a refusal ends the struct.
    pub(super) fn order(&self, key: Key) -> Vec<usize> {
        let Some(kind) = self.kinds.get(&key) else {
            return Vec::new();
        };
        let parts = kind.parts.iter().enumerate().filter(|(_, part)| !part.is_refused);
        let mut order: Vec<(usize, bool, bool)> =
            parts.map(|(index, part)| (index, part.is_begun, part.is_made)).collect();
        order.sort_by_key(|(_, is_begun, is_made)| match (is_begun, is_made) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        });
        order.into_iter().map(|(index, _, _)| index).collect()
    }

    /// Tells a struct the name of a field, which it may refuse: an alias of one it has, say.
    pub(super) fn offer(&mut self, key: Key, index: usize) {
        if let Some(part) = self.part(key, index) {
            part.is_refused = !part.is_made;
        }
        self.begin_part(key, index);
    }

    /// The struct asks for the value of a field.
    pub(super) fn accept(&mut self, key: Key, index: usize) {
        if let Some(part) = self.part(key, index) {
            part.is_refused = false;
        }
    }

    /// A field has its value.
    pub(super) fn made(&mut self, key: Key, index: usize) {
        if let Some(part) = self.part(key, index) {
            part.is_made = true;
        }
    }

    /// Chooses a variant of an enum to make. `None` if each would contain the enum without end.
    pub(super) fn choose(&mut self, key: Key, mode: Mode) -> Option<(usize, Choice)> {
        let parts = &self.kinds.get(&key)?.parts;
        let rank = |part: &Part| match mode {
            // What shows most; then in turn.
            Mode::Full if part.is_complete => (2, part.tries),
            Mode::Full if part.is_begun => (1, part.tries),
            Mode::Full => (0, 0),
            // What ends, for sure or perhaps.
            Mode::Spare if part.is_made => (0, 0),
            Mode::Spare => (1, part.tries),
        };
        let ends = |part: &Part| mode == Mode::Full || part.is_made || part.open == 0;
        let candidates = parts.iter().enumerate().filter(|(_, part)| ends(part));
        let (index, _) = candidates.min_by_key(|(_, part)| rank(part))?;

        match mode {
            Mode::Full => self.begin_part(key, index),
            Mode::Spare => self.part(key, index)?.tries += 1,
        }
        self.part(key, index)?.open += 1;
        let was_pending = core::mem::take(&mut self.is_pending);
        Some((index, Choice { was_pending, is_full: mode == Mode::Full }))
    }

    /// The variant chosen has been made.
    pub(super) fn chosen(&mut self, key: Key, index: usize, choice: Choice) {
        let is_pending = self.is_pending;
        let Some(kind) = self.kinds.get_mut(&key) else {
            return;
        };
        if let Some(part) = kind.parts.get_mut(index) {
            part.open = part.open.saturating_sub(1);
            part.is_made = true;
            part.is_complete |= choice.is_full && !is_pending;
        }
        // The outer value of the same type shows the rest.
        let has_more = kind.open == 1 && kind.parts.iter().any(|part| !part.is_complete);
        self.is_pending |= choice.was_pending || has_more;
    }
}
