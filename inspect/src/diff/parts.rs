//! Compares files that were read with a schema, and packages, by the paths of `dump`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use fourfold::tsm::File;

use super::difference::{Difference, Reader};
use super::{document, numbers};
use crate::model::{Document, Part, Root};
use crate::show::json::on_a_line;
use crate::write::count::counted;
use crate::write::hex;
use crate::write::width::head;

/// Maximum number of columns shown of a value.
const SHOWN: usize = 64;

/// Values of up to this many bytes, such as hashes, are shown completely.
const WHOLE_BYTES: usize = 32;

/// Number of bytes shown before the first difference of longer values.
const CONTEXT: usize = 8;

/// Number of bytes shown of longer values.
const SHOWN_BYTES: usize = 24;

/// The differences of two files of one type, or of two packages, in the order of the old one.
pub(super) fn compare(
    old: &Document<'_>,
    new: &Document<'_>,
    tolerance: Option<f64>,
    reader: Reader,
) -> Vec<Difference> {
    let mut walk = Walk { path: String::new(), tolerance, reader, differences: Vec::new() };
    let framing = |document: &Document<'_>| match document.root {
        Root::Chunks => "a stream of chunks",
        _ => "values",
    };
    if framing(old) != framing(new) {
        walk.differences.push(Difference::changed("framing", framing(old), framing(new)));
    }
    walk.parts(&inside(old, new), &inside(new, old));
    walk.differences
}

/// The part in which paths begin; for chunks, the list of their values. A single value that is compared with several
/// becomes a list.
fn inside<'p, 'a>(document: &'p Document<'a>, other: &Document<'_>) -> Cow<'p, Part<'a>> {
    let whole = document.inside();
    match (document.root, whole) {
        _ if other.is_row() && !document.is_row() => Cow::Owned(Part::List(vec![whole.clone()])),
        (Root::Chunks, Part::Items(_)) => Cow::Owned(Part::List(document.values().collect())),
        _ => Cow::Borrowed(whole),
    }
}

/// A `Part::List` or `Part::Items`.
#[derive(Clone, Copy)]
struct List<'p, 'a>(&'p Part<'a>);

impl<'p, 'a> List<'p, 'a> {
    fn of(part: &'p Part<'a>) -> Option<Self> {
        matches!(part, Part::List(_) | Part::Items(_)).then_some(List(part))
    }

    fn len(self) -> usize {
        match self.0 {
            Part::List(items) => items.len(),
            Part::Items(items) => items.len(),
            _ => 0,
        }
    }

    fn iter(self) -> impl Iterator<Item = Cow<'p, Part<'a>>> {
        let (known, made) = match self.0 {
            Part::List(items) => (items.as_slice(), None),
            Part::Items(items) => (&[][..], Some(items.iter())),
            _ => (&[][..], None),
        };
        known.iter().map(Cow::Borrowed).chain(made.into_iter().flatten().map(Cow::Owned))
    }
}

/// Compares two files value by value.
struct Walk {
    path: String,
    tolerance: Option<f64>,
    reader: Reader,
    differences: Vec<Difference>,
}

impl Walk {
    /// Calls `go` with `step` appended to the path.
    fn within(&mut self, step: &str, go: impl FnOnce(&mut Self)) {
        let len = self.path.len();
        if !self.path.is_empty() && !step.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(step);
        go(self);
        self.path.truncate(len);
    }

    fn here(&self) -> String {
        match self.path.is_empty() {
            true => "value".into(),
            false => self.path.clone(),
        }
    }

    fn parts(&mut self, old: &Part<'_>, new: &Part<'_>) {
        if let (Part::Map(one), Part::Map(two)) = (old, new) {
            return self.fields(one, two);
        }
        if let (Some(one), Some(two)) = (List::of(old), List::of(new)) {
            return self.list(one, two);
        }
        if !is_same(old, new, self.tolerance) {
            if let Some(inside) = modules(old, new, self.tolerance) {
                let here = self.here();
                self.differences.extend(inside.into_iter().map(|difference| Difference {
                    path: format!("{here}: {}", difference.path),
                    ..difference
                }));
                return;
            }
            let (old, new) = self.shown_pair(old, new);
            self.differences.push(Difference::changed(self.here(), old, new));
        }
    }

    /// Compares fields by name. If a name is duplicated, the last one counts.
    fn fields<'a>(&mut self, old: &[(Cow<'a, str>, Part<'a>)], new: &[(Cow<'a, str>, Part<'a>)]) {
        let by_name: HashMap<&str, &Part<'_>> = new.iter().map(|(key, it)| (&**key, it)).collect();
        let mut known = HashSet::new();
        for (key, one) in old {
            known.insert(&**key);
            self.within(key, |walk| match by_name.get(&**key) {
                Some(two) => walk.parts(one, two),
                None => walk.differences.push(Difference::removed(walk.here(), walk.shown(one))),
            });
        }
        for (key, two) in new.iter().filter(|(key, _)| !known.contains(&**key)) {
            self.within(key, |walk| {
                walk.differences.push(Difference::added(walk.here(), walk.shown(two)));
            });
        }
    }

    /// Skips the common beginning and end; items between them are compared in pairs. Lists are iterated forwards only,
    /// because the start of a record is known only after the previous one is read.
    fn list(&mut self, old: List<'_, '_>, new: List<'_, '_>) {
        let (mut front, mut back) = (0, 0);
        if old.len() != new.len() {
            let is_same = |one: &Part<'_>, two: &Part<'_>| is_same(one, two, self.tolerance);
            let pairs = old.iter().zip(new.iter());
            front = pairs.take_while(|(one, two)| is_same(one, two)).count();
            let least = old.len().min(new.len());
            let last = |list: List<'_, '_>| list.len() - least + front;
            let ends = old.iter().skip(last(old)).zip(new.iter().skip(last(new)));
            back = ends.fold(0, |back, (one, two)| if is_same(&one, &two) { back + 1 } else { 0 });
        }
        let (old_end, new_end) = (old.len() - back, new.len() - back);
        let mut ones = old.iter().take(old_end).skip(front);
        let mut twos = new.iter().take(new_end).skip(front);
        for at in front..old_end.max(new_end) {
            let (one, two) = (ones.next(), twos.next());
            self.within(&format!("[{at}]"), |walk| match (one, two) {
                (Some(one), Some(two)) => walk.parts(&one, &two),
                (Some(one), None) => {
                    walk.differences.push(Difference::removed(walk.here(), walk.shown(&one)));
                }
                (None, Some(two)) => {
                    walk.differences.push(Difference::added(walk.here(), walk.shown(&two)));
                }
                (None, None) => {}
            });
        }
    }

    /// Two values that differ. Long bytes are shown around the first difference.
    fn shown_pair(&self, old: &Part<'_>, new: &Part<'_>) -> (String, String) {
        match (old, new) {
            (Part::Hex(one), Part::Hex(two)) if !(self.is_whole(one) && self.is_whole(two)) => {
                let at = one.iter().zip(*two).take_while(|(one, two)| one == two).count();
                let start = at.saturating_sub(CONTEXT);
                (bytes(one, start), bytes(two, start))
            }
            _ => (self.shown(old), self.shown(new)),
        }
    }

    /// Whether bytes are shown completely. Modules are too long even for JSON.
    fn is_whole(&self, bytes: &[u8]) -> bool {
        bytes.len() <= WHOLE_BYTES || (self.reader == Reader::Program && !File::is_module(bytes))
    }

    /// A value on one line; only the number of fields or items if it is too long.
    fn shown(&self, part: &Part<'_>) -> String {
        let is_whole = match part {
            Part::Hex(all) => self.is_whole(all),
            Part::Text(_) => self.reader == Reader::Program,
            _ => false,
        };
        let width = if is_whole { usize::MAX } else { SHOWN };
        if let Some(line) = on_a_line(part, usize::MAX, width) {
            return line;
        }
        match part {
            Part::Hex(all) => bytes(all, 0),
            Part::Text(text) => format!("{:?}", head(text, SHOWN)),
            Part::Map(fields) => counted(fields.len(), "field"),
            part => List::of(part).map_or_else(String::new, |list| counted(list.len(), "item")),
        }
    }
}

/// The differences of the tensors and graphs of two modules of tsm, if their bytes are such.
fn modules(old: &Part<'_>, new: &Part<'_>, tolerance: Option<f64>) -> Option<Vec<Difference>> {
    let (Part::Hex(old), Part::Hex(new)) = (old, new) else { return None };
    if !(File::is_module(old) && File::is_module(new)) {
        return None;
    }
    let (old, new) = (File::from_slice(old).ok()?, File::from_slice(new).ok()?);
    let (old, new) = document::Document::pair(&old, &new).ok()?;
    // Bytes without an effect may differ, too.
    Some(document::compare(&old, &new, tolerance)).filter(|differences| !differences.is_empty())
}

fn is_same(old: &Part<'_>, new: &Part<'_>, tolerance: Option<f64>) -> bool {
    match (old, new) {
        (Part::Null, Part::Null) => true,
        (Part::Bool(one), Part::Bool(two)) => one == two,
        (Part::Integer(one), Part::Integer(two)) => one == two,
        (Part::Unsigned(one), Part::Unsigned(two)) => one == two,
        (Part::Float32(one), Part::Float32(two)) => {
            numbers::are_same(f64::from(*one), f64::from(*two), tolerance)
        }
        (Part::Float64(one), Part::Float64(two)) => numbers::are_same(*one, *two, tolerance),
        (Part::Text(one), Part::Text(two)) => one == two,
        (Part::Hex(one), Part::Hex(two)) => one == two,
        (Part::Map(one), Part::Map(two)) => {
            one.len() == two.len()
                && one
                    .iter()
                    .zip(two)
                    .all(|((key, one), (other, two))| key == other && is_same(one, two, tolerance))
        }
        (one, two) => match (List::of(one), List::of(two)) {
            (Some(one), Some(two)) => {
                one.len() == two.len()
                    && one.iter().zip(two.iter()).all(|(one, two)| is_same(&one, &two, tolerance))
            }
            _ => false,
        },
    }
}

/// Long bytes, shortened, from `start` on.
fn bytes(bytes: &[u8], start: usize) -> String {
    let rest = bytes.get(start..).unwrap_or_default();
    let digits = hex::digits(rest.get(..SHOWN_BYTES).unwrap_or(rest));
    let before = if start > 0 { "…" } else { "0x" };
    let after = if rest.len() > SHOWN_BYTES { "…" } else { "" };
    let from = if start > 0 { format!(", from byte {start} on") } else { String::new() };
    let what = if File::is_module(bytes) { "tsm module of " } else { "" };
    format!("{before}{digits}{after} ({what}{}{from})", counted(bytes.len(), "byte"))
}
