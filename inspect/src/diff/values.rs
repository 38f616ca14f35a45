//! biniou values by path. How an integer or a list is spelled in the bytes is a part of the value:
//! an int8 is no svint.

use std::collections::HashMap;

use fourfold::biniou::{File, Framing, Table, Tag, Value, view_with};

use super::difference::{Difference, Reader};
use super::{How, numbers};
use crate::failure::{Failure, describe};
use crate::input::Input;
use crate::model::name_of;
use crate::write::count::counted;
use crate::write::width::head;

/// How much of a value a line shows, in letters.
const SHOWN: usize = 64;

/// How many bytes a line shows in front of the first in which long texts differ.
const IN_FRONT: usize = 16;

/// Compares the values of two files; several in a row, and those in chunks, by number. Only one pair
/// at a time is in memory.
pub(super) fn compare(old: &Input, new: &Input, how: &How<'_>) -> Result<Vec<Difference>, Failure> {
    let (old, new) = (Values::of(old, how), Values::of(new, how));
    let mut walk = Walk::new(how, Wanted::All);
    if old.framing() != new.framing() {
        let difference = Difference::changed("framing", told(old.framing()), told(new.framing()));
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

/// The values of a file, which are read as often as need be.
struct Values<'a> {
    input: &'a Input,
    file: File<'a>,
    /// How many there are in front of the first error.
    count: usize,
}

impl<'a> Values<'a> {
    fn of(input: &'a Input, how: &'a How<'_>) -> Self {
        let file = how.options.file(&input.bytes);
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

const fn told(framing: Framing) -> &'static str {
    match framing {
        Framing::Values => "values",
        Framing::Chunks => "a stream of chunks",
    }
}

/// A walk through two values at once.
struct Walk<'a> {
    path: String,
    how: &'a How<'a>,
    wanted: Wanted,
    differences: Vec<Difference>,
}

/// Which differences a walk looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    /// Only whether there is any: lists of other lengths are not looked into.
    Any,
}

impl<'a> Walk<'a> {
    const fn new(how: &'a How<'a>, wanted: Wanted) -> Self {
        Walk { path: String::new(), how, wanted, differences: Vec::new() }
    }

    /// What the dictionaries call it.
    fn name(&self, hash: u32) -> String {
        name_of(hash, self.how.names).into_owned()
    }

    /// Goes on within a part.
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
        shown(value, self.how)
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
                numbers::are_same(*one, *two, self.how.tolerance)
            }
            (Value::Float32(one), Value::Float32(two)) => {
                numbers::are_same((*one).into(), (*two).into(), self.how.tolerance)
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
            // Numbers of shared values follow from where they stand; and longer vints than need be
            // say nothing.
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
                // They are shown with fewer digits than they have.
                (Value::Float64(old), Value::Float64(new)) if shown.0 == shown.1 => {
                    (format!("float64 {old:?}"), format!("float64 {new:?}"))
                }
                _ => shown,
            };
            self.differences.push(Difference::changed(self.here(), old, new));
        }
    }

    /// What both begin and end with is the same; of what is between, items are compared in pairs.
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

    /// How many values two files begin and end with that are the same, as [`list`](Self::list) counts
    /// them.
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
        let mut walk = Walk::new(self.how, Wanted::Any);
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

    /// By hash: the order of fields plays no role.
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

    /// Rows by position, and in them columns by hash: the order of columns plays no role.
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

    /// The columns that both tables have, and where; tells of the others. Columns of other types have
    /// other cells, and are told of only where no row has both.
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

/// Where each hash is. Of a field that comes twice the last counts, as for OCaml.
fn places<T>(fields: &[(u32, T)]) -> HashMap<u32, usize> {
    fields.iter().enumerate().map(|(at, (hash, _))| (*hash, at)).collect()
}

fn column(tag: Tag) -> String {
    format!("column of {}", tag.name())
}

/// Two texts that differ: as they are `shown`, or if a line has not enough room for one of them, what
/// stands around the first byte that is another.
fn texts(old: &[u8], new: &[u8], shown: (String, String)) -> (String, String) {
    let is_whole = |text: &String| text.ends_with('"');
    if is_whole(&shown.0) && is_whole(&shown.1) {
        return shown;
    }
    let at = old.iter().zip(new).take_while(|(one, two)| one == two).count();
    let start = at.saturating_sub(IN_FRONT);
    (part(old, start), part(new, start))
}

/// What a line shows of a long text from there on.
fn part(bytes: &[u8], start: usize) -> String {
    let rest = bytes.get(start..).unwrap_or_default();
    let mut shown = rest.get(..SHOWN).unwrap_or(rest).escape_ascii().to_string();
    let is_cut = rest.len() > SHOWN || shown.len() > 2 * SHOWN;
    shown.truncate(2 * SHOWN);
    let before = if start > 0 { ".." } else { "" };
    let behind = if is_cut { ".." } else { "" };
    let from = if start > 0 { format!(", from byte {start} on") } else { String::new() };
    format!("{before}{shown}{behind} ({} bytes{from})", bytes.len())
}

/// A value on one line: what it is made of, if it has parts.
fn shown(value: &Value, how: &How<'_>) -> String {
    let (names, is_line) = (how.names, how.reader == Reader::Person);
    let text = match value {
        Value::Array(items) => format!("array of {}", items.len()),
        Value::Tuple(items) => format!("tuple of {}", items.len()),
        Value::Record(fields) => format!("record of {}", counted(fields.len(), "field")),
        Value::Table(table) => format!("table of {}", counted(table.rows.len(), "row")),
        Value::Shared(_, value) | Value::Overlong(_, value) => shown(value, how),
        Value::NumVariant(number, Some(value)) => format!("<{number}: {}>", shown(value, how)),
        Value::Variant(hash, Some(value)) => {
            format!("<{}: {}>", name_of(*hash, names), shown(value, how))
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
