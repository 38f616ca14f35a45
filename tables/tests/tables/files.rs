//! Files: the framing of rows, pieces that end anywhere, and which files are read.

#[path = "files/columns.rs"]
mod columns;
#[path = "files/folders.rs"]
mod folders;
#[path = "files/pieces.rs"]
mod pieces;

use std::io::{self, Read};

use fourfold::biniou::with::Table as AsTable;
use fourfold::biniou::{ChunkWriter, to_vec};
use fourfold::molecule;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold_tables::{Damaged, Options, Schema, Table};
use serde::Serialize;
use serde_json::{Value, json};

use crate::rows::{Outcome, hex, read};

/// A reader that returns a fixed number of bytes at a time.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        let (first, rest) = self.0.split_at(count);
        buffer[..count].copy_from_slice(first);
        self.0 = rest;
        Ok(count)
    }
}

/// A row of biniou.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) n: i64,
    pub(crate) s: String,
}

pub(crate) const ENTRIES: &str = "type entry = { n : int; s : string }  type entries = entry list  \
     type entry_table = entry list <ocaml repr=\"array\"> <biniou repr=\"table\">";

/// `count` entries, all different.
pub(crate) fn entries(count: i64) -> Vec<Entry> {
    (0..count).map(|n| Entry { n, s: format!("entry {n}") }).collect()
}

/// The expected JSON of their columns.
fn shown(entries: &[Entry]) -> Vec<Value> {
    entries.iter().map(|it| json!({"n": it.n, "s": it.s})).collect()
}

/// Concatenated values.
pub(crate) fn values(entries: &[Entry]) -> Vec<u8> {
    entries.iter().flat_map(|entry| to_vec(entry).unwrap()).collect()
}

/// Chunks of a stream.
pub(crate) fn chunks<C: AsRef<[u8]>>(chunks: impl IntoIterator<Item = C>) -> Vec<u8> {
    let mut writer = ChunkWriter::new(Vec::new());
    chunks.into_iter().for_each(|chunk| writer.write_chunk(chunk.as_ref()).unwrap());
    writer.finish().unwrap()
}

/// A row of Molecule.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cell {
    pub(crate) capacity: u64,
    #[serde(with = "molecule::with::fixvec")]
    pub(crate) data: Vec<u8>,
}

/// A row of fixed size.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename = "struct.Point")]
pub(crate) struct Point {
    pub(crate) x: u32,
    pub(crate) y: u8,
}

pub(crate) const CELLS: &str = "array Uint64 [byte; 8]; array Uint32 [byte; 4]; vector Bytes <byte>; \
     table Cell { capacity: Uint64, data: Bytes, } vector Cells <Cell>; \
     struct Point { x: Uint32, y: byte, } vector Points <Point>; array Two [Point; 2]; \
     union Either { Cell, Point, }";

pub(crate) fn cells(count: u8) -> Vec<Cell> {
    (0..count).map(|at| Cell { capacity: at.into(), data: vec![at; at.into()] }).collect()
}

fn shown_cells(cells: &[Cell]) -> Vec<Value> {
    cells.iter().map(|it| json!({"capacity": it.capacity, "data": hex(&it.data)})).collect()
}

pub(crate) fn points(count: u8) -> Vec<Point> {
    (0..count).map(|y| Point { x: u32::from(y) * 1000, y }).collect()
}

fn shown_points(points: &[Point]) -> Vec<Value> {
    points.iter().map(|it| json!({"x": it.x, "y": it.y})).collect()
}

/// Concatenated records.
pub(crate) fn records<T: Serialize>(records: &[T]) -> Vec<u8> {
    let mut writer = molecule::RecordWriter::new(Vec::new());
    for record in records {
        writer.write(record).unwrap();
    }
    writer.into_inner()
}

/// Checks the rows of a file, for several read sizes and batch sizes.
fn assert_rows(schema: &Schema, name: &str, bytes: &[u8], expected: &[Value]) {
    for batch_rows in [1, 2, 8192] {
        let options = Options::new().batch_rows(batch_rows);
        let table = Table::with_options(schema, name, options).unwrap();
        let whole = read(&table, bytes);
        let batches: Vec<usize> = expected.chunks(batch_rows).map(<[_]>::len).collect();
        assert_eq!(whole, Outcome { rows: expected.to_vec(), batches, error: None }, "{name}");
        for step in [1, 3] {
            assert_eq!(read(&table, Slow(bytes, step)), whole, "{step} bytes at a time, {name}");
        }
    }
}

#[test]
fn files_of_biniou_hold_values_lists_tables_and_chunks() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let all = entries(7);
    let expected = shown(&all);
    let list = to_vec(&all).unwrap();
    let table = to_vec(&AsTable(&all)).unwrap();
    let (first, back) = all.split_at(3);
    let (empty_list, empty_table) =
        (to_vec(&all[..0]).unwrap(), to_vec(&AsTable(&all[..0])).unwrap());
    let halves = [to_vec(first).unwrap(), to_vec(&AsTable(back)).unwrap()];
    let mixed = [&values(first)[..], &empty_list, &empty_table, &halves[1], &empty_list].concat();
    let files = [
        list.clone(),
        table,
        halves.concat(),
        chunks([&list]),
        chunks(&halves),
        chunks([&empty_list, &list, &empty_table]),
    ];
    for name in ["entry", "entries", "entry_table"] {
        for file in &files {
            // OCaml's readers of lists do not accept a TABLE.
            if name == "entries" && file.contains(&25) {
                continue;
            }
            assert_rows(&schema, name, file, &expected);
        }
        assert_rows(&schema, name, &[], &[]);
        assert_rows(&schema, name, &chunks([[0; 0]; 0]), &[]);
        assert_rows(&schema, name, &empty_list, &[]);
    }
    assert_rows(&schema, "entry", &values(&all), &expected);
    assert_rows(&schema, "entry", &mixed, &expected);
    assert_rows(&schema, "entry", &chunks(all.iter().map(|it| to_vec(it).unwrap())), &expected);
}

#[test]
fn rows_of_biniou_may_be_tuples_and_variants() {
    let text = "type pair = (int * string)  type event = [ Start | Line of string ]";
    let schema = Schema::biniou(text).unwrap();
    #[derive(Serialize)]
    enum Event {
        Start,
        Line(&'static str),
    }
    let pairs = to_vec(&vec![(1, "a"), (2, "b")]).unwrap();
    assert_rows(&schema, "pair", &pairs, &[json!({"0": 1, "1": "a"}), json!({"0": 2, "1": "b"})]);
    let events = vec![Event::Start, Event::Line("x")];
    let expected =
        [json!({"variant": "Start", "Line": null}), json!({"variant": "Line", "Line": "x"})];
    assert_rows(&schema, "event", &to_vec(&events).unwrap(), &expected);
    let bytes: Vec<u8> = events.iter().flat_map(|event| to_vec(event).unwrap()).collect();
    assert_rows(&schema, "event", &bytes, &expected);
}

#[test]
fn files_of_molecule_hold_records_and_vectors() {
    let schema = Schema::molecule(CELLS).unwrap();
    let all = cells(7);
    let expected = shown_cells(&all);
    assert_rows(&schema, "Cell", &records(&all), &expected);
    assert_rows(&schema, "Cell", &records(&all[..1]), &expected[..1]);
    assert_rows(&schema, "Cells", &molecule::to_vec(&DynVec(&all)).unwrap(), &expected);
    let (first, back) = all.split_at(3);
    let halves = records(&[DynVec(first), DynVec(&[]), DynVec(back), DynVec(&[])]);
    assert_rows(&schema, "Cells", &halves, &expected);
    let none = molecule::to_vec(&DynVec(&all[..0])).unwrap();
    assert_rows(&schema, "Cells", &none, &[]);

    let all = points(7);
    let expected = shown_points(&all);
    let fixed = |points: &[Point]| molecule::to_vec(&FixVec(points)).unwrap();
    let bytes: Vec<u8> = all.iter().flat_map(|it| molecule::to_vec(it).unwrap()).collect();
    assert_rows(&schema, "Point", &bytes, &expected);
    assert_rows(&schema, "Points", &fixed(&all), &expected);
    let halves = [fixed(&all[..3]), fixed(&[]), fixed(&all[3..])].concat();
    assert_rows(&schema, "Points", &halves, &expected);
    // Fixed-size arrays can be concatenated, too.
    assert_rows(&schema, "Two", &bytes[..30], &expected[..6]);
    for name in ["Cell", "Cells", "Point", "Points", "Two"] {
        assert_rows(&schema, name, &[], &[]);
    }
}

/// The bytes of a union do not show where it ends, so it takes all of them.
#[test]
fn a_file_of_a_union_is_one_row() {
    let schema = Schema::molecule(CELLS).unwrap();
    #[derive(Serialize)]
    enum Either {
        Cell(Cell),
        Point(Point),
    }
    let cell = Cell { capacity: 7, data: vec![1] };
    let bytes = molecule::to_vec(&Either::Cell(cell)).unwrap();
    let expected =
        json!({"variant": "Cell", "Cell": {"capacity": 7, "data": "0x01"}, "Point": null});
    assert_rows(&schema, "Either", &bytes, &[expected]);
    let bytes = molecule::to_vec(&Either::Point(Point { x: 1, y: 2 })).unwrap();
    let expected = json!({"variant": "Point", "Cell": null, "Point": {"x": 1, "y": 2}});
    assert_rows(&schema, "Either", &bytes, &[expected]);
}

/// A header is not a row: a batch that ends in the header is not the end of the file.
#[test]
fn a_header_longer_than_a_batch_is_not_the_end() {
    let schema = Schema::molecule("table Row { a: byte, } vector Rows <Row>;").unwrap();
    let rows: Vec<(u8,)> = (0..100).map(|row| (row,)).collect();
    let rows: Vec<_> = rows.into_iter().map(fourfold::molecule::with::Table).collect();
    let bytes = fourfold::molecule::to_vec(&rows).unwrap();
    for least in [0, 1, 10, 1000] {
        let options = Options::new().batch_bytes(least);
        let table = Table::with_options(&schema, "Rows", options).unwrap();
        let read = table.read(&*bytes).map(|batch| batch.unwrap().num_rows()).sum::<usize>();
        assert_eq!(read, 100, "batches of {least} bytes");
    }
}

/// If a damaged row continues after the bytes read so far, the next row is still found.
#[test]
fn a_damaged_row_at_the_end_of_a_window_is_the_only_one_that_is_lost() {
    let schema =
        Schema::biniou("type row = { a : int <biniou repr=\"int8\">; s : string }").unwrap();
    #[derive(serde::Serialize)]
    struct Row {
        a: u16,
        s: String,
    }
    let row = |at: u16| Row { a: if at == 1033 { 300 } else { 7 }, s: "s".repeat(1000) };
    let rows: Vec<Row> = (0..3000).map(row).collect();
    let bytes = fourfold::biniou::to_vec(&rows).unwrap();
    let table = Table::with_options(&schema, "row", Options::new().damaged(Damaged::Skip)).unwrap();
    for mut reader in [table.read(&*bytes), table.read_slice(&bytes)] {
        let read = reader.by_ref().map(|batch| batch.unwrap().num_rows()).sum::<usize>();
        assert_eq!((read, reader.damaged()), (2999, 1));
    }
}
