//! Packages of SeetaFace (`.sta`, `.csta`): a value such as that of JSON, with the bytes of modules in it. The bytes are
//! in `docs/wire-sta.md`.

mod error;
mod json;
mod name;
mod read;
mod report;
#[cfg(test)]
mod tests;
mod write;

use std::borrow::Cow;

use fourfold::{Path, Segment};

pub use self::error::{Error, ErrorKind};
pub use self::json::{ReadFile, extract, pack};
pub use self::read::read;
pub use self::report::{PackageReport, damaged_modules};
pub use self::write::write;
use crate::failure::{Failure, describe};
use crate::input::Input;
use crate::model::{Document, Part, Root, VALUE};
use crate::write::count::number;
use crate::write::hex::cells;
use crate::write::width::head;

/// The name of the format.
pub const NAME: &str = "sta";

/// The usual extensions of packages.
pub const EXTENSIONS: [&str; 2] = ["sta", "csta"];

/// The first bytes of a package.
pub(crate) const MARK: [u8; 4] = 0x1991_0929_u32.to_le_bytes();

/// The first bytes of an encrypted file.
const ENCRYPTED: [[u8; 4]; 2] = [*b"fast", *b"seta"];

/// The bytes before values, which select their types.
mod tag {
    pub(super) const NIL: u8 = 0;
    pub(super) const INT: u8 = 1;
    pub(super) const FLOAT: u8 = 2;
    pub(super) const STRING: u8 = 3;
    pub(super) const BINARY: u8 = 4;
    pub(super) const LIST: u8 = 5;
    pub(super) const DICT: u8 = 6;
    pub(super) const BOOLEAN: u8 = 7;
}

/// How many columns of a key are in a path.
const KEY: usize = 100;

/// Maximum nesting of lists and dicts.
pub const DEEPEST: u16 = 128;

/// A value of a package.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    Nil,
    Int(i32),
    Float(f32),
    /// Text, which need not be UTF-8.
    String(Cow<'a, [u8]>),
    Binary(Cow<'a, [u8]>),
    List(Vec<Value<'a>>),
    /// Unique keys, in the order of the file.
    Dict(Vec<(Cow<'a, str>, Value<'a>)>),
    Bool(bool),
}

impl Value<'_> {
    /// The name of its type.
    pub const fn type_name(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::String(_) => "string",
            Value::Binary(_) => "binary",
            Value::List(_) => "list",
            Value::Dict(_) => "dict",
            Value::Bool(_) => "bool",
        }
    }

    /// Calls `look` with each value that has no others in it, and its path. Long keys are shortened.
    fn each(&self, path: &mut Vec<Segment>, look: &mut dyn FnMut(&[Segment], &Value<'_>)) {
        let mut inside = |segment, value: &Value<'_>| {
            path.push(segment);
            value.each(path, look);
            path.pop();
        };
        match self {
            Value::List(items) if !items.is_empty() => {
                let items = items.iter().enumerate();
                items.for_each(|(index, item)| inside(Segment::Index(index), item));
            }
            Value::Dict(entries) if !entries.is_empty() => {
                let named = |key: &str| Segment::named(&head(key, KEY));
                entries.iter().for_each(|(key, value)| inside(named(key), value));
            }
            _ => look(path, self),
        }
    }

    /// The value at a path such as `pre_processor[0].mean`.
    pub fn at(&self, path: &Path) -> Option<&Self> {
        path.segments().try_fold(self, |value, segment| match (value, segment) {
            (Value::List(items), Segment::Index(index)) => items.get(*index),
            (Value::Dict(entries), Segment::Field(name)) => {
                entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
            }
            _ => None,
        })
    }
}

/// Whether a file is a package, by its first bytes.
pub fn is_package(bytes: &[u8]) -> bool {
    bytes.starts_with(&MARK)
}

/// Whether a file has the first bytes of an encrypted package or module. Text can begin in the same way.
pub(crate) fn may_be_encrypted(bytes: &[u8]) -> bool {
    ENCRYPTED.iter().any(|mark| bytes.starts_with(mark))
}

/// The error for a file that is named like a package and does not begin like one; `None` for other names.
pub(crate) fn without_mark(name: &str, bytes: &[u8]) -> Option<String> {
    let extension = std::path::Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    let found = cells(bytes.get(..MARK.len()).unwrap_or(bytes), usize::MAX);
    EXTENSIONS.contains(&&*extension).then(|| {
        format!(
            "a package begins with {}, not {found}; SeetaFace6 publishes encrypted models, so use the .sta \
             package that it was made from",
            cells(&MARK, usize::MAX)
        )
    })
}

/// The content of a file that is a package.
///
/// # Errors
///
/// What is wrong with its bytes.
pub fn open(input: &Input) -> Result<Value<'_>, Failure> {
    read(&input.bytes).map_err(|error| Failure::data(&input.name, describe(&error)))
}

/// Whether the keys of all dicts are in the order in which OpenRoleZoo writes them: that of their bytes.
pub fn is_sorted(value: &Value<'_>) -> bool {
    match value {
        Value::List(items) => items.iter().all(is_sorted),
        Value::Dict(entries) => {
            entries.is_sorted_by(|(one, _), (other, _)| one < other)
                && entries.iter().all(|(_, value)| is_sorted(value))
        }
        _ => true,
    }
}

/// The content of a package, with the size of each binary in place of its bytes.
pub fn document<'v>(value: &'v Value<'_>) -> Document<'v> {
    of_part(json::part(value, &mut |_, bytes| json::size(number(bytes.len()))))
}

/// The content of a package, with the bytes of binaries.
pub(crate) fn whole<'v>(value: &'v Value<'_>) -> Document<'v> {
    of_part(json::part(value, &mut |_, bytes| Part::Hex(bytes)))
}

fn of_part(part: Part<'_>) -> Document<'_> {
    let part = Part::map([(VALUE, part)]);
    Document { name: NAME, ty: None, is_one: true, root: Root::Plain, part }
}
