//! `fourfold schema format`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use fourfold_inspect::write::plain::plain;
use fourfold_schema::{atd, mol};

use super::{BAD, GOOD};
use crate::failure::{ExitStatus, Failure, keep_going};
use crate::schema::{is_atd, refused};
use crate::{output, target};

/// Print a schema in the standard format, without its imports.
///
/// All comments are kept.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold schema format blockchain.mol -o formatted.mol
  fourfold schema format --check schemas/blockchain.mol schemas/events.atd

Exit code: 0 if all is well; 3 if --check finds a file that is not in this form; 2 if a schema is bad; 1 if one cannot be read.")]
pub(super) struct Arguments {
    /// The schemas: `.atd` files, and others in the language of `.mol` files. One, unless --check is given.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only check which files are in this format, and print the result.
    #[arg(long)]
    check: bool,
    /// The file to write, or `-` for standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-", conflicts_with = "check")]
    output: PathBuf,
}

impl Arguments {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        match (self.check, &self.files[..]) {
            (true, _) => self.check_all(),
            (false, [file]) => {
                target::refuse_to_overwrite(&self.output, [&**file])?;
                let (_, form) = formatted(file)?;
                output::write(&self.output, |out| out.write_all(form.as_bytes()))?;
                Ok(ExitStatus::Good)
            }
            (false, _) => {
                let text = "several schemas need --check; without it, give one schema";
                Err(Failure::Usage(text.into()))
            }
        }
    }

    fn check_all(&self) -> Result<ExitStatus, Failure> {
        target::refuse_to_print_over(self.files.iter().map(PathBuf::as_path))?;
        let (mut status, mut failed) = (ExitStatus::Good, None);
        for file in &self.files {
            let (text, form) = match formatted(file) {
                Ok(both) => both,
                Err(failure) => {
                    keep_going(&mut failed, failure);
                    continue;
                }
            };
            let name = file.display().to_string();
            let name = plain(&name);
            let line = match text == form {
                true => format!("{name}: {GOOD}good{GOOD:#}\n"),
                false => format!(
                    "{name}: {BAD}not formatted{BAD:#}, from line {}\n",
                    first_other(&text, &form)
                ),
            };
            if text != form {
                status = ExitStatus::Diagnostics;
            }
            output::unless_closed(output::print(|out| out.write_all(line.as_bytes())))?;
        }
        failed.map_or(Ok(status), Err)
    }
}

/// The text of a file, and the formatted text.
fn formatted(file: &Path) -> Result<(String, String), Failure> {
    let text = fs::read_to_string(file).map_err(|error| Failure::io(file, error))?;
    let name = file.display().to_string();
    let form = match is_atd(file) {
        true => atd::format(&text).map_err(|error| refused(&name, &error)),
        false => mol::format(&text).map_err(|error| refused(&name, &error)),
    };
    form.map(|form| (text, form))
}

/// The first line that differs, from 1.
fn first_other(text: &str, form: &str) -> usize {
    let pairs = text.split('\n').zip(form.split('\n'));
    pairs.take_while(|(one, two)| one == two).count() + 1
}
