//! Fields that take zero bytes: an option that is none, or a field that was skipped. The bytes do not tell
//! which.
//!
//! Such a field is offered to its type: an `Option` takes it for none, and what does not take it counts as
//! missing, so that it gets its default. One thing takes it that may mean the latter: a function that reads
//! an option and makes an option of that (`deserialize_with`), to tell what is null from what is missing.
//! There the field counts as missing. Should the struct have no default for it, which shows when its visitor
//! refuses that, the document is read once more with this field offered. As often as that is done, there is
//! another such field among the types.

use alloc::vec::Vec;

use super::State;
use crate::glue::de::Shape;
use crate::glue::nested::{self, Owner};

/// An option that was read from an empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoneRead {
    /// How far inside it was, by the wrappers around it or by those that there may still be.
    wrappers: u16,
    /// What an option of it takes in memory.
    size: usize,
}

impl NoneRead {
    /// That one of a value of this shape was read.
    pub(super) const fn of(shape: Shape, wrappers: u16) -> Self {
        NoneRead { wrappers, size: shape.size_of_option }
    }

    /// Whether it was read as far inside as this, and what was made has the size of an option of it: a box or
    /// a cell with the option, or a number in place of it, has another one in nearly all cases.
    pub(super) fn made(self, shape: Shape, wrappers: u16) -> bool {
        self == NoneRead { wrappers, size: shape.size }
    }
}

/// A field, by the type around it and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Of a struct with fields of these names: it has no default.
    Offered(Owner, &'static [&'static str], usize),
    /// Of the variant with this id of an adjacently tagged enum: its type takes no empty slot.
    Missing(Owner, u32, usize),
}

/// What readings of the document so far have shown.
#[derive(Debug, Default)]
pub(super) struct Absences {
    known: Vec<Field>,
    /// Whether the document can be read once more.
    again: bool,
    /// Whether the last reading has shown more.
    learned: bool,
}

nested::known! { Field }

impl Absences {
    /// Those of a document that can be read once more.
    pub(super) fn of_document() -> Self {
        Absences { again: true, ..Absences::default() }
    }

    /// What the next reading knows, if this one has shown more.
    pub(super) fn for_next(&mut self) -> Option<Self> {
        let known = core::mem::take(&mut self.known);
        match self.learned {
            true => Some(Absences { known, again: true, learned: false }),
            false => {
                self.known = known;
                None
            }
        }
    }

    pub(super) fn knows(&self, field: Field) -> bool {
        self.known.contains(&field) || (self.again && is_known(&field))
    }

    /// Whether a field that its type takes for something may count as missing all the same.
    pub(super) fn presumes(&self, field: Field) -> bool {
        self.again && !self.knows(field)
    }

    /// Notes what a reading has shown.
    #[cold]
    pub(super) fn learn(&mut self, field: Field) {
        if self.presumes(field) {
            self.known.push(field);
            make_known(field);
            self.learned = true;
        }
    }
}

impl State {
    /// Notes that an option of a value of this shape was read from an empty slot.
    pub(super) fn note_none(&mut self, shape: Shape) {
        self.none = Some(NoneRead::of(shape, self.depth.depth().wrappers));
    }

    /// Whether an option was read from the slot at hand, and not from one further in or in a newtype struct,
    /// and what was made may be an option of that. An enum that is one itself reads itself.
    pub(super) fn was_none(&mut self, shape: Shape) -> bool {
        let wrappers = self.depth.depth().wrappers;
        !shape.is_enum && self.none.take().is_some_and(|none| none.made(shape, wrappers))
    }
}
