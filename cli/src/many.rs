//! Several files, one after another: failures do not stop the others, and the worst outcome counts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use fourfold_inspect::formats::Format;
use fourfold_inspect::write::count::counted;
use fourfold_inspect::write::plain::plain;

use crate::choice::Choice;
use crate::failure::{ExitStatus, Failure, report, warn};
use crate::inputs::{Entry, Found};
use crate::names::Names;
use crate::project::Project;
use crate::schema::Types;
use crate::target;

/// The summary's word for a file that could not be read or processed.
pub(crate) const FAILED: &str = "failed";
/// The word for a file that was printed.
pub(crate) const SHOWN: &str = "shown";
/// The word for a file that is not in its format.
pub(crate) const BAD: &str = "bad";
/// The word for a file of an unknown format.
pub(crate) const UNKNOWN: &str = "unknown";
/// The word for a file that several formats fit.
pub(crate) const UNDECIDED: &str = "undecided";

/// The result for one file: its exit status, and its word in the summary.
pub(crate) type Outcome = (ExitStatus, &'static str);

/// Calls `work` with each file. For several files, prints the number of files for each word.
///
/// # Errors
///
/// If standard output cannot be written; other failures are printed.
pub(crate) fn each<T>(
    files: Vec<(Entry, T)>,
    mut work: impl FnMut(&Found, &T) -> Result<Outcome, Failure>,
) -> Result<ExitStatus, Failure> {
    let count = files.len();
    let mut status = ExitStatus::Good;
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    for (entry, with) in files {
        let (code, word) = match entry.and_then(|file| work(&file, &with)) {
            Ok(outcome) => outcome,
            // The pipe is closed.
            Err(failure) if failure.is_closed_pipe() => return Ok(status),
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => {
                report(&failure);
                let code = ExitStatus::of(&failure);
                (code, if code == ExitStatus::BadData { BAD } else { FAILED })
            }
        };
        status = status.max(code);
        *words.entry(word).or_default() += 1;
    }
    if count > 1 {
        let words: Vec<String> =
            words.iter().map(|(word, count)| format!("{count} {word}")).collect();
        warn(&format!("{}: {}", counted(count, "file"), words.join(", ")));
    }
    Ok(status)
}

impl Found {
    /// The detected format of the file, or the result for a file of unknown format that was found in a directory and does
    /// not have the extension of a format.
    ///
    /// # Errors
    ///
    /// If the format of any other file is unknown.
    pub(crate) fn known<T>(
        &self,
        detected: Result<T, Failure>,
    ) -> Result<Result<T, Outcome>, Failure> {
        match detected {
            Ok(detected) => Ok(Ok(detected)),
            Err(failure) if self.is_given || self.is_named() => Err(failure),
            Err(Failure::Data { .. }) => Ok(Err((ExitStatus::Good, UNKNOWN))),
            Err(_) => Ok(Err((ExitStatus::Good, UNDECIDED))),
        }
    }

    /// Whether its name has the extension of one of the formats.
    fn is_named(&self) -> bool {
        Format::by_extension(&self.path.to_string_lossy()).is_some()
    }
}

/// The options that a project's file can set for each file.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    pub(crate) format: Choice,
    pub(crate) names: &'a Names,
    pub(crate) types: &'a Types,
}

impl Settings<'_> {
    /// Pairs each file with the result of `make` for its names and types: those of the command line, else those of the
    /// project's rule for the file. `make` is called once for all files of a rule.
    ///
    /// # Errors
    ///
    /// Those of `make`, if the project's file is wrong, and if `output` is one of the files that are read.
    pub(crate) fn for_files<T>(
        self,
        files: Vec<Entry>,
        output: &Path,
        make: impl Fn(&Names, &Types) -> Result<T, Failure>,
    ) -> Result<Vec<(Entry, Rc<T>)>, Failure> {
        let project = Project::here()?;
        let paths = files.iter().flatten().map(|file| file.path.as_path());
        let read = paths.chain(self.names.files()).chain(self.types.file());
        target::refuse_to_overwrite(output, read.chain(project.iter().flat_map(Project::files)))?;
        let mut made: BTreeMap<Option<usize>, Rc<T>> = BTreeMap::new();
        let mut all = Vec::with_capacity(files.len());
        for entry in files {
            let project = project.as_ref().zip(entry.as_ref().ok());
            let rule =
                project.and_then(|(project, file)| Some((project, project.rule_of(&file.path)?)));
            let number = rule.map(|(_, (number, _))| number);
            let settings = match made.get(&number) {
                Some(settings) => Rc::clone(settings),
                None => {
                    let (mut names, mut types) = (self.names.clone(), self.types.clone());
                    if let Some((project, (_, rule))) = rule {
                        project.apply(rule, self.format, &mut names, &mut types);
                    }
                    let settings = Rc::new(make(&names, &types)?);
                    made.insert(number, Rc::clone(&settings));
                    settings
                }
            };
            all.push((entry, settings));
        }
        Ok(all)
    }
}

/// Refuses an option that is for one file.
///
/// # Errors
///
/// If there are several files.
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

/// The heading of each of several files, in the style of `head`.
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

    /// Prints a blank line before the second and later files, and the name if the output does not begin with it.
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
