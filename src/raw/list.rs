//! A sequence whose items are read one by one, on demand.

use alloc::borrow::Cow;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::{Range, RangeFrom, RangeFull, RangeTo};

#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator as _};
use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{self, Serialize, Serializer};

use self::sealed::{Index, ListFormat};
use super::{Found, Raw, handed, written};
use crate::error::Error;

/// A sequence whose items are read on demand.
///
/// Until then its bytes are kept as those of a [`Raw`], and written as they are. They are borrowed from the input,
/// and so may its items: a type with a `List` in it needs `#[serde(borrow)]` there.
///
/// Two are equal if they are the same items of sequences with the same bytes.
///
/// Each format has its own: see `List` in its module.
#[repr(align(16))]
pub struct List<'a, T, K: ListFormat> {
    source: Found<'a>,
    layout: K::Layout,
    /// Which items.
    range: Range<usize>,
    item: PhantomData<fn() -> T>,
}

pub(crate) mod sealed {
    use core::fmt::Debug;

    use serde_core::de::Deserialize;

    use super::super::{Found, RawFormat};
    use crate::error::Error;

    /// A format whose sequences can be read item by item.
    pub trait ListFormat: RawFormat {
        /// The reserved name under which serde passes a list.
        const LIST: &'static str;

        /// Where items are.
        type Layout: Clone + Debug;

        /// Where the next item is.
        type Cursor: Clone + Debug;

        /// Where the items of a list are, and their number, for bytes that a reader of the format returned.
        fn layout(list: Found<'_>) -> (Self::Layout, usize);

        /// The end of the items from `first` on that are in order, as far as the format shows that without
        /// reading them. The next one, if there is one, is an error.
        #[cfg(feature = "rayon")]
        fn sound_end(list: Found<'_>, layout: &Self::Layout, first: usize) -> usize;

        /// Where the item of this number is. Formats without an index skip the items before it.
        fn find(
            list: Found<'_>,
            layout: &Self::Layout,
            index: usize,
        ) -> Result<Self::Cursor, Error<Self>>;

        /// Reads the item of this number at the cursor. Its error has its offset in the whole message, and a
        /// path that begins at the list. Moves the cursor to the next item; to `None` if its position is unknown.
        fn item<'de, T: Deserialize<'de>>(
            list: Found<'de>,
            layout: &Self::Layout,
            index: usize,
            cursor: &mut Option<Self::Cursor>,
        ) -> Result<T, Error<Self>>;
    }

    /// What chooses items.
    pub trait Index<L> {
        type Output;

        fn of(self, list: &L) -> Self::Output;
    }
}

impl<'a, T, K: ListFormat> List<'a, T, K> {
    fn found(source: Found<'a>) -> Self {
        let (layout, count) = K::layout(source);
        List { source, layout, range: 0..count, item: PhantomData }
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// The offset of the sequence in the message.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.source.offset
    }

    /// The bytes of the whole sequence, also of a list of some of its items. They are borrowed, but for an item of a
    /// sequence where the format has one tag for all.
    #[must_use]
    pub fn bytes(&self) -> Cow<'a, [u8]> {
        K::whole(self.source.bytes, &mut { self.source.settings })
    }

    /// An item, by its number, or some of them, by a range: a list of these. `None` if there are not so many.
    ///
    /// # Errors
    ///
    /// The same errors as reading the whole message: with the offset in the message, and a path that begins at
    /// the list.
    #[inline]
    pub fn get<I: Index<Self>>(&self, index: I) -> I::Output {
        index.of(self)
    }

    /// Iterates over the items. An item that cannot be read is an error; the following items are returned if the
    /// format shows where they begin.
    #[must_use]
    pub fn iter(&self) -> Items<'_, 'a, T, K> {
        Items { list: self, next: self.range.start, cursor: None }
    }

    fn some(&self, range: Range<usize>) -> Option<Self> {
        let (start, end) = (self.range.start, self.range.end);
        let from = start.checked_add(range.start)?;
        let to = start.checked_add(range.end)?;
        if from > to || to > end {
            return None;
        }
        Some(List { range: from..to, ..self.clone() })
    }

    /// Whether it has all items of the sequence.
    fn is_whole(&self) -> bool {
        self.range == (0..K::layout(self.source).1)
    }
}

#[cfg(feature = "rayon")]
impl<'a, T, K> List<'a, T, K>
where
    T: Deserialize<'a> + Send,
    K: ListFormat<Layout: Sync, Cursor = ()> + Send,
{
    /// The items, read on all cores, for formats that find items by number. `collect` keeps their order.
    ///
    /// ```
    /// use fourfold::molecule::{self, List};
    /// use rayon::iter::ParallelIterator;
    ///
    /// let words: Vec<String> = (0..1000).map(|number| format!("word {number}")).collect();
    /// let bytes = molecule::to_vec(&words)?;
    /// let list: List<'_, String> = molecule::from_slice(&bytes)?;
    /// assert_eq!(list.par_iter().collect::<Result<Vec<_>, _>>()?, words);
    /// # Ok::<(), molecule::Error>(())
    /// ```
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = Result<T, Error<K>>> {
        let source = self.source;
        let read = move |index| K::item(source, &self.layout, index, &mut Some(()));
        // As `iter`, which ends at the first item that cannot be found.
        let Range { start, end } = self.range;
        let sound_end = K::sound_end(source, &self.layout, start);
        (start..end.min(sound_end.saturating_add(1))).into_par_iter().map(read)
    }
}

impl<'a, T: Deserialize<'a>, K: ListFormat> Index<List<'a, T, K>> for usize {
    type Output = Option<Result<T, Error<K>>>;

    #[inline]
    fn of(self, list: &List<'a, T, K>) -> Self::Output {
        if self >= list.len() {
            return None;
        }
        let index = list.range.start + self;
        let List { source, layout, .. } = list;
        let found = K::find(*source, layout, index);
        Some(found.and_then(|cursor| K::item(*source, layout, index, &mut Some(cursor))))
    }
}

macro_rules! indices {
    ($($range:ty, |$self:ident, $list:ident| $some:expr;)*) => {$(
        impl<'a, T, K: ListFormat> Index<List<'a, T, K>> for $range {
            type Output = Option<List<'a, T, K>>;

            fn of($self, $list: &List<'a, T, K>) -> Self::Output {
                $some
            }
        }
    )*};
}

indices! {
    Range<usize>, |self, list| list.some(self);
    RangeFrom<usize>, |self, list| list.some(self.start..list.len());
    RangeTo<usize>, |self, list| list.some(0..self.end);
    RangeFull, |self, list| Some(list.clone());
}

impl<T, K: ListFormat> Clone for List<'_, T, K> {
    fn clone(&self) -> Self {
        let (layout, range) = (self.layout.clone(), self.range.clone());
        List { source: self.source, layout, range, item: PhantomData }
    }
}

impl<T, K: ListFormat> fmt::Debug for List<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("List")
            .field("range", &self.range)
            .field("bytes", &self.source.bytes)
            .finish()
    }
}

impl<T, K: ListFormat> PartialEq for List<'_, T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.range == other.range && self.bytes() == other.bytes()
    }
}

impl<T, K: ListFormat> Eq for List<'_, T, K> {}

impl<T, K: ListFormat> Hash for List<'_, T, K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.range.hash(state);
        self.bytes().hash(state);
    }
}

impl<T, K: ListFormat> Serialize for List<'_, T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_whole() {
            true => written::serialize(K::FORMAT, K::LIST, &self.bytes(), serializer),
            false => Err(ser::Error::custom(
                "a list of some items of a sequence has no bytes of its own; collect the items, and \
                 write them",
            )),
        }
    }
}

impl<'de: 'a, 'a, T, K: ListFormat> Deserialize<'de> for List<'a, T, K> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        handed::deserialize(K::FORMAT, K::LIST, deserializer).map(List::found)
    }
}

/// Iterator over the items of a [`List`].
pub struct Items<'l, 'a, T, K: ListFormat> {
    list: &'l List<'a, T, K>,
    /// The end of the range, once it is unknown where the next item begins.
    next: usize,
    /// Where the next item is, once that is known.
    cursor: Option<K::Cursor>,
}

impl<'a, T: Deserialize<'a>, K: ListFormat> Iterator for Items<'_, 'a, T, K> {
    type Item = Result<T, Error<K>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let end = self.list.range.end;
        if self.next >= end {
            return None;
        }
        let index = self.next;
        self.next += 1;
        if self.cursor.is_none() {
            match K::find(self.list.source, &self.list.layout, index) {
                Ok(cursor) => self.cursor = Some(cursor),
                Err(error) => {
                    self.next = end;
                    return Some(Err(error));
                }
            }
        }
        let item = K::item(self.list.source, &self.list.layout, index, &mut self.cursor);
        if self.cursor.is_none() {
            self.next = end;
        }
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.range.end.saturating_sub(self.next);
        (left, Some(left))
    }
}

impl<'a, T: Deserialize<'a>, K: ListFormat> FusedIterator for Items<'_, 'a, T, K> {}

impl<T, K: ListFormat> fmt::Debug for Items<'_, '_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<'l, 'a, T: Deserialize<'a>, K: ListFormat> IntoIterator for &'l List<'a, T, K> {
    type Item = Result<T, Error<K>>;
    type IntoIter = Items<'l, 'a, T, K>;

    fn into_iter(self) -> Items<'l, 'a, T, K> {
        self.iter()
    }
}

impl<'a, T, K: ListFormat> From<&List<'a, T, K>> for Raw<'a, K> {
    /// The whole sequence.
    fn from(list: &List<'a, T, K>) -> Self {
        Raw::found(list.source)
    }
}
