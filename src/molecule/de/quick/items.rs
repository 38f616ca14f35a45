//! Items of a fixvec in a first attempt, each in a window of its own.

use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed};

use super::window::{Fixed, ITEM, LAST_ITEM, Window};
use super::{Quick, Surprise};

/// The items of a fixvec, which are of one size.
pub(super) struct FixItems<'a, 'de> {
    quick: Quick<'a, 'de>,
    /// The document from the next item on.
    ahead: &'de [u8],
    /// How many bytes of that are items.
    left: usize,
    size: usize,
    count: usize,
    packs: bool,
}

impl<'a, 'de> FixItems<'a, 'de> {
    /// So many items that fill `bytes` evenly, each of `size`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        quick: Quick<'a, 'de>,
        bytes: &'de [u8],
        (count, size): (usize, usize),
        packs: bool,
    ) -> Self {
        let (ahead, left) = (quick.notes.from(bytes), bytes.len());
        FixItems { quick, ahead, left, size, count, packs }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.left == 0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Surprise> {
        if self.left == 0 {
            return Ok(None);
        }
        match self.ahead.get(..size_of::<T::Value>()) {
            Some(ahead) if self.size <= ahead.len() => {
                let mut window = Window::new(ahead);
                let item = seed.deserialize(Fixed::<ITEM>::new(&mut window, self.packs));
                let taken = window.left().map(|left| ahead.len() - left);
                self.behind(item, taken)
            }
            _ => self.last(seed),
        }
    }

    /// The last item of a type with padding, and all of a type that is smaller than its bytes.
    #[inline(never)]
    fn last<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Surprise> {
        let mut window = Window::new(self.ahead);
        let item = seed.deserialize(Fixed::<LAST_ITEM>::new(&mut window, self.packs));
        let taken = window.left().map(|left| self.ahead.len() - left);
        self.behind(item, taken)
    }

    /// Goes on behind an item that took so many bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn behind<T>(
        &mut self,
        item: Result<T, Surprise>,
        taken: Option<usize>,
    ) -> Result<Option<T>, Surprise> {
        match (item, self.ahead.get(self.size..)) {
            (Ok(item), Some(ahead)) if taken == Some(self.size) => {
                self.ahead = ahead;
                self.left -= self.size;
                Ok(Some(item))
            }
            _ => Err(self.quick.surprise()),
        }
    }
}

impl<'de> de::SeqAccess<'de> for &mut FixItems<'_, 'de> {
    type Error = Surprise;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Surprise> {
        self.read(seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Surprise> {
        self.read(PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.count)
    }
}
