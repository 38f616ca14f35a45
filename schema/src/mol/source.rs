//! The files of a schema, in the order of their imports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::declare::{self, Source};
use super::{Error, ErrorKind, Result, Schema};
use crate::common::{Within, text_of};

/// Reads the schema that begins with `path`.
pub(super) fn read(path: &Path, within: Within<'_>) -> Result<Schema> {
    let outermost = within.file(path).map_err(Error::placeless)?;
    let text = text_of(path).map_err(Error::placeless)?;
    let mut texts = Vec::from([(path.to_path_buf(), text)]);
    let mut known = BTreeSet::new();
    let mut at = 0;
    while let Some((path, text)) = texts.get(at) {
        let head = Source::head(Some(name(path)), text)?;
        let mut more = Vec::new();
        for import in head.imports() {
            let path = imported(path, import.text);
            let file = within.file(&path).map_err(|error| head.error(error, import))?;
            if file == outermost {
                return Err(head.error(ErrorKind::Cycle, import));
            }
            if known.insert(file) {
                let text = text_of(&path).map_err(|error| head.error(error, import))?;
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

fn name(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}
