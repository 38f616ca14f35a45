//! Names of values, each of which is there once.

use std::collections::{HashMap, HashSet};

/// Gives names that are not empty and not used yet.
#[derive(Default)]
pub(crate) struct Names {
    used: HashSet<String>,
    /// The number after each name that was wanted more than once.
    next: HashMap<String, usize>,
}

impl Names {
    /// A name that values have already.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.used.insert(name.to_owned());
    }

    /// `wanted`, or `wanted` with a number after it.
    pub(crate) fn unique(&mut self, wanted: &str) -> String {
        if !wanted.is_empty() && self.used.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let next = self.next.entry(wanted.to_owned()).or_default();
        loop {
            *next += 1;
            let name = format!("{wanted}_{next}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}
