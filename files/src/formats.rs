//! The formats: what the command asks of each ([`FileKind`]), and how a file's format is told.

pub mod biniou;
mod evidence;
mod kind;
pub mod listing;
mod molecule;
mod parts;
mod primitiv;
mod reading;
mod sample;
pub mod tsm;
mod typed;

use std::io;
use std::ops::Range;
use std::path::Path;

use fourfold::biniou::Options;

pub use self::evidence::{Candidate, Evidence, Standing};
pub use self::kind::{About, Comparison, Explained, FileKind, Loaded, ReadAt, Report};
pub use self::parts::{Parts, place_of};
pub use self::reading::Reading;
pub use self::sample::{LOOK, Sample};
pub use self::typed::{OfType, SchemaKind, Typed, no_type};

use crate::failure::Failure;
use crate::input::Input;

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
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
    pub const ALL: [Format; 4] = [Format::Molecule, Format::Biniou, Format::Tsm, Format::Primitiv];

    /// The one that describes any bytes by layouts.
    pub const OF_LAYOUTS: Format = Format::Molecule;

    /// The one that has streams of chunks.
    pub const OF_CHUNKS: Format = Format::Biniou;

    /// What the command asks of it.
    pub const fn kind(self) -> &'static dyn FileKind {
        match self {
            Format::Molecule => &molecule::Molecule,
            Format::Biniou => &biniou::Biniou,
            Format::Tsm => &tsm::Tsm,
            Format::Primitiv => &primitiv::Primitiv,
        }
    }

    pub fn name(self) -> &'static str {
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

/// Which ranges of a file that is not in memory are elements of tensors that no rule looks at, in order:
/// with zeros in their place, all is said of the file that is said of the whole, but for elements.
///
/// # Errors
///
/// Those of `read`.
pub fn contents(len: u64, read: &mut ReadAt<'_>) -> io::Result<Vec<Range<u64>>> {
    for format in Format::ALL {
        let found = format.kind().contents(len, read)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// The format that bytes settle.
pub fn settled(bytes: &[u8], options: &Options) -> Option<Format> {
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
pub fn detect(input: &Input, options: &Options) -> Result<Format, Failure> {
    told(&input.bytes, options).or_else(|candidates| named(input, candidates))
}

/// The same for what can show bytes of Molecule without their types: what can be nothing else is taken
/// for that.
///
/// # Errors
///
/// Those of [`detect`].
pub fn detect_or_layouts(input: &Input, options: &Options) -> Result<Format, Failure> {
    match told(&input.bytes, options) {
        Err(candidates) if matches!(candidates[..], [only] if only.is_untyped()) => {
            Ok(Format::OF_LAYOUTS)
        }
        told => told.or_else(|candidates| named(input, candidates)),
    }
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
