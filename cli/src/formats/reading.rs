//! What the library's strict readers say about the bytes of a file. Knows no other evidence.

use std::fmt::Display;

use fourfold::biniou::{Framing, Options};
use fourfold::{Error, Fault, Kind, biniou, primitiv, tsm};

use super::framing;
use super::{Format, Sample, glance};
use crate::write::count::counted;

/// A packed tensor of no more fields is read however long it is: data are not looked at.
const MOST_FIELDS: u32 = 1 << 12;

/// What a strict reader says.
#[derive(Debug)]
pub(crate) enum Reading {
    /// It reads to the last byte.
    Good {
        /// As what: `module of 12 nodes`.
        what: String,
        /// What the reader accepts, and whoever made the file may not have meant.
        suspicions: Vec<String>,
    },
    /// It refuses the bytes, and says why.
    Bad(String),
    /// There are no types inside, so nothing can be refused.
    Untyped,
}

impl Reading {
    pub(super) fn good(what: impl Display) -> Self {
        Reading::Good { what: what.to_string(), suspicions: Vec::new() }
    }
}

/// Reads the bytes as a file of the format.
pub(crate) fn read(format: Format, bytes: &[u8], options: &Options) -> Reading {
    match format {
        Format::Molecule => Reading::Untyped,
        Format::Biniou => read_biniou(bytes, options),
        Format::Tsm => read_tsm(bytes),
        Format::Primitiv => match primitiv::File::from_slice(bytes) {
            Ok(file) => Reading::good(content(&file.data)),
            Err(error) => Reading::Bad(error.to_string()),
        },
    }
}

/// Whether all bytes of a file read, where the beginning tells nothing. Makes no more of them than
/// that takes.
pub(super) fn is_read(format: Format, bytes: &[u8], options: &Options) -> bool {
    match format {
        Format::Molecule => false,
        Format::Biniou => framing::can_be_passed(bytes, options),
        Format::Tsm | Format::Primitiv => {
            matches!(read(format, bytes, options), Reading::Good { .. })
        }
    }
}

/// The same, of a file as far as it is looked at.
pub(super) fn glance_at(format: Format, sample: &Sample<'_>, options: &Options) -> Reading {
    if sample.is_whole() {
        return read(format, sample.front, options);
    }
    let front = sample.front;
    match format {
        Format::Molecule => Reading::Untyped,
        Format::Biniou => glance::biniou(sample, options),
        Format::Tsm if tsm::File::is_module(front) => {
            begun(sample, tsm::Module::from_slice(front), missing, "beginning of a module")
        }
        Format::Tsm => match sample.all.filter(|_| has_fields(sample)) {
            Some(all) => read_tsm(all),
            // Its first count is all that speaks for it, and has to be within what is there.
            None => begun(
                sample,
                tsm::PackedTensor::from_slice(front),
                cut_off,
                "beginning of a packed tensor",
            ),
        },
        Format::Primitiv => {
            begun(sample, primitiv::File::from_slice(front), missing, "beginning of a file")
        }
    }
}

/// What was read of the beginning of one document: all but what would be behind it, of which so much
/// is `missing`, if the error says no more.
fn begun<T, K: Kind>(
    sample: &Sample<'_>,
    read: Result<T, Error<K>>,
    missing: impl Fn(&K) -> Option<usize>,
    what: &str,
) -> Reading {
    match read {
        Err(error) if missing(error.kind()).is_some_and(|it| sample.has_behind(it)) => {
            Reading::good(what)
        }
        Err(error) => Reading::Bad(error.to_string()),
        // Only what is longer is not wholly looked at.
        Ok(_) => Reading::Bad("bytes follow what reads".into()),
    }
}

/// How many bytes a reader misses at least, if that is all it objects to.
pub(super) fn missing<K: Counting>(kind: &K) -> Option<usize> {
    let of_count = || {
        let (needed, left) = kind.needed()?;
        Some(usize::try_from(needed).ok()?.saturating_sub(left))
    };
    cut_off(kind).or_else(of_count)
}

/// The same, of what is cut within a part.
fn cut_off<K: Kind>(kind: &K) -> Option<usize> {
    match kind.fault() {
        Some(Fault::UnexpectedEnd { needed, left }) => Some(needed.saturating_sub(*left)),
        _ => None,
    }
}

/// The faults of a format whose counts stand in front of what is counted.
pub(super) trait Counting: Kind {
    /// How many bytes a count needs that is beyond the input, and how many are left.
    fn needed(&self) -> Option<(u128, usize)>;
}

impl Counting for biniou::ErrorKind {
    fn needed(&self) -> Option<(u128, usize)> {
        match self {
            biniou::ErrorKind::Length { needed, left, .. } => Some((*needed, *left)),
            _ => None,
        }
    }
}

impl Counting for tsm::ErrorKind {
    fn needed(&self) -> Option<(u128, usize)> {
        match self {
            // An item has a byte, but for a few.
            tsm::ErrorKind::CountBeyond { claimed, left } => {
                Some((u128::try_from(*claimed).ok()?, *left))
            }
            _ => None,
        }
    }
}

impl Counting for primitiv::ErrorKind {
    fn needed(&self) -> Option<(u128, usize)> {
        match self {
            primitiv::ErrorKind::Count { needed, left, .. } => Some(((*needed).into(), *left)),
            _ => None,
        }
    }
}

/// Whether a packed tensor would have fields, and so few that all of them can be looked at.
pub(super) fn has_fields(sample: &Sample<'_>) -> bool {
    let count = sample.all.and_then(|all| all.first_chunk().copied()).map(u32::from_le_bytes);
    count.is_some_and(|count| (1..=MOST_FIELDS).contains(&count))
}

/// Values one behind the other, or a stream of chunks.
fn read_biniou(bytes: &[u8], options: &Options) -> Reading {
    let file = options.file(bytes);
    let mut count = 0;
    for value in framing::values(&file) {
        match value {
            Ok(_) => count += 1,
            Err(error) if file.framing() == Framing::Chunks || count == 0 => {
                return Reading::Bad(error);
            }
            Err(error) => {
                return Reading::Bad(format!("{error}, behind {}", counted(count, "value")));
            }
        }
    }
    Reading::good(framing::counted_by(file.framing(), count))
}

/// A module, or a packed tensor that stands alone.
fn read_tsm(bytes: &[u8]) -> Reading {
    let module = match tsm::Module::from_slice(bytes) {
        Ok(module) => {
            let what = format!("module of {}", counted(module.graph.nodes.len(), "node"));
            let suspicions = module.check().iter().map(ToString::to_string).collect();
            return Reading::Good { what, suspicions };
        }
        Err(error) if tsm::File::is_module(bytes) => return Reading::Bad(error.to_string()),
        Err(error) => error,
    };
    match tsm::PackedTensor::from_slice(bytes) {
        Ok(packed) => {
            let fields = counted(packed.fields.len(), "field");
            Reading::good(format_args!("packed tensor of {fields}"))
        }
        Err(tensor) => {
            Reading::Bad(format!("neither a module ({module}) nor a packed tensor ({tensor})"))
        }
    }
}

fn content(data: &primitiv::Data<'_>) -> String {
    match data {
        primitiv::Data::Shape(shape) => format!("shape {:?}", shape.dims()),
        primitiv::Data::Tensor(tensor) => format!("tensor {:?}", tensor.shape().dims()),
        primitiv::Data::Parameter(parameter) => {
            format!("parameter {:?}", parameter.value().shape().dims())
        }
        primitiv::Data::Model(model) => {
            format!("model of {}", counted(model.len(), "parameter"))
        }
        primitiv::Data::Optimizer(_) => "optimizer".into(),
    }
}
