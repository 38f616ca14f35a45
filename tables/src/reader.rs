//! Reads record batches from files: when a batch is full, and what to do at damaged rows.

use std::ops::Range;
use std::path::PathBuf;
use std::{fs, io};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use fourfold_schema::{Most, Passed, Step};

use crate::column::Column;
use crate::rows::{RowError, Rows};
use crate::source::{Files, Window};
use crate::{Damage, Damaged, Error, Result, Table};

/// Record batches of files or of a reader: an iterator, and Arrow's `RecordBatchReader`.
///
/// Memory holds the current batch, and as much of the file as one row needs. An error ends the iterator, after a
/// batch with the rows before the error.
pub struct Reader<'s> {
    table: Table<'s>,
    column: Column,
    files: Files,
    open: Option<Open<'s>>,
    damages: Vec<Damage>,
    damaged: u64,
    rows: u64,
    bytes: u64,
    /// An error that is returned after the batch with the rows before it.
    waiting: Option<Error>,
    is_done: bool,
}

/// An open file.
struct Open<'s> {
    /// Its path, and its length when it was opened.
    file: Option<(PathBuf, u64)>,
    window: Window<'s>,
    rows: Rows<'s>,
    /// The index of the next row; `None` if the file is not read from its start.
    row: Option<u64>,
    /// The offset up to which the window has been dropped.
    dropped: usize,
    /// Bytes before this offset are skipped.
    start: usize,
}

/// Number of rows that are read before memory use is checked.
const FEW_ROWS: usize = 256;

/// Why reading of a file stopped.
enum Stop {
    /// The requested number of rows was reached.
    Full,
    /// The file has no more rows.
    EndOfFile,
}

impl Open<'_> {
    /// Its path, if it has one.
    fn path(&self) -> Option<String> {
        self.file.as_ref().map(|(path, _)| path.display().to_string())
    }

    /// Counts `rows` that were read.
    fn count(&mut self, rows: usize) {
        let rows = u64::try_from(rows).unwrap_or(u64::MAX);
        self.row = self.row.map(|row| row.saturating_add(rows));
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Io { file: self.path().unwrap_or_else(|| "input".into()), source }
    }

    /// Drops the bytes that have been read.
    fn drop_read(&mut self) -> Result<()> {
        let read = self.rows.offset().saturating_sub(self.dropped);
        self.dropped = self.rows.offset();
        let dropped = self.window.drop(read);
        dropped.map_err(|error| self.failed(error))
    }
}

/// Maximum number of damaged rows that are stored; further ones are only counted.
pub(crate) const MOST_DAMAGES: usize = 100;

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("table", &self.table).finish_non_exhaustive()
    }
}

impl<'s> Reader<'s> {
    fn new(table: Table<'s>, files: Files, open: Option<Open<'s>>) -> Self {
        let column = table.column();
        Reader {
            table,
            column,
            files,
            open,
            damages: Vec::new(),
            damaged: 0,
            rows: 0,
            bytes: 0,
            waiting: None,
            is_done: false,
        }
    }

    pub(crate) fn of_files(table: Table<'s>, files: Files) -> Self {
        Self::new(table, files, None)
    }

    pub(crate) fn of_window(table: Table<'s>, window: Window<'s>) -> Self {
        Self::of_part(table, window, None, 0..usize::MAX)
    }

    /// The rows that begin in a part of a file.
    pub(crate) fn of_part(
        table: Table<'s>,
        window: Window<'s>,
        file: Option<(PathBuf, u64)>,
        part: Range<usize>,
    ) -> Self {
        let row = (part.start == 0).then_some(0);
        let start = part.start;
        let rows = table.rows().map(|rows| rows.part(part));
        let open = rows.map(|rows| Open { file, window, rows, row, dropped: 0, start });
        Self::new(table, Files::none(), open)
    }

    /// Number of damaged rows that were skipped so far.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// The first hundred of them.
    #[must_use]
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    /// Number of rows returned so far.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Number of bytes read from files so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Fills a batch. `None` if there are no more rows.
    fn fill(&mut self) -> Result<Option<RecordBatch>> {
        let (rows, bytes) = (self.table.options().batch_rows, self.table.options().batch_bytes);
        let mut taken = 0;
        while self.waiting.is_none() {
            let most = Most {
                rows: rows.saturating_sub(self.column.len()),
                bytes: bytes.saturating_sub(taken),
            };
            let Some(mut open) = self.next_file()? else { break };
            let before = open.rows.offset().max(open.start);
            let read = self.read(&mut open, most);
            taken = taken.saturating_add(open.rows.offset().saturating_sub(before));
            match read {
                Ok(Stop::Full) => {
                    self.open = Some(open);
                    break;
                }
                Ok(Stop::EndOfFile) => {}
                Err(error) => self.waiting = Some(error),
            }
        }
        self.bytes = self.bytes.saturating_add(u64::try_from(taken).unwrap_or(u64::MAX));
        match (self.column.len(), self.waiting.take()) {
            (0, Some(error)) => Err(error),
            (0, None) => Ok(None),
            (_, error) => {
                self.waiting = error;
                self.batch().map(Some)
            }
        }
    }

    /// The open file, or the next one.
    fn next_file(&mut self) -> Result<Option<Open<'s>>> {
        if let Some(open) = self.open.take() {
            return Ok(Some(open));
        }
        match (self.files.open(), self.table.rows()) {
            (Some(Ok((path, window, length))), Some(rows)) => Ok(Some(Open {
                file: Some((path, length)),
                window,
                rows,
                row: Some(0),
                dropped: 0,
                start: 0,
            })),
            (Some(Err(error)), _) => {
                self.waiting = Some(error);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Reads rows of a file until the requested number is reached.
    fn read(&mut self, open: &mut Open<'s>, mut most: Most) -> Result<Stop> {
        loop {
            let (rows, offset) = (self.column.len(), open.rows.offset().max(open.start));
            let (window, is_end) = (open.window.bytes(), open.window.is_end());
            let few = Most { rows: most.rows.min(FEW_ROWS), ..most };
            let read = open.rows.read(window, is_end, few, &mut self.column);
            let rows = self.column.len().saturating_sub(rows);
            let bytes = open.rows.offset().saturating_sub(offset);
            open.count(rows);
            most.rows = most.rows.saturating_sub(rows);
            most.bytes = most.bytes.saturating_sub(bytes);
            open.drop_read()?;
            if self.rows == 0 && rows == self.column.len() {
                self.reserve_times(rows, bytes, most, open.window.bytes().len());
            }
            let error = match read {
                Ok(Step::Full)
                    if most.rows == 0
                        || most.bytes == 0
                        || self.column.memory() > self.table.options().batch_memory() =>
                {
                    return Ok(Stop::Full);
                }
                Ok(Step::Full) => continue,
                Ok(Step::More) if !open.window.is_end() => {
                    let limit = self.table.options().max_row;
                    if open.window.bytes().len() < limit {
                        open.window.read_on().map_err(|error| open.failed(error))?;
                        continue;
                    }
                    let text = format!("the row has more than {limit} bytes (option `max_row`)");
                    RowError { text, is_cut: false }
                }
                Ok(_) => return Ok(Stop::EndOfFile),
                Err(error) => error,
            };
            if !self.passes(open, error)? {
                return Ok(Stop::EndOfFile);
            }
        }
    }

    /// Reserves memory for the rest of the first batch, assuming that its rows are like the first ones, which took
    /// `bytes`; at most for the rows that fit in `left` bytes. Later batches reserve by the previous one.
    fn reserve_times(&mut self, rows: usize, bytes: usize, most: Most, left: usize) {
        let left = left.min(most.bytes).checked_div(bytes).unwrap_or(0);
        let times = most.rows.checked_div(rows).map_or(0, |times| times.min(left));
        let memory = self.table.options().batch_memory().checked_div(self.column.memory());
        self.column.reserve_times(times.min(memory.unwrap_or(0)));
    }

    /// Skips a damaged row, if the options allow it. Returns whether rows after it can be read.
    fn passes(&mut self, open: &mut Open<'s>, error: RowError) -> Result<bool> {
        let damage = Damage {
            file: open.path(),
            row: open.row,
            hint: hint(open.file.as_ref(), error.is_cut),
            text: error.text,
        };
        if self.column.is_too_wide() {
            let hint = "use `WideNumbers::Text`, in SQL the option 'wide_numbers' 'text'";
            return Err(Error::TooWide(Damage { hint: Some(hint), ..damage }));
        }
        if self.table.options().damaged == Damaged::Stop {
            return Err(Error::Damaged(damage));
        }
        self.damaged += 1;
        open.count(1);
        if self.damages.len() < MOST_DAMAGES {
            self.damages.push(damage);
        }
        loop {
            let passed = open.rows.skip(open.window.bytes(), open.window.is_end());
            open.drop_read()?;
            match passed {
                Passed::More if open.window.bytes().len() < self.table.options().max_row => {
                    open.window.read_on().map_err(|error| open.failed(error))?;
                }
                passed => return Ok(passed == Passed::Yes),
            }
        }
    }

    /// The rows so far.
    fn batch(&mut self) -> Result<RecordBatch> {
        self.rows += u64::try_from(self.column.len()).unwrap_or(u64::MAX);
        Ok(self.table.batch(&mut self.column)?)
    }
}

/// A hint for a row that is cut off, if the length of its file has changed.
fn hint(file: Option<&(PathBuf, u64)>, is_cut: bool) -> Option<&'static str> {
    let (path, length) = file.filter(|_| is_cut)?;
    let now = fs::metadata(path).ok()?.len();
    (now != *length).then_some(
        "the length of the file changed while it was read; read it again when it is complete",
    )
}

impl Iterator for Reader<'_> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let batch = self.fill().transpose();
        self.is_done = !matches!(batch, Some(Ok(_)));
        batch.map(|batch| batch.map_err(ArrowError::from))
    }
}

impl RecordBatchReader for Reader<'_> {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }
}
