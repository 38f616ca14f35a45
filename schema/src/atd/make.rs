//! Bytes from any serde format in the form of atdgen's JSON, as atdgen writes them.

mod encoded;
mod fields;
mod list;
mod variant;

use core::fmt;
use std::borrow::Cow;

use fourfold::biniou::Options;
use fourfold::biniou::wire::{self, ARGUMENT, Tag, Zigzag};
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected,
    Visitor,
};

use self::fields::{take_cells, take_fields};
pub use self::list::ListMaker;
use self::list::{Items, list_head, table_head};
use self::variant::unknown_variant;
use super::Schema;
use super::form::{NONE, SOME};
use super::shape::{Float, Int, Shape, Type};
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
        let Some(ty) = self.get(name) else {
            return Err(D::Error::custom(self.no_type(name)));
        };
        ty.make(deserializer)
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
        Making { ty: self, depth, is_tagged: true, out: &mut out }.deserialize(deserializer)?;
        Ok(out)
    }
}

/// A value that is appended to `out`, after its tag or without.
struct Making<'s, 'o> {
    ty: Type<'s>,
    depth: Depth,
    is_tagged: bool,
    out: &'o mut Vec<u8>,
}

impl<'de> DeserializeSeed<'de> for Making<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Making { ty, depth: around, is_tagged, out } = self;
        let depth = around;
        let shape = ty.unwrapped();
        let inside = match shape {
            Shape::Option(_) | Shape::Nullable(_) => depth.wrap(),
            Shape::Unit | Shape::Bool | Shape::Int(_) | Shape::Float(_) | Shape::String => {
                Some(depth)
            }
            _ => depth.enter(),
        };
        let (Some(depth), Some(tag)) = (inside, ty.tag()) else {
            return Err(match inside {
                None => D::Error::custom(around.reached()),
                Some(_) => D::Error::custom(fourfold::biniou::ErrorKind::AbstractType),
            });
        };
        if is_tagged {
            out.push(tag.byte());
        }
        let body = Body { ty, shape, around, depth, is_tagged, out };
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
    ty: Type<'s>,
    /// Its shape, with wraps resolved.
    shape: Shape<'s>,
    /// How deep the value may nest, and what is in it.
    around: Depth,
    depth: Depth,
    /// Whether the tag is at the end of `out`.
    is_tagged: bool,
    out: &'o mut Vec<u8>,
}

impl<'s> Body<'s, '_> {
    fn part<'p>(&'p mut self, ty: Type<'s>, is_tagged: bool) -> Making<'s, 'p> {
        Making { ty, depth: self.depth, is_tagged, out: self.out }
    }

    fn int<E: Error>(self, number: i64, unexpected: Unexpected<'_>) -> Result<(), E> {
        const OCAML: i64 = 1 << 62;
        let wrong = || E::invalid_value(unexpected, &self);
        let is_ocaml = (-OCAML..OCAML).contains(&number);
        let Shape::Int(int) = self.shape else { return Err(E::invalid_type(unexpected, &self)) };
        match int {
            Int::Svint if is_ocaml => {
                let mut bytes = Vec::new();
                wire::put_uvint(&mut bytes, i128::from(number).zigzag());
                self.out.extend(bytes);
            }
            Int::Uvint if is_ocaml => {
                // Negative numbers are those of the upper half of 63 bits.
                let number = if number < 0 { number + OCAML + OCAML } else { number };
                wire::put_uvint(self.out, u128::try_from(number).map_err(|_| E::custom("int"))?);
            }
            Int::Svint | Int::Uvint => return Err(wrong()),
            Int::Int8 | Int::Char => {
                let byte = u8::try_from(number).map_err(|_| wrong())?;
                self.out.push(byte);
            }
            Int::Int16 => {
                let bytes = u16::try_from(number).map_err(|_| wrong())?.to_be_bytes();
                self.out.extend(bytes);
            }
            Int::Int32 => {
                let bytes = i32::try_from(number).map_err(|_| wrong())?.to_be_bytes();
                self.out.extend(bytes);
            }
            Int::Int64 => self.out.extend(number.to_be_bytes()),
        }
        Ok(())
    }

    fn bytes(self, bytes: &[u8]) {
        wire::put_length(self.out, bytes.len());
        self.out.extend(bytes);
    }
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

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.shape {
            Shape::Unit => self.out.push(wire::UNIT),
            Shape::Nullable(_) => self.out.push(wire::NONE),
            _ => return Err(E::invalid_type(Unexpected::Unit, &self)),
        }
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        match self.shape {
            Shape::Option(_) => self.out.push(wire::NONE),
            _ => return self.visit_unit(),
        }
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<(), D::Error> {
        let (Shape::Nullable(inner) | Shape::Option(inner)) = self.shape else {
            return Err(D::Error::invalid_type(Unexpected::Option, &self));
        };
        self.out.push(wire::SOME);
        self.part(inner, true).deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        match self.shape {
            Shape::Bool => self.out.push(u8::from(value)),
            _ => return Err(E::invalid_type(Unexpected::Bool(value), &self)),
        }
        Ok(())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        match self.shape {
            Shape::Float(_) => {
                let float = format!("{number}").parse().map_err(E::custom)?;
                self.visit_f64(float)
            }
            _ => self.int(number, Unexpected::Signed(number)),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        match (self.shape, i64::try_from(number)) {
            (Shape::Float(_), _) => {
                let float = format!("{number}").parse().map_err(E::custom)?;
                self.visit_f64(float)
            }
            (_, Ok(signed)) => self.int(signed, Unexpected::Unsigned(number)),
            _ => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_f32<E: Error>(self, number: f32) -> Result<(), E> {
        match self.shape {
            // Bit by bit, also if it is no number.
            Shape::Float(Float::Float32) => self.out.extend(number.to_be_bytes()),
            _ => return self.visit_f64(f64::from(number)),
        }
        Ok(())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        match self.shape {
            Shape::Float(Float::Float64) => self.out.extend(number.to_be_bytes()),
            Shape::Float(Float::Float32) => {
                // As OCaml, to the nearest.
                #[allow(clippy::cast_possible_truncation, reason = "it is the nearest one")]
                let short = number as f32;
                if short.is_infinite() {
                    return Err(E::invalid_value(Unexpected::Float(number), &self));
                }
                self.out.extend(short.to_be_bytes());
            }
            _ => return Err(E::invalid_type(Unexpected::Float(number), &self)),
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        match self.shape {
            Shape::String => self.bytes(text.as_bytes()),
            Shape::Int(Int::Int64) => {
                let unexpected = Unexpected::Str(text);
                match text.parse() {
                    Ok(number) => return self.int(number, unexpected),
                    Err(_) => return Err(E::invalid_value(unexpected, &self)),
                }
            }
            Shape::Option(_) if text == NONE => self.out.push(wire::NONE),
            Shape::Sum(variants) => {
                let mut fitting = variants.iter();
                let plain = fitting.find(|it| it.argument().is_none() && it.json_name() == text);
                if let Some(variant) = plain {
                    self.out.extend(variant.hash().to_be_bytes());
                    return Ok(());
                }
                let open = variants.iter().find(|it| variants.is_open() && it.argument().is_some());
                let Some(variant) = open else { return Err(unknown_variant(variants, text)) };
                self.out.extend((variant.hash() | ARGUMENT).to_be_bytes());
                self.out.push(Tag::String.byte());
                self.bytes(text.as_bytes());
            }
            _ => return Err(E::invalid_type(Unexpected::Str(text), &self)),
        }
        Ok(())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        match self.shape {
            Shape::String => self.bytes(bytes),
            _ => return self.encoded(bytes),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        match self.shape {
            Shape::String => {
                let mut bytes = Vec::new();
                while let Some(byte) = items.next_element()? {
                    bytes.push(byte);
                }
                self.bytes(&bytes);
                Ok(())
            }
            Shape::List(item) | Shape::Object(item) => {
                let start = self.out.len();
                let list = Items { item, columns: None, depth: self.depth, out: &mut *self.out };
                let count = list.visit_seq(items)?;
                self.out.splice(start..start, list_head(count, item.tag()));
                Ok(())
            }
            Shape::Table(item) => {
                let Shape::Record(fields) = item.shape() else { return Ok(()) };
                let start = self.out.len();
                let columns = Some(fields);
                let rows = Items { item, columns, depth: self.depth, out: &mut *self.out };
                let count = rows.visit_seq(items)?;
                self.out.splice(start..start, table_head(count, fields));
                Ok(())
            }
            Shape::Tuple(cells) => {
                let start = self.out.len();
                let mut count = 0;
                for cell in cells.iter() {
                    if items.next_element_seed(self.part(cell.ty(), true))?.is_none() {
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
                self.out.splice(start..start, list_head(count, None));
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
                self.out.push(wire::SOME);
                self.argument(inner, items)
            }
            _ => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        match self.shape {
            Shape::Record(fields) => {
                let (depth, out) = (self.depth, self.out);
                let start = out.len();
                let found = take_fields(fields, depth, false, out, entries)?;
                let present = fields.iter().zip(&found);
                let present = present.filter(|(_, part)| part.is_some()).count();
                let body: Vec<u8> = out.drain(start..).collect();
                wire::put_length(out, present);
                for (field, part) in fields.iter().zip(found) {
                    if let Some(part) = part {
                        out.extend(wire::field_key(field.hash()));
                        out.extend(body.get(part).unwrap_or_default());
                    }
                }
                Ok(())
            }
            Shape::Tuple(cells) => {
                let start = self.out.len();
                let count = take_cells(cells, self.depth, self.out, entries)?;
                self.out.splice(start..start, list_head(count, None));
                Ok(())
            }
            Shape::Object(item) => {
                let Shape::Tuple(cells) = item.unwrapped() else {
                    return Err(A::Error::invalid_type(Unexpected::Map, &self));
                };
                let (Some(_), Some(value), 2) = (cells.get(0), cells.get(1), cells.len()) else {
                    return Err(A::Error::invalid_type(Unexpected::Map, &self));
                };
                let start = self.out.len();
                let mut count = 0;
                while let Some(key) = entries.next_key::<Cow<'de, str>>()? {
                    wire::put_length(self.out, 2);
                    self.out.push(Tag::String.byte());
                    wire::put_length(self.out, key.len());
                    self.out.extend(key.as_bytes());
                    entries.next_value_seed(self.part(value.ty(), true))?;
                    count += 1;
                }
                self.out.splice(start..start, list_head(count, item.tag()));
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
