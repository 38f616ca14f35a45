//! Where a field ends, by its first bytes.
//!
//! What a loop over rows calls for each of them is always inlined.

use core::num::NonZeroU32;

use fourfold::biniou::wire::{NONE, SOME, Tag, VINT_MORE};

use super::{HEAD, low};

/// A field is looked at in so many bytes: its head, what is before the value of an option, and the longest
/// number of OCaml.
pub(super) const WINDOW: usize = 2 * WORD;
const WORD: usize = 8;

/// Those bits of a field that determine its size. Fields that have the same bits take the same number: so the
/// next field need not wait for more than the forecast that this one looks like the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    first: Bits,
    /// How many bytes there are, if the first word shows it.
    whole: Option<NonZeroU32>,
    /// If not, how many there are, those of a string aside.
    size: u32,
    more: More,
}

/// Bits that a word has.
#[derive(Clone, Copy, Debug, Default)]
struct Bits {
    mask: u64,
    bits: u64,
}

/// What is to be looked at after the first word.
#[derive(Clone, Copy, Debug)]
enum More {
    /// The last byte: the length of a string.
    Length,
    /// The second word.
    Word(Bits),
}

impl Look {
    /// That of no field.
    pub(super) const NEVER: Look =
        Look { first: Bits { mask: 0, bits: 1 }, whole: None, size: 0, more: More::Length };

    /// That of an option without a value.
    pub(super) fn none(head: [u8; HEAD]) -> Look {
        Known::default().exactly(&head).exactly(&[NONE]).look()
    }

    /// That of a field which begins the window. `option` is the tag of the value, if it is an option. None, if that or
    /// the head is another one.
    pub(super) fn of(head: [u8; HEAD], option: Option<u8>, window: &[u8; WINDOW]) -> Option<Look> {
        let [.., tag] = head;
        let front = Known::default().exactly(&head);
        let front = option.map_or(front, |tag| front.exactly(&[SOME, tag]));
        let (found, value) = window.split_at_checked(front.size)?;
        if found.iter().zip(front.bits.to_le_bytes()).any(|(found, byte)| *found != byte) {
            return None;
        }
        Some(match Tag::from_byte(option.unwrap_or(tag))? {
            Tag::Bool => front.then(!1, 0).look(),
            Tag::String => {
                let look = front.then(VINT_MORE, 0).look();
                Look { whole: None, more: More::Length, ..look }
            }
            Tag::Svint | Tag::Uvint => {
                let more = value.iter().position(|byte| *byte < VINT_MORE)?;
                let number = (0..more).fold(front, |known, _| known.then(VINT_MORE, VINT_MORE));
                number.then(VINT_MORE, 0).look()
            }
            tag => Known { size: front.size + tag.fixed_size()?, ..front }.look(),
        })
    }

    /// How many bytes the field takes that begins there, if it looks so. None, if it does not, or less than a window is
    /// left.
    #[inline(always)]
    pub(super) fn size(&self, bytes: &[u8], at: u32) -> Option<u32> {
        let at = low(at);
        let window: &[u8; WINDOW] = bytes.get(at..at + WINDOW)?.first_chunk()?;
        let (word, second) = window.split_first_chunk::<WORD>()?;
        if !self.first.are_in(*word) {
            return None;
        }
        if let Some(whole) = self.whole {
            return Some(whole.get());
        }
        match self.more {
            More::Length => {
                let length = word.get(low(self.size.wrapping_sub(1)) % WORD)?;
                Some(self.size + u32::from(*length))
            }
            More::Word(bits) => bits.are_in(*second.first_chunk()?).then_some(self.size),
        }
    }
}

impl Bits {
    #[inline(always)]
    fn are_in(self, word: [u8; WORD]) -> bool {
        u64::from_le_bytes(word) & self.mask == self.bits
    }
}

/// The first bytes of a field, as far as they are known.
#[derive(Clone, Copy, Default)]
struct Known {
    mask: u128,
    bits: u128,
    size: usize,
}

impl Known {
    fn exactly(self, bytes: &[u8]) -> Known {
        bytes.iter().fold(self, |known, byte| known.then(u8::MAX, *byte))
    }

    /// One byte more, that has those bits.
    fn then(self, mask: u8, bits: u8) -> Known {
        let shift = u8::BITS * u32::try_from(self.size).unwrap_or(u32::MAX);
        let here = |byte: u8| u128::from(byte).checked_shl(shift).unwrap_or(0);
        Known { mask: self.mask | here(mask), bits: self.bits | here(bits), size: self.size + 1 }
    }

    fn look(self) -> Look {
        let [first, second] = [0, u64::BITS].map(|shift| {
            let word =
                |bits: u128| u64::try_from(bits >> shift & u128::from(u64::MAX)).unwrap_or(0);
            Bits { mask: word(self.mask), bits: word(self.bits) }
        });
        let size = u32::try_from(self.size).unwrap_or(u32::MAX);
        let whole = NonZeroU32::new(size).filter(|_| second.mask == 0);
        Look { first, whole, size, more: More::Word(second) }
    }
}
