//! Small files that are cut at every byte, or have every other value at every byte: reading never panics, and ends.

use fourfold::biniou::to_vec;
use fourfold::biniou::with::Table as AsTable;
use fourfold::molecule;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold_tables::{Damaged, Options, Schema, Table};

use crate::files::{CELLS, ENTRIES, cells, chunks, entries, points, records, values};
use crate::rows::read;

/// A file, and its schema and type.
fn files() -> Vec<(Schema, &'static str, Vec<u8>)> {
    let biniou = Schema::biniou(ENTRIES).unwrap();
    let molecule = Schema::molecule(CELLS).unwrap();
    let all = entries(3);
    let list = to_vec(&all).unwrap();
    vec![
        (biniou.clone(), "entry", values(&all)),
        (biniou.clone(), "entries", list.clone()),
        (biniou.clone(), "entry", to_vec(&AsTable(&all)).unwrap()),
        (biniou.clone(), "entry", chunks([&list, &values(&all[..1])])),
        (molecule.clone(), "Cell", records(&cells(3))),
        (molecule.clone(), "Cells", molecule::to_vec(&DynVec(cells(3))).unwrap()),
        (molecule.clone(), "Points", molecule::to_vec(&FixVec(points(3))).unwrap()),
        (molecule.clone(), "Either", vec![1, 0, 0, 0, 1, 0, 0, 0, 2]),
    ]
}

/// Reads everything, and returns the number of rows and whether there was no error.
fn count(table: &Table<'_>, bytes: &[u8]) -> (usize, bool) {
    let mut reader = table.read(bytes);
    let (mut rows, mut is_good) = (0, true);
    for batch in &mut reader {
        match batch {
            Ok(batch) => rows += batch.num_rows(),
            Err(_) => is_good = false,
        }
    }
    (rows, is_good && reader.damaged() == 0)
}

fn tables<'s>(schema: &'s Schema, name: &str) -> [Table<'s>; 2] {
    [Damaged::Stop, Damaged::Skip].map(|damaged| {
        let options = Options::new().damaged(damaged);
        Table::with_options(schema, name, options).unwrap()
    })
}

#[test]
fn every_beginning_of_a_file_is_read_to_an_end() {
    let mut good = 0;
    for (schema, name, bytes) in files() {
        for table in tables(&schema, name) {
            let (all, is_good) = count(&table, &bytes);
            assert!(is_good, "{name}");
            for end in 0..bytes.len() {
                let (rows, is_good) = count(&table, &bytes[..end]);
                assert!(rows <= all, "{name} {end}: {rows}");
                good += usize::from(is_good);
            }
        }
    }
    // Concatenated values and records may end after each of them.
    println!("{good} good");
    assert!(good > 10, "{good}");
}

#[test]
fn a_file_with_one_other_byte_is_read_to_an_end() {
    let (mut good, mut bad) = (0, 0);
    for (schema, name, bytes) in files() {
        for table in tables(&schema, name) {
            for at in 0..bytes.len() {
                for other in (0..=255).filter(|other| *other != bytes[at]) {
                    let mut bytes = bytes.clone();
                    bytes[at] = other;
                    let (rows, is_good) = count(&table, &bytes);
                    // Every row has at least one byte.
                    assert!(rows <= bytes.len(), "{name} {at} {other}: {rows}");
                    good += usize::from(is_good);
                    bad += usize::from(!is_good);
                }
            }
        }
    }
    println!("{good} good, {bad} bad");
    assert!(good > 1_000 && bad > 10_000, "{good} good, {bad} bad");
}

/// Each error names its row; no I/O error or schema error occurs.
#[test]
fn errors_are_those_of_rows() {
    for (schema, name, bytes) in files() {
        let changed = (0..bytes.len()).map(|at| {
            let mut bytes = bytes.clone();
            bytes[at] = 0xff;
            bytes
        });
        let cut = (0..bytes.len()).map(|end| bytes[..end].to_vec());
        for bytes in changed.chain(cut) {
            for table in tables(&schema, name) {
                if let Some(error) = read(&table, &*bytes).error {
                    assert!(error.starts_with("row "), "{name} {bytes:?}: {error}");
                    assert!(!error.contains('\n'), "{error}");
                }
            }
        }
    }
}

/// Lengths in headers are not trusted before the bytes are there.
#[test]
fn claims_cost_nothing() {
    let biniou = Schema::biniou(
        "type entry = { ?n : int option }  type entries = entry list <ocaml repr=\"array\"> <biniou repr=\"table\">",
    )
    .unwrap();
    let molecule = Schema::molecule(CELLS).unwrap();
    let files: [(&Schema, &str, &[u8]); 9] = [
        (&biniou, "entry", &[25, 0xff, 0xff, 0xff, 0x7f, 0]),
        (&biniou, "entries", &[25, 0xff, 0xff, 0xff, 0x7f, 0]),
        (&biniou, "entry", &[25, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f]),
        (&biniou, "entry", &[19, 0xff, 0xff, 0xff, 0x7f, 21]),
        (&biniou, "entry", &[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 21, 0]),
        (&molecule, "Cell", &[0xff, 0xff, 0xff, 0xff, 12, 0, 0, 0]),
        (&molecule, "Cells", &[0xff, 0xff, 0xff, 0xff, 0xfc, 0xff, 0xff, 0xff]),
        (&molecule, "Cells", &[0xff, 0xff, 0xff, 0xff, 8, 0, 0, 0]),
        (&molecule, "Points", &[0xff, 0xff, 0xff, 0xff]),
    ];
    for (schema, name, bytes) in files {
        for table in tables(schema, name) {
            let (rows, is_good) = count(&table, bytes);
            assert!(!is_good && rows <= 1, "{name} {bytes:?}: {rows}");
        }
    }
}
