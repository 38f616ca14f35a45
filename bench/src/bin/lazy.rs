//! Measures reading one field of a message, compared with other readers.
//!
//! `cargo run -p bench --release --bin lazy -- --date DATE --out docs/lazy-speed.md` writes the report.

#![allow(clippy::indexing_slicing, reason = "all lists have the same length")]
#![allow(unsafe_code, reason = "a file is memory-mapped")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{Seek, SeekFrom, Write as _};
use std::{env, fs};

use ::molecule::prelude::Reader as _;
use fourfold::biniou;
use fourfold::molecule::{self, Frames, Lazy, List, Path, Raw, RecordWriter, Records};
use fourfold_schema::mol;
use rayon::iter::ParallelIterator;
use serde::Deserialize;
use serde::de::IgnoredAny;

use self::cases::{Case, Outcome, ROUNDS, consume, counts, once, times};
use self::data::official::generated;
use self::flat::{FlatLog, FlatRecord};

#[path = "../cases.rs"]
mod cases;
#[allow(dead_code, reason = "other programs measure the rest")]
#[path = "../data/mod.rs"]
mod data;
#[path = "../data/flat.rs"]
mod flat;
#[allow(dead_code, reason = "other programs use the rest")]
#[path = "../machine.rs"]
mod machine;
#[path = "../malloc.rs"]
mod malloc;
#[path = "../random.rs"]
mod random;

const USAGE: &str = "usage: lazy [--date DATE --out FILE]";

/// Number of transactions whose version is read.
const LOOKUPS: usize = 1000;

/// Size of the file for `all_cores`.
const RECORDS_SIZE: usize = 64 << 20;

/// Number of packed records in a file of nearly a gibibyte.
const PACKED: u32 = 10_000_000;

/// A task, with several cases that do it.
struct Subject {
    name: &'static str,
    about: String,
    /// Times and counts are divided by this.
    per: f64,
    names: Vec<&'static str>,
    cases: Vec<Case>,
    /// Indices of a case and of its reference, and the goal for their ratio.
    goals: Vec<(usize, usize, f64)>,
}

/// A block of which only transactions are read.
#[derive(Deserialize)]
struct LazyBlock<'a>(
    IgnoredAny,
    IgnoredAny,
    #[serde(borrow)] List<'a, LazyTransaction<'a>>,
    IgnoredAny,
);

#[derive(Deserialize)]
struct LazyTransaction<'a>(#[serde(borrow)] Lazy<'a, Version>, IgnoredAny);

#[derive(Deserialize)]
struct Version(u32, IgnoredAny, IgnoredAny, IgnoredAny, IgnoredAny, IgnoredAny);

fn one_field() -> Outcome<Subject> {
    let bytes: &'static [u8] = molecule::to_vec(&data::ckb::block())?.leak();
    let paths = |text: fn(usize) -> String| -> Outcome<Vec<Path>> {
        (0..LOOKUPS).map(|number| Ok(mol::path_of::<data::ckb::Block>(&text(number))?)).collect()
    };
    let named = paths(|number| format!("transactions[{number}].raw.version"))?;
    let numbered: Vec<Path> = (0..LOOKUPS)
        .map(|number| Path::new(&format!("2[{number}].0.0")))
        .collect::<Result<_, _>>()?;
    let by_paths = move |paths: &[Path]| {
        let mut sum = 0;
        for path in paths {
            sum += molecule::at::<u32>(black_box(bytes), path)?;
        }
        consume(sum)
    };
    Ok(Subject {
        name: "one field of a block",
        about: format!(
            "Molecule: `transactions[n].raw.version` of a CKB block of 1,000 transactions, {} bytes; each read starts at \
             the first byte",
            bytes.len()
        ),
        per: 1000.0,
        names: vec![
            "official reader, unverified",
            "`at`, by name (`path_of`)",
            "`at`, by index",
            "`Lazy` and `List`, from the block",
            "`Lazy` and `List`, from the list",
        ],
        cases: vec![
            Box::new(move || {
                let mut sum = 0;
                for number in 0..LOOKUPS {
                    let block = generated::BlockReader::new_unchecked(black_box(bytes));
                    let transaction = block.transactions().get_unchecked(number);
                    sum += number_of(transaction.raw().version().as_slice())?;
                }
                consume(sum)
            }),
            Box::new(move || by_paths(&named)),
            Box::new(move || by_paths(&numbered)),
            Box::new(move || {
                let mut sum = 0;
                for number in 0..LOOKUPS {
                    let block: LazyBlock<'_> = molecule::from_slice(black_box(bytes))?;
                    let transaction = block.2.get(number).ok_or("no transaction")??;
                    sum += transaction.0.get()?.0;
                }
                consume(sum)
            }),
            Box::new(move || {
                let block: LazyBlock<'_> = molecule::from_slice(black_box(bytes))?;
                let mut sum = 0;
                for transaction in &block.2 {
                    sum += transaction?.0.get()?.0;
                }
                consume(sum)
            }),
        ],
        goals: vec![(1, 0, 1.0), (2, 0, 1.0)],
    })
}

fn number_of(bytes: &[u8]) -> Outcome<u32> {
    Ok(u32::from_le_bytes(bytes.try_into()?))
}

fn verified() -> Outcome<Subject> {
    let bytes: &'static [u8] = molecule::to_vec(&data::ckb::block())?.leak();
    let path = mol::path_of::<data::ckb::Block>("transactions[500].raw.version")?;
    Ok(Subject {
        name: "one field, with and without verification",
        about: "Molecule: the same field of one transaction. The verified reader checks the whole block first; `at` checks \
                only the path"
            .to_owned(),
        per: 1.0,
        names: vec!["official reader, verified", "`at`", "`from_slice` of the block, owned"],
        cases: vec![
            Box::new(move || {
                let block = generated::BlockReader::from_slice(black_box(bytes))?;
                let transaction = block.transactions().get_unchecked(500);
                consume(number_of(transaction.raw().version().as_slice())?)
            }),
            Box::new(move || consume(molecule::at::<u32>(black_box(bytes), &path)?)),
            Box::new(move || {
                let block: data::ckb::Block = molecule::from_slice(black_box(bytes))?;
                consume(block.transactions[500].raw.version)
            }),
        ],
        goals: vec![(1, 0, 1.0)],
    })
}

/// A record of the log of which only the size is read.
#[derive(Deserialize)]
struct Size(IgnoredAny, IgnoredAny, IgnoredAny, IgnoredAny, IgnoredAny, IgnoredAny, u64);

#[derive(Deserialize)]
struct LazyLog<'a> {
    #[serde(borrow)]
    records: List<'a, Size>,
}

#[derive(Deserialize)]
struct RawLog<'a> {
    #[serde(borrow)]
    records: List<'a, Raw<'a>>,
}

fn log_in_molecule() -> Outcome<Subject> {
    let log = data::log::log();
    let bytes: &'static [u8] = molecule::to_vec(&log)?.leak();
    let archived: &'static [u8] = rkyv::to_bytes::<rkyv::rancor::Error>(&log)?.to_vec().leak();
    let flat: &'static [u8] = flat::to_vec(&log).leak();
    let sizes = flatbuffers::root::<FlatLog<'_>>(flat)?.records().iter().map(FlatRecord::size);
    if !sizes.eq(log.records.iter().map(|record| record.size)) {
        return Err("the flatbuffer has different sizes".into());
    }
    let size = Path::new("6")?;
    Ok(Subject {
        name: "one field of each record, Molecule",
        about: format!(
            "Molecule: the sum of `size` over 10,000 records of an HTTP log, {} bytes",
            bytes.len()
        ),
        per: 1.0,
        names: vec![
            "whole log, borrowed",
            "`List` of records with one field",
            "`List` of `Raw` with `at`",
            "rkyv, checked",
            "flatbuffers, verified",
        ],
        cases: vec![
            Box::new(move || {
                let log: data::log::BorrowedLog<'_> = molecule::from_slice(black_box(bytes))?;
                consume(log.records.iter().map(|record| record.size).sum::<u64>())
            }),
            Box::new(move || {
                let log: LazyLog<'_> = molecule::from_slice(black_box(bytes))?;
                let mut sum = 0;
                for record in &log.records {
                    sum += record?.6;
                }
                consume(sum)
            }),
            Box::new(move || {
                let log: RawLog<'_> = molecule::from_slice(black_box(bytes))?;
                let mut sum = 0;
                for record in &log.records {
                    sum += molecule::at::<u64>(record?.bytes(), &size)?;
                }
                consume(sum)
            }),
            Box::new(move || {
                let log = rkyv::access::<data::log::ArchivedLog, rkyv::rancor::Error>(black_box(
                    archived,
                ))?;
                consume(log.records.iter().map(|record| record.size.to_native()).sum::<u64>())
            }),
            Box::new(move || {
                let log = flatbuffers::root::<FlatLog<'_>>(black_box(flat))?;
                consume(log.records().iter().map(FlatRecord::size).sum::<u64>())
            }),
        ],
        goals: vec![(1, 0, 0.25)],
    })
}

#[derive(Deserialize)]
struct BiniouSize {
    size: u64,
}

#[derive(Deserialize)]
struct BiniouLog<'a> {
    #[serde(borrow)]
    records: biniou::List<'a, BiniouSize>,
}

fn log_in_biniou() -> Outcome<Subject> {
    let bytes: &'static [u8] = biniou::to_vec(&data::log::log())?.leak();
    Ok(Subject {
        name: "one field of each record, biniou",
        about: format!(
            "biniou: the same sum, {} bytes. biniou has no index: the reader skips all bytes before a field, and checks the \
             whole list before its first item",
            bytes.len()
        ),
        per: 1.0,
        names: vec![
            "whole log, borrowed",
            "`List` of records with one field",
            "whole log, records with one field",
        ],
        cases: vec![
            Box::new(move || {
                let log: data::log::BorrowedLog<'_> = biniou::from_slice(black_box(bytes))?;
                consume(log.records.iter().map(|record| record.size).sum::<u64>())
            }),
            Box::new(move || {
                let log: BiniouLog<'_> = biniou::from_slice(black_box(bytes))?;
                let mut sum = 0;
                for record in &log.records {
                    sum += record?.size;
                }
                consume(sum)
            }),
            Box::new(move || {
                #[derive(Deserialize)]
                struct Sizes {
                    records: Vec<BiniouSize>,
                }
                let log: Sizes = biniou::from_slice(black_box(bytes))?;
                consume(log.records.iter().map(|record| record.size).sum::<u64>())
            }),
        ],
        goals: vec![(1, 0, 0.25)],
    })
}

/// A record of a fixed size.
#[derive(Deserialize)]
#[serde(rename = "struct.Packed")]
struct Packed(u64, [u64; 12]);

fn large_file() -> Outcome<Subject> {
    let size = u64::from(PACKED) * u64::try_from(size_of::<Packed>())?;
    let mut file = tempfile::tempfile()?;
    // The file is sparse except for the count and the last record.
    file.write_all(&PACKED.to_le_bytes())?;
    file.set_len(4 + size)?;
    file.seek(SeekFrom::End(-i64::try_from(size_of::<Packed>())?))?;
    file.write_all(&7u64.to_le_bytes())?;
    // SAFETY: the file has no name, so no other process changes it.
    let mapped = unsafe { memmap2::Mmap::map(&file)? };
    let bytes: &'static [u8] = Box::leak(Box::new(mapped));
    let last = usize::try_from(PACKED - 1)?;
    let path = mol::path_of::<Vec<Packed>>(&format!("[{last}].0"))?;
    Ok(Subject {
        name: "the last record of a large file",
        about: format!(
            "Molecule: one field of the last of {PACKED} fixed-size records in a memory-mapped file of {} bytes. \
             The goal is 1 ms",
            bytes.len()
        ),
        per: 1.0,
        names: vec!["`at`, by name (`path_of`)", "`List`"],
        cases: vec![
            Box::new(move || match molecule::at::<u64>(black_box(bytes), &path)? {
                7 => Ok(()),
                _ => Err("wrong field".into()),
            }),
            Box::new(move || {
                let list: List<'_, Packed> = molecule::from_slice(black_box(bytes))?;
                match list.get(last).ok_or("no record")?? {
                    Packed(7, [0, ..]) => Ok(()),
                    _ => Err("wrong record".into()),
                }
            }),
        ],
        goals: vec![],
    })
}

fn all_cores() -> Outcome<Subject> {
    let log = data::log::log();
    let mut file = RecordWriter::new(Vec::new());
    while file.offset() < RECORDS_SIZE {
        for record in &log.records {
            file.write(record)?;
        }
    }
    let bytes: &'static [u8] = file.into_inner().leak();
    let middle =
        Frames::from_slice(bytes).map_while(Result::ok).map(<[u8]>::len).scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
    let middle = middle.take_while(|end| *end <= bytes.len() / 2).last().unwrap_or_default();
    let (start, end) = bytes.split_at(middle);
    type Borrowed = data::log::BorrowedRecord<'static>;
    let list: Vec<&[u8]> = Frames::from_slice(bytes).collect::<Result<_, _>>()?;
    let list: Vec<Raw<'_>> =
        list.into_iter().map(molecule::from_slice).collect::<Result<_, _>>()?;
    let list: &'static [u8] = molecule::to_vec(&list)?.leak();
    let list: &'static List<'static, Borrowed> = Box::leak(Box::new(molecule::from_slice(list)?));
    Ok(Subject {
        name: "all cores",
        about: format!(
            "Molecule: a file of concatenated records, {} bytes, read borrowed; and a list of the same records",
            bytes.len()
        ),
        per: 1.0,
        names: vec![
            "`Records`, one core",
            "`Records::par_iter`",
            "`Records` of two halves on two threads, split at a known offset",
            "`List`, one core",
            "`List::par_iter`",
        ],
        cases: vec![
            Box::new(move || {
                let records = Records::<_, Borrowed>::from_slice(black_box(bytes));
                consume(records.map(|record| record.map_or(0, |record| record.size)).sum::<u64>())
            }),
            Box::new(move || {
                let records = Records::<_, Borrowed>::from_slice(black_box(bytes)).par_iter();
                consume(records.map(|record| record.map_or(0, |record| record.size)).sum::<u64>())
            }),
            Box::new(move || {
                let half = |bytes| {
                    let records = Records::<_, Borrowed>::from_slice(black_box(bytes));
                    records.map(|record| record.map_or(0, |record| record.size)).sum::<u64>()
                };
                let (first, second) = rayon::join(|| half(start), || half(end));
                consume(first + second)
            }),
            Box::new(|| {
                consume(
                    list.iter().map(|record| record.map_or(0, |record| record.size)).sum::<u64>(),
                )
            }),
            Box::new(|| {
                let sizes = list.par_iter().map(|record| record.map_or(0, |record| record.size));
                consume(sizes.sum::<u64>())
            }),
        ],
        goals: vec![(1, 0, 1.0 / 1.8), (4, 3, 1.0 / 1.8)],
    })
}

fn subjects() -> Outcome<Vec<Subject>> {
    Ok(vec![one_field()?, verified()?, log_in_molecule()?, log_in_biniou()?, large_file()?])
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
    let counts = counts(subjects.iter().map(|subject| subject.cases.len()).sum());
    let mut counts = counts.iter().flatten().copied();
    let mut tables = String::new();
    for subject in &subjects {
        let counts: Vec<u64> = counts.by_ref().take(subject.cases.len()).collect();
        table(subject, &counts, &mut tables)?;
    }
    // Callgrind has one core.
    table(&all_cores()?, &[], &mut tables)?;
    println!("{tables}");
    match (date, out) {
        (Some(date), Some(out)) => Ok(fs::write(out, report(date, &tables))?),
        _ => Ok(()),
    }
}

fn table(subject: &Subject, counts: &[u64], out: &mut String) -> Outcome<()> {
    let Subject { name, about, per, names, goals, cases } = subject;
    writeln!(out, "## {name}\n\n{about}\n")?;
    writeln!(out, "| | time | ratio | instructions | goal |\n|---|--:|--:|--:|--:|")?;
    let times = times(cases)?;
    for (at, case) in names.iter().take(cases.len()).enumerate() {
        let ratio = times[at] / times[0];
        let goal = match goals.iter().find(|(own, ..)| *own == at) {
            Some((_, base, most)) => {
                let reached = times[at] / times[*base] <= *most;
                format!("{most:.2}: {}", if reached { "reached" } else { "NOT" })
            }
            None => String::new(),
        };
        let counted = match counts.get(at) {
            Some(count) => format!("{:.0}", f64::from(u32::try_from(*count)?) / per),
            None => "–".to_owned(),
        };
        let time = shown(times[at] / per);
        writeln!(out, "| {case} | {time} | {ratio:.2} | {counted} | {goal} |")?;
    }
    writeln!(out)?;
    Ok(())
}

/// A time in a suitable unit.
fn shown(seconds: f64) -> String {
    match seconds {
        ..1e-6 => format!("{:.1} ns", seconds * 1e9),
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}

fn report(date: &str, tables: &str) -> String {
    let text = format!(
        "# Reading one field\n\nThe cost of `at`, `Raw`, `Lazy`, `List` and `Records`, compared with reading the whole message and with other \
         readers.\n\n\
         - Date: {date}\n- Machine: {}\n- Compiler: {}\n\
         - Command: `cargo run -p bench --release --bin lazy -- --date {date} --out docs/lazy-speed.md`\n\n\
         Times are medians of {ROUNDS} interleaved rounds; instructions are those of one turn under callgrind. Ratios are to the first row.\n\n{tables}",
        machine::machine(),
        machine::build(),
    );
    format!("{}\n", text.trim_end())
}
