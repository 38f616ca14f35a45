//! Mismatches by their places: what is wrong in a type is reported wherever the type is used.

use std::collections::BTreeMap;

use crate::common::{Mismatch, Verdict};

/// With so many mismatches, those of a type are no longer repeated where the type is used again. Types that share
/// their parts have exponentially many places.
const MOST_REPEATED: usize = 1000;

/// The current place in a type, and the mismatches that have been found. `K` is what is compared.
///
/// A mark is written on a field, so each field gets its mismatches, also where another field has the same type. Those
/// of a struct's or enum's own fields are reported once, since all its values share the definition.
#[derive(Debug)]
pub(crate) struct Report<K> {
    list: Vec<Found>,
    path: String,
    definitions: usize,
    known: BTreeMap<K, Compared>,
    /// The first is the whole type.
    parts: Vec<Part>,
    /// The part that is being compared.
    part: usize,
}

#[derive(Clone, Debug)]
struct Found {
    mismatch: Mismatch,
    refused: Refused,
    /// How many definitions are around it.
    definitions: usize,
}

/// Which values of a part are refused because of a mismatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    All,
    /// Some of them, or nothing is known.
    Some,
    /// Some of them, and it concerns no schema.
    Values,
    /// None of them: it concerns schemas alone.
    None,
}

/// What a value of a part consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A value of each part of it.
    Struct,
    /// A value of one part of it.
    Enum,
    /// None at all, if need be: it is an option, a sequence or a map.
    Optional,
}

#[derive(Debug)]
struct Part {
    kind: Kind,
    parts: Vec<usize>,
    /// No value of it comes back, whatever it consists of.
    is_refused: bool,
}

/// Where a comparison began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    path: usize,
    definitions: usize,
    first: usize,
    around: usize,
}

/// What has been compared.
#[derive(Clone, Copy, Debug)]
struct Compared {
    part: usize,
    /// Its mismatches; `None` while it is being compared.
    mismatches: Option<(Start, usize)>,
}

impl<K: Ord + Copy> Report<K> {
    pub(crate) fn new() -> Self {
        let whole = Part { kind: Kind::Struct, parts: Vec::new(), is_refused: false };
        Report {
            list: Vec::new(),
            path: String::new(),
            definitions: 0,
            known: BTreeMap::new(),
            parts: [whole].into(),
            part: 0,
        }
    }

    pub(crate) fn add(&mut self, refused: Refused, error: String, fix: Option<String>) {
        let mismatch = Mismatch::new(&self.path, error, fix);
        self.list.push(Found { mismatch, refused, definitions: self.definitions });
        if let (Refused::All, Some(part)) = (refused, self.parts.get_mut(self.part)) {
            part.is_refused |= part.kind != Kind::Optional;
        }
    }

    /// No value of the part that is being compared comes back: none that is absent or empty, either.
    pub(crate) fn refuse_part(&mut self) {
        if let Some(part) = self.parts.get_mut(self.part) {
            part.is_refused = true;
        }
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

    /// The part that is being compared is an option, a sequence or a map, and what follows is in it.
    pub(crate) fn set_optional(&mut self) {
        if let Some(part) = self.parts.get_mut(self.part) {
            part.kind = Kind::Optional;
        }
    }

    /// The part that is being compared is an enum, and what follows are its variants.
    pub(crate) fn set_enum(&mut self) {
        if let Some(part) = self.parts.get_mut(self.part) {
            part.kind = Kind::Enum;
        }
    }

    /// Begins a part that is not compared with another one: a variant. Returns the part around it.
    pub(crate) fn start_part(&mut self) -> usize {
        let part = self.parts.len();
        self.parts.push(Part { kind: Kind::Struct, parts: Vec::new(), is_refused: false });
        self.hold(part);
        core::mem::replace(&mut self.part, part)
    }

    pub(crate) fn finish_part(&mut self, around: usize) {
        self.part = around;
    }

    fn hold(&mut self, part: usize) {
        if let Some(around) = self.parts.get_mut(self.part) {
            around.parts.push(part);
        }
    }

    /// Begins a comparison. Nothing is compared twice: the mismatches of what has been are reported here too.
    pub(crate) fn start(&mut self, key: K) -> Option<Start> {
        if let Some(Compared { part, mismatches }) = self.known.get(&key).copied() {
            self.hold(part);
            if let Some((start, end)) = mismatches {
                self.repeat(start, end);
            }
            return None;
        }
        let (path, first) = (self.path.len(), self.list.len());
        let around = self.start_part();
        self.known.insert(key, Compared { part: self.part, mismatches: None });
        Some(Start { path, definitions: self.definitions, first, around })
    }

    pub(crate) fn finish(&mut self, key: K, start: Start) {
        let compared = Compared { part: self.part, mismatches: Some((start, self.list.len())) };
        self.known.insert(key, compared);
        self.finish_part(start.around);
    }

    fn repeat(&mut self, start: Start, end: usize) {
        for at in start.first..end {
            if self.list.len() >= MOST_REPEATED {
                return;
            }
            let found = self.list.get(at).filter(|it| it.definitions == start.definitions);
            let Some(mut found) = found.cloned() else { continue };
            let rest = found.mismatch.path().get(start.path..).unwrap_or_default();
            let length = enter(&mut self.path, rest.strip_prefix('.').unwrap_or(rest));
            found.mismatch.move_to(&self.path);
            found.definitions = self.definitions;
            self.path.truncate(length);
            self.list.push(found);
        }
    }

    /// Whether some value of the whole type comes back. A value is finite, so parts are known to have one from the
    /// innermost outwards.
    fn has_value(&self) -> bool {
        let mut good: Vec<bool> = self.parts.iter().map(|_| false).collect();
        loop {
            let mut changed = false;
            for (at, part) in self.parts.iter().enumerate().rev() {
                let is_good = |part: &usize| good.get(*part).copied().unwrap_or(false);
                let holds = match part.kind {
                    Kind::Struct => part.parts.iter().all(is_good),
                    Kind::Enum => part.parts.iter().any(is_good),
                    Kind::Optional => true,
                };
                let holds = holds && !part.is_refused;
                if let Some(known) = good.get_mut(at).filter(|known| holds && !**known) {
                    (*known, changed) = (true, true);
                }
            }
            if !changed {
                return good.first() == Some(&true);
            }
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let found = self.list.iter().filter(|found| found.refused != Refused::None);
        Verdict::new(found.map(|found| found.mismatch.clone()).collect(), self.has_value())
    }

    /// What concerns schemas.
    pub(crate) fn into_mismatches(self) -> Vec<Mismatch> {
        let found = self.list.into_iter().filter(|found| found.refused != Refused::Values);
        found.map(|found| found.mismatch).collect()
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
