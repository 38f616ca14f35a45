//! `fourfold info`: what is in a file, in short.

use std::path::PathBuf;

use clap::Args;
use fourfold_files::formats::{About, FileKind, Report};
use fourfold_files::tensors::{Container, TensorsReport, read_as};

use crate::choice::Choice;
use crate::depth::Depth;
use crate::failure::{Ended, Failure};
use crate::input;
use crate::names::Names;
use crate::output;
use crate::progress::patiently;
use crate::project;
use crate::schema::{Types, told};
use crate::target;
use crate::width;

/// Sum up what is inside.
///
/// Of a model: inputs, outputs, operators by count, every tensor with its type, shape and size, the
/// number of parameters. Of safetensors, npz and npy: the tensors. Of biniou: how many values there are and of what shape. Of Molecule with a schema: how many values of which type, and how
/// many bytes they take; of a file of records without one, how many there are, or stand in front of a fault. No tensor's data are
/// looked at.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fourfold info model.tsm
  fourfold info weights.model --json
  fourfold info weights.safetensors
  fourfold info log.biniou --dict log.atd
  fourfold info block.bin --schema blockchain.mol --type Block")]
pub(crate) struct Arguments {
    /// The file, or `-` for standard input.
    file: PathBuf,
    /// Give JSON, with the same content.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    format: Choice,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    types: Types,
    /// How deep the shape of biniou values is shown.
    #[arg(long, value_name = "LEVELS", default_value_t = 12)]
    depth: usize,
    #[command(flatten)]
    max_depth: Depth,
}

impl Arguments {
    pub(crate) fn run(mut self) -> Result<Ended, Failure> {
        project::settle([&self.file], self.format, &mut self.names, &mut self.types)?;
        let read = self.names.with([&self.file]).chain(self.types.file());
        target::spare_inputs_of_printing(read)?;
        self.max_depth.run(|| self.run_here())
    }

    fn run_here(&self) -> Result<Ended, Failure> {
        let typed = self.types.read(self.format)?;
        let names = self.types.names(typed.as_ref(), self.names.read()?)?;
        let options = self.max_depth.options();
        let input = patiently("reading", || input::open(&self.file))?;
        let is_open = self.format.format.is_none() && typed.is_none();
        let plain = Container::plain(&input.bytes).filter(|_| is_open);
        let about =
            About { name: &input.name, bytes: &input.bytes, names: &names, depth: self.depth };
        let refused = |text| Failure::data(&input.name, text);
        if let Some(container) = plain {
            let source = patiently("reading", || read_as(container, &input))?;
            let weights = source.weights().map_err(refused)?;
            self.show(&TensorsReport::of(&weights, &about))?;
            return Ok(Ended::Good);
        }
        let of_type = match &typed {
            Some(typed) => {
                Some(patiently("reading", || told(typed.of_input(&input, &options), &input))?)
            }
            None => None,
        };
        let kind: &dyn FileKind = match &of_type {
            Some(of_type) => of_type,
            None => patiently("reading", || self.format.of(&input, &options))?.kind(),
        };
        let file = patiently("reading", || kind.load(&input.bytes, &options)).map_err(refused)?;
        let report = patiently("reading", || file.report(&about)).map_err(refused)?;
        self.show(&*report)?;
        Ok(Ended::Good)
    }

    fn show(&self, report: &dyn Report) -> Result<(), Failure> {
        output::print(|out| match self.json {
            true => report.write_json(out),
            false => width::write(out, &report),
        })
    }
}
