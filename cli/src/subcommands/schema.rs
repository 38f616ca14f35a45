//! `fourfold schema`.

mod format;
mod rust;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::{Args, Subcommand};
use fourfold_inspect::write::count::counted;
use fourfold_inspect::write::plain::plain;
use fourfold_schema::mol::Schema as Mol;
use fourfold_schema::{Changes, Error, Outcome};

use crate::failure::{ExitStatus, Failure};
use crate::schema::{Include, is_atd, molecule, refused};
use crate::{output, target};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Work with schemas: `.mol` files of Molecule, `.atd` files of biniou.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold schema check blockchain.mol events.atd
  fourfold schema compare released/blockchain.mol blockchain.mol
  fourfold schema mol extensions.mol -o whole.mol
  fourfold schema atd events.atd
  fourfold schema rust blockchain.mol -o src/blockchain.rs
  fourfold schema rust drawing.atd -o src/drawing.rs
  fourfold schema format --check blockchain.mol events.atd")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Check schemas: prints one line each, good or the error with its position.
    ///
    /// Errors are what moleculec refuses in a `.mol` file, and `atdgen -b` in an `.atd` file. Imported files are checked
    /// too.
    #[command(after_help = "\
Examples:
  fourfold schema check blockchain.mol events.atd

Exit code: 0 if all are good; 2 if one is bad; 1 if one cannot be read.")]
    Check {
        /// The schemas: `.atd` files, and others in the language of `.mol` files.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        include: Include,
    },
    /// List the changes from one schema to another, and which readers are compatible.
    ///
    /// Both are `.atd` files, or both are in the language of `.mol` files.
    ///
    /// Older readers are those with the types of the older schema. If only compatible readers read values of
    /// the other schema, strict ones refuse them.
    #[command(after_help = "\
Examples:
  fourfold schema compare released/blockchain.mol blockchain.mol

Exit code: 0 if all readers read all values; 3 if some do not; 2 if a schema is bad; 1 if one cannot be
read.")]
    Compare {
        /// The older schema.
        old: PathBuf,
        /// The newer one.
        new: PathBuf,
        #[command(flatten)]
        include: Include,
    },
    /// Print a `.mol` file and all its imports as one file, in the standard format.
    ///
    /// Comments before a declaration, a field or an item are kept, others are not.
    #[command(after_help = "\
Examples:
  fourfold schema mol extensions.mol -o whole.mol")]
    Mol {
        /// The schema.
        file: PathBuf,
        /// The file to write, or `-` for standard output.
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        output: PathBuf,
    },
    /// Print an `.atd` file in the standard format.
    ///
    /// Annotations are kept, comments are not: `format` keeps both.
    #[command(after_help = "\
Examples:
  fourfold schema atd events.atd -o plain.atd")]
    Atd {
        /// The schema.
        file: PathBuf,
        /// The file to write, or `-` for standard output.
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        output: PathBuf,
    },
    Rust(rust::Arguments),
    Format(format::Arguments),
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        match &self.action {
            Action::Check { files, include } => check(files, include),
            Action::Compare { old, new, include } => compare(old, new, include),
            Action::Rust(arguments) => arguments.run(),
            Action::Format(arguments) => arguments.run(),
            Action::Mol { file, output } => print(file, output, molecule),
            Action::Atd { file, output } => {
                print(file, output, |path| Include::default().atd(path))
            }
        }
    }
}

/// Prints a schema.
fn print<S: Display>(
    file: &Path,
    output: &Path,
    read: impl FnOnce(&Path) -> Result<S, Failure>,
) -> Result<ExitStatus, Failure> {
    target::refuse_to_overwrite(output, [file])?;
    let schema = read(file)?;
    output::write(output, |out| write!(out, "{schema}"))?;
    Ok(ExitStatus::Good)
}

fn check(files: &[PathBuf], include: &Include) -> Result<ExitStatus, Failure> {
    target::refuse_to_print_over(files.iter().map(PathBuf::as_path))?;
    let mut status = ExitStatus::Good;
    let mut unread = None;
    for path in files {
        let report = match is_atd(path) {
            true => report(path, include.try_atd(path), |schema| schema.types().count()),
            false => report(path, Mol::from_file(path), |schema| schema.types().len()),
        };
        match report {
            Ok((ending, text)) => {
                status = status.max(ending);
                output::unless_closed(output::print(|out| out.write_all(text.as_bytes())))?;
            }
            Err(failure) => crate::failure::keep_going(&mut unread, failure),
        }
    }
    unread.map_or(Ok(status), Err)
}

/// The output of `check` for a schema.
fn report<S, K: Display>(
    path: &Path,
    read: Result<S, Error<K>>,
    types: impl FnOnce(&S) -> usize,
) -> Result<(ExitStatus, String), Failure> {
    let name = path.display().to_string();
    let shown = plain(&name);
    match read {
        Ok(schema) => {
            let count = counted(types(&schema), "type");
            Ok((ExitStatus::Good, format!("{shown}: {GOOD}good{GOOD:#} ({count})\n")))
        }
        Err(error) => match refused(&name, &error) {
            Failure::Schema { name, text, picture } => {
                let (name, text) = (plain(&name), plain(&text));
                Ok((ExitStatus::BadData, format!("{name}: {BAD}bad{BAD:#}: {text}\n{picture}")))
            }
            failure => Err(failure),
        },
    }
}

fn compare(old: &Path, new: &Path, include: &Include) -> Result<ExitStatus, Failure> {
    target::refuse_to_print_over([old, new])?;
    let changes = match (is_atd(old), is_atd(new)) {
        (true, true) => include.atd(old)?.compare(&include.atd(new)?),
        (false, false) => molecule(old)?.compare(&molecule(new)?),
        _ => {
            let (old, new) = (old.display(), new.display());
            let text = format!("{old} and {new}: one is an .atd schema, the other is not");
            return Err(Failure::Usage(text));
        }
    };
    output::unless_closed(output::print(|out| write_changes(out, &changes)))?;
    match changes.older_readers().max(changes.newer_readers()) {
        Outcome::Reads => Ok(ExitStatus::Good),
        _ => Ok(ExitStatus::Diagnostics),
    }
}

fn write_changes(out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
    if changes.is_empty() {
        return writeln!(out, "no changes");
    }
    changes.iter().try_for_each(|change| writeln!(out, "{change}"))
}
