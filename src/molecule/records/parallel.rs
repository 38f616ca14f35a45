//! Records on all cores.

use core::fmt;
use core::ops::Range;

use rayon::iter::ParallelIterator;
use rayon::iter::plumbing::UnindexedConsumer;
use serde_core::de::Deserialize;

use super::Records;
use crate::molecule::Result;
use crate::parallel;

/// A parallel iterator over concatenated records. See [`Records::par_iter`].
pub struct ParRecords<'de, T>(Records<&'de [u8], T>);

impl<T> Clone for ParRecords<'_, T> {
    fn clone(&self) -> Self {
        ParRecords(self.0.clone())
    }
}

impl<T> fmt::Debug for ParRecords<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ParRecords").field(&self.0).finish()
    }
}

impl<'de, T: Deserialize<'de> + Send> Records<&'de [u8], T> {
    /// The remaining records, read on all cores: `collect` returns them in their order, including errors,
    /// as this iterator would.
    ///
    /// One thread finds where records begin, at most 16 MiB or about a million records ahead.
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
        ParRecords(self.clone())
    }
}

impl<'de, T: Deserialize<'de> + Send> ParallelIterator for ParRecords<'de, T> {
    type Item = Result<T>;

    fn drive_unindexed<C: UnindexedConsumer<Result<T>>>(self, consumer: C) -> C::Result {
        let Records { frames, options, .. } = self.0;
        let read = |(place, frame): (Range<usize>, Result<&'de [u8]>)| {
            frame.and_then(|frame| super::read(&options, frame, place.start))
        };
        parallel::drive(frames.with_places(), |(place, _)| place.len(), read, consumer)
    }
}
