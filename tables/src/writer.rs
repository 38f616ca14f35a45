//! Writes record batches to files: the framing of rows.

mod error;
mod value;
mod view;

use std::io::{self, Write};

use arrow_array::{RecordBatch, StructArray};
use fourfold::biniou::ChunkWriter;
use fourfold_schema::{atd, mol as molecule};

use self::error::ValueError;
use self::value::{Cell, Numbers, Rows};
use self::view::View;
use crate::part::Part;
use crate::rows::Rows as RowTypes;
use crate::{Error, Result, Schema, Table};

/// How the rows of a file are framed. A [`Reader`](crate::Reader) of the same table reads all forms.
///
/// | Form | biniou | Molecule |
/// |---|---|---|
/// | `List` | an ARRAY of all rows | a dynvec or fixvec: the table is made for this vector type |
/// | `Table` | a TABLE of all rows, which are records | |
/// | `Stream` | a stream whose chunks are ARRAYs of up to 1,024 rows, the format of `Bi_stream` | |
/// | `Values` | concatenated rows | concatenated rows, if their bytes show where each ends: tables, and values of fixed size |
///
/// A `List` or `Table` begins with the number of rows, so the bytes of all rows are buffered until
/// [`finish`](Writer::finish). For the other forms only one batch is buffered, and for a stream one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A list of all rows.
    List,
    /// A TABLE of biniou: names and tags of fields are written once.
    Table,
    /// A stream of biniou, the format of OCaml's `Bi_stream`.
    Stream,
    /// Only rows.
    Values,
}

/// Writes record batches as a file of rows: the opposite of a [`Reader`](crate::Reader).
///
/// The bytes are those that atdgen and the official implementation of Molecule write: a file written by these is
/// reproduced exactly when its batches are written in the same form.
///
/// Batches have all columns of the [table](Table::schema), in that order. Their fields may be declared nullable, but
/// a null is an error where the type has no null. For a biniou field or cell that may be missing, null is written as
/// missing.
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
#[must_use = "the file is incomplete before `finish`"]
pub struct Writer<'s, W> {
    row: Part,
    name: String,
    writer: W,
    sink: Sink<'s>,
    numbers: Numbers,
    rows: u64,
    has_failed: bool,
}

/// Number of rows in a chunk of a stream, as in OCaml's `Bi_stream`.
const CHUNK_ROWS: usize = 1024;

/// The encoder of the rows.
enum Sink<'s> {
    BiniouList(atd::ListMaker<'s>),
    MoleculeList(molecule::ListMaker<'s>),
    /// A stream, and the list that becomes its next chunk.
    Stream(atd::ListMaker<'s>),
    BiniouValues(atd::Type<'s>),
    /// Concatenated rows, and how many a file may have.
    MoleculeValues(molecule::Type<'s>, Count),
    /// The form does not support the type.
    Unsupported(String),
}

/// How many rows a file may have.
#[derive(Clone, Copy)]
enum Count {
    Any,
    /// One, since the bytes do not show where a row ends.
    One,
    /// A multiple of this array length.
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
    /// If the form does not support the type, [`write`](Writer::write) and [`finish`](Writer::finish) return the
    /// error.
    pub fn write<W: Write>(&self, writer: W, form: Form) -> Writer<'s, W> {
        let name = self.name().to_owned();
        let sink = match (self.file_schema(), self.rows()) {
            (_, Some(RowTypes::Biniou(rows))) => of_biniou(rows.ty(), &name, form),
            (Schema::Molecule(schema), Some(RowTypes::Molecule(rows))) => match schema.get(&name) {
                Some(ty) => of_molecule(ty, rows.ty(), form),
                None => Sink::Unsupported(format!("the schema has no type `{name}`")),
            },
            _ => Sink::Unsupported(format!("the schema has no type `{name}`")),
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
            None => Sink::Unsupported(format!(
                "rows of `{name}` are not records, so they cannot be a TABLE: write a list"
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
        (Form::List, _) => Sink::Unsupported(format!(
            "`{name}` is not a vector: name a vector of it, or write concatenated values"
        )),
        (Form::Values, _) if is_vector => Sink::Unsupported(format!(
            "`{name}` is a vector: write a list, or name `{item}` for concatenated values"
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
        (Form::Table, _) => Sink::Unsupported(
            "Molecule has no TABLE: write a list, or concatenated values".to_owned(),
        ),
        (Form::Stream, _) => Sink::Unsupported(
            "Molecule has no streams of chunks: write a list, or concatenated values".to_owned(),
        ),
    }
}

impl<W: Write> Writer<'_, W> {
    /// Writes the rows of a batch. If it returns `Columns` or `Row`, nothing of the batch is written, and more
    /// batches can be written.
    ///
    /// # Errors
    ///
    /// `Form` if the form does not support the type; `Columns` if the batch has other columns than the table; `Row`
    /// if a row is not a valid value of its type; `Output` if the writer fails, after which nothing more is written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if let Sink::Unsupported(text) = &self.sink {
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
                "a file of `{name}` has exactly one row, since its bytes do not show where it ends"
            )));
        }
        let record = StructArray::from(batch.clone());
        let view = View::new(&self.row, &record)
            .map_err(|error| Error::Columns { name: name.clone(), text: error.to_string() })?;
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
                // The list stays unchanged if a row is refused.
                chunks(open.clone(), rows, &mut bytes).map(|rest| *open = rest)
            }
            Sink::BiniouValues(ty) => {
                each(rows, |row| ty.make(row).map(|value| bytes.extend(value)))
            }
            Sink::MoleculeValues(ty, _) => {
                each(rows, |row| ty.make(row).map(|value| bytes.extend(value)))
            }
            Sink::Unsupported(_) => Ok(()),
        };
        made.map_err(|error| {
            // An error about all rows is reported for the last one.
            let row = error.row().unwrap_or(len.saturating_sub(1));
            let row = self.rows.saturating_add(u64::try_from(row).unwrap_or(u64::MAX));
            Error::Row { row, text: error.to_string() }
        })?;
        self.put(&bytes)?;
        self.rows = after;
        Ok(())
    }

    /// Writes the remaining bytes, and returns the writer.
    ///
    /// # Errors
    ///
    /// `Form` if the form does not support the type, or the number of rows is not possible; `Output` if the writer
    /// fails.
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
                return Err(Error::Form(format!(
                    "a file of `{name}` has exactly one row, and none was written"
                )));
            }
            Sink::MoleculeValues(_, Count::Times(count)) if !is_multiple(rows, *count) => {
                return Err(Error::Form(format!(
                    "`{name}` is an array of {count}, and {rows} rows are not a multiple of it"
                )));
            }
            Sink::BiniouValues(_) | Sink::MoleculeValues(..) => Ok(()),
            Sink::Unsupported(text) => return Err(Error::Form(text.clone())),
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
    Error::Output(io::Error::other("an earlier write failed"))
}

/// Encodes each row.
fn each<'v>(
    rows: Rows<'v>,
    mut make: impl FnMut(Cell<'v>) -> Result<(), ValueError>,
) -> Result<(), ValueError> {
    (0..rows.len).try_for_each(|row| make(rows.get(row)).map_err(|error| error.in_row(row)))
}

/// Appends rows to a list, and each complete chunk to `bytes`. Returns the list with the remaining rows.
fn chunks<'s>(
    mut open: atd::ListMaker<'s>,
    rows: Rows<'_>,
    bytes: &mut Vec<u8>,
) -> Result<atd::ListMaker<'s>, ValueError> {
    let mut chunks = ChunkWriter::new(bytes);
    let mut start = 0;
    while start < rows.len {
        let left = CHUNK_ROWS.saturating_sub(open.count());
        let len = left.min(rows.len.saturating_sub(start));
        let part = Rows { start, len, ..rows };
        open.append(part).map_err(|error| error.after_rows(start))?;
        start += len;
        if open.count() == CHUNK_ROWS {
            let chunk = [&open.head(), open.body()].concat();
            chunks
                .write_chunk(&chunk)
                .map_err(|error| ValueError::new(error.without_hint().to_string()))?;
            open.clear();
        }
    }
    Ok(open)
}

fn put_all(writer: &mut impl Write, parts: [&[u8]; 2]) -> io::Result<()> {
    parts.into_iter().try_for_each(|part| writer.write_all(part))
}

/// Whether the number of rows is a multiple of the length.
fn is_multiple(rows: u64, length: usize) -> bool {
    match u64::try_from(length) {
        Ok(length) if length > 0 => rows % length == 0,
        _ => rows == 0,
    }
}
