//! Files as JSON, both ways: one form per format, written up in `docs/json.md`. Knows the formats'
//! documents and what JSON is, does not know how it is laid out on a page.

pub(crate) mod biniou;
mod document;
mod elements;
mod float;
pub(crate) mod molecule;
mod node;
mod part;
pub(crate) mod primitiv;
mod tensors;
pub(crate) mod tsm;

pub(crate) use self::biniou::{name_of, same_hash, spelled};
pub(crate) use self::document::{Document, NEEDS_SCHEMA, Root, bytes, no_molecule};
pub(crate) use self::elements::{Elements, Kind};
pub(crate) use self::molecule::Items;
pub(crate) use self::node::{DEEPEST, Fields, Node, Wrong};
use self::node::{Shape, u8, u32};
pub(crate) use self::part::{Part, Tensor};
pub(crate) use self::tensors::kind;
use crate::write::hex;

/// The key that says which format a JSON file stands for.
const FORMAT: &str = "fourfold";

/// The key of what a schema calls the type.
pub(crate) const TYPE: &str = "type";

/// The key of a value that stands alone.
pub(crate) const VALUE: &str = "value";

/// The key of values that stand one behind the other.
pub(crate) const VALUES: &str = "values";

/// What stands for the elements of a tensor that are left out.
const SUMMARY: &str = "$summary";

/// Bytes that are no text.
const HEX: &str = "$hex";

/// Text, or else bytes.
fn text_or_hex(bytes: &[u8]) -> Part<'_> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Part::text(text),
        Err(_) => Part::form(HEX, Part::text(hex::digits(bytes))),
    }
}

/// The bytes of text, or those that `$hex` spells.
fn bytes_of(node: &Node<'_>, what: &str) -> Result<Vec<u8>, Wrong> {
    match node.shape() {
        Shape::Text => Ok(node.to_text()?.into_owned().into_bytes()),
        Shape::Object => {
            let fields = node.fields()?;
            let bytes = hex_of(&fields.need(HEX)?)?;
            fields.finish()?;
            Ok(bytes)
        }
        _ => Err(node.expected(what)),
    }
}

/// The bytes that a text of hexadecimal digits spells.
fn hex_of(node: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    match node.shape() {
        Shape::Text => {
            let digits = node.to_text()?;
            hex::bytes(&digits).ok_or_else(|| node.expected("hexadecimal digits, two per byte"))
        }
        _ => Err(node.expected("hexadecimal digits, two per byte")),
    }
}
