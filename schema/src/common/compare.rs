//! The state of a comparison of two schemas: the path, and the types compared so far.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{Change, Changes, Outcome, shortened};

/// Types in types are compared so deep: values do not nest deeper, unless options allow that.
const MAX_DEPTH: usize = 128;

/// So many parts are compared, since two schemas may refer to types in very many pairs.
const MOST_PARTS: usize = 1 << 20;

/// What has been found so far, and where the comparison is. Each two types, by their keys, are looked into once.
pub(crate) struct Comparing<K> {
    changes: Vec<Change>,
    path: String,
    depth: usize,
    parts: usize,
    /// The worst that readers do with types that have been compared. `None` of those that are being compared.
    met: BTreeMap<(K, K), Option<(Outcome, Outcome)>>,
}

/// A part that is being compared.
pub(crate) struct Visit<K> {
    pair: (K, K),
    /// Whether its types are to be compared now.
    pub(crate) is_new: bool,
    length: usize,
    known: usize,
}

/// `field x is new`, or `fields x, y are new`.
pub(crate) fn listed(what: &str, names: &[String], state: &str) -> String {
    let (plural, verb) = if names.len() == 1 { ("", "is") } else { ("s", "are") };
    format!("{what}{plural} {} {verb} {state}", names.join(", "))
}

impl<K: Ord + Copy> Comparing<K> {
    pub(crate) fn new() -> Self {
        Comparing {
            changes: Vec::new(),
            path: String::new(),
            depth: 0,
            parts: 0,
            met: BTreeMap::new(),
        }
    }

    /// Goes to a type.
    pub(crate) fn begin(&mut self, name: &str) {
        self.path.clear();
        self.path.push_str(name);
    }

    /// Notes a change that all readers can take.
    pub(crate) fn safe(&mut self, text: String) {
        self.add(text, Outcome::Reads, Outcome::Reads);
    }

    /// Notes a change that none can take.
    pub(crate) fn refused(&mut self, text: String) {
        self.add(text, Outcome::Refuses, Outcome::Refuses);
    }

    /// Notes a change, and what readers do with it.
    pub(crate) fn add(&mut self, text: String, older: Outcome, newer: Outcome) {
        self.changes.push(Change::new(&self.path, text, older, newer));
    }

    /// Goes to a part. [`leave`](Comparing::leave) goes back.
    pub(crate) fn enter(&mut self, step: &str, pair: (K, K)) -> Visit<K> {
        let (length, known) = (self.path.len(), self.changes.len());
        self.path.push_str(&shortened(step));
        self.depth += 1;
        self.parts += 1;
        let mut is_new = false;
        if self.depth > MAX_DEPTH || self.parts > MOST_PARTS {
            // Once is enough.
            if self.depth > MAX_DEPTH || self.parts == MOST_PARTS + 1 {
                let text = "the types refer to each other too deep or too often to be compared";
                self.add(text.into(), Outcome::Misreads, Outcome::Misreads);
            }
        } else if let Entry::Vacant(place) = self.met.entry(pair) {
            place.insert(None);
            is_new = true;
        }
        Visit { pair, is_new, length, known }
    }

    /// Goes back from a part. If nothing was reported of it, two other names of its type are.
    pub(crate) fn leave(&mut self, visit: Visit<K>, names: Option<(&str, &str)>) {
        let found = self.changes.get(visit.known..).unwrap_or_default();
        let worst = |of: fn(&Change) -> Outcome| found.iter().map(of).max();
        let mut outcomes = worst(Change::older_readers).zip(worst(Change::newer_readers));
        match self.met.get_mut(&visit.pair) {
            Some(seen) if visit.is_new => {
                *seen = Some(outcomes.unwrap_or((Outcome::Reads, Outcome::Reads)));
                outcomes = *seen;
            }
            Some(seen) => outcomes = *seen,
            None => {}
        }
        let is_quiet = found.is_empty();
        if let (Some((was, is)), Some((older, newer))) = (names, outcomes) {
            if is_quiet && was != is {
                self.add(format!("the type was `{was}`, is `{is}`"), older, newer);
            }
        }
        self.path.truncate(visit.length);
        self.depth -= 1;
    }

    /// Ends with the types that only the older schema has.
    pub(crate) fn finish<'n>(mut self, gone: impl Iterator<Item = &'n str>) -> Changes {
        for name in gone {
            self.begin(name);
            self.safe("the type is gone".into());
        }
        Changes::new(self.changes)
    }
}
