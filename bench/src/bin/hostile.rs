//! Writes `docs/hostile.md`: reads each file of `tests/attacks/` with this library and with other crates.
//!
//! `cargo run -p bench --release --bin hostile > docs/hostile.md`. Each file is read in its own process, with
//! 2 GiB of memory and ten seconds, because other crates may abort.

use std::collections::HashMap;
use std::error::Error;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use files::{Entry, FORMATS, path, shelf};
use molecule::prelude::Entity;
use read::{Nest, Pair};
use serde::de::{DeserializeOwned, IgnoredAny};

#[path = "../allocator.rs"]
mod allocator;
#[allow(clippy::panic, dead_code, reason = "shared with tests, which report by panicking")]
#[path = "../../../tests/attacks/files.rs"]
mod files;
#[path = "../../../tests/attacks/read.rs"]
mod read;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// In kilobytes, for `ulimit -v`.
const MEMORY: usize = 2 << 20;
const TIME: Duration = Duration::from_secs(10);

/// Other crates that read a format.
fn other_crates(format: &str) -> &'static [&'static str] {
    match format {
        "molecule" => &["serde_molecule", "molecule"],
        "primitiv" => &["rmp-serde"],
        "safetensors" => &["safetensors"],
        _ => &[],
    }
}

fn main() -> Outcome<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    if let [reader, format, reads_as, file] = &words[..] {
        return child(reader, format, reads_as, file);
    }
    println!("# Hostile files\n");
    println!(
        "Written by `cargo run -p bench --release --bin hostile > docs/hostile.md`. Each row is a file \
         of `tests/attacks/`, read as one type in its own process with {} GiB of memory and {} \
         seconds. Memory is the peak of one read, time its duration. Other crates read the same \
         types without attributes of their own; rmp-serde has no type for a primitiv file, so it skips \
         the file's objects. `cargo test --test attacks` checks each result of this library and its memory.\n",
        MEMORY >> 20,
        TIME.as_secs()
    );
    for format in FORMATS {
        table(format, shelf(format))?;
    }
    safetensors()
}

fn table(format: &str, entries: Vec<Entry>) -> Outcome<()> {
    let others = other_crates(format);
    println!("## {format}\n");
    print!("| file | bytes | claims | read as | fourfold | memory | time |");
    others.iter().for_each(|name| print!(" {name} |"));
    println!("\n|---|---:|---|---|---|---:|---:|{}", "---|".repeat(others.len()));
    for Entry { file, reads_as, claim, .. } in entries {
        let bytes = fs::metadata(path(format).join(&file))?.len();
        let ours = run("fourfold", format, &reads_as, &file)?;
        let (answer, memory, time) = match ours.split('\t').collect::<Vec<_>>()[..] {
            [answer, memory, time] => (short(answer), memory.to_owned(), time.to_owned()),
            _ => (ours, String::new(), String::new()),
        };
        let name = file.trim_end_matches(".bin");
        print!("| {name} | {bytes} | {claim} | `{reads_as}` | {answer} | {memory} | {time} |");
        for name in others {
            print!(" {} |", run(name, format, &reads_as, &file)?.replace('\t', ", "));
        }
        println!();
    }
    println!();
    Ok(())
}

/// The same attacks on the safetensors crate.
fn safetensors() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let headed = |header: &str, data: &[u8]| {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
    };
    let overlap = r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}"#;
    let overflow = r#"{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#;
    let attacks = [
        ("header-max", "a header of 2^64-1 bytes", vec![0xff; 8]),
        (
            "header-100-MB",
            "a header of 100 MB",
            [&100_000_000_u64.to_le_bytes()[..], b"{"].concat(),
        ),
        ("deep", "10,000 levels: the stack", headed(&"[".repeat(10_000), &[])),
        ("overlap", "two tensors with the same bytes", headed(overlap, &[0; 4])),
        ("overflow", "2^64 elements, which is 0 in 64 bits", headed(overflow, &[])),
    ];
    println!("## safetensors, for comparison with tsm and primitiv\n");
    println!("| file | bytes | claims | safetensors |\n|---|---:|---|---|");
    for (name, claim, bytes) in attacks {
        let file = folder.path().join(name);
        fs::write(&file, &bytes)?;
        let answer = run("safetensors", "safetensors", "-", file.to_str().unwrap_or_default())?;
        println!("| {name} | {} | {claim} | {} |", bytes.len(), answer.replace('\t', ", "));
    }
    Ok(())
}

/// The text as one line of a Markdown table, shortened.
fn short(answer: &str) -> String {
    let answer = answer
        .replace(['\n', '\r'], " ")
        .replace('|', "\\|")
        .replace("[0]".repeat(8).as_str(), "…");
    let mut text = String::new();
    for part in answer.split_inclusive('…') {
        // A long path is one ellipsis.
        if part != "…" || !text.ends_with('…') {
            text.push_str(part);
        }
    }
    match text.char_indices().nth(160) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// Reads the file in a child process. Returns its result, memory and time, or how it ended.
fn run(reader: &str, format: &str, reads_as: &str, file: &str) -> Outcome<String> {
    let script = format!("ulimit -v {MEMORY} -c 0; exec \"$0\" \"$@\"");
    let mut process = Command::new("sh")
        .args(["-c", &script])
        .arg(env::current_exe()?)
        .args([reader, format, reads_as, file])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait()? {
            break status;
        }
        if start.elapsed() > TIME {
            process.kill()?;
            process.wait()?;
            return Ok(format!("**no answer in {} s**", TIME.as_secs()));
        }
        thread::sleep(Duration::from_millis(2));
    };
    let mut printed = String::new();
    if let Some(mut output) = process.stdout.take() {
        output.read_to_string(&mut printed)?;
    }
    Ok(match (status.code(), status.signal()) {
        (Some(0), _) => printed.trim_end().to_owned(),
        (Some(101), _) => "**panics**".into(),
        (_, Some(6)) => "**aborts**".into(),
        (_, Some(11)) => "**runs out of stack**".into(),
        (code, signal) => format!("**ends with {code:?}, {signal:?}**"),
    })
}

/// Reads the file once and prints the result.
fn child(reader: &str, format: &str, reads_as: &str, file: &str) -> Outcome<()> {
    let bytes = fs::read(path(format).join(file))?;
    let start = Instant::now();
    let mut answer = None;
    let stats = allocator::peak(|| {
        answer = match reader {
            "fourfold" => read::read(format, reads_as, &bytes),
            "serde_molecule" => of_serde_molecule(reads_as, &bytes),
            "molecule" => of_molecule(reads_as, &bytes),
            "rmp-serde" => of_rmp(reads_as, &bytes),
            _ => Some(outcome(safetensors::SafeTensors::deserialize(&bytes).map(drop))),
        };
        Ok(())
    })?;
    let time = start.elapsed();
    match answer {
        None => println!("n/a"),
        Some(Err(text)) if reader == "fourfold" => {
            println!("{}\t{}\t{}", text, amount(stats.peak), duration(time));
        }
        Some(read) => {
            let word = if read.is_ok() { "accepted" } else { "refused" };
            println!("{word}\t{}\t{}", amount(stats.peak), duration(time));
        }
    }
    // Exits without dropping: a deep value would overflow the stack.
    process::exit(0);
}

fn outcome<T>(read: Result<T, impl ToString>) -> Result<(), String> {
    read.map(drop).map_err(|error| error.to_string())
}

/// Reads a type of `tests/attacks/` with a generic reader.
macro_rules! by_type {
    ($reads_as:ident, $read:ident, $bytes:ident) => {
        match $reads_as {
            "Vec<u64>" => Some($read::<Vec<u64>>($bytes)),
            "Vec<()>" => Some($read::<Vec<()>>($bytes)),
            "Vec<String>" => Some($read::<Vec<String>>($bytes)),
            "Vec<Vec<Vec<u8>>>" => Some($read::<Vec<Vec<Vec<u8>>>>($bytes)),
            "Vec<Option<u8>>" => Some($read::<Vec<Option<u8>>>($bytes)),
            "HashMap<u64, u64>" => Some($read::<HashMap<u64, u64>>($bytes)),
            "String" => Some($read::<String>($bytes)),
            "Nest" => Some($read::<Nest>($bytes)),
            "Pair" => Some($read::<Pair>($bytes)),
            _ => None,
        }
    };
}

fn of_rmp(reads_as: &str, bytes: &[u8]) -> Option<Result<(), String>> {
    fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), String> {
        outcome(rmp_serde::from_slice::<T>(bytes))
    }
    match reads_as {
        // A file is concatenated objects, for which rmp-serde has no type, so they are skipped.
        "File" => {
            let mut deserializer = rmp_serde::Deserializer::new(bytes);
            Some(loop {
                match serde::Deserialize::deserialize(&mut deserializer) {
                    Ok(IgnoredAny) if deserializer.get_ref().is_empty() => break Ok(()),
                    Ok(IgnoredAny) => {}
                    Err(error) => break Err(error.to_string()),
                }
            })
        }
        _ => by_type!(reads_as, read, bytes),
    }
}

fn of_serde_molecule(reads_as: &str, bytes: &[u8]) -> Option<Result<(), String>> {
    fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), String> {
        outcome(serde_molecule::from_slice::<T>(bytes, false))
    }
    by_type!(reads_as, read, bytes)
}

/// The official readers, for types of the generated schema.
fn of_molecule(reads_as: &str, bytes: &[u8]) -> Option<Result<(), String>> {
    match reads_as {
        "String" => Some(outcome(official::Bytes::from_slice(bytes))),
        "Vec<String>" => Some(outcome(official::BytesVec::from_slice(bytes))),
        _ => None,
    }
}

#[allow(
    dead_code,
    elided_lifetimes_in_paths,
    unreachable_pub,
    clippy::all,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "generated code"
)]
mod official {
    include!(concat!(env!("OUT_DIR"), "/blockchain.rs"));
}

fn amount(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

fn duration(time: Duration) -> String {
    match time.as_micros() {
        0..10_000 => format!("{} µs", time.as_micros()),
        _ => format!("{} ms", time.as_millis()),
    }
}
