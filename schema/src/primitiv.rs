//! Checks whether primitiv can represent a Rust type.

use fourfold::mark::ANY;
use fourfold::primitiv::mark::{Mark, is_document};
use fourfold::primitiv::{ErrorKind, Result};
use serde_core::de::Deserialize;

use crate::common::Verdict;
use crate::fit::{self, Inside, Rules};
use crate::trace::{Graph, Shown};

/// Checks which values of a Rust type come back equal from primitiv, without a value of it.
///
/// Only reading is traced. What it does in writing alone is not seen: `skip_serializing_if`, a skipped
/// variant before others, a `Serialize` that does not match. Nor is what the variants of an adjacently tagged
/// enum hold, but for unit variants, which are refused.
///
/// The verdict is [`SomeValues`](Verdict::SomeValues) where a value without what is refused comes back: a `None`, an
/// empty list, another variant. So it is where something cannot be seen.
///
/// ```
/// use fourfold::primitiv;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Note {
///     #[serde(with = "primitiv::with::text")]
///     name: Vec<u8>,
///     rest: Option<serde_json::Value>,
/// }
///
/// assert_eq!(
///     fourfold_schema::primitiv::check::<Note>().to_string(),
///     "never\n\
///      name: the mark `text` fits bytes, not a sequence: remove the mark\n\
///      rest: calls `deserialize_any`, and primitiv is not self-describing: mark it `any`",
/// );
/// ```
pub fn check<'de, T: Deserialize<'de>>() -> Verdict {
    fit::check::<Primitiv>(&Graph::of::<T>())
}

struct Primitiv;

impl Rules for Primitiv {
    type Mark = Mark;
    type Kind = ErrorKind;

    const FORMAT: &'static str = "primitiv";

    fn units() -> Option<ErrorKind> {
        Some(ErrorKind::UNIT_CONTENT)
    }

    fn enter(mark: Option<Mark>, shown: &Shown) -> Result<Inside<Mark>> {
        let (found, inside) = match shown {
            Shown::Newtype(name, _) => return newtype(mark, name),
            Shown::Option(_) => return Ok(Inside::Same(mark)),
            Shown::Struct(name, _) => {
                // One on an adjacently tagged enum is one on its tag, which is the first field.
                return match Mark::of(name)?.or(mark) {
                    Some(Mark::Text) => Err(Mark::Text.mismatch("a struct")),
                    Some(mark) => Ok(Inside::First(mark)),
                    None => Ok(Inside::Parts),
                };
            }
            Shown::Enum(name, _) => {
                return match (Mark::of(name)?, mark) {
                    (Some(Mark::Text), _) | (_, Some(Mark::Text)) => {
                        Err(Mark::Text.mismatch("an enum"))
                    }
                    _ => Ok(Inside::Parts),
                };
            }
            Shown::UnitStruct(name) => {
                Mark::refuse(name, "a unit struct")?;
                ("a unit struct", Inside::Nothing)
            }
            Shown::TupleStruct(name, _) => {
                Mark::refuse(name, "a tuple struct")?;
                ("a tuple or array", Inside::Parts)
            }
            Shown::Text | Shown::Scalar("char") | Shown::Bytes if mark == Some(Mark::Text) => {
                return Ok(Inside::Nothing);
            }
            Shown::Text | Shown::Scalar("char") => ("text", Inside::Nothing),
            Shown::Bytes => ("bytes", Inside::Nothing),
            Shown::Scalar(name) => (*name, Inside::Nothing),
            Shown::Unit => ("a unit", Inside::Nothing),
            Shown::Sequence(_) => ("a sequence", Inside::Parts),
            Shown::Map(..) => ("a map", Inside::Parts),
            Shown::Tuple(_) => ("a tuple or array", Inside::Parts),
            Shown::Untyped | Shown::Varied | Shown::Identifier | Shown::Unseen => {
                return Ok(Inside::Nothing);
            }
        };
        mark.map_or(Ok(inside), |mark| Err(mark.mismatch(found)))
    }
}

fn newtype(mark: Option<Mark>, name: &'static str) -> Result<Inside<Mark>> {
    let found = match () {
        () if is_document(name) => "a document",
        () if name == ANY => "a value that is marked `any`",
        () => return Mark::one_of(mark, name).map(Inside::Same),
    };
    mark.map_or(Ok(Inside::Nothing), |mark| Err(mark.mismatch(found)))
}
