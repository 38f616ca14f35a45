//! Rows read by a visitor: the fast reader has the results of the exact one, also in pieces and with damaged bytes.

use std::fmt::Write as _;
use std::ops::Range;

use fourfold::{biniou, molecule};
use fourfold_schema::{Interest, Most, Passed, Refusal, Step, Visit, atd, mol};

use crate::fixture::Fixtures;

/// Records the calls of the reader.
#[derive(Default)]
struct Recorder {
    /// The calls of each complete row.
    rows: Vec<String>,
    /// The calls of the next row.
    row: String,
    interest: Option<Interest>,
    /// Whether it requests only every second field, beginning with the first.
    picks: bool,
}

impl Recorder {
    fn note(&mut self, what: &str) {
        self.row.push_str(what);
        self.row.push(' ');
    }
}

impl Visit for Recorder {
    fn interest(&self) -> Interest {
        self.interest.unwrap_or(Interest::Parts)
    }

    fn wants_all(&self) -> bool {
        !self.picks
    }

    fn wants(&self, index: usize) -> bool {
        !self.picks || index % 2 == 0
    }

    fn unit(&mut self) {
        self.note("unit");
    }

    fn bool(&mut self, value: bool) {
        self.note(&format!("bool {value}"));
    }

    fn byte(&mut self, value: u8) {
        self.note(&format!("byte {value}"));
    }

    fn int(&mut self, value: i64) -> Result<(), Refusal> {
        self.note(&format!("int {value}"));
        Ok(())
    }

    fn float32(&mut self, value: f32) {
        self.note(&format!("float32 {:x}", value.to_bits()));
    }

    fn float64(&mut self, value: f64) {
        self.note(&format!("float64 {:x}", value.to_bits()));
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if bytes == b"refused" {
            return Err(Refusal::new("that word"));
        }
        self.note(&format!("bytes {bytes:?}"));
        Ok(())
    }

    fn encoded(&mut self, front: &[u8], bytes: &[u8]) -> Result<(), Refusal> {
        self.note(&format!("encoded {front:?} {bytes:?}"));
        Ok(())
    }

    fn part(&mut self, index: usize) -> &mut Self {
        if self.picks {
            self.interest = (index % 2 == 1).then_some(Interest::Nothing);
        }
        if self.interest == Some(Interest::Nothing) {
            return self;
        }
        let _ = write!(self.row, "[{index}] ");
        self
    }

    fn list(&mut self, count: usize) -> Result<(), Refusal> {
        self.note(&format!("list {count}"));
        Ok(())
    }

    fn record(&mut self) {
        self.note("record");
    }

    fn none(&mut self) {
        self.note("none");
    }

    fn some(&mut self) -> &mut Self {
        self.note("some");
        self
    }

    fn variant(&mut self, index: usize) {
        self.note(&format!("variant {index}"));
    }

    fn row(&mut self) {
        if self.picks {
            self.interest = None;
        }
        self.rows.push(std::mem::take(&mut self.row));
    }

    fn again(&mut self) {
        if self.picks {
            self.interest = None;
        }
        self.row.clear();
    }
}

/// A type of either format.
#[derive(Clone, Copy)]
pub(crate) enum Type<'s> {
    Biniou(atd::Type<'s>),
    Molecule(mol::Type<'s>),
}

/// With a depth limit this low, only the exact reader is used: the fast one does not count depth.
pub(crate) const EXACT: u16 = 31;
pub(crate) const FAST: u16 = 128;

/// The rows before the first error, and the error.
type Read = (Vec<String>, Option<String>);

/// Reads all rows, at most `most` at once, from bytes that arrive in pieces of size `piece`.
fn read(ty: Type<'_>, bytes: &[u8], depth: u16, piece: usize, most: usize) -> Read {
    read_part(ty, bytes, 0..usize::MAX, depth, piece, most)
}

fn read_part(
    ty: Type<'_>,
    bytes: &[u8],
    part: Range<usize>,
    depth: u16,
    piece: usize,
    most: usize,
) -> Read {
    let mut recorder = Recorder::default();
    let error = read_with(ty, bytes, part, depth, piece, most, &mut recorder);
    assert_eq!(recorder.row, "", "calls without a row");
    (recorder.rows, error)
}

fn read_with(
    ty: Type<'_>,
    bytes: &[u8],
    part: Range<usize>,
    depth: u16,
    piece: usize,
    most: usize,
    recorder: &mut Recorder,
) -> Option<String> {
    let mut before = 0;
    let most = Most { rows: most, bytes: usize::MAX };
    read_all(ty, bytes, part, depth, piece, most, recorder, |recorder, is_full| {
        assert!(!is_full || recorder.rows.len() == before + most.rows);
        before = recorder.rows.len();
    })
}

/// Reads all rows from bytes that arrive in pieces, and returns the error. Calls `each` after each step, with whether as
/// many rows were read as allowed.
#[allow(clippy::too_many_arguments, reason = "each is a dimension of the tests")]
pub(crate) fn read_all<V: Visit>(
    ty: Type<'_>,
    bytes: &[u8],
    part: Range<usize>,
    depth: u16,
    piece: usize,
    most: Most,
    visitor: &mut V,
    mut each: impl FnMut(&V, bool),
) -> Option<String> {
    let mut there = 0;
    macro_rules! read {
        ($rows:expr) => {{
            let mut rows = $rows;
            loop {
                let window = bytes.get(rows.offset()..there).unwrap_or_default();
                match rows.read(window, there == bytes.len(), most, visitor) {
                    Ok(Step::End) => return None,
                    Ok(Step::More) => {
                        assert!(there < bytes.len(), "more than all bytes are needed");
                        there = bytes.len().min(there + piece);
                        each(visitor, false);
                    }
                    Ok(_) => each(visitor, true),
                    Err(error) => return Some(error.to_string()),
                }
            }
        }};
    }
    match ty {
        Type::Biniou(ty) => {
            read!(atd::Rows::new(ty, &biniou::Options::new().max_depth(depth)).part(part))
        }
        Type::Molecule(ty) => {
            let options = molecule::Options::new().max_depth(depth);
            read!(mol::Rows::new(ty, &options).part(part))
        }
    }
}

/// Asserts that bytes have the same rows and errors by either reader, in pieces and in parts.
fn assert_same(ty: Type<'_>, bytes: &[u8], what: &str) -> Read {
    let whole = read(ty, bytes, EXACT, usize::MAX >> 1, usize::MAX >> 1);
    assert_eq!(read(ty, bytes, FAST, usize::MAX >> 1, usize::MAX >> 1), whole, "{what}");
    let pieces = read(ty, bytes, EXACT, 3, 2);
    assert_eq!(read(ty, bytes, FAST, 3, 2), pieces, "{what}, in pieces");
    let bytewise = read(ty, bytes, EXACT, 1, 1);
    assert_eq!(read(ty, bytes, FAST, 1, 1), bytewise, "{what}, byte by byte");
    // In pieces, a count that is too large is an error only at the end, after the rows that there are.
    for (rows, error) in [pieces, bytewise] {
        assert!(rows.starts_with(&whole.0), "{what}");
        assert_eq!(error.is_some(), whole.1.is_some(), "{what}");
    }
    let len = bytes.len();
    for cuts in [
        vec![len / 2],
        vec![1, 2, 3],
        vec![len / 3, len * 2 / 3],
        vec![len],
        vec![6, len - len / 5],
    ] {
        assert_eq!(read_parts(ty, bytes, &cuts), whole, "{what}, in parts at {cuts:?}");
    }
    whole
}

/// The rows of the parts of a file, up to the first error.
fn read_parts(ty: Type<'_>, bytes: &[u8], cuts: &[usize]) -> Read {
    let mut all = (Vec::new(), None);
    let ends = cuts.iter().copied().chain([usize::MAX]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    for (start, end) in starts.zip(ends) {
        let (rows, error) =
            read_part(ty, bytes, start..end, FAST, usize::MAX >> 1, usize::MAX >> 1);
        all.0.extend(rows);
        if error.is_some() {
            return (all.0, error);
        }
    }
    all
}

/// The typed fixtures of biniou: bytes, schema, name of the type.
fn biniou_fixtures() -> Vec<(String, Vec<u8>, atd::Schema, String)> {
    const FIXTURES: Fixtures = Fixtures("biniou");
    let files = FIXTURES.names("typed", "biniou").into_iter();
    let typed = files.map(|file| {
        let (schema, rest) = file.split_once('.').expect("a schema");
        let (ty, _) = rest.split_once('-').expect("a type");
        let schema = FIXTURES.path(&format!("schemas/{schema}.atd"));
        let bytes = FIXTURES.bytes(&format!("typed/{file}.biniou"));
        (file.clone(), bytes, atd::Schema::from_file(schema).unwrap(), ty.to_owned())
    });
    typed.collect()
}

#[test]
fn files_of_ocaml_have_the_same_rows_by_both_readers() {
    let mut rows = 0;
    for (file, bytes, schema, ty) in biniou_fixtures() {
        let ty = Type::Biniou(schema.get(&ty).unwrap());
        let (found, error) = assert_same(ty, &bytes, &file);
        assert_eq!(error, None, "{file}");
        rows += found.len();
        // A file of two values has the rows of both.
        let twice = assert_same(ty, &[&*bytes, &*bytes].concat(), &file);
        assert_eq!(twice, ([&*found, &*found].concat(), None), "{file}");
        // In chunks, unless the type is a scalar: a chunk begins like a bool or int8.
        let is_scalar = match ty {
            Type::Biniou(ty) => {
                matches!(ty.shape(), atd::Shape::Int(_) | atd::Shape::Bool | atd::Shape::Wrap(_))
            }
            Type::Molecule(_) => true,
        };
        if !is_scalar {
            let mut chunks = biniou::ChunkWriter::new(Vec::new());
            chunks.write_chunk(&bytes).unwrap();
            let chunks = chunks.finish().unwrap();
            let expected = (found.clone(), None);
            assert_eq!(assert_same(ty, &chunks, &file), expected, "{file} in a chunk");
            let mut chunks = biniou::ChunkWriter::new(Vec::new());
            for _ in 0..7 {
                chunks.write_chunk(&bytes).unwrap();
            }
            let chunks = chunks.finish().unwrap();
            let expected = (vec![found; 7].concat(), None);
            assert_eq!(assert_same(ty, &chunks, &file), expected, "{file} in chunks");
        }
    }
    assert!(rows > 100, "{rows} rows");
}

#[test]
fn damaged_files_of_ocaml_have_the_same_rows_and_errors() {
    let (mut refused, mut taken) = (0, 0);
    for (file, bytes, schema, ty) in biniou_fixtures() {
        let ty = Type::Biniou(schema.get(&ty).unwrap());
        for at in 0..bytes.len().min(40) {
            for change in [1, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                match assert_same(ty, &damaged, &format!("{file}, byte {at}")).1 {
                    Some(_) => refused += 1,
                    None => taken += 1,
                }
            }
            assert_same(ty, &bytes[..at], &format!("{file}, cut at {at}"));
        }
    }
    assert!(refused > 1000 && taken > 100, "{refused} refused, {taken} taken");
}

const MOL: &str = "
    array Uint32 [byte; 4];
    array Pair [Uint32; 2];
    vector Bytes <byte>;
    vector Numbers <Uint32>;
    vector Names <Bytes>;
    option BytesOpt (Bytes);
    option EntryOpt (Entry);
    struct Point { x: Uint32, y: byte, pair: Pair, }
    vector Points <Point>;
    union Either { Bytes, Point, Entry, }
    table Empty { }
    table Entry { id: Uint32, name: BytesOpt, point: Point, points: Points, names: Names, none: Empty, }
    table Outer { entry: EntryOpt, either: Either, numbers: Numbers, }
    vector Outers <Outer>;
";

type Entry = (u32, Option<String>, Point, Vec<Point>, Vec<String>, ());
type Outer = (Option<Entry>, Either, molecule::with::FixVec<Vec<u32>>);

#[derive(serde::Serialize, Clone, Copy)]
#[serde(rename = "struct.Point")]
struct Point {
    x: u32,
    y: u8,
    pair: [u32; 2],
}

#[derive(serde::Serialize, Clone)]
enum Either {
    Bytes(String),
    Point(Point),
    Entry(Entry),
}

fn outers() -> Vec<Outer> {
    let point = |x: u8| Point { x: u32::from(x) << 20, y: x, pair: [1, u32::from(x)] };
    let entry = |x: u8| -> Entry {
        let name = (x % 2 == 0).then(|| "n".repeat(usize::from(x)));
        (7, name, point(x), (0..x % 4).map(point).collect(), vec![String::new(), "ab".into()], ())
    };
    let either = |x: u8| match x % 3 {
        0 => Either::Bytes("refuse".repeat(usize::from(x))),
        1 => Either::Point(point(x)),
        _ => Either::Entry(entry(x)),
    };
    let outer = |x: u8| -> Outer {
        let numbers = (0..u32::from(x)).collect();
        ((x % 5 > 0).then(|| entry(x)), either(x), molecule::with::FixVec(numbers))
    };
    (0..12).map(outer).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn files_of_molecule_have_the_same_rows_by_both_readers() {
    let schema = mol::Schema::parse(MOL).unwrap();
    let ty = |name| Type::Molecule(schema.get(name).unwrap());
    let list = molecule::to_vec(&outers()).unwrap();
    let (rows, error) = assert_same(ty("Outers"), &list, "a dynvec");
    assert_eq!((rows.len(), error), (12, None));
    let mut records = molecule::RecordWriter::new(Vec::new());
    for outer in outers() {
        records.write(&outer).unwrap();
    }
    let records = records.into_inner();
    assert_eq!(assert_same(ty("Outer"), &records, "records"), (rows.clone(), None));
    let points = molecule::to_vec(&molecule::with::FixVec(vec![outers()[0].0.clone()])).is_ok();
    assert!(!points, "a fixvec of tables is refused");

    let (mut refused, mut taken) = (0, 0);
    for (name, bytes) in [("Outers", &list), ("Outer", &records)] {
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= if at % 2 == 0 { 1 } else { 0x10 };
            match assert_same(ty(name), &damaged, &format!("{name}, byte {at}")).1 {
                Some(_) => refused += 1,
                None => taken += 1,
            }
            if at % 7 == 0 {
                assert_same(ty(name), &bytes[..at], &format!("{name}, cut at {at}"));
            }
        }
    }
    assert!(refused > 500 && taken > 500, "{refused} refused, {taken} taken");
}

#[test]
fn fixvecs_and_values_of_one_size_have_rows() {
    let schema = mol::Schema::parse(MOL).unwrap();
    let ty = |name| Type::Molecule(schema.get(name).unwrap());
    let numbers = [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0];
    let (rows, error) = assert_same(ty("Numbers"), &numbers, "a fixvec");
    assert_eq!((rows.join("|"), error), ("bytes [1, 0, 0, 0] |bytes [2, 0, 0, 0] ".into(), None));
    // Two of them, the second without items.
    assert_same(ty("Numbers"), &[&numbers[..], &[0; 4]].concat(), "two fixvecs");
    assert_eq!(assert_same(ty("Pair"), &numbers[4..], "an array").0, rows);
    let (rows, error) = assert_same(ty("Uint32"), &numbers, "values of one size");
    assert_eq!((rows.len(), error), (3, None));
    let (rows, error) = assert_same(ty("Uint32"), &numbers[..7], "one is cut");
    let cut = "input ends early: 4 bytes needed, 3 left at byte 4";
    assert_eq!((rows.len(), error.as_deref()), (1, Some(cut)));
    let (rows, _) = assert_same(ty("Bytes"), &[1, 0, 0, 0, 9], "bytes are no rows");
    assert_eq!(rows, ["bytes [9] "]);
}

#[test]
fn a_vector_before_the_part_is_skipped_by_its_size() {
    let schema = "vector Bytes <byte>; table T { a: Bytes, } vector Ts <T>;";
    let schema = mol::Schema::parse(schema).unwrap();
    let ty = Type::Molecule(schema.get("Ts").unwrap());
    let damaged = [12, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0];
    let table = [12, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
    let bytes = [&damaged[..], &[20, 0, 0, 0, 8, 0, 0, 0], &table].concat();
    let rows = |part| read_part(ty, &bytes, part, FAST, 5, 2);
    let (none, error) = rows(0..12);
    assert_eq!((none.len(), error.is_some()), (0, true));
    let (one, error) = rows(12..usize::MAX);
    assert_eq!((one.len(), error), (1, None));
}

#[test]
fn an_error_of_the_visitor_has_the_path_and_offset_of_the_value() {
    let schema = atd::Schema::parse("type t = { a : int; b : string list }").unwrap();
    #[derive(serde::Serialize)]
    struct T {
        a: i64,
        b: Vec<&'static str>,
    }
    let rows = [vec!["taken"], vec!["taken", "refused"], vec![]];
    let rows: Vec<T> = rows.into_iter().map(|b| T { a: 1, b }).collect();
    let bytes = biniou::to_vec(&rows).unwrap();
    let (rows, error) = assert_same(Type::Biniou(schema.get("t").unwrap()), &bytes, "refused");
    assert_eq!(rows.len(), 1);
    assert_eq!(error.unwrap(), "that word in [1].b[1] at byte 44");
}

#[test]
fn rows_after_a_damaged_one_are_read() {
    let schema = atd::Schema::parse("type t = { a : int }").unwrap();
    let key = (biniou::hash("a") | 1 << 31).to_be_bytes();
    // Of three records the second has a unit in the field.
    let record = |value: [u8; 2]| [&[1][..], &key, &value].concat();
    let bytes = [&[19, 3, 21][..], &record([17, 2]), &record([24, 0]), &record([17, 6])].concat();
    let mut rows = atd::Rows::new(schema.get("t").unwrap(), &biniou::Options::new());
    let mut recorder = Recorder::default();
    let all = Most { rows: 10, bytes: 1000 };
    let error = rows.read(&bytes, true, all, &mut recorder).unwrap_err();
    let text = "found unit, expected uvint, svint, int8 or int16 in [1].a at byte 15";
    assert_eq!(error.to_string(), text);
    assert_eq!(rows.skip(&bytes[rows.offset()..], true), Passed::Yes);
    assert_eq!(rows.read(&bytes[rows.offset()..], true, all, &mut recorder).unwrap(), Step::End);
    assert_eq!(recorder.rows, ["[0] int 1 record ", "[0] int 3 record "]);
}

/// The rows with every second field.
fn picked(ty: Type<'_>, bytes: &[u8], depth: u16) -> Read {
    let mut recorder = Recorder { picks: true, ..Recorder::default() };
    let all = usize::MAX >> 1;
    let error = read_with(ty, bytes, 0..usize::MAX, depth, all, all, &mut recorder);
    (recorder.rows, error)
}

/// Asserts that both readers have the same rows with every second field, also with one byte changed. Returns the number
/// of changes that are refused.
fn assert_same_picked(ty: Type<'_>, bytes: &[u8], what: &str) -> usize {
    assert_eq!(picked(ty, bytes, FAST), picked(ty, bytes, EXACT), "{what}");
    let damaged = (0..bytes.len().min(60)).filter(|at| {
        let mut damaged = bytes.to_vec();
        damaged[*at] ^= [1, 0x80, 0xff][at % 3];
        let expected = picked(ty, &damaged, EXACT);
        assert_eq!(picked(ty, &damaged, FAST), expected, "{what}, byte {at}");
        expected.1.is_some()
    });
    damaged.count()
}

#[test]
fn fields_that_are_not_requested_are_left_out() {
    let mut refused = 0;
    for (file, bytes, schema, ty) in biniou_fixtures() {
        refused += assert_same_picked(Type::Biniou(schema.get(&ty).unwrap()), &bytes, &file);
    }
    let schema = mol::Schema::parse(MOL).unwrap();
    let list = molecule::to_vec(&outers()).unwrap();
    let ty = Type::Molecule(schema.get("Outers").unwrap());
    refused += assert_same_picked(ty, &list, "a dynvec");
    assert!(refused > 500, "{refused} refused");
}

#[test]
fn rows_without_requested_fields_are_counted() {
    for (file, bytes, schema, ty) in biniou_fixtures() {
        let ty = Type::Biniou(schema.get(&ty).unwrap());
        let (rows, _) = assert_same(ty, &bytes, &file);
        for depth in [FAST, EXACT] {
            let mut recorder =
                Recorder { interest: Some(Interest::Nothing), ..Recorder::default() };
            let error = read_with(ty, &bytes, 0..usize::MAX, depth, 5, 1, &mut recorder);
            assert_eq!((error, recorder.rows.len()), (None, rows.len()), "{file}");
            let mut recorder = Recorder { interest: Some(Interest::Bytes), ..Recorder::default() };
            let error = read_with(ty, &bytes, 0..usize::MAX, depth, 5, 1, &mut recorder);
            assert_eq!((error, recorder.rows.len()), (None, rows.len()), "{file}");
        }
    }
}
