//! The named tensors of a file, whatever container it is. Each container is a file of this room;
//! none of them knows what is done with the tensors.

mod dtype;
mod name;
pub(crate) mod npy;
pub(crate) mod npz;
mod order;
pub(crate) mod primitiv;
mod report;
pub(crate) mod safetensors;
pub(crate) mod tsm;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use fourfold::biniou::Options;

pub(crate) use self::dtype::{DType, Stored};
pub(crate) use self::name::Names;
pub(crate) use self::order::{Order, index_of};
pub(crate) use self::report::TensorsReport;
use crate::failure::Failure;
use crate::formats::{self, Comparison, Format};
use crate::input::Input;
use crate::write::count::listed;

/// The name of the tensor in a file that holds only one, and no name for it.
pub(crate) const ONLY: &str = "value";

/// A kind of files that hold tensors.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// A module of TenniS, or one of its tensor files (`.t`).
    Tsm,
    /// A model, parameter or tensor of primitiv.
    Primitiv,
    /// safetensors.
    Safetensors,
    /// Arrays of NumPy in a zip archive.
    Npz,
    /// One array of NumPy.
    Npy,
}

impl Container {
    /// The container that files of that name are.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "tsm" | "t" => Container::Tsm,
            "model" | "param" | "tensor" => Container::Primitiv,
            "safetensors" => Container::Safetensors,
            "npz" => Container::Npz,
            "npy" => Container::Npy,
            _ => return None,
        })
    }

    /// The container that such bytes begin, as far as they tell.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if let Some(plain) = Container::plain(bytes) {
            Some(plain)
        } else if fourfold::tsm::File::is_module(bytes) {
            Some(Container::Tsm)
        } else if fourfold::primitiv::File::sniff(bytes) {
            Some(Container::Primitiv)
        } else if tsm::is_packed(bytes) {
            // Without a first sign of its own: the whole file has to make sense.
            Some(Container::Tsm)
        } else {
            None
        }
    }

    /// The container that holds nothing but tensors and that such bytes begin.
    pub(crate) fn plain(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(npy::MAGIC) {
            Some(Container::Npy)
        } else if npz::begins(bytes) {
            Some(Container::Npz)
        } else if safetensors::begins(bytes) {
            Some(Container::Safetensors)
        } else {
            None
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Container::Tsm => "tsm",
            Container::Primitiv => "primitiv",
            Container::Safetensors => "safetensors",
            Container::Npz => "npz",
            Container::Npy => "npy",
        }
    }
}

/// A tensor with a name.
#[derive(Clone, Debug)]
pub(crate) struct Tensor<'a> {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    /// The size of each axis, as Python sees it.
    pub(crate) shape: Vec<usize>,
    /// How the elements lie.
    pub(crate) order: Order,
    /// The elements, little-endian.
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) role: Role,
}

/// What a tensor is to its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// What is trained, and what people mean by weights.
    Weight,
    /// A weight whose last axis is primitiv's batch.
    Batch,
    /// What an operator of a graph is told.
    Attribute,
}

impl<'a> Tensor<'a> {
    /// How the container holds such a tensor, and the shape that it then has.
    pub(crate) fn stored_in(&self, container: Container) -> Option<(DType, Cow<'_, [usize]>)> {
        let Stored { dtype, lanes } = self.dtype.stored_in(container)?;
        Some(match lanes {
            Some(lanes) => (dtype, self.shape.iter().copied().chain([lanes]).collect()),
            None => (dtype, Cow::Borrowed(self.shape.as_slice())),
        })
    }

    /// Whether `other`, which was read from that container, is of the same type and shape, as far
    /// as the container can hold it.
    pub(crate) fn fits(&self, other: &Tensor<'_>, container: Container) -> bool {
        let same = self.dtype == other.dtype && self.shape == other.shape;
        same || self
            .stored_in(container)
            .is_some_and(|(dtype, shape)| dtype == other.dtype && *shape == *other.shape)
    }

    /// The elements in that order; copied only if they lie otherwise.
    pub(crate) fn in_order(&self, order: Order) -> Cow<'_, [u8]> {
        if order::is_same(&self.shape, self.order, order) {
            return Cow::Borrowed(&self.bytes);
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        // Appending to a vector cannot fail.
        let _ = self.pieces(order, &mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        });
        Cow::Owned(bytes)
    }

    /// Hands the elements on in that order, piece by piece.
    pub(crate) fn pieces(
        &self,
        order: Order,
        emit: &mut dyn FnMut(&[u8]) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        match order::is_same(&self.shape, self.order, order) {
            true => emit(&self.bytes),
            false => order::reordered(&self.bytes, &self.shape, order, emit),
        }
    }
}

/// Type and shape: `F32 [2, 3]`.
impl fmt::Display for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.dtype, self.shape)
    }
}

/// The tensors of a file.
#[derive(Clone, Debug)]
pub(crate) struct Weights<'a> {
    pub(crate) container: Container,
    /// In the order of the file, each name once.
    pub(crate) tensors: Vec<Tensor<'a>>,
    /// What a safetensors file says about itself.
    pub(crate) notes: BTreeMap<String, String>,
}

/// A file that holds tensors, read.
#[derive(Debug)]
pub(crate) enum Source<'a> {
    Tsm(tsm::Document<'a>),
    Primitiv(fourfold::primitiv::File<'a>),
    /// All others: nothing but tensors.
    Plain(Weights<'a>),
}

impl<'a> Source<'a> {
    /// The container of a file, by its bytes; if they do not tell, by its name.
    pub(crate) fn container(input: &Input, options: &Options) -> Option<Container> {
        let by_name = || {
            let named = Container::of_name(Path::new(&input.name))?;
            // The name of a file that reads as something else says nothing.
            weightless(&input.bytes, options).is_none().then_some(named)
        };
        Container::of_bytes(&input.bytes).or_else(by_name)
    }

    pub(crate) fn read(input: &'a Input, options: &Options) -> Result<Self, Failure> {
        let Some(container) = Source::container(input, options) else {
            return Err(Failure::data(
                &input.name,
                match weightless(&input.bytes, options) {
                    Some(format) => format!("is {}, which holds no weights", format.name()),
                    None => {
                        "holds no weights: neither tsm, primitiv, safetensors, npz nor npy".into()
                    }
                },
            ));
        };
        Source::read_as(container, input)
    }

    /// Reads a file as that container, whatever its bytes look like.
    pub(crate) fn read_as(container: Container, input: &'a Input) -> Result<Self, Failure> {
        let source = Source::of_bytes(container, &input.bytes);
        source.map_err(|text| Failure::data(&input.name, text))
    }

    fn of_bytes(container: Container, bytes: &'a [u8]) -> Result<Self, String> {
        let plain = |tensors| Weights { container, tensors, notes: BTreeMap::new() };
        Ok(match container {
            Container::Tsm => Source::Tsm(tsm::Document::read(bytes)?),
            Container::Primitiv => Source::Primitiv(primitiv::read(bytes)?),
            Container::Safetensors => {
                let (tensors, notes) = safetensors::read(bytes)?;
                Source::Plain(Weights { container, tensors, notes })
            }
            Container::Npz => Source::Plain(plain(npz::read(bytes)?)),
            Container::Npy => Source::Plain(plain(vec![npy::read(bytes, ONLY)?])),
        })
    }

    pub(crate) const fn container_of(&self) -> Container {
        match self {
            Source::Tsm(_) => Container::Tsm,
            Source::Primitiv(_) => Container::Primitiv,
            Source::Plain(weights) => weights.container,
        }
    }

    /// The tensors.
    ///
    /// # Errors
    ///
    /// A text if it is a file that cannot hold any.
    pub(crate) fn weights(&self) -> Result<Weights<'_>, String> {
        let container = self.container_of();
        Ok(match self {
            Source::Tsm(document) => {
                Weights { container, tensors: document.tensors(), notes: BTreeMap::new() }
            }
            Source::Primitiv(file) => {
                Weights { container, tensors: primitiv::tensors(file)?, notes: BTreeMap::new() }
            }
            Source::Plain(weights) => {
                let tensors = weights.tensors.iter().map(|tensor| Tensor {
                    name: tensor.name.clone(),
                    shape: tensor.shape.clone(),
                    bytes: Cow::Borrowed(&tensor.bytes),
                    ..*tensor
                });
                Weights { container, tensors: tensors.collect(), notes: weights.notes.clone() }
            }
        })
    }
}

/// The format of a file that reads to the last byte as one without tensors.
fn weightless(bytes: &[u8], options: &Options) -> Option<Format> {
    let settled = formats::settled(bytes, options);
    settled.filter(|format| !matches!(format.kind().comparison(), Comparison::Tensors(_)))
}

/// For each tensor of the original the given one of its name, if its elements are others.
///
/// # Errors
///
/// A text that names the tensors that are missing, left over, or of another type or shape.
/// Attributes may be missing.
fn matched<'a, 'b>(
    originals: &[Tensor<'_>],
    given: &'a Weights<'b>,
) -> Result<Vec<Option<&'a Tensor<'b>>>, String> {
    let by_name: HashMap<&str, &Tensor<'b>> = match (originals, given.tensors.as_slice()) {
        ([original], [only]) if are_alone(original, only) => {
            [(original.name.as_str(), only)].into()
        }
        (_, given) => given.iter().map(|tensor| (tensor.name.as_str(), tensor)).collect(),
    };
    let known: HashSet<&str> = originals.iter().map(|tensor| tensor.name.as_str()).collect();
    let extra = by_name.iter().filter(|(name, _)| !known.contains(**name));
    let mut extra: Vec<&Tensor<'_>> = extra.map(|(_, tensor)| *tensor).collect();
    extra.sort_by(|one, two| one.name.cmp(&two.name));
    let extra = extra.into_iter();
    refuse("not in the original", extra.map(|tensor| tensor.name.clone()))?;
    let missing = originals.iter().filter(|tensor| {
        tensor.role != Role::Attribute && !by_name.contains_key(tensor.name.as_str())
    });
    refuse("missing", missing.map(|tensor| tensor.name.clone()))?;
    let others = originals.iter().filter_map(|tensor| {
        let other = by_name.get(tensor.name.as_str())?;
        let fits = tensor.fits(other, given.container);
        (!fits).then(|| format!("{} ({other}, where the original has {tensor})", tensor.name))
    });
    refuse("of another type or shape", others)?;
    let changed = originals.iter().map(|tensor| {
        let other = by_name.get(tensor.name.as_str())?;
        (tensor.bytes != other.in_order(tensor.order)).then_some(*other)
    });
    Ok(changed.collect())
}

/// Whether one of two tensors that are the only ones of their files has no name of its own, so that
/// the other may have any.
pub(crate) fn are_alone(one: &Tensor<'_>, two: &Tensor<'_>) -> bool {
    [one, two].iter().any(|tensor| tensor.name == ONLY)
}

/// How many names an error gives.
const SHOWN: usize = 3;

/// An error, if there are any names.
fn refuse(fault: &str, names: impl Iterator<Item = String>) -> Result<(), String> {
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(format!("{fault}: {}", listed(&names, SHOWN)))
}
