//! Several files, one after another: failures do not stop the others, and the worst outcome counts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use fourfold_files::formats::Format;
use fourfold_files::write::count::counted;
use fourfold_files::write::plain::plain;

use crate::choice::Choice;
use crate::failure::{Ended, Failure, remark, report};
use crate::inputs::{Entry, Found};
use crate::names::Names;
use crate::project::Project;
use crate::schema::Types;
use crate::target;

/// What the summary says of a file that was not read to its end for another reason than its bytes.
pub(crate) const FAILED: &str = "failed";
/// What it says of a file that was printed.
pub(crate) const SHOWN: &str = "shown";
/// What it says of a file that is not in its format.
pub(crate) const BAD: &str = "bad";
/// What it says of files that are in no format known here.
pub(crate) const UNKNOWN: &str = "unknown";
/// What it says of files that several formats fit.
pub(crate) const UNDECIDED: &str = "undecided";

/// What became of a file: the code that counts, and what the summary says.
pub(crate) type Outcome = (Ended, &'static str);

/// Does `work` with each file, then sums up how many of them became what if there are several.
///
/// # Errors
///
/// If standard output cannot be written; other failures are printed.
pub(crate) fn each<T>(
    files: Vec<(Entry, T)>,
    mut work: impl FnMut(&Found, &T) -> Result<Outcome, Failure>,
) -> Result<Ended, Failure> {
    let count = files.len();
    let mut ended = Ended::Good;
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    for (entry, with) in files {
        let (code, word) = match entry.and_then(|file| work(&file, &with)) {
            Ok(outcome) => outcome,
            // The others would be printed to nobody.
            Err(failure) if failure.is_closed_pipe() => return Ok(ended),
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => {
                report(&failure);
                let code = Ended::of(&failure);
                (code, if code == Ended::BadData { BAD } else { FAILED })
            }
        };
        ended = ended.max(code);
        *words.entry(word).or_default() += 1;
    }
    if count > 1 {
        let words: Vec<String> =
            words.iter().map(|(word, count)| format!("{count} {word}")).collect();
        remark(&format!("{}: {}", counted(count, "file"), words.join(", ")));
    }
    Ok(ended)
}

impl Found {
    /// The detected format of the file; or what the summary says of a file in a directory that has none, nor the name of
    /// one.
    ///
    /// # Errors
    ///
    /// Why no format was detected of another file.
    pub(crate) fn known<T>(
        &self,
        detected: Result<T, Failure>,
    ) -> Result<Result<T, Outcome>, Failure> {
        match detected {
            Ok(detected) => Ok(Ok(detected)),
            Err(failure) if self.is_given || self.is_named() => Err(failure),
            Err(Failure::Data { .. }) => Ok(Err((Ended::Good, UNKNOWN))),
            Err(_) => Ok(Err((Ended::Good, UNDECIDED))),
        }
    }

    /// Whether its name is that of a file of one of the formats.
    fn is_named(&self) -> bool {
        Format::by_extension(&self.path.to_string_lossy()).is_some()
    }
}

/// How files are read: of which type, and with which names.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'a> {
    pub(crate) format: Choice,
    pub(crate) names: &'a Names,
    pub(crate) types: &'a Types,
}

impl Ways<'_> {
    /// Adds to each file what `make` makes of what is said of it: on the command line, else in the project's file. Made once
    /// for all files of which the same is said.
    ///
    /// Refuses to read what is written, which is `output`.
    ///
    /// # Errors
    ///
    /// Those of `make`, and if the project's file is wrong.
    pub(crate) fn of<T>(
        self,
        files: Vec<Entry>,
        output: &Path,
        make: impl Fn(&Names, &Types) -> Result<T, Failure>,
    ) -> Result<Vec<(Entry, Rc<T>)>, Failure> {
        let project = Project::here()?;
        let paths = files.iter().flatten().map(|file| file.path.as_path());
        let read = paths.chain(self.names.files()).chain(self.types.file());
        target::spare_inputs(output, read.chain(project.iter().flat_map(Project::files)))?;
        let mut made: BTreeMap<Option<usize>, Rc<T>> = BTreeMap::new();
        let mut all = Vec::with_capacity(files.len());
        for entry in files {
            let project = project.as_ref().zip(entry.as_ref().ok());
            let rule =
                project.and_then(|(project, file)| Some((project, project.rule_of(&file.path)?)));
            let number = rule.map(|(_, (number, _))| number);
            let way = match made.get(&number) {
                Some(way) => Rc::clone(way),
                None => {
                    let (mut names, mut types) = (self.names.clone(), self.types.clone());
                    if let Some((project, (_, rule))) = rule {
                        project.settle(rule, self.format, &mut names, &mut types);
                    }
                    let way = Rc::new(make(&names, &types)?);
                    made.insert(number, Rc::clone(&way));
                    way
                }
            };
            all.push((entry, way));
        }
        Ok(all)
    }
}

/// Refuses what only one file has room for.
///
/// # Errors
///
/// If there are several.
pub(crate) fn only_one(files: &[Entry], option: &str, instead: &str) -> Result<(), Failure> {
    match files {
        [] | [_] => Ok(()),
        files => {
            let count = files.len();
            Err(Failure::Usage(format!(
                "{option} is for one file, and there are {count}; {instead}"
            )))
        }
    }
}

/// The line above what is printed of each of several files, as `head` has it.
pub(crate) struct Headings {
    are_wanted: bool,
    is_first: bool,
}

impl Headings {
    pub(crate) fn of(files: &[Entry]) -> Self {
        Headings { are_wanted: files.len() > 1, is_first: true }
    }

    /// Whether there are several files.
    pub(crate) fn are_wanted(&self) -> bool {
        self.are_wanted
    }

    /// An empty line after another file, then the name, unless what follows begins with it.
    pub(crate) fn write(&mut self, out: &mut dyn Write, name: Option<&str>) -> io::Result<()> {
        if !self.are_wanted {
            return Ok(());
        }
        if !std::mem::take(&mut self.is_first) {
            writeln!(out)?;
        }
        match name {
            Some(name) => writeln!(out, "==> {} <==", plain(name)),
            None => Ok(()),
        }
    }
}
