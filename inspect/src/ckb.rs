//! Converts Molecule values to and from the JSON of CKB's RPC, as the crate `ckb-jsonrpc-types` writes and reads it.
//!
//! The rules depend on the names of types and fields in `blockchain.mol`. They also apply to other schemas that use
//! these names.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::ops::ControlFlow;

use blake2b_simd::Params;
use fourfold::Path;
use fourfold::biniou::Options;
use fourfold_schema::mol::{
    Field, Fields as Members, NumberType, Parts, Record, Schema, Shape, Type, Value,
};

use crate::formats::{ExplainOptions, Format, Loaded, Mismatch, SchemaKind, molecule};
use crate::model::molecule::{ID, list_of, number};
use crate::model::{Fields, Node, Part, TYPE, VALUE, VALUES, Wrong};
use crate::spans::Span;
use crate::write::hex;

/// A Molecule schema whose values are shown as the JSON of CKB's RPC.
pub struct Ckb(pub Schema);

impl SchemaKind for Ckb {
    fn format(&self) -> Format {
        self.0.format()
    }

    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        self.0.names()
    }

    fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        name: &str,
        how: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        SchemaKind::explain_each(&self.0, bytes, name, how, path, each);
    }

    fn load<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &'a str,
        _: &'a Options,
    ) -> Result<Box<dyn Loaded + 'a>, Mismatch> {
        molecule::load(&self.0, bytes, name, value)
    }

    /// Paths are those of this JSON, so the value is selected from the whole JSON.
    fn part<'a>(&'a self, _: &'a [u8], _: &str, _: &Path, _: &Options) -> Option<Part<'a>> {
        None
    }

    fn make(
        &self,
        fields: &Fields<'_>,
        _: &Node<'_>,
        name: &str,
        options: &Options,
    ) -> Result<Vec<u8>, Wrong> {
        match fields.get(VALUES) {
            None => self.make_value(&fields.need(VALUE)?, name, options),
            Some(values) => molecule::make_records(&self.0, &values, name, |value| {
                self.make_value(value, name, options)
            }),
        }
    }

    fn make_value(&self, value: &Node<'_>, name: &str, _: &Options) -> Result<Vec<u8>, Wrong> {
        let Some(ty) = self.0.get(name) else { return Err(value.wrong("no type of the schema")) };
        let mut json = String::new();
        Converter { schema: &self.0, json: &mut json }.value(ty, "", value)?;
        made(&self.0, &json, name).map_err(|error| value.wrong(error))
    }
}

/// The bytes of a value given as plain JSON, without CKB's rules.
fn made(schema: &Schema, json: &str, name: &str) -> Result<Vec<u8>, String> {
    let mut reader = serde_json::Deserializer::from_str(json);
    Schema::make(schema, &mut reader, name).map_err(|error| {
        // The line number refers to this intermediate text, which the caller does not have.
        let text = error.to_string();
        text.rsplit_once(" at line ").map_or_else(|| text.clone(), |(text, _)| text.to_owned())
    })
}

/// The field that the RPC inlines: `raw` of a type `T`, if its type is `RawT`.
fn inlined<'s>(ty: Type<'s>, fields: Members<'s>) -> Option<(Field<'s>, Members<'s>)> {
    let raw = fields.iter().find(|field| field.name() == "raw")?;
    let (Shape::Struct(inner) | Shape::Table(inner)) = raw.ty().shape() else { return None };
    let is_raw = raw.ty().name().strip_prefix("Raw") == Some(ty.name());
    let is_apart =
        inner.iter().all(|field| fields.iter().all(|it| key(it, fields) != key(field, inner)));
    (is_raw && is_apart && inlined(raw.ty(), inner).is_none()).then_some((raw, inner))
}

/// The key of a field. The schema has `type_` because `type` is a keyword in Rust.
fn key<'s>(field: Field<'s>, fields: Members<'s>) -> &'s str {
    match field.name() {
        "type_" if fields.iter().all(|field| field.name() != "type") => "type",
        name => name,
    }
}

/// The name of a byte in `field`, if the RPC has one.
fn name_of(field: &str, byte: u8) -> Option<String> {
    match (field, byte) {
        ("hash_type", 0) => Some("data".into()),
        ("hash_type", 1) => Some("type".into()),
        // The version of the virtual machine is in the upper bits; bit 0 is set for `type`.
        ("hash_type", byte) if byte % 2 == 0 => Some(format!("data{}", byte / 2)),
        ("dep_type", 0) => Some("code".into()),
        ("dep_type", 1) => Some("dep_group".into()),
        _ => None,
    }
}

/// A little-endian number as `0x` and its digits, without leading zeros.
fn quantity(bytes: &[u8]) -> String {
    let mut digits = String::from("0x");
    let mut rest = bytes.iter().rev().skip_while(|byte| **byte == 0);
    // Writing to a string cannot fail.
    let _ = write!(digits, "{:x}", rest.next().copied().unwrap_or(0));
    for byte in rest {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// A value as JSON of the RPC.
fn value(value: Value<'_>) -> Part<'_> {
    match value.parts() {
        Parts::Byte(byte) => Part::text(quantity(&[byte])),
        // The RPC has no negative numbers.
        Parts::Number(it) if it.ty().is_signed() => number(it),
        Parts::Number(number) => Part::text(quantity(number.bytes())),
        Parts::Bytes(bytes) => Part::Hex(bytes),
        Parts::List(list) => list_of(list, self::value),
        Parts::Record(record) => {
            let mut fields = Vec::new();
            record_of(value.ty(), record, &mut fields);
            Part::Map(fields)
        }
        Parts::Option(inner) => inner.map_or(Part::Null, self::value),
        Parts::Union(item, inner) => Part::map([
            (TYPE, Part::text(item.ty().name())),
            (ID, Part::integer(item.id())),
            (VALUE, self::value(inner)),
        ]),
        _ => Part::Hex(value.bytes()),
    }
}

fn record_of<'a>(ty: Type<'a>, record: Record<'a>, fields: &mut Vec<(Cow<'a, str>, Part<'a>)>) {
    let raw = inlined(ty, record.fields());
    for (field, inner) in record.iter() {
        match (&raw, inner.parts()) {
            (Some((raw, _)), Parts::Record(inner)) if raw.name() == field.name() => {
                record_of(field.ty(), inner, fields);
            }
            (_, Parts::Byte(byte)) => {
                let name = name_of(field.name(), byte).map(Part::text);
                let key = key(field, record.fields());
                fields.push((key.into(), name.unwrap_or_else(|| value(inner))));
            }
            _ => fields.push((key(field, record.fields()).into(), value(inner))),
        }
    }
}

/// Converts JSON of the RPC to plain JSON.
struct Converter<'s, 'j> {
    schema: &'s Schema,
    json: &'j mut String,
}

impl<'s> Converter<'s, '_> {
    /// Converts a value. `field` is the name of its field, or empty.
    fn value(&mut self, ty: Type<'s>, field: &str, node: &Node<'_>) -> Result<(), Wrong> {
        match ty.shape() {
            Shape::Byte => {
                let byte = byte_of(field, node)?;
                self.put(byte);
            }
            Shape::Array(item, count) if item.shape() == Shape::Byte => match ty.number() {
                Some(it) if it.is_signed() => {
                    let text = node.to_text().unwrap_or_else(|_| node.source().into());
                    it.parse(&text).ok_or_else(|| node.expected("a decimal integer in range"))?;
                    self.put(format_args!("\"{text}\""));
                }
                Some(it) => {
                    let bytes = number_of(it, node)?;
                    let number = it.of(&bytes).map(|number| number.to_string());
                    self.put(format_args!("\"{}\"", number.unwrap_or_default()));
                }
                // The RPC requires lower-case digits for hashes. `dao` is a `Byte32`, but not a hash.
                None => self.bytes(node, Some(count), ty.name() == "Byte32" && field != "dao")?,
            },
            Shape::FixVec(item) if item.shape() == Shape::Byte => self.bytes(node, None, false)?,
            Shape::Array(item, count) => {
                if self.list(item, node)? != count {
                    return Err(node.wrong(format!("{} is a list of {count}", ty.name())));
                }
            }
            Shape::FixVec(item) | Shape::DynVec(item) => {
                self.list(item, node)?;
            }
            Shape::Struct(fields) | Shape::Table(fields) => self.whole_record(ty, fields, node)?,
            Shape::Option(_) if node.source() == "null" => self.json.push_str("null"),
            Shape::Option(inner) => self.value(inner, field, node)?,
            Shape::Union(items) => {
                let fields = node.fields()?;
                let name = fields.need(TYPE)?;
                let text = name.to_text()?;
                let Some(item) = items.iter().find(|item| item.ty().name() == text) else {
                    return Err(name.expected(&format!("an item of {}", ty.name())));
                };
                let id = fields.get(ID);
                self.put(format_args!("{{\"{TYPE}\": {}", name.source()));
                if let Some(id) = id {
                    self.put(format_args!(", \"{ID}\": {}", id.source()));
                }
                self.put(format_args!(", \"{VALUE}\": "));
                self.value(item.ty(), "", &fields.need(VALUE)?)?;
                self.json.push('}');
                fields.finish()?;
            }
            _ => return Err(node.wrong(format!("the RPC has no {}", ty.name()))),
        }
        Ok(())
    }

    fn put(&mut self, text: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.json, "{text}");
    }

    fn bytes(
        &mut self,
        node: &Node<'_>,
        count: Option<usize>,
        is_lower: bool,
    ) -> Result<(), Wrong> {
        let text = node.to_text()?;
        let is_digit = |digit: u8| match is_lower {
            true => matches!(digit, b'0'..=b'9' | b'a'..=b'f'),
            false => digit.is_ascii_hexdigit(),
        };
        let digits = text.strip_prefix("0x").filter(|digits| {
            let fits = count.is_none_or(|count| digits.len() == count.saturating_mul(2));
            fits && digits.len() % 2 == 0 && digits.bytes().all(is_digit)
        });
        match digits {
            Some(digits) => {
                self.put(format_args!("\"0x{digits}\""));
                Ok(())
            }
            None => {
                let case = if is_lower { "lower-case " } else { "" };
                let what = match count {
                    Some(count) => format!("{} {case}hexadecimal digits", count.saturating_mul(2)),
                    None => format!("{case}hexadecimal digits, two for each byte"),
                };
                Err(node.expected(&format!("0x and {what}")))
            }
        }
    }

    /// Converts a list, and returns the number of items.
    fn list(&mut self, item: Type<'s>, node: &Node<'_>) -> Result<usize, Wrong> {
        let mut count = 0;
        self.json.push('[');
        node.each(&mut |node| {
            if count > 0 {
                self.json.push(',');
            }
            count += 1;
            self.value(item, "", node)
        })?;
        self.json.push(']');
        Ok(count)
    }

    /// Converts a struct or table, and refuses unknown keys.
    fn whole_record(
        &mut self,
        ty: Type<'s>,
        members: Members<'s>,
        node: &Node<'_>,
    ) -> Result<(), Wrong> {
        let fields = node.fields()?;
        let start = self.json.len();
        self.record(ty, members, &fields, node)?;
        self.check_hash(ty, &fields, start)?;
        // The RPC has one type for blocks with and without an extension.
        match fields.get("extension").filter(|_| ty.name() == "Block") {
            Some(extension) if extension.source() != "null" => {
                let hint = "use --type BlockV1";
                return Err(extension.wrong("a Block has no extension").with_hint(hint));
            }
            _ => {}
        }
        fields.finish()
    }

    fn record(
        &mut self,
        ty: Type<'s>,
        members: Members<'s>,
        fields: &Fields<'_>,
        node: &Node<'_>,
    ) -> Result<(), Wrong> {
        let raw = inlined(ty, members);
        let mut separator = "{";
        for member in members.iter() {
            self.put(format_args!("{separator}\"{}\": ", member.name()));
            separator = ", ";
            match &raw {
                Some((raw, inner)) if raw.name() == member.name() => {
                    self.record(raw.ty(), *inner, fields, node)?;
                    continue;
                }
                _ => {}
            }
            let key = key(member, members);
            match fields.get(key) {
                Some(node) => self.value(member.ty(), member.name(), &node)?,
                None if matches!(member.ty().shape(), Shape::Option(_)) => {
                    self.json.push_str("null");
                }
                None => {
                    let missing = node.wrong(format!("the key {key:?} is missing"));
                    let is_block = ty.name() == "BlockV1" && key == "extension";
                    return Err(match is_block {
                        true => missing.with_hint("use --type Block for a block without one"),
                        false => missing,
                    });
                }
            }
        }
        self.json.push_str(if members.is_empty() { "{}" } else { "}" });
        Ok(())
    }

    /// Checks the field `hash`, which the RPC adds to headers and transactions.
    fn check_hash(&self, ty: Type<'s>, fields: &Fields<'_>, start: usize) -> Result<(), Wrong> {
        if !matches!(ty.name(), "Header" | "Transaction") {
            return Ok(());
        }
        let Some(hash) = fields.get("hash") else { return Ok(()) };
        let json = self.json.get(start..).unwrap_or_default();
        let bytes = made(self.schema, json, ty.name()).map_err(|error| hash.wrong(error))?;
        let hashed = match ty.name() {
            // The hash of a transaction does not cover the witnesses.
            "Transaction" => {
                let value = self.schema.to_value(&bytes, ty.name()).ok();
                value.and_then(|value| Some(value.get("raw")?.bytes()))
            }
            _ => Some(&*bytes),
        };
        let mut hasher = Params::new().hash_length(32).personal(b"ckb-default-hash").to_state();
        hasher.update(hashed.unwrap_or_default());
        let found = format!("0x{}", hex::digits(hasher.finalize().as_bytes()));
        match hash.to_text()? == found {
            true => Ok(()),
            false => Err(hash
                .wrong(format!("the hash of this {} is {found}", ty.name()))
                .with_hint("correct it, or leave the key \"hash\" out")),
        }
    }
}

/// A byte, given by its name or, if it has none, as a number.
fn byte_of(field: &str, node: &Node<'_>) -> Result<u8, Wrong> {
    let text = node.to_text()?;
    let mut named = (0..=u8::MAX).filter_map(|byte| Some((byte, name_of(field, byte)?)));
    if let Some((byte, _)) = named.find(|(_, name)| *name == text) {
        return Ok(byte);
    }
    let byte = hexadecimal(&text, 1).and_then(|bytes| bytes.first().copied());
    byte.filter(|byte| name_of(field, *byte).is_none()).ok_or_else(|| match field {
        "hash_type" => {
            node.expected("\"data\", \"type\", \"data1\", \"data2\" and so on to \"data127\"")
        }
        "dep_type" => node.expected("\"code\" or \"dep_group\""),
        _ => node.expected("0x and the hexadecimal digits of a byte, without zeros before them"),
    })
}

/// The bytes of a number, little-endian.
fn number_of(number: NumberType, node: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    let text = match node.to_text() {
        Ok(text) => text,
        Err(_) => return Err(node.expected(&wanted(number))),
    };
    hexadecimal(&text, number.size()).ok_or_else(|| node.expected(&wanted(number)))
}

fn wanted(number: NumberType) -> String {
    format!(
        "0x and 1 to {} hexadecimal digits without zeros before them",
        number.size().saturating_mul(2)
    )
}

/// The bytes of a quantity, little-endian, padded with zeros to `size`.
fn hexadecimal(text: &str, size: usize) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?;
    let is_minimal = digits == "0" || !digits.is_empty() && !digits.starts_with('0');
    if !is_minimal || digits.len() > size.saturating_mul(2) {
        return None;
    }
    let even = if digits.len() % 2 == 0 { "" } else { "0" };
    let mut bytes = hex::bytes(&format!("{even}{}", digits.to_ascii_lowercase()))?;
    bytes.reverse();
    bytes.resize(size, 0);
    Some(bytes)
}
