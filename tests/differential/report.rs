//! How many cases there are, and what is told of those that fail.

use std::fmt::Write as _;

use crate::support::random::{Dice, base, variable};

/// Schemas per property and format.
const CASES: u64 = if cfg!(debug_assertions) { 8_000 } else { 100_000 };

/// Failures that are shrunk and told.
const TOLD: usize = 3;

/// What became of all documents.
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

/// Tries a property on the schemas of `FOURFOLD_CASES` seeds, from `FOURFOLD_SEED` on. It says what
/// differs, if anything does.
///
/// Fails with the smallest schemas and documents that differ; or if too few documents were good for
/// the others to say much.
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
    let mut told = String::new();
    for (text, seed, dice) in failures.into_iter().take(TOLD) {
        let text = dice.shrunk(text, |dice| differs(dice, &mut Report::default()));
        write!(told, "\nFOURFOLD_SEED={seed}: {text}").unwrap();
    }
    assert!(told.is_empty(), "{count} of {cases} schemas differ:{told}");
    assert!(good >= (good + refused) / 10, "{good} good ones and {refused} others");
}
