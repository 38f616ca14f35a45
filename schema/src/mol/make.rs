//! Bytes from any serde format in the form of `Value`'s `Serialize`.

mod encoded;
mod list;
mod number;

use core::fmt;
use core::ops::Range;
use std::borrow::Cow;

use fourfold::molecule::wire::{self, number_bytes};
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, MapAccess, SeqAccess,
    Unexpected, VariantAccess as _, Visitor,
};

pub use self::list::ListMaker;
use self::list::{insert_header, take_list};
use self::number::NumberMaker;
use super::form::{EXTRA, ID, TYPE, VALUE};
use super::{Fields, Item, Items, Schema, Shape, Type};
use crate::common::{Key, shortened};
use crate::depth::{DEFAULT_MAX_DEPTH, Depth};

impl Schema {
    /// Makes the bytes of a value from what [`to_value`](Schema::to_value) shows of it, in JSON for example.
    ///
    /// Fields may come in any order; those that are options may be left out. Of a union, `id` or `type` has to
    /// come before `value`. A number may be one or its decimal digits as text. Takes about as much memory as the bytes have.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }").unwrap();
    /// let mut json = serde_json::Deserializer::from_str(r#"{"name": "0x6d6f6c", "id": 7}"#);
    /// let bytes = schema.make(&mut json, "Entry")?;
    /// assert_eq!(bytes[12..], [7, 3, 0, 0, 0, b'm', b'o', b'l']);
    ///
    /// let mut json = serde_json::Deserializer::from_str(r#"{"id": 7}"#);
    /// let error = schema.make(&mut json, "Entry").unwrap_err();
    /// assert_eq!(error.to_string(), "missing field `name` at line 1 column 9");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What the deserializer refuses, with its own place; what is no value of the type.
    pub fn make<'de, D: Deserializer<'de>>(
        &self,
        deserializer: D,
        name: &str,
    ) -> Result<Vec<u8>, D::Error> {
        let Some(ty) = self.get(name) else {
            return Err(D::Error::custom(self.no_type(name)));
        };
        ty.make(deserializer)
    }
}

impl Type<'_> {
    /// Makes the bytes of a value of this type. See [`Schema::make`].
    ///
    /// A deserializer may show what JSON cannot:
    ///
    /// - Fields and items of a union may be named by their places in the schema, from 0: fields as the keys of a map,
    ///   an item as the variant of an enum of serde.
    /// - An array or fixvec of bytes, also one that is a number, may be these bytes. A value of another type may be bytes, too: those that it has
    ///   in a file. They are checked, and tables may have more fields than the schema.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    /// use serde::de::value::{BytesDeserializer, Error};
    ///
    /// let schema = Schema::parse("vector Bytes <byte>; vector Names <Bytes>;").unwrap();
    /// let bytes = schema.get("Bytes").unwrap();
    /// assert_eq!(bytes.make(BytesDeserializer::<Error>::new(b"ab"))?, [2, 0, 0, 0, b'a', b'b']);
    ///
    /// let names = schema.get("Names").unwrap();
    /// let none = [4, 0, 0, 0];
    /// assert_eq!(names.make(BytesDeserializer::<Error>::new(&none))?, none);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Schema::make`].
    pub fn make<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u8>, D::Error> {
        let mut out = Vec::new();
        let depth = Depth::new(DEFAULT_MAX_DEPTH);
        Making { ty: self, depth, out: &mut out }.deserialize(deserializer)?;
        check_size(out.len())?;
        Ok(out)
    }
}

/// A value that is appended to `out`.
struct Making<'s, 'o> {
    ty: Type<'s>,
    depth: Depth,
    out: &'o mut Vec<u8>,
}

impl<'de> DeserializeSeed<'de> for Making<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Making { ty, depth: around, out } = self;
        let inside = match ty.shape() {
            Shape::Byte => Some(around),
            Shape::Option(_) => around.wrap(),
            _ => around.enter(),
        };
        let Some(depth) = inside else {
            return Err(D::Error::custom(around.reached()));
        };
        match ty.shape() {
            Shape::Byte => deserializer.deserialize_u8(Byte { out }),
            Shape::Array(item, count) if item.is_byte() => match ty.number() {
                Some(number) => deserializer.deserialize_any(NumberMaker { number, out }),
                None => deserializer.deserialize_str(Digits { count: Count::Fixed(count), out }),
            },
            Shape::FixVec(item) if item.is_byte() => {
                deserializer.deserialize_str(Digits { count: Count::Stated, out })
            }
            Shape::Option(ty) => deserializer.deserialize_option(Maybe(Making { ty, depth, out })),
            shape => {
                let compound = Compound { whole: Making { ty, depth: around, out }, shape, depth };
                match shape {
                    Shape::Struct(_) | Shape::Table(_) | Shape::Union(_) => {
                        deserializer.deserialize_map(compound)
                    }
                    _ => deserializer.deserialize_seq(compound),
                }
            }
        }
    }
}

struct Byte<'o> {
    out: &'o mut Vec<u8>,
}

impl<'de> Visitor<'de> for Byte<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a byte, from 0 to 255")
    }

    fn visit_u64<E: serde_core::de::Error>(self, number: u64) -> Result<(), E> {
        let unexpected = Unexpected::Unsigned(number);
        let byte = u8::try_from(number).map_err(|_| E::invalid_value(unexpected, &self))?;
        self.out.push(byte);
        Ok(())
    }
}

/// Bytes as text.
struct Digits<'o> {
    count: Count,
    out: &'o mut Vec<u8>,
}

/// How many bytes there are.
#[derive(Clone, Copy, PartialEq)]
enum Count {
    /// As many as the type has.
    Fixed(usize),
    /// As many as the count before them.
    Stated,
    /// As many as there are.
    Any,
}

impl Expected for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Fixed(count) => {
                write!(f, "0x and {} hexadecimal digits", count.saturating_mul(2))
            }
            Count::Stated | Count::Any => {
                f.write_str("0x and hexadecimal digits, two for each byte")
            }
        }
    }
}

impl<'de> Visitor<'de> for Digits<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.count.fmt(f)
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<(), E> {
        let Digits { count: wanted, out } = self;
        let wrong = || E::invalid_value(Unexpected::Str(&shortened(text)), &wanted);
        let digits = text.strip_prefix("0x").ok_or_else(wrong)?.as_bytes();
        let count = digits.len() / 2;
        let fits = !matches!(wanted, Count::Fixed(wanted) if wanted != count);
        if digits.len() % 2 != 0 || !fits {
            return Err(wrong());
        }
        if wanted == Count::Stated {
            check_size(count)?;
            out.extend(number_bytes(count));
        }
        out.reserve(count);
        for pair in digits.chunks_exact(2) {
            let mut nibbles = pair.iter().map(|digit| char::from(*digit).to_digit(16));
            let byte = nibbles.try_fold(0, |byte, nibble| Some(byte * 16 + nibble?));
            let byte = byte.and_then(|byte| u8::try_from(byte).ok());
            out.push(byte.ok_or_else(wrong)?);
        }
        Ok(())
    }

    fn visit_bytes<E: serde_core::de::Error>(self, bytes: &[u8]) -> Result<(), E> {
        let Digits { count: wanted, out } = self;
        match wanted {
            Count::Fixed(wanted) if wanted != bytes.len() => {
                return Err(E::invalid_length(bytes.len(), &&*format!("{wanted} bytes")));
            }
            Count::Stated => {
                check_size(bytes.len())?;
                out.extend(number_bytes(bytes.len()));
            }
            Count::Fixed(_) | Count::Any => {}
        }
        out.extend(bytes);
        Ok(())
    }
}

/// Refuses what a header number cannot hold.
fn check_size<E: serde_core::de::Error>(size: usize) -> Result<(), E> {
    wire::check_size(size).map_err(E::custom)
}

/// A value with nested ones.
struct Compound<'s, 'o> {
    whole: Making<'s, 'o>,
    shape: Shape<'s>,
    /// Of the nested values.
    depth: Depth,
}

impl<'de> Visitor<'de> for Compound<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Array(_, count) => write!(f, "a list of {count}"),
            Shape::FixVec(_) | Shape::DynVec(_) => f.write_str("a list"),
            Shape::Union(_) => f.write_str("an object with `type` or `id`, then `value`"),
            _ => f.write_str("an object with a key for each field"),
        }
    }

    fn visit_bytes<E: serde_core::de::Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.whole.encoded(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        match self.shape {
            Shape::Array(..) | Shape::FixVec(_) | Shape::DynVec(_) => {
                take_list(self.shape, self.depth, self.whole.out, items)
            }
            _ => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<(), A::Error> {
        match self.shape {
            Shape::Struct(fields) => self.record(fields, false, entries),
            Shape::Table(fields) => self.record(fields, true, entries),
            Shape::Union(items) => self.union(items, entries),
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, choice: A) -> Result<(), A::Error> {
        let Shape::Union(items) = self.shape else {
            return Err(A::Error::invalid_type(Unexpected::Enum, &self));
        };
        let (key, value) = choice.variant::<Key<'de>>()?;
        let item = match &key {
            Key::Place(place) => items.get(*place).ok_or(NO_ITEM),
            Key::Name(name) => chosen(items, None, Some(name)),
        };
        let item = item.map_err(A::Error::custom)?;
        self.whole.out.extend(item.id().to_le_bytes());
        value.newtype_variant_seed(self.part(item.ty()))
    }
}

impl<'s, 'o> Compound<'s, 'o> {
    fn part(self, ty: Type<'s>) -> Making<'s, 'o> {
        Making { ty, depth: self.depth, out: self.whole.out }
    }

    fn record<'de, A: MapAccess<'de>>(
        self,
        fields: Fields<'s>,
        is_table: bool,
        mut entries: A,
    ) -> Result<(), A::Error> {
        let Compound { whole: Making { out, .. }, depth, .. } = self;
        let start = out.len();
        // Where each field is, in the order in which they came.
        let mut found: Vec<Option<Range<usize>>> = vec![None; fields.len()];
        let mut extra = None;
        let mut next = 0;
        while let Some(key) = entries.next_key::<Key<'de>>()? {
            if matches!(&key, Key::Name(name) if is_table && name == EXTRA && extra.is_none()) {
                extra = Some(entries.next_value::<Vec<Cow<'de, str>>>()?);
                continue;
            }
            let index = key.find("field", next, |at| Some(fields.get(at)?.name()))?;
            let Some(field) = fields.get(index) else { continue };
            let at = out.len();
            entries.next_value_seed(Making { ty: field.ty(), depth, out })?;
            let place = found.get_mut(index);
            if place.and_then(|place| place.replace(at..out.len())).is_some() {
                return Err(A::Error::custom(format!("duplicate field `{}`", field.name())));
            }
            next = index + 1;
        }
        let mut ordered = start;
        let mut parts = Vec::with_capacity(found.len());
        for (field, place) in fields.iter().zip(&mut found) {
            let place = match (place.take(), field.ty().shape()) {
                (Some(place), _) => place,
                (None, Shape::Option(_)) => ordered..ordered,
                (None, _) => {
                    return Err(A::Error::custom(format!("missing field `{}`", field.name())));
                }
            };
            ordered = if place.start == ordered { place.end } else { usize::MAX };
            parts.push(place);
        }
        if ordered == usize::MAX {
            let body = parts.iter().filter_map(|part| out.get(part.clone())).flatten();
            let body: Vec<u8> = body.copied().collect();
            let mut at = start;
            for part in &mut parts {
                *part = at..at + part.len();
                at = part.end;
            }
            out.truncate(start);
            out.extend(body);
        }
        let mut parts: Vec<usize> = parts.into_iter().map(|part| part.start - start).collect();
        for text in extra.into_iter().flatten() {
            parts.push(out.len() - start);
            Digits { count: Count::Any, out }.visit_str(&text)?;
        }
        match is_table {
            true => insert_header(out, start, &parts),
            false => Ok(()),
        }
    }

    fn union<'de, A: MapAccess<'de>>(
        self,
        items: Items<'s>,
        mut entries: A,
    ) -> Result<(), A::Error> {
        let Compound { whole: Making { out, .. }, depth, .. } = self;
        let (mut id, mut name) = (None::<u32>, None::<Cow<'de, str>>);
        let mut is_there = false;
        while let Some(key) = entries.next_key::<Cow<'de, str>>()? {
            match &*key {
                ID if id.is_none() && !is_there => id = Some(entries.next_value()?),
                TYPE if name.is_none() && !is_there => name = Some(entries.next_value()?),
                VALUE if !is_there => {
                    let item = chosen(items, id, name.as_deref()).map_err(A::Error::custom)?;
                    out.extend(item.id().to_le_bytes());
                    entries.next_value_seed(Making { ty: item.ty(), depth, out })?;
                    is_there = true;
                }
                _ => {
                    let text = format!("`{}` is not expected here", shortened(&key));
                    return Err(A::Error::custom(text));
                }
            }
        }
        match is_there {
            true => Ok(()),
            false => Err(A::Error::missing_field(VALUE)),
        }
    }
}

/// A value or nothing.
struct Maybe<'s, 'o>(Making<'s, 'o>);

impl<'de> Visitor<'de> for Maybe<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} or null", self.0.ty.name())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.deserialize(deserializer)
    }
}

const NO_ITEM: &str = "no item of the union has this type and id";

/// The item of an id and a name, of which one may be missing.
fn chosen<'s>(
    items: Items<'s>,
    id: Option<u32>,
    name: Option<&str>,
) -> Result<Item<'s>, &'static str> {
    let fits = |item: &Item<'_>| {
        id.is_none_or(|id| id == item.id()) && name.is_none_or(|name| name == item.ty().name())
    };
    let mut fitting = items.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        _ if id.is_none() && name.is_none() => {
            Err("`type` or `id` of a union must come before `value`")
        }
        (Some(item), None) => Ok(item),
        (Some(_), Some(_)) => Err("several items of the union have this type: give its `id`"),
        (None, _) => Err(NO_ITEM),
    }
}
