//! Mutates the corpora without libFuzzer: `quick [--runs N] [--seed N] [TARGET ..]`.
//!
//! Inputs for which a target panics are stored in `artifacts/TARGET/`, and the message is printed.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a tool of developers")]

use fourfold_fuzz::TARGETS;
use fourfold_fuzz::corpus::Corpus;
use fourfold_fuzz::mutate::Dice;
use std::panic::catch_unwind;
use std::path::Path;
use std::{env, fs, process};

fn main() {
    let (mut runs, mut seed, mut wanted) = (20_000, 1, Vec::new());
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_else(usage);
        match word.as_str() {
            "--runs" => runs = number(),
            "--seed" => seed = number(),
            name if TARGETS.iter().any(|(target, _)| *target == name) => wanted.push(word),
            _ => {
                usage();
            }
        }
    }
    let mut broken = 0;
    for (name, target) in TARGETS {
        if !wanted.is_empty() && !wanted.iter().any(|word| word == name) {
            continue;
        }
        let corpus = Corpus::of(name);
        let seeds: Vec<&Vec<u8>> = corpus.inputs().collect();
        let mut dice = Dice::new(seed ^ name.len() as u64);
        let mut found = 0;
        for _ in 0..runs {
            let mut message = seeds[dice.below(seeds.len())].clone();
            let other = seeds[dice.below(seeds.len())];
            dice.damage(&mut message, other);
            if catch_unwind(|| target(&message)).is_err() {
                keep(name, &message);
                found += 1;
                if found == 5 {
                    break;
                }
            }
        }
        println!("{name}: {runs} runs over {} seeds, {found} broken", seeds.len());
        broken += found;
    }
    process::exit(i32::from(broken > 0));
}

fn usage() -> u64 {
    eprintln!("usage: quick [--runs N] [--seed N] [TARGET ..]");
    process::exit(2);
}

fn keep(name: &str, message: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(name);
    fs::create_dir_all(&folder).unwrap();
    // FNV-1a.
    let hash = message.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    fs::write(folder.join(format!("{hash:016x}")), message).unwrap();
}
