//! A document's bytes while they are written: a buffer that is initialized ahead of the place
//! where writing goes on. Knows places, does not know serde.
//!
//! Who writes passes the place along by value, so that it stays in a register; a `Vec`'s own length
//! would be stored and loaded again for every scalar.

#![allow(dead_code, reason = "each format has its own ways of writing")]

use alloc::vec::Vec;

/// So many bytes are initialized at once: few enough to be still near when they are written over.
const STEP: usize = 1024;

/// The least memory of a document: small messages are not to grow.
const LEAST: usize = 128;

/// Values up to this size are written without a check per scalar.
pub(crate) const WINDOW: usize = 256;

/// How many bytes the length takes in front of text.
const COUNT: usize = 4;

/// Up to this length, text is copied by two moves instead of a call.
const SHORT: usize = 32;

/// A buffer whose bytes behind the place where writing goes on mean nothing.
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// A buffer that a small message fits.
    #[inline]
    #[allow(clippy::slow_vector_initialization, reason = "glibc's calloc has no quick store")]
    pub(crate) fn new() -> Self {
        let mut bytes = Vec::with_capacity(LEAST);
        bytes.resize(LEAST, 0);
        Buffer { bytes }
    }

    /// The first `end` bytes.
    #[inline]
    pub(crate) fn written(&self, end: usize) -> &[u8] {
        self.bytes.get(..end).unwrap_or_default()
    }

    /// The first `end` bytes, by value.
    #[inline]
    pub(crate) fn finish(mut self, end: usize) -> Vec<u8> {
        self.bytes.truncate(end);
        self.bytes
    }

    /// Writes `bytes` at `at`, and tells what follows.
    #[inline(always)]
    pub(crate) fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> usize {
        let end = at + N;
        match self.bytes.get_mut(at..end) {
            Some(place) => place.copy_from_slice(&bytes),
            None => self.grow_and_put(at, &bytes),
        }
        end
    }

    /// Writes the length of `bytes`, which is `count`, and `bytes`.
    #[inline(always)]
    pub(crate) fn put_counted(&mut self, at: usize, count: [u8; COUNT], bytes: &[u8]) -> usize {
        if bytes.len() <= SHORT {
            let room = self.bytes.get_mut(at..at + COUNT + SHORT);
            if let Some(room) = room.and_then(<[u8]>::first_chunk_mut) {
                put_short(room, count, bytes);
                return at + COUNT + bytes.len();
            }
        }
        let end = at + COUNT + bytes.len();
        let room = self.bytes.get_mut(at..end).and_then(<[u8]>::split_first_chunk_mut);
        match room {
            Some((head, body)) => {
                *head = count;
                body.copy_from_slice(bytes);
                end
            }
            None => {
                let at = self.put(at, count);
                self.put_bytes(at, bytes)
            }
        }
    }

    /// Writes `bytes` at `at`, and tells what follows.
    #[inline]
    pub(crate) fn put_bytes(&mut self, at: usize, bytes: &[u8]) -> usize {
        let end = at + bytes.len();
        match self.bytes.get_mut(at..end) {
            Some(place) => place.copy_from_slice(bytes),
            None => self.grow_and_put(at, bytes),
        }
        end
    }

    /// Makes room for `count` bytes at `at`.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, at: usize, count: usize) {
        if self.bytes.len() < at + count {
            self.grow(at, count);
        }
    }

    /// Room for a fixed value at `at`.
    #[inline(always)]
    pub(crate) fn window(&mut self, at: usize) -> Option<&mut [u8; WINDOW]> {
        self.reserve(at, WINDOW);
        self.bytes.get_mut(at..)?.first_chunk_mut()
    }

    /// All the room there is at `at`, of `count` bytes at least.
    #[inline]
    pub(crate) fn room(&mut self, at: usize, count: usize) -> &mut [u8] {
        self.reserve(at, count);
        self.bytes.get_mut(at..).unwrap_or_default()
    }

    /// Takes memory for `count` bytes at `at`, of which it is known that they come.
    #[cold]
    #[inline(never)]
    pub(crate) fn expect(&mut self, at: usize, count: usize) {
        let end = at.saturating_add(count);
        if end > self.bytes.capacity() {
            self.bytes.reserve_exact(end - self.bytes.len());
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_and_put(&mut self, at: usize, bytes: &[u8]) {
        self.grow(at, bytes.len());
        if let Some(place) = self.bytes.get_mut(at..).and_then(|room| room.get_mut(..bytes.len())) {
            place.copy_from_slice(bytes);
        }
    }

    /// Grows by half at a time: no more than half of the memory is ever unused.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: usize, count: usize) {
        let end = at.saturating_add(count);
        let capacity = self.bytes.capacity();
        if end > capacity {
            let wanted = end.max(capacity + capacity / 2);
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
        let ahead = end.saturating_add(STEP).min(self.bytes.capacity()).max(end);
        self.bytes.resize(ahead, 0);
    }
}

/// Writes a length and that many bytes by moves whose sizes are known.
#[inline(always)]
fn put_short(room: &mut [u8; COUNT + SHORT], count: [u8; COUNT], bytes: &[u8]) {
    let (head, body) = room.split_at_mut(COUNT);
    head.copy_from_slice(&count);
    let moved =
        put_ends::<16>(body, bytes) || put_ends::<8>(body, bytes) || put_ends::<4>(body, bytes);
    if !moved {
        for (place, byte) in body.iter_mut().zip(bytes) {
            *place = *byte;
        }
    }
}

/// Copies the first and the last `N` bytes, which overlap; so `bytes` has at most twice as many.
#[inline(always)]
fn put_ends<const N: usize>(body: &mut [u8], bytes: &[u8]) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) else {
        return false;
    };
    if let Some(place) = body.first_chunk_mut() {
        *place = *first;
    }
    if let Some(place) = body.get_mut(bytes.len() - N..).and_then(<[u8]>::first_chunk_mut) {
        *place = *last;
    }
    true
}
