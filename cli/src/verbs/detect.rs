//! `fourfold detect`.

use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use fourfold_files::formats::{Candidate, Evidence, Format, Sample};
use fourfold_files::write::plain::{plain, write_json};
use serde_json::json;

use crate::depth::Depth;
use crate::failure::{Ended, Failure};
use crate::input;
use crate::progress::patiently;
use crate::{failure, output, target};

const EXAMPLES: &str = "\
Examples:
  fourfold detect model.tsm
  fourfold detect --json *.bin | jq -r .format

Exit code: 0 if each file's format is settled, 3 if one is left open, 2 if nothing speaks for any
format of one, 1 if one cannot be read.";

const NAME: Style = AnsiColor::Cyan.on_default().bold();

/// Name the format of files, with the evidence.
///
/// Two formats mark their files: tsm modules and primitiv. For the others the evidence is which
/// strict reader reads to the last byte, and for Molecule, which has no types inside, which layouts
/// the header allows. Where several formats fit, each is named with what speaks for it; names of
/// files are not taken for evidence. Of a long file or stream only the first mebibyte is read, and
/// the output says so; where the first values of biniou are longer, some parts behind them as well.
/// Whether the rest is good, `verify` tells.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// One JSON object per file and line: `file`, `format` if it is settled, all `formats` that fit,
    /// `evidence` by format, how many `bytes` there are, if that is known, and how many were
    /// `looked_at`.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    depth: Depth,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        target::spare_inputs_of_printing(self.files.iter().map(PathBuf::as_path))?;
        self.depth.run(|| self.detect_all())
    }

    fn detect_all(&self) -> Result<Ended, Failure> {
        let options = self.depth.options();
        let mut ended = Ended::Good;
        let mut failed = None;
        for file in &self.files {
            let (input, goes_on) = match patiently("reading", || input::look(file)) {
                Ok(looked) => looked,
                Err(failure) => {
                    failure::keep_going(&mut failed, failure);
                    continue;
                }
            };
            let sample = match goes_on {
                true => Sample::begins(&input.bytes),
                false => Sample::of(&input.bytes),
            };
            let evidence = patiently("looking", || Evidence::of(&sample, &options));
            ended = ended.max(match (evidence.settled(), evidence.answer().next()) {
                (Some(_), _) => Ended::Good,
                (None, Some(_)) => Ended::Findings,
                (None, None) => Ended::BadData,
            });
            output::unless_closed(output::print(|writer| match self.json {
                true => write_object(writer, &input.name, &sample, &evidence),
                false => write_text(writer, &input.name, &sample, &evidence),
            }))?;
        }
        failed.map_or(Ok(ended), Err)
    }
}

fn write_text(
    writer: &mut dyn Write,
    name: &str,
    sample: &Sample<'_>,
    evidence: &Evidence,
) -> io::Result<()> {
    let answer: Vec<&Candidate> = evidence.answer().collect();
    let name = plain(name);
    if answer.is_empty() {
        writeln!(writer, "{name}: unknown")?;
        for candidate in &evidence.candidates {
            write_candidate(writer, candidate)?;
        }
        return write_extent(writer, sample);
    }
    let names: Vec<&str> = answer.iter().map(|candidate| candidate.format.name()).collect();
    let perhaps = if evidence.settled().is_some() { "" } else { "perhaps " };
    writeln!(writer, "{name}: {perhaps}{NAME}{}{NAME:#}", names.join(" or "))?;
    for candidate in answer {
        write_candidate(writer, candidate)?;
    }
    write_extent(writer, sample)
}

/// Says where looking ended, if that is not the end.
fn write_extent(writer: &mut dyn Write, sample: &Sample<'_>) -> io::Result<()> {
    match sample.extent() {
        Some(extent) => writeln!(writer, "    only {extent} were looked at"),
        None => Ok(()),
    }
}

fn write_candidate(writer: &mut dyn Write, candidate: &Candidate) -> io::Result<()> {
    for (i, words) in candidate.words.iter().enumerate() {
        let format = if i == 0 { candidate.format.name() } else { "" };
        writeln!(writer, "    {format:9} {}", plain(words))?;
    }
    if candidate.words.is_empty() {
        writeln!(writer, "    {:9} nothing speaks for it", candidate.format.name())?;
    }
    Ok(())
}

fn write_object(
    writer: &mut dyn Write,
    name: &str,
    sample: &Sample<'_>,
    evidence: &Evidence,
) -> io::Result<()> {
    let settled = evidence.settled().map(Format::name);
    let formats: Vec<&str> = evidence.answer().map(|found| found.format.name()).collect();
    let words = evidence
        .candidates
        .iter()
        .map(|candidate| (Format::name(candidate.format).to_owned(), json!(candidate.words)));
    let words: serde_json::Map<_, _> = words.collect();
    let object = json!({
        "file": name, "format": settled, "formats": formats, "evidence": words,
        "bytes": sample.all.map(<[u8]>::len), "looked_at": sample.front.len(),
    });
    write_json(writer, &object)?;
    writeln!(writer)
}
