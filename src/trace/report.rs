//! Mismatches by their places: what is wrong in a type is reported wherever the type is used.

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::string::String;
use alloc::vec::Vec;

use crate::schema::Mismatch;

/// With so many mismatches, those of a type are no longer repeated where the type is used again. Types that share
/// their parts have exponentially many places.
const MOST_REPEATED: usize = 1000;

/// The current place in a type, and the mismatches that have been found. `K` is what is compared.
///
/// A mark is written on a field, so each field gets its mismatches, also where another field has the same type. Those
/// of a struct's or enum's own fields are reported once, since all its values share the definition.
#[derive(Debug)]
pub(crate) struct Report<K> {
    /// Each mismatch, with the number of definitions around it.
    list: Vec<(usize, Mismatch)>,
    path: String,
    definitions: usize,
    /// What has been compared; `None` while that is under way.
    compared: BTreeMap<K, Option<Compared>>,
}

/// Where a comparison began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    path: usize,
    definitions: usize,
    first: usize,
}

/// The mismatches of what has been compared.
#[derive(Clone, Copy, Debug)]
struct Compared {
    start: Start,
    end: usize,
}

impl<K: Ord + Copy> Report<K> {
    pub(crate) fn new() -> Self {
        let (list, path, compared) = (Vec::new(), String::new(), BTreeMap::new());
        Report { list, path, definitions: 0, compared }
    }

    pub(crate) fn add(&mut self, fault: String, mend: Option<String>) {
        self.list.push((self.definitions, Mismatch::new(&self.path, fault, mend)));
    }

    /// Goes on to a part. [`leave`](Report::leave) takes what this returns.
    pub(crate) fn enter(&mut self, step: &str) -> usize {
        enter(&mut self.path, step)
    }

    pub(crate) fn leave(&mut self, length: usize) {
        self.path.truncate(length);
    }

    /// Goes on to the fields of a struct or the variants of an enum.
    pub(crate) fn enter_definition(&mut self) {
        self.definitions += 1;
    }

    pub(crate) fn leave_definition(&mut self) {
        self.definitions -= 1;
    }

    /// Begins a comparison. Nothing is compared twice: the mismatches of what has been are reported here too.
    pub(crate) fn start(&mut self, key: K) -> Option<Start> {
        match self.compared.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(None);
                let (path, first) = (self.path.len(), self.list.len());
                Some(Start { path, definitions: self.definitions, first })
            }
            Entry::Occupied(entry) => {
                let compared = *entry.get();
                if let Some(compared) = compared {
                    self.repeat(compared);
                }
                None
            }
        }
    }

    pub(crate) fn finish(&mut self, key: K, start: Start) {
        self.compared.insert(key, Some(Compared { start, end: self.list.len() }));
    }

    fn repeat(&mut self, compared: Compared) {
        let Compared { start, end } = compared;
        for at in start.first..end {
            let Some((definitions, mismatch)) = self.list.get(at) else { return };
            if *definitions != start.definitions {
                continue;
            }
            if self.list.len() >= MOST_REPEATED {
                return;
            }
            let mut repeated = mismatch.clone();
            let rest = mismatch.path().get(start.path..).unwrap_or_default();
            let length = enter(&mut self.path, rest.strip_prefix('.').unwrap_or(rest));
            repeated.move_to(&self.path);
            self.path.truncate(length);
            self.list.push((self.definitions, repeated));
        }
    }

    pub(crate) fn into_mismatches(self) -> Vec<Mismatch> {
        self.list.into_iter().map(|(_, mismatch)| mismatch).collect()
    }
}

/// Appends a step to a path. Returns the length before.
pub(crate) fn enter(path: &mut String, step: &str) -> usize {
    let length = path.len();
    if !path.is_empty() && !step.starts_with('[') && !step.is_empty() {
        path.push('.');
    }
    path.push_str(step);
    length
}
