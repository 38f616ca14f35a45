//! Bytes from any serde format in the form of atdgen's JSON, as atdgen writes them.

mod fields;
mod list;
mod variant;

use core::fmt;
use std::borrow::Cow;

use fourfold::biniou;
use fourfold::biniou::wire::{self, Tag, Zigzag};
use fourfold::biniou::{ErrorKind, Options};
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected,
    Visitor,
};

use self::fields::{take_cells, take_record};
pub use self::list::ListMaker;
use self::list::{Items, head_of, length};
use self::variant::unknown_variant;
use super::Schema;
use super::form::{NONE, SOME};
use super::shape::{Float, Int, Shape, Type};
use super::verify::Check;
use crate::common::Ignore;
use crate::depth::Depth;

impl Schema {
    /// Makes the bytes of a value from what [`to_value`](Schema::to_value) shows of it, in JSON for example: those
    /// that atdgen writes.
    ///
    /// Fields may come in any order. A `?field` and a `~field` may be left out.
    ///
    /// ```
    /// use fourfold_schema::atd::Schema;
    ///
    /// let schema = Schema::parse("type color = [ Red | Gray of int ]  type colors = color list").unwrap();
    /// let mut json = serde_json::Deserializer::from_str(r#"["Red", ["Gray", 7]]"#);
    /// let bytes = schema.make(&mut json, "colors")?;
    /// let colors = schema.to_value(&bytes, "colors").unwrap();
    /// assert_eq!(serde_json::to_string(&colors)?, r#"["Red",["Gray",7]]"#);
    ///
    /// let mut json = serde_json::Deserializer::from_str(r#"["Blue"]"#);
    /// let error = schema.make(&mut json, "colors").unwrap_err();
    /// assert_eq!(error.to_string(), "unknown variant `Blue` (there are `Red` and `Gray`) at line 1 column 7");
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
        self.make_with(deserializer, name, &Options::new())
    }

    /// Makes bytes as [`make`](Schema::make) does, of values that are as deep as the options allow. Nothing else of
    /// them means anything here.
    ///
    /// # Errors
    ///
    /// Those of [`make`](Schema::make).
    pub fn make_with<'de, D: Deserializer<'de>>(
        &self,
        deserializer: D,
        name: &str,
        options: &Options,
    ) -> Result<Vec<u8>, D::Error> {
        match self.get(name) {
            Some(ty) => ty.make_within(deserializer, Depth::new(options.depth_limit())),
            None => Err(D::Error::custom(self.no_type(name))),
        }
    }
}

impl Type<'_> {
    /// Makes the bytes of a value of this type, which needs no name for that. See [`Schema::make`].
    ///
    /// A deserializer may show what JSON cannot:
    ///
    /// - Fields, cells of a tuple and variants may be named by their places in the schema, from 0: fields and cells as
    ///   the keys of a map, cells in order; a variant as that of an enum of serde. Then each `?field`, each `~field`
    ///   and each cell that has a default is an option: none if it is not there.
    /// - An option may be one of serde, an `int64` an integer.
    /// - A string may be its bytes. A value of another type may be bytes, too: those that it has in a file, with its
    ///   tag first. They are checked.
    ///
    /// ```
    /// use fourfold_schema::atd::Schema;
    /// use serde::de::value::{BytesDeserializer, Error};
    ///
    /// let schema = Schema::parse("type name = string  type names = name list").unwrap();
    /// let name = schema.get("name").unwrap();
    /// assert_eq!(name.make(BytesDeserializer::<Error>::new(b"\xff"))?, [18, 1, 0xff]);
    ///
    /// let names = schema.get("names").unwrap();
    /// let bytes = [19, 1, 18, 1, 0xff];
    /// assert_eq!(names.make(BytesDeserializer::<Error>::new(&bytes))?, bytes);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Schema::make`].
    pub fn make<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u8>, D::Error> {
        self.make_within(deserializer, Depth::new(Options::new().depth_limit()))
    }

    fn make_within<'de, D: Deserializer<'de>>(
        self,
        deserializer: D,
        depth: Depth,
    ) -> Result<Vec<u8>, D::Error> {
        let mut out = Vec::new();
        Making { ty: self, depth, head: Head::Tag, out: &mut out }.deserialize(deserializer)?;
        Ok(out)
    }
}

/// What is before a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Head {
    /// Its tag.
    Tag,
    /// Nothing: its tag is that of all items.
    Nothing,
    /// Nothing: it is a row, whose fields and tags are those of the table.
    Row,
}

/// A value that is appended to `out`.
struct Making<'s, 'o> {
    ty: Type<'s>,
    depth: Depth,
    head: Head,
    out: &'o mut Vec<u8>,
}

impl<'de> DeserializeSeed<'de> for Making<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let shape = self.ty.unwrapped();
        let inside = match shape {
            Shape::Option(_) | Shape::Nullable(_) => self.depth.wrap(),
            Shape::Unit | Shape::Bool | Shape::Int(_) | Shape::Float(_) | Shape::String => {
                Some(self.depth)
            }
            _ => self.depth.enter(),
        };
        let depth = inside.ok_or_else(|| D::Error::custom(self.depth.reached()))?;
        let tag = self.ty.tag().ok_or_else(|| D::Error::custom(ErrorKind::AbstractType))?;
        if self.head == Head::Tag {
            self.out.push(tag.byte());
        }
        let body = Body { shape, depth, whole: self };
        match shape {
            Shape::Unit => deserializer.deserialize_unit(body),
            Shape::Bool => deserializer.deserialize_bool(body),
            Shape::Int(Int::Int64) => deserializer.deserialize_str(body),
            Shape::Int(_) => deserializer.deserialize_i64(body),
            Shape::Float(_) => deserializer.deserialize_f64(body),
            Shape::Record(_) => deserializer.deserialize_map(body),
            Shape::List(_) | Shape::Table(_) | Shape::Tuple(_) => {
                deserializer.deserialize_seq(body)
            }
            Shape::Nullable(_) => deserializer.deserialize_option(body),
            _ => deserializer.deserialize_any(body),
        }
    }
}

/// What is after a tag.
struct Body<'s, 'o> {
    /// Its tag is at the end of `out` already.
    whole: Making<'s, 'o>,
    /// Its shape, with wraps resolved.
    shape: Shape<'s>,
    /// How deep what is in it may nest.
    depth: Depth,
}

impl<'s> Body<'s, '_> {
    fn part<'p>(&'p mut self, ty: Type<'s>) -> Making<'s, 'p> {
        Making { ty, depth: self.depth, head: Head::Tag, out: self.whole.out }
    }

    fn put(&mut self, bytes: impl AsRef<[u8]>) {
        self.whole.out.extend(bytes.as_ref());
    }

    fn number<E: Error>(mut self, number: i128, unexpected: Unexpected<'_>) -> Result<(), E> {
        const OCAML: i128 = 1 << 62;
        let int = match self.shape {
            Shape::Int(int) => int,
            Shape::Float(_) => {
                return self.visit_f64(format!("{number}").parse().map_err(E::custom)?);
            }
            _ => return Err(E::invalid_type(unexpected, &self)),
        };
        let written = match int {
            Int::Svint | Int::Uvint if !(-OCAML..OCAML).contains(&number) => None,
            Int::Svint => {
                wire::put_uvint(self.whole.out, number.zigzag());
                Some(())
            }
            // Negative numbers are those of the upper half of 63 bits.
            Int::Uvint => u128::try_from(if number < 0 { number + 2 * OCAML } else { number })
                .map(|number| wire::put_uvint(self.whole.out, number))
                .ok(),
            Int::Int8 | Int::Char => u8::try_from(number).map(|byte| self.put([byte])).ok(),
            Int::Int16 => u16::try_from(number).map(|it| self.put(it.to_be_bytes())).ok(),
            Int::Int32 => i32::try_from(number).map(|it| self.put(it.to_be_bytes())).ok(),
            Int::Int64 => i64::try_from(number).map(|it| self.put(it.to_be_bytes())).ok(),
        };
        written.ok_or_else(|| E::invalid_value(unexpected, &self))
    }

    fn bytes(&mut self, bytes: &[u8]) {
        wire::put_length(self.whole.out, bytes.len());
        self.put(bytes);
    }

    /// The bytes of the value itself, with the tag.
    fn encoded<E: Error>(mut self, bytes: &[u8]) -> Result<(), E> {
        let Making { ty, depth, head, .. } = self.whole;
        if head == Head::Row {
            return Err(E::custom("bytes for a row of a table, which has no tag of its own"));
        }
        let tag = checked(bytes, ty, depth)
            .map_err(|error| E::custom(format!("bytes that are no value of the type: {error}")))?;
        match head {
            // Where a type has several tags, the one of these bytes.
            Head::Tag => {
                self.whole.out.pop();
                self.put(bytes);
            }
            Head::Nothing if Some(tag) == ty.tag() => self.put(bytes.get(1..).unwrap_or_default()),
            _ => {
                let tag = tag.name();
                return Err(E::custom(format!("{tag} where all values have another tag")));
            }
        }
        Ok(())
    }
}

/// The tag of bytes that are a value of the type, and nothing else.
fn checked(bytes: &[u8], ty: Type<'_>, depth: Depth) -> biniou::Result<Tag> {
    let mut check = Check::new(&Options::new());
    let mut checking = check.bytes(bytes, 0);
    let tag = wire::take_tag(&mut checking.reader)?;
    checking.value((0, tag), ty, depth, &mut Ignore)?;
    checking.reader.finish()?;
    Ok(tag)
}

impl<'de> Visitor<'de> for Body<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.shape {
            Shape::Unit => "null",
            Shape::Bool => "true or false",
            Shape::Int(Int::Int8 | Int::Char) => "an integer from 0 to 255",
            Shape::Int(Int::Int16) => "an integer from 0 to 65535",
            Shape::Int(Int::Int32) => "an integer of 32 bits",
            Shape::Int(Int::Int64) => "an integer of 64 bits as text",
            Shape::Int(_) => "an integer of 63 bits",
            Shape::Float(_) => "a number",
            Shape::String => "text, or a list of bytes",
            Shape::Record(_) => "an object with a key for each field",
            Shape::Sum(_) => "the name of a variant, or a list of that and its argument",
            Shape::Option(_) => "\"None\", or a list of \"Some\" and a value",
            Shape::Object(_) => "an object, or a list of pairs",
            Shape::Nullable(_) => "a value or null",
            _ => "a list",
        })
    }

    fn visit_unit<E: Error>(mut self) -> Result<(), E> {
        match self.shape {
            Shape::Unit => self.put([wire::UNIT]),
            Shape::Nullable(_) => self.put([wire::NONE]),
            _ => return Err(E::invalid_type(Unexpected::Unit, &self)),
        }
        Ok(())
    }

    fn visit_none<E: Error>(mut self) -> Result<(), E> {
        match self.shape {
            Shape::Option(_) => self.put([wire::NONE]),
            _ => return self.visit_unit(),
        }
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<(), D::Error> {
        let (Shape::Nullable(inner) | Shape::Option(inner)) = self.shape else {
            return Err(D::Error::invalid_type(Unexpected::Option, &self));
        };
        self.put([wire::SOME]);
        self.part(inner).deserialize(deserializer)
    }

    fn visit_bool<E: Error>(mut self, value: bool) -> Result<(), E> {
        match self.shape {
            Shape::Bool => self.put([u8::from(value)]),
            _ => return Err(E::invalid_type(Unexpected::Bool(value), &self)),
        }
        Ok(())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.number(number.into(), Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.number(number.into(), Unexpected::Unsigned(number))
    }

    fn visit_f32<E: Error>(mut self, number: f32) -> Result<(), E> {
        match self.shape {
            // Bit by bit, also if it is no number.
            Shape::Float(Float::Float32) => self.put(number.to_be_bytes()),
            _ => return self.visit_f64(f64::from(number)),
        }
        Ok(())
    }

    fn visit_f64<E: Error>(mut self, number: f64) -> Result<(), E> {
        match self.shape {
            Shape::Float(Float::Float64) => self.put(number.to_be_bytes()),
            Shape::Float(Float::Float32) => {
                // As OCaml, to the nearest.
                #[allow(clippy::cast_possible_truncation, reason = "it is the nearest one")]
                let short = number as f32;
                if short.is_infinite() {
                    return Err(E::invalid_value(Unexpected::Float(number), &self));
                }
                self.put(short.to_be_bytes());
            }
            _ => return Err(E::invalid_type(Unexpected::Float(number), &self)),
        }
        Ok(())
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        match self.shape {
            Shape::String => self.bytes(text.as_bytes()),
            Shape::Int(Int::Int64) => {
                let unexpected = Unexpected::Str(text);
                return match text.parse::<i64>() {
                    Ok(number) => self.number(number.into(), unexpected),
                    Err(_) => Err(E::invalid_value(unexpected, &self)),
                };
            }
            Shape::Option(_) if text == NONE => self.put([wire::NONE]),
            Shape::Sum(variants) => {
                let mut fitting = variants.iter();
                let plain = fitting.find(|it| it.argument().is_none() && it.json_name() == text);
                if let Some(variant) = plain {
                    self.put_variant(variant);
                    return Ok(());
                }
                let open = variants.iter().find(|it| variants.is_open() && it.argument().is_some());
                let Some(variant) = open else { return Err(unknown_variant(variants, text)) };
                self.put_variant(variant);
                self.put([Tag::String.byte()]);
                self.bytes(text.as_bytes());
            }
            _ => return Err(E::invalid_type(Unexpected::Str(text), &self)),
        }
        Ok(())
    }

    fn visit_bytes<E: Error>(mut self, bytes: &[u8]) -> Result<(), E> {
        match self.shape {
            Shape::String => self.bytes(bytes),
            _ => return self.encoded(bytes),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let start = self.whole.out.len();
        match self.shape {
            Shape::String => {
                let mut bytes = Vec::new();
                while let Some(byte) = items.next_element()? {
                    bytes.push(byte);
                }
                self.bytes(&bytes);
                Ok(())
            }
            Shape::List(item) | Shape::Object(item) | Shape::Table(item) => {
                let is_table = matches!(self.shape, Shape::Table(_));
                let head = if is_table { Head::Row } else { Head::Nothing };
                let (depth, out) = (self.depth, self.whole.out);
                let count = Items { item, head, depth, out: &mut *out }.visit_seq(items)?;
                out.splice(start..start, head_of(count, item, head));
                Ok(())
            }
            Shape::Tuple(cells) => {
                let mut count = 0;
                for cell in cells.iter() {
                    if items.next_element_seed(self.part(cell.ty()))?.is_none() {
                        break;
                    }
                    count += 1;
                }
                let is_more = items.next_element::<IgnoredAny>()?.is_some();
                if count < cells.least() || is_more {
                    let given = count + usize::from(is_more);
                    let wanted = format!("a list of {}", cells.len());
                    return Err(A::Error::invalid_length(given, &&*wanted));
                }
                self.whole.out.splice(start..start, length(count));
                Ok(())
            }
            Shape::Sum(variants) => self.named(variants, items),
            Shape::Option(inner) => {
                match items.next_element::<Cow<'de, str>>()? {
                    Some(name) if name == SOME => {}
                    Some(name) => {
                        return Err(A::Error::invalid_value(Unexpected::Str(&name), &self));
                    }
                    None => return Err(A::Error::invalid_length(0, &self)),
                }
                self.put([wire::SOME]);
                self.argument(inner, items)
            }
            _ => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let start = self.whole.out.len();
        match self.shape {
            Shape::Record(fields) => {
                take_record(fields, self.whole.head, self.depth, self.whole.out, entries)
            }
            Shape::Tuple(cells) => {
                let count = take_cells(cells, self.depth, self.whole.out, entries)?;
                self.whole.out.splice(start..start, length(count));
                Ok(())
            }
            Shape::Object(item) => {
                let value = match item.unwrapped() {
                    Shape::Tuple(cells) if cells.len() == 2 => cells.get(1),
                    _ => None,
                };
                let Some(value) = value else {
                    return Err(A::Error::invalid_type(Unexpected::Map, &self));
                };
                let mut count = 0;
                while let Some(key) = entries.next_key::<Cow<'de, str>>()? {
                    self.put(length(2));
                    self.put([Tag::String.byte()]);
                    self.bytes(key.as_bytes());
                    entries.next_value_seed(self.part(value.ty()))?;
                    count += 1;
                }
                self.whole.out.splice(start..start, head_of(count, item, Head::Nothing));
                Ok(())
            }
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, choice: A) -> Result<(), A::Error> {
        let Shape::Sum(variants) = self.shape else {
            return Err(A::Error::invalid_type(Unexpected::Enum, &self));
        };
        self.chosen(variants, choice)
    }
}
