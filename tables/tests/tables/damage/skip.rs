//! Damaged rows that are counted and skipped.

use fourfold::biniou::to_vec;
use fourfold::biniou::with::Table as AsTable;
use fourfold::molecule;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold_tables::{Damaged, Options, Schema, Table};
use serde_json::{Value, json};

use crate::files::{CELLS, ENTRIES, Entry, cells, chunks, entries, points, records, values};
use crate::rows::{made, outcome};

/// The numbers of the remaining rows, from one column, and the errors of the skipped ones.
fn read(schema: &Schema, name: &str, column: &str, bytes: &[u8]) -> (Vec<i64>, Vec<String>) {
    let options = Options::new().damaged(Damaged::Skip);
    let table = Table::with_options(schema, name, options).unwrap();
    let mut reader = table.read(bytes);
    let outcome = outcome(&mut reader);
    assert_eq!(outcome.error, None);
    let damages: Vec<String> = reader.damages().iter().map(ToString::to_string).collect();
    assert_eq!(reader.damaged(), damages.len() as u64);
    let numbers = outcome.rows.iter().map(|row| row[column].as_i64().unwrap());
    (numbers.collect(), damages)
}

/// Six entries, two of which have an invalid string.
fn damaged(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for text in ["entry 1", "entry 4"] {
        let at = bytes.windows(7).position(|it| it == text.as_bytes()).unwrap();
        bytes[at] = 0xff;
    }
    bytes
}

#[test]
fn damaged_rows_of_biniou_are_skipped() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let all = entries(6);
    let forms: [Vec<u8>; 5] = [
        values(&all),
        to_vec(&all).unwrap(),
        to_vec(&AsTable(&all)).unwrap(),
        chunks(all.iter().map(|it| to_vec(it).unwrap())),
        chunks(all.chunks(3).map(|it: &[Entry]| to_vec(it).unwrap())),
    ];
    for form in forms {
        let bytes = damaged(&form);
        let (left, damages) = read(&schema, "entry", "n", &bytes);
        assert_eq!(left, [0, 2, 3, 5]);
        let wrong = "invalid utf-8 at byte 0 of a string in ";
        assert!(damages[0].starts_with(&format!("row 1: {wrong}")), "{damages:?}");
        assert!(damages[1].starts_with(&format!("row 4: {wrong}")), "{damages:?}");
        assert_eq!(damages.len(), 2);
    }
}

/// The rows before it are returned, whether it is skipped or an error.
#[test]
fn a_damaged_row_may_be_the_last() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let mut bytes = values(&entries(3));
    *bytes.last_mut().unwrap() = 0xff;
    let wrong = "row 2: invalid utf-8 at byte 6 of a string in s at byte 56; read strings as bytes (option `strings`)";
    assert_eq!(read(&schema, "entry", "n", &bytes), (vec![0, 1], vec![wrong.into()]));
    let table = Table::new(&schema, "entry").unwrap();
    let outcome = outcome(&mut table.read(&*bytes));
    assert_eq!((outcome.rows.len(), outcome.error.as_deref()), (2, Some(wrong)));
}

/// Values appended from a skipped row do not remain in the next one.
#[test]
fn nothing_of_a_damaged_row_remains() {
    let schema = Schema::biniou("type row = { l : string list }").unwrap();
    let mut bytes = made(&schema, &json!({"l": ["a", "b"]}), "row");
    *bytes.last_mut().unwrap() = 0xff;
    bytes.extend(made(&schema, &json!({"l": ["c"]}), "row"));
    let options = Options::new().damaged(Damaged::Skip);
    let table = Table::with_options(&schema, "row", options).unwrap();
    let outcome = outcome(&mut table.read(&*bytes));
    assert_eq!((outcome.rows, outcome.error), (vec![json!({"l": ["c"]})], None));
}

#[test]
fn damaged_records_of_molecule_are_skipped() {
    let schema = Schema::molecule(CELLS).unwrap();
    let all = cells(5);
    let vector = molecule::to_vec(&DynVec(&all)).unwrap();
    for (name, mut bytes, what) in [
        ("Cell", records(&all), "row 3: offset 13 is not a multiple of 4 at byte 79"),
        ("Cells", vector, "row 3: offset 13 is not a multiple of 4 in [3] at byte 103"),
    ] {
        // The first offset of the fourth record.
        let at = bytes.windows(8).position(|it| it == 3u64.to_le_bytes()).unwrap() - 8;
        bytes[at] = 13;
        let (left, damages) = read(&schema, name, "capacity", &bytes);
        assert_eq!(left, [0, 1, 2, 4], "{name}");
        assert_eq!(damages, [what], "{name}");
    }
}

/// These bytes do not show where the next row begins, so reading ends.
#[test]
fn reading_ends_where_the_next_row_is_unknown() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let mut bytes = values(&entries(3));
    bytes[21] = 5;
    assert_eq!(
        read(&schema, "entry", "n", &bytes),
        (vec![0], vec!["row 1: unknown tag 5 at byte 21".into()])
    );
    let bytes = &values(&entries(3))[..30];
    assert_eq!(
        read(&schema, "entry", "n", bytes),
        (vec![0], vec!["row 1: length 2 needs 12 bytes or more, 7 left at byte 22".into()])
    );

    let schema = Schema::molecule(CELLS).unwrap();
    let mut bytes = records(&cells(3));
    // The size of the second record.
    bytes[24] = 3;
    assert_eq!(
        read(&schema, "Cell", "capacity", &bytes),
        (
            vec![0],
            vec![
                "row 1: full size 3 of a record is less than the 4 bytes of a full size at byte 24"
                    .into()
            ]
        )
    );
    let bytes = records(&cells(3));
    assert_eq!(
        read(&schema, "Cell", "capacity", &bytes[..60]),
        (vec![0, 1], vec!["row 2: input ends early: 26 bytes needed, 11 left at byte 49".into()])
    );
    let bytes = molecule::to_vec(&FixVec(points(3))).unwrap();
    assert_eq!(
        read(&schema, "Points", "y", &bytes[..17]),
        (
            vec![0, 1],
            vec!["row 2: input ends early: 5 bytes needed, 3 left in [2] at byte 14".into()]
        )
    );
}

/// The header of a chunk shows where the next one begins, whatever the content.
#[test]
fn an_invalid_chunk_is_skipped() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let all = entries(3);
    let bytes = chunks([values(&all[..1]), vec![5, 5, 5], vec![], values(&all[2..])]);
    let (left, damages) = read(&schema, "entry", "n", &bytes);
    assert_eq!(left, [0, 2]);
    assert_eq!(
        damages,
        [
            "row 1: unknown tag 5 in [1] at byte 39",
            "row 2: input ends early: 1 byte needed, 0 left in [2] at byte 51"
        ]
    );
}

#[test]
fn the_first_hundred_errors_are_stored_and_all_are_counted() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let bytes = chunks((0..150).map(|_| vec![5]).chain([values(&entries(1))]));
    let options = Options::new().damaged(Damaged::Skip);
    let table = Table::with_options(&schema, "entry", options).unwrap();
    let mut reader = table.read(&*bytes);
    let rows: Vec<Value> = outcome(&mut reader).rows;
    assert_eq!((rows.len(), reader.damaged(), reader.damages().len()), (1, 150, 100));
    let damage = &reader.damages()[7];
    assert_eq!(
        (damage.file(), damage.row(), damage.text()),
        (None, Some(7), "unknown tag 5 in [7] at byte 79")
    );
}

/// Trailing bytes of a chunk are not read as rows of the next one.
#[test]
fn the_chunk_after_trailing_bytes_is_read() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let all = entries(3);
    let long = [&values(&all[1..2])[..], &[0]].concat();
    let bytes = chunks([values(&all[..1]), long, values(&all[2..])]);
    let (left, damages) = read(&schema, "entry", "n", &bytes);
    assert_eq!(left, [0, 1, 2]);
    assert_eq!(damages.len(), 1, "{damages:?}");
}
