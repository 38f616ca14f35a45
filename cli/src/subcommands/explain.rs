//! `fourfold explain`.

mod json;
mod table;

use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args;
use fourfold::biniou::Options;
use fourfold_inspect::explain::{Subject, Tally, page};
use fourfold_inspect::formats::{Format, Parts, Typed};

use crate::choice::Choice;
use crate::depth::Depth;
use crate::failure::{ExitStatus, Failure};
use crate::inputs::{Found, Inputs};
use crate::many::{self, Headings, Outcome, Settings};
use crate::names::Names;
use crate::output;
use crate::progress::with_progress;
use crate::schema::Types;

const EXAMPLES: &str = "\
Examples:
  fourfold explain model.tsm
  fourfold explain --path 'graph[2]' model.tsm
  fourfold explain --dict schema.atd saved.biniou
  fourfold explain --schema blockchain.mol --type Block block.bin
  fourfold explain --layout block.bin
  fourfold explain --html -o model.html model.tsm

Exit code: 0, or 2 if an error is shown. Lines with an error begin with `!`. If the pipe is
closed early, as by `head`, the code reflects the printed lines and the first 262,144 parts.";

/// Show the meaning of each byte of a file.
///
/// Prints an annotated dump. Each byte belongs to one line: offsets, bytes, the path of the value, the
/// kind of bytes, and their content. Errors are shown at their bytes; the bytes after an error are shown as
/// far as the format allows to find the next value. With an `.atd` schema names are shown; with
/// --type, the first value that is not of the type is an error, too. The paths of concatenated Molecule
/// records begin with their numbers, and each has its own errors. Lines are printed as they are found,
/// for files of any size; the number of entries and errors is in the first line, or in the last if there
/// are many.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: Inputs,

    /// One value only, by a path as in the lines or in `dump`, such as `graph[3].bubble.value`.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,

    #[command(flatten)]
    format: Choice,

    /// Describe the bytes as Molecule layouts that the headers allow, for any file.
    #[arg(long, conflicts_with_all = ["format", "schema"])]
    layout: bool,

    /// Read biniou as a stream of chunks (`Bi_stream`), even if the stream is damaged.
    #[arg(long, conflicts_with_all = ["layout", "format"])]
    chunks: bool,

    #[command(flatten)]
    names: Names,

    #[command(flatten)]
    types: Types,

    #[command(flatten)]
    max_depth: Depth,

    /// Do not shorten lines to the width of the terminal.
    ///
    /// Lines in a pipe or file are never shortened, so that `grep` finds each path, name and value. Only the first 4,096
    /// characters of a value and the first 64 bytes are shown.
    #[arg(long, conflicts_with_all = ["html", "json"])]
    wide: bool,

    /// One JSON object per entry and line: `start`, `end`, `path`, `what`, `value`, and `error`; for several files also
    /// `file`.
    #[arg(long, conflicts_with = "html")]
    json: bool,

    /// Write an HTML report: the bytes, with the tree of entries next to them.
    ///
    /// The report is one self-contained file. It searches paths, names, values and bytes, and its address has the
    /// selected byte or entry (`#b1234`, `#path=graph[2]`). A report has at most 64 MiB of bytes and
    /// 4,000,000 rows. Of larger files it has the first and last bytes of long values, a note on what is
    /// left out, and the errors; select a range with --path, or with --offset and --length.
    /// An output file named `.html` is such a report, too.
    #[arg(long)]
    html: bool,

    /// With --html: only the entries from this byte on.
    #[arg(long, value_name = "BYTE")]
    offset: Option<usize>,

    /// With --html: only the entries of this many bytes, from --offset or the start on.
    #[arg(long, value_name = "BYTES")]
    length: Option<usize>,

    /// The file to write; standard output by default.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

impl Arguments {
    /// Whether HTML is requested, by the option or by the extension of the output.
    fn is_page(&self) -> bool {
        let ending = self.output.extension().unwrap_or_default();
        self.html
            || (!self.json && ["html", "htm"].iter().any(|it| ending.eq_ignore_ascii_case(it)))
    }

    /// The requested format, by `--format` or by an option for one format.
    fn choice(&self) -> Choice {
        match (self.chunks, self.layout) {
            (true, _) => Choice { format: Some(Format::OF_CHUNKS) },
            (false, true) => Choice { format: Some(Format::OF_LAYOUTS) },
            (false, false) => self.format,
        }
    }

    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let window = page::Window { offset: self.offset, length: self.length };
        if !self.is_page() && !window.is_whole() {
            let text = "--offset and --length are for pages; add --html";
            return Err(Failure::Usage(text.into()));
        }
        self.max_depth.run(|| {
            let files = self.files.find()?;
            let instead = "without it, they are printed one after another";
            if self.is_page() {
                many::only_one(&files, "--html", instead)?;
            }
            if self.output.as_os_str() != "-" {
                many::only_one(&files, "-o", instead)?;
            }
            let mut headings = Headings::of(&files);
            let settings = Settings { format: self.format, names: &self.names, types: &self.types };
            let files = settings.for_files(files, &self.output, |names, types| {
                // The project's types do not apply to layouts and chunks.
                let types = if self.layout || self.chunks { &self.types } else { types };
                let typed = types.read(self.choice())?;
                let names = types.names(typed.as_ref(), names.read()?)?;
                Ok(FileSettings { typed, options: self.max_depth.options().names(names) })
            })?;
            let mut is_closed = false;
            many::each(files, |file, settings| {
                if is_closed {
                    return Err(Failure::Output(ErrorKind::BrokenPipe.into()));
                }
                self.explain(file, settings, window, &mut headings, &mut is_closed)
            })
        })
    }

    fn explain(
        &self,
        file: &Found,
        settings: &FileSettings,
        window: page::Window,
        headings: &mut Headings,
        is_closed: &mut bool,
    ) -> Result<Outcome, Failure> {
        let FileSettings { typed, options } = settings;
        let input = self.files.hex.open_as(&file.path, self.layout || typed.is_some())?;
        let chosen = with_progress("reading", || {
            file.choose(self.choice(), typed.as_ref(), &input, options, Choice::or_layouts)
        });
        let chosen = match chosen? {
            Ok(chosen) => chosen,
            Err(outcome) => return Ok(outcome),
        };
        chosen.warn(&input);
        let kind = chosen.kind();
        let parts = match self.chunks {
            true => Parts::of_chunks(kind, &input.bytes, options),
            false => Parts::new(kind, &input.bytes, options),
        };
        let path = match &self.path {
            None => String::new(),
            Some(path) => with_progress("looking for the value", || {
                let missing = || format!("{}: {}", input.name, parts.missing(path));
                parts.path(path).ok_or_else(|| Failure::Usage(missing()))
            })?,
        };

        let (name, bytes) = (input.name.as_str(), &*input.bytes);
        let subject = Subject { name, kind, bytes, parts, path: &path };
        let mut tally = Tally::default();
        let are_several = headings.are_wanted();
        let written = output::write(&self.output, |writer| match (self.is_page(), self.json) {
            (true, _) => page::write(writer, &subject, window, &mut tally),
            (false, true) => json::write(writer, &subject, are_several, &mut tally),
            (false, false) => {
                headings.write(writer, None)?;
                let columns = crate::width::of_file(&self.output);
                table::write(writer, &subject, table::Width::of(self.wide, columns), &mut tally)
            }
        });
        *is_closed = written.as_ref().is_err_and(Failure::is_closed_pipe);
        output::unless_closed(written)?;
        let has_error = tally.errors > 0 || (*is_closed && subject.has_error());
        let outcome = match has_error {
            true => (ExitStatus::BadData, many::BAD),
            false => (ExitStatus::Good, "good"),
        };
        Ok(chosen.outcome(outcome))
    }
}

/// The settings for a file, from the command line or the project.
struct FileSettings {
    typed: Option<Typed>,
    options: Options,
}
