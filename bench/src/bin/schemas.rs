//! Measures reading with a schema, compared with reading into Rust types, and writing JSON.
//!
//! `cargo run -p bench --release --bin schemas -- --date DATE --out docs/schema-speed.md` writes the report. Each
//! turn is timed in interleaved rounds, and callgrind counts its instructions, if it is installed.

#![allow(clippy::indexing_slicing, reason = "all lists have the same length")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::{env, fs};

use fourfold::{biniou, molecule};
use fourfold_schema::{atd, mol};

use self::cases::{Case, Outcome, ROUNDS, consume, counts, once, times};

#[path = "../cases.rs"]
mod cases;
#[allow(dead_code, reason = "other programs measure the rest")]
#[path = "../data/mod.rs"]
mod data;
#[allow(dead_code, reason = "other programs use the rest")]
#[path = "../machine.rs"]
mod machine;
#[path = "../malloc.rs"]
mod malloc;
#[path = "../random.rs"]
mod random;

const USAGE: &str = "usage: schemas [--date DATE --out FILE]";

/// Goals: index of a case, and its greatest ratio to the typed case before it.
const GOALS: [(usize, f64); 2] = [(1, 3.0), (3, 1.0)];

/// Ways to read a message. The last two write a value as JSON.
const CASES: [&str; 4] =
    ["typed", "`to_value`, every value visited", "typed, as JSON", "`Value`, as JSON"];

/// A message and the cases that read it.
struct Subject {
    name: &'static str,
    about: &'static str,
    size: usize,
    cases: [Case; 4],
}

/// A message with its Rust type, schema and schema type.
macro_rules! subject {
    ($name:literal, $about:literal, $bytes:expr, $format:ident as $type:ty, $schema:expr, $ty:literal, $walk:ident) => {{
        let bytes: &'static [u8] = $bytes.leak();
        let schema = Box::leak(Box::new($schema));
        let typed: $type = $format::from_slice(bytes)?;
        let value = schema.to_value(bytes, $ty)?;
        if $walk(value) < bytes.len() / 4 {
            return Err("the walk visits too few bytes".into());
        }
        Subject {
            name: $name,
            about: $about,
            size: bytes.len(),
            cases: [
                Box::new(|| consume($format::from_slice::<$type>(black_box(bytes))?)),
                Box::new(|| consume($walk(schema.to_value(black_box(bytes), $ty)?))),
                Box::new(move || consume(serde_json::to_vec(black_box(&typed))?)),
                Box::new(move || consume(serde_json::to_vec(black_box(&value))?)),
            ],
        }
    }};
}

/// Visits all nested values; returns the number of bytes and scalars.
fn walk_molecule(value: mol::Value<'_>) -> usize {
    use mol::Parts;
    match value.parts() {
        Parts::Bytes(bytes) => black_box(bytes).len(),
        Parts::List(list) => list.iter().map(walk_molecule).sum(),
        Parts::Record(record) => record.iter().map(|(_, value)| walk_molecule(value)).sum(),
        Parts::Option(Some(value)) | Parts::Union(_, value) => walk_molecule(value),
        part => consume(part).map_or(0, |()| 1),
    }
}

fn walk_biniou(value: atd::Value<'_>) -> usize {
    use atd::Parts;
    match value.parts() {
        Parts::String(bytes) => black_box(bytes).len(),
        Parts::List(list) | Parts::Tuple(list) => list.iter().map(walk_biniou).sum(),
        Parts::Record(record) => record.iter().map(|(_, value)| walk_biniou(value)).sum(),
        Parts::Variant(_, Some(value)) | Parts::Option(Some(value)) => walk_biniou(value),
        part => consume(part).map_or(0, |()| 1),
    }
}

fn subjects() -> Outcome<Vec<Subject>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let chain =
        || mol::Schema::from_file(format!("{root}/tests/fixtures/molecule/schemas/blockchain.mol"));
    let atd = |name: &str| atd::Schema::from_file(format!("{root}/bench/ocaml/{name}.atd"));
    let block = molecule::to_vec(&data::ckb::block())?;
    let genesis = molecule::to_vec(&data::ckb::genesis()?)?;
    let log = biniou::to_vec(&data::log::log())?;
    let saves = biniou::to_vec(&data::saves::saves())?;
    Ok(vec![
        subject!(
            "block",
            "Molecule: a CKB block of 1,000 transactions",
            block,
            molecule as data::ckb::Block,
            chain()?,
            "Block",
            walk_molecule
        ),
        subject!(
            "genesis",
            "Molecule: the first block of the CKB main network",
            genesis,
            molecule as data::ckb::Block,
            chain()?,
            "Block",
            walk_molecule
        ),
        subject!(
            "log",
            "biniou: 10,000 records of an HTTP log",
            log,
            biniou as data::log::Log,
            atd("log")?,
            "log",
            walk_biniou
        ),
        subject!(
            "saves",
            "biniou: 500 saved players",
            saves,
            biniou as data::saves::Saves,
            atd("saves")?,
            "saves",
            walk_biniou
        ),
    ])
}

fn main() -> Outcome<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (date, out) = match words[..] {
        [] => (None, None),
        ["--date", date, "--out", out] => (Some(date), Some(out)),
        ["--once"] => return once(subjects()?.iter().flat_map(|subject| &subject.cases)),
        _ => return Err(USAGE.into()),
    };
    malloc::keep_memory()?;
    let subjects = subjects()?;
    let counts = counts(subjects.len() * CASES.len());
    let mut tables = String::new();
    for (number, subject) in subjects.iter().enumerate() {
        let counts = counts.as_ref().map(|counts| &counts[number * CASES.len()..]);
        table(subject, counts.unwrap_or_default(), &mut tables)?;
    }
    println!("{tables}");
    match (date, out) {
        (Some(date), Some(out)) => Ok(fs::write(out, report(date, &tables))?),
        _ => Ok(()),
    }
}

fn table(subject: &Subject, counts: &[u64], out: &mut String) -> Outcome<()> {
    let Subject { name, about, size, .. } = subject;
    writeln!(out, "## {name}\n\n{about}; {size} bytes\n")?;
    writeln!(
        out,
        "| | time | ratio | million instructions | ratio | goal |\n|---|--:|--:|--:|--:|--:|"
    )?;
    let times = times(&subject.cases)?;
    for (at, case) in CASES.iter().enumerate() {
        let goal = GOALS.iter().find(|(number, _)| *number == at).map(|(_, goal)| *goal);
        // Each second case is compared with the one before it.
        let base = at - at % 2;
        let ratio = times[at] / times[base];
        let counted = match (counts.get(at), counts.get(base)) {
            (Some(own), Some(other)) => {
                let millions =
                    |count: u64| u32::try_from(count).map(|count| f64::from(count) / 1e6);
                let (own, other) = (millions(*own)?, millions(*other)?);
                format!("{own:.2} | {:.2}", own / other)
            }
            _ => "– | –".to_owned(),
        };
        let goal = match goal {
            Some(goal) if ratio <= goal => format!("{goal:.1}: reached"),
            Some(goal) => format!("{goal:.1}: NOT"),
            None => String::new(),
        };
        writeln!(out, "| {case} | {:.3} ms | {ratio:.2} | {counted} | {goal} |", times[at] * 1e3)?;
    }
    writeln!(out)?;
    Ok(())
}

fn report(date: &str, tables: &str) -> String {
    let text = format!(
        "# Reading with a schema\n\nThe cost of a `Value` of a `.mol` or `.atd` schema, compared with a Rust type.\n\n\
         - Date: {date}\n- Machine: {}\n- Compiler: {}\n\
         - Command: `cargo run -p bench --release --bin schemas -- --date {date} --out docs/schema-speed.md`\n\n\
         *Typed* is `from_slice` into owned values. `to_value` checks all bytes and allocates nothing; then each value is visited once.\n\
         *As JSON* is `serde_json::to_vec` of a value that was read before. Times are medians of {ROUNDS} interleaved rounds; instructions are\n\
         those of one turn under callgrind. Goals are for ratios of times.\n\n{tables}",
        machine::machine(),
        machine::build(),
    );
    format!("{}\n", text.trim_end())
}
