//! Arrays of NumPy: a header, which is a Python literal, and the elements.
//!
//! Reads and writes headers; `npz` handles archives.

use std::borrow::Cow;
use std::io;

use super::kind::Output;
use super::{
    Container, ContainerKind, DType, ONLY, Order, Request, Role, Source, Stored, Tensor, Weights,
    WriteSeek, sizes,
};
use crate::failure::Failure;
use crate::input::Input;
use crate::write::count::counted;

/// The signature of a file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The version that is written: the length of the header's text has 16 bits.
const VERSION: [u8; 2] = [1, 0];

/// The elements of a file begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// The maximum length of a header without a structured type.
const HEADER_LIMIT: usize = 1 << 16;

/// The fields of a header.
struct Header {
    dtype: DType,
    /// The width of numbers in the other byte order.
    swapped: Option<usize>,
    order: Order,
    shape: Vec<usize>,
}

pub(super) struct Npy;

impl ContainerKind for Npy {
    fn name(&self) -> &'static str {
        "npy"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["npy"]
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    fn stored(&self, dtype: DType) -> Option<Stored> {
        Some(match dtype {
            DType::Bf16 => DType::U16.as_it_is(),
            DType::Small(small) if small.bits() < 8 => return None,
            DType::Small(_) => DType::U8.as_it_is(),
            _ => dtype.as_number(),
        })
    }

    fn order(&self, tensor: &Tensor<'_>, shape: &[usize]) -> Order {
        // An additional axis is the fastest one in row-major order only.
        match shape.len() == tensor.shape.len() {
            true => tensor.order,
            false => Order::RowMajor,
        }
    }

    fn read<'a>(&self, input: &'a Input) -> Result<Box<dyn Source + 'a>, String> {
        let bytes = &input.bytes;
        let tensor = read(bytes, ONLY).map_err(NoTensor::into_text)?;
        Ok(Box::new(Weights::new(Container::Npy, vec![tensor])))
    }

    fn make<'a>(
        &self,
        weights: &'a Weights<'_>,
        request: &Request<'a>,
    ) -> Result<Box<dyn Output + 'a>, Failure> {
        match weights.tensors.as_slice() {
            [tensor] => Ok(Box::new(Array(tensor))),
            several => {
                let count = several.len();
                Err(request.refused(format_args!("{count} tensors: an npy file has exactly one")))
            }
        }
    }
}

/// The only tensor of a file.
struct Array<'a>(&'a Tensor<'a>);

impl Output for Array<'_> {
    fn write(&self, mut out: &mut dyn WriteSeek) -> io::Result<()> {
        write(self.0, &mut out)
    }
}

/// Why bytes are no tensor.
#[derive(Debug, PartialEq)]
pub(super) enum NoTensor {
    /// NumPy may read them, but not as numbers.
    Other(String),
    Damaged(String),
}

impl NoTensor {
    fn into_text(self) -> String {
        match self {
            NoTensor::Other(text) | NoTensor::Damaged(text) => text,
        }
    }
}

impl From<String> for NoTensor {
    fn from(text: String) -> Self {
        NoTensor::Damaged(text)
    }
}

impl From<&str> for NoTensor {
    fn from(text: &str) -> Self {
        NoTensor::Damaged(text.into())
    }
}

/// The array of a whole file.
pub(super) fn read<'a>(bytes: &'a [u8], name: &str) -> Result<Tensor<'a>, NoTensor> {
    let (header, start) = split(bytes)?;
    tensor(header, Cow::Borrowed(bytes.get(start..).unwrap_or_default()), name)
}

/// The same for owned bytes.
pub(super) fn read_owned(mut bytes: Vec<u8>, name: &str) -> Result<Tensor<'static>, NoTensor> {
    let (header, start) = split(&bytes)?;
    bytes.drain(..start.min(bytes.len()));
    tensor(header, Cow::Owned(bytes), name)
}

fn tensor<'a>(header: Header, bytes: Cow<'a, [u8]>, name: &str) -> Result<Tensor<'a>, NoTensor> {
    let Header { dtype, swapped, order, shape } = header;
    let count = shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size));
    let needed = if shape.contains(&0) { Some(0) } else { count };
    let needed = needed.and_then(|count| count.checked_mul(dtype.bits() / 8));
    if needed != Some(bytes.len()) {
        let (sizes, found) = (sizes(&shape), bytes.len());
        let Some(needed) = needed else {
            return Err(NoTensor::Damaged(format!("{dtype} {sizes} is too large for any file")));
        };
        let text = counted(needed, "byte");
        let text = format!("{dtype} {sizes} needs {text}, {found} follow the header");
        // NumPy ignores what follows the elements.
        return Err(if found < needed { NoTensor::Damaged(text) } else { NoTensor::Other(text) });
    }
    let bytes = match swapped {
        None => bytes,
        Some(width) => {
            let mut bytes = bytes.into_owned();
            bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
            Cow::Owned(bytes)
        }
    };
    Ok(Tensor { name: name.to_owned(), dtype, shape, order, bytes, role: Role::Weight })
}

/// The header, and the offset of the elements.
fn split(bytes: &[u8]) -> Result<(Header, usize), NoTensor> {
    let cut_off = || NoTensor::from("the header is cut off");
    if !bytes.starts_with(MAGIC) {
        return Err(NoTensor::Other("no signature of a NumPy array".into()));
    }
    let (version, rest) = bytes
        .get(MAGIC.len()..)
        .and_then(|rest| rest.split_first_chunk::<2>())
        .ok_or_else(cut_off)?;
    let (len, before) = match *version {
        VERSION => {
            let (len, _) = rest.split_first_chunk().ok_or_else(cut_off)?;
            (usize::from(u16::from_le_bytes(*len)), MAGIC.len() + 4)
        }
        [2 | 3, 0] => {
            let (len, _) = rest.split_first_chunk().ok_or_else(cut_off)?;
            let len = usize::try_from(u32::from_le_bytes(*len)).unwrap_or(usize::MAX);
            (len, MAGIC.len() + 6)
        }
        [major, minor] => {
            return Err(NoTensor::Other(format!("version {major}.{minor} of NumPy's format")));
        }
    };
    let text = bytes.get(before..before.saturating_add(len)).ok_or_else(cut_off)?;
    // Names of fields may be long, and Latin-1.
    if len > HEADER_LIMIT {
        let text = format!("a header of {len} bytes, more than {HEADER_LIMIT}");
        return Err(NoTensor::Other(text));
    }
    let text = std::str::from_utf8(text)
        .map_err(|_| NoTensor::Other("a header that is not UTF-8".into()))?;
    Ok((Literal(text).header()?, before + len))
}

/// The rest of a Python literal.
struct Literal<'a>(&'a str);

impl<'a> Literal<'a> {
    fn header(mut self) -> Result<Header, NoTensor> {
        let (mut kind, mut order, mut shape) = (None, None, None);
        self.expect("{")?;
        while !self.accept("}") {
            let key = self.string()?;
            self.expect(":")?;
            match key {
                "descr" if self.accept("[") => {
                    let text = "a structured dtype, which no other container has";
                    return Err(NoTensor::Other(text.into()));
                }
                "descr" => kind = Some(element(self.string()?)?),
                "fortran_order" if self.accept("True") => order = Some(Order::ColumnMajor),
                "fortran_order" => {
                    self.expect("False")?;
                    order = Some(Order::RowMajor);
                }
                "shape" => shape = Some(self.sizes()?),
                _ => return Err(format!("`{}` in the header", key.escape_debug()).into()),
            }
            if !self.accept(",") {
                self.expect("}")?;
                break;
            }
        }
        match (kind, order, shape) {
            (Some((dtype, swapped)), Some(order), Some(shape)) => {
                Ok(Header { dtype, swapped, order, shape })
            }
            _ => Err("descr, fortran_order or shape is missing in the header".into()),
        }
    }

    fn accept(&mut self, token: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(token);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.accept(token) {
            true => Ok(()),
            false => Err(format!("expected `{token}` in the header")),
        }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let text = self.0.trim_start();
        let quote = text.chars().next().filter(|letter| matches!(letter, '\'' | '"'));
        let inside = quote.and_then(|quote| text.strip_prefix(quote)?.split_once(quote));
        let (string, rest) = inside.ok_or("expected a string in the header")?;
        self.0 = rest;
        Ok(string)
    }

    fn sizes(&mut self) -> Result<Vec<usize>, String> {
        self.expect("(")?;
        let mut sizes = Vec::new();
        while !self.accept(")") {
            let text = self.0.trim_start();
            let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
            let (digits, rest) = text.split_at(end);
            let size = digits.parse().map_err(|_| "invalid shape in the header")?;
            sizes.push(size);
            self.0 = rest;
            // Python 2 wrote long numbers with this suffix.
            self.accept("L");
            if !self.accept(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(sizes)
    }
}

/// The type of a type string such as `<f4`, and the width of the numbers if their bytes have to be swapped.
fn element(text: &str) -> Result<(DType, Option<usize>), NoTensor> {
    let (big, kind) = match text.split_at_checked(1) {
        Some((">", kind)) => (true, kind),
        Some(("<" | "|", kind)) => (false, kind),
        Some(("=", kind)) => (cfg!(target_endian = "big"), kind),
        _ => (false, text),
    };
    let dtype = match kind {
        "b1" => DType::Bool,
        "i1" => DType::I8,
        "u1" => DType::U8,
        "i2" => DType::I16,
        "u2" => DType::U16,
        "i4" => DType::I32,
        "u4" => DType::U32,
        "i8" => DType::I64,
        "u8" => DType::U64,
        "f2" => DType::F16,
        "f4" => DType::F32,
        "f8" => DType::F64,
        "c8" => DType::C64,
        "c16" => DType::C128,
        _ => {
            let text = format!("dtype `{}`, which is not a number", text.escape_debug());
            return Err(NoTensor::Other(text));
        }
    };
    let width = match dtype {
        DType::C64 | DType::C128 => dtype.bits() / 16,
        _ => dtype.bits() / 8,
    };
    Ok((dtype, Some(width).filter(|width| big && *width > 1)))
}

/// The type string of a type, if NumPy has it.
const fn type_string(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::Bool => "|b1",
        DType::I8 => "|i1",
        DType::U8 => "|u1",
        DType::I16 => "<i2",
        DType::U16 => "<u2",
        DType::I32 => "<i4",
        DType::U32 => "<u4",
        DType::I64 => "<i8",
        DType::U64 => "<u8",
        DType::F16 => "<f2",
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        DType::C64 => "<c8",
        DType::C128 => "<c16",
        DType::Bf16 | DType::Small(_) | DType::Tsm(_) => return None,
    })
}

/// Writes a `.npy` file, or an entry of a `.npz` file. The order of the elements is not changed.
pub(super) fn write(tensor: &Tensor<'_>, writer: &mut dyn io::Write) -> io::Result<()> {
    let missing = || io::Error::other(format!("{} cannot be stored in NumPy", tensor.dtype));
    let (dtype, shape) = tensor.stored_in(&Npy).ok_or_else(missing)?;
    let kind = type_string(dtype).ok_or_else(missing)?;
    let order = Npy.order(tensor, &shape);
    writer.write_all(&header(kind, order, &shape)?)?;
    tensor.pieces(order, &mut |piece| writer.write_all(piece))
}

/// The header of an array as NumPy writes it: magic, version, the length of a text, the text.
/// The text is padded with spaces, so that the elements begin at a multiple of [`ALIGNMENT`].
fn header(kind: &str, order: Order, shape: &[usize]) -> io::Result<Vec<u8>> {
    let fortran_order = match order {
        Order::RowMajor => "False",
        Order::ColumnMajor => "True",
    };
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    // A tuple of one item needs a trailing comma in Python.
    let comma = if shape.len() == 1 { "," } else { "" };
    let text = format!(
        "{{'descr': '{kind}', 'fortran_order': {fortran_order}, 'shape': ({}{comma}), }}",
        sizes.join(", "),
    );
    let prefix = MAGIC.len() + VERSION.len() + size_of::<u16>();
    let len = (prefix + text.len() + 1).next_multiple_of(ALIGNMENT) - prefix;
    let stated = u16::try_from(len)
        .map_err(|_| io::Error::other(format!("{} axes are too many for NumPy", shape.len())))?;
    let mut header = [MAGIC, &VERSION, &stated.to_le_bytes(), text.as_bytes()].concat();
    header.resize(prefix + len - 1, b' ');
    header.push(b'\n');
    Ok(header)
}
