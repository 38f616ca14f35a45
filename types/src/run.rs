//! Writes and reads values with all formats.

use std::fmt::Debug;

use fourfold::molecule::with::Any;
use fourfold::{biniou, molecule, primitiv, tsm};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::{Outcome, Rows, Way, equal, outcome};

/// Our formats, in the order of columns.
pub const FORMATS: [&str; 4] = ["molecule", "biniou", "tsm", "primitiv"];

/// Formats of other crates, the next columns.
pub const OTHERS: [&str; 5] =
    ["rmp-serde named", "ciborium", "serde_json", "postcard", "bincode 1"];

/// Our formats with `any` around each value, the last columns.
pub const ANY: [&str; 4] = ["molecule, any", "biniou, any", "tsm, any", "primitiv, any"];

/// A type with its values and their outcomes.
pub struct Row {
    pub group: &'static str,
    pub name: &'static str,
    /// As printed by `Debug`.
    pub values: Vec<String>,
    /// For each column, one outcome for each value.
    pub columns: Vec<Vec<Outcome>>,
}

/// The types tested so far.
#[derive(Default)]
pub struct Run {
    pub rows: Vec<Row>,
    group: &'static str,
}

fn text<T, E: ToString>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Equality for types without `PartialEq`.
fn same_json<T: Serialize>(one: &T, other: &T) -> bool {
    matches!((serde_json::to_string(one), serde_json::to_string(other)), (Ok(one), Ok(other)) if one == other)
}

/// A writer and a reader for each column.
macro_rules! ours {
    ($($format:ident)*) => {
        [$(Way::<T> {
            write: |value| text($format::to_vec(value)),
            read: |bytes| text($format::from_slice(bytes)),
        }),*]
    };
}

/// The same with `any` around each value.
macro_rules! any {
    ($($format:ident)*) => {
        [$(Way::<T> {
            write: |value| text($format::to_vec(&Any(value))),
            read: |bytes| text($format::from_slice(bytes)).map(|Any(value)| value),
        }),*]
    };
}

impl Run {
    fn run<T>(
        &mut self,
        name: &'static str,
        values: Vec<T>,
        same: fn(&T, &T) -> bool,
        ciborium: fn(&'static [u8]) -> Result<T, String>,
    ) where
        T: Serialize + Deserialize<'static> + Debug + 'static,
    {
        let ours = ours! { molecule biniou tsm primitiv };
        let others = [
            Way {
                write: |value| text(rmp_serde::to_vec_named(value)),
                read: |bytes| text(rmp_serde::from_slice(bytes)),
            },
            Way {
                write: |value| {
                    let mut bytes = Vec::new();
                    text(ciborium::into_writer(value, &mut bytes)).map(|()| bytes)
                },
                read: ciborium,
            },
            Way {
                write: |value| text(serde_json::to_vec(value)),
                read: |bytes| text(serde_json::from_slice(bytes)),
            },
            Way {
                write: |value| text(postcard::to_allocvec(value)),
                read: |bytes| text(postcard::from_bytes(bytes)),
            },
            Way {
                write: |value| text(bincode::serialize(value)),
                read: |bytes| text(bincode::deserialize(bytes)),
            },
        ];
        let any = any! { molecule biniou tsm primitiv };
        let columns = ours.iter().chain(&others).chain(&any);
        let columns = columns.map(|way| values.iter().map(|v| outcome(v, way, same)).collect());
        let columns = columns.collect();
        let values = values.iter().map(|value| format!("{value:?}")).collect();
        self.rows.push(Row { group: self.group, name, values, columns });
    }

    /// Adds a type without `PartialEq`: values are equal if their JSON is.
    pub fn row_by_json<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + Debug + 'static,
    {
        self.run(name, values, same_json, |bytes| text(ciborium::from_reader(bytes)));
    }
}

impl Rows for Run {
    fn group(&mut self, name: &'static str) {
        self.group = name;
    }

    fn row<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug + 'static,
    {
        self.run(name, values, equal, |bytes| text(ciborium::from_reader(bytes)));
    }

    fn borrowed<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + Deserialize<'static> + PartialEq + Debug + 'static,
    {
        self.run(name, values, equal, |_| Err("ciborium does not borrow".into()));
    }
}
