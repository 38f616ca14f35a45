//! Numbers and text of params, of whatever type they are: TenniS casts them.

use fourfold::tsm::{DType, Prototype, Result, Tensor};

/// A number of a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i64),
    Float(f64),
}

impl Number {
    /// Cast as C++ casts: a larger integer loses its upper bits, a float its fraction.
    pub(crate) fn to_i32(self) -> i32 {
        match self {
            Number::Integer(value) => {
                let [a, b, c, d, ..] = value.to_le_bytes();
                i32::from_le_bytes([a, b, c, d])
            }
            #[expect(clippy::cast_possible_truncation, reason = "the cast of C++")]
            Number::Float(value) => value as i32,
        }
    }

    /// The nearest int32, as slices take it.
    pub(crate) fn clamped(self) -> i32 {
        match self {
            Number::Integer(value) => {
                let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
                Number::Integer(value.clamp(low, high)).to_i32()
            }
            Number::Float(_) => self.to_i32(),
        }
    }

    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as C++")]
    pub(crate) fn to_f32(self) -> f32 {
        match self {
            Number::Integer(value) => value as f32,
            Number::Float(value) => value as f32,
        }
    }

    /// Cast as C++ casts to a byte, which is what TenniS's booleans are.
    pub(crate) fn to_bool(self) -> bool {
        match self {
            Number::Integer(value) => value.to_le_bytes().first() != Some(&0),
            #[expect(clippy::cast_possible_truncation, reason = "the cast of C++")]
            Number::Float(value) => value as i64 != 0,
        }
    }
}

/// The numbers of a tensor, if TenniS can cast its type.
pub(crate) fn numbers<'a>(tensor: &'a Tensor<'_>) -> Option<impl Iterator<Item = Number> + 'a> {
    let dtype = tensor.dtype();
    number(dtype, &[0; 16])?;
    let chunks = tensor.bytes().chunks_exact(dtype.size().max(1));
    Some(chunks.filter_map(move |bytes| number(dtype, bytes)))
}

/// The number in the first bytes. `None` for a type that TenniS does not cast.
fn number(dtype: DType, bytes: &[u8]) -> Option<Number> {
    fn first<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
        bytes.first_chunk().copied()
    }
    Some(match dtype {
        DType::Boolean | DType::UInt8 => Number::Integer(u8::from_le_bytes(first(bytes)?).into()),
        DType::Int8 | DType::Char8 => Number::Integer(i8::from_le_bytes(first(bytes)?).into()),
        DType::Int16 => Number::Integer(i16::from_le_bytes(first(bytes)?).into()),
        DType::UInt16 | DType::Char16 => Number::Integer(u16::from_le_bytes(first(bytes)?).into()),
        DType::Int32 => Number::Integer(i32::from_le_bytes(first(bytes)?).into()),
        DType::UInt32 | DType::Char32 => Number::Integer(u32::from_le_bytes(first(bytes)?).into()),
        // Unsigned numbers beyond int64 wrap, as if TenniS had cast them to int64.
        DType::Int64 | DType::UInt64 => Number::Integer(i64::from_le_bytes(first(bytes)?)),
        DType::Float16 => Number::Float(half(u16::from_le_bytes(first(bytes)?))),
        DType::Float32 => Number::Float(f32::from_le_bytes(first(bytes)?).into()),
        DType::Float64 => Number::Float(f64::from_le_bytes(first(bytes)?)),
        _ => return None,
    })
}

/// The value of a float of 16 bits.
fn half(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 0x3ff);
    let value = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (fraction + 1024.0) * 2f64.powi(exponent - 25),
    };
    if bits & 0x8000 == 0 { value } else { -value }
}

/// The text of a tensor, if it is text as TenniS has it.
pub(crate) fn text<'a>(tensor: &'a Tensor<'_>) -> Option<&'a str> {
    let is_text = tensor.dtype() == DType::Char8 && tensor.shape().len() == 1;
    is_text.then(|| std::str::from_utf8(tensor.bytes()).ok())?
}

/// The number of a param: of text what C's `strtol` and `strtod` read, as TenniS does.
pub(crate) fn scalar(tensor: &Tensor<'_>) -> Option<Number> {
    match text(tensor) {
        Some(text) => Some(leading_number(text)),
        None => numbers(tensor)?.next(),
    }
}

/// The number that text begins with, or 0.
fn leading_number(text: &str) -> Number {
    let text = text.trim_ascii_start();
    let ends = (0..=text.len()).rev().filter_map(|end| text.get(..end));
    // A number has few characters; hostile text has many.
    let short = ends.skip(text.len().saturating_sub(32));
    short.map(str::parse::<f64>).find_map(Result::ok).map_or(Number::Integer(0), Number::Float)
}

/// A value that a param can have.
pub(crate) trait Value: Sized + PartialEq {
    /// What the param is set to, for errors.
    const EXPECTED: &'static str;

    fn read(tensor: &Tensor<'_>) -> Option<Self>;

    fn write(&self) -> Result<Tensor<'static>>;
}

impl Value for i32 {
    const EXPECTED: &'static str = "an integer";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        scalar(tensor).map(Number::to_i32)
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Tensor::from_values(&[*self], &[])
    }
}

impl Value for f32 {
    const EXPECTED: &'static str = "a number";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        scalar(tensor).map(Number::to_f32)
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Tensor::from_values(&[*self], &[])
    }
}

impl Value for bool {
    const EXPECTED: &'static str = "a boolean";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        match text(tensor) {
            Some(text) => Some(text.eq_ignore_ascii_case("true")),
            None => scalar(tensor).map(Number::to_bool),
        }
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Tensor::from_values(&[*self], &[])
    }
}

impl Value for String {
    const EXPECTED: &'static str = "text";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        text(tensor).map(str::to_owned)
    }

    fn write(&self) -> Result<Tensor<'static>> {
        write_text(self)
    }
}

pub(crate) fn write_text(text: &str) -> Result<Tensor<'static>> {
    let (bytes, memory) = Tensor::list(text.as_bytes())?.into_parts();
    Tensor::new(Prototype::new(DType::Char8, bytes.shape), memory)
}

impl Value for Vec<i32> {
    const EXPECTED: &'static str = "integers";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        Some(numbers(tensor)?.map(Number::to_i32).collect())
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Tensor::list(self)
    }
}

impl Value for Vec<f32> {
    const EXPECTED: &'static str = "numbers";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        Some(numbers(tensor)?.map(Number::to_f32).collect())
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Tensor::list(self)
    }
}

impl<const N: usize> Value for [i32; N] {
    const EXPECTED: &'static str = match N {
        2 => "2 integers",
        _ => "4 integers",
    };

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        let values = Vec::<i32>::read(tensor)?;
        if tensor.shape().len() == 1 { values.try_into().ok() } else { None }
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Tensor::list(self)
    }
}

impl<const N: usize> Value for [[i32; 2]; N] {
    const EXPECTED: &'static str = match N {
        2 => "integers of the shape [2, 2]",
        _ => "integers of the shape [4, 2]",
    };

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        let values = Vec::<i32>::read(tensor)?;
        if tensor.shape() != [i32::try_from(N).ok()?, 2] {
            return None;
        }
        let mut pairs = [[0; 2]; N];
        pairs.as_flattened_mut().iter_mut().zip(values).for_each(|(place, value)| *place = value);
        Some(pairs)
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Tensor::from_values(self.as_flattened(), &[i32::try_from(N).unwrap_or(i32::MAX), 2])
    }
}

impl Value for DType {
    const EXPECTED: &'static str = "the code of a dtype";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        DType::from_code(u8::try_from(i32::read(tensor)?).ok()?)
    }

    fn write(&self) -> Result<Tensor<'static>> {
        i32::from(self.code()).write()
    }
}

impl Value for Tensor<'static> {
    const EXPECTED: &'static str = "a tensor";

    fn read(tensor: &Tensor<'_>) -> Option<Self> {
        Some(tensor.clone().into_owned())
    }

    fn write(&self) -> Result<Tensor<'static>> {
        Ok(self.clone())
    }
}
