//! Converts files of records to a file of rows and columns.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use clap::Args;
use fourfold_inspect::write::count::{counted, counted_in_groups, number};
use fourfold_inspect::write::plain::plain;
use fourfold_tables::{Error, Exploded, Reader, RecordBatchReader, Table, WideNumbers as Columns};

use crate::choice::Choice;
use crate::failure::{self, ExitStatus, Failure, keep_going};
use crate::hex::Hex;
use crate::input::Input;
use crate::inputs::{Entry, Found, Recursive, Written, find_for};
use crate::names::Names;
use crate::output::print;
use crate::progress::Progress;
use crate::project;
use crate::records::{self, Form, Unwritten, WideNumbers, Writer, failed, parquet, report, usage};
use crate::target::{self, Output};

/// The options for rows and columns.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Records")]
pub(super) struct Request {
    #[command(flatten)]
    records: records::Reading,
    /// A column to write; others are not read. Can be repeated.
    #[arg(long = "column", value_name = "NAME")]
    columns: Vec<String>,
    /// A list whose items become rows, with the other columns repeated: the name of a column, or names
    /// with dots between them. Can be repeated.
    #[arg(long, value_name = "PATH")]
    explode: Vec<String>,
    /// The type for numbers of more than 64 bits, such as `Uint128`. By default: in Parquet, decimals if all numbers of
    /// the file fit, else strings; in CSV and JSON, digits.
    #[arg(long, value_name = "FORM")]
    wide_numbers: Option<WideNumbers>,
    #[command(flatten)]
    recursive: Recursive,
}

/// The arguments, and the files that can be read.
struct Task<'a> {
    input: &'a Path,
    output: &'a Path,
    form: Form,
    files: &'a [Found],
    /// The bytes to read instead of the files.
    bytes: Option<&'a Input>,
}

impl Request {
    /// Whether an option is given that is for records only.
    pub(super) fn is_given(&self) -> bool {
        self.records.types.file().is_some()
            || !self.columns.is_empty()
            || !self.explode.is_empty()
            || self.records.skip_damaged
            || self.wide_numbers.is_some()
            || self.recursive.recursive
    }

    /// Writes the file, or standard output.
    pub(super) fn run(
        &self,
        input: &PathBuf,
        output: &Path,
        form: Form,
        is_forced: bool,
        hex: Hex,
    ) -> Result<ExitStatus, Failure> {
        let is_printed = output.as_os_str() == "-";
        if form == Form::Parquet && is_printed {
            target::refuse_terminal(is_forced)?;
        }
        let mut records = self.records.clone();
        let choice = Choice { format: None };
        project::apply([input], choice, &mut Names::default(), &mut records.types)?;
        let (schema, name) = records.schema()?;
        let is_output = |path: &Path| Form::of_name(path).is_some();
        let written = Written { output: Output::of(output), is_output };
        let (files, status) = readable(find_for(input, self.recursive, written))?;
        let paths = || files.iter().map(|file| file.path.as_path());
        target::refuse_to_overwrite(output, paths().chain(records.types.file()))?;
        target::refuse_to_print_over(paths())?;
        let bytes = match (hex.is_given(), &files[..]) {
            // Opened again below; this warns of hex text.
            (false, [file]) if !is_stdin(input) => hex.open_as(&file.path, true).map(|_| None)?,
            (false, _) => None,
            (true, [file]) => Some(hex.open(&file.path)?),
            (true, _) => {
                return Err(Failure::Usage("--hex takes one file of records".into()));
            }
        };
        let task = Task { input, output, form, files: &files, bytes: bytes.as_ref() };
        // The last one accepts all numbers, or is the requested one.
        let may_repeat = (bytes.is_some() || !is_stdin(input)) && !is_printed;
        let columns_of_form = match (self.wide_numbers, form) {
            (Some(numbers), _) => vec![numbers.columns()],
            (None, Form::Lines(_)) => vec![Columns::Text],
            (None, Form::Parquet) => vec![Columns::Decimal, Columns::Text],
        };
        for (at, columns) in columns_of_form.iter().enumerate() {
            let options = records.options().wide_numbers(*columns);
            let table = Table::with_options(&schema, &name, options).map_err(usage)?;
            match self.write(&task, table) {
                // Files can be read again, since nothing has been printed.
                Err(Unwritten::TooWide(_)) if at + 1 < columns_of_form.len() && may_repeat => {}
                Err(Unwritten::Output(error)) if is_printed => return Err(Failure::Output(error)),
                Err(unwritten) => return Err(unwritten.named(output)),
                Ok(()) => break,
            }
        }
        Ok(status)
    }

    /// Writes all rows of the files with this table.
    fn write(&self, task: &Task<'_>, mut table: Table<'_>) -> Result<(), Unwritten> {
        let Task { input, output, form, files, bytes } = *task;
        let is_printed = output.as_os_str() == "-";
        if !self.columns.is_empty() {
            self.check_exploded(&table)?;
            table = table.select(&self.columns).map_err(usage)?;
        }
        let paths = || files.iter().map(|file| file.path.as_path());
        let (reader, size) = match (bytes, is_stdin(input)) {
            (Some(input), _) => (table.read_slice(&input.bytes), None),
            (None, true) => (table.read(io::stdin()), None),
            (None, false) => {
                let about =
                    paths().map(|path| fs::metadata(path).ok().filter(fs::Metadata::is_file));
                let size = about.map(|about| Some(about?.len())).sum::<Option<u64>>();
                let reader = table.read_files(paths().map(Path::to_string_lossy));
                (reader.map_err(|error| failed(&error))?, size)
            }
        };
        let exploded = Exploded::new(reader, &self.explode);
        let mut reader = exploded.map_err(|error| self.not_exploded(error))?;
        let progress = size.and_then(|size| usize::try_from(size).ok()).map(Progress::of_bytes);
        let mut rows = 0;
        let written = match is_printed {
            true => {
                let is_terminal = io::stdout().is_terminal();
                write(&mut reader, form, io::stdout(), is_terminal, progress.as_ref()).map(drop)
            }
            false => fourfold::replace_file(output, |file| {
                rows = write(&mut reader, form, file, false, progress.as_ref())?;
                Ok::<_, Unwritten>(())
            }),
        };
        drop(progress);
        written?;
        if !is_printed {
            let columns = counted(reader.schema().fields().len(), "column");
            let rows = counted_in_groups(rows, "row");
            let output = plain(&output.to_string_lossy()).into_owned();
            print(|out| writeln!(out, "{output}: {rows} of {columns}"))?;
        }
        report(reader.inner().damages(), reader.inner().damaged());
        Ok(())
    }

    /// Refuses to explode a list in a column that is not selected, with the option that selects it.
    fn check_exploded(&self, table: &Table<'_>) -> Result<(), Failure> {
        let schema = table.schema();
        for path in &self.explode {
            let column = path.split('.').next().unwrap_or(path);
            if schema.field_with_name(column).is_ok() && !self.columns.iter().any(|it| it == column)
            {
                return Err(Failure::Usage(format!(
                    "--explode {path} needs the column `{column}`, which is not selected; add \
                     `--column {column}`"
                )));
            }
        }
        Ok(())
    }

    /// The error for a list that cannot be exploded, with the options that explode it.
    fn not_exploded(&self, error: Error) -> Failure {
        let Error::InList { path, lists } = &error else { return usage(error) };
        let paths = self.explode.iter().flat_map(|exploded| match exploded == path {
            true => lists.clone(),
            false => vec![exploded.clone()],
        });
        let options: Vec<String> = paths.map(|path| format!("--explode {path}")).collect();
        let outer = lists.first().map_or("", String::as_str);
        Failure::Usage(format!(
            "`{path}` is inside of the list `{outer}`, which has to be exploded first: {}",
            options.join(" ")
        ))
    }
}

fn is_stdin(input: &Path) -> bool {
    input.as_os_str() == "-"
}

/// The files that can be read, and the exit status so far. The others are reported.
///
/// # Errors
///
/// The last file's error, if none can be read.
fn readable(found: Vec<Entry>) -> Result<(Vec<Found>, ExitStatus), Failure> {
    let (mut files, mut failed, mut status) = (Vec::new(), None, ExitStatus::Good);
    for entry in found {
        match entry.and_then(openable) {
            Ok(file) => files.push(file),
            Err(failure) => {
                status = status.max(ExitStatus::of(&failure));
                keep_going(&mut failed, failure);
            }
        }
    }
    match failed {
        Some(failure) if files.is_empty() => Err(failure),
        failed => {
            failed.iter().for_each(failure::report);
            Ok((files, status))
        }
    }
}

/// The file, if it can be opened. Pipes are not opened, since that can block.
fn openable(file: Found) -> Result<Found, Failure> {
    if file.path.as_os_str() == "-" {
        return Ok(file);
    }
    let about = fs::metadata(&file.path);
    let opened = about.and_then(|about| match about.is_file() {
        true => fs::File::open(&file.path).map(drop),
        false => Ok(()),
    });
    match opened {
        Ok(()) => Ok(file),
        Err(error) => Err(Failure::io(&file.path, error)),
    }
}

/// Writes all rows, and returns their number.
fn write<W: io::Write + Send>(
    reader: &mut Exploded<Reader<'_>>,
    form: Form,
    file: W,
    is_terminal: bool,
    progress: Option<&Progress>,
) -> Result<u64, Unwritten> {
    match form {
        Form::Parquet => {
            let mut writer = parquet(file, reader.schema())?;
            let rows = each(reader, progress, |batch| Ok(writer.write(batch)?))?;
            writer.close()?;
            Ok(rows)
        }
        Form::Lines(lines) => {
            let mut writer = Writer::new(file, lines, is_terminal, &reader.schema())?;
            let rows = each(reader, progress, |batch| Ok(writer.write(batch)?))?;
            writer.finish()?;
            Ok(rows)
        }
    }
}

/// Calls `write` with all batches, and returns the number of rows.
fn each(
    reader: &mut Exploded<Reader<'_>>,
    progress: Option<&Progress>,
    mut write: impl FnMut(&RecordBatch) -> Result<(), Unwritten>,
) -> Result<u64, Unwritten> {
    let mut rows = 0;
    while let Some(batch) = reader.next() {
        let batch = batch.map_err(|error| match Error::from_arrow(error) {
            error @ Error::TooWide(_) => Unwritten::TooWide(failed(&error)),
            error => Unwritten::Input(failed(&error)),
        })?;
        write(&batch)?;
        rows += number(batch.num_rows());
        if let Some(progress) = progress {
            progress.reach(reader.inner().bytes());
        }
    }
    Ok(rows)
}
