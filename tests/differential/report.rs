//! How many cases there are, and what is told of those that fail.

use std::env;
use std::fmt::Write as _;
use std::ops::Range;

/// Schemas per property and format.
const CASES: u64 = if cfg!(debug_assertions) { 8_000 } else { 100_000 };

/// Failures that are told in full.
const TOLD: usize = 5;

/// The seeds of this run: `FOURFOLD_ODD` of them, from `FOURFOLD_ODD_SEED` on.
pub(crate) fn seeds() -> Range<u64> {
    let number = |name, default| env::var(name).map_or(default, |text| text.parse().unwrap());
    let first = number("FOURFOLD_ODD_SEED", 0);
    first..first + number("FOURFOLD_ODD", CASES)
}

/// What became of all cases.
#[derive(Default)]
pub(crate) struct Report {
    good: usize,
    refused: usize,
    failures: Vec<String>,
}

impl Report {
    pub(crate) fn count(&mut self, is_good: bool) {
        match is_good {
            true => self.good += 1,
            false => self.refused += 1,
        }
    }

    pub(crate) fn fail(&mut self, failure: String) {
        self.failures.push(failure);
    }

    /// Fails if a case did, with the smallest first; or if too few were good for the others to say
    /// much.
    #[track_caller]
    pub(crate) fn end(mut self) {
        let Report { good, refused, .. } = self;
        println!("{good} good, {refused} refused");
        self.failures.sort_by_key(String::len);
        let mut told = String::new();
        for failure in self.failures.iter().take(TOLD) {
            write!(told, "\n{failure}").unwrap();
        }
        assert!(told.is_empty(), "{} of {} differ:{told}", self.failures.len(), good + refused);
        assert!(good >= (good + refused) / 10, "{good} good ones and {refused} others");
    }
}
