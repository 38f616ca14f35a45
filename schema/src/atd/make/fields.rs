//! Fields of records and rows, and which ones may be absent.

use core::fmt;

use fourfold::biniou::wire;
use serde_core::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Unexpected, Visitor};

use super::{Head, Making};
use crate::atd::shape::{Cells, Field, Fields, Float, Int, Presence, Shape};
use crate::common::{Key, shortened};
use crate::depth::Depth;

/// Takes the fields of a record or row, and appends it.
pub(super) fn take_record<'de, A: MapAccess<'de>>(
    fields: Fields<'_>,
    kind: Head,
    depth: Depth,
    out: &mut Vec<u8>,
    entries: A,
) -> Result<(), A::Error> {
    let is_row = kind == Head::Row;
    let start = out.len();
    let head = if is_row { Head::Nothing } else { Head::Tag };
    let found = take_fields(fields, depth, head, out, entries)?;
    let body: Vec<u8> = out.drain(start..).collect();
    if !is_row {
        wire::put_length(out, found.iter().flatten().count());
    }
    for (field, part) in fields.iter().zip(found) {
        match part {
            Some(part) => {
                let key = wire::field_key(field.hash());
                out.extend(key.iter().filter(|_| !is_row));
                out.extend(body.get(part).unwrap_or_default());
            }
            None if is_row => put_default(field, out).map_err(A::Error::custom)?,
            None => {}
        }
    }
    Ok(())
}

/// Appends the default of a field that is left out of a row, which has all columns.
fn put_default(field: Field<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    match (field.presence(), field.ty().unwrapped()) {
        (Presence::Default(Some(_)), _) => {
            let name = shortened(field.name());
            return Err(format!(
                "field `{name}` is missing, and its default is an OCaml expression"
            ));
        }
        (_, Shape::Float(Float::Float64) | Shape::Int(Int::Int64)) => out.extend([0; 8]),
        (_, Shape::Float(Float::Float32) | Shape::Int(Int::Int32)) => out.extend([0; 4]),
        (_, Shape::Int(Int::Int16)) => out.extend([0; 2]),
        // A zero, false, a length of none, or no value.
        _ => out.push(0),
    }
    Ok(())
}

/// Where each field is after where `out` ends now, if it is there.
type Found = Vec<Option<core::ops::Range<usize>>>;

/// Takes the fields of a record, with their tags as heads, or of a row, where options are encoded as such.
///
/// If fields are named by their places, each is an option of its value.
fn take_fields<'de, A: MapAccess<'de>>(
    fields: Fields<'_>,
    depth: Depth,
    head: Head,
    out: &mut Vec<u8>,
    mut entries: A,
) -> Result<Found, A::Error> {
    let start = out.len();
    let mut found: Found = vec![None; fields.len()];
    let mut next = 0;
    while let Some(key) = entries.next_key::<Key<'de>>()? {
        let index = key.find("field", next, |at| Some(fields.get(at)?.json_name()))?;
        let Some(field) = fields.get(index) else { continue };
        let at = out.len() - start;
        let is_optional = field.is_optional();
        let mut head = head;
        if is_optional && head == Head::Nothing {
            out.push(wire::SOME);
            // Only plain fields have theirs in the header of the table.
            head = Head::Tag;
        }
        let ty = field.written();
        let making = Making { ty, depth, head, out: &mut *out };
        let takes_null = matches!(ty.unwrapped(), Shape::Unit | Shape::Nullable(_));
        let is_shown = match key {
            Key::Place(_) => !field.is_required(),
            Key::Name(_) => is_optional && !takes_null,
        };
        let is_there = match is_shown {
            true => entries.next_value_seed(Maybe(making))?,
            false => entries.next_value_seed(making).map(|()| true)?,
        };
        if !is_there {
            out.truncate(start + at);
        }
        let part = is_there.then(|| at..out.len() - start);
        if found.get_mut(index).and_then(|place| core::mem::replace(place, part)).is_some() {
            let name = shortened(field.json_name());
            return Err(A::Error::custom(format!("duplicate field `{name}`")));
        }
        next = index + 1;
    }
    let missing =
        fields.iter().zip(&found).find(|(field, part)| part.is_none() && field.is_required());
    match missing {
        None => Ok(found),
        Some((field, _)) => {
            Err(A::Error::custom(format!("missing field `{}`", shortened(field.json_name()))))
        }
    }
}

/// Takes the cells of a tuple, each with its tag, by their places, and returns their number. Those that have a
/// default are options.
pub(super) fn take_cells<'de, A: MapAccess<'de>>(
    cells: Cells<'_>,
    depth: Depth,
    out: &mut Vec<u8>,
    mut entries: A,
) -> Result<usize, A::Error> {
    let wanted = || format!("a list of {}", cells.len());
    let (mut count, mut next) = (0, 0);
    while let Some(key) = entries.next_key::<Key<'de>>()? {
        let cell = match key {
            Key::Place(place) if place == next => cells.get(place),
            Key::Place(_) => None,
            Key::Name(_) => return Err(A::Error::invalid_type(Unexpected::Map, &&*wanted())),
        };
        let Some(cell) = cell else {
            return Err(A::Error::custom(format!("cell {key} where cell {next} is expected")));
        };
        let making = Making { ty: cell.ty(), depth, head: Head::Tag, out: &mut *out };
        let is_there = match cell.default() {
            Some(_) => entries.next_value_seed(Maybe(making))?,
            None => entries.next_value_seed(making).map(|()| true)?,
        };
        if is_there && count < next {
            let text = format!("cell {count} is missing, and cell {next} is not");
            return Err(A::Error::custom(text));
        }
        next += 1;
        count += usize::from(is_there);
    }
    match count < cells.least() {
        true => Err(A::Error::invalid_length(count, &&*wanted())),
        false => Ok(count),
    }
}

/// The value of a `?field` or of what else may be missing, or null, which is as though it were not there.
struct Maybe<'s, 'o>(Making<'s, 'o>);

impl<'de> DeserializeSeed<'de> for Maybe<'_, '_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Maybe<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    fn visit_none<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        self.0.deserialize(deserializer).map(|()| true)
    }
}
