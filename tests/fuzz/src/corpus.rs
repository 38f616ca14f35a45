//! The corpora: a folder of inputs for each target. The file [`FOUND`] has the inputs that fuzzing found, one per line in
//! hexadecimal, the shortest first.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::fixture::{hex, unhex};

/// The file of inputs that fuzzing found.
pub const FOUND: &str = "found.hex";

/// The inputs of a target.
#[derive(Debug)]
pub struct Corpus {
    /// Inputs with their own file.
    pub seeds: Vec<(PathBuf, Vec<u8>)>,
    /// Inputs that fuzzing found.
    pub found: Vec<Vec<u8>>,
}

/// The folder of the corpora.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

impl Corpus {
    /// Reads the corpus of a target.
    #[must_use]
    pub fn of(target: &str) -> Self {
        let folder = root().join(target);
        let found = fs::read_to_string(folder.join(FOUND)).unwrap_or_default();
        Corpus {
            seeds: files(&folder).filter(|(path, _)| !path.ends_with(FOUND)).collect(),
            found: found.lines().map(|line| unhex(line).expect("hexadecimal")).collect(),
        }
    }

    /// All inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.seeds.iter().map(|(_, bytes)| bytes).chain(&self.found)
    }

    /// Stores the files of a folder as found inputs, without those that have a file already.
    pub fn keep(&self, target: &str, folder: &Path) -> usize {
        let seeds: BTreeSet<&Vec<u8>> = self.seeds.iter().map(|(_, bytes)| bytes).collect();
        let found: BTreeSet<(usize, Vec<u8>)> = files(folder)
            .map(|(_, bytes)| (bytes.len(), bytes))
            .filter(|(len, bytes)| *len > 0 && !seeds.contains(bytes))
            .collect();
        let lines: String = found.iter().map(|(_, bytes)| hex(bytes) + "\n").collect();
        fs::write(root().join(target).join(FOUND), lines).unwrap();
        found.len()
    }
}

fn files(folder: &Path) -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| {
        let bytes = fs::read(&path).unwrap();
        (path, bytes)
    })
}
