//! Files as JSON, in both directions: one form per format, described in `docs/json.md`.

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
pub use self::document::{Document, Root, needs_schema, no_check, no_molecule};
pub use self::elements::{Elements, Kind};
pub use self::items::Items;
pub(crate) use self::node::Shape;
pub use self::node::{DEEPEST, Fields, Node, Wrong};
use self::node::{u8, u32};
pub use self::part::{Part, Tensor};
pub use self::tensors::kind;
use crate::write::hex;

/// The key with the format of a JSON file.
pub(crate) const FORMAT: &str = "fourfold";

/// The key with the type's name in the schema.
pub const TYPE: &str = "type";

/// The key of a single value.
pub const VALUE: &str = "value";

/// The key of concatenated values.
pub const VALUES: &str = "values";

/// Replaces the elements of a tensor that are left out.
const SUMMARY: &str = "$summary";

/// Bytes that are not text.
const HEX: &str = "$hex";

/// Text if it is UTF-8, else bytes.
fn text_or_hex(bytes: &[u8]) -> Part<'_> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Part::text(text),
        Err(_) => Part::form(HEX, Part::text(hex::digits(bytes))),
    }
}

/// The bytes of text, or those of `$hex`.
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

/// The bytes of hexadecimal digits.
fn hex_of(node: &Node<'_>) -> Result<Vec<u8>, Wrong> {
    match node.shape() {
        Shape::Text => {
            let digits = node.to_text()?;
            hex::bytes(&digits).ok_or_else(|| node.expected("hexadecimal digits, two per byte"))
        }
        _ => Err(node.expected("hexadecimal digits, two per byte")),
    }
}
