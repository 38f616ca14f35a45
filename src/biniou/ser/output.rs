//! The bytes of a message while it is written, and the offset of the next one.

use alloc::vec::Vec;

use crate::buffer::{Buffer, SHORT, put_short};
use crate::forecast::Forecast;

/// The bytes up to the offset of the next one. Those after it mean nothing.
#[derive(Debug, Default)]
pub(in crate::biniou) struct Output {
    buffer: Buffer,
    end: usize,
}

impl Output {
    /// A buffer that a small message fits.
    #[inline]
    pub(super) fn new() -> Self {
        Output { buffer: Buffer::new(), end: 0 }
    }

    /// How many bytes are written.
    #[inline]
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
        self.buffer.written(self.end)
    }

    /// What is written from `start` on.
    pub(super) fn written_from(&self, start: usize) -> &[u8] {
        self.written().get(start..).unwrap_or_default()
    }

    /// What is written from `start` on, to change it.
    pub(super) fn change_from(&mut self, start: usize) -> &mut [u8] {
        let count = self.end.saturating_sub(start);
        self.buffer.written_from(start).get_mut(..count).unwrap_or_default()
    }

    /// Forgets what is written from `end` on.
    pub(super) fn truncate(&mut self, end: usize) {
        self.end = self.end.min(end);
    }

    /// What is written, by value.
    #[inline]
    pub(super) fn finish(self) -> Vec<u8> {
        self.buffer.finish(self.end)
    }

    /// Lets `change` edit what is written.
    pub(super) fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        let (end, result) = self.buffer.edit(self.end, change);
        self.end = end;
        result
    }

    /// Writes the first `count` bytes of `bytes`, `N` at most. Nothing checks that in release builds.
    #[inline]
    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N], count: usize) {
        debug_assert!(count <= N);
        self.buffer.put(self.end, bytes);
        self.end += count;
    }

    /// Writes `bytes`.
    #[inline]
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) {
        self.end = self.buffer.put_counted(self.end, [], bytes);
    }

    /// Writes the first `size` bytes of `head`, and at most [`SHORT`] bytes, if there is memory for the
    /// longest such text.
    #[inline]
    pub(super) fn put_short(&mut self, head: [u8; 8], size: usize, bytes: &[u8]) -> bool {
        // No buffer is longer than this, so one check is enough.
        let at = self.end & (usize::MAX / 2);
        let Some(place) = self.buffer.written_mut(at, at + head.len() + SHORT) else {
            return false;
        };
        if let Some(place) = place.first_chunk_mut() {
            *place = head;
        }
        if let Some(place) = place.get_mut(size..).and_then(<[u8]>::first_chunk_mut::<SHORT>) {
            put_short(place, bytes);
        }
        self.end = at + size + bytes.len();
        true
    }

    /// Reserves memory ahead for the rest of `items`, if they are likely to be like those before.
    #[inline]
    pub(super) fn look_ahead(&mut self, forecast: Forecast, count: usize, items: &impl Iterator) {
        forecast.look_ahead(&mut self.buffer, self.end, count, items);
    }
}
