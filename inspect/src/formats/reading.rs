//! What the library's strict readers say about the bytes of a file. Knows no other evidence.

use std::fmt::Display;

use fourfold::{Error, Fault, Kind, biniou, primitiv, tsm};

use super::Sample;
use crate::failure::describe;

/// What a strict reader says.
#[derive(Debug)]
pub enum Reading {
    /// It reads to the last byte.
    Good {
        /// As what: `module of 12 nodes`.
        what: String,
        /// What the reader accepts, and whoever made the file may not have meant.
        suspicions: Vec<String>,
    },
    /// It refuses the bytes, and says why.
    Bad(String),
    /// There are no types inside, so nothing can be refused.
    Untyped,
}

impl Reading {
    pub(super) fn good(what: impl Display) -> Self {
        Reading::Good { what: what.to_string(), suspicions: Vec::new() }
    }
}

/// What was read of the beginning of one document: all but what would be behind it, of which so much
/// is `missing`, if the error says no more.
pub(super) fn begun<T, K: Kind + 'static>(
    sample: &Sample<'_>,
    read: Result<T, Error<K>>,
    missing: impl Fn(&K) -> Option<usize>,
    what: &str,
) -> Reading {
    match read {
        Err(error) if missing(error.kind()).is_some_and(|it| sample.has_behind(it)) => {
            Reading::good(what)
        }
        Err(error) => Reading::Bad(describe(&error)),
        // Only what is longer is not wholly looked at.
        Ok(_) => Reading::Bad("bytes follow what reads".into()),
    }
}

/// How many bytes a reader misses at least, if that is all it objects to.
pub(super) fn missing<K: Counting>(kind: &K) -> Option<usize> {
    let of_count = || {
        let (needed, left) = kind.needed()?;
        Some(usize::try_from(needed).ok()?.saturating_sub(left))
    };
    cut_off(kind).or_else(of_count)
}

/// The same, of what is cut within a part.
pub(super) fn cut_off<K: Kind>(kind: &K) -> Option<usize> {
    match kind.fault() {
        Some(Fault::UnexpectedEnd { needed, left }) => Some(needed.saturating_sub(*left)),
        _ => None,
    }
}

/// The faults of a format whose counts stand in front of what is counted.
pub(super) trait Counting: Kind {
    /// How many bytes a count needs that is beyond the input, and how many are left.
    fn needed(&self) -> Option<(u128, usize)>;
}

impl Counting for biniou::ErrorKind {
    fn needed(&self) -> Option<(u128, usize)> {
        match self {
            biniou::ErrorKind::Length { needed, left, .. } => Some((*needed, *left)),
            _ => None,
        }
    }
}

impl Counting for tsm::ErrorKind {
    fn needed(&self) -> Option<(u128, usize)> {
        match self {
            // An item has a byte, but for a few.
            tsm::ErrorKind::CountBeyond { claimed, left } => {
                Some((u128::try_from(*claimed).ok()?, *left))
            }
            _ => None,
        }
    }
}

impl Counting for primitiv::ErrorKind {
    fn needed(&self) -> Option<(u128, usize)> {
        match self {
            primitiv::ErrorKind::Count { needed, left, .. } => Some(((*needed).into(), *left)),
            _ => None,
        }
    }
}
