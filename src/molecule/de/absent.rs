//! Fields that take zero bytes: an option that is `None`, or a field that was skipped. The bytes do
//! not tell which. Knows when such a field counts as missing, does not know how fields are read.
//!
//! An empty slot is first read as the field's type. An `Option` reads `None`. A type that fails
//! makes the field missing, so that it gets its default. One case could be either: a function
//! (`deserialize_with`) that reads an option and returns an option of it, to tell null from
//! missing. Such a field counts as missing. If the struct has no default for it, its visitor fails,
//! and the document is read again with this field read as its type. This happens at most once for
//! each such field of the types.

use alloc::vec::Vec;

use crate::glue::de::Shape;
use crate::glue::nested::{self, Owner};

/// An option that was read from an empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoneRead {
    /// How many wrappers may still be entered, which says how deep the option was.
    wrappers: u16,
    /// The size in memory of an option of it.
    size: usize,
}

impl NoneRead {
    /// For an option of a value of this shape.
    pub(super) const fn of(shape: Shape, wrappers: u16) -> Self {
        NoneRead { wrappers, size: shape.size_of_option }
    }

    /// Whether it was read at this depth, and a value of this shape may be an option of it. The
    /// size tells: a box or cell of the option, or a number made of it, nearly always has another
    /// size.
    pub(super) fn made(self, shape: Shape, wrappers: u16) -> bool {
        self == NoneRead { wrappers, size: shape.size }
    }
}

/// A field, by the type around it and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A field of a struct with these field names: it has no default, so its empty slot is read.
    Offered(Owner, &'static [&'static str], usize),
    /// A field of an adjacently tagged variant with this id: its type cannot be read from an empty
    /// slot.
    Missing(Owner, u32, usize),
}

/// What the readings of the document have shown so far.
#[derive(Debug, Default)]
pub(super) struct Absences {
    known: Vec<Field>,
    /// Whether the document can be read again.
    again: bool,
    /// Whether the last reading has shown more.
    learned: bool,
}

nested::known! { Field }

impl Absences {
    /// For a document that can be read again.
    pub(super) fn of_document() -> Self {
        Absences { again: true, ..Absences::default() }
    }

    /// What the next reading starts with, if this one has shown more.
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

    /// Whether a field may count as missing although its type could be read.
    pub(super) fn presumes(&self, field: Field) -> bool {
        self.again && !self.knows(field)
    }

    /// Records what a reading has shown.
    #[cold]
    pub(super) fn learn(&mut self, field: Field) {
        if self.presumes(field) {
            self.known.push(field);
            make_known(field);
            self.learned = true;
        }
    }
}
