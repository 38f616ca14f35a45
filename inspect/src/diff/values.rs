//! Compares biniou values by path. Values with different tags are different: an int8 never equals an svint.

use std::collections::HashMap;

use fourfold::biniou::{File, Framing, Table, Tag, Value};

use super::difference::{Difference, Reader};
use super::{Comparer, numbers};
use crate::failure::{Failure, describe};
use crate::input::Input;
use crate::model::name_of;
use crate::view::view_with;
use crate::write::count::counted;
use crate::write::width::head;

/// Maximum number of characters shown of a value.
const SHOWN: usize = 64;

/// Number of bytes shown before the first difference of long texts.
const CONTEXT: usize = 16;

/// Compares the values of two files; several values, and those in chunks, by position. Only one pair at a time is in
/// memory.
pub(super) fn compare(
    old: &Input,
    new: &Input,
    comparer: &Comparer<'_>,
) -> Result<Vec<Difference>, Failure> {
    let (old, new) = (Values::of(old, comparer), Values::of(new, comparer));
    let mut walk = Walk::new(comparer, Wanted::All);
    if old.framing() != new.framing() {
        let difference = Difference::changed(
            "framing",
            framing_name(old.framing()),
            framing_name(new.framing()),
        );
        walk.differences.push(difference);
    }
    let are_single = [&old, &new].iter().all(|it| it.count == 1 && it.framing() == Framing::Values);
    let (front, back) = walk.ends(&old, &new)?;
    let (mut olds, mut news) = (old.values(), new.values());
    for at in 0.. {
        let (one, two) = (olds.next().transpose()?, news.next().transpose()?);
        if one.is_none() && two.is_none() {
            break;
        }
        let one = one.filter(|_| (front..old.count - back).contains(&at));
        let two = two.filter(|_| (front..new.count - back).contains(&at));
        match are_single {
            true => walk.either(one.as_ref(), two.as_ref()),
            false => {
                walk.within(&format!("[{at}]"), |walk| walk.either(one.as_ref(), two.as_ref()))
            }
        }
    }
    Ok(walk.differences)
}

/// The values of a file. Each iteration reads them again.
struct Values<'a> {
    input: &'a Input,
    file: File<'a>,
    /// Number of values before the first error.
    count: usize,
}

impl<'a> Values<'a> {
    fn of(input: &'a Input, comparer: &'a Comparer<'_>) -> Self {
        let file = comparer.options.file(&input.bytes);
        Values { input, count: file.count(), file }
    }

    fn framing(&self) -> Framing {
        self.file.framing()
    }

    fn values(&self) -> impl Iterator<Item = Result<Value, Failure>> + use<'a> {
        let input = self.input;
        let values = self.file.values();
        values.map(|value| value.map_err(|error| Failure::data(&input.name, describe(&error))))
    }
}

const fn framing_name(framing: Framing) -> &'static str {
    match framing {
        Framing::Values => "values",
        Framing::Chunks => "a stream of chunks",
    }
}

/// Compares two values recursively.
struct Walk<'a> {
    path: String,
    comparer: &'a Comparer<'a>,
    wanted: Wanted,
    differences: Vec<Difference>,
}

/// Which differences are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    /// Only whether there is any. Lists of different lengths are not compared.
    Any,
}

impl<'a> Walk<'a> {
    const fn new(comparer: &'a Comparer<'a>, wanted: Wanted) -> Self {
        Walk { path: String::new(), comparer, wanted, differences: Vec::new() }
    }

    /// The name of a hash.
    fn name(&self, hash: u32) -> String {
        name_of(hash, self.comparer.names).into_owned()
    }

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

    fn shown(&self, value: &Value) -> String {
        shown(value, self.comparer)
    }

    fn here(&self) -> String {
        match self.path.is_empty() {
            true => "value".into(),
            false => self.path.clone(),
        }
    }

    fn value(&mut self, old: &Value, new: &Value) {
        if self.wanted == Wanted::Any && !self.differences.is_empty() {
            return;
        }
        let same = match (old, new) {
            (Value::Float64(one), Value::Float64(two)) => {
                numbers::are_same(*one, *two, self.comparer.tolerance)
            }
            (Value::Float32(one), Value::Float32(two)) => {
                numbers::are_same((*one).into(), (*two).into(), self.comparer.tolerance)
            }
            (Value::Array(one), Value::Array(two)) | (Value::Tuple(one), Value::Tuple(two)) => {
                return self.list(one, two);
            }
            (Value::Record(one), Value::Record(two)) => return self.record(one, two),
            (Value::Table(one), Value::Table(two)) => return self.table(one, two),
            (Value::NumVariant(one, Some(old)), Value::NumVariant(two, Some(new)))
                if one == two =>
            {
                return self.within(&format!("<{one}>"), |walk| walk.value(old, new));
            }
            (Value::Variant(one, Some(old)), Value::Variant(two, Some(new))) if one == two => {
                return self.within(&format!("<{}>", self.name(*one)), |walk| walk.value(old, new));
            }
            // The number of a shared value follows from its position, and an overlong vint does not
            // change the value.
            (Value::Shared(_, one), two) => return self.value(one, two),
            (one, Value::Shared(_, two)) => return self.value(one, two),
            (Value::Overlong(_, one), two) => return self.value(one, two),
            (one, Value::Overlong(_, two)) => return self.value(one, two),
            (one, two) => one == two,
        };
        if !same {
            let shown = (self.shown(old), self.shown(new));
            let (old, new) = match (old, new) {
                (Value::String(old), Value::String(new)) => texts(old, new, shown),
                // The shown digits are rounded, so that different floats may look equal.
                (Value::Float64(old), Value::Float64(new)) if shown.0 == shown.1 => {
                    (format!("float64 {old:?}"), format!("float64 {new:?}"))
                }
                _ => shown,
            };
            self.differences.push(Difference::changed(self.here(), old, new));
        }
    }

    /// Skips the common beginning and end; items between them are compared in pairs.
    fn list(&mut self, old: &[Value], new: &[Value]) {
        if old.len() != new.len() && self.wanted == Wanted::Any {
            self.differences.push(Difference::changed(self.here(), old.len(), new.len()));
            return;
        }
        let (mut front, mut back) = (0, 0);
        if old.len() != new.len() {
            let pairs = old.iter().zip(new);
            front = pairs.take_while(|(one, two)| self.is_same(one, two)).count();
            let rest = old.len().min(new.len()) - front;
            let pairs = old.iter().rev().zip(new.iter().rev()).take(rest);
            back = pairs.take_while(|(one, two)| self.is_same(one, two)).count();
        }
        let middle = |list: &[Value]| front..list.len() - back;
        let (old_middle, new_middle) = (middle(old), middle(new));
        for at in front..old_middle.end.max(new_middle.end) {
            let one = old.get(at).filter(|_| old_middle.contains(&at));
            let two = new.get(at).filter(|_| new_middle.contains(&at));
            self.within(&format!("[{at}]"), |walk| walk.either(one, two));
        }
    }

    /// Number of equal values at the beginning and at the end of two files, as in [`list`](Self::list).
    fn ends(&self, old: &Values<'_>, new: &Values<'_>) -> Result<(usize, usize), Failure> {
        if old.count == new.count {
            return Ok((0, 0));
        }
        let same = |pair: (Result<Value, Failure>, Result<Value, Failure>)| {
            let (old, new) = (pair.0?, pair.1?);
            Ok::<_, Failure>(self.is_same(&old, &new))
        };
        let least = old.count.min(new.count);
        let mut front = 0;
        for pair in old.values().zip(new.values()).take(least) {
            if !same(pair)? {
                break;
            }
            front += 1;
        }
        let (mut back, rest) = (0, least - front);
        let olds = old.values().skip(old.count - rest);
        let news = new.values().skip(new.count - rest);
        for pair in olds.zip(news).take(rest) {
            back = if same(pair)? { back + 1 } else { 0 };
        }
        Ok((front, back))
    }

    fn is_same(&self, old: &Value, new: &Value) -> bool {
        let mut walk = Walk::new(self.comparer, Wanted::Any);
        walk.value(old, new);
        walk.differences.is_empty()
    }

    fn either(&mut self, old: Option<&Value>, new: Option<&Value>) {
        match (old, new) {
            (Some(old), Some(new)) => self.value(old, new),
            (Some(old), None) => {
                self.differences.push(Difference::removed(self.here(), self.shown(old)));
            }
            (None, Some(new)) => {
                self.differences.push(Difference::added(self.here(), self.shown(new)));
            }
            (None, None) => {}
        }
    }

    /// Compares fields by hash. Their order does not matter.
    fn record(&mut self, old: &[(u32, Value)], new: &[(u32, Value)]) {
        let (old_places, new_places) = (places(old), places(new));
        for (at, (hash, value)) in old.iter().enumerate() {
            if old_places.get(hash) == Some(&at) {
                let other = new_places.get(hash).and_then(|place| new.get(*place));
                let other = other.map(|(_, value)| value);
                self.within(&self.name(*hash), |walk| walk.either(Some(value), other));
            }
        }
        for (at, (hash, value)) in new.iter().enumerate() {
            if !old_places.contains_key(hash) && new_places.get(hash) == Some(&at) {
                self.within(&self.name(*hash), |walk| walk.either(None, Some(value)));
            }
        }
    }

    /// Compares rows by position, and their cells by hash. The order of columns does not matter.
    fn table(&mut self, old: &Table, new: &Table) {
        let columns = self.columns(old, new);
        for at in 0..old.rows.len().max(new.rows.len()) {
            self.within(&format!("[{at}]"), |walk| match (old.rows.get(at), new.rows.get(at)) {
                (Some(one), Some(two)) => {
                    for (hash, old_place, new_place) in &columns {
                        let cells = (one.get(*old_place), two.get(*new_place));
                        walk.within(&walk.name(*hash), |walk| walk.either(cells.0, cells.1));
                    }
                }
                (Some(row), None) => {
                    let what = format!("row of {}", row.len());
                    walk.differences.push(Difference::removed(walk.here(), what));
                }
                (None, Some(row)) => {
                    let what = format!("row of {}", row.len());
                    walk.differences.push(Difference::added(walk.here(), what));
                }
                (None, None) => {}
            });
        }
    }

    /// The columns that both tables have, with their positions. The others are reported. Columns of different types are
    /// reported only if a table has no rows: else their cells differ.
    fn columns(&mut self, old: &Table, new: &Table) -> Vec<(u32, usize, usize)> {
        let (old_places, new_places) = (places(&old.columns), places(&new.columns));
        let has_cells = !old.rows.is_empty() && !new.rows.is_empty();
        let mut common = Vec::new();
        self.within("[]", |walk| {
            for (at, (hash, tag)) in old.columns.iter().enumerate() {
                if old_places.get(hash) != Some(&at) {
                    continue;
                }
                let place = new_places.get(hash).copied();
                match place.and_then(|place| Some((place, new.columns.get(place)?.1))) {
                    Some((place, other)) => {
                        common.push((*hash, at, place));
                        if *tag != other && !has_cells {
                            let (old, new) = (column(*tag), column(other));
                            walk.within(&walk.name(*hash), |walk| {
                                walk.differences.push(Difference::changed(walk.here(), old, new));
                            });
                        }
                    }
                    None => walk.within(&walk.name(*hash), |walk| {
                        walk.differences.push(Difference::removed(walk.here(), column(*tag)));
                    }),
                }
            }
            for (at, (hash, tag)) in new.columns.iter().enumerate() {
                if !old_places.contains_key(hash) && new_places.get(hash) == Some(&at) {
                    walk.within(&walk.name(*hash), |walk| {
                        walk.differences.push(Difference::added(walk.here(), column(*tag)));
                    });
                }
            }
        });
        common
    }
}

/// The position of each hash. If a field is duplicated, the last one counts, as in OCaml.
fn places<T>(fields: &[(u32, T)]) -> HashMap<u32, usize> {
    fields.iter().enumerate().map(|(at, (hash, _))| (*hash, at)).collect()
}

fn column(tag: Tag) -> String {
    format!("column of {}", tag.name())
}

/// Two texts that differ: as `shown`, or, if one of them was shortened, the text around the first difference.
fn texts(old: &[u8], new: &[u8], shown: (String, String)) -> (String, String) {
    let is_whole = |text: &String| text.ends_with('"');
    if is_whole(&shown.0) && is_whole(&shown.1) {
        return shown;
    }
    let at = old.iter().zip(new).take_while(|(one, two)| one == two).count();
    let start = at.saturating_sub(CONTEXT);
    (part(old, start), part(new, start))
}

/// A long text, shortened, from `start` on.
fn part(bytes: &[u8], start: usize) -> String {
    let rest = bytes.get(start..).unwrap_or_default();
    let mut shown = rest.get(..SHOWN).unwrap_or(rest).escape_ascii().to_string();
    let is_cut = rest.len() > SHOWN || shown.len() > 2 * SHOWN;
    shown.truncate(2 * SHOWN);
    let before = if start > 0 { ".." } else { "" };
    let after = if is_cut { ".." } else { "" };
    let from = if start > 0 { format!(", from byte {start} on") } else { String::new() };
    format!("{before}{shown}{after} ({} bytes{from})", bytes.len())
}

/// A value on one line; for a list or record, only its size.
fn shown(value: &Value, comparer: &Comparer<'_>) -> String {
    let (names, is_line) = (comparer.names, comparer.reader == Reader::Person);
    let text = match value {
        Value::Array(items) => format!("array of {}", items.len()),
        Value::Tuple(items) => format!("tuple of {}", items.len()),
        Value::Record(fields) => format!("record of {}", counted(fields.len(), "field")),
        Value::Table(table) => format!("table of {}", counted(table.rows.len(), "row")),
        Value::Shared(_, value) | Value::Overlong(_, value) => shown(value, comparer),
        Value::NumVariant(number, Some(value)) => format!("<{number}: {}>", shown(value, comparer)),
        Value::Variant(hash, Some(value)) => {
            format!("<{}: {}>", name_of(*hash, names), shown(value, comparer))
        }
        Value::Reference(number) => format!("reference to {number}"),
        Value::String(bytes) if is_line && bytes.len() > SHOWN => return part(bytes, 0),
        leaf => format!("{} {}", leaf.tag().name(), view_with(leaf, names)),
    };
    match is_line {
        true => head(&text, 2 * SHOWN).into_owned(),
        false => text,
    }
}
