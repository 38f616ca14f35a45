//! Files of a schema: which there are, in which order. Knows the file system, does not know types.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::declare::{self, Source};
use super::{Error, ErrorKind, Result, Schema};
use crate::limits::DEFAULT_MAX_INPUT;
use crate::schema::Fault;

/// Reads the schema that begins with `path`.
pub(super) fn read(path: &Path) -> Result<Schema> {
    let refuse = |error| Error::placeless(unreadable(path, &error));
    let outermost = fs::canonicalize(path).map_err(refuse)?;
    let mut texts = Vec::from([(path.to_path_buf(), text_of(path).map_err(refuse)?)]);
    let mut known = BTreeSet::new();
    let mut at = 0;
    while let Some((path, text)) = texts.get(at) {
        let head = Source::head(Some(name(path)), text)?;
        let mut more = Vec::new();
        for import in head.imports() {
            let path = imported(path, import.text);
            let refuse = |error| head.error(unreadable(&path, &error), import);
            let file = fs::canonicalize(&path).map_err(refuse)?;
            if file == outermost {
                return Err(head.error(ErrorKind::Cycle, import));
            }
            if known.insert(file) {
                let text = text_of(&path).map_err(refuse)?;
                more.push((path, text));
            }
        }
        texts.extend(more);
        at += 1;
    }
    let sources: Result<Vec<_>> =
        texts.iter().map(|(path, text)| Source::new(Some(name(path)), text)).collect();
    declare::declare(&sources?)
}

/// The file that `import` means in the file `of`.
fn imported(of: &Path, import: &str) -> PathBuf {
    let mut path = of.to_path_buf();
    path.pop();
    path.extend(import.split('/'));
    path.set_extension("mol");
    path
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(DEFAULT_MAX_INPUT + 1).read_to_string(&mut text)?;
    match u64::try_from(read).is_ok_and(|read| read <= DEFAULT_MAX_INPUT) {
        true => Ok(text),
        false => Err(io::Error::other("longer than 1 GiB")),
    }
}

fn name(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

fn unreadable(path: &Path, error: &io::Error) -> ErrorKind {
    let path = path.to_string_lossy().into_owned();
    Fault::Unreadable { path, reason: error.to_string() }.into()
}
