//! The rows for a viewer that loads bytes itself.

use std::io;
use std::ops::ControlFlow;

use serde::Serialize;

use super::choice::{Choice, Window};
use super::rows::Rows;
use crate::explain::{Subject, Tally};

/// Rows as one stream, and the counts needed to read it.
#[derive(Debug, Serialize)]
pub struct Packed {
    /// The stream that `rows.js` reads.
    #[serde(skip)]
    pub stream: Vec<u8>,
    /// Number of rows and texts in the stream.
    pub rows: u64,
    pub texts: u64,
    /// Length of the file.
    pub length: usize,
    /// Number of parts, and of parts with errors.
    pub parts: usize,
    pub errors: usize,
    /// The requested range of bytes.
    pub start: usize,
    pub end: usize,
    /// The start of the first omitted part, and the number of omitted parts.
    pub full: Option<usize>,
    pub left_out: usize,
    /// The start of the first part that was not read.
    pub unseen: Option<usize>,
}

/// The rows of the parts in the window: at most `most_rows`, and those around errors.
///
/// # Errors
///
/// None: rows are collected in memory.
pub fn packed(subject: &Subject<'_>, window: Window, most_rows: u64) -> io::Result<Packed> {
    let mut choice = Choice::without_bytes(window, subject.bytes.len(), most_rows);
    let (mut rows, mut stream, mut tally) = (Rows::new(), Vec::new(), Tally::default());
    subject.each(|span| {
        if choice.is_done(&span) {
            return Ok(ControlFlow::Break(()));
        }
        if choice.wants(&span.range) {
            tally.add(&span);
            choice.take(&span, |span, shown| {
                let rows_before = rows.count();
                stream.extend_from_slice(rows.put(span, &shown));
                Ok(rows.count().saturating_sub(rows_before))
            })?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    stream.extend_from_slice(rows.finish());
    let wanted = window.range(subject.bytes.len());
    Ok(Packed {
        stream,
        rows: rows.count(),
        texts: rows.texts(),
        length: subject.bytes.len(),
        parts: tally.parts,
        errors: tally.errors,
        start: wanted.start,
        end: wanted.end,
        full: choice.full(),
        left_out: choice.left_out(),
        unseen: choice.unseen(),
    })
}

/// One row with all bytes of a file of unknown format.
pub fn unexplained(length: usize) -> Packed {
    let mut rows = Rows::new();
    let mut stream = rows.put_unknown(length).to_vec();
    stream.extend_from_slice(rows.finish());
    Packed {
        stream,
        rows: rows.count(),
        texts: rows.texts(),
        length,
        parts: 1,
        errors: 0,
        start: 0,
        end: length,
        full: None,
        left_out: 0,
        unseen: None,
    }
}

#[cfg(test)]
mod tests {
    use fourfold::biniou::{self, Options};

    use super::*;
    use crate::formats::{Parts, detect_bytes};

    /// The packed rows of an array of a hundred different numbers.
    fn of(window: Window, most_rows: u64) -> Packed {
        let numbers: Vec<i64> = (0..100).map(|at| at * 1000).collect();
        let bytes = biniou::to_vec(&numbers).unwrap();
        let options = Options::new();
        let kind = detect_bytes(&bytes, &options).unwrap().kind();
        let parts = Parts::new(kind, &bytes, &options);
        let subject = Subject { name: "a", kind, bytes: &bytes, parts, path: "" };
        packed(&subject, window, most_rows).unwrap()
    }

    #[test]
    fn omitted_parts_are_counted() {
        let all = of(Window::default(), 1000);
        assert_eq!((all.full, all.left_out, all.unseen), (None, 0, None));
        assert_eq!(all.parts, 103);
        let few = of(Window::default(), 20);
        assert!(few.rows <= 22, "{} rows", few.rows);
        assert!(few.full.is_some_and(|full| full < all.length));
        assert_eq!(few.parts, all.parts);
        assert!(few.stream.len() < all.stream.len());
        let rest = of(Window { offset: few.full, length: None }, 1000);
        assert_eq!(rest.parts, few.left_out);
    }
}
