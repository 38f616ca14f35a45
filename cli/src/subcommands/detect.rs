//! `fourfold detect`.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;
use fourfold::biniou::Options;
use fourfold_inspect::failure::unchecked;
use fourfold_inspect::formats::{Candidate, EMPTY, Evidence, Format, Sample, UNKNOWN, Verdict};
use fourfold_inspect::write::plain::{plain, write_json};
use serde_json::json;

use crate::depth::Depth;
use crate::failure::{ExitStatus, Failure};
use crate::inputs::{Found, Inputs};
use crate::many::{self, Outcome};
use crate::progress::with_progress;
use crate::{output, target};

const EXAMPLES: &str = "\
Examples:
  fourfold detect model.tsm
  fourfold detect --json *.bin | jq -r .format
  fourfold detect -r models

Exit code: 0 if each file's format is determined, 3 if one is left open, 2 if one is empty or of an
unknown format, 1 if one cannot be read. The worst counts: 1, 2, 3, then 0.";

const NAME: Style = AnsiColor::Cyan.on_default().bold();

/// Detect the format of files, with the evidence.
///
/// tsm modules and primitiv files have a signature. Other files are recognised by a strict reader that reads
/// them to the last byte or, if they are damaged, far enough. Molecule files do not store types, so the
/// evidence is the layouts that the header allows. If several formats are possible, each is printed with its
/// evidence, unless the file's extension selects one of them, as in other subcommands. Packages of SeetaFace,
/// models of ONNX, safetensors, npz and npy are recognised by their first bytes. Other common formats, such as gzip or
/// JSON, are named. Of a long file or stream only the first mebibyte is
/// read, and the output reports that; a file whose first mebibyte is ambiguous is read to the end, up
/// to 256 MiB. `verify` checks the rest. After several files, the number of files of each format is
/// printed on standard error.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: Inputs,

    /// One JSON object per file and line: `file`, `format` if it is determined, all possible `formats`,
    /// `damaged_at`, the byte of the first error, `looks_like` for another format, `evidence` by format,
    /// `bytes`, the length if it is known, and `looked_at`, the number of bytes read.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    depth: Depth,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let files = self.files.find()?;
        let paths = files.iter().flatten().map(|file| file.path.as_path());
        target::refuse_to_print_over(paths)?;
        self.depth.run(|| {
            let options = self.depth.options();
            let files = files.into_iter().map(|file| (file, ())).collect();
            many::each(files, |file, ()| self.detect(file, &options))
        })
    }

    fn detect(&self, file: &Found, options: &Options) -> Result<Outcome, Failure> {
        let (input, goes_on) = with_progress("reading", || self.files.hex.look(&file.path))?;
        let sample = match goes_on {
            true => Sample::begins(&input.bytes),
            false => Sample::of(&input.bytes),
        };
        let evidence = with_progress("looking", || Evidence::of(&input.name, &sample, options));
        output::unless_closed(output::print(|writer| match self.json {
            true => write_object(writer, &input.name, &sample, &evidence),
            false => write_text(writer, &input.name, &sample, &evidence),
        }))?;
        Ok(match evidence.verdict() {
            Verdict::Determined(format) => (ExitStatus::Good, format.name()),
            Verdict::Named(_) | Verdict::Ambiguous(_) => (ExitStatus::Diagnostics, many::UNDECIDED),
            Verdict::Empty => (ExitStatus::BadData, many::UNKNOWN),
            Verdict::Unknown(other) => match other.and_then(|other| other.known()) {
                Some((format, _)) => (ExitStatus::Good, format),
                None => (ExitStatus::BadData, many::UNKNOWN),
            },
        })
    }
}

fn write_text(
    writer: &mut dyn Write,
    name: &str,
    sample: &Sample<'_>,
    evidence: &Evidence,
) -> io::Result<()> {
    let name = plain(name);
    let named: Vec<&Candidate> = evidence.named().collect();
    let names: Vec<&str> = named.iter().map(|candidate| candidate.format.name()).collect();
    let names = names.join(" or ");
    match evidence.verdict() {
        Verdict::Determined(_) => {
            write!(writer, "{name}: {NAME}{names}{NAME:#}")?;
            if let Some(at) = named.iter().find_map(|candidate| candidate.damaged_at) {
                write!(writer, ", damaged at byte {at}")?;
            }
            writeln!(writer)?;
        }
        Verdict::Ambiguous(_) => writeln!(writer, "{name}: perhaps {NAME}{names}{NAME:#}")?,
        Verdict::Named(_) => {
            writeln!(writer, "{name}: perhaps {NAME}{names}{NAME:#}, by its name")?
        }
        Verdict::Empty => return writeln!(writer, "{name}: {EMPTY}"),
        Verdict::Unknown(Some(other)) => {
            return match other.known() {
                Some((format, hint)) => {
                    writeln!(writer, "{name}: {NAME}{format}{NAME:#}")?;
                    writeln!(writer, "    {format:9} begins like {}; {hint}", other.name)
                }
                None => writeln!(writer, "{name}: {other}"),
            };
        }
        Verdict::Unknown(None) => {
            writeln!(writer, "{name}: {UNKNOWN}")?;
            for candidate in &evidence.candidates {
                write_candidate(writer, candidate)?;
            }
        }
    }
    for candidate in named {
        write_candidate(writer, candidate)?;
        if !candidate.format.kind().has_types() {
            writeln!(writer, "    {:9} {}", "", unchecked())?;
        }
    }
    match evidence.is_read_whole {
        true => Ok(()),
        false => write_extent(writer, sample),
    }
}

/// Writes how much was read, if that is not all.
fn write_extent(writer: &mut dyn Write, sample: &Sample<'_>) -> io::Result<()> {
    match sample.extent() {
        Some(extent) => writeln!(writer, "    only {extent} were read"),
        None => Ok(()),
    }
}

fn write_candidate(writer: &mut dyn Write, candidate: &Candidate) -> io::Result<()> {
    for (i, words) in candidate.words.iter().enumerate() {
        let format = if i == 0 { candidate.format.name() } else { "" };
        writeln!(writer, "    {format:9} {}", plain(words))?;
    }
    if candidate.words.is_empty() {
        writeln!(writer, "    {:9} no evidence", candidate.format.name())?;
    }
    Ok(())
}

fn write_object(
    writer: &mut dyn Write,
    name: &str,
    sample: &Sample<'_>,
    evidence: &Evidence,
) -> io::Result<()> {
    let (format, other) = match evidence.verdict() {
        Verdict::Determined(format) => (Some(format.name()), None),
        Verdict::Unknown(Some(other)) => match other.known() {
            Some((format, _)) => (Some(format), None),
            None => (None, Some(other.name)),
        },
        _ => (None, None),
    };
    let mut formats: Vec<&str> = evidence.named().map(|found| found.format.name()).collect();
    formats.extend(format.filter(|_| formats.is_empty()));
    let damaged_at = evidence.named().find_map(|found| found.damaged_at);
    let words = evidence
        .candidates
        .iter()
        .map(|candidate| (Format::name(candidate.format).to_owned(), json!(candidate.words)));
    let words: serde_json::Map<_, _> = words.collect();
    let bytes = sample.all.map(<[u8]>::len);
    let looked_at = bytes.filter(|_| evidence.is_read_whole).unwrap_or(sample.front.len());
    let object = json!({
        "file": name, "format": format, "formats": formats, "damaged_at": damaged_at,
        "looks_like": other, "evidence": words, "bytes": bytes, "looked_at": looked_at,
    });
    write_json(writer, &object)?;
    writeln!(writer)
}
