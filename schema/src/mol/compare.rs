//! Differences between two schemas.

mod align;

use std::collections::BTreeSet;

use self::align::Row;
use super::check::called;
use super::{Fields, Items, Schema, Shape, Type};
use crate::common::{self, Changes, Outcome, listed};

impl Schema {
    /// What has changed from this schema to a newer one, and which readers can take that.
    ///
    /// Types are compared with those of the same name. Each change is listed once, where it is: a changed table is
    /// no change of those that have it as a field. Fields are aligned by their names, and between these by their
    /// types: a field of another name and the same type was renamed. One that is new, gone or in another place moves
    /// those after it, which readers find by place.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    /// use fourfold_schema::mol::Outcome;
    ///
    /// let older = Schema::parse("vector Bytes <byte>; table Note { text: Bytes, }")?;
    /// let newer = Schema::parse("vector Bytes <byte>; table Note { text: Bytes, author: Bytes, }")?;
    /// let changes = older.compare(&newer);
    /// assert_eq!(changes.older_readers(), Outcome::ReadsCompatibly);
    /// assert_eq!(
    ///     changes.to_string(),
    ///     "Note: field `author` is added at the end: \
    ///      older readers read newer values only if they are compatible ones, newer readers refuse older values",
    /// );
    /// # Ok::<(), fourfold_schema::mol::Error>(())
    /// ```
    #[must_use]
    pub fn compare(&self, newer: &Schema) -> Changes {
        let mut comparing = Comparing { way: common::Comparing::new() };
        for ty in newer.types() {
            comparing.way.begin(ty.name());
            match self.get(ty.name()) {
                Some(older) => comparing.types(older, ty),
                None => comparing.way.safe("the type is new".into()),
            }
        }
        let gone = self.types().filter(|ty| newer.get(ty.name()).is_none());
        comparing.way.finish(gone.map(Type::name))
    }
}

/// So many fields that moved are not listed one by one.
const MOST_MOVED: usize = 20;

/// Where the name of a type is, which is as good as the name.
type TypeName = *const u8;

struct Comparing {
    way: common::Comparing<TypeName>,
}

impl Comparing {
    /// Compares what a type is made of. Types that have one name are compared by that.
    fn part(&mut self, step: &str, older: Type<'_>, newer: Type<'_>) {
        if older.name() == newer.name() {
            return;
        }
        let visit = self.way.enter(step, (older.name().as_ptr(), newer.name().as_ptr()));
        if visit.is_new {
            self.types(older, newer);
        }
        self.way.leave(visit, Some((older.name(), newer.name())));
    }

    fn types(&mut self, older: Type<'_>, newer: Type<'_>) {
        match (older.shape(), newer.shape()) {
            (Shape::Byte, Shape::Byte) => {}
            (Shape::Struct(was), Shape::Struct(is)) => {
                self.fields(was, is, (Outcome::Refuses, Outcome::Refuses));
            }
            (Shape::Table(was), Shape::Table(is)) => {
                self.fields(
                    was,
                    is,
                    match was.len() < is.len() {
                        true => (Outcome::ReadsCompatibly, Outcome::Refuses),
                        false => (Outcome::Refuses, Outcome::ReadsCompatibly),
                    },
                );
            }
            (Shape::Array(was, count), Shape::Array(is, length)) if count == length => {
                self.part("[]", was, is);
            }
            (Shape::FixVec(was), Shape::FixVec(is)) | (Shape::DynVec(was), Shape::DynVec(is)) => {
                self.part("[]", was, is);
            }
            (Shape::Option(was), Shape::Option(is)) => self.part("", was, is),
            (Shape::Union(was), Shape::Union(is)) => self.union(was, is),
            _ => self.kinds(older, newer),
        }
    }

    /// Reports layouts of different kinds or sizes.
    fn kinds(&mut self, older: Type<'_>, newer: Type<'_>) {
        let text = format!("this was {}, is {}", called(older), called(newer));
        // Each value of a size is one of any type that has the size, but perhaps of other parts.
        match older.size().is_some() && older.size() == newer.size() {
            true => self.way.add(text, Outcome::Misreads, Outcome::Misreads),
            false => self.way.refused(text),
        }
    }

    /// Compares fields: those that both have, then what moves the others, then the end, which readers of `at_end`
    /// can handle.
    fn fields(&mut self, older: Fields<'_>, newer: Fields<'_>, at_end: (Outcome, Outcome)) {
        let (was, is): (Vec<_>, Vec<_>) = (older.iter().collect(), newer.iter().collect());
        let rows = align::fields(&was, &is);
        let end = rows.iter().rposition(|row| matches!(row, Row::Both(..))).map_or(0, |at| at + 1);
        let (mut added, mut gone, mut moved) = (Vec::new(), Vec::new(), 0);
        for (at, row) in rows.into_iter().enumerate() {
            let misread = |comparing: &mut Self, text| {
                comparing.way.add(text, Outcome::Misreads, Outcome::Misreads);
            };
            match row {
                Row::Both(was, is) => {
                    if was.name() != is.name() {
                        self.way.safe(format!("field `{}` was `{}`", is.name(), was.name()));
                    }
                    self.part(&format!(".{}", is.name()), was.ty(), is.ty());
                }
                Row::Moved(old, new, was, is) => {
                    let name = new.name();
                    moved += 1;
                    match moved {
                        ..MOST_MOVED => {
                            misread(self, format!("field `{name}` was in place {was}, is in {is}"))
                        }
                        MOST_MOVED => misread(self, "more fields are in other places".into()),
                        _ => {}
                    }
                    self.part(&format!(".{name}"), old.ty(), new.ty());
                }
                Row::New(field, _) if at >= end => added.push(format!("`{}`", field.name())),
                Row::Gone(field, _) if at >= end => gone.push(format!("`{}`", field.name())),
                Row::New(field, place) => {
                    misread(self, format!("field `{}` is new in place {place}", field.name()));
                }
                Row::Gone(field, place) => {
                    misread(self, format!("field `{}` is gone from place {place}", field.name()));
                }
            }
        }
        for (names, state) in [(added, "added at the end"), (gone, "gone from the end")] {
            if !names.is_empty() {
                self.way.add(listed("field", &names, state), at_end.0, at_end.1);
            }
        }
    }

    fn union(&mut self, older: Items<'_>, newer: Items<'_>) {
        let names = |items: Items<'_>| -> BTreeSet<String> {
            items.iter().map(|item| item.ty().name().into()).collect()
        };
        let (was, are) = (names(older), names(newer));
        for is in newer.iter() {
            let (id, name) = (is.id(), is.ty().name());
            let Some(old) = older.with_id(id) else {
                let text = format!("item `{name}` has the new id {id}");
                self.way.add(text, Outcome::Refuses, Outcome::Reads);
                continue;
            };
            let first = old.ty().name();
            // If a schema has both names, the id is that of another item there.
            if first != name && (was.contains(name) || are.contains(first)) {
                let text = format!("the id {id} was of item `{first}`, is of `{name}`");
                self.way.add(text, Outcome::Misreads, Outcome::Misreads);
            } else {
                self.part(&format!(".{name}"), old.ty(), is.ty());
            }
        }
        for gone in older.iter().filter(|was| newer.with_id(was.id()).is_none()) {
            let text = format!("the id {} of item `{}` is gone", gone.id(), gone.ty().name());
            self.way.add(text, Outcome::Reads, Outcome::Refuses);
        }
    }
}
