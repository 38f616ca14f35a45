//! The file formats ([`FileKind`]), and detection of a file's format.

pub mod biniou;
mod evidence;
mod kind;
mod make;
pub mod molecule;
mod other;
mod parts;
mod primitiv;
mod reading;
mod sample;
mod selection;
pub mod tsm;
mod typed;
mod verify;

use std::io;
use std::ops::Range;
use std::path::Path;

use fourfold::biniou::Options;

pub use self::evidence::{Candidate, Confidence, Damage, Evidence, Verdict};
pub use self::kind::{Comparison, ExplainOptions, FileKind, Loaded};
pub use self::make::make;
pub use self::other::{OtherFormat, hex_digits, is_hex_text};
pub use self::parts::{Parts, place_of};
pub use self::reading::Reading;
pub use self::sample::{LOOK, Sample};
pub use self::selection::{Note, Selection};
pub(crate) use self::typed::Fit;
pub use self::typed::{Mismatch, OfType, SchemaKind, Typed, no_type};
pub use self::verify::verify;

use crate::failure::Failure;
use crate::hints::{hints, with_hint};
use crate::input::{Input, ReadAt};
use crate::package;
use crate::tensors::Container;

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

    /// The format that can describe any bytes by their layout.
    pub const OF_LAYOUTS: Format = Format::Molecule;

    /// The format that has streams of chunks.
    pub const OF_CHUNKS: Format = Format::Biniou;

    /// The implementation of the format.
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

    /// The format that the extension of a file name suggests.
    pub fn by_extension(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.kind().extensions().contains(&&*extension))
    }

    /// Whether its files do not store the types of values.
    fn is_untyped(self) -> bool {
        !self.kind().has_types()
    }
}

/// The ranges of a file that hold only elements of tensors, in order. With zeros in these ranges, everything but the
/// elements themselves is read in the same way.
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

/// The format of a file without its name; `None` if it is unknown or ambiguous.
pub fn detect_bytes(bytes: &[u8], options: &Options) -> Option<Format> {
    match Evidence::of("", &Sample::of(bytes), options).verdict() {
        Verdict::Determined(format) => Some(*format),
        _ => None,
    }
}

/// The format of a file: by its bytes, or by its name if the bytes are ambiguous.
///
/// # Errors
///
/// `Usage` with the candidates if the format is ambiguous, `Data` if it is unknown.
pub fn detect(input: &Input, options: &Options) -> Result<Format, Failure> {
    format_of(input, verdict_of(input, options))
}

/// The verdict for a whole file.
fn verdict_of(input: &Input, options: &Options) -> Verdict {
    Evidence::of(&input.name, &Sample::of(&input.bytes), options).verdict().clone()
}

fn format_of(input: &Input, verdict: Verdict) -> Result<Format, Failure> {
    match verdict {
        Verdict::Determined(format) | Verdict::Named(format) => Ok(format),
        Verdict::Ambiguous(formats) => Err(ambiguous(&input.name, &formats)),
        Verdict::Empty => Err(Failure::data(&input.name, EMPTY)),
        Verdict::Unknown(Some(other)) => Err(Failure::data(&input.name, other)),
        Verdict::Unknown(None) => {
            let text = package::without_mark(&input.name, &input.bytes);
            let text = match text {
                Some(text) => format!("{UNKNOWN}: {text}"),
                None => with_hint(UNKNOWN, hints().unknown),
            };
            Err(Failure::data(&input.name, text))
        }
    }
}

/// What a file is, by the same rules: one of the formats, a container of tensors, or a known other format.
#[derive(Clone, Copy, Debug)]
pub enum Detected {
    Format(Format),
    Container(Container),
}

impl Detected {
    /// # Errors
    ///
    /// Those of [`detect`].
    pub fn of(input: &Input, options: &Options) -> Result<Self, Failure> {
        if let Some(container) = Container::plain(&input.bytes) {
            return Ok(Detected::Container(container));
        }
        format_of(input, verdict_of(input, options)).map(Detected::Format)
    }

    pub fn name(self) -> &'static str {
        match self {
            Detected::Format(format) => format.name(),
            Detected::Container(container) => container.name(),
        }
    }
}

/// Like [`detect`], for callers that can show Molecule without types: a file that can only be Molecule is taken for it.
///
/// # Errors
///
/// Those of [`detect`].
pub fn detect_or_layouts(input: &Input, options: &Options) -> Result<Format, Failure> {
    match verdict_of(input, options) {
        Verdict::Ambiguous(formats) if matches!(formats[..], [only] if only.is_untyped()) => {
            Ok(Format::OF_LAYOUTS)
        }
        verdict => format_of(input, verdict),
    }
}

/// The message for an empty file.
pub const EMPTY: &str = "empty file";

/// The message for a file of unknown format.
pub const UNKNOWN: &str = "unknown file format";

/// The error of [`detect`] for a file that is empty or of another format.
pub fn unreadable(input: &Input) -> Option<Failure> {
    match verdict_of(input, &Options::new()) {
        Verdict::Empty => Some(Failure::data(&input.name, EMPTY)),
        Verdict::Unknown(Some(other)) => Some(Failure::data(&input.name, other)),
        Verdict::Unknown(None) => {
            let text = package::without_mark(&input.name, &input.bytes)?;
            Some(Failure::data(&input.name, format!("{UNKNOWN}: {text}")))
        }
        _ => None,
    }
}

/// The error for a file that may be of any of these formats.
fn ambiguous(name: &str, formats: &[Format]) -> Failure {
    if formats.iter().all(|format| format.is_untyped()) {
        let text = format!("{name}: its bytes may be molecule");
        return Failure::Usage(with_hint(text, hints().layouts));
    }
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    let text = format!("{name}: its bytes may be {}", names.join(" or "));
    Failure::Usage(with_hint(text, hints().ambiguous))
}

/// The container of a file: by its bytes, or by its name if the bytes are ambiguous.
///
/// # Errors
///
/// If the file is not a container of tensors.
pub fn container(input: &Input, options: &Options) -> Result<Container, Failure> {
    if let Some(container) = Container::of_bytes(&input.bytes) {
        return Ok(container);
    }
    // The name does not count if the bytes are of another format.
    let text = match (weightless(&input.bytes, options), Container::of_name(Path::new(&input.name)))
    {
        (None, Some(named)) => return Ok(named),
        (Some(format), _) => format!("is {}, which contains no weights", format.name()),
        (None, None) => {
            let text = "contains no weights: the format is not tsm, primitiv, safetensors, npz, npy or onnx";
            let unreadable = unreadable(input);
            return Err(unreadable.unwrap_or_else(|| Failure::data(&input.name, text)));
        }
    };
    Err(Failure::data(&input.name, text))
}

/// The format of the bytes, if it has no tensors.
fn weightless(bytes: &[u8], options: &Options) -> Option<Format> {
    let detected = detect_bytes(bytes, options);
    detected.filter(|format| !matches!(format.kind().comparison(), Comparison::Tensors(_)))
}
