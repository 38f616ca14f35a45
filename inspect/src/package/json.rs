//! Packages as the JSON of OpenRoleZoo, in both directions: text that begins with `@` and a command stands for what JSON
//! does not have, such as `@file@backbone.tsm` for the bytes of a file.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::name::{FileNames, Step};
use super::{NAME, Value};
use crate::model::float::read32;
use crate::model::{FORMAT, Node, Part, Shape, VALUE, Wrong};

const FILE: &str = "file";
const BASE64: &str = "base64";
const SIZE: &str = "binary";
const NIL: &str = "nil";
/// The time of packing.
const TIMES: [&str; 3] = ["date", "time", "datetime"];
/// The bytes of a string that is not UTF-8 or begins like a command. OpenRoleZoo does not have it.
const STRING: &str = "string";
/// The bits of a float that is not finite. OpenRoleZoo does not have it.
const FLOAT: &str = "float";

/// Reads a file with that name; its errors are text.
pub type ReadFile<'r> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'r;

/// The JSON of a package, and the files that it names for the binaries. Names begin with `stem`.
pub fn extract<'v>(value: &'v Value<'_>, stem: &str) -> (Part<'v>, Vec<(String, &'v [u8])>) {
    let mut names = FileNames::new(stem);
    let mut files = Vec::new();
    let json = part(value, &mut |path, bytes| {
        // OpenRoleZoo does not read empty files.
        if bytes.is_empty() {
            return Part::text(command(BASE64, ""));
        }
        let name = names.name(path, bytes);
        let text = command(FILE, &name);
        files.push((name, bytes));
        Part::text(text)
    });
    (json, files)
}

/// What is in the JSON in place of a binary.
type OfBinary<'f, 'v> = dyn FnMut(&[Step<'v>], &'v [u8]) -> Part<'v> + 'f;

/// The JSON of a value.
pub(super) fn part<'v>(value: &'v Value<'_>, binary: &mut OfBinary<'_, 'v>) -> Part<'v> {
    inner(value, &mut Vec::new(), binary)
}

fn inner<'v>(
    value: &'v Value<'_>,
    path: &mut Vec<Step<'v>>,
    binary: &mut OfBinary<'_, 'v>,
) -> Part<'v> {
    let mut step = |step, value| {
        path.push(step);
        let part = inner(value, path, binary);
        path.pop();
        part
    };
    match value {
        Value::Nil => Part::Null,
        Value::Int(number) => Part::integer(*number),
        Value::Float(number) if number.is_finite() => Part::Float32(*number),
        Value::Float(number) => Part::text(command(FLOAT, &format!("{:08x}", number.to_bits()))),
        Value::String(bytes) => string(bytes),
        Value::Binary(bytes) => binary(path, bytes),
        Value::List(items) => {
            let items = items.iter().enumerate();
            Part::List(items.map(|(index, item)| step(Step::Index(index), item)).collect())
        }
        Value::Dict(entries) => {
            let field = |(key, value): &'v (Cow<'_, str>, Value<'_>)| {
                (Cow::Borrowed(&**key), step(Step::Key(key), value))
            };
            Part::Map(entries.iter().map(field).collect())
        }
        Value::Bool(value) => Part::Bool(*value),
    }
}

/// The text in place of a binary of that size.
pub(super) fn size<'v>(bytes: u64) -> Part<'v> {
    Part::text(command(SIZE, &bytes.to_string()))
}

fn command(name: &str, argument: &str) -> String {
    format!("@{name}@{argument}")
}

/// The name and argument of a command, if the text is one.
fn as_command(text: &str) -> Option<(&str, &str)> {
    let command = text.strip_prefix('@')?;
    let (name, argument) = command.split_once('@').unwrap_or((command, ""));
    let is_known =
        [FILE, BASE64, SIZE, NIL, STRING, FLOAT].contains(&name) || TIMES.contains(&name);
    is_known.then_some((name, argument))
}

fn string(bytes: &[u8]) -> Part<'_> {
    match std::str::from_utf8(bytes) {
        Ok(text) if as_command(text).is_none() => Part::text(text),
        _ => Part::text(command(STRING, &STANDARD.encode(bytes))),
    }
}

/// The package that a JSON text describes, with the keys of its dicts in the order of their bytes, as in those that
/// OpenRoleZoo writes. `read` reads the files that it names.
///
/// # Errors
///
/// What a package cannot store, and files that cannot be read.
pub fn pack(node: &Node<'_>, read: &mut ReadFile<'_>) -> Result<Value<'static>, Wrong> {
    if is_dump(node) {
        let hint = "extract the package with `fourfold convert` to a file named .json";
        return Err(node
            .wrong("this is the JSON of `dump`, without the bytes of binaries")
            .with_hint(hint));
    }
    packed(node, read)
}

/// Whether this is the JSON that `dump` prints of a package.
fn is_dump(node: &Node<'_>) -> bool {
    node.shape() == Shape::Object
        && node.entries().is_ok_and(|fields| {
            let format = fields.get(FORMAT).and_then(|node| Some(node.to_text().ok()? == NAME));
            format == Some(true) && fields.get(VALUE).is_some()
        })
}

fn packed(node: &Node<'_>, read: &mut ReadFile<'_>) -> Result<Value<'static>, Wrong> {
    Ok(match node.shape() {
        Shape::Null => Value::Nil,
        Shape::Bool(value) => Value::Bool(value),
        Shape::Number => number(node)?,
        Shape::Text => {
            let text = node.to_text()?;
            match as_command(&text) {
                Some((name, argument)) => of_command(node, name, argument, read)?,
                None => Value::String(Cow::Owned(text.into_owned().into_bytes())),
            }
        }
        Shape::List => Value::List(node.items(|item| packed(item, read))?),
        Shape::Object => {
            let fields = node.fields()?;
            let mut entries: Vec<(Cow<'static, str>, Value<'static>)> = Vec::new();
            for (key, value) in fields.iter() {
                entries.push((Cow::Owned(key.to_owned()), packed(&value, read)?));
            }
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Dict(entries)
        }
    })
}

/// A number with a point or an exponent is a float.
fn number(node: &Node<'_>) -> Result<Value<'static>, Wrong> {
    let text = node.source();
    if text.contains(['.', 'e', 'E']) {
        return read32(node).map(Value::Float);
    }
    text.parse().map(Value::Int).map_err(|_| {
        node.expected("an integer of 32 bits, or a float with a point, such as 3000000000.0")
    })
}

fn of_command(
    node: &Node<'_>,
    name: &str,
    argument: &str,
    read: &mut ReadFile<'_>,
) -> Result<Value<'static>, Wrong> {
    let decoded = || match STANDARD.decode(argument) {
        Ok(bytes) => Ok(Cow::Owned(bytes)),
        Err(_) => Err(node.expected(&format!("base64 after @{name}@"))),
    };
    Ok(match name {
        // For OpenRoleZoo, a name ends there.
        FILE if argument.contains('@') => {
            return Err(node.wrong("`@` in the name of a file").with_hint("rename the file"));
        }
        FILE => Value::Binary(Cow::Owned(read(argument).map_err(|text| node.wrong(text))?)),
        BASE64 => Value::Binary(decoded()?),
        STRING => Value::String(decoded()?),
        NIL => Value::Nil,
        FLOAT => {
            let bits = u32::from_str_radix(argument, 16).ok().filter(|_| argument.len() == 8);
            let bits =
                bits.ok_or_else(|| node.expected("the 8 digits of a float's bits after @float@"))?;
            Value::Float(f32::from_bits(bits))
        }
        SIZE => {
            let text = "this is the size of a binary, not its bytes";
            return Err(node.wrong(text).with_hint("name a file with them: \"@file@NAME\""));
        }
        _ => {
            let text =
                format!("@{name} is the time of packing, so each package would be different");
            return Err(node.wrong(text).with_hint("write the time itself"));
        }
    })
}
