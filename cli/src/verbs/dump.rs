//! `fourfold dump`.

use std::path::PathBuf;

use clap::Args;
use fourfold::biniou::{Dictionary, Options};
use fourfold_files::formats::{About, FileKind};
use fourfold_files::model::{Document, Part};
use fourfold_files::show::select::select;
use fourfold_files::show::{json, tree, yaml};
use fourfold_files::tensors::{Container, read_as};

use crate::choice::Choice;
use crate::depth::Depth;
use crate::failure::{Ended, Failure, remark};
use crate::input::{self, Input};
use crate::names::Names;
use crate::output;
use crate::progress::patiently;
use crate::project;
use crate::schema::{Types, told};
use crate::target;

/// Tensors of more elements are summarised for people.
const MOST_FOR_PEOPLE: usize = 64;

/// Tensors of more elements are summarised in JSON.
const MOST_IN_JSON: usize = 1 << 16;

/// Print what a file holds, or one part of it.
///
/// Takes files of safetensors, npz and npy too. Tensors of more than 64 elements are summarised (in JSON, those of more than 65,536), unless
/// --full is given.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold dump model.tsm
  fourfold dump model.tsm --path 'graph[3].bubble.value' --full
  fourfold dump save.biniou --dict save.atd
  fourfold dump block.bin --schema blockchain.mol --type Block
  fourfold dump save.biniou --schema save.atd --type player --json
  fourfold dump weights.model --json --full > weights.json")]
pub(crate) struct Arguments {
    /// The file, or `-` for standard input.
    file: PathBuf,
    /// Indented, a line for each field: the default.
    #[arg(long, group = "form")]
    tree: bool,
    /// JSON, from which `make` makes the same bytes again; see `json` among the pages of the
    /// crate's documentation, docs.rs/fourfold.
    #[arg(long, group = "form")]
    json: bool,
    /// YAML of the same structure.
    #[arg(long, group = "form")]
    yaml: bool,
    #[command(flatten)]
    format: Choice,
    /// One part only, by its keys and positions, such as `graph[3].bubble.value`.
    ///
    /// The part and what lies on the way to it are checked. Of the rest, only what has to be read to find it is: whether
    /// all of the file is good, `verify` tells.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    types: Types,
    /// All elements of all tensors.
    #[arg(long)]
    full: bool,
    /// Where to write; standard output if it is not given.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
    #[command(flatten)]
    depth: Depth,
}

impl Arguments {
    pub(crate) fn run(mut self) -> Result<Ended, Failure> {
        project::settle([&self.file], self.format, &mut self.names, &mut self.types)?;
        let read = self.names.with([&self.file]).chain(self.types.file());
        target::spare_inputs(&self.output, read)?;
        self.depth.run(|| self.run_here())
    }

    fn run_here(&self) -> Result<Ended, Failure> {
        let names = self.names.read()?;
        let options = self.depth.options();
        let input = patiently("reading", || input::open(&self.file))?;
        let typed = self.types.read(self.format)?;
        let is_open = self.format.format.is_none() && typed.is_none();
        let plain = Container::plain(&input.bytes).filter(|_| is_open);
        if let Some(container) = plain {
            if !self.names.is_empty() {
                return Err(self.no_names(&input));
            }
            let source = patiently("reading", || read_as(container, &input))?;
            let weights = source.weights().map_err(|text| Failure::data(&input.name, text))?;
            self.show(&input, &Document::of_weights(&weights))?;
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
        if !self.names.is_empty() && !kind.has_hashes() {
            return Err(self.no_names(&input));
        }
        if let Some(part) = self.part(kind, &input, &names, &options) {
            self.print(&part)?;
            return Ok(Ended::Good);
        }
        let about =
            About { name: &input.name, bytes: &input.bytes, names: &names, depth: usize::MAX };
        let refused = |text| Failure::data(&input.name, text);
        let file = patiently("reading", || kind.load(&input.bytes, &options)).map_err(refused)?;
        let document = patiently("reading", || file.document(&about))?;
        if let Some(text) = file.left_out() {
            remark(&format!("{}: {text}", input.name));
        }
        self.show(&input, &document)?;
        Ok(Ended::Good)
    }

    /// The part that is asked for, if it can be had without the rest.
    fn part<'a>(
        &self,
        kind: &'a dyn FileKind,
        input: &'a Input,
        names: &Dictionary,
        options: &Options,
    ) -> Option<Part<'a>> {
        // What is wrong with a text is told where it leads nowhere: names may be written as no path has them.
        let path = fourfold::Path::new(self.path.as_deref()?).ok()?;
        match path.is_empty() {
            true => None,
            false => {
                patiently("looking for the part", || kind.part(&input.bytes, &path, names, options))
            }
        }
    }

    fn no_names(&self, input: &Input) -> Failure {
        let text = "--dict has names for biniou only; names of this format are in the file";
        Failure::Usage(format!("{}: {text}", input.name))
    }

    fn show(&self, input: &Input, document: &Document<'_>) -> Result<(), Failure> {
        match &self.path {
            None if self.json || self.yaml => self.print(&document.whole()),
            None => self.print(document.inside()),
            Some(path) => match select(document.inside(), path, document.root) {
                Ok(part) => self.print(&part),
                Err(text) => Err(Failure::Usage(format!("{}: {text}", input.name))),
            },
        }
    }

    fn print(&self, part: &Part<'_>) -> Result<(), Failure> {
        let most = match (self.full, self.json) {
            (true, _) => usize::MAX,
            (false, true) => MOST_IN_JSON,
            (false, false) => MOST_FOR_PEOPLE,
        };
        let width = crate::width::of_file(&self.output);
        match (self.json, self.yaml) {
            (true, _) => {
                output::write_data(&self.output, |out| json::write(part, most, width, out))
            }
            (_, true) => output::write_data(&self.output, |out| yaml::write(part, most, out)),
            _ => output::write(&self.output, |out| tree::write(part, most, width, out)),
        }
    }
}
