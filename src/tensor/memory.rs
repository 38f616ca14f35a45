//! The bytes of a tensor, borrowed, owned or shared.

use alloc::borrow::Cow;
#[cfg(feature = "std")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use bytemuck::Pod;

use crate::count::Bytes;

/// How many elements are copied at once.
const BLOCK: usize = 512;

/// Elements at any address, as a copy. Bytes after the last complete element are left out.
///
/// Bytes are copied through a block that stays in the first cache: `Vec` has no safe way to copy
/// bytes into a new vector without writing its memory twice.
pub(crate) fn copied<T: Pod>(bytes: &[u8]) -> Vec<T> {
    if let Ok(values) = bytemuck::try_cast_slice(bytes) {
        return values.to_vec();
    }
    let size = size_of::<T>().max(1);
    let mut values = Vec::with_capacity(bytes.len() / size);
    let mut block = [T::zeroed(); BLOCK];
    for bytes in bytes.chunks(BLOCK * size) {
        let whole = bytes.len() / size;
        let (Some(place), Some(bytes)) = (block.get_mut(..whole), bytes.get(..whole * size)) else {
            break;
        };
        bytemuck::cast_slice_mut(place).copy_from_slice(bytes);
        values.extend_from_slice(place);
    }
    values
}

/// A whole input that what was read from it shares: bytes that came from a reader, or the map of a file.
#[cfg(feature = "std")]
#[derive(Clone)]
pub(crate) struct Source(Arc<Whole>);

#[cfg(feature = "std")]
enum Whole {
    Read(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
}

#[cfg(feature = "std")]
impl Source {
    /// Bytes that were read.
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Self {
        Source(Arc::new(Whole::Read(bytes)))
    }

    /// A mapped file.
    #[cfg(feature = "mmap")]
    pub(crate) fn of_map(map: memmap2::Mmap) -> Self {
        Source(Arc::new(Whole::Mapped(map)))
    }

    /// All of the bytes.
    pub(crate) fn as_slice(&self) -> &[u8] {
        match &*self.0 {
            Whole::Read(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Whole::Mapped(map) => map,
        }
    }

    /// The range of `bytes` in this source, if they are in it.
    fn part(&self, bytes: &[u8]) -> Option<Part> {
        let start = bytes.as_ptr().addr().checked_sub(self.as_slice().as_ptr().addr())?;
        let len = bytes.len();
        let end = start.checked_add(len)?;
        (end <= self.as_slice().len()).then(|| Part { whole: self.clone(), start, len })
    }

    /// All of it as memory, which keeps it alive.
    #[cfg(feature = "mmap")]
    fn into_memory(self) -> Memory<'static> {
        let len = self.as_slice().len();
        Memory(Place::Shared(Part { whole: self, start: 0, len }))
    }
}

/// A range of a [`Source`], which it keeps alive.
#[cfg(feature = "std")]
#[derive(Clone)]
struct Part {
    whole: Source,
    start: usize,
    len: usize,
}

#[cfg(feature = "std")]
impl Part {
    fn as_slice(&self) -> &[u8] {
        let rest = self.whole.as_slice().get(self.start..).unwrap_or_default();
        rest.get(..self.len).unwrap_or_default()
    }
}

/// Bytes that are borrowed from the input, owned, or a range of an input that is kept.
///
/// A tensor that was read borrows from the input; one that was built owns its bytes; one of a file that
/// came from a reader or was opened shares the bytes with all others of that file: it keeps them alive,
/// and cloning it copies nothing.
#[derive(Clone)]
pub struct Memory<'de>(Place<'de>);

#[derive(Clone)]
enum Place<'de> {
    Borrowed(&'de [u8]),
    Owned(Vec<u8>),
    #[cfg(feature = "std")]
    Shared(Part),
}

impl<'de> Memory<'de> {
    /// Maps a file into memory: only the pages that are looked at are read. Borrow from it to read
    /// a file of any format without copying its bytes.
    ///
    /// The file must not be changed or truncated while it is mapped; replace it by a rename
    /// instead, as [`replace_file`](crate::replace_file) does. The library cannot prevent it:
    /// changed bytes are seen after they were checked, and access to a removed page ends the
    /// process, on Unix by the signal `SIGBUS`. If other processes may write to the file, use
    /// `std::fs::read` instead of a map.
    ///
    /// A file without a length cannot be mapped and is read into memory to its end, as by
    /// `std::fs::read`: a pipe, such as a shell's process substitution, and a file that reports a
    /// length of zero, such as those of Linux's `/proc`. Nothing limits its size. If the path is
    /// untrusted, check that it is a regular file, or read it with `from_reader` and
    /// `Options::max_input`.
    ///
    /// # Errors
    ///
    /// Those of opening, and of mapping or reading the file.
    #[cfg(feature = "mmap")]
    pub fn open(path: impl AsRef<std::path::Path>) -> std::io::Result<Memory<'static>> {
        crate::tensor::mmap::map(path.as_ref()).map(Source::into_memory)
    }

    /// The bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        match &self.0 {
            Place::Borrowed(bytes) => bytes,
            Place::Owned(bytes) => bytes,
            #[cfg(feature = "std")]
            Place::Shared(part) => part.as_slice(),
        }
    }

    /// The same bytes without the input's lifetime: borrowed ones are copied, those of an input that is
    /// kept stay where they are.
    #[must_use]
    pub fn into_owned(self) -> Memory<'static> {
        Memory(match self.0 {
            Place::Borrowed(bytes) => Place::Owned(bytes.to_vec()),
            Place::Owned(bytes) => Place::Owned(bytes),
            #[cfg(feature = "std")]
            Place::Shared(part) => Place::Shared(part),
        })
    }

    /// The same bytes as a range of `source`, if they were borrowed from it.
    #[cfg(feature = "std")]
    pub(crate) fn within(self, source: &Source) -> Memory<'static> {
        match self.0 {
            Place::Borrowed(bytes) => match source.part(bytes) {
                Some(part) => Memory(Place::Shared(part)),
                None => self.into_owned(),
            },
            _ => self.into_owned(),
        }
    }
}

impl Deref for Memory<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Memory<'_> {
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl Default for Memory<'_> {
    fn default() -> Self {
        Memory(Place::Borrowed(&[]))
    }
}

impl PartialEq for Memory<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Memory<'_> {}

impl fmt::Debug for Memory<'_> {
    /// How many bytes there are, and the first of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Bytes(&self.len()))?;
        match self.iter().take(16).collect::<Vec<_>>() {
            first if first.is_empty() => Ok(()),
            first if first.len() < self.len() => write!(f, " {first:02x?}.."),
            first => write!(f, " {first:02x?}"),
        }
    }
}

impl<'de> From<&'de [u8]> for Memory<'de> {
    fn from(bytes: &'de [u8]) -> Self {
        Memory(Place::Borrowed(bytes))
    }
}

impl From<Vec<u8>> for Memory<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Memory(Place::Owned(bytes))
    }
}

impl<'de> From<Cow<'de, [u8]>> for Memory<'de> {
    fn from(bytes: Cow<'de, [u8]>) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => bytes.into(),
            Cow::Owned(bytes) => bytes.into(),
        }
    }
}
