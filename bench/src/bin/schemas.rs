//! What reading by a schema costs beside reading into Rust types: values without types, and their JSON.
//!
//! `cargo run -p bench --release --bin schemas -- --date DATE --out docs/schema-speed.md` writes the page. Each
//! turn is timed in interleaved rounds, and its instructions are counted by callgrind, if that is there.

#![allow(clippy::indexing_slicing, reason = "each list has as many parts as there are ways")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::{env, fs};

use fourfold::biniou::atd;
use fourfold::{biniou, molecule};

use self::ways::{Outcome, ROUNDS, Way, counts, kept, once, times};

#[allow(dead_code, reason = "other programs measure the rest")]
#[path = "../data/mod.rs"]
mod data;
#[path = "../kept.rs"]
mod kept;
#[allow(dead_code, reason = "other programs say more")]
#[path = "../machine.rs"]
mod machine;
#[path = "../random.rs"]
mod random;
#[path = "../ways.rs"]
mod ways;

const USAGE: &str = "usage: schemas [--date DATE --out FILE]";

/// Goals: a value takes at most so many times what a typed one takes, and its JSON no longer.
const GOALS: [(usize, f64); 2] = [(1, 3.0), (3, 1.0)];

/// The ways to read a document. The last two write its JSON, of a value that is there.
const WAYS: [&str; 4] =
    ["typed", "`to_value`, all of it walked", "typed, as JSON", "`Value`, as JSON"];

/// A document, and what is done to it.
struct Subject {
    name: &'static str,
    about: &'static str,
    size: usize,
    ways: [Way; 4],
}

/// A document of one type, and its value by a schema.
macro_rules! subject {
    ($name:literal, $about:literal, $bytes:expr, $format:ident as $type:ty, $schema:expr, $ty:literal, $walk:ident) => {{
        let bytes: &'static [u8] = $bytes.leak();
        let schema = Box::leak(Box::new($schema));
        let typed: $type = $format::from_slice(bytes)?;
        let value = schema.to_value(bytes, $ty)?;
        if $walk(value) < bytes.len() / 4 {
            return Err("a walk sees little of the document".into());
        }
        Subject {
            name: $name,
            about: $about,
            size: bytes.len(),
            ways: [
                Box::new(|| kept($format::from_slice::<$type>(black_box(bytes))?)),
                Box::new(|| kept($walk(schema.to_value(black_box(bytes), $ty)?))),
                Box::new(move || kept(serde_json::to_vec(black_box(&typed))?)),
                Box::new(move || kept(serde_json::to_vec(black_box(&value))?)),
            ],
        }
    }};
}

/// Goes through all of a value; gives how many bytes and parts there are.
fn walk_molecule(value: molecule::schema::Value<'_>) -> usize {
    use molecule::schema::Parts;
    match value.parts() {
        Parts::Bytes(bytes) => black_box(bytes).len(),
        Parts::List(list) => list.iter().map(walk_molecule).sum(),
        Parts::Record(record) => record.iter().map(|(_, value)| walk_molecule(value)).sum(),
        Parts::Option(Some(value)) | Parts::Union(_, value) => walk_molecule(value),
        part => kept(part).map_or(0, |()| 1),
    }
}

fn walk_biniou(value: atd::Value<'_>) -> usize {
    use atd::Parts;
    match value.parts() {
        Parts::String(bytes) => black_box(bytes).len(),
        Parts::List(list) | Parts::Tuple(list) => list.iter().map(walk_biniou).sum(),
        Parts::Record(record) => record.iter().map(|(_, value)| walk_biniou(value)).sum(),
        Parts::Variant(_, Some(value)) | Parts::Option(Some(value)) => walk_biniou(value),
        part => kept(part).map_or(0, |()| 1),
    }
}

fn subjects() -> Outcome<Vec<Subject>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let chain = || {
        molecule::Schema::from_file(format!(
            "{root}/tests/fixtures/molecule/schemas/blockchain.mol"
        ))
    };
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
            "document",
            walk_biniou
        ),
        subject!(
            "saves",
            "biniou: 500 saved players",
            saves,
            biniou as data::saves::Saves,
            atd("saves")?,
            "document",
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
        ["--once"] => return once(subjects()?.iter().flat_map(|subject| &subject.ways)),
        _ => return Err(USAGE.into()),
    };
    kept::keep_memory()?;
    let subjects = subjects()?;
    let counts = counts(subjects.len() * WAYS.len());
    let mut tables = String::new();
    for (number, subject) in subjects.iter().enumerate() {
        let counts = counts.as_ref().map(|counts| &counts[number * WAYS.len()..]);
        table(subject, counts.unwrap_or_default(), &mut tables)?;
    }
    println!("{tables}");
    match (date, out) {
        (Some(date), Some(out)) => Ok(fs::write(out, page(date, &tables))?),
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
    let times = times(&subject.ways)?;
    for (at, way) in WAYS.iter().enumerate() {
        let goal = GOALS.iter().find(|(number, _)| *number == at).map(|(_, goal)| *goal);
        // Each second way stands beside the one before it.
        let beside = at - at % 2;
        let ratio = times[at] / times[beside];
        let counted = match (counts.get(at), counts.get(beside)) {
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
        writeln!(out, "| {way} | {:.3} ms | {ratio:.2} | {counted} | {goal} |", times[at] * 1e3)?;
    }
    writeln!(out)?;
    Ok(())
}

fn page(date: &str, tables: &str) -> String {
    let text = format!(
        "# Reading by a schema\n\nWhat a `Value` of a `.mol` or `.atd` schema costs beside a Rust type of one's own. A program has measured \
         and written\nall figures of this page.\n\n\
         - Date: {date}\n- Machine: {}\n- Compiler: {}\n\
         - Command: `cargo run -p bench --release --bin schemas -- --date {date} --out docs/schema-speed.md`\n\n\
         *Typed* is `from_slice` into owned values. `to_value` checks all bytes and takes no memory; each part is then looked at once.\n\
         *As JSON* is `serde_json::to_vec` of a value that has been read. Times are medians of {ROUNDS} interleaved rounds; instructions are\n\
         those of one turn under callgrind. Goals are for ratios of times.\n\n{tables}",
        machine::machine(),
        machine::build(),
    );
    format!("{}\n", text.trim_end())
}
