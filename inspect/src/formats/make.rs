//! Files from JSON.

use fourfold::biniou::Options;

use super::{Format, Typed};
use crate::model::{FORMAT, Node, Shape, Wrong, needs_schema};

/// Makes a file from its JSON.
///
/// # Errors
///
/// If the JSON names no format, another one than `requested`, or a format without types and there is no schema; or
/// the format cannot represent a value.
pub fn make(
    node: &Node<'_>,
    requested: Option<Format>,
    typed: Option<&Typed>,
    options: &Options,
) -> Result<Vec<u8>, Wrong> {
    if let Some(typed) = typed.filter(|_| !names_format(node)) {
        return typed.make_value(node, options);
    }
    let fields = node.fields()?;
    let Some(name) = fields.get(FORMAT) else {
        let text = format!("the key {FORMAT:?} of whole files in `dump --json` is missing");
        return Err(node
            .wrong(text)
            .with_hint("for JSON of one value, pass `--schema` and `--type`"));
    };
    let text = name.to_text()?;
    if let Some(typed) = typed {
        let of_schema = typed.format().name();
        if of_schema != text {
            return Err(name.wrong(match is_untyped(&text) {
                true => format!("this is {text}, and the schema is one of {of_schema}"),
                false => format!("this is {text}, which needs no schema"),
            }));
        }
        let bytes = typed.make(&fields, node, options)?;
        fields.finish()?;
        return Ok(bytes);
    }
    if is_untyped(&text) {
        return Err(needs_schema(&name));
    }
    let mut formats = Format::ALL.into_iter().filter(|format| format.kind().has_types());
    let Some(format) = formats.find(|format| format.name() == text) else {
        return Err(name.expected("\"biniou\", \"tsm\" or \"primitiv\""));
    };
    if let Some(requested) = requested.filter(|requested| *requested != format) {
        let (requested, format) = (requested.name(), format.name());
        return Err(name.wrong(format!("this is {format}, not {requested}")));
    }
    let bytes = format.kind().make(&fields, node, options)?;
    fields.finish()?;
    Ok(bytes)
}

/// Whether this is the JSON of a whole file, not of one value.
fn names_format(node: &Node<'_>) -> bool {
    node.shape() == Shape::Object && node.entries().is_ok_and(|it| it.get(FORMAT).is_some())
}

/// Whether this is the name of a format whose files do not store types.
fn is_untyped(name: &str) -> bool {
    Format::ALL.iter().any(|format| format.name() == name && !format.kind().has_types())
}
