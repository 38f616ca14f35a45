//! Writes the result of a query: a text table, or a file.

use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Schema};
use clap::ValueEnum;
use datafusion::arrow::csv;
use datafusion::arrow::json;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use fourfold_inspect::write::count::{counted_in_groups, number};
use fourfold_inspect::write::plain::{escape, plain};
use fourfold_inspect::write::table::{Side, Table};

use super::Batches;
use crate::failure::{Failure, warn};
use crate::output::write_data;
use crate::records::{Unwritten, parquet};
use crate::target;
use crate::width;

/// The output format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A text table.
    Table,
    /// Comma-separated values, with names in the first line.
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// A Parquet file.
    Parquet,
}

impl Form {
    /// The requested format, or that of the file's extension.
    pub(super) fn of(requested: Option<Self>, output: Option<&Path>) -> Result<Self, Failure> {
        let Some(output) = output.filter(|output| output.as_os_str() != "-") else {
            return Ok(requested.unwrap_or(Form::Table));
        };
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let by_extension = match ending.as_deref() {
            Some("txt") => Some(Form::Table),
            Some("csv") => Some(Form::Csv),
            Some("jsonl" | "ndjson" | "json") => Some(Form::Jsonl),
            Some("parquet") => Some(Form::Parquet),
            _ => None,
        };
        requested.or(by_extension).ok_or_else(|| {
            let output = output.display();
            let text = "the name does not select an output format; use --to, or a name in .csv, .jsonl, .ndjson or .parquet";
            Failure::Usage(format!("{output}: {text}"))
        })
    }
}

/// Writes the file, or standard output.
pub(super) fn save(
    batches: &mut Batches<'_>,
    form: Form,
    output: Option<&Path>,
) -> Result<(), Failure> {
    let path = output.unwrap_or(Path::new("-"));
    let is_printed = path.as_os_str() == "-";
    let columns = batches.columns();
    let written = match form {
        Form::Parquet if is_printed => {
            target::refuse_terminal(false)?;
            save_parquet(io::stdout(), batches)
        }
        Form::Parquet => fourfold::replace_file(path, |file| save_parquet(file, batches)),
        _ => {
            let mut stopped = None;
            let written = write_data(path, |out| {
                let text =
                    Text { form, out, is_terminal: is_printed && io::stdout().is_terminal() };
                text.write(&columns, batches).map_err(|unwritten| {
                    stopped = Some(unwritten);
                    io::Error::other("the result ended early")
                })
            });
            match stopped {
                Some(unwritten) => Err(unwritten),
                None => return written,
            }
        }
    };
    written.map_err(|unwritten| match unwritten {
        Unwritten::Output(error) if is_printed => Failure::Output(error),
        unwritten => unwritten.named(path),
    })
}

fn save_parquet(file: impl Write + Send, batches: &mut Batches<'_>) -> Result<(), Unwritten> {
    for field in batches.columns().fields() {
        if let DataType::Decimal256(digits, _) = field.data_type() {
            let name = field.name();
            warn(&format!(
                "`{name}` has decimals of {digits} digits, and many readers of Parquet round or refuse more than \
                 38; use cast(\"{name}\" as varchar)"
            ));
        }
    }
    let mut writer = parquet(file, batches.columns())?;
    for batch in batches {
        writer.write(&batch.map_err(Unwritten::Input)?)?;
    }
    writer.close()?;
    Ok(())
}

/// The rows of one table, whose layout needs all of them.
const ROWS: usize = 1000;

/// A result as text.
struct Text<'o> {
    form: Form,
    out: &'o mut dyn Write,
    is_terminal: bool,
}

impl Text<'_> {
    fn write(mut self, columns: &Schema, batches: &mut Batches<'_>) -> Result<(), Unwritten> {
        if self.form == Form::Table {
            return self.tables(columns, batches);
        }
        let mut is_first = true;
        for batch in batches {
            self.batch(&batch.map_err(Unwritten::Input)?, is_first)?;
            is_first = false;
        }
        if is_first && self.form == Form::Csv {
            self.batch(&RecordBatch::new_empty(columns.clone().into()), true)?;
        }
        Ok(())
    }

    /// Writes rows of CSV or JSON.
    fn batch(&mut self, batch: &RecordBatch, is_first: bool) -> Result<(), Unwritten> {
        let mut bytes = Vec::new();
        let written = match self.form {
            Form::Csv => {
                csv::WriterBuilder::new().with_header(is_first).build(&mut bytes).write(batch)
            }
            _ => {
                let builder = json::WriterBuilder::new().with_explicit_nulls(true);
                let mut writer = builder.build::<_, json::writer::LineDelimited>(&mut bytes);
                writer.write(batch).and_then(|()| writer.finish())
            }
        };
        written.map_err(|error| refused(&error))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) if self.form == Form::Jsonl => {
                for line in text.lines() {
                    escape(self.out, line)?;
                    writeln!(self.out)?;
                }
            }
            Ok(text) if self.is_terminal => {
                for line in text.lines() {
                    writeln!(self.out, "{}", plain(line))?;
                }
            }
            _ => self.out.write_all(&bytes)?,
        }
        Ok(())
    }

    /// Writes text tables.
    fn tables(&mut self, columns: &Schema, batches: &mut Batches<'_>) -> Result<(), Unwritten> {
        let sides: Vec<Side> = columns
            .fields()
            .iter()
            .map(|field| match field.data_type() {
                ty if ty.is_numeric() => Side::Right,
                _ => Side::Left,
            })
            .collect();
        let names: Vec<String> =
            columns.fields().iter().map(|field| plain(field.name()).into_owned()).collect();
        let begun = || {
            let mut table = Table::new(sides.clone());
            table.row(names.clone());
            (table, 0)
        };
        let (mut table, mut in_table) = begun();
        let mut rows = 0;
        let options = FormatOptions::new().with_null("null");
        for batch in batches {
            let batch = batch.map_err(Unwritten::Input)?;
            let cells =
                batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
            let cells = cells.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
            for row in 0..batch.num_rows() {
                let row = cells.iter().map(|cells| {
                    cells.value(row).try_to_string().map(|cell| plain(&cell).into_owned())
                });
                table.row(row.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?);
                (rows, in_table) = (rows + 1, in_table + 1);
                if in_table == ROWS {
                    width::write(self.out, &table)?;
                    (table, in_table) = begun();
                }
            }
        }
        if in_table > 0 || rows == 0 {
            width::write(self.out, &table)?;
        }
        writeln!(self.out, "{}", counted_in_groups(number(rows), "row"))?;
        Ok(())
    }
}

/// The error for a value that a format does not support.
fn refused(error: &ArrowError) -> Unwritten {
    let text = match error {
        ArrowError::CsvError(text) => {
            format!("{text}; CSV has no nested columns; write .jsonl, or select their fields")
        }
        error => error.to_string(),
    };
    Unwritten::Input(Failure::Usage(text))
}
