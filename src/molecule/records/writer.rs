//! Writes concatenated records.

use core::num::NonZeroUsize;
use core::ops::Range;

use serde_core::ser::Serialize;

use crate::error::CommonKind;
use crate::io::{self, Write};
use crate::molecule::wire::Framing;
use crate::molecule::{Error, Options, Result};

/// Writes concatenated records, which [`Records`](super::Records) reads.
///
/// Each record has to show where it ends: the bytes of a table or dynvec begin with their full size. Records of
/// one fixed size are written [`of_size`](RecordWriter::of_size). A value that is neither is refused, as far
/// as its bytes show it, and the writer gets nothing of it.
///
/// Each record goes to the writer at once: put many small ones through a `BufWriter`, and
/// [`flush`](RecordWriter::flush) that.
///
/// ```
/// use fourfold::molecule::RecordWriter;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Entry { code: u8, on: bool }
///
/// let mut records = RecordWriter::new(Vec::new());
/// assert_eq!(records.write(&Entry { code: 7, on: true })?, 0..14);
/// assert_eq!(records.write(&Entry { code: 8, on: false })?, 14..28);
/// let error = records.write("text").unwrap_err();
/// assert!(error.to_string().starts_with("record of 8 bytes does not begin with that as its full size"));
/// assert_eq!(records.into_inner()[14..], [14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 8, 0]);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
///
/// A file that has records gets more of them when it is opened to append:
///
/// ```
/// use std::fs::File;
///
/// use fourfold::molecule::{RecordWriter, Records};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("log.bin");
/// for code in [7u8, 8] {
///     let file = File::options().append(true).create(true).open(&path)?;
///     let mut records = RecordWriter::new(file);
///     records.write(&(code, "text"))?;
///     records.flush()?;
/// }
/// let records = Records::<_, (u8, String)>::from_reader(File::open(&path)?);
/// assert_eq!(records.map(|record| Ok(record?.0)).collect::<Result<Vec<_>, std::io::Error>>()?, [7, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordWriter<W> {
    writer: W,
    framing: Framing,
    options: Options,
    /// How many bytes have gone to the writer.
    offset: usize,
    /// Whether the writer failed, perhaps within a record.
    has_failed: bool,
}

impl<W> RecordWriter<W> {
    /// Writes records to `writer`.
    #[must_use]
    pub const fn new(writer: W) -> Self {
        let (framing, options) = (Framing::FullSize, Options::new());
        RecordWriter { writer, framing, options, offset: 0, has_failed: false }
    }

    /// Writes records that all have this size, and need not begin with it: marked structs, arrays, numbers.
    ///
    /// ```
    /// use core::num::NonZeroUsize;
    /// use fourfold::molecule::RecordWriter;
    ///
    /// const SIZE: NonZeroUsize = NonZeroUsize::new(3).unwrap();
    ///
    /// // struct Tick { price: Uint16, kind: byte }
    /// let mut ticks = RecordWriter::new(Vec::new()).of_size(SIZE);
    /// ticks.write(&(0x0201u16, 3u8))?;
    /// let error = ticks.write(&0x0201u16).unwrap_err();
    /// assert!(error.to_string().starts_with("record of 2 bytes among records of 3"));
    /// assert_eq!(ticks.into_inner(), [1, 2, 3]);
    /// # Ok::<(), fourfold::molecule::Error>(())
    /// ```
    #[must_use]
    pub fn of_size(self, size: NonZeroUsize) -> Self {
        RecordWriter { framing: Framing::Fixed(size), ..self }
    }

    /// Writes with these options.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        RecordWriter { options, ..self }
    }

    /// Where the next record begins, counted from the first one that was written here.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the writer, positioned after the last record.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl<W: Write> RecordWriter<W> {
    /// Writes a record, and returns its place, counted from the first one written by this `Writer`. When
    /// appending to a file, add the file's previous length.
    ///
    /// # Errors
    ///
    /// Those of [`to_vec`](crate::molecule::to_vec); `NoFullSize` if the bytes do not begin with their own size, or
    /// `RecordSize` if they do not have the size of all records. Then nothing is written, and other records may
    /// follow. `Io` if the writer fails; a part of the record may have been written then, so that further records
    /// are refused.
    pub fn write<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<Range<usize>> {
        if self.has_failed {
            let error = io::Error::other("an earlier record was not written completely");
            return Err(Error::placeless(CommonKind::Io(error)));
        }
        let bytes = self.options.to_vec(value)?;
        self.framing.check(&bytes)?;
        self.writer.write_all(&bytes).map_err(|error| {
            self.has_failed = true;
            Error::placeless(CommonKind::Io(error))
        })?;
        let start = self.offset;
        self.offset = start.saturating_add(bytes.len());
        Ok(start..self.offset)
    }

    /// Flushes the writer.
    ///
    /// # Errors
    ///
    /// `Io` if the writer fails.
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush().map_err(|error| Error::placeless(CommonKind::Io(error)))
    }
}
