//! Files of record batches. Knows how rows lie in a file, does not know what is in them.

mod fault;
mod value;
mod view;

use std::io::{self, Write};

use arrow_array::{RecordBatch, StructArray};
use fourfold::biniou::{ChunkWriter, atd};
use fourfold::molecule::schema as molecule;

use self::fault::Fault;
use self::value::{Cell, Numbers, Rows};
use self::view::View;
use crate::part::Part;
use crate::rows::Rows as RowTypes;
use crate::{Error, Result, Schema, Table};

/// How rows lie in a file. Each form is one that a [`Reader`](crate::Reader) of the same table reads.
///
/// | Form | biniou | Molecule |
/// |---|---|---|
/// | `List` | an ARRAY of all rows | the dynvec or fixvec that the table is named by |
/// | `Table` | a TABLE of all rows, which are records | |
/// | `Stream` | a stream whose chunks are ARRAYs of up to 1,024 rows, as `Bi_stream` reads them | |
/// | `Values` | rows one behind another | rows one behind another, if each shows where it ends: tables, and values of one size |
///
/// In front of a `List` or `Table` stands how many rows there are, so the bytes of all rows are kept until
/// [`finish`](Writer::finish). Of the other forms those of one batch are kept, and of a stream those of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A list of all rows.
    List,
    /// A TABLE of biniou: names and tags of fields stand in it once.
    Table,
    /// A stream of biniou, as `Bi_stream` of OCaml has it.
    Stream,
    /// Rows and nothing else.
    Values,
}

/// Writes record batches as a file of rows: the opposite of a [`Reader`](crate::Reader).
///
/// Bytes are those that atdgen and the official implementation of Molecule write. A file that they have written has
/// the same bytes again if its batches are written in its form.
///
/// Batches have the columns of the [table](Table::schema), all of them and in that order. Whether a column may be null
/// is not a matter of its field: there just must be no null where the type has none. Where a biniou field or cell may be
/// missing, null is a missing one.
///
/// ```
/// use fourfold_tables::{Form, Schema, Table};
///
/// let schema = Schema::biniou("type entry = { host : string; ?user : string option }")?;
/// let table = Table::new(&schema, "entry")?;
///
/// #[derive(serde::Serialize)]
/// struct Entry { host: &'static str }
/// let log = fourfold::biniou::to_vec(&vec![Entry { host: "a" }, Entry { host: "b" }])?;
///
/// let mut writer = table.write(Vec::new(), Form::List);
/// for batch in table.read(&*log) {
///     writer.write(&batch?)?;
/// }
/// assert_eq!(writer.finish()?, log);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a file may have no end, or nothing at all, before `finish`"]
pub struct Writer<'s, W> {
    row: Part,
    name: String,
    writer: W,
    sink: Sink<'s>,
    numbers: Numbers,
    rows: u64,
    has_failed: bool,
}

/// How many rows are in a chunk of a stream: as many as OCaml's `Bi_stream` writes.
const CHUNK_ROWS: usize = 1024;

/// Where rows go.
enum Sink<'s> {
    BiniouList(atd::ListMaker<'s>),
    MoleculeList(molecule::ListMaker<'s>),
    /// A stream, and the list that is to become its next chunk.
    Stream(atd::ListMaker<'s>),
    BiniouValues(atd::Type<'s>),
    /// And how many there are.
    MoleculeValues(molecule::Type<'s>, Count),
    /// The form does not fit the type.
    Misfit(String),
}

/// How many rows a file may have.
#[derive(Clone, Copy)]
enum Count {
    Any,
    /// Nothing shows where a row ends.
    One,
    /// They are items of arrays of that length.
    Times(usize),
}

impl<W> std::fmt::Debug for Writer<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'s> Table<'s> {
    /// Writes batches to `writer` as a file of that form.
    ///
    /// A form that does not fit the type is the error of the first [`write`](Writer::write), and of
    /// [`finish`](Writer::finish).
    pub fn write<W: Write>(&self, writer: W, form: Form) -> Writer<'s, W> {
        let name = self.name().to_owned();
        let sink = match (self.file_schema(), self.rows()) {
            (_, Some(RowTypes::Biniou(rows))) => of_biniou(rows.ty(), &name, form),
            (Schema::Molecule(schema), Some(RowTypes::Molecule(rows))) => match schema.get(&name) {
                Some(ty) => of_molecule(ty, rows.ty(), form),
                None => Sink::Misfit(format!("the schema has no type `{name}`")),
            },
            _ => Sink::Misfit(format!("the schema has no type `{name}`")),
        };
        let numbers = match self.file_schema() {
            Schema::Biniou(_) => Numbers::Ints,
            Schema::Molecule(_) => Numbers::Bytes,
        };
        let row = self.row.clone();
        Writer { row, name, writer, sink, numbers, rows: 0, has_failed: false }
    }
}

fn of_biniou<'s>(row: atd::Type<'s>, name: &str, form: Form) -> Sink<'s> {
    match form {
        Form::List => Sink::BiniouList(atd::ListMaker::list(row)),
        Form::Table => match atd::ListMaker::table(row) {
            Some(maker) => Sink::BiniouList(maker),
            None => Sink::Misfit(format!(
                "rows of `{name}` are no records, which those of a TABLE are: write a list"
            )),
        },
        Form::Stream => Sink::Stream(atd::ListMaker::list(row)),
        Form::Values => Sink::BiniouValues(row),
    }
}

fn of_molecule<'s>(ty: molecule::Type<'s>, row: molecule::Type<'s>, form: Form) -> Sink<'s> {
    use molecule::Shape;
    let (name, item) = (ty.name(), row.name());
    let is_vector = matches!(ty.shape(), Shape::FixVec(_) | Shape::DynVec(_)) && ty != row;
    match (form, molecule::ListMaker::new(ty)) {
        (Form::List, Some(maker)) if is_vector => Sink::MoleculeList(maker),
        (Form::List, _) => Sink::Misfit(format!(
            "`{name}` is no vector: name a vector of it, or write values one behind another"
        )),
        (Form::Values, _) if is_vector => Sink::Misfit(format!(
            "`{name}` is a vector: write a list, or name `{item}` for values one behind another"
        )),
        (Form::Values, _) => Sink::MoleculeValues(
            row,
            match (ty.shape(), row.shape(), row.size()) {
                (Shape::Array(_, count), _, _) if ty != row => Count::Times(count),
                (_, Shape::Table(_), _) => Count::Any,
                (_, _, Some(size)) if size > 0 => Count::Any,
                _ => Count::One,
            },
        ),
        (Form::Table, _) => Sink::Misfit(
            "Molecule has no TABLE: write a list, or values one behind another".to_owned(),
        ),
        (Form::Stream, _) => Sink::Misfit(
            "Molecule has no streams of chunks: write a list, or values one behind another"
                .to_owned(),
        ),
    }
}

impl<W: Write> Writer<'_, W> {
    /// Writes the rows of a batch. Nothing is written of a batch that is refused, and others may follow.
    ///
    /// # Errors
    ///
    /// `Form` if the form does not fit the type; `Columns` if the batch has other columns than the table; `Row` for a
    /// row that is no value of its type; `Output` if the writer fails, behind which nothing more is written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if let Sink::Misfit(text) = &self.sink {
            return Err(Error::Form(text.clone()));
        }
        if self.has_failed {
            return Err(failed_before());
        }
        let name = &self.name;
        let len = batch.num_rows();
        let after = self.rows.saturating_add(u64::try_from(len).unwrap_or(u64::MAX));
        if matches!(self.sink, Sink::MoleculeValues(_, Count::One)) && after > 1 {
            return Err(Error::Form(format!(
                "a file of `{name}` holds one row, since nothing shows where it ends"
            )));
        }
        let record = StructArray::from(batch.clone());
        let view = View::new(&self.row, &record)
            .map_err(|fault| Error::Columns { name: name.clone(), text: fault.to_string() })?;
        let rows = Rows { view: &view, numbers: self.numbers, start: 0, len };
        let mut bytes = Vec::new();
        let made = match &mut self.sink {
            Sink::BiniouList(maker) => maker.append(rows),
            Sink::MoleculeList(maker) => maker.append(rows),
            // Appended as a whole or not at all.
            Sink::Stream(open) if open.count().saturating_add(len) < CHUNK_ROWS => {
                open.append(rows)
            }
            Sink::Stream(open) => {
                // The list stays as it was if a row is refused.
                chunks(open.clone(), rows, &mut bytes).map(|rest| *open = rest)
            }
            Sink::BiniouValues(ty) => {
                each(rows, |row| ty.make(row).map(|value| bytes.extend(value)))
            }
            Sink::MoleculeValues(ty, _) => {
                each(rows, |row| ty.make(row).map(|value| bytes.extend(value)))
            }
            Sink::Misfit(_) => Ok(()),
        };
        made.map_err(|fault| {
            // What is said of all rows together is said of the last one.
            let row = fault.row().unwrap_or(len.saturating_sub(1));
            let row = self.rows.saturating_add(u64::try_from(row).unwrap_or(u64::MAX));
            Error::Row { row, text: fault.to_string() }
        })?;
        self.put(&bytes)?;
        self.rows = after;
        Ok(())
    }

    /// Writes what is still to be written, and gives the writer back.
    ///
    /// # Errors
    ///
    /// `Form` if the form does not fit the type, or the rows are fewer or more than a file may have; `Output` if the
    /// writer fails.
    pub fn finish(self) -> Result<W> {
        let Writer { name, sink, mut writer, rows, has_failed, .. } = self;
        if has_failed {
            return Err(failed_before());
        }
        let written = match &sink {
            Sink::BiniouList(maker) => put_all(&mut writer, [&maker.head(), maker.body()]),
            Sink::MoleculeList(maker) => put_all(&mut writer, [&maker.head(), maker.body()]),
            Sink::Stream(open) => {
                let mut chunks = ChunkWriter::new(&mut writer);
                let last = match open.count() {
                    0 => Ok(()),
                    _ => chunks.write_chunk(&[&open.head(), open.body()].concat()),
                };
                match last.and_then(|()| chunks.finish()) {
                    Ok(_) => Ok(()),
                    Err(error) => Err(error.into()),
                }
            }
            Sink::MoleculeValues(_, Count::One) if rows == 0 => {
                return Err(Error::Form(format!("a file of `{name}` holds one row, and not none")));
            }
            Sink::MoleculeValues(_, Count::Times(count)) if !is_multiple(rows, *count) => {
                return Err(Error::Form(format!(
                    "`{name}` is an array of {count}, and {rows} rows are not whole ones"
                )));
            }
            Sink::BiniouValues(_) | Sink::MoleculeValues(..) => Ok(()),
            Sink::Misfit(text) => return Err(Error::Form(text.clone())),
        };
        written.and_then(|()| writer.flush()).map_err(Error::Output)?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).map_err(|error| {
            self.has_failed = true;
            Error::Output(error)
        })
    }
}

#[cold]
fn failed_before() -> Error {
    Error::Output(io::Error::other("nothing is written behind a failure"))
}

/// Makes the bytes of each row.
fn each<'v>(
    rows: Rows<'v>,
    mut make: impl FnMut(Cell<'v>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    (0..rows.len).try_for_each(|row| make(rows.get(row)).map_err(|fault| fault.in_row(row)))
}

/// Appends rows to a list, and to `bytes` each list that has become a whole chunk. Gives the list that has not.
fn chunks<'s>(
    mut open: atd::ListMaker<'s>,
    rows: Rows<'_>,
    bytes: &mut Vec<u8>,
) -> Result<atd::ListMaker<'s>, Fault> {
    let mut chunks = ChunkWriter::new(bytes);
    let mut start = 0;
    while start < rows.len {
        let room = CHUNK_ROWS.saturating_sub(open.count());
        let len = room.min(rows.len.saturating_sub(start));
        let part = Rows { start, len, ..rows };
        open.append(part).map_err(|fault| fault.behind_rows(start))?;
        start += len;
        if open.count() == CHUNK_ROWS {
            let chunk = [&open.head(), open.body()].concat();
            chunks
                .write_chunk(&chunk)
                .map_err(|error| Fault::new(error.without_hint().to_string()))?;
            open.clear();
        }
    }
    Ok(open)
}

fn put_all(writer: &mut impl Write, parts: [&[u8]; 2]) -> io::Result<()> {
    parts.into_iter().try_for_each(|part| writer.write_all(part))
}

/// Whether so many rows are arrays of that length.
fn is_multiple(rows: u64, length: usize) -> bool {
    match u64::try_from(length) {
        Ok(length) if length > 0 => rows % length == 0,
        _ => rows == 0,
    }
}
