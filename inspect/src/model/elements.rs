//! The elements of a tensor: from bytes to JSON one by one, and back.

use std::borrow::Cow;

use super::float::{part8, part16, part32, part64, read16, read32, read64};
use super::{Node, Part, Shape, Wrong};
use crate::tensors::Small;

/// The type of elements. Bytes are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Without bytes.
    Void,
    /// The size in bytes.
    Signed(usize),
    /// The size in bytes.
    Unsigned(usize),
    /// The size in bytes, of elements whose numeric value is unknown.
    Raw(usize),
    Bool,
    /// At most 8 bits. Those of less than a byte are packed.
    Small(Small),
    Float16,
    Bfloat16,
    Float32,
    Float64,
    /// Two floats; the size of each in bytes.
    Complex(usize),
}

impl Kind {
    /// The size of an element in bits.
    pub const fn bits(self) -> usize {
        match self {
            Kind::Void => 0,
            Kind::Bool => 8,
            Kind::Small(small) => small.bits(),
            Kind::Float16 | Kind::Bfloat16 => 16,
            Kind::Float32 => 32,
            Kind::Float64 => 64,
            Kind::Signed(size) | Kind::Unsigned(size) | Kind::Raw(size) => size * 8,
            Kind::Complex(size) => size * 16,
        }
    }

    /// The number of elements in these bytes.
    pub const fn count(self, bytes: &[u8]) -> usize {
        match self {
            Kind::Void => 0,
            Kind::Small(small) => small.count(bytes),
            _ => bytes.len() / (self.bits() / 8),
        }
    }

    /// The bytes of the element at that position. One of less than a byte is put into `small`.
    pub fn at<'b>(
        self,
        bytes: &'b [u8],
        position: usize,
        small: &'b mut [u8; 1],
    ) -> Option<&'b [u8]> {
        if let Kind::Small(kind) = self {
            *small = [kind.bits_at(bytes, position)?];
            return Some(small);
        }
        let size = self.bits() / 8;
        let start = position.checked_mul(size).filter(|_| size > 0)?;
        bytes.get(start..start.checked_add(size)?)
    }

    /// The type of each number in an element.
    pub const fn of_numbers(self) -> Self {
        match self {
            Kind::Complex(2) => Kind::Float16,
            Kind::Complex(4) => Kind::Float32,
            Kind::Complex(_) => Kind::Float64,
            kind => kind,
        }
    }

    /// The element with these bytes.
    pub fn part(self, bytes: &[u8]) -> Part<'static> {
        match self {
            Kind::Void => Part::Null,
            Kind::Signed(_) => {
                let negative = bytes.last().is_some_and(|last| *last >= 0x80);
                Part::Integer(i128::from_le_bytes(wide(bytes, if negative { 0xff } else { 0 })))
            }
            Kind::Bool if bytes == [0] => Part::Bool(false),
            Kind::Bool if bytes == [1] => Part::Bool(true),
            Kind::Unsigned(_) | Kind::Raw(_) | Kind::Bool => {
                Part::Unsigned(u128::from_le_bytes(wide(bytes, 0)))
            }
            Kind::Small(small) => part8(small, u8::from_le_bytes(array(bytes))),
            Kind::Float16 => part16(half::f16::from_le_bytes(array(bytes))),
            Kind::Bfloat16 => part32(half::bf16::from_le_bytes(array(bytes)).into()),
            Kind::Float32 => part32(f32::from_le_bytes(array(bytes))),
            Kind::Float64 => part64(f64::from_le_bytes(array(bytes))),
            Kind::Complex(size) => {
                let halves = bytes.chunks(size);
                Part::List(halves.map(|half| self.of_numbers().part(half)).collect())
            }
        }
    }

    /// The number, for comparisons and sums. Does not create a part, since there may be millions of numbers.
    fn number(self, bytes: &[u8]) -> Option<f64> {
        self.float(bytes).or_else(|| number(&self.part(bytes)))
    }

    /// The number of the first bytes, if it is a float.
    pub fn float(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Kind::Float32 => f32::from_le_bytes(array(bytes)).into(),
            Kind::Float64 => f64::from_le_bytes(array(bytes)),
            Kind::Float16 => half::f16::from_le_bytes(array(bytes)).into(),
            Kind::Bfloat16 => half::bf16::from_le_bytes(array(bytes)).into(),
            Kind::Small(small) => small.value(u8::from_le_bytes(array(bytes))).into(),
            _ => return None,
        })
    }

    /// Appends the bytes of an element.
    fn put(self, node: &Node<'_>, out: &mut Vec<u8>) -> Result<(), Wrong> {
        match self {
            Kind::Void => Err(node.wrong("elements of this type take no bytes")),
            Kind::Signed(size) => {
                let bits = u32::try_from(size * 8).unwrap_or(128);
                let most = i128::MAX >> (128 - bits);
                put(out, size, &node.integer(-1 - most, most)?.to_le_bytes());
                Ok(())
            }
            Kind::Unsigned(size) | Kind::Raw(size) => {
                let bits = u32::try_from(size * 8).unwrap_or(128);
                put(out, size, &node.unsigned(u128::MAX >> (128 - bits))?.to_le_bytes());
                Ok(())
            }
            Kind::Bool => match node.shape() {
                Shape::Bool(value) => {
                    out.push(u8::from(value));
                    Ok(())
                }
                _ => Kind::Unsigned(1).put(node, out),
            },
            Kind::Bfloat16 | Kind::Small(_) => {
                Err(node.wrong("no format that can be written has such elements"))
            }
            Kind::Float16 => read16(node).map(|float| out.extend(float.to_le_bytes())),
            Kind::Float32 => read32(node).map(|float| out.extend(float.to_le_bytes())),
            Kind::Float64 => read64(node).map(|float| out.extend(float.to_le_bytes())),
            Kind::Complex(_) => {
                let start = out.len();
                node.each(&mut |half| self.of_numbers().put(half, out))?;
                match (out.len() - start) * 8 == self.bits() {
                    true => Ok(()),
                    false => Err(node.expected("a list of two floats")),
                }
            }
        }
    }

    /// The bytes of the elements in a list.
    pub fn bytes(self, node: &Node<'_>) -> Result<Vec<u8>, Wrong> {
        if node.shape() == Shape::Object && node.fields()?.get(super::SUMMARY).is_some() {
            let wrong = node.wrong("the elements were left out");
            return Err(wrong.with_hint("dump the file with `--full`"));
        }
        let mut out = Vec::new();
        node.each(&mut |element| self.put(element, &mut out))?;
        Ok(out)
    }
}

fn put(out: &mut Vec<u8>, size: usize, bytes: &[u8; 16]) {
    out.extend_from_slice(bytes.get(..size).unwrap_or(bytes));
}

fn wide(bytes: &[u8], fill: u8) -> [u8; 16] {
    let mut wide = [fill; 16];
    wide.iter_mut().zip(bytes).for_each(|(wide, byte)| *wide = *byte);
    wide
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// The bytes of elements.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    kind: Kind,
    bytes: Cow<'a, [u8]>,
}

impl<'a> Elements<'a> {
    pub fn new(kind: Kind, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Elements { kind, bytes: bytes.into() }
    }

    pub fn count(&self) -> usize {
        self.kind.count(&self.bytes)
    }

    pub fn get(&self, index: usize) -> Option<Part<'static>> {
        Some(self.kind.part(self.kind.at(&self.bytes, index, &mut [0])?))
    }

    pub fn iter(&self) -> impl Iterator<Item = Part<'static>> + '_ {
        (0..self.count()).filter_map(|index| self.get(index))
    }

    /// Statistics instead of the elements. Complex numbers have no minimum.
    pub fn summary(&self) -> Vec<(Cow<'static, str>, Part<'static>)> {
        let (mut nan, mut sum, mut summed) = (0u64, 0.0, 0u64);
        // The numbers, and their positions.
        let mut range: Option<[(f64, usize); 2]> = None;
        for index in 0..self.count() {
            let mut small = [0];
            let bytes = self.kind.at(&self.bytes, index, &mut small);
            let Some(number) = bytes.and_then(|bytes| self.kind.number(bytes)) else { continue };
            if number.is_nan() {
                nan += 1;
                continue;
            }
            sum += number;
            summed += 1;
            match &mut range {
                None => range = Some([(number, index); 2]),
                Some([least, most]) => {
                    if number < least.0 {
                        *least = (number, index);
                    } else if number > most.0 {
                        *most = (number, index);
                    }
                }
            }
        }
        let mut fields = vec![("count", Part::Unsigned(self.count() as u128))];
        if let Some([(_, least), (_, most)]) = range {
            #[expect(clippy::cast_precision_loss, reason = "a mean is rounded anyhow")]
            let mean = sum / summed as f64;
            let ends = [("min", least), ("max", most)];
            fields.extend(ends.into_iter().filter_map(|(name, at)| Some((name, self.get(at)?))));
            fields.push(("mean", part64(mean)));
        }
        if self.kind.float(&[]).is_some() {
            fields.push(("nan", Part::integer(nan)));
        }
        fields.into_iter().map(|(name, part)| (name.into(), part)).collect()
    }
}

/// The number of an integer or bool.
fn number(part: &Part<'_>) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "compared and added up only")]
    Some(match part {
        Part::Bool(value) => f64::from(u8::from(*value)),
        Part::Integer(number) => *number as f64,
        Part::Unsigned(number) => *number as f64,
        _ => return None,
    })
}
