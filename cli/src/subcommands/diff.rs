//! `fourfold diff`: differences between two files, by path.

use std::path::PathBuf;

use clap::Args;
use fourfold_inspect::diff::{Comparer, Reader, write};

use crate::choice::Choice;
use crate::chosen::warn_of;
use crate::depth::Depth;
use crate::failure::{ExitStatus, Failure};
use crate::hex::Hex;
use crate::names::Names;
use crate::output::{print, unless_closed};
use crate::progress::with_progress;
use crate::project;
use crate::schema::Types;
use crate::target;

/// Compare two files by path: removed, added and changed values.
///
/// Tensors are compared number by number, across tsm, primitiv, safetensors, npz and npy too; NaN
/// equals NaN. The encoding of a number in bytes does not matter. biniou values are compared with biniou
/// only, Molecule bytes with Molecule only; with a schema both are compared field by field, and
/// files of Molecule records record by record. Packages of SeetaFace (.sta) are compared value by value, and
/// the modules in them like files of tsm.
/// If a biniou file has fields that are not in its schema, or numbers that JSON does not have, it is compared without
/// types, but with the schema's names. For equal files nothing is printed, except with --json.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The old file, or `-` for standard input.
    #[arg(value_name = "A")]
    old: PathBuf,
    /// The new file, or `-` for standard input.
    #[arg(value_name = "B")]
    new: PathBuf,
    /// The largest difference between numbers that count as equal; without it floats are compared bit by
    /// bit.
    #[arg(long, value_name = "X", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// One JSON object instead of lines.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    format: Choice,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    types: Types,
    #[command(flatten)]
    hex: Hex,
    #[command(flatten)]
    depth: Depth,
}

const EXAMPLES: &str = "\
Examples:
  fourfold diff old.tsm new.tsm
  fourfold diff model.tsm model.safetensors
  fourfold diff old.sta new.sta
  fourfold diff epoch-1.model epoch-2.model --tolerance 1e-6 --json
  fourfold diff old.biniou new.biniou --dict save.atd
  fourfold diff --format molecule a.bin b.bin
  fourfold diff a.bin b.bin --schema blockchain.mol --type Block

Exit code: 0 if they are equal, 3 if they differ, 2 if one is not in its format, 1 if one cannot be
read or they have nothing that can be compared.";

/// Parses a tolerance: a number that is not negative.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number >= 0.0 => Ok(number),
        _ => Err("not a number from 0 up".into()),
    }
}

impl Arguments {
    pub(crate) fn run(mut self) -> Result<ExitStatus, Failure> {
        let files = [&self.old, &self.new];
        project::apply(files, self.format, &mut self.names, &mut self.types)?;
        if self.old.as_os_str() == "-" && self.new.as_os_str() == "-" {
            return Err(Failure::Usage("only one of the files can be standard input".into()));
        }
        let read = self.names.with([&self.old, &self.new]).chain(self.types.file());
        target::refuse_to_print_over(read)?;
        self.depth.run(|| {
            let names = self.names.read()?;
            let typed = self.types.read(self.format)?;
            let is_known = self.format.format.is_some() || typed.is_some();
            let mut are_of_types = true;
            let differences = with_progress("comparing", || {
                let (old, new) = (
                    self.hex.open_as(&self.old, is_known)?,
                    self.hex.open_as(&self.new, is_known)?,
                );
                let options = self.depth.options();
                let (tolerance, reader) = (self.tolerance, self.reader());
                let comparer = Comparer { tolerance, names: &names, options: &options, reader };
                let Some(typed) = &typed else {
                    return comparer.compare(self.format.format, &old, &new);
                };
                let all_names = || self.types.names(Some(typed), names.clone());
                comparer.compare_with(typed, &old, &new, all_names, &mut |note, input| {
                    are_of_types &= !note.is_mismatch();
                    warn_of(note, input);
                })
            })?;
            unless_closed(print(|out| write(out, &differences, self.reader())))?;
            Ok(match (are_of_types, differences.is_empty()) {
                (false, _) => ExitStatus::BadData,
                (true, true) => ExitStatus::Good,
                (true, false) => ExitStatus::Diagnostics,
            })
        })
    }

    const fn reader(&self) -> Reader {
        match self.json {
            true => Reader::Program,
            false => Reader::Person,
        }
    }
}
