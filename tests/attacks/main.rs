//! Hostile files: the claim of each, the exact result of the library, and the memory that it takes.
//! `cargo test --test attacks -- --ignored make` writes the files and their manifests again.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod biniou;
mod files;
mod molecule;
mod primitiv;
mod read;
#[path = "../support/mod.rs"]
mod support;
mod tsm;

use files::{Entry, FORMATS, path, shelf};
use std::fs;
use support::alloc::measure_value;

#[global_allocator]
static ALLOCATOR: support::alloc::Counting = support::alloc::Counting;

/// Maximum memory for reading a file, in addition to [`memory_per_byte`].
const MEMORY: usize = 32 << 10;

fn memory_per_byte(format: &str) -> usize {
    match format {
        // A byte may expand to 64 items by references, each of 32 bytes.
        "biniou" => 64 * 32,
        _ => 64,
    }
}

/// The result of reading, and the peak memory.
fn answer(format: &str, reads_as: &str, bytes: &[u8]) -> (String, usize) {
    let (read, stats) = measure_value(|| read::read(format, reads_as, bytes));
    let read = read.unwrap_or_else(|| panic!("{format} is not read as {reads_as}"));
    (read.err().unwrap_or_else(|| "accepted".into()), stats.peak)
}

#[test]
fn results_and_memory_are_those_of_the_manifest() {
    for format in FORMATS {
        let manifest = shelf(format);
        assert!(manifest.len() > 10, "{format}: {}", manifest.len());
        for Entry { file, reads_as, claim, answer: wanted } in manifest {
            let bytes = fs::read(path(format).join(&file)).unwrap();
            let (outcome, peak) = answer(format, &reads_as, &bytes);
            assert_eq!(outcome, wanted, "{format}/{file} as {reads_as}");
            assert!(!claim.is_empty(), "{format}/{file}");
            let most = MEMORY + memory_per_byte(format) * bytes.len();
            assert!(peak <= most, "{format}/{file}: {peak} bytes for {}", bytes.len());
        }
    }
}

/// Each file is in its manifest.
#[test]
fn each_file_is_in_the_manifest() {
    for format in FORMATS {
        let mut files: Vec<String> = fs::read_dir(path(format))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "manifest.json")
            .collect();
        files.sort();
        let mut listed: Vec<String> = shelf(format).into_iter().map(|entry| entry.file).collect();
        listed.sort();
        listed.dedup();
        assert_eq!(files, listed, "{format}");
    }
}

#[test]
#[ignore = "writes the shelf"]
fn make() {
    let makers = [biniou::files, molecule::files, primitiv::files, tsm::files];
    for (format, files) in FORMATS.into_iter().zip(makers) {
        fs::create_dir_all(path(format)).unwrap();
        let mut manifest = Vec::new();
        for (file, claim, readings, bytes) in files() {
            let file = format!("{file}.bin");
            fs::write(path(format).join(&file), &bytes).unwrap();
            for reads_as in readings {
                let (answer, peak) = answer(format, reads_as, &bytes);
                println!("{format}/{file} ({}) as {reads_as}: {answer}; {peak}", bytes.len());
                manifest.push(Entry {
                    file: file.clone(),
                    reads_as: (*reads_as).to_owned(),
                    claim: claim.to_owned(),
                    answer,
                });
            }
        }
        let text = serde_json::to_string_pretty(&manifest).unwrap();
        fs::write(path(format).join("manifest.json"), text + "\n").unwrap();
    }
}
