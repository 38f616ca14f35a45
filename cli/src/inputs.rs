//! The files that a subcommand reads: files, patterns, and directories with `--recursive`.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use globset::{GlobBuilder, GlobMatcher};

use crate::failure::Failure;
use crate::hex::Hex;
use crate::target::Output;

/// The files of subcommands that take several.
#[derive(Args, Clone, Debug)]
pub(crate) struct Inputs {
    /// Files, patterns in quotes such as 'models/**/*.tsm', and directories with -r; `-` is standard
    /// input.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    recursive: Recursive,
    #[command(flatten)]
    pub(crate) hex: Hex,
}

/// The option of subcommands that read directories.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Recursive {
    /// Read all files in directories and in the directories inside them, sorted by name.
    ///
    /// Names that begin with a dot are skipped, links to directories are not followed.
    #[arg(short, long)]
    pub(crate) recursive: bool,
}

/// A file to read.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Whether its name or a pattern is an argument. Other files were found in a directory and can be of unknown format.
    pub(crate) is_given: bool,
}

/// A file to read, or the reason why a path has none.
pub(crate) type Entry = Result<Found, Failure>;

impl Inputs {
    /// All files, in the order in which they were given.
    ///
    /// # Errors
    ///
    /// If standard input is given twice.
    pub(crate) fn find(&self) -> Result<Vec<Entry>, Failure> {
        find(&self.paths, self.recursive)
    }
}

/// The files of these paths. Those of a pattern or a directory are sorted.
///
/// # Errors
///
/// If standard input is given twice.
fn find(paths: &[PathBuf], recursive: Recursive) -> Result<Vec<Entry>, Failure> {
    if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(Failure::Usage("standard input can be read only once: give `-` once".into()));
    }
    let mut search = Search { recursive, printed: printed(), written: None, found: Vec::new() };
    paths.iter().for_each(|path| search.add(path));
    Ok(search.found)
}

/// The files of a path, for a subcommand that writes one file from all of them. Its earlier outputs, which a pattern or a
/// directory can contain, are skipped.
#[cfg(feature = "tables")]
pub(crate) fn find_for(path: &Path, recursive: Recursive, written: Written) -> Vec<Entry> {
    let mut search =
        Search { recursive, printed: printed(), written: Some(written), found: Vec::new() };
    search.add(path);
    search.found
}

/// The outputs of a subcommand.
pub(crate) struct Written {
    /// The file, which is skipped in directories and patterns.
    pub(crate) output: Output,
    /// Whether a subcommand writes files of that name. They are skipped in directories.
    pub(crate) is_output: fn(&Path) -> bool,
}

fn printed() -> Output {
    Output::of(Path::new("-"))
}

struct Search {
    recursive: Recursive,
    /// Standard output, which is skipped in directories.
    printed: Output,
    written: Option<Written>,
    found: Vec<Entry>,
}

impl Search {
    fn add(&mut self, path: &Path) {
        let pattern = || path.to_str().filter(|text| is_pattern(text));
        match fs::metadata(path) {
            Ok(about) if about.is_dir() && path.as_os_str() != "-" => {
                match self.recursive.recursive {
                    true => self.add_directory(path),
                    false => {
                        let text = "this is a directory; use -r to read the files in it";
                        self.fail(Failure::Usage(format!("{}: {text}", path.display())));
                    }
                }
            }
            Err(_) if pattern().is_some() => self.add_pattern(path),
            // Opening it reports a missing file.
            _ => self.give(path.to_owned()),
        }
    }

    fn add_directory(&mut self, path: &Path) {
        let before = self.found.len();
        self.walk(path);
        if self.found.len() == before {
            self.fail(Failure::Usage(format!("{}: no files in this directory", path.display())));
        }
    }

    /// All files in a directory and in those inside it.
    fn walk(&mut self, directory: &Path) {
        let entries = match entries(directory) {
            Ok(entries) => entries,
            Err(error) => return self.fail(Failure::io(directory, error)),
        };
        for path in entries.into_iter().filter(|path| !is_hidden(path)) {
            // Links to directories can form a cycle.
            if path.symlink_metadata().is_ok_and(|about| about.is_dir()) {
                self.walk(&path);
            } else if may_be_file(&path) && !self.printed.is(&path) && !self.is_written(&path) {
                self.found.push(Ok(Found { path, is_given: false }));
            }
        }
    }

    fn add_pattern(&mut self, pattern: &Path) {
        let shown = pattern.display();
        let steps = match steps(pattern) {
            Ok(steps) => steps,
            Err(error) => return self.fail(Failure::Usage(format!("{shown}: {error}"))),
        };
        let (mut paths, mut visited) = (Vec::new(), HashSet::new());
        self.matching(PathBuf::new(), &steps, &mut visited, &mut paths);
        paths.sort_unstable();
        paths.dedup();
        let (directories, mut files): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| path.is_dir());
        files.retain(|file| may_be_file(file) && !self.is_the_output(file));
        match (files.is_empty(), directories.is_empty(), self.recursive.recursive) {
            (true, true, _) => self.fail(Failure::Usage(format!("no file is named `{shown}`"))),
            (true, false, false) => {
                let text = "no files, only directories; use -r to read the files in them";
                self.fail(Failure::Usage(format!("{shown}: {text}")));
            }
            _ => {
                files.into_iter().for_each(|file| self.give(file));
                if self.recursive.recursive {
                    directories.iter().for_each(|directory| self.add_directory(directory));
                }
            }
        }
    }

    /// Collects the matches of the steps, starting at `base`. `visited` has the directories and numbers of steps that were
    /// tried: several `**` match each directory in many ways.
    fn matching(
        &mut self,
        base: PathBuf,
        steps: &[Step],
        visited: &mut HashSet<(PathBuf, usize)>,
        paths: &mut Vec<PathBuf>,
    ) {
        if !visited.insert((base.clone(), steps.len())) {
            return;
        }
        let Some((step, rest)) = steps.split_first() else {
            if base.symlink_metadata().is_ok() {
                paths.push(base);
            }
            return;
        };
        let matcher = match step {
            Step::Plain(name) => return self.matching(base.join(name), rest, visited, paths),
            Step::Any => None,
            Step::Name { matcher, takes_hidden } => Some((matcher, *takes_hidden)),
        };
        if matcher.is_none() {
            self.matching(base.clone(), rest, visited, paths);
        }
        let directory = if base.as_os_str().is_empty() { Path::new(".") } else { &base };
        if !directory.is_dir() {
            return;
        }
        let entries = match entries(directory) {
            Ok(entries) => entries,
            Err(error) => return self.fail(Failure::io(directory, error)),
        };
        for entry in entries {
            let Some(name) = entry.file_name() else { continue };
            // A file of the name `-` is not standard input.
            let inside = if name == "-" { directory.join(name) } else { base.join(name) };
            match matcher {
                // Links can form a cycle.
                None if !is_hidden(&entry)
                    && entry.symlink_metadata().is_ok_and(|it| it.is_dir()) =>
                {
                    self.matching(inside, steps, visited, paths);
                }
                Some((matcher, takes_hidden))
                    if matcher.is_match(name) && (takes_hidden || !is_hidden(&entry)) =>
                {
                    self.matching(inside, rest, visited, paths);
                }
                _ => {}
            }
        }
    }

    /// Whether a file in a directory is an output, of this run or of another.
    fn is_written(&self, path: &Path) -> bool {
        let has_name = |written: &Written| (written.is_output)(path);
        self.is_the_output(path) || self.written.as_ref().is_some_and(has_name)
    }

    fn is_the_output(&self, path: &Path) -> bool {
        self.written.as_ref().is_some_and(|written| written.output.is(path))
    }

    fn give(&mut self, path: PathBuf) {
        self.found.push(Ok(Found { path, is_given: true }));
    }

    fn fail(&mut self, failure: Failure) {
        self.found.push(Err(failure));
    }
}

/// A component of a pattern.
enum Step {
    Plain(PathBuf),
    /// `**`: any number of directories.
    Any,
    Name {
        matcher: GlobMatcher,
        takes_hidden: bool,
    },
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

fn steps(pattern: &Path) -> Result<Vec<Step>, globset::Error> {
    let mut steps = Vec::new();
    for component in pattern.components() {
        let text = component.as_os_str().to_str().filter(|text| is_pattern(text));
        steps.push(match (component, text) {
            (Component::Normal(_), Some("**")) => Step::Any,
            (Component::Normal(_), Some(text)) => {
                let matcher = GlobBuilder::new(text).literal_separator(true).build()?;
                let matcher = matcher.compile_matcher();
                Step::Name { matcher, takes_hidden: text.starts_with('.') }
            }
            _ => Step::Plain(component.as_os_str().into()),
        });
    }
    // Several in a row would walk through the same directories.
    steps.dedup_by(|one, other| matches!((one, other), (Step::Any, Step::Any)));
    Ok(steps)
}

/// The entries of a directory, sorted.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort_unstable();
    Ok(entries)
}

/// Whether it is a file, not a directory, nor a device or pipe, which can block forever. Dangling links are reported when
/// they are opened.
fn may_be_file(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |about| about.is_file())
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}
