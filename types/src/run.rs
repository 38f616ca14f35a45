//! Every value through every format. Knows formats, knows no types.

use std::fmt::Debug;

use fourfold::molecule::with::Any;
use fourfold::{biniou, molecule, primitiv, tsm};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::{Outcome, Rows, Way, equal, outcome};

/// Our formats, in the order of columns.
pub const FORMATS: [&str; 4] = ["molecule", "biniou", "tsm", "primitiv"];

/// Theirs, behind ours.
pub const PEERS: [&str; 5] = ["rmp-serde named", "ciborium", "serde_json", "postcard", "bincode 1"];

/// Our formats once more, with `any` around each value; the last columns.
pub const ANY: [&str; 4] = ["molecule, any", "biniou, any", "tsm, any", "primitiv, any"];

/// A type: its values, and what became of each in each column.
pub struct Row {
    pub group: &'static str,
    pub name: &'static str,
    /// As `Debug` shows them.
    pub values: Vec<String>,
    /// A column's outcomes are as many as there are values.
    pub columns: Vec<Vec<Outcome>>,
}

/// What was tried so far.
#[derive(Default)]
pub struct Run {
    pub rows: Vec<Row>,
    group: &'static str,
}

fn text<T, E: ToString>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Equality of types without one.
fn shows<T: Serialize>(one: &T, other: &T) -> bool {
    matches!((serde_json::to_string(one), serde_json::to_string(other)), (Ok(one), Ok(other)) if one == other)
}

/// One way for each column.
macro_rules! ours {
    ($($format:ident)*) => {
        [$(Way::<T> {
            write: |value| text($format::to_vec(value)),
            read: |bytes| text($format::from_slice(bytes)),
        }),*]
    };
}

/// The same with `any` around the value.
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
        let peers = [
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
        let columns = ours.iter().chain(&peers).chain(&any);
        let columns = columns.map(|way| values.iter().map(|v| outcome(v, way, same)).collect());
        let columns = columns.collect();
        let values = values.iter().map(|value| format!("{value:?}")).collect();
        self.rows.push(Row { group: self.group, name, values, columns });
    }

    /// Some values of a type without equality: they are equal if JSON shows the same of them.
    pub fn looks<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + Debug + 'static,
    {
        self.run(name, values, shows, |bytes| text(ciborium::from_reader(bytes)));
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
        self.run(name, values, equal, |_| Err("ciborium borrows nothing".into()));
    }
}
