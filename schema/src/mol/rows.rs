//! The rows of a file that may still be incomplete.

use core::num::NonZeroUsize;
use core::ops::Range;

mod fast;
mod offsets;
mod side_by_side;

use fourfold::molecule::wire::{self, Framing, NUMBER_SIZE};
use fourfold::molecule::{Error, ErrorKind, Options, Result};
use fourfold::{CommonKind, Reader, Segment};

use self::fast::Program;
use self::offsets::item_bounds;
use super::verify::Check;
use super::{Shape, Type, Value};
use crate::common::{Most, Passed, Step, Visit};
use crate::foresight::Foresight;

/// The rows of a file: values for a visitor, one after another, while bytes come.
///
/// Which rows there are is a matter of the type that the file is of:
///
/// - a dynvec, fixvec or array has its items for rows, unless they are bytes; such lists may follow one another, as
///   [`Records`](fourfold::molecule::Records) do;
/// - tables are records one after another, each of its full size; values of one size, too;
/// - a value of any other type takes all bytes, and is one row.
///
/// Memory does not grow with the file but for the offsets of a dynvec: the reader keeps the bytes from
/// [`offset`](Rows::offset) on, and no others.
///
/// ```
/// use fourfold::molecule::Options;
/// use fourfold_schema::mol::{Rows, Schema};
/// use fourfold_schema::{Most, Step, Visit};
///
/// // A visitor that adds up bytes.
/// #[derive(Default)]
/// struct Sum { total: u32, row: u32 }
///
/// impl Visit for Sum {
///     fn byte(&mut self, value: u8) { self.row += u32::from(value); }
///     fn row(&mut self) { self.total += core::mem::take(&mut self.row); }
///     fn again(&mut self) { self.row = 0; }
/// }
///
/// let schema = Schema::parse("struct Point { x: byte, y: byte, } vector Points <Point>;")?;
/// let bytes = [2, 0, 0, 0, 1, 2, 3, 4];
///
/// let mut sum = Sum::default();
/// let mut rows = Rows::new(schema.get("Points").unwrap(), &Options::new());
/// // The second row is cut.
/// let all = Most { rows: 100, bytes: 1 << 20 };
/// assert_eq!(rows.read(&bytes[..7], false, all, &mut sum)?, Step::More);
/// assert_eq!((rows.offset(), sum.total), (6, 3));
/// assert_eq!(rows.read(&bytes[6..], true, all, &mut sum)?, Step::End);
/// assert_eq!(sum.total, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rows<'s> {
    row: Type<'s>,
    form: Form,
    check: Check,
    offset: usize,
    items: Items,
    /// How many rows are left, and which of the vector is the next.
    left: usize,
    index: usize,
    /// Rows that begin elsewhere are not read.
    part: Range<usize>,
    /// How usual rows are read.
    program: Option<Program>,
    /// So many rows are not tried side by side.
    one_by_one: usize,
}

/// What is before rows.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Nothing.
    Plain,
    /// The count of a vector of items of a size.
    FixVec(NonZeroUsize),
    /// Nothing, but so many items of a size are an array.
    Array(NonZeroUsize, usize),
    /// The header of a dynvec.
    DynVec,
}

/// Where rows end.
#[derive(Debug)]
enum Items {
    Framed(Framing),
    /// The items of a dynvec: where it begins, where items begin after that, and where the last one ends.
    Bounds(usize, Vec<u32>),
    /// Where the file ends.
    Whole,
}

impl<'s> Rows<'s> {
    /// The rows of a file of that type.
    #[must_use]
    pub fn new(ty: Type<'s>, options: &Options) -> Self {
        let size = |ty: Type<'_>| ty.size().and_then(NonZeroUsize::new);
        let (row, form) = match ty.shape() {
            Shape::FixVec(item) if !item.is_byte() => (item, size(item).map(Form::FixVec)),
            Shape::Array(item, count) if !item.is_byte() => {
                (item, size(item).map(|size| Form::Array(size, count)))
            }
            Shape::DynVec(item) => (item, Some(Form::DynVec)),
            _ => (ty, None),
        };
        let (items, left) = match (form, row.shape(), size(row)) {
            (Some(_), ..) => (Items::Whole, 0),
            (_, Shape::Table(_), _) => (Items::Framed(Framing::FullSize), usize::MAX),
            (_, _, Some(size)) => (Items::Framed(Framing::Fixed(size)), usize::MAX),
            _ => (Items::Whole, 1),
        };
        let form = form.unwrap_or(Form::Plain);
        let foresight = Foresight::under(options.depth_limit());
        let program = foresight.and_then(|foresight| Program::of(row, foresight));
        let (check, part) = (Check::new(options), 0..usize::MAX);
        Rows { row, form, check, offset: 0, items, left, index: 0, part, program, one_by_one: 0 }
    }

    /// Only the rows that begin in this part of the file, bytes counted from its start. Those before it are
    /// stepped over unread.
    ///
    /// Where nothing shows where rows begin, all of them belong to the part with the first byte. So the parts of a file
    /// have all its rows, each once, if the last one has no end (`usize::MAX`).
    ///
    /// ```
    /// use fourfold::molecule::Options;
    /// use fourfold_schema::mol::{Rows, Schema};
    ///
    /// let schema = Schema::parse("struct Point { x: byte, y: byte, } vector Points <Point>;")?;
    /// let rows = Rows::new(schema.get("Points").unwrap(), &Options::new()).part(1 << 20..usize::MAX);
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

    /// Calls `visitor` for the next rows, at most so many.
    ///
    /// `bytes` begin at [`offset`](Rows::offset), which moves on, and may be beyond their end if a
    /// [`part`](Rows::part) begins later; `is_end` means that no more will come. As long as they may, what is cut is no error.
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
            if self.offset >= self.part.end || (self.left == 0 && !self.has_vectors()) {
                return Ok(Step::End);
            }
            if self.left == 0 {
                if rest.is_empty() {
                    return Ok(if is_end { Step::End } else { Step::More });
                }
                match self.begin(rest) {
                    Ok(()) => continue,
                    Err(error) if error.is_eof() && !is_end => return Ok(Step::More),
                    Err(error) => return Err(error),
                }
            }
            if self.offset < self.part.start {
                match self.approach(rest) {
                    Ok(true) => continue,
                    Err(error) if error.is_eof() && !is_end => return Ok(Step::More),
                    Err(error) if !error.is_eof() => return Err(error),
                    // What is cut begins before the part.
                    Ok(false) | Err(_) => return Ok(Step::End),
                }
            }
            let left = Most {
                rows: most.rows.saturating_sub(rows),
                bytes: most.bytes.saturating_sub(taken),
            };
            let read = self.usual(rest, left, visitor);
            rows += read;
            if read > 0 {
                continue;
            }
            match self.row(rest, is_end, visitor) {
                Ok(None) => {
                    visitor.row();
                    rows += 1;
                }
                Ok(Some(step)) => return Ok(step),
                Err(error) => {
                    visitor.again();
                    return Err(error);
                }
            }
        }
    }

    /// Steps over the row that [`read`](Rows::read) has refused, if it is shown where the next one begins. `bytes` begin
    /// at [`offset`](Rows::offset), which may be beyond their end; `is_end` means that no more will come.
    pub fn skip(&mut self, bytes: &[u8], is_end: bool) -> Passed {
        match self.size(bytes) {
            Ok(Some(size)) if size <= bytes.len() || !is_end => {
                self.advance(1, size);
                Passed::Yes
            }
            Ok(None) if !is_end && matches!(self.items, Items::Framed(_)) => Passed::More,
            _ => Passed::No,
        }
    }

    /// Whether rows are items of vectors.
    fn has_vectors(&self) -> bool {
        !matches!(self.form, Form::Plain)
    }

    /// Steps over rows that begin before the part, unread. Returns whether there may be others.
    fn approach(&mut self, rest: &[u8]) -> Result<bool> {
        match self.items {
            Items::Framed(Framing::Fixed(size)) => {
                let missing = self.part.start.saturating_sub(self.offset);
                let count = missing.div_ceil(size.get()).min(self.left);
                self.advance(count, count.saturating_mul(size.get()));
            }
            Items::Framed(_) => {
                let cut = CommonKind::UnexpectedEnd { needed: NUMBER_SIZE, left: rest.len() };
                let size = self.size(rest)?.ok_or_else(|| Error::at(cut, self.offset))?;
                self.advance(1, size);
            }
            Items::Bounds(..) => {
                while let (true, Some(size)) = (self.offset < self.part.start, self.size(rest)?) {
                    self.advance(1, size);
                }
            }
            Items::Whole => return Ok(false),
        }
        Ok(true)
    }

    /// Takes what is before the items of a vector.
    fn begin(&mut self, rest: &[u8]) -> Result<()> {
        let mut header = Reader::new(rest, self.offset);
        let mut number = || wire::take_number(&mut header);
        (self.items, self.left) = match self.form {
            Form::Plain => return Ok(()),
            Form::Array(size, count) => (Items::Framed(Framing::Fixed(size)), count),
            Form::FixVec(size) => (Items::Framed(Framing::Fixed(size)), number()?),
            Form::DynVec => {
                let number = number()?;
                // Before the part that is read, only the size of a vector counts.
                let missing = self.part.start.saturating_sub(self.offset);
                if (NUMBER_SIZE..=missing).contains(&number) {
                    self.offset = self.offset.saturating_add(number);
                    return Ok(());
                }
                let bounds = self.bounds(number, &mut header)?;
                let count = bounds.len().saturating_sub(1);
                (Items::Bounds(self.offset, bounds), count)
            }
        };
        (self.offset, self.index) = (header.offset(), 0);
        Ok(())
    }

    /// Takes the offsets of a dynvec of that size.
    fn bounds(&self, full_size: usize, header: &mut Reader<'_>) -> Result<Vec<u32>> {
        if full_size < NUMBER_SIZE {
            return Err(Error::at(ErrorKind::ShortFullSize { stated: full_size }, self.offset));
        }
        if full_size == NUMBER_SIZE {
            return Ok(Vec::new());
        }
        // More bytes may still come.
        if header.left() < NUMBER_SIZE {
            let (needed, left) = (NUMBER_SIZE, header.left());
            return Err(Error::at(CommonKind::UnexpectedEnd { needed, left }, header.offset()));
        }
        if let Some(bounds) = item_bounds(header.rest(), full_size) {
            header.skip((bounds.len() - 1) * NUMBER_SIZE);
            return Ok(bounds);
        }
        // All are before the end, which is a number.
        let bound = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        let mut bounds = Vec::new();
        wire::take_offsets(header, full_size, |offset| bounds.push(bound(offset)))?;
        bounds.push(bound(full_size));
        Ok(bounds)
    }

    /// How long the next row is, if `rest`, which begins with it, shows that.
    fn size(&self, rest: &[u8]) -> Result<Option<usize>> {
        match &self.items {
            Items::Framed(framing) => framing.size(rest).map_err(|error| error.moved(self.offset)),
            Items::Bounds(start, bounds) => {
                let end = bounds.get(self.index.saturating_add(1));
                let end = end.map(|end| start.saturating_add(wire::stated(*end)));
                Ok(end.map(|end| end.saturating_sub(self.offset)))
            }
            Items::Whole => Ok(None),
        }
    }

    /// Reads a row, or returns why there is none.
    #[inline]
    fn row<V: Visit>(
        &mut self,
        rest: &[u8],
        is_end: bool,
        visitor: &mut V,
    ) -> Result<Option<Step>> {
        if matches!(self.items, Items::Whole) {
            if is_end {
                let value = Value::unchecked(self.row, rest);
                self.check.visit(value, 0, self.check.depth(), visitor)?;
                self.left = 0;
            }
            return Ok((!is_end).then_some(Step::More));
        }
        if rest.is_empty() && !self.has_vectors() {
            return Ok(Some(if is_end { Step::End } else { Step::More }));
        }
        let size = self.size(rest)?;
        let Some(row) = size.and_then(|size| rest.get(..size)) else {
            let needed = size.unwrap_or(NUMBER_SIZE);
            let kind = CommonKind::UnexpectedEnd { needed, left: rest.len() };
            return match is_end {
                true => Err(self.placed(Error::at(kind, self.offset))),
                false => Ok(Some(Step::More)),
            };
        };
        if let Some(program) = &self.program {
            if program.read(row, visitor).is_ok() {
                self.advance(1, row.len());
                return Ok(None);
            }
            visitor.again();
        }
        // The vector is a level of its own.
        let depth = self.check.depth();
        let inside = if self.has_vectors() { depth.enter() } else { None };
        let depth = inside.unwrap_or(depth);
        let value = Value::unchecked(self.row, row);
        let answer = self.check.visit(value, self.offset, depth, visitor);
        answer.map_err(|error| self.placed(error.map_kind(ErrorKind::in_item)))?;
        self.advance(1, row.len());
        Ok(None)
    }

    /// So many rows, of that size together, have been read or stepped over.
    fn advance(&mut self, rows: usize, size: usize) {
        self.offset = self.offset.saturating_add(size);
        (self.left, self.index) = (self.left.saturating_sub(rows), self.index.saturating_add(rows));
    }

    /// An error with the index of the item.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        match self.has_vectors() {
            true => error.inside(Segment::Index(self.index)),
            false => error,
        }
    }
}
