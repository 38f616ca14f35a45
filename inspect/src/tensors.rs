//! The named tensors of a file, whatever its container. Each container is a submodule.

mod dtype;
mod kind;
mod name;
mod npy;
mod npz;
pub(crate) mod onnx;
mod order;
mod primitiv;
mod report;
mod safetensors;
mod small;
pub mod statistics;
mod tsm;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io;
use std::ops::Range;
use std::path::Path;

pub use self::dtype::{DType, Stored};
pub use self::kind::{ContainerKind, Errors, Request, Source, WriteSeek};
pub use self::name::Names;
pub(crate) use self::npz::{MEMBER, first_member};
pub(crate) use self::onnx::begins as begins_onnx;
pub use self::order::{Order, index_of};
pub use self::report::TensorsReport;
pub(crate) use self::safetensors::after_blanks;
pub use self::small::Small;
pub(crate) use self::tsm::{data_in_use, read as read_tsm};
pub use self::tsm::{params, put_back, weight};
use crate::failure::Failure;
use crate::hints::{hints, with_hint};
use crate::input::{Input, ReadAt};
use crate::write::count::{counted, listed};
use crate::write::listing::brackets;
use crate::write::width::ends;

/// The name of the only tensor in a file without names.
pub const ONLY: &str = "value";

/// A kind of file that contains tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Container {
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
    /// A model of ONNX.
    Onnx,
}

impl Container {
    /// In the order of certainty of detection by the first bytes.
    const ALL: [Container; 6] = [
        Container::Npy,
        Container::Npz,
        Container::Safetensors,
        Container::Onnx,
        Container::Tsm,
        Container::Primitiv,
    ];

    /// The operations of the container.
    pub const fn kind(self) -> &'static dyn ContainerKind {
        match self {
            Container::Tsm => &tsm::Tsm,
            Container::Primitiv => &primitiv::Primitiv,
            Container::Safetensors => &safetensors::Safetensors,
            Container::Npz => &npz::Npz,
            Container::Npy => &npy::Npy,
            Container::Onnx => &onnx::Onnx,
        }
    }

    /// The container with that file name extension.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Container::ALL.into_iter().find(|one| one.kind().extensions().contains(&&*extension))
    }

    /// The container detected by the first bytes.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let all = Container::ALL.into_iter();
        let begun = all.clone().find(|one| one.kind().begins(bytes));
        begun.or_else(|| all.clone().find(|one| one.kind().is_whole(bytes)))
    }

    /// The container with only tensors detected by the first bytes.
    pub fn plain(bytes: &[u8]) -> Option<Self> {
        Container::ALL.into_iter().find(|one| one.kind().is_plain() && one.kind().begins(bytes))
    }

    pub fn name(self) -> &'static str {
        self.kind().name()
    }
}

/// A tensor with a name.
#[derive(Clone, Debug)]
pub struct Tensor<'a> {
    pub name: String,
    pub dtype: DType,
    /// The size of each axis, in the order of Python.
    pub shape: Vec<usize>,
    /// The memory order of the elements: row-major if they are less than a byte.
    pub order: Order,
    /// The elements, little-endian.
    pub bytes: Cow<'a, [u8]>,
    pub role: Role,
}

/// The role of a tensor in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A trained weight.
    Weight,
    /// A weight whose last axis is primitiv's batch.
    Batch,
    /// A parameter of an operator in a graph.
    Attribute,
}

impl<'a> Tensor<'a> {
    /// The tensor with borrowed elements.
    fn borrowed(&self) -> Tensor<'_> {
        Tensor {
            name: self.name.clone(),
            shape: self.shape.clone(),
            bytes: Cow::Borrowed(&self.bytes),
            ..*self
        }
    }

    /// How the container stores such a tensor, and the stored shape.
    pub fn stored_in(&self, kind: &dyn ContainerKind) -> Option<(DType, Cow<'_, [usize]>)> {
        let Stored { dtype, lanes } = kind.stored(self.dtype)?;
        Some(match lanes {
            Some(lanes) => (dtype, self.shape.iter().copied().chain([lanes]).collect()),
            None => (dtype, Cow::Borrowed(self.shape.as_slice())),
        })
    }

    /// Whether `other`, which was read from that container, has the same type and shape, as far as the container can
    /// store them.
    pub fn fits(&self, other: &Tensor<'_>, container: Container) -> bool {
        let same = self.dtype == other.dtype && self.shape == other.shape;
        same || self
            .stored_in(container.kind())
            .is_some_and(|(dtype, shape)| dtype == other.dtype && *shape == *other.shape)
    }

    /// The elements in that order; copied only if the order differs.
    pub fn in_order(&self, order: Order) -> Cow<'_, [u8]> {
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

    /// Passes the elements on in that order, piece by piece.
    pub fn pieces(
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

/// Type and shape: `float32 [2, 3]`.
impl fmt::Display for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.dtype, sizes(&self.shape))
    }
}

/// A shape in a message: the first sizes.
fn sizes<T: Copy + TryInto<u64>>(shape: &[T]) -> String {
    brackets(shape, 16)
}

/// Text of a file in a message, without its middle if it is long.
fn shortened(text: &str) -> Cow<'_, str> {
    ends(text, 200)
}

/// The tensors of a file.
#[derive(Clone, Debug)]
pub struct Weights<'a> {
    pub container: Container,
    /// In the order of the file, with unique names.
    pub tensors: Vec<Tensor<'a>>,
    /// The metadata of a safetensors file, or of an npz file that was converted from one.
    pub notes: BTreeMap<String, String>,
    /// Tensors that cannot be read.
    pub unread: Vec<Unread>,
}

/// A tensor that cannot be read, such as one of strings. It does not hide the other tensors of its file.
#[derive(Clone, Debug)]
pub struct Unread {
    pub name: String,
    /// Why not.
    pub reason: String,
    /// Whether the file is damaged, or elements are missing; otherwise it is of a type that is not read.
    pub is_damaged: bool,
    /// A hash of its bytes, by which two files are compared.
    hash: u64,
}

impl Unread {
    fn new(
        name: impl Into<String>,
        reason: impl Into<String>,
        content: &(impl Hash + ?Sized),
    ) -> Self {
        let (name, reason, hash) = (name.into(), reason.into(), hash_of(content));
        Unread { name, reason, is_damaged: false, hash }
    }

    /// The text to compare.
    pub(crate) fn text(&self) -> String {
        format!("{} #{:016x}", self.reason, self.hash)
    }
}

/// The name and the reason: `names: elements are strings, which have no fixed size`.
impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", shortened(&self.name), self.reason)
    }
}

/// A hash of a value, the same in one process.
fn hash_of(content: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

/// A file that contains only tensors.
impl Source for Weights<'_> {
    fn container(&self) -> Container {
        self.container
    }

    fn weights(&self) -> Result<Weights<'_>, String> {
        let tensors = self.tensors.iter().map(Tensor::borrowed).collect();
        let (notes, unread) = (self.notes.clone(), self.unread.clone());
        Ok(Weights { container: self.container, tensors, notes, unread })
    }

    fn texts(&self) -> Vec<(String, String)> {
        let note = |(key, text): (&String, &String)| (format!("__metadata__.{key}"), text.clone());
        self.notes.iter().map(note).collect()
    }
}

impl<'a> Weights<'a> {
    /// The notes, without those about how tensors are stored in safetensors.
    pub fn own_notes(&self) -> BTreeMap<&str, &str> {
        let notes = self.notes.iter().filter(|(key, _)| !key.starts_with("fourfold."));
        notes.map(|(key, text)| (&**key, &**text)).collect()
    }

    /// The weights of a file without notes.
    fn new(container: Container, tensors: Vec<Tensor<'a>>) -> Self {
        Weights { container, tensors, notes: BTreeMap::new(), unread: Vec::new() }
    }

    /// Returns an error if the container cannot store a tensor, before anything is written. With `raw`, elements
    /// may be stored as the numbers of their bits, although these are other values.
    ///
    /// # Errors
    ///
    /// The type or name that it cannot store, and the tensor.
    pub fn check(&self, target: Container, raw: bool) -> Result<(), String> {
        if !self.unread.is_empty() {
            let (count, shown) = (counted(self.unread.len(), "tensor"), self.unread.iter());
            let mut texts: Vec<_> = shown.take(MOST_UNREAD).map(ToString::to_string).collect();
            let more = self.unread.len().saturating_sub(MOST_UNREAD);
            texts.extend((more > 0).then(|| format!("{more} more")));
            let texts = texts.join("; ");
            return Err(with_hint(format!("{count} cannot be converted ({texts})"), OTHERS));
        }
        for tensor in &self.tensors {
            let name = shortened(&tensor.name);
            let (dtype, _) = tensor.stored_in(target.kind()).ok_or_else(|| {
                let (dtype, bits, target) = (tensor.dtype, tensor.dtype.bits(), target.name());
                let text = format!("{dtype} cannot be stored in {target}");
                match bits % 8 {
                    0 => format!("{text} in {name}"),
                    _ => format!(
                        "{text}, which has no elements of {bits} bits, in {name}; use safetensors"
                    ),
                }
            })?;
            target.kind().check_name(&tensor.name)?;
            let loss = tensor.dtype.loss(dtype).filter(|_| !raw && !target.kind().notes_dtypes());
            if let Some(loss) = loss {
                let (own, target) = (tensor.dtype, target.name());
                let text = format!("{target} has no {own}: as {dtype}, {loss}, in {name}");
                return Err(with_hint(text, hints().raw));
            }
            // Other types have no invalid elements: their bytes are not read.
            let flags = (dtype == DType::Bool).then_some(&tensor.bytes);
            if let Some(byte) = flags.and_then(|bytes| bytes.iter().find(|byte| **byte > 1)) {
                return Err(format!("a bool of {byte}, neither 0 nor 1, in {name}"));
            }
        }
        Ok(())
    }
}

/// Number of first bytes of a file that are needed to find where elements begin.
pub const CONTENTS_LOOK: usize = 16;

/// The minimum length of a range that is not read.
const LEAST: u64 = 256 << 10;

/// The range of a file that contains only elements of tensors, as `formats::contents` finds it in other files.
///
/// # Errors
///
/// Those of `read`.
pub fn contents(len: u64, read: &mut ReadAt<'_>) -> io::Result<Option<Range<u64>>> {
    let mut first = [0; CONTENTS_LOOK];
    if len < LEAST {
        return Ok(None);
    }
    read(0, &mut first)?;
    let start = Container::ALL.into_iter().find_map(|one| one.kind().contents_start(&first, len));
    Ok(start.map(|start| start..len).filter(|range| range.end - range.start >= LEAST))
}

/// Reads a file as that container, without detection.
pub fn read_as(container: Container, input: &Input) -> Result<Box<dyn Source + '_>, Failure> {
    container.kind().read(input).map_err(|text| Failure::data(&input.name, text))
}

/// For each tensor of the original the new tensor of the same name, if its elements differ.
///
/// # Errors
///
/// A text that lists tensors that are missing, unknown, or of another type or shape.
/// Attributes may be missing.
fn matched<'a, 'b>(
    originals: &[Tensor<'_>],
    weights: &'a Weights<'b>,
) -> Result<Vec<Option<&'a Tensor<'b>>>, String> {
    let by_name: HashMap<&str, &Tensor<'b>> = match (originals, weights.tensors.as_slice()) {
        ([original], [only]) if are_alone(original, only) => {
            [(original.name.as_str(), only)].into()
        }
        (_, several) => several.iter().map(|tensor| (tensor.name.as_str(), tensor)).collect(),
    };
    let known: HashSet<&str> = originals.iter().map(|tensor| tensor.name.as_str()).collect();
    let extra = by_name.iter().filter(|(name, _)| !known.contains(**name));
    let mut extra: Vec<&Tensor<'_>> = extra.map(|(_, tensor)| *tensor).collect();
    extra.sort_by(|one, two| one.name.cmp(&two.name));
    let extra = extra.into_iter();
    refuse("not in the original", extra.map(|tensor| shortened(&tensor.name).into_owned()))?;
    let missing = originals.iter().filter(|tensor| {
        tensor.role != Role::Attribute && !by_name.contains_key(tensor.name.as_str())
    });
    refuse("missing", missing.map(|tensor| shortened(&tensor.name).into_owned()))?;
    let others = originals.iter().filter_map(|tensor| {
        let other = by_name.get(tensor.name.as_str())?;
        let fits = tensor.fits(other, weights.container);
        let name = || shortened(&tensor.name);
        (!fits).then(|| format!("{} ({other}, where the original has {tensor})", name()))
    });
    refuse("different type or shape", others)?;
    let changed = originals.iter().map(|tensor| {
        let other = by_name.get(tensor.name.as_str())?;
        (tensor.bytes != other.in_order(tensor.order)).then_some(*other)
    });
    Ok(changed.collect())
}

/// Whether two tensors are the only ones of their files and one of them has no name, so that the names need not
/// match.
pub fn are_alone(one: &Tensor<'_>, two: &Tensor<'_>) -> bool {
    [one, two].iter().any(|tensor| tensor.name == ONLY)
}

/// How the tensors that can be read are written.
const OTHERS: &str =
    "in Python, `fourfold.save(dict(fourfold.tensors(IN)), OUT)` writes all others";

/// Maximum number of tensors that cannot be read in an error.
const MOST_UNREAD: usize = 16;

/// Maximum number of names in an error.
const SHOWN: usize = 3;

/// Returns an error if there are any names.
fn refuse(error: &str, names: impl Iterator<Item = String>) -> Result<(), String> {
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(format!("{error}: {}", listed(&names, SHOWN)))
}
