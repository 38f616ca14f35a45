//! Texts in a stream of rows: each is written once where it first occurs and by its number later.

use std::collections::HashMap;

use super::rows::put_number;
use crate::write::count::number;
use crate::write::plain::plain;
use crate::write::width::ends;

/// How many columns of a text are shown, the mark for what is left out among them.
const SHOWN: usize = 401;
/// How many texts are remembered, and of how many bytes at most. Others are written each time.
const REMEMBERED: usize = 1 << 16;
const SHORT: usize = 64;

/// Stands for a new text, which follows.
const NEW: u64 = 0;
/// Stands for no text.
const EMPTY: u64 = 1;
/// The number of the first text.
const FIRST: u64 = 2;

#[derive(Default)]
pub(super) struct Texts {
    numbers: HashMap<Box<str>, u64>,
    /// How many were written, the forgotten ones too.
    count: u64,
}

impl Texts {
    pub(super) fn put(&mut self, out: &mut Vec<u8>, text: &str) {
        if text.is_empty() {
            return put_number(out, EMPTY);
        }
        if let Some(number) = self.numbers.get(text) {
            return put_number(out, FIRST + number);
        }
        put_number(out, NEW);
        let plain = plain(text);
        let shown = ends(&plain, SHOWN);
        put_number(out, number(shown.len()));
        out.extend_from_slice(shown.as_bytes());
        if text.len() <= SHORT && self.numbers.len() < REMEMBERED {
            self.numbers.insert(text.into(), self.count);
        }
        self.count += 1;
    }

    /// How many texts there are.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }
}
