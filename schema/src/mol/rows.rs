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
/// use fourfold_schema::{Most, Step};
/// # use fourfold_schema::{Refusal, Visit};
/// # #[derive(Default)] struct Sum { total: u32, row: u32 }
/// # impl Visit for Sum {
/// #     fn row(&mut self) { self.total += self.row; self.row = 0; }
/// #     fn again(&mut self) { self.row = 0; }
/// #     fn int(&mut self, _: i64) -> Result<(), Refusal> { Ok(()) }
/// #     fn unit(&mut self) {}
/// #     fn bool(&mut self, _: bool) {}
/// #     fn byte(&mut self, value: u8) { self.row += u32::from(value); }
/// #     fn float32(&mut self, _: f32) {}
/// #     fn float64(&mut self, _: f64) {}
/// #     fn bytes(&mut self, _: &[u8]) -> Result<(), Refusal> { Ok(()) }
/// #     fn encoded(&mut self, _: &[u8], _: &[u8]) -> Result<(), Refusal> { Ok(()) }
/// #     fn part(&mut self, _: usize) -> &mut Self { self }
/// #     fn list(&mut self, _: usize) -> Result<(), Refusal> { Ok(()) }
/// #     fn record(&mut self) {}
/// #     fn none(&mut self) {}
/// #     fn some(&mut self) -> &mut Self { self }
/// #     fn variant(&mut self, _: usize) {}
/// # }
///
/// let schema = Schema::parse("struct Point { x: byte, y: byte, } vector Points <Point>;")?;
/// let bytes = [2, 0, 0, 0, 1, 2, 3, 4];
///
/// // A visitor that adds up bytes.
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
    state: State,
    /// Rows that begin elsewhere are not read.
    part: Range<usize>,
    /// How usual rows are read.
    program: Option<Program>,
    /// So many rows are not tried side by side.
    one_by_one: usize,
}

/// How rows follow one another in files of a type.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Nothing is between them.
    Records(Framing),
    /// They are items of a size, after their count.
    FixVec(NonZeroUsize),
    /// They are items of a size, and so many are an array.
    Array(NonZeroUsize, usize),
    /// They are the items of a dynvec.
    DynVec,
    /// There is one.
    Whole,
}

#[derive(Debug)]
enum State {
    /// A record or a vector begins here, or the file ends.
    Between,
    /// Items of that size: how many are left, and which is the next.
    Fixed(NonZeroUsize, usize, usize),
    /// The items of a dynvec.
    Items(Items),
    /// The one value has been read.
    Over,
}

/// The items of a dynvec, as its index has them.
#[derive(Debug)]
struct Items {
    /// Where the vector begins.
    start: usize,
    /// Where items begin after that, and where the last one ends.
    bounds: Vec<u32>,
    /// Which is the next.
    index: usize,
}

impl Items {
    /// Where the next items end, after the start of the vector.
    fn ends(&self) -> &[u32] {
        self.bounds.get(self.index.saturating_add(1)..).unwrap_or_default()
    }

    /// Where the next item ends in the file.
    fn end(&self) -> Option<usize> {
        self.ends().first().map(|end| self.start.saturating_add(wire::stated(*end)))
    }
}

impl<'s> Rows<'s> {
    /// The rows of a file of that type.
    #[must_use]
    pub fn new(ty: Type<'s>, options: &Options) -> Self {
        let size = |ty: Type<'_>| ty.size().and_then(NonZeroUsize::new);
        let (row, form) = match (ty.shape(), size(ty)) {
            (Shape::FixVec(item), _) if !item.is_byte() => match size(item) {
                Some(size) => (item, Form::FixVec(size)),
                None => (item, Form::Whole),
            },
            (Shape::DynVec(item), _) => (item, Form::DynVec),
            (Shape::Array(item, count), Some(_)) if !item.is_byte() => match size(item) {
                Some(size) => (item, Form::Array(size, count)),
                None => (item, Form::Whole),
            },
            (Shape::Table(_), _) => (ty, Form::Records(Framing::FullSize)),
            (_, Some(size)) => (ty, Form::Records(Framing::Fixed(size))),
            _ => (ty, Form::Whole),
        };
        let foresight = Foresight::under(options.depth_limit());
        let program = foresight.and_then(|foresight| Program::of(row, foresight));
        let (check, part) = (Check::new(options), 0..usize::MAX);
        let state = State::Between;
        Rows { row, form, check, offset: 0, state, part, program, one_by_one: 0 }
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

    /// Tells `visitor` of the next rows, at most so many.
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
            if self.offset >= self.part.end || matches!(self.state, State::Over) {
                return Ok(Step::End);
            }
            if self.offset < self.part.start {
                match self.approach(rest) {
                    Ok(Some(())) => continue,
                    Ok(None) => return Ok(Step::End),
                    Err(error) if error.is_eof() && !is_end => return Ok(Step::More),
                    // What is cut begins before the part.
                    Err(error) if error.is_eof() && (rest.is_empty() || !self.has_vectors()) => {
                        return Ok(Step::End);
                    }
                    Err(error) => return Err(error),
                }
            }
            if self.is_in_vector() || !self.has_vectors() {
                let left = Most {
                    rows: most.rows.saturating_sub(rows),
                    bytes: most.bytes.saturating_sub(taken),
                };
                let read = self.usual(rest, left, visitor);
                if read > 0 {
                    rows += read;
                    continue;
                }
                let answer = self.row(rest, is_end, visitor);
                match answer {
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
                continue;
            }
            if rest.is_empty() {
                return Ok(if is_end { Step::End } else { Step::More });
            }
            match self.begin(rest) {
                Ok(()) => {}
                Err(error) if error.is_eof() && !is_end => return Ok(Step::More),
                Err(error) => return Err(error),
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
            Ok(None) if !is_end && matches!(self.form, Form::Records(_)) => Passed::More,
            _ => Passed::No,
        }
    }

    /// Whether rows are items of vectors.
    fn has_vectors(&self) -> bool {
        matches!(self.form, Form::FixVec(_) | Form::Array(..) | Form::DynVec)
    }

    /// Whether the next row is an item of the vector that has begun.
    fn is_in_vector(&self) -> bool {
        match &self.state {
            State::Between | State::Over => false,
            State::Fixed(_, left, _) => *left > 0,
            State::Items(items) => items.end().is_some(),
        }
    }

    /// Steps over what is before the part that is read. `None` if none of its rows follow.
    fn approach(&mut self, rest: &[u8]) -> Result<Option<()>> {
        let start = self.part.start;
        let missing = start.saturating_sub(self.offset);
        match &mut self.state {
            State::Fixed(size, left, index) if *left > 0 => {
                let count = missing.div_ceil(size.get()).min(*left);
                (*left, *index) = (left.saturating_sub(count), index.saturating_add(count));
                self.offset = self.offset.saturating_add(count.saturating_mul(size.get()));
                return Ok(Some(()));
            }
            State::Items(items) if items.end().is_some() => {
                while let Some(end) = items.end().filter(|_| self.offset < start) {
                    (self.offset, items.index) = (end, items.index.saturating_add(1));
                }
                return Ok(Some(()));
            }
            _ => {}
        }
        let mut head = Reader::new(rest, self.offset);
        let extent = match self.form {
            Form::Whole => return Ok(None),
            Form::Records(Framing::Fixed(size)) => {
                Some(missing.div_ceil(size.get()).saturating_mul(size.get()))
            }
            Form::Records(framing) => {
                framing.size(rest).map_err(|error| error.moved(self.offset))?
            }
            Form::Array(size, count) => Some(size.get().saturating_mul(count)),
            Form::FixVec(size) => {
                let count = wire::take_number(&mut head)?;
                Some(size.get().saturating_mul(count).saturating_add(NUMBER_SIZE))
            }
            Form::DynVec => Some(wire::take_number(&mut head)?),
        };
        let head = CommonKind::UnexpectedEnd { needed: NUMBER_SIZE, left: rest.len() };
        let extent = extent.ok_or_else(|| Error::at(head, self.offset))?;
        if self.has_vectors() && (extent > missing || extent < NUMBER_SIZE) {
            return self.begin(rest).map(Some);
        }
        (self.offset, self.state) = (self.offset.saturating_add(extent), State::Between);
        Ok(Some(()))
    }

    /// Takes what is before the items of a vector.
    fn begin(&mut self, rest: &[u8]) -> Result<()> {
        if let Form::Array(size, count) = self.form {
            self.state = State::Fixed(size, count, 0);
            return Ok(());
        }
        let mut header = Reader::new(rest, self.offset);
        let number = wire::take_number(&mut header)?;
        self.state = match self.form {
            Form::FixVec(size) => State::Fixed(size, number, 0),
            _ => {
                let mut items = Items { start: self.offset, bounds: Vec::new(), index: 0 };
                if number < NUMBER_SIZE {
                    let kind = ErrorKind::ShortFullSize { stated: number };
                    return Err(Error::at(kind, self.offset));
                }
                if number > NUMBER_SIZE {
                    let first = header.offset();
                    // More bytes may still come.
                    if header.left() < NUMBER_SIZE {
                        let (needed, left) = (NUMBER_SIZE, header.left());
                        return Err(Error::at(CommonKind::UnexpectedEnd { needed, left }, first));
                    }
                    if let Some(bounds) = item_bounds(header.rest(), number) {
                        header.skip((bounds.len() - 1) * NUMBER_SIZE);
                        items.bounds = bounds;
                    } else {
                        // All are before the end, which is a number.
                        let bound = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
                        let bounds = &mut items.bounds;
                        let keep = |offset| bounds.push(bound(offset));
                        wire::take_offsets(&mut header, number, keep)?;
                        bounds.push(bound(number));
                    }
                }
                State::Items(items)
            }
        };
        self.offset = header.offset();
        Ok(())
    }

    /// How long the next row is, if `rest`, which begins with it, shows that.
    fn size(&self, rest: &[u8]) -> Result<Option<usize>> {
        match (&self.state, self.form) {
            (State::Fixed(size, ..), _) => Ok(Some(size.get())),
            (State::Items(items), _) => Ok(items.end().map(|end| end.saturating_sub(self.offset))),
            (_, Form::Records(framing)) => framing.size(rest),
            _ => Ok(None),
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
        let framing = match self.form {
            Form::Records(framing) => framing,
            Form::FixVec(size) | Form::Array(size, _) => Framing::Fixed(size),
            Form::DynVec => Framing::FullSize,
            Form::Whole if !is_end => return Ok(Some(Step::More)),
            Form::Whole => {
                self.check.visit(
                    Value::unchecked(self.row, rest),
                    0,
                    self.check.depth(),
                    visitor,
                )?;
                self.state = State::Over;
                return Ok(None);
            }
        };
        if rest.is_empty() && matches!(self.state, State::Between) {
            return Ok(Some(if is_end { Step::End } else { Step::More }));
        }
        let size = self.size(rest).map_err(|error| error.moved(self.offset))?;
        let Some(row) = size.and_then(|size| rest.get(..size)) else {
            if !is_end {
                return Ok(Some(Step::More));
            }
            let error = match (&self.state, size) {
                (State::Between, _) | (_, None) => framing.cut(rest),
                (_, Some(needed)) => {
                    Error::at(CommonKind::UnexpectedEnd { needed, left: rest.len() }, 0)
                }
            };
            return Err(self.placed(error.moved(self.offset)));
        };
        if let Some(program) = &self.program {
            if program.read(row, visitor).is_ok() {
                self.advance(1, row.len());
                return Ok(None);
            }
            visitor.again();
        }
        let depth = match self.state {
            State::Between | State::Over => self.check.depth(),
            // The vector is a level of its own.
            _ => self.check.depth().enter().unwrap_or(self.check.depth()),
        };
        let value = Value::unchecked(self.row, row);
        let answer = self.check.visit(value, self.offset, depth, visitor);
        answer.map_err(|error| self.placed(error.map_kind(ErrorKind::in_item)))?;
        self.advance(1, row.len());
        Ok(None)
    }

    /// So many rows, of that size together, have been read or stepped over.
    fn advance(&mut self, rows: usize, size: usize) {
        self.offset = self.offset.saturating_add(size);
        match &mut self.state {
            State::Fixed(_, left, index) => {
                (*left, *index) = (left.saturating_sub(rows), index.saturating_add(rows));
            }
            State::Items(items) => items.index = items.index.saturating_add(rows),
            State::Between | State::Over => {}
        }
    }

    /// Says in which item an error is.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        match &self.state {
            State::Fixed(_, _, index) | State::Items(Items { index, .. }) => {
                error.inside(Segment::Index(*index))
            }
            State::Between | State::Over => error,
        }
    }
}
