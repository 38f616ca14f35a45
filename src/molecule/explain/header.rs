//! Headers of tables and dynvecs, also damaged ones: as long as more of one is right than wrong, it
//! says where its items begin. Knows offsets, no types.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::molecule::wire::{self, NUMBER_SIZE, Table};
use crate::molecule::{Error, ErrorKind};
use crate::read::Reader;

/// Who says where a value ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The header around it, so that its own is right if it says the same.
    Told,
    /// Nobody: it is all of the input, or its end is missing.
    Open,
}

/// A header, right or damaged.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) full_size: Number,
    pub(super) offsets: Vec<Number>,
    /// Where the value ends, as far as its bytes are there.
    end: usize,
}

/// A number in a header, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Number {
    pub(super) found: usize,
    pub(super) fault: Option<String>,
}

impl Number {
    fn good(found: usize) -> Self {
        Number { found, fault: None }
    }

    fn bad(found: usize, kind: &ErrorKind) -> Self {
        Number { found, fault: Some(format!("{kind}")) }
    }
}

/// The bytes of an item, or of several that cannot be told apart.
#[derive(Debug)]
pub(super) struct Items {
    pub(super) indices: Range<usize>,
    pub(super) bytes: Range<usize>,
}

impl Header {
    /// The header that `bytes` begin with, if they do or nearly do.
    pub(super) fn find(bytes: &[u8], end: End) -> Option<Header> {
        match Table::parse(bytes, 0, false) {
            Ok(table) if table.count() > 0 => Header::read(bytes, table.count()),
            Ok(_) => None,
            Err(error) => {
                let stated = number(bytes, 0)?;
                match end {
                    _ if stated == bytes.len() => Header::repair(bytes, &error),
                    End::Open => Header::refit(bytes, stated, &error),
                    End::Told => None,
                }
            }
        }
    }

    /// Reads a header of so many offsets, of which the first is known to be right.
    fn read(bytes: &[u8], count: usize) -> Option<Header> {
        let full_size = bytes.len();
        let mut header =
            Header { full_size: Number::good(full_size), offsets: Vec::new(), end: full_size };
        let mut previous = number(bytes, NUMBER_SIZE)?;
        for index in 0..count {
            let found = number(bytes, wire::header_size(index))?;
            header.push(found, &mut previous, full_size);
        }
        Some(header)
    }

    fn push(&mut self, found: usize, previous: &mut usize, full_size: usize) {
        self.offsets.push(if found < *previous {
            Number::bad(found, &ErrorKind::OffsetOrder { found, previous: *previous })
        } else if found > full_size {
            Number::bad(found, &ErrorKind::OffsetBeyond { found, full_size })
        } else {
            *previous = found;
            Number::good(found)
        });
    }

    /// A header whose full size is right and some offset is not.
    fn repair(bytes: &[u8], error: &Error) -> Option<Header> {
        let first = number(bytes, NUMBER_SIZE)?;
        if let Some(count) = offset_count(first, bytes.len()) {
            let header = Header::read(bytes, count)?;
            let faults = header.offsets.iter().filter(|offset| offset.fault.is_some()).count();
            // Besides the first offset, as many are right as are wrong, or only one is wrong.
            return (faults * 2 <= count).then_some(header);
        }

        // Without the first offset nobody tells how many there are: take those that rise.
        let count = rising(bytes);
        if count < 2 {
            return None;
        }
        let mut header =
            Header { full_size: Number::good(bytes.len()), offsets: Vec::new(), end: bytes.len() };
        header.offsets.push(Number::bad(first, error.kind()));
        let mut previous = wire::header_size(count);
        for index in 1..count {
            let found = number(bytes, wire::header_size(index))?;
            header.push(found, &mut previous, bytes.len());
        }
        Some(header)
    }

    /// A header whose full size is not that of the bytes, while all its offsets, which are at least
    /// two, make sense.
    fn refit(bytes: &[u8], stated: usize, error: &Error) -> Option<Header> {
        let count = offset_count(number(bytes, NUMBER_SIZE)?, bytes.len())?;
        let here = bytes.len();
        let limit = stated.max(here);
        let mut offsets = Vec::new();
        let mut previous = wire::header_size(count);
        for index in 0..count {
            let found = number(bytes, wire::header_size(index))?;
            if found < previous || found > limit {
                return None;
            }
            previous = found;
            offsets.push(Number::good(found));
        }
        // What the full size says is right if there is more behind it, or if the end is missing.
        let end = if stated >= previous { stated.min(here) } else { here };
        let full_size = Number::bad(stated, error.kind());
        (count > 1).then_some(Header { full_size, offsets, end })
    }

    /// Where the value ends, as far as its bytes are there.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The bytes behind the header: item after item, without those that take no bytes.
    pub(super) fn items(&self) -> Vec<Items> {
        let header_end = wire::header_size(self.offsets.len());
        let mut items: Vec<Items> = Vec::new();
        let mut add = |indices: Range<usize>, bytes: Range<usize>| {
            if bytes.start < bytes.end {
                items.push(Items { indices, bytes });
            }
        };
        let mut open = 0..0;
        let mut start = header_end;
        for (index, offset) in self.offsets.iter().enumerate() {
            match &offset.fault {
                None if index > 0 => {
                    let next = offset.found.min(self.end);
                    add(open, start..next);
                    (open, start) = (index..index + 1, next);
                }
                // Where it begins is not known, so that it goes with the one before.
                _ => open.end = index + 1,
            }
        }
        add(open, start..self.end);
        items
    }
}

/// The header number at `at`.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    wire::take_number(&mut Reader::new(bytes.get(at..)?, at)).ok()
}

/// How many offsets there are if this is the first, and their header fits.
fn offset_count(first: usize, size: usize) -> Option<usize> {
    let fits = first % NUMBER_SIZE == 0 && first >= wire::header_size(1) && first <= size;
    fits.then(|| first / NUMBER_SIZE - 1)
}

/// How many offsets there may be if the first is wrong: those behind it that rise, and do not lie
/// in the header that they would make.
fn rising(bytes: &[u8]) -> usize {
    let Some(second) = number(bytes, wire::header_size(1)) else { return 1 };
    let mut count = 1;
    let mut previous = wire::header_size(2);
    while let Some(found) = number(bytes, wire::header_size(count)) {
        let rises = found >= previous && found <= bytes.len();
        if !rises || wire::header_size(count + 1) > second {
            break;
        }
        previous = found;
        count += 1;
    }
    count
}
