//! The formats: what the command asks of each ([`FileKind`]), and how a file's format is told.

pub mod biniou;
mod evidence;
mod kind;
pub mod listing;
pub mod molecule;
mod parts;
mod primitiv;
mod reading;
mod sample;
mod stranger;
pub mod tsm;
mod typed;

use std::io;
use std::ops::Range;
use std::path::Path;

use fourfold::biniou::Options;

pub use self::evidence::{Candidate, Damage, Evidence, Standing, Verdict};
pub use self::kind::{About, Comparison, Explained, FileKind, Loaded, ReadAt, Report};
pub use self::parts::{Parts, place_of};
pub use self::reading::Reading;
pub use self::sample::{LOOK, Sample};
pub(crate) use self::stranger::first_member;
pub use self::stranger::{Stranger, hex_digits, is_hex_text};
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
    pub fn by_extension(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.kind().extensions().contains(&&*extension))
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
    match Evidence::of("", &Sample::of(bytes), options).verdict() {
        Verdict::Settled(format) => Some(*format),
        _ => None,
    }
}

/// The format of a file for subcommands that need one: by the evidence of its bytes, and where that leaves
/// the format open, by its name.
///
/// # Errors
///
/// If neither settles it: `Usage` with the candidates, `Data` if there is none.
pub fn detect(input: &Input, options: &Options) -> Result<Format, Failure> {
    format_of(input, judged(input, options))
}

/// What follows from the evidence for all bytes of a file.
fn judged(input: &Input, options: &Options) -> Verdict {
    Evidence::of(&input.name, &Sample::of(&input.bytes), options).verdict().clone()
}

fn format_of(input: &Input, verdict: Verdict) -> Result<Format, Failure> {
    match verdict {
        Verdict::Settled(format) | Verdict::Named(format) => Ok(format),
        Verdict::Open(formats) => Err(left_open(&input.name, &formats)),
        Verdict::Empty => Err(Failure::data(&input.name, EMPTY)),
        Verdict::Unknown(Some(stranger)) => Err(Failure::data(&input.name, stranger)),
        Verdict::Unknown(None) => {
            let hint = "`fourfold detect` shows how far each reader gets, and `--format` selects a \
                        format anyway";
            Err(Failure::data(&input.name, format_args!("{UNKNOWN}; {hint}")))
        }
    }
}

/// The same for what can show bytes of Molecule without their types: what can be nothing else is taken
/// for that.
///
/// # Errors
///
/// Those of [`detect`].
pub fn detect_or_layouts(input: &Input, options: &Options) -> Result<Format, Failure> {
    match judged(input, options) {
        Verdict::Open(formats) if matches!(formats[..], [only] if only.is_untyped()) => {
            Ok(Format::OF_LAYOUTS)
        }
        verdict => format_of(input, verdict),
    }
}

/// What a file without bytes is called.
pub const EMPTY: &str = "empty file";

/// What a file is called that no evidence supports a format of.
pub const UNKNOWN: &str = "unknown file format";

/// Why nothing reads a file that can only be of another format. The message of [`detect`] for such a file.
pub fn unreadable(input: &Input) -> Option<Failure> {
    match judged(input, &Options::new()) {
        Verdict::Empty => Some(Failure::data(&input.name, EMPTY)),
        Verdict::Unknown(Some(stranger)) => Some(Failure::data(&input.name, stranger)),
        _ => None,
    }
}

/// Why a file is not read whose bytes leave open which of these formats it is of.
fn left_open(name: &str, formats: &[Format]) -> Failure {
    if formats.iter().all(|format| format.is_untyped()) {
        // Not every subcommand goes on with `--format molecule`.
        return Failure::Usage(format!(
            "{name}: its bytes may be molecule; `fourfold explain` shows their structure, \
             and info and diff take `--format molecule`"
        ));
    }
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    Failure::Usage(format!(
        "{name}: its bytes may be {}; say which with `--format`",
        names.join(" or ")
    ))
}
