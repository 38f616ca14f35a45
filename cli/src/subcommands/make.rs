//! `fourfold make`.

use std::path::{Path, PathBuf};

use clap::Args;
use fourfold_inspect::formats::{self, Format};
use fourfold_inspect::model::{Node, Wrong, no_molecule};

use crate::choice::Choice;
use crate::depth::{Depth, with_levels};
use crate::failure::{ExitStatus, Failure};
use crate::hex::Hex;
use crate::input;
use crate::names::Names;
use crate::progress::with_progress;
use crate::project;
use crate::schema::Types;
use crate::target;

/// Make a file from the JSON of `dump --json`, or from the JSON of a value with a schema.
///
/// The output of dump becomes the same bytes again. dump leaves large tensors out unless --full is
/// given; such JSON cannot be made into a file.
///
/// With --schema and --type, JSON without the key `fourfold` is one value of the type, in the form of
/// atdgen's own code and of `dump --json --path ''`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold make weights.json -o weights.model
  fourfold make block.json --schema blockchain.mol -o block.bin
  fourfold make transaction.json --schema blockchain.mol --type Transaction --ckb -o tx.bin
  fourfold make drawing.json --schema drawing.atd --type drawing -o drawing.biniou
  fourfold dump save.biniou --json | sed s/knight/bishop/ | fourfold make - -o new.biniou")]
pub(crate) struct Arguments {
    /// The JSON file, or `-` for standard input.
    file: PathBuf,
    /// The file to write, or `-` for standard output, which is the default. Bytes are not printed to a
    /// terminal without --force.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print to a terminal, too.
    #[arg(long)]
    force: bool,
    /// Write hexadecimal digits after `0x`, the form of block explorers and RPC.
    #[arg(long)]
    hex: bool,
    #[command(flatten)]
    depth: Depth,
    /// Check that the JSON is of this format.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    #[command(flatten)]
    types: Types,
    /// Read the JSON of CKB's RPC, with a `.mol` schema; a key `hash` of headers and transactions is checked.
    #[arg(long)]
    ckb: bool,
}

impl Arguments {
    pub(crate) fn run(mut self) -> Result<ExitStatus, Failure> {
        let files = self.output.iter().chain([&self.file]);
        project::apply(
            files,
            Choice { format: self.format },
            &mut Names::default(),
            &mut self.types,
        )?;
        let is_untyped = self.format.is_some_and(|format| !format.kind().has_types());
        if is_untyped && self.types.file().is_none() {
            return Err(no_molecule("make", &self.file.display().to_string(), &[]));
        }
        let output = self.output.as_deref().unwrap_or(Path::new("-"));
        target::refuse_terminal(self.force || self.hex || self.output.is_some())?;
        target::refuse_to_overwrite(output, self.types.file().into_iter().chain([&*self.file]))?;
        with_levels(self.depth.json_levels(), || self.make(output))
    }

    fn make(&self, output: &Path) -> Result<ExitStatus, Failure> {
        let choice = Choice { format: self.format };
        let typed = match self.ckb {
            true => self.types.read_ckb(choice)?,
            false => self.types.read(choice)?,
        };
        let input = with_progress("reading", || input::open(&self.file))?;
        let text = input::text(&input)?;
        let options = self.depth.options();
        let bytes = with_progress("reading", || {
            let node = Node::parse(text, self.depth.json_levels())
                .map_err(|error| Failure::data(&input.name, error))?;
            formats::make(&node, self.format, typed.as_ref(), &options).map_err(|wrong| {
                Failure::data(&input.name, self.hinted(wrong, &node).in_text(text))
            })
        })?;
        Hex::writing(self.hex).save(output, &bytes)?;
        Ok(ExitStatus::Good)
    }

    /// Adds a hint if the JSON is that of CKB's RPC, or could be.
    fn hinted(&self, wrong: Wrong, node: &Node<'_>) -> Wrong {
        // JSON that names its type was printed by this command.
        if self.ckb || self.types.name().is_none() {
            return wrong;
        }
        let Ok(ckb) = self.types.read_ckb(Choice { format: self.format }) else { return wrong };
        match formats::make(node, self.format, ckb.as_ref(), &self.depth.options()) {
            Ok(_) => wrong.with_hint("this is JSON of CKB's RPC: use --ckb"),
            Err(_) => match wrong.hint().map(str::to_owned) {
                Some(hint) => {
                    wrong.with_hint(format!("{hint}, or use --ckb if this is JSON of CKB's RPC"))
                }
                None => wrong,
            },
        }
    }
}
