//! What has changed from one schema to another. Knows layouts of both, does not know bytes.

use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::check::called;
use super::{Field, Fields, Items, Schema, Shape, Type};
use crate::schema::{Change, Changes, Outcome};

impl Schema {
    /// What has changed since an older schema, and which readers can take that.
    ///
    /// Types are compared with those of the same name. Each change is said once, where it is: a changed table is
    /// no change of those that have it as a field. A field is what stands in its place, so another name is a
    /// change of the name, and a name in another place a change of the order.
    ///
    /// ```
    /// use fourfold::molecule::Schema;
    /// use fourfold::molecule::schema::Outcome;
    ///
    /// let older = Schema::parse("vector Bytes <byte>; table Note { text: Bytes, }")?;
    /// let newer = Schema::parse("vector Bytes <byte>; table Note { text: Bytes, author: Bytes, }")?;
    /// let changes = newer.compare(&older);
    /// assert_eq!(changes.older_readers(), Outcome::ReadsCompatibly);
    /// assert_eq!(
    ///     changes.to_string(),
    ///     "Note: field `author` is added at the end: \
    ///      older readers read newer values only if they are compatible ones, newer readers refuse older values",
    /// );
    /// # Ok::<(), fourfold::molecule::schema::Error>(())
    /// ```
    #[must_use]
    pub fn compare(&self, older: &Schema) -> Changes {
        let mut comparing =
            Comparing { changes: Vec::new(), path: String::new(), met: BTreeMap::new() };
        for newer in self.types() {
            comparing.path.clear();
            comparing.path.push_str(newer.name());
            match older.get(newer.name()) {
                Some(older) => comparing.types(older, newer),
                None => comparing.safe("the type is new".into()),
            }
        }
        for gone in older.types().filter(|ty| self.get(ty.name()).is_none()) {
            comparing.changes.push(Change::safe(gone.name(), "the type is gone".into()));
        }
        Changes::new(comparing.changes)
    }
}

/// Where the name of a type lies, which is as good as the name.
type TypeName = *const u8;

struct Comparing {
    changes: Vec<Change>,
    path: String,
    /// Types of two names that have been compared, and the worst that readers do with them: where types stand in
    /// types again and again, each two are looked into once.
    met: BTreeMap<(TypeName, TypeName), (Outcome, Outcome)>,
}

impl Comparing {
    fn safe(&mut self, text: String) {
        self.changes.push(Change::safe(&self.path, text));
    }

    /// Compares what a type is made of. Types that have one name are compared by that.
    fn part(&mut self, step: &str, older: Type<'_>, newer: Type<'_>) {
        if older.name() == newer.name() {
            return;
        }
        let length = self.path.len();
        self.path.push_str(step);
        let names = (older.name().as_ptr(), newer.name().as_ptr());
        let known = self.changes.len();
        if let Entry::Vacant(place) = self.met.entry(names) {
            place.insert((Outcome::Reads, Outcome::Reads));
            self.types(older, newer);
        }
        let found = self.changes.get(known..).unwrap_or_default();
        let seen = self.met.entry(names).or_insert((Outcome::Reads, Outcome::Reads));
        for change in found {
            seen.0 = seen.0.max(change.older_readers());
            seen.1 = seen.1.max(change.newer_readers());
        }
        if found.is_empty() {
            let text = format!("the type was `{}`, is `{}`", older.name(), newer.name());
            let change = Change::safe(&self.path, text).older(seen.0).newer(seen.1);
            self.changes.push(change);
        }
        self.path.truncate(length);
    }

    fn types(&mut self, older: Type<'_>, newer: Type<'_>) {
        match (older.shape(), newer.shape()) {
            (Shape::Byte, Shape::Byte) => {}
            (Shape::Struct(was), Shape::Struct(is)) => {
                if self.fields(was, is) {
                    self.lengths(was, is, |change| {
                        change.older(Outcome::Refuses).newer(Outcome::Refuses)
                    });
                }
            }
            (Shape::Table(was), Shape::Table(is)) => {
                if self.fields(was, is) {
                    self.lengths(was, is, |change| match was.len() < is.len() {
                        true => change.older(Outcome::ReadsCompatibly).newer(Outcome::Refuses),
                        false => change.older(Outcome::Refuses).newer(Outcome::ReadsCompatibly),
                    });
                }
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

    /// Says that the layouts are of different kinds or sizes.
    fn kinds(&mut self, older: Type<'_>, newer: Type<'_>) {
        let text = format!("this was {}, is {}", called(older), called(newer));
        let change = Change::refused(&self.path, text);
        // Each value of a size is one of any type that has the size, but perhaps of other parts.
        let change = match older.size().is_some() && older.size() == newer.size() {
            true => change.older(Outcome::Misreads).newer(Outcome::Misreads),
            false => change,
        };
        self.changes.push(change);
    }

    /// Compares the fields that both have; whether there may be more to say.
    fn fields(&mut self, older: Fields<'_>, newer: Fields<'_>) -> bool {
        let places: BTreeMap<&str, usize> =
            older.iter().enumerate().map(|(at, field)| (field.name(), at)).collect();
        let place = |(at, field): (usize, Field<'_>)| {
            let first = places.get(field.name()).filter(|first| **first != at)?;
            Some(format!("field `{}` was in place {first}, is in {at}", field.name()))
        };
        let mut moved = newer.iter().enumerate().filter_map(place);
        if let Some(text) = moved.next() {
            let text = match moved.count() {
                0 => text,
                others => format!("{text}, and {others} more moved"),
            };
            let change = Change::safe(&self.path, text);
            self.changes.push(change.older(Outcome::Misreads).newer(Outcome::Misreads));
            return false;
        }
        for (was, is) in older.iter().zip(newer.iter()) {
            if was.name() != is.name() {
                self.safe(format!("field `{}` was `{}`", is.name(), was.name()));
            }
            self.part(&format!(".{}", is.name()), was.ty(), is.ty());
        }
        true
    }

    /// Says which fields only one has.
    fn lengths(
        &mut self,
        older: Fields<'_>,
        newer: Fields<'_>,
        outcomes: impl Fn(Change) -> Change,
    ) {
        let (fewer, more, verb) = match older.len() < newer.len() {
            true => (older, newer, "added at the end"),
            false => (newer, older, "gone from the end"),
        };
        let names: Vec<String> = more
            .iter()
            .skip(fewer.len())
            .map(|field: Field<'_>| format!("`{}`", field.name()))
            .collect();
        let text = match names.len() {
            0 => return,
            1 => format!("field {} is {verb}", names.join(", ")),
            _ => format!("fields {} are {verb}", names.join(", ")),
        };
        self.changes.push(outcomes(Change::safe(&self.path, text)));
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
                let change = Change::safe(&self.path, text).older(Outcome::Refuses);
                self.changes.push(change);
                continue;
            };
            let first = old.ty().name();
            // Whoever has both names knows the id as that of another item.
            if first != name && (was.contains(name) || are.contains(first)) {
                let text = format!("the id {id} was of item `{first}`, is of `{name}`");
                let change = Change::safe(&self.path, text);
                self.changes.push(change.older(Outcome::Misreads).newer(Outcome::Misreads));
            } else {
                self.part(&format!(".{name}"), old.ty(), is.ty());
            }
        }
        for gone in older.iter().filter(|was| newer.with_id(was.id()).is_none()) {
            let text = format!("the id {} of item `{}` is gone", gone.id(), gone.ty().name());
            self.changes.push(Change::safe(&self.path, text).newer(Outcome::Refuses));
        }
    }
}
