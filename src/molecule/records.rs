//! Concatenated records: files of tables, dynvecs, or values of one size.
//!
//! Functions that run for every record are always inlined: short values are read in less time than calls take.

mod frames;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "std")]
mod writer;

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroUsize;
use core::ops::Range;

use serde_core::de::Deserialize;
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;

pub use self::frames::Frames;
#[cfg(feature = "rayon")]
pub use self::parallel::ParRecords;
#[cfg(feature = "std")]
pub use self::writer::RecordWriter;
use super::de::{self, Form};
use super::{Options, Result, wire};
#[cfg(feature = "std")]
use crate::{buffered::Buffered, io};

/// An iterator over concatenated records.
///
/// Tables and dynvecs begin with their own full size, so a file of them needs no other frame. Records of one
/// fixed size are read [`of_size`](Records::of_size). `T` may borrow from a slice, such as a memory map; from a
/// reader, memory holds the current record and a few kilobytes, whatever the length of the stream.
///
/// A record that is no `T` is an error, and the next one is read all the same. Where the next one begins must
/// be shown: a full size that is less than its own 4 bytes or more than the bytes that are left ends the
/// iterator, and so does a reader that fails. Offsets of errors count from the start of the stream.
///
/// [`RecordWriter`](super::RecordWriter) writes such files. [`Frames`] are the records without reading them.
///
/// ```
/// use fourfold::molecule::{Category, Records};
///
/// // table Entry { code: byte, on: bool }: the second record has no bool, the last one is cut
/// let log = [
///     14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 7, 1, //
///     14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 8, 5, //
///     14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 9, 0, //
///     14, 0, 0, 0, 12,
/// ];
/// #[derive(serde::Deserialize)]
/// struct Entry { code: u8, on: bool }
///
/// let mut records = Records::<_, Entry>::from_slice(&log);
/// assert!(matches!(records.next(), Some(Ok(Entry { code: 7, on: true }))));
/// let error = records.next().unwrap().err().unwrap();
/// assert_eq!(error.to_string(), "bool is 5, neither 0 nor 1 in on at byte 27");
/// assert!(matches!(records.next(), Some(Ok(Entry { code: 9, on: false }))));
/// let error = records.next().unwrap().err().unwrap();
/// assert_eq!((error.category(), error.offset()), (Category::Eof, Some(42)));
/// assert!(records.next().is_none());
/// ```
pub struct Records<S, T> {
    frames: Frames<S>,
    options: Options,
    item: PhantomData<fn() -> T>,
}

impl<S: Clone, T> Clone for Records<S, T> {
    fn clone(&self) -> Self {
        let Records { frames, options, item } = self;
        Records { frames: frames.clone(), options: options.clone(), item: *item }
    }
}

impl<S, T> fmt::Debug for Records<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl<S, T> Records<S, T> {
    const fn new(frames: Frames<S>) -> Self {
        Records { frames, options: Options::new(), item: PhantomData }
    }

    /// All records have this size, and need not begin with it: marked structs, arrays and numbers, or enums of
    /// such, all alike.
    ///
    /// ```
    /// use core::num::NonZeroUsize;
    /// use fourfold::molecule::Records;
    ///
    /// const SIZE: NonZeroUsize = NonZeroUsize::new(3).unwrap();
    ///
    /// // struct Tick { price: Uint16, kind: byte }
    /// let ticks: Result<Vec<(u16, u8)>, _> =
    ///     Records::from_slice(&[1, 2, 3, 4, 5, 6]).of_size(SIZE).collect();
    /// assert_eq!(ticks?, [(0x0201, 3), (0x0504, 6)]);
    /// # Ok::<(), fourfold::molecule::Error>(())
    /// ```
    #[must_use]
    pub fn of_size(self, size: NonZeroUsize) -> Self {
        Records { frames: self.frames.of_size(size), ..self }
    }

    /// Reads with these options; `max_input` limits each record of a reader.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        let frames = self.frames.max_input(options.max_input);
        Records { frames, options, ..self }
    }

    /// Where the next record begins, counted from the start of the stream.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.frames.offset()
    }

    /// Also returns the place of each record.
    ///
    /// The range is empty where an error ends the iterator.
    ///
    /// ```
    /// use fourfold::molecule::Records;
    ///
    /// let bytes = [9, 0, 0, 0, 8, 0, 0, 0, 1, 4, 0, 0, 0];
    /// let mut places = Records::<_, Vec<bool>>::from_slice(&bytes).with_places();
    /// assert!(matches!(places.next(), Some((place, _)) if place == (0..9)));
    /// assert!(matches!(places.next(), Some((place, _)) if place == (9..13)));
    /// ```
    #[must_use]
    pub fn with_places(self) -> WithPlaces<Self> {
        WithPlaces { inner: self }
    }

    /// The bytes of the records that are left, without reading them.
    #[must_use]
    pub fn into_frames(self) -> Frames<S> {
        self.frames
    }
}

impl<'de, T> Records<&'de [u8], T> {
    /// The records in `bytes`, which may borrow from them.
    #[must_use]
    pub const fn from_slice(bytes: &'de [u8]) -> Self {
        Self::new(Frames::from_slice(bytes))
    }
}

impl<'de, T: Deserialize<'de>> Iterator for Records<&'de [u8], T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let start = self.offset();
        let record = self.frames.next()?;
        Some(record.and_then(|record| read(&self.options, record, start)))
    }
}

impl<'de, T: Deserialize<'de>> core::iter::FusedIterator for Records<&'de [u8], T> {}

#[cfg(feature = "std")]
impl<R: io::Read, T> Records<Buffered<R>, T> {
    /// The records of `reader`. A record is returned as soon as its last byte is there.
    ///
    /// ```
    /// use fourfold::molecule::Records;
    ///
    /// let file: &[u8] = &[4, 0, 0, 0, 4, 0, 0, 0];
    /// assert_eq!(Records::<_, ()>::from_reader(file).filter(Result::is_ok).count(), 2);
    /// ```
    #[must_use]
    pub const fn from_reader(reader: R) -> Self {
        Self::new(Frames::from_reader(reader))
    }
}

#[cfg(feature = "std")]
impl<R: io::Read, T: DeserializeOwned> Iterator for Records<Buffered<R>, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let start = self.offset();
        let record = self.frames.next_frame()?;
        Some(record.and_then(|record| read(&self.options, record, start)))
    }
}

#[cfg(feature = "std")]
impl<R: io::Read, T: DeserializeOwned> core::iter::FusedIterator for Records<Buffered<R>, T> {}

/// The value of a record that begins at `start` of its stream.
#[inline(always)]
fn read<'de, T: Deserialize<'de>>(options: &Options, record: &'de [u8], start: usize) -> Result<T> {
    de::part(options, record, start, options.part_settings(), Form::Slot)
}

/// The number of concatenated records in `bytes`, if there are several and their full sizes add up to the length.
///
/// `None` for anything else: one value, a truncated last record, and bytes with full sizes of empty records only. Records
/// are not read; Molecule bytes have no types, so other bytes can look like records by chance.
///
/// ```
/// use fourfold::molecule::{count_records, to_vec};
///
/// let record = to_vec(&("hi", 7u8))?;
/// assert_eq!(count_records(&record), None);
/// assert_eq!(count_records(&record.repeat(3)), Some(3));
/// assert_eq!(count_records(&record.repeat(3)[1..]), None);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[must_use]
pub fn count_records(bytes: &[u8]) -> Option<usize> {
    let (mut count, mut longest) = (0usize, 0);
    for frame in Frames::from_slice(bytes) {
        longest = longest.max(frame.ok()?.len());
        count = count.saturating_add(1);
    }
    (count > 1 && longest > wire::NUMBER_SIZE).then_some(count)
}

/// An iterator that also returns the place of each record. See [`Records::with_places`].
#[derive(Clone, Debug)]
pub struct WithPlaces<I> {
    inner: I,
}

/// Iterators that have a position.
trait Placed: Iterator {
    fn offset(&self) -> usize;
}

impl<S, T> Placed for Records<S, T>
where
    Self: Iterator,
{
    fn offset(&self) -> usize {
        Records::offset(self)
    }
}

impl Placed for Frames<&[u8]> {
    fn offset(&self) -> usize {
        Frames::offset(self)
    }
}

impl<I> WithPlaces<I> {
    fn next_placed(&mut self) -> Option<(Range<usize>, I::Item)>
    where
        I: Placed,
    {
        let start = self.inner.offset();
        let item = self.inner.next()?;
        Some((start..self.inner.offset(), item))
    }
}

impl<S, T> Iterator for WithPlaces<Records<S, T>>
where
    Records<S, T>: Iterator,
{
    type Item = (Range<usize>, <Records<S, T> as Iterator>::Item);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_placed()
    }
}

impl<'de> Iterator for WithPlaces<Frames<&'de [u8]>> {
    type Item = (Range<usize>, Result<&'de [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_placed()
    }
}
