//! `fourfold info`: what is in a file, in short.

mod biniou;
mod molecule;
mod primitiv;
mod shape;
mod tensor;
mod tsm;
mod weights;

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::depth::Depth;
use crate::failure::{Ended, Failure};
use crate::formats::{Choice, Format};
use crate::input::Input;
use crate::names::Names;
use crate::output;
use crate::progress::patiently;
use crate::target;
use crate::tensors::Container;
use crate::write::count::counted_in_groups;
use crate::write::plain::write_json_lines;

/// Sum up what is inside.
///
/// Of a model: inputs, outputs, operators by count, every tensor with its type, shape and size, the
/// number of parameters. Of safetensors, npz and npy: the tensors. Of biniou: how many values there are and of what shape. No tensor's data are
/// looked at.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fourfold info model.tsm
  fourfold info weights.model --json
  fourfold info weights.safetensors
  fourfold info log.biniou --dict log.atd")]
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
    /// How deep the shape of biniou values is shown.
    #[arg(long, value_name = "LEVELS", default_value_t = 12)]
    depth: usize,
    #[command(flatten)]
    max_depth: Depth,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        target::spare_inputs_of_printing(self.names.with([&self.file]))?;
        self.max_depth.run(|| self.run_here())
    }

    fn run_here(&self) -> Result<Ended, Failure> {
        let names = self.names.read()?;
        let options = self.max_depth.options();
        let input = patiently("reading", || Input::open(&self.file))?;
        let plain = Container::plain(&input.bytes).filter(|_| self.format.format.is_none());
        if let Some(container) = plain {
            self.show(&patiently("reading", || weights::Report::of(&input, container))?)?;
            return Ok(Ended::Good);
        }
        match self.format.of(&input, &options)? {
            Format::Tsm => match fourfold::tsm::File::is_module(&input.bytes) {
                true => self.show(&patiently("reading", || tsm::Report::of(&input))?)?,
                false => self.show(&patiently("reading", || tsm::Packed::of(&input))?)?,
            },
            Format::Primitiv => {
                self.show(&patiently("reading", || primitiv::Report::of(&input))?)?
            }
            Format::Biniou => self.show(&patiently("reading", || {
                biniou::Report::of(&input, &names, &options, self.depth)
            })?)?,
            Format::Molecule => self.show(&molecule::Report::of(&input))?,
        }
        Ok(Ended::Good)
    }

    fn show(&self, report: &(impl Serialize + Display)) -> Result<(), Failure> {
        output::print(|out| match self.json {
            true => {
                write_json_lines(out, report)?;
                out.write_all(b"\n")
            }
            false => write!(out, "{report}"),
        })
    }
}

/// The file's name in front of what it is.
fn named(name: &str, what: impl Display, bytes: u64) -> String {
    let name = std::path::Path::new(name).display();
    format!("{name}: {what}, {}", counted_in_groups(bytes, "byte"))
}
