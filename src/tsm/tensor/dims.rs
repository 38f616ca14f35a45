//! The dims of a tensor without an allocation: there are few dims and many tensors.

use crate::tsm::wire::{MAX_DIMS, MAX_ELEMENTS};
use crate::tsm::{DType, ErrorKind};

/// As many sizes as TenniS holds. Those that are not in use are 0.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Dims {
    count: u8,
    sizes: [i32; MAX_DIMS],
}

impl Dims {
    pub(super) fn new(shape: &[i32]) -> Result<Self, ErrorKind> {
        let mut dims = Dims::default();
        for &size in shape {
            if !dims.push(size) {
                return Err(ErrorKind::DimCount { found: shape.len() });
            }
        }
        Ok(dims)
    }

    /// A single dim.
    pub(super) fn one(size: i32) -> Self {
        let mut dims = Dims::default();
        dims.push(size);
        dims
    }

    /// Whether there was space.
    #[inline]
    pub(super) fn push(&mut self, size: i32) -> bool {
        match self.sizes.get_mut(usize::from(self.count)) {
            Some(place) => {
                *place = size;
                self.count += 1;
                true
            }
            None => false,
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[i32] {
        self.sizes.get(..usize::from(self.count)).unwrap_or_default()
    }
}

/// The count of elements of a shape, and of their bytes.
#[inline]
pub(super) fn measure(dtype: DType, shape: &[i32]) -> Result<(usize, usize), ErrorKind> {
    let found = shape.len();
    if found > MAX_DIMS {
        return Err(ErrorKind::DimCount { found });
    }
    // Nothing overflows if any dim is 0.
    let mut count = Some(1usize);
    let mut empty = false;
    for &dim in shape {
        let Ok(size) = usize::try_from(dim) else {
            return Err(ErrorKind::NegativeDim { found: dim });
        };
        empty |= size == 0;
        count = count.and_then(|count| count.checked_mul(size));
    }
    let count = if empty { Some(0) } else { count.filter(|&count| count <= MAX_ELEMENTS) };
    match count.and_then(|count| Some((count, count.checked_mul(dtype.size())?))) {
        Some(measured) => Ok(measured),
        None => Err(ErrorKind::ElementCount),
    }
}
