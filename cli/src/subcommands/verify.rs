//! `fourfold verify`.

mod canonical;

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use clap::Args;
use fourfold::biniou::Options;
use fourfold_inspect::formats::{Reading, Typed, place_of, verify};
use fourfold_inspect::model;
use fourfold_inspect::package::{self, Value};
use fourfold_inspect::tensors::Container;
use fourfold_inspect::write::count::counted;
use fourfold_inspect::write::plain::plain;

use self::canonical::Canonical;
use crate::choice::Choice;
use crate::chosen;
use crate::depth::Depth;
use crate::failure::{ExitStatus, Failure};
use crate::input::Input;
use crate::inputs::{Found, Inputs};
use crate::many::{self, Outcome, Settings};
use crate::names::Names;
use crate::output;
use crate::progress::with_progress;
use crate::schema::Types;

const EXAMPLES: &str = "\
Examples:
  fourfold verify model.tsm
  fourfold verify --canonical saved/*.biniou
  fourfold verify --all model.tsm
  fourfold verify --schema blockchain.mol --type Block blocks/*.bin
  fourfold verify -r models

Exit code: 0 if all are good; 2 if one is bad, empty or of an unknown format; 3 if all are good and
one is not canonical; 1 if one cannot be read or checked: Molecule without a schema, or a file that
several formats fit. The worst counts: 1, 2, 3, then 0.";

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Check files: prints one line each, good or the error with path and byte.
///
/// A file is good if the strict reader of its format reads it to the last byte. tsm modules that
/// TenniS refuses to load are bad. Suspicious content, such as a node of a module that no output needs, or
/// a field that is not in an `.atd` schema, is printed after `good` and does not change the exit code.
/// Molecule files do not store types, so they are checked with a schema; each of concatenated records is checked.
/// Of a model of ONNX, its graph is checked, and that all elements are there, also those in files beside it.
/// With -r and without --schema, files of unknown format are counted and do not change the exit code. After several files a summary is
/// printed on standard error.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: Inputs,

    /// Also report the first byte that a canonical writer would write differently.
    #[arg(long)]
    canonical: bool,

    /// Also print everything suspicious, one line each.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    format: Choice,

    #[command(flatten)]
    names: Names,

    #[command(flatten)]
    types: Types,

    #[command(flatten)]
    depth: Depth,
}

impl Arguments {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        self.depth.run(|| {
            let files = self.files.find()?;
            let count = files.len();
            let settings = Settings { format: self.format, names: &self.names, types: &self.types };
            let files = settings.for_files(files, Path::new("-"), |names, types| {
                let options = self.depth.options().names(names.read()?);
                Ok(FileSettings { typed: types.read(self.format)?, options })
            })?;
            let mut at = 0;
            many::each(files, |file, settings| {
                at += 1;
                let what = match count {
                    1 => "checking".into(),
                    count => {
                        let name = file.path.to_string_lossy();
                        format!("checking {} ({at} of {count})", plain(&name))
                    }
                };
                let checked = with_progress(what, || {
                    let input = self.files.hex.open_as(&file.path, settings.typed.is_some())?;
                    self.check(file, input, settings)
                })?;
                let checked = match checked {
                    Ok(checked) => checked,
                    Err(outcome) => return Ok(outcome),
                };
                // Each line is shown as soon as its file is checked.
                let printed = output::print(|writer| checked.write(writer, self.all));
                output::unless_closed(printed)?;
                Ok(checked.outcome())
            })
        })
    }

    /// The result for a file, or the status if it is skipped.
    fn check(
        &self,
        file: &Found,
        input: Input,
        settings: &FileSettings,
    ) -> Result<Result<Checked, Outcome>, Failure> {
        let FileSettings { typed, options } = settings;
        let bad = |input, text| {
            let reading = Reading::Bad(text);
            Ok(Ok(Checked { format: None, input, reading, canonical: None }))
        };
        match chosen::package(self.format, typed.as_ref(), &input) {
            Ok(None) => {}
            Ok(Some(package)) => {
                let (reading, canonical) = self.check_package(&package);
                drop(package);
                let format = Some(package::NAME);
                return Ok(Ok(Checked { format, input, reading, canonical }));
            }
            Err(Failure::Data { text, .. }) => return bad(input, text),
            Err(failure) => return Err(failure),
        }
        let container = Container::plain(&input.bytes).filter(|_| typed.is_none());
        if let Some(container) = container.filter(|_| self.format.format.is_none()) {
            let (reading, format) = (verify(container, &input)?, Some(container.name()));
            return Ok(Ok(Checked { format, input, reading, canonical: None }));
        }
        let chosen = match file.choose(self.format, typed.as_ref(), &input, options, Choice::of) {
            Ok(Ok(chosen)) => chosen,
            Ok(Err(outcome)) => return Ok(Err(outcome)),
            Err(Failure::Data { text, .. }) => return bad(input, text),
            Err(failure) => return Err(failure),
        };
        if let Some(note) = chosen.mismatch() {
            return bad(input, note.to_string());
        }
        chosen.warn_if_several(&input);
        let (kind, format) = (chosen.kind(), chosen.format);
        if !kind.has_types() {
            return Err(model::no_check(&input.name, &input.bytes));
        }
        let file = kind.load(&input.bytes, options);
        let reading = match &file {
            Ok(file) => file.reading(),
            Err(text) => Reading::Bad(text.clone()),
        };
        let canonical = match (&reading, &file) {
            (Reading::Good { .. }, Ok(file)) if self.canonical => {
                let place = |at| place_of(kind, &input.bytes, at, options);
                Some(canonical::check(&**file, &input.bytes, place))
            }
            _ => None,
        };
        drop(file);
        Ok(Ok(Checked { format: Some(format.name()), input, reading, canonical }))
    }

    /// The result for a package, and for its order of keys if that is requested.
    fn check_package(&self, package: &Value<'_>) -> (Reading, Option<Canonical>) {
        let what = format!("package, {}", package.type_name());
        let suspicions = package::damaged_modules(package);
        let canonical = self.canonical.then(|| match package::is_sorted(package) {
            true => Canonical::Same,
            false => Canonical::Other("its keys are not in the order of their bytes".into()),
        });
        (Reading::Good { what, suspicions }, canonical)
    }
}

/// The settings for a file, from the command line or the project.
struct FileSettings {
    typed: Option<Typed>,
    options: Options,
}

/// A file and its verdict.
struct Checked {
    /// The name of the format.
    format: Option<&'static str>,
    input: Input,
    reading: Reading,
    canonical: Option<Canonical>,
}

impl Checked {
    fn outcome(&self) -> Outcome {
        match (&self.reading, &self.canonical) {
            (Reading::Bad(_) | Reading::Untyped, _) => (ExitStatus::BadData, many::BAD),
            (_, None | Some(Canonical::Same)) => (ExitStatus::Good, "good"),
            (_, Some(_)) => (ExitStatus::Diagnostics, "not canonical"),
        }
    }

    fn write(&self, writer: &mut dyn Write, all: bool) -> io::Result<()> {
        write!(writer, "{}: ", plain(&self.input.name))?;
        let (what, suspicions) = match &self.reading {
            Reading::Good { what, suspicions } => (what, suspicions),
            Reading::Bad(text) => return writeln!(writer, "{BAD}{}{BAD:#}", plain(text)),
            Reading::Untyped => return writeln!(writer, "nothing to check"),
        };

        let format = self.format.unwrap_or_default();
        let size = counted(self.input.bytes.len(), "byte");
        match &self.canonical {
            None | Some(Canonical::Same) => {
                let mark = if self.canonical.is_some() { ", canonical" } else { "" };
                write!(writer, "{GOOD}good{GOOD:#} ({format}, {what}, {size}{mark})")?;
            }
            Some(Canonical::Other(text)) => {
                write!(writer, "{BAD}not canonical{BAD:#} ({format}, {what}, {size}): ")?;
                write!(writer, "{}", plain(text))?;
            }
        }
        if all {
            writeln!(writer)?;
            return suspicions.iter().try_for_each(|one| writeln!(writer, "    {}", plain(one)));
        }
        if let [first, others @ ..] = &suspicions[..] {
            write!(writer, "; suspicious: {}", plain(first))?;
            if !others.is_empty() {
                write!(writer, ", and {} more, which --all shows", others.len())?;
            }
        }
        writeln!(writer)
    }
}
