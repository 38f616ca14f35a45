//! Reads the file of a schema.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::CommonKind;

/// How many bytes a file may have: 1 GiB.
const MOST_BYTES: u64 = 1 << 30;

/// Reads a file, which may have 1 GiB.
pub(crate) fn text_of(path: &Path) -> Result<String, CommonKind> {
    let read = || {
        let mut text = String::new();
        let read = File::open(path)?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
        match u64::try_from(read).is_ok_and(|read| read <= MOST_BYTES) {
            true => Ok(text),
            false => Err(io::Error::other("longer than 1 GiB")),
        }
    };
    read().map_err(|error: io::Error| unreadable(path, &error))
}

/// Whether a file is a schema of biniou, by its name: the extension is `.atd`, in letters of either case.
#[must_use]
pub fn is_atd(path: impl AsRef<Path>) -> bool {
    has_extension(path.as_ref(), "atd")
}

/// Whether a file is a schema of Molecule, by its name: the extension is `.mol`, in letters of either case.
#[must_use]
pub fn is_mol(path: impl AsRef<Path>) -> bool {
    has_extension(path.as_ref(), "mol")
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The error of a file that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> CommonKind {
    CommonKind::Unreadable { path: path.to_string_lossy().into_owned(), reason: error.to_string() }
}

/// Which files of a schema may be read.
#[derive(Clone, Copy)]
pub(crate) enum Within<'p> {
    Anywhere,
    /// Those in this folder.
    Folder(&'p Path),
}

impl Within<'_> {
    /// The file that a path leads to, without symbolic links.
    pub(crate) fn file(self, path: &Path) -> Result<PathBuf, CommonKind> {
        let canonical =
            |path: &Path| fs::canonicalize(path).map_err(|error| unreadable(path, &error));
        let file = canonical(path)?;
        match self {
            Within::Folder(folder) if !file.starts_with(canonical(folder)?) => {
                let path = path.to_string_lossy().into_owned();
                Err(CommonKind::Outside { path })
            }
            _ => Ok(file),
        }
    }
}
