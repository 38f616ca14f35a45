//! Which values of a type a format holds.

use core::fmt;

use super::{Mismatch, Mismatches};

/// Whether values of a type come back equal from a format.
///
/// [`Display`](fmt::Display) writes `always`, `some values` or `never`, and below it a line for each mismatch. `Debug` writes the same, so
/// that a failed `assert_eq!(tsm::check::<T>(), Verdict::Always)` prints them.
///
/// ```
/// use fourfold_schema::{Verdict, tsm};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Entry {
///     code: u16,
///     details: serde_json::Value,
/// }
///
/// assert_eq!(tsm::check::<Vec<u16>>(), Verdict::Always);
/// // A list without entries comes back equal.
/// assert!(matches!(tsm::check::<Vec<Entry>>(), Verdict::SomeValues(_)));
/// let Verdict::Never(mismatches) = tsm::check::<Entry>() else { panic!() };
/// assert_eq!(mismatches.iter().next().unwrap().path(), "details");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// Every value comes back equal.
    Always,
    /// Some values come back equal. Others are refused, or the type does not show whether they are.
    SomeValues(Mismatches),
    /// No value comes back equal.
    Never(Mismatches),
}

impl Verdict {
    pub(crate) fn new(mismatches: Vec<Mismatch>, any: bool) -> Self {
        match Mismatches::none_of(mismatches) {
            Ok(()) => Verdict::Always,
            Err(mismatches) if any => Verdict::SomeValues(mismatches),
            Err(mismatches) => Verdict::Never(mismatches),
        }
    }

    /// What is wrong, unless every value comes back equal.
    #[must_use]
    pub fn mismatches(&self) -> Option<&Mismatches> {
        match self {
            Verdict::Always => None,
            Verdict::SomeValues(mismatches) | Verdict::Never(mismatches) => Some(mismatches),
        }
    }

    /// `Ok` if every value comes back equal.
    ///
    /// # Errors
    ///
    /// What is wrong, where only some values come back or none.
    pub fn into_result(self) -> Result<(), Mismatches> {
        match self {
            Verdict::Always => Ok(()),
            Verdict::SomeValues(mismatches) | Verdict::Never(mismatches) => Err(mismatches),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Always => f.write_str("always"),
            Verdict::SomeValues(mismatches) => write!(f, "some values\n{mismatches}"),
            Verdict::Never(mismatches) => write!(f, "never\n{mismatches}"),
        }
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
