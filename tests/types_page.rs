//! *Will my type work?*, the page: each cell is what the library does.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test reports by panicking"
)]

mod support;
#[path = "support/types/mod.rs"]
mod types;

use std::fmt::Debug;
use std::path::Path;

use fourfold::molecule::with::Any;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use support::format::{Biniou, Format, Molecule, Primitiv, Tsm};
use types::{Rows, Table, Tried, Way};

support::format::formats! { biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm }

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The rows of *Will my type work?* as they are.
#[derive(Default)]
struct Cells {
    table: Table,
    row: Option<(&'static str, [Vec<Tried>; 4])>,
}

const FORMATS: [&str; 4] = [Molecule::NAME, Biniou::NAME, Tsm::NAME, Primitiv::NAME];

/// The way of a type in one format, and that with `any` around it.
fn way<F: Format, T: Serialize + Deserialize<'static>>() -> [Way<T>; 2] {
    [
        Way {
            write: |value| F::to_vec(value).map_err(|error| error.to_string()),
            read: |bytes| F::from_slice(bytes).map_err(|error| error.to_string()),
        },
        Way {
            write: |value| F::to_vec(&Any(value)).map_err(|error| error.to_string()),
            read: |bytes| match F::from_slice(bytes) {
                Ok(Any(value)) => Ok(value),
                Err(error) => Err(error.to_string()),
            },
        },
    ]
}

/// The same in each format, in the order of [`FORMATS`].
fn ways<T: Serialize + Deserialize<'static>>() -> [[Way<T>; 2]; 4] {
    [way::<Molecule, T>(), way::<Biniou, T>(), way::<Tsm, T>(), way::<Primitiv, T>()]
}

/// The outcomes of values in one format.
fn tried<T: PartialEq + Debug>(mark: &'static str, way: &Way<T>, values: &[T]) -> Tried {
    let outcome = |value| (format!("{value:?}"), types::outcome(value, way, types::equal));
    Tried { mark, values: values.iter().map(outcome).collect() }
}

impl Cells {
    /// Ends the row that was begun.
    fn end(&mut self) {
        if let Some((name, cells)) = self.row.take() {
            self.table.row(name, &cells.map(|tried| types::cell(&tried)));
        }
    }
}

impl Rows for Cells {
    fn group(&mut self, name: &'static str) {
        self.end();
        self.table.group(name, &FORMATS);
    }

    fn row<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug + 'static,
    {
        self.borrowed(name, values);
    }

    fn borrowed<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + Deserialize<'static> + PartialEq + Debug + 'static,
    {
        self.end();
        let tried = |[plain, any]: [Way<T>; 2]| {
            vec![tried("", &plain, &values), tried("`any`", &any, &values)]
        };
        self.row = Some((name, ways().map(tried)));
    }

    fn marked<T>(&mut self, format: &'static str, mark: &'static str, values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug + 'static,
    {
        let at = FORMATS.iter().position(|name| *name == format).expect("a format");
        let (_, row) = self.row.as_mut().expect("a row before");
        // Before `any`, which is for what no other mark helps.
        row[at].insert(1, tried(mark, &ways()[at][0], &values));
    }
}

/// Each cell of *Will my type work?* is so. `UPDATE=1 cargo test --test types_page` writes the page again.
#[test]
fn types_work_as_the_chapter_documents() {
    let mut cells = Cells::default();
    types::rows(&mut cells);
    cells.end();
    let page = Path::new(ROOT).join("docs/will-my-type-work.md");
    let update = std::env::var_os("UPDATE").is_some();
    if let Err(wrong) = types::check_page(&page, "std and serde", cells.table.text(), update) {
        panic!("{wrong}\n`UPDATE=1 cargo test --test types_page` writes it again");
    }
}
