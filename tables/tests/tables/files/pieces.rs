//! Pieces that end anywhere in a file, and rows that are larger than a piece.

use std::io::{self, Read};

use fourfold::biniou::to_vec;
use fourfold::biniou::with::Table as AsTable;
use fourfold::molecule;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold_tables::{Options, Schema, Table};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    CELLS, Cell, ENTRIES, Entry, Point, Slow, cells, chunks, entries, points, records, shown,
    values,
};
use crate::rows::{read, rows, rows_of};

/// Number of bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// The rows after the first one, which is too long to compare.
fn after_first(table: &Table<'_>, bytes: &[u8]) -> Vec<Value> {
    let mut rows = Vec::new();
    for batch in table.read(bytes) {
        let batch = batch.unwrap();
        let is_first = usize::from(rows.is_empty());
        rows.push(rows_of(&batch.slice(is_first, batch.num_rows() - is_first)));
    }
    rows.concat()
}

/// Encodes rows as a file in one of its forms.
type Form<T> = fn(&[T]) -> Vec<u8>;

/// A row with all kinds of nested values.
#[derive(Clone, Debug, Serialize)]
struct Row {
    s: String,
    list: Vec<(i64, String)>,
    option: Option<Vec<i64>>,
    sum: Sum,
    #[serde(with = "fourfold::biniou::with::table")]
    table: Vec<Entry>,
    inner: Inner,
}

#[derive(Clone, Debug, Serialize)]
enum Sum {
    A,
    B(Vec<i64>),
}

#[derive(Clone, Debug, Serialize)]
struct Inner {
    a: bool,
    b: Vec<Option<Option<i64>>>,
}

const ROWS: &str = "type row = { s : string; list : (int * string) list; option : int list option; \
     sum : [ A | B of int list ]; table : entry list <ocaml repr=\"array\"> <biniou repr=\"table\">; \
     inner : inner } \
     type entry = { n : int; s : string } type inner = { a : bool; b : int option option list }";

fn all_rows() -> Vec<Row> {
    let row = |at: i64| Row {
        s: format!("row {at}"),
        list: (0..at).map(|n| (n, n.to_string())).collect(),
        option: (at % 2 == 0).then(|| vec![at, at + 1]),
        sum: if at % 3 == 0 { Sum::A } else { Sum::B(vec![at; 3]) },
        table: entries(at),
        inner: Inner { a: at == 1, b: vec![None, Some(None), Some(Some(at))] },
    };
    (0..4).map(row).collect()
}

/// The first row is so long that the first piece ends at each byte of the second and third row, and of the header
/// between them.
#[test]
fn a_piece_may_end_at_every_byte_of_a_row() {
    let schema = Schema::biniou(ROWS).unwrap();
    let table = Table::new(&schema, "row").unwrap();
    let mut all = all_rows();
    let one = |it: &Row| to_vec(it).unwrap();
    let expected = rows(&table, &to_vec(&all).unwrap())[1..].to_vec();
    let length = one(&all[1]).len() + one(&all[2]).len() + 40;
    let forms: [Form<Row>; 5] = [
        |all| all.iter().flat_map(|it| to_vec(it).unwrap()).collect(),
        |all| to_vec(all).unwrap(),
        |all| to_vec(&AsTable(all)).unwrap(),
        |all| chunks(all.iter().map(|it| to_vec(it).unwrap())),
        |all| chunks(all.chunks(2).map(|it| to_vec(it).unwrap())),
    ];
    for (number, form) in forms.iter().enumerate() {
        for less in 0..length {
            all[0].s = "x".repeat(PIECE - less);
            let found = after_first(&table, &form(&all));
            assert!(found == expected, "form {number}, {less}: {found:#?}");
        }
    }
}

/// A row of bytes, for larger files.
#[derive(Clone, Debug, Serialize)]
struct Record {
    data: String,
    cells: DynVec<Vec<Cell>>,
    option: Option<String>,
    points: FixVec<Vec<Point>>,
}

#[test]
fn a_piece_may_end_at_every_byte_of_a_record() {
    let text = format!(
        "{CELLS} option BytesOpt (Bytes); table Record {{ data: Bytes, cells: Cells, option: BytesOpt, \
         points: Points, }} vector Records <Record>;"
    );
    let schema = Schema::molecule(&text).unwrap();
    let record = |at: u8| Record {
        data: "data".into(),
        cells: DynVec(cells(at)),
        option: (at % 2 == 0).then(|| "option".into()),
        points: FixVec(points(at)),
    };
    let mut all: Vec<Record> = (0..4).map(record).collect();
    let forms: [(&str, Form<Record>); 3] = [
        ("Record", |all| records(all)),
        ("Records", |all| molecule::to_vec(&DynVec(all)).unwrap()),
        ("Records", |all| records(&[DynVec(&all[..1]), DynVec(&[]), DynVec(&all[1..])])),
    ];
    for (name, form) in forms {
        let table = Table::new(&schema, name).unwrap();
        let expected = rows(&table, &form(&all))[1..].to_vec();
        for less in 0..350 {
            all[0].data = "x".repeat(PIECE - less);
            let found = after_first(&table, &form(&all));
            assert!(found == expected, "{name}, {less}: {found:#?}");
        }
        all[0].data = "data".into();
    }
}

/// Then the read after the last piece returns no bytes.
#[test]
fn a_file_may_have_the_size_of_a_piece() {
    let schema = Schema::molecule(CELLS).unwrap();
    for size in [PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE] {
        let bytes = records(&[(1u64, "x".repeat(size - 24))]);
        assert_eq!(bytes.len(), size);
        assert_eq!(rows(&Table::new(&schema, "Cell").unwrap(), &bytes).len(), 1);
    }
}

#[test]
fn a_row_may_be_larger_than_a_piece() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let table = Table::new(&schema, "entry").unwrap();
    let mut all = entries(9);
    for at in [0, 4, 8] {
        all[at].s = "é".repeat(3 * PIECE / 2 + at);
        let list = to_vec(&all).unwrap();
        for bytes in [values(&all), list.clone(), to_vec(&AsTable(&all)).unwrap(), chunks([&list])]
        {
            let whole = read(&table, &*bytes);
            assert!(whole.error.is_none() && whole.rows == shown(&all), "{at}");
            assert!(read(&table, Slow(&bytes, 100_000)) == whole, "{at}");
        }
    }
}

/// A skipped value need not fit in memory: here a row of many pieces, of which no column is selected.
#[test]
fn a_skipped_column_may_be_larger_than_a_piece() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let table = Table::new(&schema, "entry").unwrap().select(["n"]).unwrap();
    let mut all = entries(3);
    all[1].s = "x".repeat(5 * PIECE);
    assert_eq!(rows(&table, &values(&all)), [json!({"n": 0}), json!({"n": 1}), json!({"n": 2})]);
}

#[test]
fn a_row_has_no_more_bytes_than_is_allowed() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let options = Options::new().max_row(2 * PIECE);
    let table = Table::with_options(&schema, "entry", options).unwrap();
    let mut all = entries(3);
    all[1].s = "x".repeat(PIECE);
    assert_eq!(rows(&table, &values(&all)).len(), 3);
    all[1].s = "x".repeat(5 * PIECE);
    let outcome = read(&table, &*values(&all));
    assert_eq!(outcome.rows, [json!({"n": 0, "s": "entry 0"})]);
    assert_eq!(
        outcome.error.as_deref(),
        Some("row 1: the row has more than 2097152 bytes (option `max_row`)")
    );
}

/// Batches end at the row limit or the byte limit, whichever is first.
#[test]
fn large_rows_make_shorter_batches() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let all = entries(10);
    let size = to_vec(&all[0]).unwrap().len();
    for (bytes, batches) in [
        (1, vec![1; 10]),
        (2 * size, vec![2; 5]),
        (2 * size + 1, vec![3, 3, 3, 1]),
        (1 << 20, vec![10]),
    ] {
        let options = Options::new().batch_bytes(bytes);
        let table = Table::with_options(&schema, "entry", options).unwrap();
        assert_eq!(read(&table, &*values(&all)).batches, batches, "{bytes}");
    }
}

/// A reader that fails after some bytes.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the wire is cut")),
            count => Ok(count),
        }
    }
}

#[test]
fn a_reader_that_fails_is_an_error() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let table = Table::new(&schema, "entry").unwrap();
    let outcome = read(&table, Failing(&values(&entries(3))));
    assert_eq!(outcome.error.as_deref(), Some("input: the wire is cut"));
}
