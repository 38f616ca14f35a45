//! Texts of a schema: which files it takes types from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::schema::{self, Error, Result, Schema};
use crate::common::{Within, text_of};

/// A text of a schema.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) file: Option<Arc<str>>,
    pub(super) text: Arc<str>,
    /// The module of OCaml that atdgen makes of it, without `_b`.
    pub(super) module: String,
    /// Modules that it takes types from, and which of the texts each is of.
    pub(super) modules: BTreeMap<String, usize>,
}

impl Source {
    pub(super) fn new(file: Option<Arc<str>>, text: &str) -> Self {
        Source { file, text: text.into(), module: String::new(), modules: BTreeMap::new() }
    }
}

/// Reads the schema of a file, and those of the modules that it takes types from.
pub(super) fn read<P: AsRef<Path>>(
    path: &Path,
    include: impl IntoIterator<Item = P>,
    within: Within<'_>,
) -> Result<Schema> {
    let include: Vec<P> = include.into_iter().collect();
    let mut files = BTreeMap::from([(within.file(path).map_err(Error::placeless)?, 0)]);
    let mut paths = Vec::from([path.to_path_buf()]);
    let mut sources: Vec<Source> = Vec::new();
    while let Some(path) = paths.get(sources.len()).cloned() {
        let text = text_of(&path).map_err(Error::placeless)?;
        let mut source = Source::new(Some(path.to_string_lossy().into()), &text);
        source.module = module_of(&path);
        // Each file has to be a schema by itself, as it has to be one for atdgen.
        let schema = schema::read(Vec::from([source.clone()]))?;
        let folders = [path.parent().unwrap_or(Path::new(""))];
        let folders: Vec<&Path> =
            folders.into_iter().chain(include.iter().map(AsRef::as_ref)).collect();
        for (_, module) in schema.missing() {
            if source.modules.contains_key(module) {
                continue;
            }
            let Some(found) = folders.iter().find_map(|folder| file_of(module, folder)) else {
                continue;
            };
            let file = within.file(&found).map_err(Error::placeless)?;
            let at = *files.entry(file).or_insert_with(|| {
                paths.push(found);
                paths.len() - 1
            });
            source.modules.insert(module.into(), at);
        }
        sources.push(source);
    }
    schema::read(sources)
}

/// The module that OCaml has for a file.
fn module_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut letters = stem.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The file in a folder that a module is made of. Of `Lib.Units`, `Lib` is a library that has it.
fn file_of(module: &str, folder: &Path) -> Option<PathBuf> {
    let name = module.rsplit('.').next()?;
    let first = name.chars().next()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'');
    if !name.chars().all(is_name) {
        return None;
    }
    let rest = name.get(first.len_utf8()..)?;
    let cases = [first.to_ascii_lowercase(), first.to_ascii_uppercase()];
    let mut paths = cases.map(|first| folder.join(format!("{first}{rest}.atd"))).into_iter();
    paths.find(|path| path.is_file())
}
