//! Reads each hostile file. Shared with the command that writes `docs/hostile.md`.

use std::collections::HashMap;

use fourfold::molecule::Records;
use fourfold::{biniou, molecule, primitiv, tsm};
use serde::Deserialize;

/// Nested sequences.
#[derive(Deserialize)]
#[allow(dead_code, reason = "read, and dropped")]
pub(crate) struct Nest(Vec<Nest>);

/// Two fields, which a file may repeat.
#[derive(Deserialize)]
#[allow(dead_code, reason = "read, and dropped")]
pub(crate) struct Pair {
    name: String,
    count: u32,
}

/// Lists in a list, each read on demand.
macro_rules! lazy_nest {
    ($format:ident, $bytes:expr) => {{
        #[derive(Deserialize)]
        struct LazyNest<'a>(#[serde(borrow)] $format::List<'a, LazyNest<'a>>);

        let down = || {
            let mut nest: LazyNest<'_> = $format::from_slice($bytes)?;
            while let Some(inner) = nest.0.get(0) {
                nest = inner?;
            }
            Ok::<_, $format::Error>(())
        };
        outcome(down())
    }};
}

/// A list, and then each of its items.
macro_rules! list {
    ($format:ident, $item:ty, $bytes:expr) => {
        outcome(
            $format::from_slice::<$format::List<'_, $item>>($bytes)
                .and_then(|list| list.iter().try_for_each(|item| item.map(drop))),
        )
    };
}

/// Reads a value and drops it. Returns the result with the error's text, or `None` for an unknown format or type.
#[allow(clippy::type_complexity, reason = "one table")]
pub(crate) fn read(format: &str, reads_as: &str, bytes: &[u8]) -> Option<Result<(), String>> {
    macro_rules! types {
        (
            $format:ident: $($name:literal $type:ty,)*
            $(lists of $list:ident,)? $(records of $records:ident,)?
        ) => {
            match reads_as {
                $($name => Some(outcome($format::from_slice::<$type>(bytes))),)*
                "Vec<u64>" => Some(outcome($format::from_slice::<Vec<u64>>(bytes))),
                "Vec<()>" => Some(outcome($format::from_slice::<Vec<()>>(bytes))),
                "Vec<String>" => Some(outcome($format::from_slice::<Vec<String>>(bytes))),
                "Vec<Vec<Vec<u8>>>" => Some(outcome($format::from_slice::<Vec<Vec<Vec<u8>>>>(bytes))),
                "Vec<Option<u8>>" => Some(outcome($format::from_slice::<Vec<Option<u8>>>(bytes))),
                "HashMap<u64, u64>" => Some(outcome($format::from_slice::<HashMap<u64, u64>>(bytes))),
                "Result<u8, String>" => {
                    Some(outcome($format::from_slice::<Result<u8, String>>(bytes)))
                }
                $("List<()>" => Some(list!($list, (), bytes)),
                "List<String>" => Some(list!($list, String, bytes)),
                "LazyNest" => Some(lazy_nest!($list, bytes)),)?
                $("Records<Pair>" => Some(outcome(records($records))),)?
                "String" => Some(outcome($format::from_slice::<String>(bytes))),
                "Nest" => Some(outcome($format::from_slice::<Nest>(bytes))),
                "Pair" => Some(outcome($format::from_slice::<Pair>(bytes))),
                _ => None,
            }
        };
    }
    match format {
        "biniou" => types! { biniou: "Value" biniou::Value, lists of biniou, },
        "molecule" => types! { molecule: lists of molecule, records of bytes, },
        "primitiv" => types! { primitiv: "File" primitiv::File<'_>, lists of primitiv, },
        "tsm" => types! { tsm:
            "Module" tsm::Module<'_>,
            "PackedTensor" tsm::PackedTensor<'_>,
        },
        _ => None,
    }
}

fn outcome<T>(read: Result<T, impl ToString>) -> Result<(), String> {
    read.map(drop).map_err(|error| error.to_string())
}

/// Reads records of a stream, up to the first error.
fn records(mut stream: &[u8]) -> molecule::Result<()> {
    Records::<_, Pair>::from_reader(&mut stream).try_for_each(|record| record.map(drop))
}
