//! The number of cases, and the report of failures.

use std::fmt::Write as _;

use crate::support::random::{Dice, base, variable};

/// Schemas per property and format.
const CASES: u64 = if cfg!(debug_assertions) { 8_000 } else { 100_000 };

/// Maximum number of failures that are shrunk and reported.
const REPORTED: usize = 3;

/// The outcome of all messages.
#[derive(Default)]
pub(crate) struct Report {
    good: usize,
    refused: usize,
}

impl Report {
    pub(crate) fn count(&mut self, is_good: bool) {
        match is_good {
            true => self.good += 1,
            false => self.refused += 1,
        }
    }
}

/// Checks a property for the schemas of `FOURFOLD_CASES` seeds, beginning with `FOURFOLD_SEED`. `differs` returns the
/// difference, if there is one.
///
/// Fails with the smallest schemas and messages that differ; or if too few messages were good for a
/// meaningful test.
#[track_caller]
pub(crate) fn try_all(mut differs: impl FnMut(&mut Dice, &mut Report) -> Option<String>) {
    let mut report = Report::default();
    let mut failures = Vec::new();
    let cases = variable("FOURFOLD_CASES").unwrap_or(CASES);
    for seed in base()..base() + cases {
        let mut dice = Dice::kept(seed);
        if let Some(text) = differs(&mut dice, &mut report) {
            failures.push((text, seed, dice));
        }
    }
    let Report { good, refused } = report;
    println!("{good} good, {refused} refused");
    failures.sort_by_key(|(text, ..)| text.len());
    let count = failures.len();
    let mut report = String::new();
    for (text, seed, dice) in failures.into_iter().take(REPORTED) {
        let text = dice.shrunk(text, |dice| differs(dice, &mut Report::default()));
        write!(report, "\nFOURFOLD_SEED={seed}: {text}").unwrap();
    }
    assert!(report.is_empty(), "{count} of {cases} schemas differ:{report}");
    assert!(good >= (good + refused) / 10, "{good} good ones and {refused} others");
}
