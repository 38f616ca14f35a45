//! `fourfold diff`: what two files hold that is not the same, by path.

mod bytes;
mod difference;
mod document;
mod numbers;
mod parts;
mod values;

use std::path::PathBuf;

use clap::Args;
use fourfold::biniou::{Dictionary, Options};

use self::difference::{Difference, Reader, report};
use self::document::{Document, Side};
use crate::depth::Depth;
use crate::failure::{Ended, Failure};
use crate::formats::{self, About, Choice, Comparison, FileKind as _, Typed};
use crate::input::Input;
use crate::names::Names;
use crate::output::unless_closed;
use crate::progress::patiently;
use crate::project;
use crate::schema::Types;
use crate::target;
use crate::tensors::{Container, container, read_as};

/// Compare two files by path: what is gone, what is new, what is another.
///
/// Tensors are compared number by number, across tsm, primitiv, safetensors, npz and npy too; NaN
/// equals NaN. How numbers are spelled in the bytes plays no role. Values of biniou are compared with
/// biniou only, bytes of Molecule with Molecule only; by a schema both are compared field by field, and
/// files of Molecule records record by record.
/// Where a file of biniou has parts that its schema has not, or numbers that are none in JSON, it is compared as
/// without a schema, by the schema's names. Of equal files nothing is printed, unless as JSON.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The old file, or `-` for standard input.
    #[arg(value_name = "A")]
    old: PathBuf,
    /// The new file, or `-` for standard input.
    #[arg(value_name = "B")]
    new: PathBuf,
    /// How far numbers may be apart and count as the same; without it floats are compared bit by
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
    depth: Depth,
}

const EXAMPLES: &str = "\
Examples:
  fourfold diff old.tsm new.tsm
  fourfold diff model.tsm model.safetensors
  fourfold diff epoch-1.model epoch-2.model --tolerance 1e-6 --json
  fourfold diff old.biniou new.biniou --dict save.atd
  fourfold diff --format molecule a.bin b.bin
  fourfold diff a.bin b.bin --schema blockchain.mol --type Block

Exit code: 0 if they are equal, 3 if they differ, 2 if one is not in its format, 1 if one cannot be
read or they have nothing that can be compared.";

/// What may be a tolerance: a number that is not negative.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number >= 0.0 => Ok(number),
        _ => Err("not a number from 0 up".into()),
    }
}

impl Arguments {
    pub(crate) fn run(mut self) -> Result<Ended, Failure> {
        let files = [&self.old, &self.new];
        project::settle(files, self.format, &mut self.names, &mut self.types)?;
        if self.old.as_os_str() == "-" && self.new.as_os_str() == "-" {
            return Err(Failure::Usage("only one of the files can be standard input".into()));
        }
        let read = self.names.with([&self.old, &self.new]).chain(self.types.file());
        target::spare_inputs_of_printing(read)?;
        self.depth.run(|| {
            let names = self.names.read()?;
            let typed = self.types.read(self.format)?;
            let differences = patiently("comparing", || {
                let (old, new) = (Input::open(&self.old)?, Input::open(&self.new)?);
                match &typed {
                    Some(typed) => self.by_schema(typed, &old, &new, &names),
                    None => self.compare(&old, &new, &names),
                }
            })?;
            unless_closed(report(&differences, self.reader()))?;
            Ok(match differences.is_empty() {
                true => Ended::Good,
                false => Ended::Findings,
            })
        })
    }

    const fn reader(&self) -> Reader {
        match self.json {
            true => Reader::Program,
            false => Reader::Person,
        }
    }

    fn compare(
        &self,
        old: &Input,
        new: &Input,
        names: &Dictionary,
    ) -> Result<Vec<Difference>, Failure> {
        let options = self.depth.options();
        let detect = |input| formats::detect(input, &options);
        let alike = |comparison| match comparison {
            Comparison::Bytes => Ok(bytes::compare(&old.bytes, &new.bytes)),
            Comparison::Values => self.values(old, new, names, &options),
            Comparison::Tensors(container) => self.tensors((old, container), (new, container)),
        };
        if let Some(format) = self.format.format {
            return alike(format.kind().comparison());
        }
        match (container(old, &options), container(new, &options)) {
            (Ok(one), Ok(two)) => self.tensors((old, one), (new, two)),
            (Err(_), Err(_)) => match (detect(old)?, detect(new)?) {
                (one, two) if one == two => alike(one.kind().comparison()),
                (one, two) => Err(apart(one.name(), two.name())),
            },
            (Ok(_), Err(_)) => Err(apart("tensors", detect(new)?.name())),
            (Err(_), Ok(_)) => Err(apart(detect(old)?.name(), "tensors")),
        }
    }

    /// Compares files of one type.
    fn by_schema(
        &self,
        typed: &Typed,
        old: &Input,
        new: &Input,
        names: &Dictionary,
    ) -> Result<Vec<Difference>, Failure> {
        let options = self.depth.options();
        let types = (typed.of_input(old, &options)?, typed.of_input(new, &options)?);
        if types.0.ty() != types.1.ty() {
            return Err(apart(types.0.ty(), types.1.ty()));
        }
        let refused = |input: &Input, text| Failure::data(&input.name, text);
        let one = types.0.load(&old.bytes, &options).map_err(|text| refused(old, text))?;
        let two = types.1.load(&new.bytes, &options).map_err(|text| refused(new, text))?;
        let is_whole = one.left_out().is_none() && two.left_out().is_none();
        let documents = is_whole
            .then(|| Ok((one.document(&about(old, names))?, two.document(&about(new, names))?)));
        let are_values = types.0.comparison() == Comparison::Values;
        match documents {
            Some(Ok((one, two))) => Ok(parts::compare(&one, &two, self.tolerance, self.reader())),
            Some(Err(failure)) if !are_values => Err(failure),
            // JSON has not all of them.
            _ => {
                let names = self.types.names(Some(typed), names.clone())?;
                self.values(old, new, &names, &options)
            }
        }
    }

    /// Compares values of biniou.
    fn values(
        &self,
        old: &Input,
        new: &Input,
        names: &Dictionary,
        options: &Options,
    ) -> Result<Vec<Difference>, Failure> {
        let (tolerance, reader) = (self.tolerance, self.reader());
        values::compare(old, new, &values::How { tolerance, names, options, reader })
    }

    /// Compares files that hold tensors.
    fn tensors(
        &self,
        (old, old_container): (&Input, Container),
        (new, new_container): (&Input, Container),
    ) -> Result<Vec<Difference>, Failure> {
        let sources = (read_as(old_container, old)?, read_as(new_container, new)?);
        let (old_part, new_part) =
            Document::pair(&*sources.0, &*sources.1).map_err(|(side, text)| match side {
                Side::Old => Failure::data(&old.name, text),
                Side::New => Failure::data(&new.name, text),
            })?;
        Ok(document::compare(&old_part, &new_part, self.tolerance))
    }
}

fn about<'a>(input: &'a Input, names: &'a Dictionary) -> About<'a> {
    About { name: &input.name, bytes: &input.bytes, names, depth: usize::MAX }
}

fn apart(one: &str, two: &str) -> Failure {
    Failure::Usage(format!("{one} and {two} have nothing that can be compared"))
}
