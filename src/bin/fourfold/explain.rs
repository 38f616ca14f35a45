//! `fourfold explain`.

mod json;
mod page;
mod parts;
mod table;

use std::path::PathBuf;

use clap::Args;
use fourfold::Span;

pub(crate) use self::parts::place_of;

use crate::failure::{Ended, Failure};
use crate::format::{self, Choice, Format};
use crate::input::Input;
use crate::names::Names;
use crate::output;
use crate::progress::patiently;

const EXAMPLES: &str = "\
Examples:
  fourfold explain model.tsm
  fourfold explain --path 'graph[2]' model.tsm
  fourfold explain --dict schema.atd saved.biniou
  fourfold explain --layout block.bin
  fourfold explain --html -o model.html model.tsm

Exit code: 0, or 2 if a fault is shown. Lines with a fault begin with `!`.";

/// Say what each byte of a file is.
///
/// Prints an annotated dump. Each byte belongs to one line: which bytes, the bytes, the path of the
/// part that they belong to, what they are, and what they say. Faults stand where they are; what
/// follows is told as far as the format shows where it begins.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file, or `-` for standard input.
    file: PathBuf,

    /// One part only, by its keys and positions, such as `graph[3].bubble.value`.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,

    #[command(flatten)]
    format: Choice,

    /// Describe the bytes as Molecule's layouts: any file, by what its headers allow.
    #[arg(long, conflicts_with = "format")]
    layout: bool,

    /// Read biniou as a stream of chunks (`Bi_stream`), also where the stream is damaged.
    #[arg(long, conflicts_with_all = ["layout", "format"])]
    chunks: bool,

    #[command(flatten)]
    names: Names,

    /// Do not shorten lines to 100 columns.
    #[arg(long, conflicts_with_all = ["html", "json"])]
    wide: bool,

    /// One JSON object per part and line: `start`, `end`, `path`, `what`, `value`, and `fault`.
    #[arg(long, conflicts_with = "html")]
    json: bool,

    /// Write a page for a browser: bytes on the left, parts on the right.
    #[arg(long)]
    html: bool,

    /// Where to write; standard output if it is not given.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

/// What is shown of a file.
struct Subject<'a> {
    name: &'a str,
    format: Format,
    bytes: &'a [u8],
    /// All of them, or those of one part.
    spans: &'a [Span],
}

impl Subject<'_> {
    fn faults(&self) -> usize {
        self.spans.iter().filter(|span| span.fault.is_some()).count()
    }

    /// `biniou, 120 bytes, 45 parts, 1 fault`.
    fn summary(&self) -> String {
        let mut summary = format!(
            "{}, {}, {}",
            self.format.name(),
            format::counted(self.bytes.len(), "byte"),
            format::counted(self.spans.len(), "part"),
        );
        if self.faults() > 0 {
            summary.push_str(", ");
            summary.push_str(&format::counted(self.faults(), "fault"));
        }
        summary
    }
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let dictionary = self.names.read()?;
        let input = Input::open(&self.file)?;
        let format = match (self.layout, self.chunks) {
            (true, _) => Format::Molecule,
            (_, true) => Format::Biniou,
            _ => self.format.of(&input)?,
        };
        let mut spans = patiently("reading", || match self.chunks {
            true => parts::chunks(&input.bytes, &dictionary),
            false => parts::spans(format, &input.bytes, &dictionary),
        });
        if let Some(path) = &self.path {
            spans = parts::of_path(spans, path);
            if spans.is_empty() {
                return Err(Failure::Usage(format!("{}: there is no part {path}", input.name)));
            }
        }

        let subject = Subject { name: &input.name, format, bytes: &input.bytes, spans: &spans };
        let written = output::write(&self.output, |writer| match (self.html, self.json) {
            (true, _) => page::write(writer, &subject),
            (false, true) => json::write(writer, &subject),
            (false, false) => table::write(writer, &subject, table::Width::of(self.wide)),
        });
        output::unless_closed(written)?;
        Ok(if subject.faults() > 0 { Ended::BadData } else { Ended::Good })
    }
}
