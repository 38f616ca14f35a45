//! Names for biniou's hashes: word lists and `.atd` schemas.

use std::path::{Path, PathBuf};

use clap::Args;
use fourfold::biniou::{self, Dictionary};
use fourfold_schema::{atd, is_atd};

use crate::failure::{Failure, describe};
use crate::input::without_mark;

/// The option of subcommands that show names.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Names {
    /// Names for biniou's hashes: a list of words, one per line, or an ATD schema (`.atd`). Can be
    /// repeated.
    #[arg(long, value_name = "WORDS|ATD")]
    dict: Vec<PathBuf>,
}

impl Names {
    /// Uses these files if none are given.
    pub(crate) fn or_default(&mut self, files: &[PathBuf]) {
        if self.dict.is_empty() {
            self.dict = files.to_vec();
        }
    }

    /// Whether there are none to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.dict.is_empty()
    }

    /// The files with names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.dict.iter().map(PathBuf::as_path)
    }

    /// All files that a subcommand reads: its input and those with names.
    pub(crate) fn with<'p>(
        &'p self,
        files: impl IntoIterator<Item = &'p PathBuf>,
    ) -> impl Iterator<Item = &'p Path> {
        files.into_iter().chain(&self.dict).map(PathBuf::as_path)
    }

    /// The names of all these files.
    pub(crate) fn read(&self) -> Result<Dictionary, Failure> {
        dictionary(&self.dict)
    }
}

/// The names in an `.atd` file, and in files of the same folder that it refers to.
fn of_atd(path: &Path, text: &str) -> biniou::Result<Dictionary> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match atd::Schema::from_file_within(path, folder.unwrap_or(Path::new("."))) {
        Ok(schema) => schema.dictionary(),
        // Names are usable even if types are missing.
        Err(_) => atd::names(text),
    }
}

fn dictionary(paths: &[PathBuf]) -> Result<Dictionary, Failure> {
    let mut dictionary = Dictionary::new();
    for path in paths {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path, error))?;
        let text = without_mark(&text);
        let names = match is_atd(path) {
            true => of_atd(path, text),
            false => Dictionary::from_words(text),
        };
        names
            .and_then(|names| dictionary.merge(&names))
            .map_err(|error| Failure::data(&path.display().to_string(), describe(&error)))?;
    }
    Ok(dictionary)
}
