//! The names of a record so far. Two that have one hash are refused, since no reader could distinguish them.

use alloc::vec::Vec;

use super::encoder::Encoder;
use crate::biniou::Result;
use crate::biniou::names::collision;
use crate::error::Segment;

/// A name and its hash.
pub(super) type Field = (u32, &'static str);

/// The names of up to so many fields are compared as they come. Where they are constants, the compiler
/// does that.
const FEW: usize = 8;

/// No field: hashes have 31 bits.
const NO_FIELD: Field = (u32::MAX, "");

#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// The last one first, while they are few.
    few: [Field; FEW],
    /// Where those of a larger record begin among the encoder's.
    many: Option<usize>,
}

impl Fields {
    pub(super) const NONE: Fields = Fields { few: [NO_FIELD; FEW], many: None };

    /// Begins a record that announces `len` fields.
    #[inline]
    pub(super) fn of(encoder: &Encoder, len: usize) -> Self {
        Fields { many: (len > FEW).then_some(encoder.fields.len()), ..Self::NONE }
    }

    /// Adds a field.
    #[inline]
    pub(super) fn add(&mut self, encoder: &mut Encoder, field: Field) {
        let [a, b, c, d, e, f, g, last] = self.few;
        let low = a.0 == field.0 || b.0 == field.0 || c.0 == field.0 || d.0 == field.0;
        let high = e.0 == field.0 || f.0 == field.0 || g.0 == field.0 || last.0 != NO_FIELD.0;
        match self.many {
            Some(_) => encoder.fields.push(field),
            None if low || high => self.many = Some(self.become_many(&mut encoder.fields, field)),
            None => self.few = [field, a, b, c, d, e, f, g],
        }
    }

    /// Moves the fields to those of the encoder: there are more, or one is there twice.
    #[cold]
    #[inline(never)]
    fn become_many(self, fields: &mut Vec<Field>, field: Field) -> usize {
        let start = fields.len();
        fields.extend(self.few.iter().rev().filter(|field| field.0 != NO_FIELD.0));
        fields.push(field);
        start
    }

    /// Ends the record. Refuses two fields with one hash.
    #[inline]
    pub(super) fn finish(self, encoder: &mut Encoder) -> Result<()> {
        match self.many {
            Some(start) => check(&mut encoder.fields, start),
            None => Ok(()),
        }
    }
}

#[inline(never)]
fn check(fields: &mut Vec<Field>, start: usize) -> Result<()> {
    let own = fields.get_mut(start..).unwrap_or_default();
    if are_distinct(own) {
        fields.truncate(start);
        return Ok(());
    }
    // Stable, so that the later one of two is refused.
    own.sort_by_key(|field| field.0);
    for pair in own.windows(2) {
        match *pair {
            [(hash, first), (other, second)] if hash == other => {
                return Err(collision(first, second, hash).inside(Segment::Field(second.into())));
            }
            _ => {}
        }
    }
    fields.truncate(start);
    Ok(())
}

/// Whether all hashes differ in a few of their bits, which shows in less time than sorting takes.
fn are_distinct(fields: &[Field]) -> bool {
    let mut seen = [0u64; 64];
    fields.iter().all(|(hash, _)| {
        let [low, high, ..] = hash.to_le_bytes();
        let bit = 1 << (high % 64);
        let word = seen.get_mut(usize::from(low % 64));
        word.is_some_and(|word| core::mem::replace(word, *word | bit) & bit == 0)
    })
}
