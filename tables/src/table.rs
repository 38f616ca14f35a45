//! The columns of a row type, and how its files are read.

use std::io::{self, Read, Seek};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, SchemaRef};

#[cfg(feature = "datafusion")]
use fourfold_schema::{Most, Step};

use crate::column::Column;
use crate::part::{self, Kind, Making, Part};
use crate::rows::Rows;
use crate::source::{Files, Window};
use crate::{Error, Options, Reader, Result, Schema};

/// The rows of files of one type: which columns they have, and how they are read.
///
/// The rows of a list, table or vector are its items; the rows of other types are the values themselves. A row is a
/// record, tuple, struct or table, or one of several variants; its fields are the columns.
#[derive(Clone, Debug)]
pub struct Table<'s> {
    schema: &'s Schema,
    name: String,
    options: Options,
    /// The row: a record of columns.
    pub(crate) row: Part,
    /// The selected columns.
    wanted: Option<Vec<usize>>,
    all: SchemaRef,
    columns: SchemaRef,
}

/// The columns of the type `name`.
///
/// ```
/// use fourfold_tables::{Schema, arrow_schema};
///
/// let schema = Schema::molecule(
///     "array Uint64 [byte; 8]; vector Bytes <byte>; table Cell { capacity: Uint64, data: Bytes, }",
/// )?;
/// let columns = arrow_schema(&schema, "Cell")?;
/// let columns: Vec<String> =
///     columns.fields().iter().map(|field| format!("{} {}", field.name(), field.data_type())).collect();
/// assert_eq!(columns, ["capacity UInt64", "data Binary"]);
/// # Ok::<(), fourfold_tables::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`Table::new`].
pub fn arrow_schema(schema: &Schema, name: &str) -> Result<SchemaRef> {
    Ok(Table::new(schema, name)?.columns)
}

impl<'s> Table<'s> {
    /// The rows of files of the type `name`.
    ///
    /// # Errors
    ///
    /// `NoType` if the schema has no such type, `NoRecord` if rows would have no columns, `TooManyColumns`.
    pub fn new(schema: &'s Schema, name: &str) -> Result<Self> {
        Self::with_options(schema, name, Options::new())
    }

    /// The same, with options.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Table::new).
    pub fn with_options(schema: &'s Schema, name: &str, options: Options) -> Result<Self> {
        let row = row_of(schema, name, &options)?;
        let Some(row) = row else {
            return Err(Error::NoType { name: name.into(), known: known(schema, &options) });
        };
        let fields = match row.as_columns() {
            Some(fields) => fields,
            None => {
                let what = if row.is_nullable { "an option" } else { row.kind.name() };
                let name = name.into();
                return Err(Error::NoRecord { name, what, known: known(schema, &options) });
            }
        };
        let columns = Arc::new(arrow_schema::Schema::new(fields));
        let all = Arc::clone(&columns);
        Ok(Table { schema, name: name.into(), options, row, wanted: None, all, columns })
    }

    /// The columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.columns)
    }

    /// Reads only these columns, in the order of the type. The others are skipped, so errors in them are not
    /// detected.
    ///
    /// # Errors
    ///
    /// `NoColumn`.
    pub fn select<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> Result<Self> {
        let names = names.into_iter().map(|name| {
            let name = name.as_ref();
            let found = self.columns.fields().iter().position(|field| field.name() == name);
            found.ok_or_else(|| Error::NoColumn {
                name: name.into(),
                known: self.columns.fields().iter().map(|field| field.name().clone()).collect(),
            })
        });
        let mut wanted = names.collect::<Result<Vec<_>>>()?;
        wanted.sort_unstable();
        wanted.dedup();
        self.project(&wanted)
    }

    /// Selects columns by their indices, in order.
    pub(crate) fn project(mut self, wanted: &[usize]) -> Result<Self> {
        self.columns = Arc::new(self.columns.project(wanted)?);
        self.wanted = Some(match self.wanted {
            None => wanted.to_vec(),
            Some(before) => wanted.iter().filter_map(|at| before.get(*at).copied()).collect(),
        });
        Ok(self)
    }

    /// The batches of the bytes of `reader`.
    #[must_use]
    pub fn read<'r, R: Read + Send + 'r>(&self, reader: R) -> Reader<'r>
    where
        's: 'r,
    {
        Reader::of_window(self.clone(), Window::of_reader(reader))
    }

    /// The batches of bytes in memory.
    #[must_use]
    pub fn read_slice<'r>(&self, bytes: &'r [u8]) -> Reader<'r>
    where
        's: 'r,
    {
        Reader::of_window(self.clone(), Window::Slice(bytes))
    }

    /// The batches of files, in order. Each path may be a pattern, such as `logs/*.biniou`, or a folder, which means
    /// all files in it.
    ///
    /// A file is read up to its length at the time when it is opened.
    ///
    /// # Errors
    ///
    /// `NoFiles` for a path that matches none, `Pattern`, `Io`.
    pub fn read_files<P: AsRef<str>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Reader<'s>> {
        Ok(Reader::of_files(self.clone(), Files::new(paths)?))
    }

    /// The batches of the rows that begin in a byte range of a file. Ranges that cover a file yield each of its rows
    /// once.
    ///
    /// Row starts are found with the index of a dynvec, the size of fixed-size rows or records, and the chunks of a
    /// stream. For other files, all rows belong to the range with the first byte.
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use fourfold_tables::{Schema, Table};
    ///
    /// let schema = Schema::molecule("struct Point { x: byte, y: byte, } vector Points <Point>;")?;
    /// let table = Table::new(&schema, "Points")?;
    /// let bytes = [3, 0, 0, 0, 1, 1, 2, 2, 3, 3];
    /// let rows = |part| table.read_part(Cursor::new(bytes), part).map(|batches| batches.map(|batch| batch.unwrap().num_rows()).sum());
    /// assert_eq!((rows(0..5)?, rows(5..10)?), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Errors of seeking.
    pub fn read_part<'r, R: Read + Seek + Send + 'r>(
        &self,
        file: R,
        part: Range<u64>,
    ) -> io::Result<Reader<'r>>
    where
        's: 'r,
    {
        self.read_part_of(file, None, part)
    }

    /// The same for a file that has a path.
    pub(crate) fn read_part_of<'r, R: Read + Seek + Send + 'r>(
        &self,
        file: R,
        path: Option<PathBuf>,
        part: Range<u64>,
    ) -> io::Result<Reader<'r>>
    where
        's: 'r,
    {
        let (window, length) = Window::of_file(file)?;
        let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        // Errors at the end of the file belong to the last part.
        let end = if part.end >= length { usize::MAX } else { place(part.end) };
        let path = path.map(|path| (path, length));
        Ok(Reader::of_part(self.clone(), window, path, place(part.start)..end))
    }

    /// Whether a file that begins with those bytes shows where rows begin, so that it can be split.
    #[cfg(feature = "datafusion")]
    pub(crate) fn shows_rows(&self, head: &[u8]) -> bool {
        let most = Most { rows: 1, bytes: 1 };
        let mut column = self.column();
        // Only in such a file, a part after the first byte has rows.
        let rows = self.rows().map(|rows| rows.part(1..usize::MAX));
        rows.is_some_and(|mut rows| {
            !matches!(rows.read(head, false, most, &mut column), Ok(Step::End))
        })
    }

    /// Whether a header before all rows shows where each row begins.
    #[cfg(feature = "datafusion")]
    pub(crate) fn has_index(&self) -> bool {
        use fourfold_schema::mol::Shape;

        let Schema::Molecule(schema) = self.schema else { return false };
        let shape = schema.get(&self.name).map(|ty| ty.shape());
        matches!(shape, Some(Shape::DynVec(_) | Shape::FixVec(_) | Shape::Array(..)))
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The schema of the type.
    pub(crate) fn file_schema(&self) -> &'s Schema {
        self.schema
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// An empty column of rows.
    pub(crate) fn column(&self) -> Column {
        let mut column = Column::new(&self.row);
        if let Some(wanted) = &self.wanted {
            column.select(wanted);
        }
        column
    }

    /// Returns the rows in a column as a batch, and empties the column.
    pub(crate) fn batch(&self, column: &mut Column) -> Result<RecordBatch, ArrowError> {
        let rows = column.len();
        // The columns of a sum type are always read completely.
        let whole = matches!(self.row.kind, Kind::Sum(_));
        let read = if whole { &self.all } else { &self.columns };
        let array = column.finish(&DataType::Struct(read.fields().clone()))?;
        let mut columns = array.as_struct().columns().to_vec();
        if let (true, Some(wanted)) = (whole, &self.wanted) {
            columns = wanted.iter().filter_map(|at| columns.get(*at).cloned()).collect();
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(self.schema(), columns, &options)
    }

    /// The rows of a file.
    pub(crate) fn rows(&self) -> Option<Rows<'s>> {
        Rows::new(self.schema, &self.name, &self.options)
    }
}

/// The row type of files of the type `name`, if there is one.
fn row_of(schema: &Schema, name: &str, options: &Options) -> Result<Option<Part>> {
    match Rows::new(schema, name, options) {
        None => Ok(None),
        Some(Rows::Biniou(rows)) => {
            part::of_biniou(rows.ty(), &mut Making::new(options, name)).map(Some)
        }
        Some(Rows::Molecule(rows)) => {
            part::of_molecule(rows.ty(), &mut Making::new(options, name)).map(Some)
        }
    }
}

impl Schema {
    /// The types whose rows have columns, in the order of the schema.
    ///
    /// ```
    /// let schema = fourfold_tables::Schema::biniou("type id = int  type user = { id : id }  type users = user list")?;
    /// assert_eq!(schema.tables(), ["user", "users"]);
    /// # Ok::<(), fourfold_tables::Error>(())
    /// ```
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        known(self, &Options::new())
    }
}

/// The types of a schema that have columns.
fn known(schema: &Schema, options: &Options) -> Vec<String> {
    let names: Vec<String> = match schema {
        Schema::Biniou(schema) => {
            schema.types().filter_map(|ty| ty.name().map(str::to_owned)).collect()
        }
        Schema::Molecule(schema) => schema.types().map(|ty| ty.name().to_owned()).collect(),
    };
    let has_columns = |name: &String| {
        let row = row_of(schema, name, options);
        row.ok().flatten().is_some_and(|row| row.as_columns().is_some())
    };
    names.into_iter().filter(has_columns).collect()
}

impl Part {
    /// The columns of rows.
    fn as_columns(&self) -> Option<arrow_schema::Fields> {
        match &self.kind {
            _ if self.is_nullable => None,
            Kind::Struct(fields) => {
                Some(fields.iter().map(|(name, part)| part.field(name)).collect())
            }
            Kind::Sum(variants) if !part::is_enum(variants) => Some(part::sum_fields(variants)),
            _ => None,
        }
    }
}
