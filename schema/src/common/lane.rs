//! One field of several rows, side by side.

/// The values that a part of a record has in rows that follow one another: at most 64.
///
/// Where rows are records of simple parts, a reader gathers each part of some rows first, and hands it over at once:
/// so a visitor decides once for all of them what it does. See [`Visit::lane`](super::Visit::lane).
#[derive(Clone, Copy, Debug)]
pub struct Lane<'a> {
    kind: LaneKind,
    words: &'a [u64],
    present: Option<u64>,
    bytes: &'a [u8],
    width: Option<usize>,
}

/// What the values of a [`Lane`] are: the method of [`Visit`](super::Visit) that would be called for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaneKind {
    /// Bools.
    Bool,
    /// Bytes of Molecule.
    Byte,
    /// Integers.
    Int,
    /// Floats of eight bytes.
    Float64,
    /// Strings, or arrays or fixvecs of bytes.
    Bytes,
}

impl<'a> Lane<'a> {
    /// Each value is a word: itself, or where its bytes are in `bytes`.
    pub(crate) fn new(
        kind: LaneKind,
        words: &'a [u64],
        present: Option<u64>,
        bytes: &'a [u8],
        width: Option<usize>,
    ) -> Self {
        Lane { kind, words, present, bytes, width }
    }

    /// What the values are.
    #[must_use]
    pub fn kind(&self) -> LaneKind {
        self.kind
    }

    /// How many rows there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Of parts that are options: in which rows they have a value, the first row in the lowest bit. Where there is none,
    /// the value is 0, false or empty.
    #[must_use]
    pub fn present(&self) -> Option<u64> {
        self.present
    }

    /// The bools, the first one in the lowest bit.
    #[must_use]
    pub fn bools(&self) -> u64 {
        self.words.iter().rev().fold(0, |bits, word| (bits << 1) | (word & 1))
    }

    /// The bytes of Molecule.
    pub fn octets(&self) -> impl ExactSizeIterator<Item = u8> + use<'a> {
        self.words.iter().map(|word| {
            let [byte, ..] = word.to_le_bytes();
            byte
        })
    }

    /// The integers.
    pub fn ints(&self) -> impl ExactSizeIterator<Item = i64> + use<'a> {
        self.words.iter().map(|word| i64::from_ne_bytes(word.to_ne_bytes()))
    }

    /// The floats.
    pub fn floats(&self) -> impl ExactSizeIterator<Item = f64> + use<'a> {
        self.words.iter().map(|word| f64::from_bits(*word))
    }

    /// Where the bytes of each value begin in [`source`](Lane::source), and how many these are.
    pub fn places(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + use<'a> {
        self.words.iter().map(|word| (low(*word >> 32), low(*word)))
    }

    /// How many bytes each value has.
    pub fn lengths(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.words.iter().map(|word| {
            let [a, b, c, d, ..] = word.to_le_bytes();
            u32::from_le_bytes([a, b, c, d])
        })
    }

    /// How many bytes each value has, if it is known that all have so many.
    #[must_use]
    pub fn width(&self) -> Option<usize> {
        self.width
    }

    /// The bytes that values are in, with what is between them and around.
    #[must_use]
    pub fn source(&self) -> &'a [u8] {
        self.bytes
    }
}

/// The word of what is at that place, of which neither is more than 32 bits.
#[inline]
pub(crate) fn word_of(start: usize, len: usize) -> u64 {
    (u64::try_from(start).unwrap_or(u64::MAX) << 32) | u64::try_from(len).unwrap_or(u64::MAX)
}

/// The number in the lower half.
#[inline]
fn low(word: u64) -> usize {
    usize::try_from(word & 0xffff_ffff).unwrap_or(usize::MAX)
}
