//! safetensors: a header in JSON, and the elements, row-major and little-endian.

mod header;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::ops::Range;

use serde_json::{Map, Value, json};

use self::header::{Entry, Header};
use super::kind::Output;
use super::{
    Container, ContainerKind, DType, Order, Request, Role, Small, Source, Stored, Tensor, Unread,
    Weights, WriteSeek, shortened, sizes,
};
use crate::failure::Failure;
use crate::input::Input;
use crate::write::count::number;

/// The key of the metadata in the header.
const METADATA: &str = "__metadata__";
/// The note with the original types of tensors that are stored as other numbers.
const DTYPES: &str = "fourfold.dtypes";
/// The note with the names of tensors whose last axis is primitiv's batch.
const BATCHES: &str = "fourfold.batches";

pub(super) struct Safetensors;

impl ContainerKind for Safetensors {
    fn name(&self) -> &'static str {
        "safetensors"
    }

    fn keeps_notes(&self) -> bool {
        true
    }

    fn notes_dtypes(&self) -> bool {
        true
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["safetensors"]
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        begins(bytes)
    }

    fn contents_start(&self, first: &[u8], len: u64) -> Option<u64> {
        let (header, rest) = first.split_first_chunk()?;
        let start = u64::from_le_bytes(*header).checked_add(number(header.len()))?;
        (after_blanks(rest).first() == Some(&b'{') && start <= len).then_some(start)
    }

    fn stored(&self, dtype: DType) -> Option<Stored> {
        Some(match dtype {
            DType::C128 => Stored { dtype: DType::F64, lanes: Some(2) },
            _ => dtype.as_number(),
        })
    }

    fn order(&self, _: &Tensor<'_>, _: &[usize]) -> Order {
        Order::RowMajor
    }

    fn check_name(&self, name: &str) -> Result<(), String> {
        match name == METADATA {
            true => Err(format!("the name {name} is reserved in safetensors")),
            false => Ok(()),
        }
    }

    fn read<'a>(&self, input: &'a Input) -> Result<Box<dyn Source + 'a>, String> {
        Ok(Box::new(read(&input.bytes)?))
    }

    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        _: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure> {
        Ok(Box::new(Noted { tensors: &weights.tensors, notes: described(weights) }))
    }
}

/// The tensors of a file, and its metadata.
struct Noted<'a> {
    tensors: &'a [Tensor<'a>],
    notes: BTreeMap<String, String>,
}

impl Output for Noted<'_> {
    fn write(&self, mut out: &mut dyn WriteSeek) -> io::Result<()> {
        write(self.tensors, &self.notes, &mut out)
    }
}

/// The notes, and the original types, which are not in the notes themselves.
fn described(weights: &Weights<'_>) -> BTreeMap<String, String> {
    let mut notes = weights.notes.clone();
    if weights.container != Container::Safetensors {
        let order = match weights.tensors.first() {
            Some(first) if weights.tensors.iter().all(|other| other.order == first.order) => {
                first.order.to_string()
            }
            Some(_) => "mixed".into(),
            None => Order::RowMajor.to_string(),
        };
        notes.insert("fourfold.source".into(), weights.container.name().into());
        notes.insert("fourfold.source_layout".into(), order);
    }
    notes
}

/// Whether bytes begin like such a file: a possible length, and an object.
fn begins(bytes: &[u8]) -> bool {
    let Some((len, rest)) = bytes.split_first_chunk() else { return false };
    let header = usize::try_from(u64::from_le_bytes(*len)).ok().and_then(|len| rest.get(..len));
    header.is_some_and(|header| after_blanks(header).first() == Some(&b'{'))
}

/// The text after the first blanks of JSON, at most 65,536 of them.
pub(crate) fn after_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take(1 << 16).take_while(|byte| b" \t\n\r".contains(byte));
    text.get(blanks.count()..).unwrap_or_default()
}

fn read(bytes: &[u8]) -> Result<Weights<'_>, String> {
    let (text, data) = header::split(bytes)?;
    let Header { tensors: entries, unknown, notes } = header::parse(text, number(data.len()))?;
    // The offsets were checked.
    let within = |bytes: Range<u64>| {
        let [start, end] = [bytes.start, bytes.end].map(usize::try_from);
        let range = start.ok().zip(end.ok()).and_then(|(start, end)| data.get(start..end));
        range.unwrap_or_default()
    };
    let dtypes: Map<String, Value> = parsed(&notes, DTYPES);
    let batches: HashSet<String> = parsed(&notes, BATCHES);
    let mut tensors = Vec::with_capacity(entries.len());
    for Entry { name, dtype, shape, bytes } in entries {
        // An empty tensor can have any sizes.
        let sized = shape.iter().map(|size| usize::try_from(*size)).collect::<Result<_, _>>();
        let sized = sized.map_err(|_| {
            let (shape, name) = (sizes(&shape), shortened(&name));
            format!("{dtype} {shape} is too large for memory in {name}")
        })?;
        let role = if batches.contains(&name) { Role::Batch } else { Role::Weight };
        let noted = dtypes.get(&name).and_then(Value::as_str).and_then(noted);
        let mut tensor = Tensor {
            name,
            dtype,
            shape: sized,
            order: Order::RowMajor,
            bytes: Cow::Borrowed(within(bytes)),
            role,
        };
        if let Some(dtype) = noted {
            restore(&mut tensor, dtype);
        }
        tensors.push(tensor);
    }
    let unread = unknown.into_iter().map(|(name, bytes, reason)| {
        let elements = within(bytes);
        Unread::new(name, reason, elements)
    });
    let unread = unread.collect();
    Ok(Weights { container: Container::Safetensors, tensors, notes, unread })
}

/// A note that is JSON; empty if it is missing or something else.
fn parsed<T: serde::de::DeserializeOwned + Default>(
    notes: &BTreeMap<String, String>,
    key: &str,
) -> T {
    notes.get(key).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// Gives a tensor the original type of a note, if that type is possible.
fn restore(tensor: &mut Tensor<'_>, dtype: DType) {
    let Some(stored) = Safetensors.stored(dtype) else { return };
    let mut shape = tensor.shape.clone();
    let fits = match stored.lanes {
        Some(lanes) => shape.pop() == Some(lanes),
        None => true,
    };
    if fits && stored.dtype == tensor.dtype {
        (tensor.dtype, tensor.shape) = (dtype, shape);
    }
}

/// The types that a note can contain.
fn noted(name: &str) -> Option<DType> {
    use fourfold::tsm;

    let tsm = tsm::DType::ALL.iter().copied().map(DType::of_tsm);
    tsm.chain([DType::C128]).find(|dtype| dtype.name() == name)
}

/// Types with the same elements here and in safetensors, and their names there.
const SAME: [(DType, &str); 22] = [
    (DType::Bool, "BOOL"),
    (DType::U8, "U8"),
    (DType::I8, "I8"),
    (DType::I16, "I16"),
    (DType::U16, "U16"),
    (DType::F16, "F16"),
    (DType::Bf16, "BF16"),
    (DType::I32, "I32"),
    (DType::U32, "U32"),
    (DType::F32, "F32"),
    (DType::C64, "C64"),
    (DType::F64, "F64"),
    (DType::I64, "I64"),
    (DType::U64, "U64"),
    (DType::Small(Small::E2M1Fn), "F4"),
    (DType::Small(Small::E2M3Fn), "F6_E2M3"),
    (DType::Small(Small::E3M2Fn), "F6_E3M2"),
    (DType::Small(Small::E5M2), "F8_E5M2"),
    (DType::Small(Small::E4M3Fn), "F8_E4M3"),
    (DType::Small(Small::E8M0Fnu), "F8_E8M0"),
    (DType::Small(Small::E4M3Fnuz), "F8_E4M3FNUZ"),
    (DType::Small(Small::E5M2Fnuz), "F8_E5M2FNUZ"),
];

fn of_safetensors(dtype: &str) -> Option<DType> {
    SAME.iter().find(|(_, its)| *its == dtype).map(|(own, _)| *own)
}

/// The type in the header, such as `F32`.
fn to_safetensors(dtype: DType) -> Option<&'static str> {
    SAME.iter().find(|(own, _)| *own == dtype).map(|(_, its)| *its)
}

/// Writes the file: first the header, then the elements piece by piece.
fn write(
    tensors: &[Tensor<'_>],
    notes: &BTreeMap<String, String>,
    writer: &mut dyn io::Write,
) -> io::Result<()> {
    let invalid = |text: String| io::Error::new(io::ErrorKind::InvalidInput, text);
    let mut sorted: Vec<&Tensor<'_>> = tensors.iter().collect();
    // The largest elements first, so that all of them are aligned.
    sorted.sort_by(|a, b| b.dtype.bits().cmp(&a.dtype.bits()).then_with(|| a.name.cmp(&b.name)));
    let mut header = Map::new();
    header.insert(METADATA.into(), json!(with_own(notes, &sorted)));
    let mut start = 0usize;
    for tensor in &sorted {
        let missing = || invalid(format!("{} cannot be stored in safetensors", tensor.dtype));
        let (dtype, shape) = tensor.stored_in(&Safetensors).ok_or_else(missing)?;
        let dtype = to_safetensors(dtype).ok_or_else(missing)?;
        let end = start.saturating_add(tensor.bytes.len());
        let entry = json!({
            "dtype": dtype,
            "shape": shape,
            "data_offsets": [start, end],
        });
        header.insert(tensor.name.clone(), entry);
        start = end;
    }
    let mut header = serde_json::to_vec(&header)?;
    header.resize(header.len().next_multiple_of(8), b' ');
    writer.write_all(&u64::try_from(header.len()).unwrap_or(u64::MAX).to_le_bytes())?;
    writer.write_all(&header)?;
    for tensor in sorted {
        tensor.pieces(Order::RowMajor, &mut |piece| writer.write_all(piece))?;
    }
    Ok(())
}

/// The notes, and notes about properties that safetensors cannot store.
fn with_own(notes: &BTreeMap<String, String>, tensors: &[&Tensor<'_>]) -> BTreeMap<String, String> {
    let mut notes = notes.clone();
    let stored_as_other = tensors.iter().filter(|tensor| {
        Safetensors.stored(tensor.dtype).is_some_and(|it| it.dtype != tensor.dtype)
    });
    let dtypes: Map<String, Value> =
        stored_as_other.map(|tensor| (tensor.name.clone(), json!(tensor.dtype.name()))).collect();
    let batches = tensors.iter().filter(|tensor| tensor.role == Role::Batch);
    let batches: Vec<&str> = batches.map(|tensor| tensor.name.as_str()).collect();
    notes.remove(DTYPES);
    notes.remove(BATCHES);
    if !dtypes.is_empty() {
        notes.insert(DTYPES.into(), Value::Object(dtypes).to_string());
    }
    if !batches.is_empty() {
        notes.insert(BATCHES.into(), json!(batches).to_string());
    }
    notes
}
