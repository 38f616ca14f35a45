//! Bytes of an array before they are written. Does not know where they go.

/// How many bytes of an array are gathered before they are written.
///
/// They are gathered in an array of their own, so that the compiler makes one move of the bytes
/// that serde hands over one by one.
pub(super) const GATHERED: usize = 32;

/// Bytes of the current array that are not written yet, how many they are, and where they begin.
#[derive(Debug)]
pub(super) struct Gathered {
    bytes: [u8; GATHERED],
    count: usize,
    at: usize,
}

impl Gathered {
    pub(super) const NONE: Gathered = Gathered { bytes: [0; GATHERED], count: 0, at: 0 };

    /// Takes a byte, to be written at `at` behind `count` others, if there is room for it. There is for all
    /// that an array has announced; one that gives more is refused at its end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn push(&mut self, at: usize, count: usize, byte: u8) {
        if count == 0 {
            self.at = at;
        }
        if let Some(place) = self.bytes.get_mut(count) {
            *place = byte;
            self.count = count + 1;
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The first `count` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bytes(&self, count: usize) -> &[u8] {
        self.bytes.get(..count).unwrap_or_default()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }
}
