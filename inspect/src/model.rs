//! Files as JSON, both ways: one form per format, written up in `docs/json.md`. Knows the formats'
//! documents and what JSON is, does not know how it is laid out on a page.

pub mod biniou;
mod document;
mod elements;
pub(crate) mod float;
mod items;
pub mod molecule;
mod node;
mod part;
pub mod primitiv;
mod tensors;
pub mod tsm;

pub use self::biniou::{name_of, same_hash, spelled};
pub use self::document::{Document, NEEDS_SCHEMA, Root, no_molecule};
pub use self::elements::{Elements, Kind};
pub use self::items::Items;
pub(crate) use self::node::Shape;
pub use self::node::{DEEPEST, Fields, Node, Wrong};
use self::node::{u8, u32};
pub use self::part::{Part, Tensor};
pub use self::tensors::kind;
use crate::write::hex;

/// The key that says which format a JSON file stands for.
pub(crate) const FORMAT: &str = "fourfold";

/// The key of what a schema calls the type.
pub const TYPE: &str = "type";

/// The key of a value that stands alone.
pub const VALUE: &str = "value";

/// The key of values that stand one behind the other.
pub const VALUES: &str = "values";

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
