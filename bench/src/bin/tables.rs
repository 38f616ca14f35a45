//! Measures converting files to Arrow record batches, compared with `serde_arrow` (from typed values) and `arrow-json`
//! (from JSON lines).
//!
//! `cargo run -p bench --release --bin tables -- --date DATE --out docs/tables-speed.md` writes the report.

#![allow(clippy::indexing_slicing, reason = "there is at least one round")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::{env, fs};

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, SchemaRef};
use fourfold::{biniou, molecule};
use fourfold_tables::{Schema, Table};
use parquet::arrow::ArrowWriter;
use serde::{Deserialize, Serialize};

use self::cases::{Case, Outcome, consume, times};
use self::random::Random;

#[allow(dead_code, reason = "other programs count")]
#[path = "../cases.rs"]
mod cases;
#[allow(dead_code, reason = "other programs use the rest")]
#[path = "../machine.rs"]
mod machine;
#[allow(dead_code, reason = "other programs use the rest")]
#[path = "../random.rs"]
mod random;

const USAGE: &str = "usage: tables [--date DATE --out FILE]";

/// Number of rows.
const ROWS: u32 = 50_000;

/// Rows in a batch, for all cases.
const BATCH: usize = 8192;

/// A record of a log.
#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    time: i64,
    host: &'a str,
    path: &'a str,
    status: i64,
    bytes: i64,
    user: Option<&'a str>,
    secure: bool,
    seconds: f64,
}

/// The schema of `Entry` in biniou.
const ATD: &str = "type entry = { time : int; host : string; path : string; status : int; bytes : int; \
                   user : string option; secure : bool; seconds : float }";

/// A CKB cell.
#[derive(Serialize, Deserialize)]
struct Cell<'a> {
    number: u64,
    capacity: u64,
    since: u64,
    index: u32,
    kind: u8,
    #[serde(borrow)]
    hash: &'a serde_bytes::Bytes,
    args: &'a serde_bytes::Bytes,
    data: Option<&'a serde_bytes::Bytes>,
}

/// The schema of `Cell` in Molecule.
const MOL: &str = "array Uint64 [byte; 8]; array Uint32 [byte; 4]; vector Bytes <byte>; option BytesOpt (Bytes); \
                   table Cell { number: Uint64, capacity: Uint64, since: Uint64, index: Uint32, kind: byte, \
                   hash: Bytes, args: Bytes, data: BytesOpt, } vector Cells <Cell>;";

fn text(random: &mut Random, least: u32, most: u32) -> String {
    let length = least + random.below(most - least);
    (0..length).map(|_| char::from(b'a' + random.byte() % 26)).collect()
}

fn entries() -> Vec<Entry<'static>> {
    let mut random = Random::new(23);
    (0..ROWS)
        .map(|row| Entry {
            time: 1_700_000_000_000 + i64::from(row) * 37,
            host: text(&mut random, 6, 16).leak(),
            path: text(&mut random, 10, 50).leak(),
            status: random.pick(&[200, 200, 200, 304, 404, 500]),
            bytes: i64::from(random.below(1 << 20)),
            user: random.maybe(30, |random| &*text(random, 3, 10).leak()),
            secure: random.chance(80),
            seconds: f64::from(random.float()),
        })
        .collect()
}

fn cells() -> Vec<Cell<'static>> {
    let mut random = Random::new(24);
    let bytes =
        |bytes: Vec<u8>| -> &'static serde_bytes::Bytes { serde_bytes::Bytes::new(bytes.leak()) };
    (0..ROWS)
        .map(|row| Cell {
            number: u64::from(row),
            capacity: random.bits() >> 20,
            since: random.bits() >> 40,
            index: random.below(100),
            kind: random.byte() % 3,
            hash: bytes(random.many(32, Random::byte)),
            args: bytes(random.many(20, Random::byte)),
            data: random.maybe(30, |random| bytes(random.some(100, Random::byte))),
        })
        .collect()
}

/// A data set.
struct Set {
    name: &'static str,
    about: String,
    /// In the order of `NAMES`.
    cases: Vec<Case>,
}

const NAMES: [&str; 7] = [
    "`fourfold_tables`",
    "typed values with `serde_arrow`",
    "JSON lines with `arrow-json`",
    "`fourfold_tables`, 2 of 8 columns",
    "`fourfold_tables` to Parquet",
    "typed values with `serde_arrow` to Parquet",
    "JSON lines with `arrow-json` to Parquet",
];

/// Indices of a case and of its reference, and how many times as fast the case should be.
const GOALS: [(usize, usize, f64); 3] = [(0, 1, 3.0), (0, 2, 5.0), (3, 0, 2.0)];

/// A consumer of batches.
type Consumer<'t> = &'t mut dyn FnMut(RecordBatch) -> Outcome<()>;

/// Drops a batch.
fn discard(batch: RecordBatch) -> Outcome<()> {
    consume(batch)
}

fn into_parquet(schema: SchemaRef, make: impl FnOnce(Consumer<'_>) -> Outcome<()>) -> Outcome<()> {
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, None)?;
    make(&mut |batch| Ok(writer.write(&batch)?))?;
    consume(writer.into_inner()?)
}

fn by_table(table: &Table<'_>, bytes: &[u8], take: Consumer<'_>) -> Outcome<()> {
    table.read_slice(black_box(bytes)).try_for_each(|batch| take(batch?))
}

/// Converts typed values to columns.
fn by_serde<T: Serialize>(fields: &[FieldRef], values: &[T], take: Consumer<'_>) -> Outcome<()> {
    let mut batches = values.chunks(BATCH);
    batches.try_for_each(|values| take(serde_arrow::to_record_batch(fields, &values)?))
}

fn by_json(schema: &SchemaRef, lines: &[u8], take: Consumer<'_>) -> Outcome<()> {
    let reader = arrow_json::ReaderBuilder::new(Arc::clone(schema)).with_batch_size(BATCH);
    reader.build(black_box(lines))?.try_for_each(|batch| take(batch?))
}

fn json_lines<T: Serialize>(values: &[T]) -> Outcome<Vec<u8>> {
    let mut lines = Vec::new();
    for value in values {
        serde_json::to_writer(&mut lines, value)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn set(
    name: &'static str,
    table: &'static Table<'static>,
    two: &'static Table<'static>,
    bytes: &'static [u8],
    lines: &'static [u8],
    typed: impl Fn(Consumer<'_>) -> Outcome<()> + Clone + 'static,
) -> Set {
    let schema = table.schema();
    let [of_json, parquet, typed_parquet, json_parquet] = [(); 4].map(|()| Arc::clone(&schema));
    let typed_again = typed.clone();
    Set {
        name,
        about: format!(
            "{ROWS} rows of 8 columns, {} bytes; as JSON lines {} bytes",
            bytes.len(),
            lines.len()
        ),
        cases: vec![
            Box::new(move || by_table(table, bytes, &mut discard)),
            Box::new(move || typed(&mut discard)),
            Box::new(move || by_json(&of_json, lines, &mut discard)),
            Box::new(move || by_table(two, bytes, &mut discard)),
            Box::new(move || {
                into_parquet(Arc::clone(&parquet), |take| by_table(table, bytes, take))
            }),
            Box::new(move || into_parquet(Arc::clone(&typed_parquet), |take| typed_again(take))),
            Box::new(move || {
                let schema = Arc::clone(&json_parquet);
                into_parquet(schema, |take| by_json(&json_parquet, lines, take))
            }),
        ],
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn biniou_log() -> Outcome<Set> {
    let entries = entries();
    let bytes: &'static [u8] = biniou::to_vec(&entries)?.leak();
    let schema = leak(Schema::biniou(ATD)?);
    let table = leak(Table::new(schema, "entry")?);
    let two = leak(table.clone().select(["status", "bytes"])?);
    let fields: Vec<FieldRef> = table.schema().fields().to_vec();
    let typed = move |take: Consumer<'_>| {
        let values: Vec<Entry<'_>> = biniou::from_slice(black_box(bytes))?;
        by_serde(&fields, &values, take)
    };
    same(table, bytes, &typed)?;
    Ok(set("a log in biniou", table, two, bytes, json_lines(&entries)?.leak(), typed))
}

fn molecule_cells() -> Outcome<Set> {
    let cells = cells();
    let bytes: &'static [u8] = molecule::to_vec(&cells)?.leak();
    let schema = leak(Schema::molecule(MOL)?);
    let table = leak(Table::new(schema, "Cells")?);
    let two = leak(table.clone().select(["capacity", "index"])?);
    let fields: Vec<FieldRef> = table.schema().fields().to_vec();
    let typed = move |take: Consumer<'_>| {
        let values: Vec<Cell<'_>> = molecule::from_slice(black_box(bytes))?;
        by_serde(&fields, &values, take)
    };
    same(table, bytes, &typed)?;
    // `arrow-json` reads bytes from hex digits.
    let lines: Vec<u8> = {
        let hex = |bytes: &[u8]| {
            bytes.iter().fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            })
        };
        let lines: Vec<_> = cells
            .iter()
            .map(|cell| {
                serde_json::json!({
                    "number": cell.number, "capacity": cell.capacity, "since": cell.since,
                    "index": cell.index, "kind": cell.kind, "hash": hex(cell.hash),
                    "args": hex(cell.args), "data": cell.data.map(|data| hex(data)),
                })
            })
            .collect();
        json_lines(&lines)?
    };
    Ok(set("cells in Molecule", table, two, bytes, lines.leak(), typed))
}

/// Checks that both readers return the same values.
fn same(
    table: &Table<'_>,
    bytes: &[u8],
    typed: &impl Fn(Consumer<'_>) -> Outcome<()>,
) -> Outcome<()> {
    let ours = table.read_slice(bytes).collect::<Result<Vec<_>, _>>()?;
    let mut others = Vec::new();
    typed(&mut |batch| {
        others.push(batch);
        Ok(())
    })?;
    match ours == others {
        true => Ok(()),
        false => Err("the readers return different values".into()),
    }
}

fn main() -> Outcome<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (date, out) = match words[..] {
        [] => (None, None),
        ["--date", date, "--out", out] => (Some(date), Some(out)),
        _ => return Err(USAGE.into()),
    };
    let mut report = String::new();
    for set in [biniou_log()?, molecule_cells()?] {
        writeln!(report, "## {}\n\n{}.\n", set.name, set.about)?;
        writeln!(
            report,
            "| method | ns per row | relative to `fourfold_tables` |\n|---|---:|---:|"
        )?;
        let times = times(&set.cases)?;
        for (at, (name, time)) in NAMES.iter().zip(&times).enumerate() {
            let base = if at < 4 { times.first() } else { times.get(4) };
            let ratio = time / base.copied().unwrap_or(f64::NAN);
            writeln!(report, "| {name} | {:.1} | {ratio:.2} |", time * 1e9 / f64::from(ROWS))?;
        }
        writeln!(report)?;
        for (case, other, goal) in GOALS {
            if let (Some(time), Some(reference), Some(name), Some(than)) =
                (times.get(case), times.get(other), NAMES.get(case), NAMES.get(other))
            {
                let found = reference / time;
                let verdict = if found >= goal { "reached" } else { "missed" };
                writeln!(
                    report,
                    "- {name} compared with {than}: {found:.2} times as fast; goal {goal}: {verdict}."
                )?;
            }
        }
        writeln!(report)?;
    }
    match (date, out) {
        (Some(date), Some(out)) => {
            let head = format!(
                "# Speed of tables\n\n\
                 Measured on {date}, {}. Medians of interleaved rounds. All methods make batches of {BATCH} rows; the \
                 batches of the first two are checked to be equal. Written by `cargo run -p bench --release --bin \
                 tables -- --date DATE --out docs/tables-speed.md`.\n\n",
                machine::machine()
            );
            fs::write(out, format!("{head}{}", report.trim_end()) + "\n")?;
        }
        _ => print!("{report}"),
    }
    Ok(())
}
