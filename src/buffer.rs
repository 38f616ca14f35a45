//! The bytes of a message while they are written: a buffer with initialized memory ahead of the writer.
//!
//! The writer passes its offset along by value, so that it stays in a register. The length of a
//! `Vec` would be stored and loaded again for every scalar.
//!
//! Functions called for every scalar, text or item are always inlined: a call for each takes longer than its work.

use alloc::vec::Vec;

/// How many bytes are initialized at once: few enough to be in the cache when they are written. More in
/// long messages, up to [`MOST_AT_ONCE`], from where on the C library takes another way for them.
const STEP: usize = 1024;
const MOST_AT_ONCE: usize = 1920;

/// Initial capacity, so that small messages never reallocate.
const MIN_CAPACITY: usize = 128;

/// Unused memory up to this size is not freed.
const MAX_UNUSED: usize = 1024;

/// The value of initialized bytes. Zero would become a call of `calloc`, which is slower for small
/// sizes.
const FILLER: u8 = 0xff;

/// The size of the largest scalar.
const MAX_SCALAR: usize = 16;

/// Memory after the expected end. Short text is written where there is memory for the longest such
/// text, so without this the last value would move all others.
const SLACK: usize = 256;

/// Text up to this length is copied by a few moves instead of a call.
pub(crate) const SHORT: usize = 64;

/// A buffer. The bytes after the writer's offset have no meaning.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// A buffer that fits a small message.
    #[inline]
    pub(crate) fn new() -> Self {
        Self::with_capacity(MIN_CAPACITY)
    }

    /// A buffer with memory for `size` bytes.
    #[inline]
    pub(crate) fn with_capacity(size: usize) -> Self {
        let mut bytes = Vec::with_capacity(size);
        bytes.resize(size, FILLER);
        Buffer { bytes }
    }

    /// Keeps at most `most` bytes ready.
    pub(crate) fn limit(&mut self, most: usize) {
        self.bytes.truncate(most);
    }

    /// The first `end` bytes.
    #[inline]
    pub(crate) fn written(&self, end: usize) -> &[u8] {
        self.bytes.get(..end).unwrap_or_default()
    }

    /// Returns the first `end` bytes. Shrinks the memory if more than half of it is unused.
    #[inline]
    pub(crate) fn finish(mut self, end: usize) -> Vec<u8> {
        self.bytes.truncate(end);
        if self.bytes.capacity() / 2 > end.max(MAX_UNUSED) {
            self.bytes.shrink_to_fit();
        }
        self.bytes
    }

    /// Writes `bytes` at `at`, and returns where they end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> usize {
        // No buffer is longer than this, so one check is enough.
        let at = at & (usize::MAX / 2);
        let end = at.wrapping_add(N);
        match self.bytes.get_mut(at..end) {
            Some(place) => place.copy_from_slice(&bytes),
            // By value: by reference, the bytes would be stored for it each time.
            None => self.grow_and_put_scalar(at, scalar(bytes), N),
        }
        end
    }

    #[cold]
    #[inline(never)]
    fn grow_and_put_scalar(&mut self, at: usize, scalar: u128, count: usize) {
        self.grow_and_put(at, scalar.to_le_bytes().get(..count).unwrap_or_default());
    }

    /// Writes `count`, which states the length of `bytes`, and `bytes`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn put_counted<const N: usize>(
        &mut self,
        at: usize,
        count: [u8; N],
        bytes: &[u8],
    ) -> usize {
        let end = at + N + bytes.len();
        let spare = self.bytes.get_mut(at..).and_then(<[u8]>::split_first_chunk_mut);
        match spare {
            Some((head, spare)) if bytes.len() <= SHORT && spare.len() >= SHORT => {
                *head = count;
                put_short(spare, bytes);
                end
            }
            _ => self.put_long(at, count, bytes),
        }
    }

    #[inline]
    fn put_long<const N: usize>(&mut self, at: usize, count: [u8; N], bytes: &[u8]) -> usize {
        let end = at + N + bytes.len();
        match self.bytes.get_mut(at..end).and_then(<[u8]>::split_first_chunk_mut) {
            Some((head, place)) => {
                *head = count;
                place.copy_from_slice(bytes);
            }
            None => {
                self.put(at, count);
                self.put_bytes(at + N, bytes);
            }
        }
        end
    }

    /// Writes `bytes` at `at`, and returns where they end.
    #[inline]
    pub(crate) fn put_bytes(&mut self, at: usize, bytes: &[u8]) -> usize {
        let end = at + bytes.len();
        match self.bytes.get_mut(at..end) {
            Some(place) => place.copy_from_slice(bytes),
            None => self.grow_and_put(at, bytes),
        }
        end
    }

    /// Writes `number` over bytes that were reserved at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn patch<const N: usize>(&mut self, at: usize, number: [u8; N]) {
        if let Some(place) = self.written_mut(at, at.wrapping_add(N)) {
            place.copy_from_slice(&number);
        }
    }

    /// Whether fewer than `count` bytes are ready at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn lacks_ready(&self, at: usize, count: usize) -> bool {
        self.bytes.len() < at.wrapping_add(count)
    }

    /// Makes `count` bytes ready at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn reserve(&mut self, at: usize, count: usize) {
        if self.lacks_ready(at, count) {
            self.grow(at, count);
        }
    }

    /// Whether there is no memory for `count` bytes at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn lacks(&self, at: usize, count: usize) -> bool {
        self.bytes.capacity() < at.saturating_add(count)
    }

    /// Reserves memory for the `count` bytes that will be written at `at`.
    #[cold]
    #[inline(never)]
    pub(crate) fn expect(&mut self, at: usize, count: usize) {
        self.take_memory(at, count.saturating_add(SLACK), self.bytes.capacity() / 4);
    }

    /// Initializes `wanted` bytes at `at` and some more, as far as there is memory.
    #[cold]
    #[inline(never)]
    fn initialize(&mut self, at: usize, wanted: usize) {
        let end = at.saturating_add(wanted);
        let ahead = end.saturating_add(step(end)).min(self.bytes.capacity());
        if self.bytes.len() < ahead {
            self.bytes.resize(ahead, FILLER);
        }
    }

    /// The bytes from `start` to `end`, if there are so many.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn written_mut(&mut self, start: usize, end: usize) -> Option<&mut [u8]> {
        self.bytes.get_mut(start..end)
    }

    /// The bytes from `start` on, to change them.
    pub(crate) fn written_from(&mut self, start: usize) -> &mut [u8] {
        self.bytes.get_mut(start..).unwrap_or_default()
    }

    /// Lets `change` edit the first `end` bytes, and returns where they end then.
    pub(crate) fn edit<R>(
        &mut self,
        end: usize,
        change: impl FnOnce(&mut Vec<u8>) -> R,
    ) -> (usize, R) {
        self.bytes.truncate(end);
        let result = change(&mut self.bytes);
        (self.bytes.len(), result)
    }

    /// Makes a gap of `gap` bytes at `at` by moving the bytes up to `end`.
    pub(crate) fn insert(&mut self, at: usize, gap: usize, end: usize) {
        self.reserve(end, gap);
        self.bytes.copy_within(at..end, at + gap);
    }

    /// Appends `bytes`. The memory for them is not initialized first, which saves time for long
    /// ones.
    #[cold]
    #[inline(never)]
    fn grow_and_put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes.truncate(at);
        self.take_memory(at, bytes.len(), self.bytes.capacity() / 2);
        // Bytes before `at` may be written later.
        self.bytes.resize(at, FILLER);
        self.bytes.extend_from_slice(bytes);
        self.initialize(self.bytes.len(), 0);
    }

    /// Reserves memory for `count` bytes at `at`, and at least `least` more bytes than there are.
    /// Smaller steps would move the written bytes too often.
    fn take_memory(&mut self, at: usize, count: usize, least: usize) {
        let end = at.saturating_add(count);
        let capacity = self.bytes.capacity();
        if end > capacity {
            let wanted = end.max(capacity.saturating_add(least));
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: usize, count: usize) {
        self.take_memory(at, count, self.bytes.capacity() / 2);
        let end = at.saturating_add(count);
        let ahead = end.saturating_add(step(end)).min(self.bytes.capacity()).max(end);
        self.bytes.resize(ahead, FILLER);
    }
}

/// How many bytes to initialize after the first `end`.
fn step(end: usize) -> usize {
    (end / 16).clamp(STEP, MOST_AT_ONCE)
}

/// The bytes of a scalar as a number.
#[cfg_attr(not(debug_assertions), inline(always))]
fn scalar<const N: usize>(bytes: [u8; N]) -> u128 {
    const { assert!(N <= MAX_SCALAR) };
    let mut scalar = [0; MAX_SCALAR];
    for (place, byte) in scalar.iter_mut().zip(bytes) {
        *place = byte;
    }
    u128::from_le_bytes(scalar)
}

/// Writes text of at most [`SHORT`] bytes into at least [`SHORT`] bytes, by moves of fixed sizes.
/// There are few cases, since the processor predicts the length of a text badly.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_short(spare: &mut [u8], bytes: &[u8]) {
    match bytes.len() {
        ..4 => put_three(spare, bytes),
        4..=16 => put_four_times::<4>(spare, bytes),
        17.. => put_four_times::<16>(spare, bytes),
    }
}

/// Copies four pieces of `N` bytes. They overlap if there are fewer bytes; there are at least `N`.
/// The end of each piece is a minimum, which needs no jump.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_four_times<const N: usize>(spare: &mut [u8], bytes: &[u8]) {
    for end in [N, 2 * N, 3 * N, 4 * N] {
        let end = end.min(bytes.len());
        let (Some(bytes), Some(spare)) = (bytes.get(..end), spare.get_mut(..end)) else { return };
        let Some((_, from)) = bytes.split_last_chunk::<N>() else { return };
        if let Some((_, to)) = spare.split_last_chunk_mut::<N>() {
            *to = *from;
        }
    }
}

/// Copies up to three bytes: the first, the middle and the last one, which may be the same. A loop
/// would become a call.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_three(spare: &mut [u8], bytes: &[u8]) {
    let [first, ..] = bytes else { return };
    if let Some(place) = spare.first_mut() {
        *place = *first;
    }
    for at in [bytes.len() / 2, bytes.len() - 1] {
        if let (Some(place), Some(byte)) = (spare.get_mut(at), bytes.get(at)) {
            *place = *byte;
        }
    }
}
