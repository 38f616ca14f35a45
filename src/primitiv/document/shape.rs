//! Shapes: up to eight dims, and a batch.

use core::fmt;

use super::pieces::Pieces;
use super::{within, within_item};
use crate::primitiv::wire::{self, Headed, MOST_DIMS, Width};
use crate::primitiv::{Error, ErrorKind, Result};
use crate::read::Reader;

/// A shape: array of uint32 (the dims), uint32 (the batch).
///
/// Elements that are next to each other in memory differ in the first dim. Trailing 1s mean nothing
/// and are dropped; a scalar has no dims. A shape that was read keeps its encoding, so that it is
/// written the same.
#[derive(Clone, Copy)]
pub struct Shape {
    dims: [u32; MOST_DIMS],
    /// Dims but for 1s at the end.
    depth: u8,
    /// Dims with 1s at the end, as many as are written.
    written: u8,
    width: Width,
    batch: u32,
}

impl Shape {
    /// A shape with a batch of 1.
    ///
    /// # Errors
    ///
    /// `TooManyDims` beyond 8, `ZeroDim`, and `SizeOverflow` if the dims multiply beyond 32 bits.
    ///
    /// ```
    /// use fourfold::primitiv::{Shape, to_vec};
    ///
    /// let shape = Shape::new(&[2, 3, 1])?;
    /// assert_eq!(shape.dims(), [2, 3]);
    /// assert_eq!(to_vec(&shape)?, [0x92, 0xce, 0, 0, 0, 2, 0xce, 0, 0, 0, 3, 0xce, 0, 0, 0, 1]);
    /// # Ok::<(), fourfold::primitiv::Error>(())
    /// ```
    pub fn new(dims: &[u32]) -> Result<Self> {
        let mut kept = [1; MOST_DIMS];
        match kept.get_mut(..dims.len()) {
            Some(front) => front.copy_from_slice(dims),
            None => return Err(Error::placeless(ErrorKind::TooManyDims { found: dims.len() })),
        }
        if kept.contains(&0) {
            return Err(Error::placeless(ErrorKind::ZeroDim));
        }
        let depth = kept.iter().rposition(|dim| *dim != 1).map_or(0, |last| last + 1);
        let depth = u8::try_from(depth).unwrap_or_default();
        let shape = Shape { dims: kept, depth, written: depth, width: Width::Shortest, batch: 1 };
        match shape.multiplied() {
            Some(_) => Ok(shape),
            None => Err(Error::placeless(ErrorKind::SizeOverflow)),
        }
    }

    /// The shape of one element.
    #[must_use]
    pub const fn scalar() -> Self {
        let dims = [1; MOST_DIMS];
        Shape { dims, depth: 0, written: 0, width: Width::Shortest, batch: 1 }
    }

    /// The same dims with another batch.
    ///
    /// # Errors
    ///
    /// `ZeroBatch`, and `SizeOverflow` if dims and batch multiply beyond 32 bits.
    pub fn with_batch(self, batch: u32) -> Result<Self> {
        let shape = Shape { batch, ..self };
        match shape.multiplied() {
            _ if batch == 0 => Err(Error::placeless(ErrorKind::ZeroBatch)),
            None => Err(Error::placeless(ErrorKind::SizeOverflow)),
            Some(_) => Ok(shape),
        }
    }

    /// The dims, without 1s at the end.
    #[must_use]
    pub fn dims(&self) -> &[u32] {
        self.dims.get(..self.depth.into()).unwrap_or_default()
    }

    /// How many tensors of these dims there are.
    #[must_use]
    pub const fn batch(&self) -> u32 {
        self.batch
    }

    /// How many elements one of the batch has.
    #[must_use]
    pub fn volume(&self) -> u32 {
        // That it fits was checked.
        self.dims().iter().fold(1, |volume: u32, dim| volume.saturating_mul(*dim))
    }

    /// How many elements there are in all.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.volume().saturating_mul(self.batch)
    }

    /// How many bytes so many floats take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        u64::from(self.size()) * 4
    }

    fn multiplied(&self) -> Option<u32> {
        self.dims.iter().try_fold(self.batch, |size, dim| size.checked_mul(*dim))
    }

    pub(super) fn take(reader: &mut Reader<'_>, lenient: bool) -> Result<Self> {
        Shape::take_with_batch_at(reader, lenient).map(|(shape, _)| shape)
    }

    /// Takes a shape; also returns the position of its batch.
    #[inline]
    pub(super) fn take_with_batch_at(
        reader: &mut Reader<'_>,
        lenient: bool,
    ) -> Result<(Self, usize)> {
        let start = reader.offset();
        let mut shape = Shape::scalar();
        within("dims", shape.take_dims(reader, lenient))?;
        let batch_at = reader.offset();
        shape.batch = within("batch", take_positive(reader, lenient, ErrorKind::ZeroBatch))?;
        match shape.multiplied() {
            Some(_) => Ok((shape, batch_at)),
            None => Err(Error::at(ErrorKind::SizeOverflow, start)),
        }
    }

    #[inline]
    fn take_dims(&mut self, reader: &mut Reader<'_>, lenient: bool) -> Result<()> {
        let start = reader.offset();
        let (count, width) = wire::take_header(reader, Headed::Array)?;
        self.width = width;
        let found = usize::try_from(count).unwrap_or(usize::MAX);
        let Some(dims) = self.dims.get_mut(..found) else {
            return Err(Error::at(ErrorKind::TooManyDims { found }, start));
        };
        self.written = u8::try_from(found).unwrap_or_default();
        for (index, dim) in dims.iter_mut().enumerate() {
            *dim = within_item(index, take_positive(reader, lenient, ErrorKind::ZeroDim))?;
            if *dim != 1 {
                self.depth = u8::try_from(index + 1).unwrap_or_default();
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn put(&self, out: &mut Pieces<'_>) -> Result<()> {
        out.put_header(Headed::Array, self.written.into(), self.width)?;
        for dim in self.dims.iter().take(self.written.into()) {
            out.put(&wire::uint32(*dim));
        }
        out.put(&wire::uint32(self.batch));
        Ok(())
    }

    /// All dims as they are written: those of a file may have 1s at their end.
    #[must_use]
    pub fn written_dims(&self) -> &[u32] {
        self.dims.get(..self.written.into()).unwrap_or_default()
    }

    /// The same with so many dims written, 1s at their end. They are at most 8, and at least those
    /// that there are.
    #[must_use]
    pub fn with_written_dims(self, count: usize) -> Self {
        let count = u8::try_from(count.min(MOST_DIMS)).unwrap_or_default();
        Shape { written: count.max(self.depth), ..self }
    }

    /// How wide the count of dims is written.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The same with a count of dims that is written as wide as that, or wider if it must be.
    #[must_use]
    pub const fn with_width(self, width: Width) -> Self {
        Shape { width, ..self }
    }
}

#[inline]
fn take_positive(reader: &mut Reader<'_>, lenient: bool, zero: ErrorKind) -> Result<u32> {
    let offset = reader.offset();
    match wire::take_uint32(reader, lenient)? {
        0 => Err(Error::at(zero, offset)),
        number => Ok(number),
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.dims() == other.dims() && self.batch == other.batch
    }
}

impl Eq for Shape {}

impl core::hash::Hash for Shape {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.dims(), self.batch).hash(state);
    }
}

/// As primitiv prints them: `[2,3]x1`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (index, dim) in self.dims().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{dim}")?;
        }
        write!(f, "]x{}", self.batch)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
