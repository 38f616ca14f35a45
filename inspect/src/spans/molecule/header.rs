//! Headers of tables and dynvecs that may be damaged: as long as more of a header is right than wrong, it shows where the
//! items begin.

use std::iter;
use std::ops::Range;

use fourfold::molecule::wire::{NUMBER_SIZE, Table, header_size, number_at};
use fourfold::molecule::{Error, ErrorKind};

/// What shows where a value ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The header around it, so that its own full size is right if it is the same.
    Enclosed,
    /// Nothing: the value is all of the input, or its end is missing.
    Open,
}

/// A header, right or damaged. There may be as many offsets as bytes, so that they stay there.
#[derive(Debug)]
pub(super) struct Header<'de> {
    bytes: &'de [u8],
    count: usize,
    damage: Damage,
    /// Where the value ends, as far as its bytes are there.
    end: usize,
}

/// Which numbers of a header are wrong.
#[derive(Debug)]
enum Damage {
    /// Offsets, as far as they show it themselves.
    Offsets,
    /// The first offset, which is not the end of the header, and perhaps others.
    First(String),
    /// The full size.
    FullSize(String),
}

/// A number in a header, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Number {
    /// The number.
    pub(super) found: usize,
    /// The error.
    pub(super) error: Option<String>,
}

impl Number {
    fn good(found: usize) -> Self {
        Number { found, error: None }
    }

    fn bad(found: usize, kind: &ErrorKind) -> Self {
        Number { found, error: Some(kind.to_string()) }
    }

    /// An offset after another one.
    fn offset(found: usize, previous: &mut usize, full_size: usize) -> Self {
        if found < *previous {
            Number::bad(found, &ErrorKind::OffsetOrder { found, previous: *previous })
        } else if found > full_size {
            Number::bad(found, &ErrorKind::OffsetBeyond { found, full_size })
        } else {
            *previous = found;
            Number::good(found)
        }
    }
}

/// The bytes of an item, or of several that cannot be separated.
#[derive(Debug)]
pub(super) struct Items {
    /// The number of the item, or of the first and the one after the last.
    pub(super) indices: Range<usize>,
    /// Where in the value.
    pub(super) bytes: Range<usize>,
}

impl<'de> Header<'de> {
    /// The header that `bytes` begin with, if they do or nearly do.
    pub(super) fn find(bytes: &'de [u8], end: End) -> Option<Self> {
        match Table::parse(bytes, 0) {
            Ok(table) if table.count() > 0 => Some(Header::of_offsets(bytes, table.count())),
            Ok(_) => None,
            Err(error) => {
                let stated = number_at(bytes, 0)?;
                match end {
                    _ if stated == bytes.len() => Header::repair(bytes, &error),
                    End::Open => Header::refit(bytes, stated, &error),
                    End::Enclosed => None,
                }
            }
        }
    }

    /// The header of a value whose type has one, with `expected` offsets if the bytes do not show how many.
    pub(super) fn assumed(bytes: &'de [u8], end: End, expected: Option<usize>) -> Self {
        let found = || {
            let first = number_at(bytes, NUMBER_SIZE)?;
            offset_count(first, bytes.len()).or(expected)
        };
        let assumed = || {
            let most = (bytes.len() / NUMBER_SIZE).saturating_sub(1);
            Header::of_offsets(bytes, found().unwrap_or(0).min(most))
        };
        Header::find(bytes, end).unwrap_or_else(assumed)
    }

    /// A header of `count` offsets whose first one is right.
    fn of_offsets(bytes: &'de [u8], count: usize) -> Self {
        Header { bytes, count, damage: Damage::Offsets, end: bytes.len() }
    }

    /// A header whose full size is right and some offset is not.
    fn repair(bytes: &'de [u8], error: &Error) -> Option<Self> {
        let first = number_at(bytes, NUMBER_SIZE)?;
        if let Some(count) = offset_count(first, bytes.len()) {
            let header = Header::of_offsets(bytes, count);
            let errors = header.offsets().filter(|offset| offset.error.is_some()).count();
            // Besides the first offset, at least as many are right as are wrong, or only one is wrong.
            return (errors * 2 <= count).then_some(header);
        }

        // Without the first offset their number is unknown: take those that rise.
        let count = rising(bytes);
        let damage = Damage::First(error.kind().to_string());
        (count >= 2).then_some(Header { bytes, count, damage, end: bytes.len() })
    }

    /// A header whose full size is not that of the bytes, while all its offsets, which are at least
    /// two, make sense.
    fn refit(bytes: &'de [u8], stated: usize, error: &Error) -> Option<Self> {
        let count = offset_count(number_at(bytes, NUMBER_SIZE)?, bytes.len())?;
        let here = bytes.len();
        let limit = stated.max(here);
        let mut previous = header_size(count);
        for index in 0..count {
            let found = number_at(bytes, header_size(index))?;
            if found < previous || found > limit {
                return None;
            }
            previous = found;
        }
        // The full size is right if more bytes follow, or if the end is missing.
        let end = if stated >= previous { stated.min(here) } else { here };
        let damage = Damage::FullSize(error.kind().to_string());
        (count > 1).then_some(Header { bytes, count, damage, end })
    }

    /// The full size.
    pub(super) fn full_size(&self) -> Number {
        let found = number_at(self.bytes, 0).unwrap_or(self.bytes.len());
        match &self.damage {
            Damage::FullSize(error) => Number { found, error: Some(error.clone()) },
            _ => Number::good(found),
        }
    }

    /// The offsets, one after another.
    pub(super) fn offsets(&self) -> impl Iterator<Item = Number> {
        let first = header_size(self.count);
        let mut previous = first;
        (0..self.count).map_while(move |index| {
            let found = number_at(self.bytes, header_size(index))?;
            Some(match &self.damage {
                Damage::First(error) if index == 0 => Number { found, error: Some(error.clone()) },
                Damage::FullSize(_) => Number::good(found),
                _ => Number::offset(found, &mut previous, self.bytes.len()),
            })
        })
    }

    /// Where the value ends, as far as its bytes are there.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The text that `explain` adds to an offset: where in the input the item is, for a value that begins at `base` there.
    /// `end` is the end of the item.
    pub(super) fn place_of(&self, found: usize, end: usize, base: usize) -> String {
        let mut place = String::new();
        if base > 0 {
            place.push_str(&format!(", at byte {}", base.saturating_add(found)));
        }
        match found {
            found if found > self.end => place.push_str(", after the end"),
            found if found == end => place.push_str(", no bytes"),
            _ => {}
        }
        place
    }

    /// The bytes after the header: item after item, without those that take no bytes.
    pub(super) fn items(&self) -> impl Iterator<Item = Items> {
        self.all_items().filter(|items| !items.bytes.is_empty())
    }

    /// The same with those that take no bytes.
    pub(super) fn all_items(&self) -> impl Iterator<Item = Items> {
        let mut offsets = self.offsets().enumerate();
        let mut open = Some((0..0, header_size(self.count)));
        iter::from_fn(move || {
            let (mut indices, start) = open.take()?;
            for (index, offset) in offsets.by_ref() {
                match offset.error {
                    None if index > 0 => {
                        let next = offset.found.min(self.end);
                        open = Some((index..index + 1, next));
                        return Some(Items { indices, bytes: start..next });
                    }
                    // Where it begins is not known, so that it goes with the one before.
                    _ => indices.end = index + 1,
                }
            }
            Some(Items { indices, bytes: start..self.end })
        })
    }
}

/// How many offsets a header has whose first offset is `first`, if it fits a value of `size` bytes.
pub(super) fn offset_count(first: usize, size: usize) -> Option<usize> {
    let fits = first % NUMBER_SIZE == 0 && first >= header_size(1) && first <= size;
    fits.then(|| first / NUMBER_SIZE - 1)
}

/// How many offsets there may be if the first is wrong: those after it that increase and are not in
/// the header that they would make.
fn rising(bytes: &[u8]) -> usize {
    let Some(second) = number_at(bytes, header_size(1)) else { return 1 };
    let mut count = 1;
    let mut previous = header_size(2);
    while let Some(found) = number_at(bytes, header_size(count)) {
        let rises = found >= previous && found <= bytes.len();
        if !rises || header_size(count + 1) > second {
            break;
        }
        previous = found;
        count += 1;
    }
    count
}
