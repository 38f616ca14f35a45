//! The formats: what the command asks of each ([`FileKind`]), and how a file's format is told.

pub(crate) mod biniou;
mod evidence;
mod kind;
pub(crate) mod listing;
mod molecule;
mod parts;
mod primitiv;
mod reading;
mod sample;
pub(crate) mod tsm;
mod typed;

use std::path::Path;

use clap::{Args, ValueEnum};
use fourfold::biniou::Options;

pub(crate) use self::evidence::{Candidate, Evidence, Standing};
pub(crate) use self::kind::{About, Comparison, Explained, FileKind, Loaded, Report};
pub(crate) use self::parts::{Parts, place_of};
pub(crate) use self::reading::Reading;
pub(crate) use self::sample::{LOOK, Sample};
pub(crate) use self::typed::{SchemaKind, Typed, no_type};

use crate::failure::Failure;
use crate::input::Input;

/// A format of files that the command reads.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Molecule, of Nervos CKB.
    Molecule,
    /// biniou, of OCaml programs.
    Biniou,
    /// Modules and tensors of TenniS.
    Tsm,
    /// Files of primitiv.
    Primitiv,
}

impl Format {
    pub(crate) const ALL: [Format; 4] =
        [Format::Molecule, Format::Biniou, Format::Tsm, Format::Primitiv];

    /// The one that describes any bytes by layouts.
    pub(crate) const OF_LAYOUTS: Format = Format::Molecule;

    /// The one that has streams of chunks.
    pub(crate) const OF_CHUNKS: Format = Format::Biniou;

    /// What the command asks of it.
    pub(crate) const fn kind(self) -> &'static dyn FileKind {
        match self {
            Format::Molecule => &molecule::Molecule,
            Format::Biniou => &biniou::Biniou,
            Format::Tsm => &tsm::Tsm,
            Format::Primitiv => &primitiv::Primitiv,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.kind().name()
    }

    /// What whoever named the file says about it.
    fn by_extension(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?;
        Format::ALL.into_iter().find(|format| format.kind().extensions().contains(&extension))
    }

    /// Whether the bytes of its files say nothing of types.
    fn is_untyped(self) -> bool {
        !self.kind().has_types()
    }
}

/// The option of verbs that need to know a format.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The format, where the bytes and the name of the file leave it open.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
}

impl Choice {
    /// Refuses a schema whose files have another format than the one that was asked for.
    pub(crate) fn agrees_with(self, typed: &Typed) -> Result<(), String> {
        let of_schema = typed.format();
        match self.format.filter(|asked| *asked != of_schema) {
            None => Ok(()),
            Some(asked) => {
                let (asked, of_schema) = (asked.name(), of_schema.name());
                Err(format!("the schema is one of {of_schema}, and --format says {asked}"))
            }
        }
    }

    /// The format that was asked for, else the one that is detected.
    ///
    /// # Errors
    ///
    /// Those of [`detect`].
    pub(crate) fn of(self, input: &Input, options: &Options) -> Result<Format, Failure> {
        self.format.map_or_else(|| detect(input, options), Ok)
    }

    /// The same for what can show bytes of Molecule without their types: what can be nothing else
    /// is taken for that.
    pub(crate) fn or_molecule(self, input: &Input, options: &Options) -> Result<Format, Failure> {
        self.format.map_or_else(
            || match told(&input.bytes, options) {
                Err(candidates) if matches!(candidates[..], [only] if only.is_untyped()) => {
                    Ok(Format::OF_LAYOUTS)
                }
                told => told.or_else(|candidates| named(input, candidates)),
            },
            Ok,
        )
    }
}

/// The format that bytes settle.
pub(crate) fn settled(bytes: &[u8], options: &Options) -> Option<Format> {
    told(bytes, options).ok()
}

/// What the bytes of a file settle, else what they may be. Where the beginning of a long file speaks
/// for nothing, all of it is read.
fn told(bytes: &[u8], options: &Options) -> Result<Format, Vec<Format>> {
    let sample = Sample::of(bytes);
    let evidence = Evidence::of(&sample, options);
    if let Some(format) = evidence.settled() {
        return Ok(format);
    }
    let mut candidates: Vec<Format> = evidence.answer().map(|candidate| candidate.format).collect();
    if !sample.is_whole() && candidates.iter().all(|format| format.is_untyped()) {
        let is_read =
            |format: &Format| format.kind().has_types() && format.kind().is_read(bytes, options);
        let read: Vec<Format> = Format::ALL.into_iter().filter(is_read).collect();
        match (&candidates[..], &read[..]) {
            ([], [only]) => return Ok(*only),
            _ => candidates.extend(read),
        }
    }
    Err(candidates)
}

/// The format of a file for verbs that need to know one: what its bytes are evidence of, and where
/// they leave that open, what its name says.
///
/// # Errors
///
/// If neither settles it: `Usage` with the candidates, `Data` if there is none.
pub(crate) fn detect(input: &Input, options: &Options) -> Result<Format, Failure> {
    told(&input.bytes, options).or_else(|candidates| named(input, candidates))
}

/// The same for a file whose bytes leave open which of these it is.
fn named(input: &Input, candidates: Vec<Format>) -> Result<Format, Failure> {
    let named = Format::by_extension(&input.name);
    if let Some(format) =
        named.filter(|format| candidates.is_empty() || candidates.contains(format))
    {
        return Ok(format);
    }
    let name = &input.name;
    if candidates.is_empty() {
        let text = "nothing settles its format; `fourfold detect` says how far each reader goes, \
                    and `--format` names one anyway";
        return Err(Failure::data(name, text));
    }
    if candidates.iter().all(|format| format.is_untyped()) {
        // Not every verb goes on with `--format molecule`.
        return Err(Failure::Usage(format!(
            "{name}: its bytes may be molecule; `fourfold explain` shows their structure, \
             and info and diff take `--format molecule`"
        )));
    }
    let names: Vec<&str> = candidates.into_iter().map(Format::name).collect();
    Err(Failure::Usage(format!(
        "{name}: its bytes may be {}; say which with `--format`",
        names.join(" or ")
    )))
}
