//! `fourfold make`.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::Args;

use crate::failure::{Ended, Failure};
use crate::format::Format;
use crate::input::Input;
use crate::json::{self, Node};
use crate::output;
use crate::progress::patiently;

/// Make a file from JSON as `dump --json` prints it.
///
/// What dump has printed becomes the same bytes again. Big tensors are left out of JSON unless it
/// was printed with --full; of such JSON no file can be made.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold make weights.json -o weights.model
  fourfold dump save.biniou --json | sed s/knight/bishop/ | fourfold make - -o new.biniou")]
pub(crate) struct Arguments {
    /// The JSON file, or `-` for standard input.
    file: PathBuf,
    /// The file to write, or `-` for standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The format, which the JSON itself names: to be sure.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        if self.format == Some(Format::Molecule) {
            return Err(json::no_molecule("make", &self.file.display().to_string()));
        }
        if self.output.as_os_str() == "-" && io::stdout().is_terminal() {
            let text = "a terminal is no place for binary data; name a file with -o";
            return Err(Failure::Usage(text.into()));
        }
        let input = Input::open(&self.file)?;
        let text = match std::str::from_utf8(&input.bytes) {
            Ok(text) => text,
            Err(error) => {
                let at = error.valid_up_to();
                return Err(Failure::data(&input.name, format!("invalid utf-8 at byte {at}")));
            }
        };
        let bytes = patiently("reading", || {
            let node = Node::parse(text).map_err(|error| Failure::data(&input.name, error))?;
            json::bytes(&node, self.format)
                .map_err(|wrong| Failure::data(&input.name, wrong.in_text(text)))
        })?;
        output::save(&self.output, &bytes)?;
        Ok(Ended::Good)
    }
}
