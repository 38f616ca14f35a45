//! Files that are converted from the open one.

use std::io::{self, Seek, SeekFrom, Write};

use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::{Container, DType, Request, Role, Tensor};

use crate::file::File;
use crate::memory::Buffer;
use crate::source::{Sink, number};
use crate::summary::without_name;
use crate::tensors::source;

/// Number of bytes that are collected before they are passed on.
const GATHERED: usize = 1 << 20;

/// Minimum length of loaded file ranges that are referenced instead of copied.
const LONG: usize = 1 << 16;

/// Passes bytes on to JavaScript. Long slices of the file are passed as ranges, without copying.
pub(crate) struct Out<'o> {
    sink: &'o Sink,
    buffer: &'o Buffer,
    /// Minimum length of ranges of the file that are referenced.
    least: usize,
    /// Bytes at the end that are not passed on yet.
    gathered: Vec<u8>,
    /// The current position, and the total length.
    at: usize,
    len: usize,
}

impl<'o> Out<'o> {
    pub(crate) fn new(sink: &'o Sink, file: &'o File) -> Self {
        // What is not loaded cannot be copied.
        let least = if file.is_loaded() { LONG } else { 1 };
        Out { sink, buffer: &file.buffer, least, gathered: Vec::new(), at: 0, len: 0 }
    }

    fn hand_on(&mut self) {
        if !self.gathered.is_empty() {
            self.sink.bytes(&self.gathered);
            self.gathered.clear();
        }
    }

    /// Appends bytes.
    fn append(&mut self, bytes: &[u8]) {
        match self.buffer.offset_of(bytes).filter(|_| bytes.len() >= self.least) {
            Some(offset) => {
                self.hand_on();
                self.sink.slice(number(offset), number(bytes.len()));
            }
            None => {
                self.gathered.extend_from_slice(bytes);
                if self.gathered.len() >= GATHERED {
                    self.hand_on();
                }
            }
        }
        self.len += bytes.len();
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (inside, new) = bytes.split_at(bytes.len().min(self.len - self.at));
        if !inside.is_empty() {
            self.hand_on();
            self.sink.replace(number(self.at), inside);
        }
        self.append(new);
        self.at += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_on();
        Ok(())
    }
}

/// Seeks within the bytes written so far.
impl Seek for Out<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = |from: usize, by: i64| {
            let by = isize::try_from(by).ok()?;
            from.checked_add_signed(by)
        };
        let at = match to {
            SeekFrom::Start(offset) => usize::try_from(offset).ok(),
            SeekFrom::Current(by) => place(self.at, by),
            SeekFrom::End(by) => place(self.len, by),
        };
        self.at = at.filter(|at| *at <= self.len).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(u64::try_from(self.at).unwrap_or(u64::MAX))
    }
}

/// Whether elements are written exactly as in the file, so that they need not be loaded. Bools are validated, so they
/// are loaded, and npz has checksums.
pub(crate) fn takes_slices(
    file: &File,
    input: &Input,
    target: Container,
    index: Option<usize>,
) -> bool {
    let is_slice = |tensor: &Tensor<'_>| {
        let order = target.kind().order(tensor, &tensor.shape);
        tensor.order == order && tensor.dtype != DType::Bool
    };
    target != Container::Npz
        && source(file, input).is_ok_and(|source| {
            source.weights().is_ok_and(|weights| chosen(&weights.tensors, index).all(is_slice))
        })
}

/// All tensors, or the one at that position.
fn chosen<'t, 'a>(
    tensors: &'t [Tensor<'a>],
    index: Option<usize>,
) -> impl Iterator<Item = &'t Tensor<'a>> {
    let first = index.unwrap_or(0);
    tensors.iter().skip(first).take(if index.is_some() { 1 } else { usize::MAX })
}

/// Writes the weights of a file, or all tensors if it has no weights, or the tensor at that position.
///
/// # Errors
///
/// If there are none, or the container cannot store them.
pub(crate) fn write_tensors(
    file: &File,
    input: &Input,
    target: Container,
    index: Option<usize>,
    sink: &Sink,
) -> Result<(), String> {
    let source = source(file, input)?;
    let mut weights = source.weights()?;
    if index.is_some() {
        weights.tensors = chosen(&weights.tensors, index).cloned().collect();
    } else if weights.tensors.iter().any(|tensor| tensor.role != Role::Attribute) {
        weights.tensors.retain(|tensor| tensor.role != Role::Attribute);
    }
    weights.check(target, false)?;
    let request = Request { input, original: None, extension: None };
    let kind = target.kind();
    let made = kind.make(&weights, &request).map_err(|failure| without_name(&failure, input))?;
    let mut out = Out::new(sink, file);
    made.write(&mut out).and_then(|()| out.flush()).map_err(|error| error.to_string())
}
