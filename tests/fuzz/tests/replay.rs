//! Replays each corpus, and a few mutations of it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test reports by panicking")]

use fourfold_fuzz::TARGETS;
use fourfold_fuzz::corpus::{Corpus, root};
use fourfold_fuzz::mutate::Dice;
use std::fs;

/// Mutations of each file.
const OF_SEEDS: usize = 20;
/// Mutations of each found input.
const OF_FOUND: usize = 1;

#[test]
fn corpora() {
    let mut names: Vec<String> = fs::read_dir(root())
        .unwrap()
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, TARGETS.map(|(name, _)| name), "each target has a corpus");
    for (name, target) in TARGETS {
        let corpus = Corpus::of(name);
        assert!(!corpus.seeds.is_empty(), "{name}");
        let mut dice = Dice::new(1);
        let mut last = Vec::new();
        let mut replay = |seed: &Vec<u8>, mutations: usize| {
            target(seed);
            for _ in 0..mutations {
                let mut message = seed.clone();
                dice.damage(&mut message, &last);
                target(&message);
            }
            last.clone_from(seed);
        };
        for (path, seed) in &corpus.seeds {
            println!("{}", path.display());
            replay(seed, OF_SEEDS);
        }
        for (line, seed) in corpus.found.iter().enumerate() {
            println!("{name}, line {} of what was found", line + 1);
            replay(seed, OF_FOUND);
        }
        let bytes: usize = corpus.inputs().map(Vec::len).sum();
        let (seeds, found) = (corpus.seeds.len(), corpus.found.len());
        println!("{name}: {seeds} files, {found} found, {bytes} bytes");
        assert!(seeds < 100 && bytes < 1 << 20, "corpora stay small: {seeds} files, {bytes} bytes");
    }
}
