//! The parts of a file have all its rows, each once and in order. Damage is found in the part in which it begins.

use std::io::Cursor;
use std::ops::Range;

use fourfold::biniou::ChunkWriter;
use fourfold::biniou::with::Table as AsTable;
use fourfold::molecule::RecordWriter;
use fourfold::molecule::with::{DynVec, FixVec, fixvec};
use fourfold::{biniou, molecule};
use fourfold_tables::{Damaged, Error, Options, Reader, Schema, Table};
use serde::Serialize;

use crate::{Dice, lines};

const ATD: &str = "type entry = { n : int; s : string }  type entries = entry list";

const MOL: &str = "array Uint32 [byte; 4]; array Uint64 [byte; 8]; vector Bytes <byte>; \
    table Cell { capacity: Uint64, data: Bytes, } vector Cells <Cell>; \
    struct Point { x: Uint32, y: byte, } vector Points <Point>; array Two [Point; 2]; \
    union Either { Cell, Point, }";

#[derive(Clone, Debug, Serialize)]
struct Entry {
    n: i64,
    s: String,
}

#[derive(Clone, Debug, Serialize)]
struct Cell {
    capacity: u64,
    #[serde(with = "fixvec")]
    data: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename = "struct.Point")]
struct Point {
    x: u32,
    y: u8,
}

#[derive(Clone, Debug, Serialize)]
enum Either {
    Cell(Cell),
}

/// A test file.
struct File {
    about: &'static str,
    ty: &'static str,
    bytes: Vec<u8>,
    /// The number of rows.
    rows: usize,
    /// Whether the file can be split.
    splits: bool,
}

impl File {
    fn schema(&self) -> Schema {
        match self.ty {
            "entry" | "entries" => Schema::biniou(ATD).unwrap(),
            _ => Schema::molecule(MOL).unwrap(),
        }
    }
}

fn entries(count: i64, dice: &mut Dice) -> Vec<Entry> {
    let mut entry = |n| Entry { n, s: "s".repeat(dice.place(30)) };
    (0..count).map(&mut entry).collect()
}

fn cells(count: u64, dice: &mut Dice) -> Vec<Cell> {
    (0..count).map(|capacity| Cell { capacity, data: vec![7; dice.place(30)] }).collect()
}

fn points(count: u8) -> Vec<Point> {
    (0..count).map(|y| Point { x: u32::from(y) * 1000, y }).collect()
}

fn chunks(chunks: &[&[u8]]) -> Vec<u8> {
    let mut writer = ChunkWriter::new(Vec::new());
    chunks.iter().for_each(|chunk| writer.write_chunk(chunk).unwrap());
    writer.finish().unwrap()
}

fn records<T: Serialize>(records: &[T]) -> Vec<u8> {
    let mut writer = RecordWriter::new(Vec::new());
    for record in records {
        writer.write(record).unwrap();
    }
    writer.into_inner()
}

/// Files of all forms.
fn files() -> Vec<File> {
    let dice = &mut Dice(1);
    let log = entries(20, dice);
    let list = |log: &[Entry]| biniou::to_vec(log).unwrap();
    let values: Vec<u8> = log.iter().flat_map(|entry| biniou::to_vec(entry).unwrap()).collect();
    let table = biniou::to_vec(&AsTable(&log)).unwrap();
    let one = biniou::to_vec(&log[0]).unwrap();
    let stream = chunks(&[
        &list(&log[..5]),
        &list(&[]),
        &one,
        &biniou::to_vec(&AsTable(&log[6..9])).unwrap(),
        &list(&log[9..10]),
        &list(&log[10..15]),
        &list(&log[15..]),
    ]);
    let cells = cells(20, dice);
    let vector = |cells: &[Cell]| molecule::to_vec(&DynVec(cells)).unwrap();
    let points = points(20);
    let fixed = |points: &[Point]| molecule::to_vec(&FixVec(points)).unwrap();
    let bare: Vec<u8> = points.iter().flat_map(|it| molecule::to_vec(it).unwrap()).collect();
    let two = [vector(&cells[..8]), vector(&cells[8..])].concat();
    let more = [vector(&[]), vector(&cells[..1]), vector(&[]), vector(&cells[1..])].concat();
    let union = molecule::to_vec(&Either::Cell(cells[3].clone())).unwrap();
    let file = |about, ty, bytes, rows, splits| File { about, ty, bytes, rows, splits };
    vec![
        file("a list", "entries", list(&log), 20, false),
        file("lists", "entry", [list(&log[..9]), list(&log[9..])].concat(), 20, false),
        file("a TABLE", "entry", table, 20, false),
        file("values of biniou", "entry", values, 20, false),
        file("a stream", "entry", stream, 20, true),
        file("a stream of nothing", "entry", chunks(&[]), 0, true),
        file("nothing", "entry", Vec::new(), 0, false),
        file("a dynvec", "Cells", vector(&cells), 20, true),
        file("two dynvecs", "Cells", two, 20, true),
        file("dynvecs, some empty", "Cells", more, 20, true),
        file("records", "Cell", records(&cells), 20, true),
        file("a fixvec", "Points", fixed(&points), 20, true),
        file(
            "two fixvecs",
            "Points",
            [fixed(&points[..8]), fixed(&points[8..])].concat(),
            20,
            true,
        ),
        file(
            "fixvecs, some empty",
            "Points",
            [fixed(&[]), fixed(&points), fixed(&[])].concat(),
            20,
            true,
        ),
        file("structs", "Point", bare.clone(), 20, true),
        file("arrays", "Two", bare, 20, true),
        file("a union", "Either", union, 1, false),
        file("no cells", "Cells", Vec::new(), 0, true),
    ]
}

/// Rows, and the error of the row after them if it is damaged.
type Found = (Vec<String>, Option<String>);

fn found(reader: Reader<'_>) -> Found {
    let mut rows = Vec::new();
    for batch in reader {
        match batch {
            Ok(batch) => rows.extend(lines(&[batch])),
            Err(error) => match Error::from_arrow(error) {
                Error::Damaged(damage) => return (rows, Some(damage.text().to_owned())),
                error => panic!("{error}"),
            },
        }
    }
    (rows, None)
}

fn read_part(table: &Table<'_>, bytes: &[u8], part: Range<usize>) -> Found {
    let place = |place: usize| u64::try_from(place).unwrap();
    let part = place(part.start)..place(part.end);
    found(table.read_part(Cursor::new(bytes), part).unwrap())
}

/// The rows of all parts up to the first damage.
fn read_parts(table: &Table<'_>, bytes: &[u8], cuts: &[usize]) -> Found {
    let mut rows = Vec::new();
    for part in parts(bytes.len(), cuts) {
        let (more, damage) = read_part(table, bytes, part);
        rows.extend(more);
        if damage.is_some() {
            return (rows, damage);
        }
    }
    (rows, None)
}

/// The ranges between cuts.
fn parts(length: usize, cuts: &[usize]) -> Vec<Range<usize>> {
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([length]);
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// Random offsets in a file, in order. Equal offsets make an empty part.
fn cuts(length: usize, dice: &mut Dice) -> Vec<usize> {
    let mut cuts: Vec<usize> = (0..dice.below(7)).map(|_| dice.place(length + 1)).collect();
    cuts.sort_unstable();
    cuts
}

#[test]
fn parts_have_all_rows_once() {
    let mut dice = Dice(2);
    for file in &files() {
        let File { about, ty, bytes, rows, .. } = file;
        let schema = file.schema();
        let table = Table::new(&schema, ty).unwrap();
        let whole = found(table.read_slice(bytes));
        assert_eq!((whole.0.len(), &whole.1), (*rows, &None), "{about}");
        let check = |table: &Table<'_>, cuts: &[usize]| {
            assert_eq!(read_parts(table, bytes, cuts), whole, "{about} cut at {cuts:?}");
        };
        for cut in 0..=bytes.len() {
            check(&table, &[cut]);
        }
        // Each byte is a part of its own.
        check(&table, &(1..bytes.len()).collect::<Vec<_>>());
        for case in 0..100 {
            let options = Options::new().batch_rows(1 + case % 7);
            let table = Table::with_options(&schema, ty, options).unwrap();
            check(&table, &cuts(bytes.len(), &mut dice));
        }
    }
}

#[test]
fn files_that_show_where_rows_begin_have_rows_in_more_than_one_part() {
    for file in files().iter().filter(|file| file.rows > 0) {
        let schema = file.schema();
        let table = Table::new(&schema, file.ty).unwrap();
        let half = file.bytes.len() / 2;
        let first = read_part(&table, &file.bytes, 0..half).0.len();
        match file.splits {
            true => assert!(first > 4 && first < 16, "{}: {first}", file.about),
            false => assert_eq!(first, file.rows, "{}", file.about),
        }
    }
}

#[test]
fn parts_after_the_end_have_no_rows() {
    for file in &files() {
        let schema = file.schema();
        let table = Table::new(&schema, file.ty).unwrap();
        let length = file.bytes.len().max(1);
        for part in [length..length, length..length + 9, length + 1..usize::MAX] {
            let found = read_part(&table, &file.bytes, part.clone());
            assert_eq!(found, (Vec::new(), None), "{} in {part:?}", file.about);
        }
        // Bytes after the end are not part of the file.
        let all = read_part(&table, &file.bytes, 0..length + 9);
        assert_eq!((all.0.len(), all.1), (file.rows, None), "{}", file.about);
    }
}

#[test]
fn damage_is_found_in_parts_as_in_the_whole() {
    let mut dice = Dice(3);
    let mut damages = 0;
    for file in &files() {
        let schema = file.schema();
        let table = Table::new(&schema, file.ty).unwrap();
        for _ in 0..400 {
            let bytes = damaged(&file.bytes, &mut dice);
            let whole = found(table.read_slice(&bytes));
            let cuts = cuts(bytes.len(), &mut dice);
            let parts = read_parts(&table, &bytes, &cuts);
            let about = file.about;
            assert_eq!(parts, whole, "{about} cut at {cuts:?}: {bytes:?}");
            damages += usize::from(whole.1.is_some());
        }
    }
    // Some changes result in other valid values.
    assert!(damages > 2000, "{damages}");
}

/// The bytes of a file with some bytes changed, removed or added.
fn damaged(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let byte = u8::try_from(dice.below(256)).unwrap();
    let at = dice.place(bytes.len() + 1);
    match dice.below(4) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, byte),
        2 => bytes.extend([byte, 0, 0, 0]),
        _ => {
            if let Some(found) = bytes.get_mut(at) {
                *found = byte;
            }
        }
    }
    bytes
}

/// The next row after each damaged row is found, so each belongs to exactly one part.
#[test]
fn damaged_rows_are_skipped_in_parts_as_in_the_whole() {
    let mut dice = Dice(4);
    for file in files().iter().filter(|file| !is_fixed(file) && file.rows == 20) {
        let schema = file.schema();
        let options = Options::new().damaged(Damaged::Skip);
        let table = Table::with_options(&schema, file.ty, options).unwrap();
        for _ in 0..50 {
            let bytes = with_damaged_rows(file, &mut dice);
            let mut reader = table.read_slice(&bytes);
            let whole = left(&mut reader);
            let counted = (whole.len(), reader.damaged());
            assert!(counted.1 > 0 && counted.0 + reader.damages().len() == 20, "{counted:?}");
            let cuts = cuts(bytes.len(), &mut dice);
            let (mut rows, mut damaged) = (Vec::new(), 0);
            for part in parts(bytes.len(), &cuts) {
                let place = |place: usize| u64::try_from(place).unwrap();
                let part = place(part.start)..place(part.end);
                let mut reader = table.read_part(Cursor::new(&bytes), part).unwrap();
                rows.extend(left(&mut reader));
                damaged += reader.damaged();
            }
            assert_eq!((rows, damaged), (whole, counted.1), "{} cut at {cuts:?}", file.about);
        }
    }
}

/// Fixed-size rows accept any bytes.
fn is_fixed(file: &File) -> bool {
    matches!(file.ty, "Point" | "Points" | "Two")
}

/// The undamaged rows.
fn left(reader: &mut Reader<'_>) -> Vec<String> {
    reader.flat_map(|batch| lines(&[batch.unwrap()])).collect()
}

/// A file with some damaged rows, and no other damage.
fn with_damaged_rows(file: &File, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = file.bytes.clone();
    // Inside a text, and the first offset of a table.
    let (found, place, wrong) = match file.ty {
        "entry" | "entries" => (&b"ss"[..], 1, 0xff),
        _ => (&[12, 0, 0, 0, 20, 0, 0, 0][..], 0, 13),
    };
    let places: Vec<usize> =
        (0..bytes.len()).filter(|at| bytes[*at..].starts_with(found)).collect();
    for _ in 0..=dice.below(4) {
        bytes[places[dice.place(places.len())] + place] = wrong;
    }
    bytes
}
