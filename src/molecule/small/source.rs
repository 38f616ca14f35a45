//! Messages that are loaded in pieces.

use core::ops::Range;

use serde_core::de::Deserialize;

use super::{Refused, Result, WHOLE, read};
use crate::molecule::Segment;
use crate::molecule::de::Form;
use crate::molecule::wire::{self, NUMBER_SIZE};

/// A message that is stored elsewhere and loaded in pieces: by a system call, from a file, from memory that is not
/// mapped.
///
/// It has a function `load(offset, buffer)` that fills as much of the buffer as there are bytes from `offset` on, and
/// returns how many there are, including those that do not fit the buffer. `None` reports a failure. The system calls
/// of CKB do that: they take an offset and return the full length.
///
/// ```
/// use fourfold::molecule::{Segment, small, to_vec};
///
/// let witness = to_vec(&(vec![7u8; 500_000], "signature"))?;
/// let mut loaded = 0;
/// let load = |offset: usize, buffer: &mut [u8]| {
///     let rest = witness.get(offset..)?;
///     let size = rest.len().min(buffer.len());
///     buffer[..size].copy_from_slice(&rest[..size]);
///     loaded += size;
///     Some(rest.len())
/// };
/// let mut buffer = [0; 64];
/// let text: &str = small::Source::new(load).at(&[Segment::Slot(1)], &mut buffer)?;
/// assert_eq!(text, "signature");
/// assert_eq!(loaded, 29);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Source<F> {
    load: F,
}

/// A function that loads: see [`Source`].
pub trait Load: FnMut(usize, &mut [u8]) -> Option<usize> {}

impl<F: FnMut(usize, &mut [u8]) -> Option<usize>> Load for F {}

impl<F: FnMut(usize, &mut [u8]) -> Option<usize>> Source<F> {
    /// A message that this function loads.
    pub fn new(load: F) -> Self {
        Source { load }
    }
}

impl<F: Load> Source<F> {
    /// The length of the whole.
    ///
    /// # Errors
    ///
    /// [`Refused`] if loading fails.
    pub fn size(&mut self) -> Result<usize> {
        (self.load)(0, &mut []).ok_or(Refused)
    }

    /// Finds the value at `path`: through fields of tables by their numbers ([`Segment::Slot`]) and items of vectors
    /// ([`Segment::Index`]), as [`molecule::at`](crate::molecule::at()) does for an unresolved path. Loads the size,
    /// and at most 16 bytes for each step, in two calls.
    ///
    /// # Errors
    ///
    /// [`Refused`] if loading fails, if a value on the path is no table or vector, if nothing is at the path, or has
    /// a name.
    pub fn find(&mut self, path: &[Segment]) -> Result<Range<usize>> {
        self.reach(path).map(|(part, _)| part)
    }

    /// The bytes of a nested value, in `buffer`.
    ///
    /// # Errors
    ///
    /// [`Refused`] if loading fails, if there are not so many bytes, or if the buffer is too small.
    pub fn load<'b>(&mut self, part: Range<usize>, buffer: &'b mut [u8]) -> Result<&'b [u8]> {
        let buffer = buffer.get_mut(..part.len()).ok_or(Refused)?;
        match (self.load)(part.start, buffer) {
            Some(rest) if rest >= buffer.len() => Ok(buffer),
            _ => Err(Refused),
        }
    }

    /// Reads the value at `path`, and loads nothing else but what [`find`](Source::find) loads. The value may borrow
    /// from `buffer`, which has to be large enough for it.
    ///
    /// # Errors
    ///
    /// Those of [`find`](Source::find), [`load`](Source::load) and [`from_slice`](super::from_slice).
    pub fn at<'b, T: Deserialize<'b>>(
        &mut self,
        path: &[Segment],
        buffer: &'b mut [u8],
    ) -> Result<T> {
        let (part, form) = self.reach(path)?;
        read(self.load(part, buffer)?, form, WHOLE)
    }

    /// The message that is embedded in this one: a fixvec of bytes, such as the lock of a witness.
    ///
    /// # Errors
    ///
    /// Those of [`find`](Source::find), and [`Refused`] if the value is no fixvec of bytes.
    pub fn inner(&mut self, path: &[Segment]) -> Result<Source<impl Load + use<'_, F>>> {
        let part = self.find(path)?;
        let mut numbers = self.numbers(part.start);
        let bytes = wire::byte_range(part.len(), |at| numbers.get(at)).ok_or(Refused)?;
        let (start, size) = (part.start + bytes.start, bytes.len());
        Ok(Source::new(move |offset: usize, buffer: &mut [u8]| {
            let rest = size.checked_sub(offset)?;
            let wanted = buffer.len().min(rest);
            let loaded = (self.load)(start + offset, buffer.get_mut(..wanted)?)?;
            (loaded >= wanted).then_some(rest)
        }))
    }

    fn numbers(&mut self, start: usize) -> Numbers<'_, F> {
        Numbers { source: self, start, at: 0, loaded: 0, pair: [0; PAIR] }
    }

    fn reach(&mut self, path: &[Segment]) -> Result<(Range<usize>, Form)> {
        let (mut part, mut form) = (0..self.size()?, Form::Slot);
        for segment in path {
            let (start, size) = (part.start, part.len());
            let mut numbers = self.numbers(start);
            let number = |at| numbers.get(at);
            let (found, next) = match segment {
                Segment::Slot(index) => (wire::part_range(size, *index, number), Form::Slot),
                Segment::Index(index) => match wire::item_range(size, *index, number) {
                    Some((item, true)) => (Some(item), Form::Dynamic),
                    Some((item, false)) => (Some(item), Form::Packed),
                    None => (None, Form::Slot),
                },
                Segment::Field(_) => (None, Form::Slot),
            };
            let found = found.ok_or(Refused)?;
            (part, form) = (start + found.start..start + found.end, next);
        }
        Ok((part, form))
    }
}

/// Two header numbers.
const PAIR: usize = 2 * NUMBER_SIZE;

/// Header numbers of a value. They are loaded in pairs, since a call costs more than what it loads.
struct Numbers<'s, F> {
    source: &'s mut Source<F>,
    /// Where the value begins.
    start: usize,
    /// Where in the value the pair begins, and how many of its bytes were there.
    at: usize,
    loaded: usize,
    pair: [u8; PAIR],
}

impl<F: Load> Numbers<'_, F> {
    /// The number that begins at this byte of the value.
    fn get(&mut self, at: usize) -> Option<usize> {
        let number = self.kept(at);
        if number.is_some() {
            return number;
        }
        let rest = (self.source.load)(self.start.checked_add(at)?, &mut self.pair)?;
        (self.at, self.loaded) = (at, rest.min(PAIR));
        self.kept(at)
    }

    fn kept(&self, at: usize) -> Option<usize> {
        wire::number_at(self.pair.get(..self.loaded)?, at.checked_sub(self.at)?)
    }
}
