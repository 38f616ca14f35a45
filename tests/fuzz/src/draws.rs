//! Structured values from the input of a fuzzer.

use arbitrary::Unstructured;

use crate::support::random::{Number, Source};

/// Bytes, followed by zeros, so that generating any value ends.
pub(crate) struct Draws<'a>(Unstructured<'a>);

impl<'a> Draws<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Draws(Unstructured::new(input))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.draw::<usize>() % bound.max(1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A few bytes.
    pub(crate) fn take(&mut self, most: usize) -> Vec<u8> {
        let len = self.below(most + 1).min(self.0.len());
        self.0.bytes(len).unwrap_or_default().to_vec()
    }

    /// A short text.
    pub(crate) fn text(&mut self, most: usize) -> String {
        String::from_utf8_lossy(&self.take(most)).into_owned()
    }
}

impl Source for Draws<'_> {
    fn draw<T: Number>(&mut self) -> T {
        let mut bytes = [0; 16];
        // Beyond the end, bytes are zeros.
        let _ = self.0.fill_buffer(&mut bytes[..T::BYTES]);
        T::of_bits(u128::from_le_bytes(bytes))
    }
}
