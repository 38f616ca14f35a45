//! The values of a file on all cores.

use core::fmt;
use core::marker::PhantomData;

use rayon::iter::ParallelIterator;
use rayon::iter::plumbing::{Folder, UnindexedConsumer};
use serde_core::de::Deserialize;

use super::{File, Framing, Placed};
use crate::biniou::Result;
use crate::parallel::{self, Piece};

/// A parallel iterator over the values of a [`File`]. See [`File::par_values`].
pub struct ParFileValues<'a, T> {
    file: File<'a>,
    item: PhantomData<fn() -> T>,
}

impl<T> Clone for ParFileValues<'_, T> {
    fn clone(&self) -> Self {
        ParFileValues { file: self.file.clone(), item: self.item }
    }
}

impl<T> fmt::Debug for ParFileValues<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParFileValues").field("file", &self.file).finish_non_exhaustive()
    }
}

impl<'a> File<'a> {
    /// Its values, in order: those of a stream are read on all cores, chunk by chunk.
    ///
    /// Up to the first error they are those of [`values`](File::values). A chunk without a `T` is one error here, and
    /// later chunks are read. Without chunks, only reading a value shows where the next one begins, so one thread
    /// reads all. One thread skips through the chunks, at most 16 MiB or about a million of them ahead. `collect`
    /// into a `Result` may return the error of any bad chunk.
    ///
    /// ```
    /// use fourfold::biniou::{ChunkWriter, File, to_vec};
    /// use rayon::iter::ParallelIterator;
    ///
    /// let mut stream = ChunkWriter::new(Vec::new());
    /// for number in 0..1000u32 {
    ///     stream.write_chunk(&to_vec(&vec![number])?)?;
    /// }
    /// let bytes = stream.finish()?;
    ///
    /// let lists: Result<Vec<Vec<u32>>, _> = File::from_slice(&bytes).par_values().collect();
    /// assert!(lists?.concat().into_iter().eq(0..1000));
    /// # Ok::<(), fourfold::biniou::Error>(())
    /// ```
    #[must_use]
    pub fn par_values<T: Deserialize<'a> + Send>(&self) -> ParFileValues<'a, T> {
        ParFileValues { file: self.clone(), item: PhantomData }
    }
}

impl Piece for Placed<'_> {
    fn len(&self) -> usize {
        self.chunk.len()
    }
}

impl<'a, T: Deserialize<'a> + Send> ParallelIterator for ParFileValues<'a, T> {
    type Item = Result<T>;

    fn drive_unindexed<C: UnindexedConsumer<Result<T>>>(self, consumer: C) -> C::Result {
        let File { ref options, framing, .. } = self.file;
        match framing {
            Framing::Values => consumer.into_folder().consume_iter(self.file.values()).complete(),
            Framing::Chunks => {
                let read = |placed: Placed<'a>| placed.read(options);
                parallel::drive(self.file.placed_chunks(), read, consumer)
            }
        }
    }
}
