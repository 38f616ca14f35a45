//! Encodes the texts in a stream of rows: each is written once, then referred to by number.

use std::collections::HashMap;

use super::rows::put_number;
use crate::write::count::number;
use crate::write::plain::plain;
use crate::write::width::ends;

/// Maximum number of columns of a text, including the ellipsis.
const SHOWN: usize = 401;
/// Maximum number of remembered texts, and their maximum length. Others are written each time.
const REMEMBERED: usize = 1 << 16;
const SHORT: usize = 64;

/// A new text follows.
const NEW: u64 = 0;
/// The empty text.
const EMPTY: u64 = 1;
/// The number of the first text.
const FIRST: u64 = 2;

#[derive(Default)]
pub(super) struct Texts {
    numbers: HashMap<Box<str>, u64>,
    /// Number of texts written, including those not remembered.
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

    /// Number of texts.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }
}
