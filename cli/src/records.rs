//! Records as tables: options for the type, the output format and damaged records, which `convert` and `sql` share.

mod text;

use std::io;
use std::path::Path;

use arrow_schema::{ArrowError, DataType, SchemaRef};
use clap::{Args, ValueEnum};
use fourfold_inspect::write::count::{counted_in_groups, listed};
use fourfold_tables::{Damage, Damaged, Error, Options, Schema, WideNumbers as Columns};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::failure::{Failure, warn};
use crate::schema::Types;

pub(crate) use self::text::{Lines, Writer};

/// The output format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Parquet,
    Lines(Lines),
}

impl Form {
    pub(crate) const ALL: [Form; 3] =
        [Form::Parquet, Form::Lines(Lines::Csv), Form::Lines(Lines::Json)];

    /// Its name, which is also the file extension.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Form::Parquet => "parquet",
            Form::Lines(Lines::Csv) => "csv",
            Form::Lines(Lines::Json) => "jsonl",
        }
    }

    /// The format of a file name.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let is_json = ending == "ndjson";
        Form::ALL
            .into_iter()
            .find(|form| form.name() == ending || (is_json && *form == Form::Lines(Lines::Json)))
    }
}

/// The type of records, and the treatment of damaged ones.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) types: Types,
    /// Leave damaged records out and report their number, instead of stopping at the first one. Columns that are not
    /// requested are not read.
    #[arg(long)]
    pub(crate) skip_damaged: bool,
}

impl Reading {
    /// The requested schema and type.
    pub(crate) fn schema(&self) -> Result<(Schema, String), Failure> {
        let Some(schema) = self.types.tables()? else {
            let text = "records need a schema: give --schema, a .mol or .atd file, and --type";
            return Err(Failure::Usage(text.into()));
        };
        let name = match self.types.name() {
            Some(name) => name.to_owned(),
            None => only(&schema)?,
        };
        Ok((schema, name))
    }

    /// The options of the reader.
    pub(crate) fn options(&self) -> Options {
        let damaged = if self.skip_damaged { Damaged::Skip } else { Damaged::Stop };
        Options::new().damaged(damaged)
    }
}

/// The column type for numbers of more than 64 bits.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum WideNumbers {
    /// `Decimal128(38, 0)`; a number of more digits is an error.
    Decimal,
    /// Text: decimal digits.
    String,
    /// The bytes of the file, little-endian.
    Binary,
}

impl WideNumbers {
    pub(crate) const fn columns(self) -> Columns {
        match self {
            WideNumbers::Decimal => Columns::Decimal,
            WideNumbers::String => Columns::Text,
            WideNumbers::Binary => Columns::Bytes,
        }
    }
}

/// The most items in a message.
const MOST_NAMED: usize = 5;

/// The one type of the schema that has columns.
fn only(schema: &Schema) -> Result<String, Failure> {
    let mut names = schema.tables();
    match (names.pop(), names.is_empty()) {
        (Some(name), true) => Ok(name),
        (Some(name), false) => {
            names.push(name);
            let names = listed(&names, MOST_NAMED);
            Err(Failure::Usage(format!(
                "the schema has records of several types: give --type, {names}"
            )))
        }
        (None, _) => Err(Failure::Usage("the schema has no type that is a record".into())),
    }
}

/// Warns of records that were left out.
pub(crate) fn report(damages: &[Damage], count: u64) {
    if count > 0 {
        for damage in damages.iter().take(MOST_NAMED) {
            warn(&damage.to_string());
        }
        warn(&format!("{} left out", counted_in_groups(count, "damaged record")));
    }
}

/// An error of the arguments.
pub(crate) fn usage(error: Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// An error of the input files.
pub(crate) fn failed(error: &Error) -> Failure {
    match error {
        Error::Io { file, source } => {
            let source = io::Error::new(source.kind(), source.to_string());
            Failure::Io { name: file.clone(), source }
        }
        Error::TooWide(damage) => {
            let name = damage.file().unwrap_or("-").to_owned();
            let row = damage.row().map(|row| format!("row {row}: ")).unwrap_or_default();
            let text = format!("{row}{}; use --wide-numbers string", damage.text());
            Failure::Data { name, text }
        }
        Error::Damaged(damage) => {
            let name = damage.file().unwrap_or("-").to_owned();
            Failure::Data { name, text: damage.clone().without_file().to_string() }
        }
        error => Failure::Usage(error.to_string()),
    }
}

/// Begins a Parquet file with these columns.
pub(crate) fn parquet<W: io::Write + Send>(
    file: W,
    columns: SchemaRef,
) -> Result<ArrowWriter<W>, Unwritten> {
    if let Some(field) = columns.fields().iter().find(|field| has_union(field.data_type())) {
        let text = format!(
            "`{}` has a union, which Parquet does not support; use struct for `sums`",
            field.name()
        );
        return Err(Unwritten::Input(Failure::Usage(text)));
    }
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    Ok(ArrowWriter::try_new(file, columns, Some(properties))?)
}

/// Whether the type is or contains a union.
fn has_union(ty: &DataType) -> bool {
    match ty {
        DataType::Union(..) => true,
        DataType::Struct(fields) => fields.iter().any(|field| has_union(field.data_type())),
        DataType::List(item) | DataType::FixedSizeList(item, _) | DataType::Map(item, _) => {
            has_union(item.data_type())
        }
        _ => false,
    }
}

/// Why a file was not written.
pub(crate) enum Unwritten {
    /// Writing failed.
    Output(io::Error),
    /// The format does not support a column.
    Columns(String),
    /// The input is invalid.
    Input(Failure),
    /// A number does not fit its column.
    TooWide(Failure),
}

impl From<Failure> for Unwritten {
    fn from(failure: Failure) -> Self {
        Unwritten::Input(failure)
    }
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Unwritten::Output(error)
    }
}

impl From<ArrowError> for Unwritten {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => Unwritten::Output(error),
            ArrowError::NotYetImplemented(text) => Unwritten::Columns(text),
            error => Unwritten::Columns(error.to_string()),
        }
    }
}

impl From<ParquetError> for Unwritten {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(source) => match source.downcast() {
                Ok(error) => Unwritten::Output(*error),
                Err(source) => Unwritten::Columns(source.to_string()),
            },
            error => Unwritten::Columns(error.to_string()),
        }
    }
}

impl Unwritten {
    /// The failure, with the file's name.
    pub(crate) fn named(self, path: &Path) -> Failure {
        match self {
            Unwritten::Output(error) => Failure::io(path, error),
            Unwritten::Columns(text) => Failure::Usage(format!("{}: {text}", path.display())),
            Unwritten::Input(failure) | Unwritten::TooWide(failure) => failure,
        }
    }
}
