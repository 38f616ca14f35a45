//! The document's bytes while they are written: a buffer that is initialized ahead of the place
//! where writing goes on, so that a value is written with more bytes than it has, in moves of known
//! sizes, or into a window. Knows places, does not know serde.

use alloc::vec::Vec;

/// The least memory of a document: small messages are not to grow.
const LEAST: usize = 128;

/// So many bytes are initialized at once: few enough to be still near when they are written over.
const STEP: usize = 1024;

/// Up to this length, text is copied by two moves instead of a call.
pub(super) const SHORT: usize = 32;

/// The bytes up to the place where writing goes on; those behind it mean nothing.
#[derive(Debug)]
pub(super) struct Output {
    bytes: Vec<u8>,
    end: usize,
}

impl Output {
    /// A buffer that a small message fits.
    #[inline]
    #[allow(clippy::slow_vector_initialization, reason = "glibc's calloc has no quick store")]
    pub(super) fn new() -> Self {
        let mut bytes = Vec::with_capacity(LEAST);
        bytes.resize(LEAST, 0);
        Output { bytes, end: 0 }
    }

    /// How many bytes are written.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.end
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.end = 0;
    }

    /// What is written.
    #[inline]
    pub(super) fn written(&self) -> &[u8] {
        self.bytes.get(..self.end).unwrap_or_default()
    }

    /// What is written from `start` on.
    pub(super) fn written_from(&self, start: usize) -> &[u8] {
        self.written().get(start..).unwrap_or_default()
    }

    /// What is written from `start` on, to change it.
    pub(super) fn change_from(&mut self, start: usize) -> &mut [u8] {
        self.bytes.get_mut(start..self.end).unwrap_or_default()
    }

    /// Forgets what is written from `end` on.
    pub(super) fn truncate(&mut self, end: usize) {
        self.end = self.end.min(end);
    }

    /// What is written, by value.
    #[inline]
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.truncate(self.end);
        self.bytes
    }

    /// Lets `change` do with what is written as it likes.
    pub(super) fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        self.bytes.truncate(self.end);
        let result = change(&mut self.bytes);
        self.end = self.bytes.len();
        result
    }

    /// Writes the first `count` bytes of `bytes`.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N], count: usize) {
        match self.bytes.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) => *place = bytes,
            None => self.grow_and_put(&bytes),
        }
        self.end += count.min(N);
    }

    /// Writes `bytes`.
    #[inline(always)]
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) {
        match self.bytes.get_mut(self.end..) {
            Some(room) if bytes.len() <= SHORT && room.len() >= SHORT => put_short(room, bytes),
            _ => self.put_long(bytes),
        }
        self.end += bytes.len();
    }

    /// All the room behind the last byte that is written, of `count` bytes at least, and that byte.
    #[inline]
    pub(super) fn room(&mut self, count: usize) -> &mut [u8] {
        if self.bytes.len() - self.end < count {
            self.grow(count);
        }
        self.bytes.get_mut(self.end.saturating_sub(1)..).unwrap_or_default()
    }

    /// The room that there happens to be.
    #[inline]
    pub(super) fn rest(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.end..).unwrap_or_default()
    }

    /// Notes that so many bytes of the room are written.
    #[inline(always)]
    pub(super) fn advance(&mut self, count: usize) {
        self.end = self.bytes.len().min(self.end + count);
    }

    #[inline(never)]
    fn put_long(&mut self, bytes: &[u8]) {
        match self.bytes.get_mut(self.end..self.end + bytes.len()) {
            Some(place) => place.copy_from_slice(bytes),
            None => self.grow_and_put(bytes),
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_and_put(&mut self, bytes: &[u8]) {
        self.grow(bytes.len());
        let end = self.end;
        if let Some(place) = self.bytes.get_mut(end..end + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    /// Grows by half at a time: no more than half of the memory is ever unused.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let end = self.end.saturating_add(count);
        let capacity = self.bytes.capacity();
        if end > capacity {
            let wanted = end.max(capacity + capacity / 2);
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
        let ahead = end.saturating_add(STEP).min(self.bytes.capacity()).max(end);
        self.bytes.resize(ahead, 0);
    }
}

/// Writes text of [`SHORT`] bytes at most into a room of so many at least, by moves whose sizes are
/// known.
#[inline(always)]
pub(super) fn put_short(room: &mut [u8], bytes: &[u8]) {
    let moved =
        put_ends::<16>(room, bytes) || put_ends::<8>(room, bytes) || put_ends::<4>(room, bytes);
    if !moved {
        for (place, byte) in room.iter_mut().zip(bytes).take(3) {
            *place = *byte;
        }
    }
}

/// Copies the first and the last `N` bytes, which overlap; so `bytes` has at most twice as many.
#[inline(always)]
fn put_ends<const N: usize>(room: &mut [u8], bytes: &[u8]) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) else {
        return false;
    };
    if let Some(place) = room.first_chunk_mut() {
        *place = *first;
    }
    if let Some(place) = room.get_mut(bytes.len() - N..).and_then(<[u8]>::first_chunk_mut) {
        *place = *last;
    }
    true
}
