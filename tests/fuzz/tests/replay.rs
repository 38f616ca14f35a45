//! Replays each corpus, and a few mutations of it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test reports by panicking")]

use fourfold_fuzz::TARGETS;
use fourfold_fuzz::mutate::Dice;
use std::fs;
use std::path::Path;

/// Mutations of each file.
const MUTATIONS: usize = 20;

#[test]
fn corpora() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut names: Vec<String> = fs::read_dir(&root)
        .unwrap()
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, TARGETS.map(|(name, _)| name), "each target has a corpus");
    let (mut files, mut bytes) = (0, 0);
    for (name, target) in TARGETS {
        let mut paths: Vec<_> =
            fs::read_dir(root.join(name)).unwrap().map(|file| file.unwrap().path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{name}");
        let mut dice = Dice::new(1);
        let mut last = Vec::new();
        for path in paths {
            let seed = fs::read(&path).unwrap();
            println!("{}", path.display());
            target(&seed);
            for _ in 0..MUTATIONS {
                let mut message = seed.clone();
                dice.damage(&mut message, &last);
                target(&message);
            }
            files += 1;
            bytes += seed.len();
            last = seed;
        }
    }
    println!("{files} files, {bytes} bytes");
    assert!(files < 2000 && bytes < 1 << 20, "corpora stay small: {files} files, {bytes} bytes");
}
