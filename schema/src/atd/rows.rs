//! The rows of a file that may still be incomplete.

use core::ops::Range;

mod bytes;
mod fast;

use fourfold::biniou::skip::skip_value;
use fourfold::biniou::wire::{self, CHUNK, ChunkStart, END, Source, Tag};
use fourfold::biniou::{Error, ErrorKind, Options, Result};
use fourfold::{CommonKind, Reader, Segment};

use self::fast::Program;
use super::columns::{Column, Head, take_columns};
use super::shape::{Shape, Type};
use super::verify::Check;
use crate::common::{Ignore, Most, Passed, Step, Visit};
use crate::foresight::Foresight;

/// The rows of a file: records for a visitor, one after another, while bytes come.
///
/// A file holds values one after another, or chunks of a stream, with a value in each. A value is a row, a list of
/// rows (ARRAY), or a TABLE of them. A file whose first byte is the mark of a chunk is a stream, unless that byte
/// is the tag of values of the type. Memory does not grow with the file: the reader keeps the bytes from
/// [`offset`](Rows::offset) on, and no others.
///
/// ```
/// use fourfold_schema::atd::{Rows, Schema};
/// use fourfold::biniou::{Options, to_vec};
/// use fourfold_schema::{Most, Refusal, Step, Visit};
///
/// // A visitor that adds up integers.
/// #[derive(Default)]
/// struct Sum { total: i64, row: i64 }
///
/// impl Visit for Sum {
///     fn int(&mut self, value: i64) -> Result<(), Refusal> {
///         self.row += value;
///         Ok(())
///     }
///     fn row(&mut self) { self.total += core::mem::take(&mut self.row); }
///     fn again(&mut self) { self.row = 0; }
/// }
///
/// let schema = Schema::parse("type point = { x : int; y : int }")?;
/// #[derive(serde::Serialize)]
/// struct Point { x: i32, y: i32 }
/// let bytes = to_vec(&vec![Point { x: 1, y: 2 }, Point { x: 3, y: 4 }])?;
///
/// let mut sum = Sum::default();
/// let mut rows = Rows::new(schema.get("point").unwrap(), &Options::new());
/// // The second row is cut.
/// let all = Most { rows: 100, bytes: 1 << 20 };
/// assert_eq!(rows.read(&bytes[..24], false, all, &mut sum)?, Step::More);
/// assert_eq!(sum.total, 3);
/// let taken = rows.offset();
/// assert_eq!(rows.read(&bytes[taken..], true, all, &mut sum)?, Step::End);
/// assert_eq!(sum.total, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rows<'s> {
    /// What the values of the file are, if the type is that of a list.
    list: Option<Type<'s>>,
    row: Type<'s>,
    check: Check,
    offset: usize,
    framing: Framing,
    state: State<'s>,
    /// How many rows of the list or table are left, and which is the next.
    left: usize,
    index: usize,
    /// Chunks that begin elsewhere are not read.
    part: Range<usize>,
    /// How usual rows are read.
    program: Option<Program>,
}

#[derive(Debug)]
enum Framing {
    /// Nothing has been read yet.
    Unknown,
    Values,
    /// So many chunks have been read.
    Chunks(usize),
    /// Chunk of that number, which ends there.
    Chunk(usize, usize),
    /// The end mark of a stream has been read.
    Over,
}

#[derive(Debug)]
enum State<'s> {
    /// A value begins here, or the file ends.
    Between,
    /// Items of a list: the tag of all.
    Items(Head),
    /// Rows of a table.
    Table(Vec<Column<'s>>),
}

impl<'s> Rows<'s> {
    /// The rows of a file of values of that type: its items, if it is the type of a list or table.
    #[must_use]
    pub fn new(ty: Type<'s>, options: &Options) -> Self {
        let (list, row) = match ty.unwrapped() {
            Shape::List(item) | Shape::Object(item) | Shape::Table(item) => (Some(ty), item),
            _ => (None, ty),
        };
        let check = Check::new(options);
        let foresight = Foresight::under(options.depth_limit());
        let program = foresight.and_then(|foresight| Program::of(row, foresight));
        let (framing, state, part) = (Framing::Unknown, State::Between, 0..usize::MAX);
        Rows { list, row, check, offset: 0, framing, state, left: 0, index: 0, part, program }
    }

    /// Only the rows of the chunks that begin in this part of the file, bytes counted from its start. Those before
    /// it are stepped over unread.
    ///
    /// If the file is no stream of chunks, nothing shows where rows begin, and all of them belong to the part with the
    /// first byte. So the parts of a file have all its rows, each once, if the last one has no end (`usize::MAX`).
    ///
    /// ```
    /// use fourfold::biniou::Options;
    /// use fourfold_schema::atd::{Rows, Schema};
    ///
    /// let schema = Schema::parse("type point = { x : int; y : int }")?;
    /// let rows = Rows::new(schema.get("point").unwrap(), &Options::new()).part(1 << 20..usize::MAX);
    /// assert_eq!(rows.offset(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn part(self, part: Range<usize>) -> Self {
        Rows { part, ..self }
    }

    /// The type of rows.
    #[must_use]
    pub fn ty(&self) -> Type<'s> {
        self.row
    }

    /// Where the next row begins, or what is before it, counted from the start of the file.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Number of unknown fields in the rows so far. See
    /// [`Values::stepped_over`](super::Values::stepped_over).
    #[must_use]
    pub fn stepped_over(&self) -> usize {
        self.check.stepped_over
    }

    /// Calls `visitor` for the next rows, at most so many.
    ///
    /// `bytes` begin at [`offset`](Rows::offset), which moves on, and may be beyond their end if a
    /// [`part`](Rows::part) begins later; `is_end` means that no more will come. As long as they may, what looks as though it were cut is no error.
    ///
    /// # Errors
    ///
    /// Every error of a row, with its offset in the file and its path; [`skip`](Rows::skip) steps over that row. The
    /// rows before it have been visited.
    pub fn read<V: Visit>(
        &mut self,
        bytes: &[u8],
        is_end: bool,
        most: Most,
        visitor: &mut V,
    ) -> Result<Step> {
        let start = self.offset;
        let mut rows = 0;
        loop {
            let taken = self.offset.saturating_sub(start);
            if rows >= most.rows || (rows > 0 && taken >= most.bytes) {
                return Ok(Step::Full);
            }
            let rest = bytes.get(taken..).unwrap_or_default();
            let (rest, is_whole) = self.within(rest, is_end);
            let few = rest.get(..most.bytes.saturating_sub(taken)).unwrap_or(rest);
            let read = self.usual(few, most.rows.saturating_sub(rows), visitor);
            if read > 0 {
                rows += read;
                continue;
            }
            let check = self.check;
            let step = match self.state {
                State::Between => self.between(rest, is_whole, visitor),
                _ if self.left == 0 => self.end_value(),
                _ => self.row(rest, visitor),
            };
            match step {
                Ok(Stride::Head) => {}
                Ok(Stride::Row) => {
                    visitor.row();
                    rows += 1;
                }
                Ok(Stride::Step(step)) => return Ok(step),
                Err(error) => {
                    visitor.again();
                    self.check = check;
                    if error.is_eof() && !is_whole {
                        return Ok(Step::More);
                    }
                    return Err(self.placed(error));
                }
            }
        }
    }

    /// Reads as many rows as are usual, and no more than `most`, and returns their number.
    fn usual<V: Visit>(&mut self, bytes: &[u8], most: usize, visitor: &mut V) -> usize {
        let (Some(program), State::Items((_, tag))) = (&mut self.program, &self.state) else {
            return 0;
        };
        if program.tag() != Some(*tag) {
            return 0;
        }
        let (rows, size) = program.read(bytes, most.min(self.left), visitor);
        self.advance(rows, self.offset.saturating_add(size));
        rows
    }

    /// Steps over the row that [`read`](Rows::read) has refused, if tags, or the length of a chunk, show where the next
    /// one begins. `bytes` begin at [`offset`](Rows::offset), which may be beyond their end; `is_end` means that no
    /// more will come.
    pub fn skip(&mut self, bytes: &[u8], is_end: bool) -> Passed {
        let (rest, is_whole) = self.within(bytes, is_end);
        let mut reader = Reader::new(rest, self.offset);
        let depth = self.check.depth().levels();
        let stepped = match &self.state {
            // Here no row begins.
            State::Items(_) | State::Table(_) if self.left == 0 => None,
            State::Between if !matches!(self.framing, Framing::Values | Framing::Chunk(..)) => None,
            State::Between if rest.is_empty() => None,
            State::Between => Some(skip_value(&mut reader, None, depth)),
            State::Items((_, tag)) => Some(skip_value(&mut reader, Some(*tag), depth)),
            State::Table(columns) => {
                let mut tags = columns.iter().map(|(_, (_, tag))| *tag);
                Some(tags.try_for_each(|tag| skip_value(&mut reader, Some(tag), depth)))
            }
        };
        match (stepped, &self.framing) {
            (Some(Ok(())), _) => self.end_row(reader.offset()),
            (Some(Err(error)), _) if error.is_eof() && !is_whole => return Passed::More,
            (_, Framing::Chunk(index, end)) => {
                (self.offset, self.framing) = (*end, Framing::Chunks(index + 1));
                (self.state, self.left) = (State::Between, 0);
            }
            _ => return Passed::No,
        }
        Passed::Yes
    }

    /// Of the bytes from here on those of the same chunk, and whether no more of them will come.
    fn within<'a>(&self, rest: &'a [u8], is_end: bool) -> (&'a [u8], bool) {
        let Framing::Chunk(_, end) = self.framing else { return (rest, is_end) };
        match rest.get(..end.saturating_sub(self.offset)) {
            Some(rest) => (rest, true),
            None => (rest, is_end),
        }
    }

    /// A value begins, or a chunk, or the file ends.
    fn between<V: Visit>(
        &mut self,
        rest: &[u8],
        is_whole: bool,
        visitor: &mut V,
    ) -> Result<Stride> {
        let is_elsewhere = match self.framing {
            Framing::Values => self.part.start > 0 || self.part.is_empty(),
            Framing::Chunks(_) => self.offset >= self.part.end,
            _ => false,
        };
        if is_elsewhere {
            return Ok(Stride::Step(Step::End));
        }
        let Some(first) = rest.first() else {
            return match self.framing {
                Framing::Unknown | Framing::Values | Framing::Over if is_whole => {
                    Ok(Stride::Step(Step::End))
                }
                Framing::Over => Ok(Stride::Step(Step::More)),
                _ => Err(Error::at(CommonKind::UnexpectedEnd { needed: 1, left: 0 }, self.offset)),
            };
        };
        match self.framing {
            Framing::Unknown => {
                let is_scalar = matches!(self.row.unwrapped(), Shape::Int(_) | Shape::Bool);
                let may_begin_so = is_scalar && self.list.is_none();
                self.framing = match matches!(*first, CHUNK | END) && !may_begin_so {
                    true => Framing::Chunks(0),
                    false => Framing::Values,
                };
                return Ok(Stride::Head);
            }
            Framing::Chunks(index) => return self.chunk(rest, index),
            Framing::Over => {
                let count = rest.len();
                return Err(Error::at(CommonKind::TrailingBytes { count }, self.offset));
            }
            Framing::Values | Framing::Chunk(..) => {}
        }
        let mut ahead = Ahead(Reader::new(rest, self.offset));
        (self.state, self.left) = match (wire::take_tag(&mut ahead)?, self.row.unwrapped()) {
            (Tag::Array, _) if self.takes_lists() => {
                let count = wire::take_items(&mut ahead)?;
                let at = ahead.0.offset();
                let tag = match count {
                    0 => Tag::Unit,
                    _ => wire::take_tag(&mut ahead)?,
                };
                (State::Items((at, tag)), count)
            }
            (Tag::Table, Shape::Record(fields)) => {
                let start = ahead.0.offset();
                let (rows, count) = wire::take_table_counts(&mut ahead)?;
                let columns = match rows {
                    0 => Vec::new(),
                    _ => take_columns(&mut ahead.0, fields, count, start)?,
                };
                if count == 0 {
                    self.check.empty_rows(rows, start)?;
                }
                (State::Table(columns), rows)
            }
            // Checking with the list's type gives the error of another tag.
            (tag, _) if self.list.is_some() && Some(tag) != self.row.tag() => {
                let (ty, depth) = (self.list.unwrap_or(self.row), self.check.depth());
                self.check.bytes(rest, self.offset).part(ty, depth, &mut Ignore)?;
                return Err(Error::at(ErrorKind::AbstractType, self.offset));
            }
            _ => return self.row(rest, visitor),
        };
        (self.offset, self.index) = (ahead.0.offset(), 0);
        Ok(Stride::Head)
    }

    /// Whether an ARRAY holds rows, and is not one.
    fn takes_lists(&self) -> bool {
        self.list.is_some() || self.row.tag() != Some(Tag::Array)
    }

    /// A chunk begins, or the stream ends.
    fn chunk(&mut self, rest: &[u8], index: usize) -> Result<Stride> {
        let length = match ChunkStart::of(rest) {
            ChunkStart::Whole { chunk, .. } => chunk.len(),
            ChunkStart::Cut { length, .. } => length,
            ChunkStart::CutHeader { missing } => {
                let left = rest.len();
                let needed = left.saturating_add(missing);
                return Err(Error::at(CommonKind::UnexpectedEnd { needed, left }, self.offset));
            }
            ChunkStart::End { .. } => {
                self.offset = self.offset.saturating_add(1);
                self.framing = Framing::Over;
                return Ok(Stride::Head);
            }
            ChunkStart::Other => {
                let found = rest.first().copied().unwrap_or_default();
                return Err(Error::at(ErrorKind::ChunkMark { found }, self.offset));
            }
        };
        let is_before_part = self.offset < self.part.start;
        self.offset = self.offset.saturating_add(wire::CHUNK_HEADER);
        let end = self.offset.saturating_add(length);
        (self.offset, self.framing) = match is_before_part {
            true => (end, Framing::Chunks(index + 1)),
            false => (self.offset, Framing::Chunk(index, end)),
        };
        Ok(Stride::Head)
    }

    /// A value has come to its end, and with it its chunk.
    fn end_value(&mut self) -> Result<Stride> {
        if let Framing::Chunk(index, end) = self.framing {
            let count = end.saturating_sub(self.offset);
            if count > 0 {
                return Err(Error::at(CommonKind::TrailingBytes { count }, self.offset));
            }
            self.framing = Framing::Chunks(index + 1);
        }
        self.state = State::Between;
        Ok(Stride::Head)
    }

    /// Reads a row.
    fn row<V: Visit>(&mut self, rest: &[u8], visitor: &mut V) -> Result<Stride> {
        let depth = self.check.depth();
        let mut checking = self.check.bytes(rest, self.offset);
        match &self.state {
            State::Between => checking.part(self.row, depth, visitor)?,
            State::Items(head) => {
                // The list is a level of its own.
                let depth = depth.enter().unwrap_or(depth);
                let checked = checking.value(*head, self.row, depth, visitor);
                checked.map_err(|error| error.inside(Segment::Index(self.index)))?;
            }
            State::Table(columns) => {
                let inside = depth.enter().and_then(|depth| depth.enter());
                let checked = checking.row(columns, inside.unwrap_or(depth), visitor);
                checked.map_err(|error| error.inside(Segment::Index(self.index)))?;
            }
        }
        let end = checking.reader.offset();
        self.end_row(end);
        Ok(Stride::Row)
    }

    /// A row ends there.
    fn end_row(&mut self, end: usize) {
        self.advance(1, end);
        if matches!(self.state, State::Between) {
            // Like a list of one: it comes to its end, and so does its chunk.
            self.state = State::Items((end, Tag::Unit));
        }
    }

    /// So many rows have been read or stepped over, up to `end`.
    fn advance(&mut self, rows: usize, end: usize) {
        (self.offset, self.left) = (end, self.left.saturating_sub(rows));
        self.index = self.index.saturating_add(rows);
    }

    /// An error with the index of the chunk.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        match self.framing {
            Framing::Chunk(index, _) => error.inside(Segment::Index(index)),
            _ => error,
        }
    }
}

/// How far a step has led.
enum Stride {
    /// To what is after a header.
    Head,
    /// Over a row.
    Row,
    /// To where reading stops.
    Step(Step),
}

/// Bytes after which others may come. No count of rows is too large for them: rows are read one by one, and those
/// that are there are given.
struct Ahead<'a>(Reader<'a>);

impl<'a> Source<'a> for Ahead<'a> {
    type Error = Error;
    type Place = usize;

    fn place(&self) -> usize {
        self.0.offset()
    }

    fn left(&self) -> usize {
        usize::MAX
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        self.0.take(len)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.0.take_array()
    }

    fn fail(&mut self, place: usize, kind: impl FnOnce() -> ErrorKind) -> Error {
        Error::at(kind(), place)
    }
}
