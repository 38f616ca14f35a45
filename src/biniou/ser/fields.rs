//! Which fields a record has so far, so that none comes twice. Knows hashes, does not know values.

use super::encoder::Encoder;
use super::length_slot::has_field;
use crate::biniou::Result;
use crate::biniou::names::{FieldCursor, TypesWritten};

/// Records of up to so many fields have their hashes compared here. Where the names of the fields are
/// constants, compilers do that, and nothing is left of it.
const FEW: usize = 8;

/// No field: hashes have 31 bits.
const NO_FIELD: (u32, &str) = (u32::MAX, "");

/// The fields so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// The last one first, while they are few.
    few: [(u32, &'static str); FEW],
    /// How far those of the type have come, once they are more.
    cursor: Option<FieldCursor>,
}

impl Fields {
    /// For values without names.
    pub(super) const NONE: Fields = Fields { few: [NO_FIELD; FEW], cursor: None };

    /// The start of a record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(names: &mut TypesWritten, name: &'static str, len: usize) -> Self {
        match len > FEW {
            true => Fields { cursor: Some(names.of(name)), ..Self::NONE },
            false => Self::NONE,
        }
    }

    /// Notes a field of the record that begins at `start` and has `count` fields. Refuses it if another
    /// one has its hash.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn add(
        &mut self,
        encoder: &mut Encoder,
        hash: u32,
        key: &'static str,
        (start, count): (usize, usize),
    ) -> Result<()> {
        if self.is_new(hash, key) {
            return Ok(());
        }
        let cursor = match self.cursor {
            Some(cursor) => cursor,
            None => self.leave_few(&mut encoder.names)?,
        };
        self.cursor = Some(match encoder.names.expects(cursor, hash, key) {
            true => cursor.advanced(),
            false => learn(encoder, cursor, hash, key, (start, count))?,
        });
        Ok(())
    }

    /// Notes a field that is left out, so that what follows is the same as if it were there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn skip(&mut self, names: &mut TypesWritten, hash: u32, key: &'static str) {
        if self.is_new(hash, key) {
            return;
        }
        // With few fields, nothing is lost if this one is not noted.
        self.cursor = self.cursor.map(|cursor| match names.expects(cursor, hash, key) {
            true => cursor.advanced(),
            false => names.skip(cursor, hash, key),
        });
    }

    /// Notes a field if these are few and none has its hash.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_new(&mut self, hash: u32, key: &'static str) -> bool {
        let [a, b, c, d, e, f, g, last] = self.few;
        let low = a.0 == hash || b.0 == hash || c.0 == hash || d.0 == hash;
        let high = e.0 == hash || f.0 == hash || g.0 == hash;
        if self.cursor.is_some() || last.0 != NO_FIELD.0 || low || high {
            return false;
        }
        self.few = [(hash, key), a, b, c, d, e, f, g];
        true
    }

    /// Hands the few fields to the names of types, since there are more, or one may come twice.
    #[cold]
    #[inline(never)]
    fn leave_few(self, names: &mut TypesWritten) -> Result<FieldCursor> {
        let few = self.few.iter().rev().filter(|field| field.0 != NO_FIELD.0);
        // All such types share one name. Fields that were left out are among these, so the record itself is
        // searched before a field is refused.
        few.copied().try_fold(names.of(""), |cursor, (hash, key)| {
            match names.expects(cursor, hash, key) {
                true => Ok(cursor.advanced()),
                false => names.learn(cursor, hash, key, || false),
            }
        })
    }
}

/// Notes a field that was not expected, in the record that begins at `start` with `count` fields.
#[cold]
#[inline(never)]
fn learn(
    encoder: &mut Encoder,
    cursor: FieldCursor,
    hash: u32,
    key: &'static str,
    (start, count): (usize, usize),
) -> Result<FieldCursor> {
    let Encoder { names, out, .. } = encoder;
    names.learn(cursor, hash, key, || has_field(out.written_from(start), count, hash))
}
