//! Differences between two schemas, and what they mean for atdgen's readers.

mod uses;

use std::collections::BTreeMap;

use self::uses::Uses;
use super::Schema;
use super::differ::kind;
use super::shape::{Cells, Field, Fields, Int, Presence, Shape, Type, Variants};
use crate::common::{self, Changes, Outcome, listed};

impl Schema {
    /// What has changed from this schema to a newer one, and which readers can take that.
    ///
    /// Readers are those that atdgen makes, which are stricter than [`to_value`](Schema::to_value) in one respect:
    /// they cannot step over a TABLE that is in an unknown field, nor over a column of a TABLE. Whether a
    /// number fits into a type of Rust is ignored: an `int` of any width holds all that OCaml has.
    ///
    /// Types are compared with those of the same name, with aliases and `wrap` resolved. Each change is listed once,
    /// where it is. A field or variant is known by the hash of its name, so another name is one that is gone and
    /// one that is new, and the order means nothing. A field that is not there has another meaning if its default
    /// is another one. Names in JSON and types of OCaml mean nothing to bytes.
    ///
    /// ```
    /// use fourfold_schema::atd::{Outcome, Schema};
    ///
    /// let older = Schema::parse("type entry = { id : int; state : [ On | Off ] }")?;
    /// let newer = Schema::parse("type entry = { id : int; state : [ On | Off | Lost ]; ?note : string option }")?;
    /// let changes = older.compare(&newer);
    /// assert_eq!(changes.older_readers(), Outcome::Refuses);
    /// assert_eq!(
    ///     changes.to_string(),
    ///     "entry.state: variant `Lost` is new: \
    ///      older readers refuse newer values, newer readers read all older values\n\
    ///      entry: field `?note` is new: safe",
    /// );
    /// # Ok::<(), fourfold_schema::atd::Error>(())
    /// ```
    #[must_use]
    pub fn compare(&self, newer: &Schema) -> Changes {
        let mut comparing = Comparing {
            way: common::Comparing::new(),
            older: Uses::of(&self.nodes),
            newer: Uses::of(&newer.nodes),
        };
        for ty in newer.types() {
            let name = ty.name().unwrap_or_default();
            comparing.way.begin(name);
            match self.get(name) {
                Some(older) => comparing.definition(name, older, ty),
                None => comparing.way.safe("the type is new".into()),
            }
        }
        let names = self.types().filter_map(Type::name);
        comparing.way.finish(names.filter(|name| newer.get(name).is_none()))
    }
}

struct Comparing {
    way: common::Comparing<usize>,
    older: Uses,
    newer: Uses,
}

/// What a type is called in a message.
fn called(ty: Type<'_>) -> String {
    let kind = match ty.unwrapped() {
        Shape::Int(Int::Char) => "char",
        _ => kind(ty),
    };
    match ty.location().and(ty.name()) {
        Some(name) => format!("{kind} `{name}`"),
        None => kind.into(),
    }
}

/// A field as the schema writes it.
fn written(field: Field<'_>) -> String {
    let sign = match field.presence() {
        Presence::Required => "",
        Presence::Optional => "?",
        Presence::Default(_) => "~",
    };
    format!("`{sign}{}`", field.name())
}

/// Whether readers of an integer take another one.
fn takes(reader: Int, value: Int) -> bool {
    match reader {
        Int::Svint | Int::Uvint | Int::Int8 | Int::Int16 => {
            !matches!(value, Int::Int32 | Int::Int64)
        }
        Int::Char => matches!(value, Int::Int8 | Int::Char),
        Int::Int32 | Int::Int64 => reader == value,
    }
}

/// The value of a field that is not there: the text of its default.
fn default_of(field: Field<'_>) -> &str {
    match (field.presence(), field.ty().unwrapped()) {
        (Presence::Default(Some(text)), _) => match text.trim() {
            "[||]" => "[]",
            text => text,
        },
        (Presence::Optional, _) | (_, Shape::Option(_) | Shape::Nullable(_)) => "None",
        (_, Shape::Unit) => "()",
        (_, Shape::Bool) => "false",
        (_, Shape::Int(_)) => "0",
        (_, Shape::Float(_)) => "0.0",
        (_, Shape::String) => "\"\"",
        _ => "[]",
    }
}

/// Whether two defaults are the same one: numbers are compared as such.
fn is_same_default(one: &str, other: &str) -> bool {
    one == other || one.parse::<f64>().is_ok_and(|number| other.parse() == Ok(number))
}

/// What readers do where a field is not there.
fn without(value: Field<'_>, reader: Field<'_>) -> Outcome {
    match (value.presence(), reader.presence()) {
        (Presence::Required, _) => Outcome::Reads,
        (_, Presence::Required) => Outcome::Refuses,
        _ if is_same_default(default_of(value), default_of(reader)) => Outcome::Reads,
        _ => Outcome::Misreads,
    }
}

/// `Reads`, if so.
fn reads_if(is_so: bool) -> Outcome {
    match is_so {
        true => Outcome::Reads,
        false => Outcome::Refuses,
    }
}

impl Comparing {
    /// Compares types of one name.
    fn definition(&mut self, name: &str, older: Type<'_>, newer: Type<'_>) {
        let is_other = |names: Vec<&str>| -> Vec<String> {
            names.into_iter().filter(|own| *own != name).map(Into::into).collect()
        };
        // What has another name, too, is compared by that.
        let (was, are) = (is_other(older.bare().1), is_other(newer.bare().1));
        if !was.iter().any(|name| are.contains(name)) {
            self.types(older, newer);
        }
    }

    /// Compares what a type is made of. Types that have one name are compared by that.
    fn part(&mut self, step: &str, older: Type<'_>, newer: Type<'_>) {
        let ((was, olds), (is, news)) = (older.bare(), newer.bare());
        if olds.iter().any(|name| news.contains(name)) {
            return;
        }
        let visit = self.way.enter(step, (was, is));
        if visit.is_new {
            self.types(older, newer);
        }
        self.way.leave(visit, olds.first().copied().zip(news.first().copied()));
    }

    fn types(&mut self, older: Type<'_>, newer: Type<'_>) {
        let (was, is) = (older.unwrapped(), newer.unwrapped());
        match (was, is) {
            (Shape::Int(one), Shape::Int(other)) if one != other => {
                let text = format!("this was {}, is {}", called(older), called(newer));
                self.way.add(text, reads_if(takes(one, other)), reads_if(takes(other, one)));
            }
            (Shape::Record(was), Shape::Record(is)) => {
                let ids = (older.bare().0, newer.bare().0);
                let place = Place {
                    is_record: self.older.is_record(ids.0) || self.newer.is_record(ids.1),
                    is_row: self.older.is_row(ids.0) && self.newer.is_row(ids.1),
                };
                self.record(was, is, place);
            }
            (Shape::Sum(was), Shape::Sum(is)) => self.sum(was, is),
            (Shape::Tuple(was), Shape::Tuple(is)) => self.tuple(was, is),
            (
                Shape::List(one) | Shape::Object(one) | Shape::Table(one),
                Shape::List(other) | Shape::Object(other) | Shape::Table(other),
            ) => {
                // A table is read from an ARRAY, too.
                let [before, now] = [was, is].map(|shape| matches!(shape, Shape::Table(_)));
                if before != now {
                    let text = format!("this was {}, is {}", called(older), called(newer));
                    self.way.add(text, reads_if(before), reads_if(now));
                }
                self.part("[]", one, other);
            }
            (
                Shape::Option(one) | Shape::Nullable(one),
                Shape::Option(other) | Shape::Nullable(other),
            ) => self.part("", one, other),
            _ if older.tag() == newer.tag() => {}
            _ => self.way.refused(format!("this was {}, is {}", called(older), called(newer))),
        }
    }

    fn record(&mut self, older: Fields<'_>, newer: Fields<'_>, place: Place) {
        let mut only_newer = Vec::new();
        for is in newer.iter() {
            match older.with_hash(is.hash()) {
                Some((_, was)) => self.field(was, is, place),
                None => only_newer.push(is),
            }
        }
        let is_gone = |was: &Field<'_>| newer.with_hash(was.hash()).is_none();
        let only_older = older.iter().filter(is_gone).collect();
        for (unknown, missing, names, why) in unmatched(only_newer, &self.newer, place) {
            self.way.add(listed("field", &names, "new") + why, unknown, missing);
        }
        for (unknown, missing, names, why) in unmatched(only_older, &self.older, place) {
            self.way.add(listed("field", &names, "gone") + why, missing, unknown);
        }
    }

    /// Compares a field that both have.
    fn field(&mut self, was: Field<'_>, is: Field<'_>, place: Place) {
        if was.name() != is.name() {
            let (is, was) = (is.name(), was.name());
            self.way.safe(format!("field `{is}` was `{was}`, which has the same hash"));
        }
        let (older, newer) = match place.is_record {
            true => (without(is, was), without(was, is)),
            // All columns are there.
            false => (Outcome::Reads, Outcome::Reads),
        };
        let kind = core::mem::discriminant::<Presence>;
        let has_other_kind = kind(was.presence()) != kind(is.presence());
        if has_other_kind {
            self.way.add(format!("field {} was {}", written(is), written(was)), older, newer);
        } else if (older, newer) != (Outcome::Reads, Outcome::Reads) {
            let (before, now) = (default_of(was), default_of(is));
            let name = is.name();
            let text = format!("the default of field `{name}` was `{before}`, is `{now}`");
            self.way.add(text, older, newer);
        }
        let is_bare = |field: Field<'_>| field.presence() == &Presence::Optional;
        if place.is_record {
            self.part(&format!(".{}", is.name()), was.written(), is.written());
        }
        // In a row an option is not unwrapped.
        if place.is_row && (is_bare(was) != is_bare(is) || !place.is_record) {
            self.part(&format!(".{}", is.name()), was.ty(), is.ty());
        }
    }

    fn sum(&mut self, older: Variants<'_>, newer: Variants<'_>) {
        let mut only_newer = Vec::new();
        for is in newer.iter() {
            let name = is.name();
            let Some(was) = older.with_hash(is.hash()) else {
                only_newer.push(format!("`{name}`"));
                continue;
            };
            if was.name() != name {
                let was = was.name();
                self.way.safe(format!("variant `{name}` was `{was}`, which has the same hash"));
            }
            match (was.argument(), is.argument()) {
                (Some(was), Some(is)) => self.part(&format!(".{name}"), was, is),
                (None, None) => {}
                (Some(_), None) => {
                    self.way.refused(format!("variant `{name}` had an argument, has none"));
                }
                (None, Some(_)) => {
                    self.way.refused(format!("variant `{name}` had no argument, has one"));
                }
            }
        }
        if !only_newer.is_empty() {
            let text = listed("variant", &only_newer, "new");
            self.way.add(text, Outcome::Refuses, Outcome::Reads);
        }
        let gone = older.iter().filter(|was| newer.with_hash(was.hash()).is_none());
        let gone: Vec<String> = gone.map(|was| format!("`{}`", was.name())).collect();
        if !gone.is_empty() {
            self.way.add(listed("variant", &gone, "gone"), Outcome::Reads, Outcome::Refuses);
        }
    }

    fn tuple(&mut self, older: Cells<'_>, newer: Cells<'_>) {
        for (at, (was, is)) in older.iter().zip(newer.iter()).enumerate() {
            self.part(&format!("[{at}]"), was.ty(), is.ty());
        }
        let (before, now) = (older.len(), newer.len());
        let cells = |from: usize, to: usize, state| {
            let names: Vec<String> = (from..to).map(|at| format!("`{at}`")).collect();
            listed("cell", &names, state)
        };
        // All cells are written, and those after the last one that is known are stepped over.
        if before < now {
            let (unknown, why) = fate(newer.iter().skip(before).any(|it| self.newer.has(it.ty())));
            let text = format!("{}{why}", cells(before, now, "new"));
            self.way.add(text, unknown, reads_if(before >= newer.least()));
        } else if now < before {
            let (unknown, why) = fate(older.iter().skip(now).any(|it| self.older.has(it.ty())));
            let text = format!("{}{why}", cells(now, before, "gone"));
            self.way.add(text, reads_if(now >= older.least()), unknown);
        }
    }
}

/// What atdgen's readers do with an unknown part that may have tables in it, and why.
fn fate(has_table: bool) -> (Outcome, &'static str) {
    match has_table {
        true => (Outcome::Refuses, ", with tables, over which atdgen's readers do not step"),
        false => (Outcome::Reads, ""),
    }
}

/// Where values of a record type are.
#[derive(Clone, Copy)]
struct Place {
    is_record: bool,
    /// They are rows of tables, where atdgen's readers fail for unknown columns.
    is_row: bool,
}

/// What readers without these fields do, and what readers that miss them do.
type Unmatched = (Outcome, Outcome, Vec<String>, &'static str);

/// Fields that only one schema has: those of one fate together.
fn unmatched(fields: Vec<Field<'_>>, uses: &Uses, place: Place) -> Vec<Unmatched> {
    let mut fates: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for field in fields {
        let (unknown, why) = match place.is_row {
            true => {
                let why = ", also as columns, over which atdgen's readers do not step";
                (Outcome::Misreads, why)
            }
            false => fate(uses.has(field.written())),
        };
        let missing = reads_if(field.presence() != &Presence::Required);
        fates.entry((unknown, missing, why)).or_default().push(written(field));
    }
    let fates = fates.into_iter();
    fates.map(|((unknown, missing, why), names)| (unknown, missing, names, why)).collect()
}
