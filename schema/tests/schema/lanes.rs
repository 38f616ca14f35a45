//! Rows that are read in lanes, a field of many rows at once: the same values, rows and errors as row by row.

use std::sync::atomic::{AtomicUsize, Ordering};

use fourfold::{biniou, molecule};
use fourfold_schema::{Interest, Lane, LaneKind, Most, Passed, Refusal, Visit, atd, mol};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use serde::Serialize;

use crate::rows::{EXACT, FAST, Type, read_all};

/// Stores the values of each field; takes lanes if `LANES` is set.
#[derive(Default)]
struct Columns<const LANES: bool> {
    parts: Vec<Vec<String>>,
    /// The field of the next value.
    part: usize,
    is_some: bool,
    rows: usize,
    lanes: usize,
    /// The number of lanes of options with values.
    options: usize,
    /// Whether it requests only every second field.
    picks: bool,
}

impl<const LANES: bool> Columns<LANES> {
    fn put(&mut self, value: String) {
        let part = self.part;
        self.parts.resize(self.parts.len().max(part + 1), Vec::new());
        let some = if std::mem::take(&mut self.is_some) { "some " } else { "" };
        self.parts[part].push(format!("{some}{value}"));
    }

    fn wants_part(&self, index: usize) -> bool {
        !self.picks || index % 2 == 0
    }
}

fn bytes_of(bytes: &[u8]) -> Result<String, Refusal> {
    match bytes {
        [b'!', ..] => Err(Refusal::new("an exclamation")),
        _ => Ok(format!("bytes {bytes:?}")),
    }
}

impl<const LANES: bool> Visit for Columns<LANES> {
    const TAKES_LANES: bool = LANES;

    fn interest(&self) -> Interest {
        if self.wants_part(self.part) { Interest::Parts } else { Interest::Nothing }
    }

    fn wants_all(&self) -> bool {
        !self.picks
    }

    fn wants(&self, index: usize) -> bool {
        self.wants_part(index)
    }

    fn unit(&mut self) {
        self.put("unit".into());
    }

    fn bool(&mut self, value: bool) {
        self.put(value.to_string());
    }

    fn byte(&mut self, value: u8) {
        self.put(format!("byte {value}"));
    }

    fn int(&mut self, value: i64) -> Result<(), Refusal> {
        self.put(value.to_string());
        Ok(())
    }

    fn float32(&mut self, value: f32) {
        self.put(format!("float32 {:x}", value.to_bits()));
    }

    fn float64(&mut self, value: f64) {
        self.put(format!("float64 {:x}", value.to_bits()));
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.put(bytes_of(bytes)?);
        Ok(())
    }

    fn encoded(&mut self, _: &[u8], _: &[u8]) -> Result<(), Refusal> {
        Err(Refusal::new("encoded values are not requested"))
    }

    fn part(&mut self, index: usize) -> &mut Self {
        self.part = index;
        self
    }

    fn list(&mut self, count: usize) -> Result<(), Refusal> {
        self.put(format!("list {count}"));
        Ok(())
    }

    fn record(&mut self) {
        self.part = 0;
        let missing = self.rows + 1;
        for (index, part) in self.parts.iter_mut().enumerate() {
            if part.len() < missing && (!self.picks || index % 2 == 0) {
                part.push("left out".into());
            }
        }
    }

    fn none(&mut self) {
        self.put("none".into());
    }

    fn some(&mut self) -> &mut Self {
        self.is_some = true;
        self
    }

    fn variant(&mut self, index: usize) {
        self.put(format!("variant {index}"));
    }

    fn takes_lane(&self, _: LaneKind) -> bool {
        true
    }

    fn lane(&mut self, lane: &Lane<'_>) -> Result<(), Refusal> {
        self.lanes += 1;
        self.options += usize::from(lane.present().is_some_and(|present| present > 0));
        let bits = lane.bools();
        let is = |bits: u64, row: usize| bits >> row & 1 == 1;
        let values: Vec<Result<String, Refusal>> = match lane.kind() {
            LaneKind::Bool => (0..lane.len()).map(|row| Ok(is(bits, row).to_string())).collect(),
            LaneKind::Byte => lane.octets().map(|byte| Ok(format!("byte {byte}"))).collect(),
            LaneKind::Int => lane.ints().map(|int| Ok(int.to_string())).collect(),
            LaneKind::Float64 => {
                lane.floats().map(|float| Ok(format!("float64 {:x}", float.to_bits()))).collect()
            }
            _ => {
                let values = lane.places().zip(lane.lengths());
                values
                    .map(|((start, len), length)| {
                        assert_eq!(usize::try_from(length), Ok(len));
                        bytes_of(&lane.source()[start..start + len])
                    })
                    .collect()
            }
        };
        for (row, value) in values.into_iter().enumerate() {
            self.is_some = lane.present().is_some_and(|present| is(present, row));
            match lane.present() {
                Some(_) if !self.is_some => self.put("none".into()),
                _ => self.put(value?),
            }
        }
        Ok(())
    }

    fn records(&mut self, count: usize) {
        self.rows += count;
        self.part = 0;
    }

    fn row(&mut self) {
        self.rows += 1;
        self.part = 0;
    }

    fn again(&mut self) {
        (self.part, self.is_some) = (0, false);
        let rows = self.rows;
        self.parts.iter_mut().for_each(|part| part.truncate(rows));
    }
}

/// How a file is read.
#[derive(Clone, Copy, Debug)]
struct Way {
    piece: usize,
    most: Most,
    picks: bool,
}

/// The values of the rows before the first error, the number of rows, and the error.
type Read = (Vec<Vec<String>>, usize, Option<String>);

/// Reads all rows; also returns the number of lanes, and of lanes of options with values.
fn read<const LANES: bool>(ty: Type<'_>, bytes: &[u8], depth: u16, way: Way) -> (Read, [usize; 2]) {
    let mut columns = Columns::<LANES> { picks: way.picks, ..Columns::default() };
    let error =
        read_all(ty, bytes, 0..usize::MAX, depth, way.piece, way.most, &mut columns, |_, _| {});
    // Trailing fields without values.
    while columns.parts.last().is_some_and(Vec::is_empty) {
        columns.parts.pop();
    }
    ((columns.parts, columns.rows, error), [columns.lanes, columns.options])
}

/// Whether a file has the same rows and errors in lanes and row by row: whole, with one byte changed, and cut.
fn is_read_alike(ty: Type<'_>, bytes: &[u8], damage: &Damage, lanes: &Counts) -> bool {
    let way = Way {
        piece: usize::from(damage.piece).max(1) * 37,
        most: Most {
            rows: usize::from(damage.rows).max(1),
            bytes: usize::from(damage.bytes).max(1) * 11,
        },
        picks: damage.picks,
    };
    let mut damaged = bytes.to_vec();
    if !damaged.is_empty() {
        let at = damage.at % damaged.len();
        damaged[at] ^= damage.change;
    }
    [bytes, &damaged, &damaged[..damage.at % (damaged.len() + 1)]].iter().all(|bytes| {
        let (exact, none) = read::<false>(ty, bytes, EXACT, way);
        let (one_by_one, _) = read::<false>(ty, bytes, FAST, way);
        let (in_lanes, some) = read::<true>(ty, bytes, FAST, way);
        assert_eq!(none, [0, 0]);
        for (count, some) in lanes.iter().zip(some) {
            count.fetch_add(some, Ordering::Relaxed);
        }
        assert_eq!(in_lanes, exact, "in lanes, {way:?}");
        one_by_one == exact
    })
}

#[derive(Clone, Debug)]
struct Damage {
    at: usize,
    change: u8,
    piece: u8,
    rows: u8,
    bytes: u8,
    picks: bool,
}

impl Arbitrary for Damage {
    fn arbitrary(g: &mut Gen) -> Self {
        Damage {
            at: usize::arbitrary(g),
            change: *g.choose(&[1, 2, 0x10, 0x80, 0xff]).unwrap(),
            piece: u8::arbitrary(g),
            rows: u8::arbitrary(g),
            bytes: u8::arbitrary(g),
            picks: bool::arbitrary(g),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let damage = self.clone();
        Box::new(self.at.shrink().map(move |at| Damage { at, ..damage.clone() }))
    }
}

/// A record of each kind of simple field. Bytes are written here: our writer has no unusual ones.
const ATD: &str = r#"type row = {
    yes : bool; number : int; small : int <biniou repr="int8">;
    wide : int <ocaml repr="int64"><biniou repr="int64">; natural : int <biniou repr="uvint">;
    float : float; text : string; maybe : string option; perhaps : int option; ?left : int option;
    ~right : string; sixteen : int <biniou repr="int16">;
    thirty : int <ocaml repr="int32"> <biniou repr="int32">;
    letter : int <ocaml repr="char"> <biniou repr="int8"> }"#;

#[derive(Clone, Debug)]
struct Record {
    yes: bool,
    number: i64,
    small: u8,
    wide: i64,
    float: u64,
    text: String,
    maybe: Option<String>,
    perhaps: Option<i64>,
    /// Which fields are present: all, only required ones, or one more than the type has.
    fields: Fields,
    /// Numbers take more bytes than they need.
    is_long: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fields {
    All,
    Needed,
    Strange,
}

fn words(g: &mut Gen) -> String {
    let length = *g.choose(&[0, 1, 5, 31, 63, 64, 65, 130, 300]).unwrap();
    let letters = ["a", "é", "重", "!", " "];
    (0..length)
        .map(|at| if at == 0 && u8::arbitrary(g) > 2 { "a" } else { *g.choose(&letters).unwrap() })
        .collect()
}

fn number(g: &mut Gen) -> i64 {
    let number = i64::arbitrary(g) >> (u32::arbitrary(g) % 64);
    if u8::arbitrary(g) > 1 { number >> 2 } else { number }
}

impl Arbitrary for Record {
    fn arbitrary(g: &mut Gen) -> Self {
        Record {
            yes: bool::arbitrary(g),
            number: number(g),
            small: u8::arbitrary(g),
            wide: i64::arbitrary(g) >> 1,
            float: u64::arbitrary(g),
            text: words(g),
            maybe: bool::arbitrary(g).then(|| words(g)),
            perhaps: bool::arbitrary(g).then(|| number(g)),
            fields: match u8::arbitrary(g) {
                0..=2 => Fields::Needed,
                3 => Fields::Strange,
                _ => Fields::All,
            },
            is_long: u8::arbitrary(g) == 0,
        }
    }
}

impl Record {
    fn write(&self, out: &mut Vec<u8>) {
        let mut fields: Vec<(&str, u8, Vec<u8>)> = Vec::new();
        let vint = |number: u64| {
            let mut bytes = vint(number);
            if self.is_long {
                *bytes.last_mut().unwrap() |= 0x80;
                bytes.push(0);
            }
            bytes
        };
        let svint =
            |number: i64| vint(u64::from_ne_bytes(((number << 1) ^ (number >> 63)).to_ne_bytes()));
        let string = |text: &str| {
            [vint(u64::try_from(text.len()).unwrap()), text.as_bytes().to_vec()].concat()
        };
        let option = |tag: u8, value: Option<Vec<u8>>| match value {
            None => vec![0],
            Some(value) => [vec![0x80, tag], value].concat(),
        };
        fields.push(("yes", 0, vec![self.yes.into()]));
        fields.push(("number", 17, svint(self.number)));
        fields.push(("small", 1, vec![self.small]));
        fields.push(("wide", 4, self.wide.to_be_bytes().to_vec()));
        fields.push(("natural", 16, vint(self.float >> 8)));
        fields.push(("float", 12, self.float.to_be_bytes().to_vec()));
        fields.push(("text", 18, string(&self.text)));
        fields.push(("maybe", 22, option(18, self.maybe.as_deref().map(string))));
        fields.push(("perhaps", 22, option(17, self.perhaps.map(svint))));
        if self.fields != Fields::Needed {
            fields.push(("left", 17, svint(7)));
            fields.push(("right", 18, string("right")));
        }
        if self.fields == Fields::Strange {
            fields.push(("strange", 24, vec![0]));
        }
        fields.push(("sixteen", 2, vec![1, self.small]));
        fields.push(("thirty", 3, vec![0, 1, 2, self.small]));
        fields.push(("letter", 1, vec![b'x']));
        out.push(u8::try_from(fields.len()).unwrap());
        for (name, tag, value) in fields {
            out.extend((biniou::hash(name) | 1 << 31).to_be_bytes());
            out.push(tag);
            out.extend(value);
        }
    }
}

fn vint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap());
    bytes
}

fn records_are_read_alike(records: Vec<Record>, damage: Damage) -> bool {
    let schema = atd::Schema::parse(ATD).unwrap();
    let ty = Type::Biniou(schema.get("row").unwrap());
    let mut bytes = vec![19];
    bytes.extend(vint(u64::try_from(records.len()).unwrap()));
    bytes.extend((!records.is_empty()).then_some(21));
    records.iter().for_each(|record| record.write(&mut bytes));
    is_read_alike(ty, &bytes, &damage, &RECORDS)
}

/// The number of lanes, and of lanes of options with values.
type Counts = [AtomicUsize; 2];

static RECORDS: Counts = [const { AtomicUsize::new(0) }; 2];
static TABLES: Counts = [const { AtomicUsize::new(0) }; 2];

#[test]
fn records_of_biniou() {
    let property: fn(Vec<Record>, Damage) -> bool = records_are_read_alike;
    QuickCheck::new().rng(Gen::new(200)).tests(300).quickcheck(property);
    let [lanes, options] = RECORDS.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert!(lanes > 1000, "{lanes} lanes");
    assert!(options > 1000, "{options} lanes of options with values");
}

/// Values at the end of the file, and bytes that look like a longer value.
#[test]
fn unusual_records_of_biniou() {
    let schema = atd::Schema::parse(
        "type one = { maybe : int option } type last = { yes : bool; maybe : int option }
         type first = { yes : bool; n : int }",
    )
    .unwrap();
    let field =
        |name: &str, value: &[u8]| [&(biniou::hash(name) | 1 << 31).to_be_bytes(), value].concat();
    let last = |maybe: &[u8]| {
        [vec![2], field("yes", &[0, 1]), field("maybe", &[&[22], maybe].concat())].concat()
    };
    // 7 is not a bool.
    let long = [vec![2], field("yes", &[0, 7, 0, 0, 0, 0, 0, 0, 0]), field("n", &[17, 2])].concat();
    let usual = [vec![2], field("yes", &[0, 1]), field("n", &[17, 2])].concat();
    let one = [vec![1], field("maybe", &[22, 0x80, 17, 4])].concat();
    for (name, rows) in [
        ("one", vec![one; 9]),
        ("last", vec![last(&[0]), last(&[0x80, 17, 2])]),
        ("last", vec![last(&[0x80, 17, 4]); 9]),
        ("first", vec![usual.clone(), long, usual.clone(), usual]),
    ] {
        let bytes = [vec![19], vint(u64::try_from(rows.len()).unwrap()), vec![21], rows.concat()];
        let ty = Type::Biniou(schema.get(name).unwrap());
        let damage = Damage { at: 0, change: 0, piece: 100, rows: 50, bytes: 250, picks: false };
        assert!(is_read_alike(ty, &bytes.concat(), &damage, &Counts::default()));
    }
}

const MOL: &str = "array Uint64 [byte; 8]; array Three [byte; 3]; vector Bytes <byte>;
    option BytesOpt (Bytes); option ThreeOpt (Three); option ByteOpt (byte);
    table Row { number: Uint64, kind: byte, three: Three, text: Bytes, maybe: BytesOpt,
        perhaps: ThreeOpt, letter: ByteOpt, }
    vector Rows <Row>;
    struct Point { x: Uint64, kind: byte, three: Three, }
    vector Points <Point>; array Pair [Point; 2];";

#[derive(Serialize, Clone, Debug)]
struct Row {
    number: u64,
    kind: u8,
    three: [u8; 3],
    text: String,
    maybe: Option<String>,
    perhaps: Option<[u8; 3]>,
    letter: Option<u8>,
}

#[derive(Serialize, Clone, Debug)]
#[serde(rename = "struct.Point")]
struct Point {
    x: u64,
    kind: u8,
    three: [u8; 3],
}

impl Arbitrary for Row {
    fn arbitrary(g: &mut Gen) -> Self {
        Row {
            number: u64::arbitrary(g),
            kind: u8::arbitrary(g),
            three: [0; 3].map(|_: u8| u8::arbitrary(g)),
            text: words(g),
            maybe: bool::arbitrary(g).then(|| words(g)),
            perhaps: bool::arbitrary(g).then(|| [1, 2, u8::arbitrary(g)]),
            letter: bool::arbitrary(g).then(|| u8::arbitrary(g)),
        }
    }
}

fn tables_are_read_alike(rows: Vec<Row>, damage: Damage) -> bool {
    let schema = mol::Schema::parse(MOL).unwrap();
    let ty = |name| Type::Molecule(schema.get(name).unwrap());
    let mut records = Vec::new();
    for row in &rows {
        records.extend(molecule::to_vec(row).unwrap());
    }
    let points = rows.iter().map(|Row { number: x, kind, three, .. }| Point {
        x: *x,
        kind: *kind,
        three: *three,
    });
    let points = molecule::to_vec(&points.collect::<Vec<Point>>()).unwrap();
    let single = points.get(4..).unwrap_or_default();
    [
        ("Rows", &*molecule::to_vec(&rows).unwrap()),
        ("Row", &records),
        ("Points", &points),
        ("Point", single),
        ("Pair", single),
    ]
    .into_iter()
    .all(|(name, bytes)| is_read_alike(ty(name), bytes, &damage, &TABLES))
}

#[test]
fn tables_and_structs_of_molecule() {
    let property: fn(Vec<Row>, Damage) -> bool = tables_are_read_alike;
    QuickCheck::new().rng(Gen::new(200)).tests(100).quickcheck(property);
    let [lanes, options] = TABLES.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert!(lanes > 1000, "{lanes} lanes");
    assert!(options > 1000, "{options} lanes of options with values");
}

/// Fixvecs shorter than their count, before bytes that look like a large one. With a 32-bit `usize`, adding four to that
/// count overflows: run this for such a target, too.
#[test]
fn fixvecs_without_a_count() {
    let schema = mol::Schema::parse(
        "array Four [byte; 4]; vector Bytes <byte>; option BytesOpt (Bytes);
         table Last { first: Bytes, last: Bytes, } table Option { first: Bytes, last: BytesOpt, }
         table First { first: Bytes, last: Four, }",
    )
    .unwrap();
    let row = |first: &[u8], last: &[u8]| {
        let (middle, end) = (12 + first.len(), 12 + first.len() + last.len());
        let header = [end, 12, middle].map(|number| u32::try_from(number).unwrap().to_le_bytes());
        [&header.concat(), first, last].concat()
    };
    let way = Way { piece: 999, most: Most { rows: 99, bytes: 999 }, picks: false };
    for (name, bytes) in [
        // The last three bytes of the file.
        ("Last", row(&[0; 4], &[9; 3])),
        ("Option", row(&[0; 4], &[9; 3])),
        // The count would be read from the next field.
        ("First", row(&[], &[0xfc, 0xff, 0xff, 0xff])),
        ("First", row(&[0xff], &[0xff; 4])),
        ("First", row(&[0xfe, 0xff], &[0xff; 4])),
        ("First", row(&[0xff; 3], &[0xff; 4])),
    ] {
        let ty = Type::Molecule(schema.get(name).unwrap());
        let (exact, _) = read::<false>(ty, &bytes, EXACT, way);
        let (in_lanes, lanes) = read::<true>(ty, &bytes, FAST, way);
        assert!(exact.2.is_some(), "{name} {bytes:?}");
        assert_eq!(in_lanes, exact, "{name} {bytes:?}");
        assert_eq!(lanes, [0, 0], "{name} {bytes:?}");
    }
}

/// A caller that skips damaged rows does not make the reader gather 64 rows for each of them.
#[test]
fn refused_rows_are_not_gathered_at_each_row() {
    const ROWS: usize = 640;
    let schema = atd::Schema::parse("type row = { text : string; last : string }").unwrap();
    let field = |name: &str| [&(biniou::hash(name) | 1 << 31).to_be_bytes()[..], &[18]].concat();
    let row = [&[2], &*field("text"), &[1, b'!'], &field("last"), b"\x10after the first."].concat();
    let count = vint(u64::try_from(ROWS).unwrap());
    let bytes = [vec![19], count, vec![21], row.repeat(ROWS)].concat();
    let mut rows = atd::Rows::new(schema.get("row").unwrap(), &biniou::Options::new());
    let mut columns = Columns::<true>::default();
    let most = Most { rows: usize::MAX, bytes: usize::MAX };
    let mut refused = 0;
    while rows.read(&bytes[rows.offset()..], true, most, &mut columns).is_err() {
        refused += 1;
        assert_eq!(rows.skip(&bytes[rows.offset()..], true), Passed::Yes);
    }
    assert_eq!(refused, ROWS);
    assert!(columns.lanes <= 2 * ROWS / 64, "{} lanes", columns.lanes);
}
