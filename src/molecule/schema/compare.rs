//! What has changed from one schema to another. Knows layouts of both, does not know bytes.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::check::called;
use super::{Field, Fields, Items, Schema, Shape, Type};
use crate::schema::{self, Changes, Outcome, listed};

impl Schema {
    /// What has changed from this schema to a newer one, and which readers can take that.
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
    /// let changes = older.compare(&newer);
    /// assert_eq!(changes.older_readers(), Outcome::ReadsCompatibly);
    /// assert_eq!(
    ///     changes.to_string(),
    ///     "Note: field `author` is added at the end: \
    ///      older readers read newer values only if they are compatible ones, newer readers refuse older values",
    /// );
    /// # Ok::<(), fourfold::molecule::schema::Error>(())
    /// ```
    #[must_use]
    pub fn compare(&self, newer: &Schema) -> Changes {
        let mut comparing = Comparing { way: schema::Comparing::new() };
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

/// Where the name of a type lies, which is as good as the name.
type TypeName = *const u8;

struct Comparing {
    way: schema::Comparing<TypeName>,
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
                if self.fields(was, is) {
                    self.lengths(was, is, (Outcome::Refuses, Outcome::Refuses));
                }
            }
            (Shape::Table(was), Shape::Table(is)) => {
                if self.fields(was, is) {
                    let outcomes = match was.len() < is.len() {
                        true => (Outcome::ReadsCompatibly, Outcome::Refuses),
                        false => (Outcome::Refuses, Outcome::ReadsCompatibly),
                    };
                    self.lengths(was, is, outcomes);
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
        // Each value of a size is one of any type that has the size, but perhaps of other parts.
        match older.size().is_some() && older.size() == newer.size() {
            true => self.way.say(text, Outcome::Misreads, Outcome::Misreads),
            false => self.way.refused(text),
        }
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
            self.way.say(text, Outcome::Misreads, Outcome::Misreads);
            return false;
        }
        for (was, is) in older.iter().zip(newer.iter()) {
            if was.name() != is.name() {
                self.way.safe(format!("field `{}` was `{}`", is.name(), was.name()));
            }
            self.part(&format!(".{}", is.name()), was.ty(), is.ty());
        }
        true
    }

    /// Says which fields only one has, and what older and newer readers do.
    fn lengths(&mut self, older: Fields<'_>, newer: Fields<'_>, outcomes: (Outcome, Outcome)) {
        let (fewer, more, state) = match older.len() < newer.len() {
            true => (older, newer, "added at the end"),
            false => (newer, older, "gone from the end"),
        };
        let names = more.iter().skip(fewer.len()).map(|field| format!("`{}`", field.name()));
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            self.way.say(listed("field", &names, state), outcomes.0, outcomes.1);
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
                self.way.say(text, Outcome::Refuses, Outcome::Reads);
                continue;
            };
            let first = old.ty().name();
            // Whoever has both names knows the id as that of another item.
            if first != name && (was.contains(name) || are.contains(first)) {
                let text = format!("the id {id} was of item `{first}`, is of `{name}`");
                self.way.say(text, Outcome::Misreads, Outcome::Misreads);
            } else {
                self.part(&format!(".{name}"), old.ty(), is.ty());
            }
        }
        for gone in older.iter().filter(|was| newer.with_id(was.id()).is_none()) {
            let text = format!("the id {} of item `{}` is gone", gone.id(), gone.ty().name());
            self.way.say(text, Outcome::Reads, Outcome::Refuses);
        }
    }
}
