//! The results of the library's strict readers.

use std::fmt::Display;

use fourfold::{CommonKind, Error, Kind, biniou, primitiv, tsm};

use super::Sample;
use crate::failure::describe;

/// The result of a strict reader.
#[derive(Debug)]
pub enum Reading {
    /// It reads to the last byte.
    Good {
        /// A description: `module of 12 nodes`.
        what: String,
        /// Content that is valid but probably not intended.
        suspicions: Vec<String>,
    },
    /// It refuses the bytes, with this error.
    Bad(String),
    /// The format has no types, so nothing can be refused.
    Untyped,
}

impl Reading {
    pub(super) fn good(what: impl Display) -> Self {
        Reading::Good { what: what.to_string(), suspicions: Vec::new() }
    }
}

/// The result of reading the beginning of a file: good if the only error is that bytes after the sample are missing.
/// `missing` returns their number.
pub(super) fn begun<T, K: Kind + 'static>(
    sample: &Sample<'_>,
    read: Result<T, Error<K>>,
    missing: impl Fn(&K) -> Option<usize>,
    what: &str,
) -> Reading {
    match read {
        Err(error) if missing(error.kind()).is_some_and(|it| sample.may_have_more(it)) => {
            Reading::good(what)
        }
        Err(error) => Reading::Bad(describe(&error)),
        // The sample is a prefix, so a complete value is followed by other bytes.
        Ok(_) => Reading::Bad("bytes follow what reads".into()),
    }
}

/// The least number of bytes that are missing, if that is the error.
pub(super) fn missing<K: Counting>(kind: &K) -> Option<usize> {
    let of_count = || {
        let (needed, left) = kind.needed()?;
        Some(usize::try_from(needed).ok()?.saturating_sub(left))
    };
    cut_off(kind).or_else(of_count)
}

/// The same, only for a truncated part.
pub(super) fn cut_off<K: Kind>(kind: &K) -> Option<usize> {
    match kind.common() {
        Some(CommonKind::UnexpectedEnd { needed, left }) => Some(needed.saturating_sub(*left)),
        _ => None,
    }
}

/// The errors of a format whose counts precede the items.
pub(super) trait Counting: Kind {
    /// Number of bytes that a count requires, and number of bytes left, if the count exceeds the input.
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
            // Most items take at least a byte.
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
