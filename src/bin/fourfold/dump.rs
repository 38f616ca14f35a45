//! `fourfold dump`.

mod page;
mod select;
mod tree;
mod yaml;

use std::path::PathBuf;

use clap::Args;

use self::select::{Names, select};
use crate::failure::{Ended, Failure};
use crate::format::{self, Format};
use crate::input::Input;
use crate::json::{self, Part};
use crate::names::dictionary;
use crate::output;

/// Tensors of more elements are summarised for people.
const MOST_FOR_PEOPLE: usize = 64;

/// Tensors of more elements are summarised in JSON.
const MOST_IN_JSON: usize = 1 << 16;

/// Print what a file holds, or one part of it
///
/// Tensors of more than 64 elements are summarised (in JSON, those of more than 65,536), unless
/// --full is given.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold dump model.tsm
  fourfold dump model.tsm --path 'graph[3].bubble.value' --full
  fourfold dump save.biniou --dict save.atd
  fourfold dump weights.model --json --full > weights.json")]
pub(crate) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// Indented, a line for each field: the default
    #[arg(long, group = "form")]
    tree: bool,
    /// JSON, from which `make` makes the same bytes again; see docs/json.md
    #[arg(long, group = "form")]
    json: bool,
    /// YAML of the same structure
    #[arg(long, group = "form")]
    yaml: bool,
    /// The format, if the file does not tell it
    #[arg(long)]
    format: Option<Format>,
    /// One part only, by its keys and positions: `graph[3].bubble.value`
    #[arg(long)]
    path: Option<String>,
    /// Names for the hashes of biniou: a list of words, one a line, or a schema in a file `.atd`
    #[arg(long)]
    dict: Vec<PathBuf>,
    /// All elements of all tensors
    #[arg(long)]
    full: bool,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let names = dictionary(&self.dict)?;
        let input = Input::open(&self.file)?;
        let format = match self.format {
            Some(format) => format,
            None => format::detect(&input)?,
        };
        if !self.dict.is_empty() && format != Format::Biniou {
            let text = "--dict has names for biniou only; names of this format are in the file";
            return Err(Failure::Usage(format!("{}: {text}", input.name)));
        }
        json::with_document(format, &input, &names, |document| {
            let names = match format {
                Format::Biniou => Names::Hashed,
                _ => Names::Plain,
            };
            match &self.path {
                None if self.json || self.yaml => self.print(&document.whole()),
                None => self.print(document.root()),
                Some(path) => match select(document.root(), path, names) {
                    Ok(part) => self.print(&part),
                    Err(text) => Err(Failure::Usage(format!("{}: {text}", input.name))),
                },
            }
        })?;
        Ok(Ended::Good)
    }

    fn print(&self, part: &Part<'_>) -> Result<(), Failure> {
        let most = match (self.full, self.json) {
            (true, _) => usize::MAX,
            (false, true) => MOST_IN_JSON,
            (false, false) => MOST_FOR_PEOPLE,
        };
        match (self.json, self.yaml) {
            (true, _) => output::print_data(|out| page::write(part, most, out)),
            (_, true) => output::print_data(|out| yaml::write(part, most, out)),
            _ => output::print(|out| tree::write(part, most, out)),
        }
    }
}
