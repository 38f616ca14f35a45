//! Records of files as a Parquet file. Knows which rows and columns are asked for, does not know formats.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use fourfold_tables::{
    Damaged, Error, Exploded, Options, Reader, RecordBatchReader, Schema, Table,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::failure::{Ended, Failure, remark};
use crate::formats::Choice;
use crate::names::Names;
use crate::output::print;
use crate::progress::Progress;
use crate::project;
use crate::schema::Types;
use crate::target;
use crate::write::count::{counted, counted_in_groups, listed, number};

/// What becomes a row, and what of it a column.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Records into Parquet")]
pub(super) struct Asked {
    #[command(flatten)]
    types: Types,
    /// A column that is written; the others are not even read. Can be given more than once.
    #[arg(long = "column", value_name = "NAME")]
    columns: Vec<String>,
    /// A list whose items become rows, with the other columns beside them: the name of a column, or names
    /// with dots between them. Can be given more than once.
    #[arg(long, value_name = "PATH")]
    explode: Vec<String>,
    /// Leave damaged records out, and say how many there are, instead of stopping at the first one.
    #[arg(long)]
    skip_damaged: bool,
}

/// So many damaged records are named.
const MOST_NAMED: usize = 5;

impl Asked {
    /// Whether anything is asked for that only records have.
    pub(super) fn is_given(&self) -> bool {
        self.types.file().is_some()
            || !self.columns.is_empty()
            || !self.explode.is_empty()
            || self.skip_damaged
    }

    /// Whether a file of that name holds records.
    pub(super) fn is_for(output: &Path) -> bool {
        output.extension().is_some_and(|extension| extension == "parquet")
    }

    pub(super) fn run(&self, input: &PathBuf, output: &Path) -> Result<Ended, Failure> {
        let mut types = self.types.clone();
        project::settle([input], Choice { format: None }, &mut Names::default(), &mut types)?;
        let Some(schema) = types.tables()? else {
            let text = "records need a schema: give --schema, a .mol or .atd file, and --type";
            return Err(Failure::Usage(text.into()));
        };
        let name = match types.name() {
            Some(name) => name.to_owned(),
            None => only(&schema)?,
        };
        let damaged = if self.skip_damaged { Damaged::Skip } else { Damaged::Stop };
        let options = Options::new().damaged(damaged);
        let mut table = Table::with_options(&schema, &name, options).map_err(usage)?;
        if !self.columns.is_empty() {
            table = table.select(&self.columns).map_err(usage)?;
        }
        target::spare_inputs(output, [input.as_path()])?;
        target::spare_inputs_of_printing([input.as_path()])?;
        let (reader, size) = match input.as_os_str() == "-" {
            true => (table.read(io::stdin()), None),
            false => {
                let about = fs::metadata(input).ok().filter(fs::Metadata::is_file);
                let reader = table.read_files([input.to_string_lossy()]).map_err(failed)?;
                (reader, about.map(|about| about.len()))
            }
        };
        let mut reader = Exploded::new(reader, &self.explode).map_err(usage)?;
        let progress = size.and_then(|size| usize::try_from(size).ok()).map(Progress::of_bytes);
        let mut rows = 0;
        let written = fourfold::replace_file(output, |file| {
            rows = write(&mut reader, file, progress.as_ref())?;
            Ok::<_, Fault>(())
        });
        drop(progress);
        written.map_err(|fault| match fault {
            Fault::Output(error) => Failure::io(output, error),
            Fault::Parquet(error) => Failure::data(&output.display().to_string(), error),
            Fault::Input(error) => failed(error),
        })?;
        let columns = counted(reader.schema().fields().len(), "column");
        let rows = counted_in_groups(rows, "row");
        print(|out| writeln!(out, "{}: {rows} of {columns}", output.display()))?;
        report(reader.inner());
        Ok(Ended::Good)
    }
}

/// Why a file was not written.
enum Fault {
    Output(io::Error),
    Parquet(ParquetError),
    Input(Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Output(error)
    }
}

impl From<ParquetError> for Fault {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(source) => match source.downcast() {
                Ok(error) => Fault::Output(*error),
                Err(source) => Fault::Parquet(ParquetError::External(source)),
            },
            error => Fault::Parquet(error),
        }
    }
}

/// Writes all rows, and says how many these are.
fn write<W: io::Write + Send>(
    reader: &mut Exploded<Reader<'_>>,
    file: W,
    progress: Option<&Progress>,
) -> Result<u64, Fault> {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(file, reader.schema(), Some(properties))?;
    let mut rows = 0;
    while let Some(batch) = reader.next() {
        let batch = batch.map_err(|error| Fault::Input(Error::from_arrow(error)))?;
        writer.write(&batch)?;
        rows += number(batch.num_rows());
        if let Some(progress) = progress {
            progress.reach(reader.inner().bytes());
        }
    }
    writer.close()?;
    Ok(rows)
}

/// Says which records were left out.
fn report(reader: &Reader<'_>) {
    for damage in reader.damages().iter().take(MOST_NAMED) {
        remark(&damage.to_string());
    }
    if reader.damaged() > 0 {
        let records = counted_in_groups(reader.damaged(), "damaged record");
        remark(&format!("{records} left out"));
    }
}

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

fn usage(error: Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// What is wrong with the files that are read.
fn failed(error: Error) -> Failure {
    match error {
        Error::Io { file, source } => Failure::Io { name: file, source },
        Error::Damaged(damage) => {
            let name = damage.file().unwrap_or("-").to_owned();
            Failure::Data { name, text: damage.without_file().to_string() }
        }
        error => Failure::Usage(error.to_string()),
    }
}
