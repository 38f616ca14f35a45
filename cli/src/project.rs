//! The project of a file: its `fourfold.toml` sets schemas, types and names of files. Nothing outside of the project's
//! folder is read.

use std::env;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;

use crate::choice::Choice;
use crate::failure::Failure;
use crate::names::Names;
use crate::schema::Types;

/// The file's name.
const FILE: &str = "fourfold.toml";

/// The marker of a project's outermost folder.
const OUTERMOST: &str = ".git";

/// The limit on the file's size.
const MOST_BYTES: u64 = 1 << 20;

/// A project: its folder and the rules for its files.
#[derive(Debug)]
pub(crate) struct Project {
    /// The folder of `fourfold.toml`, with symbolic links resolved.
    folder: PathBuf,
    rules: Vec<Rule>,
}

/// Schema, type and dictionaries for files that match. The first matching rule applies.
#[derive(Debug)]
pub(crate) struct Rule {
    paths: Vec<GlobMatcher>,
    schema: Option<PathBuf>,
    name: Option<String>,
    dictionaries: Vec<PathBuf>,
}

/// The content of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    files: Vec<WrittenRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    paths: OneOrMany,
    schema: Option<String>,
    #[serde(rename = "type")]
    name: Option<String>,
    #[serde(default)]
    dictionary: OneOrMany,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        OneOrMany::Many(Vec::new())
    }
}

impl OneOrMany {
    fn into_list(self) -> Vec<String> {
        match self {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        }
    }
}

impl Project {
    /// The project of the working directory, if it has one.
    ///
    /// # Errors
    ///
    /// If its file cannot be read, or is invalid.
    pub(crate) fn here() -> Result<Option<Self>, Failure> {
        // The working directory can be deleted.
        let Ok(here) = env::current_dir().and_then(fs::canonicalize) else { return Ok(None) };
        match folder_of(&here) {
            Some(folder) => Project::read(folder).map(Some),
            None => Ok(None),
        }
    }

    fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(FILE);
        let wrong = |text: String| Failure::data(&path.display().to_string(), text);
        let mut project = Project { folder: folder.to_owned(), rules: Vec::new() };
        project.inside(FILE).map_err(wrong)?;
        let text = text_of(&path).map_err(|error| Failure::io(&path, error))?;
        let written: Written = toml::from_str(&text).map_err(|error| {
            let at = error.span().map(|span| place(&text, span.start)).unwrap_or_default();
            wrong(format!("{}{at}", error.message()))
        })?;
        for (at, rule) in written.files.into_iter().enumerate() {
            let rule = project.rule(rule);
            project.rules.push(rule.map_err(|text| wrong(format!("files[{at}]: {text}")))?);
        }
        Ok(project)
    }

    fn rule(&self, written: WrittenRule) -> Result<Rule, String> {
        let WrittenRule { paths, schema, name, dictionary } = written;
        if name.is_some() && schema.is_none() {
            return Err("a type needs a schema: add `schema`".into());
        }
        let glob = |text: &String| {
            let glob = GlobBuilder::new(text).literal_separator(true).build();
            glob.map(|glob| glob.compile_matcher()).map_err(|error| error.to_string())
        };
        Ok(Rule {
            paths: paths.into_list().iter().map(glob).collect::<Result<_, _>>()?,
            schema: schema.map(|path| self.inside(&path)).transpose()?,
            name,
            dictionaries: dictionary
                .into_list()
                .iter()
                .map(|path| self.inside(path))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Resolves a path of the file, which must be in the project's folder.
    fn inside(&self, path: &str) -> Result<PathBuf, String> {
        let whole = self.folder.join(path);
        let outside = || format!("{path} is outside of the project's folder");
        if Path::new(path).components().any(|part| part == Component::ParentDir) {
            return Err(outside());
        }
        match fs::canonicalize(&whole) {
            Ok(real) if real.starts_with(&self.folder) => Ok(real),
            Ok(_) => Err(outside()),
            // Opening it reports the error.
            Err(_) if whole.starts_with(&self.folder) => Ok(whole),
            Err(_) => Err(outside()),
        }
    }

    /// The files that its rules name.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let files = self.rules.iter().flat_map(|rule| rule.schema.iter().chain(&rule.dictionaries));
        files.map(PathBuf::as_path)
    }

    /// Sets names and types that are not given to those of a rule.
    pub(crate) fn apply(&self, rule: &Rule, choice: Choice, names: &mut Names, types: &mut Types) {
        names.or_default(&rule.dictionaries);
        if let Some(schema) = &rule.schema {
            types.or_default(schema, rule.name.as_deref(), &self.folder, choice);
        }
    }

    /// Applies the rule of the first of these files that has one.
    pub(crate) fn apply_first<'p>(
        &self,
        files: impl IntoIterator<Item = &'p Path>,
        choice: Choice,
        names: &mut Names,
        types: &mut Types,
    ) {
        let mut rules = files.into_iter().filter_map(|file| self.rule_of(file));
        if let Some((_, rule)) = rules.next() {
            self.apply(rule, choice, names, types);
        }
    }

    /// The rule of a file, with its index. Files outside of the project and streams have none.
    pub(crate) fn rule_of(&self, file: &Path) -> Option<(usize, &Rule)> {
        if file.as_os_str() == "-" {
            return None;
        }
        let real = fs::canonicalize(file).or_else(|_| {
            // A file to write, which may not exist yet.
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
            Ok::<_, io::Error>(folder.join(file.file_name().unwrap_or_default()))
        });
        let real = real.ok()?;
        let path = real.strip_prefix(&self.folder).ok()?;
        let fits = |rule: &Rule| rule.paths.iter().any(|glob| glob.is_match(path));
        self.rules.iter().enumerate().find(|(_, rule)| fits(rule))
    }
}

/// Applies the project's rule of the first of these files that has one: schema and type, and names, unless they are
/// given.
pub(crate) fn apply<'p>(
    files: impl IntoIterator<Item = &'p PathBuf>,
    choice: Choice,
    names: &mut Names,
    types: &mut Types,
) -> Result<(), Failure> {
    if let Some(project) = Project::here()? {
        project.apply_first(files.into_iter().map(PathBuf::as_path), choice, names, types);
    }
    Ok(())
}

/// The nearest folder with `fourfold.toml`, from `here` up to the folder with `.git`. Without `.git`, only `here` is
/// searched, since folders above it can belong to other users.
fn folder_of(here: &Path) -> Option<&Path> {
    let outermost = here.ancestors().find(|folder| folder.join(OUTERMOST).exists()).unwrap_or(here);
    let within = here.ancestors().take_while(|folder| folder.starts_with(outermost));
    let mut with_file = within.filter(|folder| folder.join(FILE).is_file());
    with_file.next()
}

fn text_of(path: &Path) -> io::Result<String> {
    use std::io::Read as _;

    let mut text = String::new();
    let read = fs::File::open(path)?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    match u64::try_from(read).is_ok_and(|read| read <= MOST_BYTES) {
        true => Ok(text),
        false => Err(io::Error::other("longer than 1 MiB")),
    }
}

/// ` at line 3, column 7`.
fn place(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!(" at line {line}, column {column}")
}
