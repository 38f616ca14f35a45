//! `fourfold info`: a summary of a file.

use std::path::Path;

use clap::Args;
use fourfold::biniou::Dictionary;
use fourfold_inspect::formats::Typed;
use fourfold_inspect::package::PackageReport;
use fourfold_inspect::tensors::{TensorsReport, read_as};
use fourfold_inspect::write::report::{About, Input, Report};

use crate::choice::Choice;
use crate::chosen;
use crate::depth::Depth;
use crate::failure::{ExitStatus, Failure};
use crate::inputs::{Found, Inputs};
use crate::many::{self, Headings, Outcome, Settings};
use crate::names::Names;
use crate::output;
use crate::progress::with_progress;
use crate::schema::Types;
use crate::width;

/// Summarise the content of files.
///
/// Models: inputs, outputs, operators by count, the shape and cost of every node, every tensor with its type, shape and size, the
/// number of parameters. safetensors, npz and npy: the tensors. ONNX: also inputs, outputs and operators. Packages of
/// SeetaFace (.sta): the values. biniou: the number of values and their shape. Molecule with a schema: the number of values of each type, and their
/// bytes; without one, the number of concatenated records, or of those before an error. The data of tensors are not
/// read.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fourfold info model.tsm
  fourfold info model.tsm --input 1x3x224x224
  fourfold info weights.model --json
  fourfold info weights.safetensors
  fourfold info log.biniou --dict log.atd
  fourfold info block.bin --schema blockchain.mol --type Block
  fourfold info --json -r models | jq '.file, .bytes'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: Inputs,
    /// Print JSON with the same content: an object for each file.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    format: Choice,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    types: Types,
    /// The shape of an input of a module: 1x3x224x224, or x=1x3x224x224 for the input x; ? is an unknown size. Without
    /// it, the shapes are those that the module stores. Can be repeated.
    #[arg(long = "input", value_name = "SHAPE", allow_hyphen_values = true)]
    inputs: Vec<Input>,
    /// The levels of the shape of biniou values to show.
    #[arg(long, value_name = "LEVELS", default_value_t = 12)]
    depth: usize,
    #[command(flatten)]
    max_depth: Depth,
}

impl Arguments {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        self.max_depth.run(|| {
            let files = self.files.find()?;
            let mut headings = Headings::of(&files);
            let settings = Settings { format: self.format, names: &self.names, types: &self.types };
            let files = settings.for_files(files, Path::new("-"), |names, types| {
                let typed = types.read(self.format)?;
                let names = types.names(typed.as_ref(), names.read()?)?;
                Ok(FileSettings { typed, names })
            })?;
            many::each(files, |file, settings| self.sum_up(file, settings, &mut headings))
        })
    }

    fn sum_up(
        &self,
        file: &Found,
        settings: &FileSettings,
        headings: &mut Headings,
    ) -> Result<Outcome, Failure> {
        let FileSettings { typed, names } = settings;
        let options = self.max_depth.options();
        let is_known = self.format.format.is_some() || typed.is_some();
        let input = with_progress("reading", || self.files.hex.open_as(&file.path, is_known))?;
        let plain = chosen::container(self.format, typed.as_ref(), &input, &options);
        let about = About {
            name: &input.name,
            bytes: &input.bytes,
            names,
            depth: self.depth,
            inputs: &self.inputs,
        };
        let refused = |text| Failure::data(&input.name, text);
        if let Some(package) = chosen::package(self.format, typed.as_ref(), &input)? {
            self.refuse_inputs(&input, "a package of SeetaFace")?;
            return self.show(&PackageReport::of(&package, &about), headings);
        }
        if let Some((container, outcome)) = plain {
            self.refuse_inputs(&input, container.name())?;
            let source = with_progress("reading", || read_as(container, &input))?;
            let weights = source.weights().map_err(refused)?;
            return self
                .show(&TensorsReport::of(&*source, &weights, &about), headings)
                .map(|_| outcome);
        }
        let chosen = with_progress("reading", || {
            file.choose(self.format, typed.as_ref(), &input, &options, Choice::of)
        });
        let chosen = match chosen? {
            Ok(chosen) => chosen,
            Err(outcome) => return Ok(outcome),
        };
        chosen.warn(&input);
        let kind = chosen.kind();
        if !kind.has_inputs() {
            self.refuse_inputs(&input, kind.name())?;
        }
        let loaded =
            with_progress("reading", || kind.load(&input.bytes, &options)).map_err(refused)?;
        let report = with_progress("reading", || loaded.report(&about)).map_err(refused)?;
        Ok(chosen.outcome(self.show(&*report, headings)?))
    }

    /// Refuses shapes of inputs for a file that has none.
    fn refuse_inputs(
        &self,
        file: &fourfold_inspect::input::Input,
        format: &str,
    ) -> Result<(), Failure> {
        if self.inputs.is_empty() {
            return Ok(());
        }
        let name = &file.name;
        Err(Failure::Usage(format!("{name}: this is {format}; --input is for modules of tsm")))
    }

    fn show(&self, report: &dyn Report, headings: &mut Headings) -> Result<Outcome, Failure> {
        output::print(|out| match self.json {
            true => report.write_json(out),
            false => {
                headings.write(out, None)?;
                width::write(out, &report)
            }
        })?;
        Ok((ExitStatus::Good, many::SHOWN))
    }
}

/// The settings for a file, from the command line or the project.
struct FileSettings {
    typed: Option<Typed>,
    names: Dictionary,
}
