//! Input and output through JavaScript.

use std::io;
use std::ops::Range;

use fourfold_inspect::{formats, tensors};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::memory::Buffer;

#[wasm_bindgen]
extern "C" {
    /// A file that is read in pieces.
    pub type Reader;

    /// Fills the slice with the bytes from that offset on.
    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader, offset: f64, into: &mut [u8]) -> Result<(), JsValue>;

    /// Reports progress: how much of the total is done.
    #[wasm_bindgen(method)]
    pub fn reached(this: &Reader, done: f64, all: f64);

    /// A file that is being written.
    pub type Sink;

    /// Appends bytes.
    #[wasm_bindgen(method)]
    pub fn bytes(this: &Sink, bytes: &[u8]);

    /// Appends a range of the file that is read, without copying it.
    #[wasm_bindgen(method)]
    pub fn slice(this: &Sink, offset: f64, len: f64);

    /// Overwrites bytes from that offset on.
    #[wasm_bindgen(method)]
    pub fn replace(this: &Sink, offset: f64, bytes: &[u8]);
}

/// Number of bytes that are read at once. Elements of any size, also of 6 bits, fill them.
pub(crate) const PIECE: usize = 3 << 20;

/// An offset or length as a JavaScript number.
pub(crate) fn number(len: usize) -> f64 {
    u32::try_from(len).map_or(f64::MAX, f64::from)
}

/// An offset in a file that may be longer than memory.
#[expect(clippy::cast_precision_loss, reason = "no file is longer than 2^53 bytes")]
fn wide(offset: u64) -> f64 {
    offset as f64
}

/// Reads bytes of a file.
pub(crate) fn read_at(reader: &Reader, offset: u64, into: &mut [u8]) -> io::Result<()> {
    reader.read(wide(offset), into).map_err(|error| {
        io::Error::other(error.as_string().unwrap_or_else(|| "the file cannot be read".into()))
    })
}

/// Ranges of a file that are loaded when they are needed.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    ranges: Vec<Range<usize>>,
    is_loaded: bool,
}

impl Contents {
    /// The ranges of a file of that length.
    pub(crate) fn find(reader: &Reader, len: usize) -> io::Result<Self> {
        let all = u64::try_from(len).unwrap_or(u64::MAX);
        let mut read = |offset: u64, into: &mut [u8]| read_at(reader, offset, into);
        let mut found = formats::contents(all, &mut read)?;
        if found.is_empty() {
            found.extend(tensors::contents(all, &mut read)?);
        }
        let narrow = |range: Range<u64>| {
            Some(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
        };
        Ok(Contents { ranges: found.into_iter().filter_map(narrow).collect(), is_loaded: false })
    }

    /// Whether all bytes of the file are loaded.
    pub(crate) fn is_loaded(&self) -> bool {
        self.is_loaded || self.ranges.is_empty()
    }

    /// The number of bytes in them.
    pub(crate) fn len(&self) -> usize {
        self.ranges.iter().map(Range::len).sum()
    }

    /// Loads everything outside of these ranges.
    pub(crate) fn load_others(&self, reader: &Reader, buffer: &mut Buffer) -> io::Result<()> {
        let starts = self.ranges.iter().map(|range| range.start).chain([buffer.len()]);
        let ends = [0].into_iter().chain(self.ranges.iter().map(|range| range.end));
        let others: Vec<Range<usize>> = ends.zip(starts).map(|(end, start)| end..start).collect();
        load(reader, buffer, &others)
    }

    /// Loads the ranges, if they are not loaded yet.
    pub(crate) fn load(&mut self, reader: &Reader, buffer: &mut Buffer) -> io::Result<()> {
        if !self.is_loaded {
            load(reader, buffer, &self.ranges)?;
            self.is_loaded = true;
        }
        Ok(())
    }
}

fn load(reader: &Reader, buffer: &mut Buffer, ranges: &[Range<usize>]) -> io::Result<()> {
    let all: usize = ranges.iter().map(Range::len).sum();
    let mut done = 0;
    for range in ranges {
        for start in range.clone().step_by(PIECE) {
            let len = PIECE.min(range.end - start);
            let offset = u64::try_from(start).unwrap_or(u64::MAX);
            read_at(reader, offset, buffer.part(start, len))?;
            done += len;
            reader.reached(number(done), number(all));
        }
    }
    Ok(())
}
