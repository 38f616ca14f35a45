//! Bytes from any serde format in the form of `Value`'s `Serialize`.

mod list;

use core::fmt;
use core::ops::Range;
use std::borrow::Cow;

use fourfold::molecule::Options;
use fourfold::molecule::wire::{self, number_bytes};
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess as _, Visitor,
};

pub use self::list::ListMaker;
use self::list::{insert_header, take_list};
use super::form::{EXTRA, ID, TYPE, VALUE};
use super::verify::Check;
use super::{Fields, Item, Items, NumberType, Schema, Shape, Type, Value};
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
        match self.get(name) {
            Some(ty) => ty.make(deserializer),
            None => Err(D::Error::custom(self.no_type(name))),
        }
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
        let shape = self.ty.shape();
        let inside = match shape {
            Shape::Byte => Some(self.depth),
            Shape::Option(_) => self.depth.wrap(),
            _ => self.depth.enter(),
        };
        let Some(depth) = inside else {
            return Err(D::Error::custom(self.depth.reached()));
        };
        let body = Body { whole: self, shape, depth };
        match shape {
            Shape::Byte => deserializer.deserialize_u8(body),
            Shape::Array(..) if body.number().is_some() => deserializer.deserialize_any(body),
            Shape::Array(item, _) | Shape::FixVec(item) if item.is_byte() => {
                deserializer.deserialize_str(body)
            }
            Shape::Option(_) => deserializer.deserialize_option(body),
            Shape::Struct(_) | Shape::Table(_) | Shape::Union(_) => {
                deserializer.deserialize_map(body)
            }
            _ => deserializer.deserialize_seq(body),
        }
    }
}

/// How `serde_json` shows a number that is beyond 64 bits or has a point, by its feature `arbitrary_precision`: as a
/// map of its digits.
const NUMBER: &str = "$serde_json::private::Number";

/// What is expected for bytes.
const DIGITS: &str = "0x and hexadecimal digits, two for each byte";

fn check_size<E: Error>(size: usize) -> Result<(), E> {
    wire::check_size(size).map_err(E::custom)
}

/// The bytes of hexadecimal digits, two for each, after `0x`.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?.as_bytes();
    let byte = |pair: &[u8]| {
        let mut nibbles = pair.iter().map(|digit| char::from(*digit).to_digit(16));
        let byte = nibbles.try_fold(0, |byte, nibble| Some(byte * 16 + nibble?))?;
        u8::try_from(byte).ok().filter(|_| pair.len() == 2)
    };
    digits.chunks(2).map(byte).collect()
}

/// A value, and how deep what is in it may nest.
struct Body<'s, 'o> {
    whole: Making<'s, 'o>,
    shape: Shape<'s>,
    depth: Depth,
}

impl<'de> Visitor<'de> for Body<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.number() {
            let (least, most) = number.range();
            return write!(f, "a decimal integer from {least} to {most}");
        }
        match self.shape {
            Shape::Byte => f.write_str("a byte, from 0 to 255"),
            Shape::Array(item, count) if item.is_byte() => {
                write!(f, "0x and {} hexadecimal digits", count.saturating_mul(2))
            }
            Shape::FixVec(item) if item.is_byte() => f.write_str(DIGITS),
            Shape::Array(_, count) => write!(f, "a list of {count}"),
            Shape::FixVec(_) | Shape::DynVec(_) => f.write_str("a list"),
            Shape::Option(inner) => write!(f, "a {} or null", inner.name()),
            Shape::Union(_) => f.write_str("an object with `type` or `id`, then `value`"),
            Shape::Struct(_) | Shape::Table(_) => {
                f.write_str("an object with a key for each field")
            }
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.integer(Unexpected::Signed(number), |ty| ty.of_integer(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        let unexpected = Unexpected::Unsigned(number);
        match self.shape {
            Shape::Byte => self.put(u8::try_from(number).ok().map(|byte| [byte]), unexpected),
            _ => self.integer(unexpected, |ty| ty.of_integer(number.into())),
        }
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<(), E> {
        self.integer(TOO_LARGE, |ty| ty.of_integer(number))
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<(), E> {
        self.integer(TOO_LARGE, |ty| ty.of_unsigned(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let shown = shortened(text);
        let unexpected = Unexpected::Str(&shown);
        if let Some(number) = self.number() {
            if let Some(bytes) = number.hexadecimal(text) {
                let (wanted, number) = (&self as &dyn Expected, number.unchecked(&bytes));
                let text =
                    format!("invalid value: {unexpected}, expected {wanted}; write {number}");
                return Err(E::custom(text));
            }
            return self.put(number.parse(text), unexpected);
        }
        match self.shape {
            Shape::Array(item, count) if item.is_byte() => {
                self.put(bytes_of(text).filter(|bytes| bytes.len() == count), unexpected)
            }
            Shape::FixVec(item) if item.is_byte() => match bytes_of(text) {
                Some(bytes) => self.vector(&bytes),
                None => Err(E::invalid_value(unexpected, &self)),
            },
            _ => Err(E::invalid_type(unexpected, &self)),
        }
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        match self.shape {
            Shape::Byte | Shape::Option(_) => Err(E::invalid_type(Unexpected::Bytes(bytes), &self)),
            Shape::Array(item, count) if item.is_byte() => match count == bytes.len() {
                true => self.put(Some(bytes), Unexpected::Bytes(bytes)),
                false => Err(E::invalid_length(bytes.len(), &&*format!("{count} bytes"))),
            },
            Shape::FixVec(item) if item.is_byte() => self.vector(bytes),
            _ => {
                let Making { ty, depth, out } = self.whole;
                // What is written may be of a later version: its fields are shown as `$extra`.
                let check = Check::new(&Options::new().compatible(true));
                check.value(Value::unchecked(ty, bytes), 0, depth).map_err(|error| {
                    E::custom(format!("bytes that are no {}: {error}", ty.name()))
                })?;
                out.extend(bytes);
                Ok(())
            }
        }
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.shape {
            Shape::Option(_) => Ok(()),
            _ => Err(E::invalid_type(Unexpected::Unit, &self)),
        }
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.shape {
            Shape::Option(inner) => self.part(inner).deserialize(deserializer),
            _ => Err(D::Error::invalid_type(Unexpected::Option, &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        match self.shape {
            Shape::Array(item, _) | Shape::FixVec(item) | Shape::DynVec(item)
                if !item.is_byte() =>
            {
                take_list(self.shape, self.depth, self.whole.out, items)
            }
            _ => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        match (self.shape, self.number()) {
            (_, Some(number)) => match entries.next_key::<Cow<'de, str>>()? {
                Some(key) if key == NUMBER => {
                    let digits = entries.next_value::<Cow<'de, str>>()?;
                    self.put(number.parse(&digits), Unexpected::Other(&shortened(&digits)))
                }
                _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
            },
            (Shape::Struct(fields) | Shape::Table(fields), _) => self.record(fields, entries),
            (Shape::Union(items), _) => self.union(items, entries),
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

const TOO_LARGE: Unexpected<'_> = Unexpected::Other("an integer that does not fit");

impl<'s, 'o> Body<'s, 'o> {
    fn part(self, ty: Type<'s>) -> Making<'s, 'o> {
        Making { ty, depth: self.depth, out: self.whole.out }
    }

    fn number(&self) -> Option<NumberType> {
        self.whole.ty.number()
    }

    fn put<E: Error>(
        self,
        bytes: Option<impl AsRef<[u8]>>,
        found: Unexpected<'_>,
    ) -> Result<(), E> {
        match bytes {
            Some(bytes) => {
                self.whole.out.extend(bytes.as_ref());
                Ok(())
            }
            None => Err(E::invalid_value(found, &self)),
        }
    }

    fn integer<E: Error>(
        self,
        found: Unexpected<'_>,
        bytes: impl FnOnce(NumberType) -> Option<Vec<u8>>,
    ) -> Result<(), E> {
        match self.number() {
            Some(number) => self.put(bytes(number), found),
            None => Err(E::invalid_type(found, &self)),
        }
    }

    /// Appends a fixvec of bytes.
    fn vector<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        check_size(bytes.len())?;
        self.whole.out.extend(number_bytes(bytes.len()));
        self.whole.out.extend(bytes);
        Ok(())
    }

    fn record<'de, A: MapAccess<'de>>(
        self,
        fields: Fields<'s>,
        mut entries: A,
    ) -> Result<(), A::Error> {
        let is_table = matches!(self.shape, Shape::Table(_));
        let Body { whole: Making { out, .. }, depth, .. } = self;
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
            let wrong = || A::Error::invalid_value(Unexpected::Str(&shortened(&text)), &DIGITS);
            out.extend(bytes_of(&text).ok_or_else(wrong)?);
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
        let Body { whole: Making { out, .. }, depth, .. } = self;
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
