//! Checks whether tsm can represent a Rust type.

use fourfold::mark::ANY;
use fourfold::tsm::{Error, ErrorKind, Result, mark};
use serde_core::de::Deserialize;

use crate::common::Verdict;
use crate::fit::{self, Inside, Rules};
use crate::trace::{Graph, Shown};

/// Checks which values of a Rust type come back equal from tsm, without a value of it.
///
/// Only reading is traced. What it does in writing alone is not seen: `skip_serializing_if`, a skipped
/// variant before others, a `Serialize` that does not match. Nor is what the variants of an adjacently tagged
/// enum hold.
///
/// The verdict is [`SomeValues`](Verdict::SomeValues) where a value without what is refused comes back: a `None`, an
/// empty list, another variant. So it is where something cannot be seen.
///
/// ```
/// use fourfold::tsm;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Note {
///     #[serde(with = "tsm::with::raw")]
///     digest: Vec<u8>,
///     rest: Option<serde_json::Value>,
/// }
///
/// assert_eq!(
///     fourfold_schema::tsm::check::<Note>().to_string(),
///     "never\n\
///      digest: the mark `raw` fits bytes and arrays, not a sequence: remove the mark\n\
///      rest: calls `deserialize_any`, and tsm is not self-describing: mark it `any`",
/// );
/// ```
pub fn check<'de, T: Deserialize<'de>>() -> Verdict {
    fit::check::<Tsm>(&Graph::of::<T>())
}

struct Tsm;

/// The mark `raw`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Raw;

impl Rules for Tsm {
    type Mark = Raw;
    type Kind = ErrorKind;

    const FORMAT: &'static str = "tsm";

    fn enter(mark: Option<Raw>, shown: &Shown) -> Result<Inside<Raw>> {
        match (shown, mark) {
            (Shown::Newtype(mark::RAW_LEN, _), _) => Ok(Inside::Nothing),
            (Shown::Newtype(ANY, _), None) => Ok(Inside::Nothing),
            (Shown::Newtype(name, _), None) if mark::is_document(name) => Ok(Inside::Nothing),
            (Shown::Newtype(name, _), _) if mark::is_document(name) => {
                Err(mark::mismatch("a document"))
            }
            (Shown::Newtype(name, _), _) => {
                let is_raw = mark::is_raw(name)?;
                Ok(Inside::Same(mark.or(is_raw.then_some(Raw))))
            }
            (Shown::Option(_), _) => Ok(Inside::Same(mark)),
            (shown, None) => plain(shown),
            (shown, Some(Raw)) => raw(shown),
        }
    }
}

fn plain(shown: &Shown) -> Result<Inside<Raw>> {
    let (name, found) = match shown {
        Shown::UnitStruct(name) => (name, "a unit struct"),
        Shown::TupleStruct(name, _) => (name, "a tuple struct"),
        Shown::Struct(name, _) => (name, "a struct"),
        Shown::Enum(name, _) => (name, "an enum"),
        _ => return Ok(Inside::Parts),
    };
    mark::refuse(name, found).map(|()| Inside::Parts)
}

/// What is marked `raw`: an array. Bytes are written so, without their number.
fn raw(shown: &Shown) -> Result<Inside<Raw>> {
    Err(match shown {
        Shown::Tuple(_) => return Ok(Inside::Parts),
        Shown::Scalar("bool") => mark::mismatch("a bool"),
        Shown::Scalar("char") => mark::mismatch("a char"),
        Shown::Scalar(_) => mark::mismatch("a number"),
        Shown::Text => mark::mismatch("text"),
        Shown::Unit | Shown::UnitStruct(_) => mark::mismatch("a unit"),
        Shown::Sequence(_) => mark::mismatch("a sequence"),
        Shown::Map(..) => mark::mismatch("a map"),
        Shown::TupleStruct(..) | Shown::Struct(..) => mark::mismatch("a struct"),
        Shown::Enum(..) => mark::mismatch("an enum"),
        _ => Error::placeless(ErrorKind::RawLength),
    })
}
