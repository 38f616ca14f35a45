//! Records on all cores.

use core::fmt;
use core::marker::PhantomData;

use rayon::iter::plumbing::UnindexedConsumer;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use serde_core::de::Deserialize;

use super::{Frames, Records};
use crate::molecule::{Options, Result};
use crate::parallel::{self, Piece};

/// A parallel iterator over concatenated records. See [`Records::par_iter`].
pub struct ParRecords<'de, T> {
    frames: Frames<&'de [u8]>,
    options: Options,
    item: PhantomData<fn() -> T>,
}

impl<T> Clone for ParRecords<'_, T> {
    fn clone(&self) -> Self {
        let ParRecords { frames, options, item } = self;
        ParRecords { frames: frames.clone(), options: options.clone(), item: *item }
    }
}

impl<T> fmt::Debug for ParRecords<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParRecords").field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl<'de, T: Deserialize<'de> + Send> Records<&'de [u8], T> {
    /// The remaining records, read on all cores: `collect` returns them in their order, including errors,
    /// as this iterator would.
    ///
    /// Where records begin with their full size, one thread skips through them, at most 16 MiB or about a million
    /// records ahead; those of one size need no such search.
    ///
    /// ```
    /// use fourfold::molecule::{RecordWriter, Records};
    /// use rayon::iter::ParallelIterator;
    ///
    /// let mut log = RecordWriter::new(Vec::new());
    /// for code in 0..1000u32 {
    ///     log.write(&(code, "text"))?;
    /// }
    /// let log = log.into_inner();
    ///
    /// let records = Records::<_, (u32, &str)>::from_slice(&log).par_iter();
    /// let codes: Result<Vec<u32>, _> = records.map(|record| Ok(record?.0)).collect();
    /// assert!(codes?.into_iter().eq(0..1000));
    /// # Ok::<(), fourfold::molecule::Error>(())
    /// ```
    #[must_use]
    pub fn par_iter(&self) -> ParRecords<'de, T> {
        let Records { frames, options, item } = self;
        ParRecords { frames: frames.clone(), options: options.clone(), item: *item }
    }
}

/// The bytes of a record, or why there are none, and where it begins.
struct Placed<'de> {
    frame: Result<&'de [u8]>,
    start: usize,
}

impl Piece for Placed<'_> {
    fn len(&self) -> usize {
        self.frame.as_ref().map_or(0, |frame| frame.len())
    }
}

impl<'de, T: Deserialize<'de> + Send> ParallelIterator for ParRecords<'de, T> {
    type Item = Result<T>;

    fn drive_unindexed<C: UnindexedConsumer<Result<T>>>(self, consumer: C) -> C::Result {
        let ParRecords { frames, options, .. } = self;
        let read =
            |Placed { frame, start }| frame.and_then(|frame| super::read(&options, frame, start));
        match frames.of_one_size() {
            Some(size) => {
                let records = frames.rest().par_chunks(size.get()).enumerate();
                let placed = records.map(|(index, bytes)| {
                    // Within the slice, so that it cannot be beyond a `usize`.
                    let start = frames.offset().saturating_add(index.saturating_mul(size.get()));
                    Placed { frame: frames.whole(bytes, start), start }
                });
                placed.map(read).drive_unindexed(consumer)
            }
            None => {
                let placed = frames.with_places();
                let placed = placed.map(|(place, frame)| Placed { frame, start: place.start });
                parallel::drive(placed, read, consumer)
            }
        }
    }

    fn opt_len(&self) -> Option<usize> {
        let size = self.frames.of_one_size()?;
        Some(self.frames.rest().len().div_ceil(size.get()))
    }
}
