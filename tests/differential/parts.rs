//! How compound values read their elements: sequences, maps and the fields of structs.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::digest::{FAILED, MAP, SEQUENCE, mix};
use crate::schema::{FIELDS, Parts, Schema, Take, Type};
use crate::target::{Copied, Dropping, Empty, EmptySeed, Seed, Target, next_is};

/// Errors that a value ignores before it stops. `stubborn` tests that reading such types ends.
const MAX_IGNORED_ERRORS: usize = 50;

/// The elements that a value has read so far.
struct Seen<'s> {
    parts: &'s Parts,
    digest: u64,
    failed: usize,
}

impl<'s> Seen<'s> {
    const fn nothing(parts: &'s Parts, digest: u64) -> Self {
        Seen { parts, digest, failed: 0 }
    }

    /// Adds an element. Returns whether there may be another one.
    fn add<E>(&mut self, part: Result<Option<u64>, E>) -> Result<bool, E> {
        let seen = match part {
            Ok(None) => return Ok(false),
            Ok(Some(seen)) => seen,
            Err(error) if !self.parts.swallows => return Err(error),
            Err(_) => {
                self.failed += 1;
                FAILED
            }
        };
        self.digest = mix(self.digest, seen);
        Ok(self.failed < MAX_IGNORED_ERRORS)
    }

    fn end<E: Error>(self) -> Result<u64, E> {
        match self.parts.refuses {
            true => Err(E::custom("refused at its end")),
            false => Ok(self.digest),
        }
    }
}

/// Reads at most `most` elements, the types in turn.
pub(crate) fn sequence<'de, A: SeqAccess<'de>>(
    parts: &Parts,
    most: usize,
    mut access: A,
) -> Result<u64, A::Error> {
    let mut seen = Seen::nothing(parts, SEQUENCE);
    for schema in parts.types.iter().cycle().take(most) {
        if !seen.add(element(parts.take, schema, &mut access))? {
            break;
        }
    }
    seen.end()
}

fn element<'de, A: SeqAccess<'de>>(
    take: Take,
    schema: &Type,
    access: &mut A,
) -> Result<Option<u64>, A::Error> {
    fn next<'de, T: Target, A: SeqAccess<'de>>(
        schema: &Type,
        access: &mut A,
    ) -> Result<Option<u64>, A::Error> {
        next_is(schema);
        Ok(access.next_element::<T>()?.map(Target::digest))
    }

    match take {
        Take::Seed => access.next_element_seed(Seed(schema)),
        Take::EmptySeed => Ok(access.next_element_seed(EmptySeed(schema))?.map(Target::digest)),
        Take::Copied8 => next::<Copied<1>, A>(schema, access),
        Take::Copied16 => next::<Copied<2>, A>(schema, access),
        Take::Copied80 => next::<Copied<10>, A>(schema, access),
        Take::Copied304 => next::<Copied<38>, A>(schema, access),
        Take::Dropping => next::<Dropping, A>(schema, access),
        Take::Empty => next::<Empty, A>(schema, access),
    }
}

/// Reads keys and values in turn.
pub(crate) fn map<'de, A: MapAccess<'de>>(parts: &Parts, mut access: A) -> Result<u64, A::Error> {
    let [key, value] = &parts.types[..] else {
        return Err(Error::custom("a map is of a key and a value"));
    };
    let mut seen = Seen::nothing(parts, MAP);
    for _ in 0..parts.most {
        let found = map_key(parts.take, key, &mut access);
        let has_failed = found.is_err();
        if !seen.add(found)? {
            break;
        }
        // After a key that failed there is no value to read.
        if !has_failed && !seen.add(map_value(parts.take, value, &mut access).map(Some))? {
            break;
        }
    }
    seen.end()
}

fn map_key<'de, A: MapAccess<'de>>(
    take: Take,
    schema: &Type,
    access: &mut A,
) -> Result<Option<u64>, A::Error> {
    next_is(schema);
    match take {
        Take::Copied16 => Ok(access.next_key::<Copied<2>>()?.map(Target::digest)),
        Take::Dropping => Ok(access.next_key::<Dropping>()?.map(Target::digest)),
        Take::Empty => Ok(access.next_key::<Empty>()?.map(Target::digest)),
        _ => access.next_key_seed(Seed(schema)),
    }
}

fn map_value<'de, A: MapAccess<'de>>(
    take: Take,
    schema: &Type,
    access: &mut A,
) -> Result<u64, A::Error> {
    next_is(schema);
    match take {
        Take::Copied16 => access.next_value::<Copied<2>>().map(Target::digest),
        Take::Dropping => access.next_value::<Dropping>().map(Target::digest),
        Take::Empty => access.next_value::<Empty>().map(Target::digest),
        _ => access.next_value_seed(Seed(schema)),
    }
}

/// The fields of a struct, as serde derives it: each once, by name in any order.
pub(crate) struct Fields<'s>(pub(crate) &'s Parts);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fields of a struct")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<u64, A::Error> {
        let mut seen = Seen::nothing(self.0, SEQUENCE);
        for (index, schema) in self.0.types.iter().enumerate() {
            if !seen.add(element(self.0.take, schema, &mut access))? {
                return Err(Error::invalid_length(index, &self));
            }
        }
        seen.end()
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<u64, A::Error> {
        let types = &self.0.types;
        let mut found = vec![None; types.len()];
        while let Some(name) = access.next_key_seed(Name(&FIELDS))? {
            let field: Option<(usize, &Schema)> =
                name.and_then(|index| Some((index, &**types.get(index)?)));
            match field {
                None => drop(access.next_value::<IgnoredAny>()?),
                Some((index, _)) if found[index].is_some() => {
                    return Err(Error::duplicate_field(FIELDS[index]));
                }
                Some((index, schema)) => {
                    found[index] = Some(access.next_value_seed(Seed(schema))?);
                }
            }
        }
        let mut seen = Seen::nothing(self.0, SEQUENCE);
        for (index, field) in found.into_iter().enumerate() {
            let field = field.ok_or_else(|| Error::missing_field(FIELDS[index]))?;
            seen.add(Ok(Some(field)))?;
        }
        seen.end()
    }
}

/// The index of a field or variant among these names, if it is one of them.
pub(crate) struct Name<'n>(pub(crate) &'n [&'static str]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<usize>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<Option<usize>, E> {
        Ok(usize::try_from(index).ok().filter(|index| *index < self.0.len()))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|other| *other == name))
    }
}
