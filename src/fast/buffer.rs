//! A document's bytes while they are written: a buffer that is initialized ahead of the place
//! where writing goes on. Knows places, does not know serde.
//!
//! Who writes passes the place along by value, so that it stays in a register; a `Vec`'s own length
//! would be stored and loaded again for every scalar.

use alloc::vec::Vec;

/// So many bytes are initialized at once: few enough to be still near when they are written over.
const STEP: usize = 1024;

/// The least memory of a document: small messages are not to grow.
const MIN_CAPACITY: usize = 128;

/// Memory that is not worth giving back.
const MAX_UNUSED: usize = 1024;

/// What bytes are initialized to. Zero would become a call of `calloc`, for which glibc keeps no
/// small pieces at hand. A message of 20 bytes: 394 to 179 instructions.
const FILLER: u8 = 0xff;

/// So many bytes a scalar has at most.
const MAX_SCALAR: usize = 16;

/// Values up to this size are written without a check per scalar.
pub(crate) const SMALL_VALUE: usize = 256;

/// Up to this length, text is copied by a few moves instead of a call.
pub(crate) const SHORT: usize = 64;

/// A buffer whose bytes behind the place where writing goes on mean nothing.
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// A buffer that a small message fits.
    #[inline]
    pub(crate) fn new() -> Self {
        Self::with_capacity(MIN_CAPACITY)
    }

    /// A buffer with memory for so many bytes.
    #[inline]
    pub(crate) fn with_capacity(size: usize) -> Self {
        let mut bytes = Vec::with_capacity(size);
        bytes.resize(size, FILLER);
        Buffer { bytes }
    }

    /// Keeps no more than so many bytes ready.
    pub(crate) fn limit(&mut self, most: usize) {
        self.bytes.truncate(most);
    }

    /// The first `end` bytes.
    #[inline]
    pub(crate) fn written(&self, end: usize) -> &[u8] {
        self.bytes.get(..end).unwrap_or_default()
    }

    /// The first `end` bytes, by value, in memory that is at most twice as large or small anyway.
    #[inline]
    pub(crate) fn finish(mut self, end: usize) -> Vec<u8> {
        self.bytes.truncate(end);
        if self.bytes.capacity() / 2 > end.max(MAX_UNUSED) {
            self.bytes.shrink_to_fit();
        }
        self.bytes
    }

    /// Writes `bytes` at `at`, and tells what follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> usize {
        // No buffer is longer, so that one question is enough.
        let at = at & (usize::MAX / 2);
        let end = at.wrapping_add(N);
        match self.bytes.get_mut(at..end) {
            Some(place) => place.copy_from_slice(&bytes),
            // By value, or else they would be stored for it each time.
            None => self.grow_and_put_scalar(at, scalar(bytes), N),
        }
        end
    }

    #[cold]
    #[inline(never)]
    fn grow_and_put_scalar(&mut self, at: usize, scalar: u128, count: usize) {
        self.grow_and_put(at, scalar.to_le_bytes().get(..count).unwrap_or_default());
    }

    /// Writes `count`, which tells the length of `bytes`, and `bytes`.
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

    /// Writes `number` over what was reserved at `at`.
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

    /// Makes spare for `count` bytes at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn reserve(&mut self, at: usize, count: usize) {
        if self.lacks_ready(at, count) {
            self.grow(at, count);
        }
    }

    /// Room for a fixed value at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn small_value(&mut self, at: usize) -> Option<&mut [u8; SMALL_VALUE]> {
        self.reserve(at, SMALL_VALUE);
        self.bytes.get_mut(at..)?.first_chunk_mut()
    }

    /// All the spare there is at `at`, of `count` bytes at least.
    #[inline]
    pub(crate) fn spare(&mut self, at: usize, count: usize) -> &mut [u8] {
        self.reserve(at, count);
        self.bytes.get_mut(at..).unwrap_or_default()
    }

    /// Whether there is no memory for `count` bytes at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn lacks(&self, at: usize, count: usize) -> bool {
        self.bytes.capacity() < at.saturating_add(count)
    }

    /// Takes memory for `count` bytes at `at`, of which it is known that they come, and for the window
    /// that the last of them is written through: or else that would move all of them.
    #[cold]
    #[inline(never)]
    pub(crate) fn expect(&mut self, at: usize, count: usize) {
        self.take_memory(at, count.saturating_add(SMALL_VALUE), self.bytes.capacity() / 4);
    }

    /// The spare that is at `at` without taking memory, and as much of it as `wanted` at least.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn present_spare(&mut self, at: usize, wanted: usize) -> &mut [u8] {
        self.split(at, wanted).1
    }

    /// What is written before `at`, and the same spare.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn split(&mut self, at: usize, wanted: usize) -> (&mut [u8], &mut [u8]) {
        if self.bytes.len() < at.saturating_add(wanted) {
            self.initialize(at, wanted);
        }
        self.bytes.split_at_mut_checked(at).unwrap_or_default()
    }

    /// Initializes `wanted` bytes at `at` and some more, as far as there is memory.
    #[cold]
    #[inline(never)]
    fn initialize(&mut self, at: usize, wanted: usize) {
        let ahead = at.saturating_add(wanted).saturating_add(STEP).min(self.bytes.capacity());
        if self.bytes.len() < ahead {
            self.bytes.resize(ahead, FILLER);
        }
    }

    /// The bytes from `start` to `end`, if there are so many.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn written_mut(&mut self, start: usize, end: usize) -> Option<&mut [u8]> {
        self.bytes.get_mut(start..end)
    }

    /// The bytes from `start` on, to change what is there.
    pub(crate) fn written_from(&mut self, start: usize) -> &mut [u8] {
        self.bytes.get_mut(start..).unwrap_or_default()
    }

    /// Lets `change` do with the first `end` bytes as it likes, and tells what follows.
    pub(crate) fn edit<R>(
        &mut self,
        end: usize,
        change: impl FnOnce(&mut Vec<u8>) -> R,
    ) -> (usize, R) {
        self.bytes.truncate(end);
        let result = change(&mut self.bytes);
        (self.bytes.len(), result)
    }

    /// Makes spare for `gap` bytes at `at`, moving what lies behind, up to `end`.
    pub(crate) fn insert(&mut self, at: usize, gap: usize, end: usize) {
        self.reserve(end, gap);
        self.bytes.copy_within(at..end, at + gap);
    }

    /// Appends: what `bytes` go to is not initialized first. The main network's first block, mostly
    /// programs of half a megabyte: 3.26 to 2.03 million instructions.
    #[cold]
    #[inline(never)]
    fn grow_and_put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes.truncate(at);
        self.take_memory(at, bytes.len(), self.bytes.capacity() / 2);
        // What lies in front may be written later.
        self.bytes.resize(at, FILLER);
        self.bytes.extend_from_slice(bytes);
        self.initialize(self.bytes.len(), 0);
    }

    /// Takes memory for `count` bytes at `at`, and `least` bytes more than there is: or else small
    /// steps would move what is written too often.
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
        let ahead = end.saturating_add(STEP).min(self.bytes.capacity()).max(end);
        self.bytes.resize(ahead, FILLER);
    }
}

/// The bytes of a scalar, as a number.
#[cfg_attr(not(debug_assertions), inline(always))]
fn scalar<const N: usize>(bytes: [u8; N]) -> u128 {
    const { assert!(N <= MAX_SCALAR) };
    let mut scalar = [0; MAX_SCALAR];
    for (place, byte) in scalar.iter_mut().zip(bytes) {
        *place = byte;
    }
    u128::from_le_bytes(scalar)
}

/// A document of one small value: `write` writes it into a window and tells its size. It gets memory of
/// `likely` bytes, or as many as it takes.
///
/// Memory is taken first: else the numbers would wait for it in registers that have to be emptied for
/// them (messages of 20 bytes: 19.6 to 15.8 ns, `cargo run -p bench --release -- --data ticks`). Where
/// compilers see that nothing is written, none is taken.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn message(
    likely: usize,
    write: impl FnOnce(&mut [u8; SMALL_VALUE]) -> Option<usize>,
) -> Option<Vec<u8>> {
    let mut document = Vec::with_capacity(likely);
    let mut spare = [0; SMALL_VALUE];
    let size = write(&mut spare)?;
    document.extend_from_slice(spare.get(..size)?);
    Some(document)
}

/// Writes text of [`SHORT`] bytes at most into a spare of so many at least, by moves whose sizes are
/// known. Few ways to go, since no processor foresees how long a text is: between two of them it goes
/// wrong.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_short(spare: &mut [u8], bytes: &[u8]) {
    match bytes.len() {
        ..4 => put_three(spare, bytes),
        4..=16 => put_four_times::<4>(spare, bytes),
        17.. => put_four_times::<16>(spare, bytes),
    }
}

/// Copies four pieces of `N` bytes, which overlap where `bytes` are fewer; they are `N` at least.
/// Where each ends is the smaller of two numbers and no jump.
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

/// Copies up to three bytes: the first, the one in the middle and the last, which may be the same.
/// (A loop would become a call.)
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
