//! Where output goes, and what must not happen there.

use std::fs::{self, Metadata};
use std::io::{self, IsTerminal as _};
use std::path::Path;

use same_file::Handle;

use crate::failure::Failure;

/// Refuses to write over what is read: by any name, and through any link.
pub(crate) fn refuse_to_overwrite<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let Some(target) = handle(output, Handle::stdout) else { return Ok(()) };
    for input in inputs {
        if handle(input, Handle::stdin).is_some_and(|source| source == target) {
            let (output, input) = (output.display(), input.display());
            return Err(Failure::Usage(format!(
                "{output}: this is the file that is read ({input}); write another and rename it"
            )));
        }
    }
    Ok(())
}

/// The same for subcommands that only print: standard output may be a file.
pub(crate) fn refuse_to_print_over<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    refuse_to_overwrite(Path::new("-"), inputs)
}

/// A file that is written, if there is one already.
pub(crate) struct Output(Option<Handle>);

impl Output {
    /// The file of that path, or the one that standard output is for `-`.
    pub(crate) fn of(path: &Path) -> Self {
        Output(handle(path, Handle::stdout))
    }

    /// Whether it is the file of that path.
    pub(crate) fn is(&self, path: &Path) -> bool {
        let is_output =
            |output: &Handle| handle(path, Handle::stdin).is_some_and(|file| file == *output);
        self.0.as_ref().is_some_and(is_output)
    }
}

/// Refuses to print binary data on a terminal, unless that is requested.
pub(crate) fn refuse_terminal(is_asked_for: bool) -> Result<(), Failure> {
    if is_asked_for || !io::stdout().is_terminal() {
        return Ok(());
    }
    let text = "a terminal is no place for binary data; name a file, or ask for it with --force";
    Err(Failure::Usage(text.into()))
}

/// A file by that name, or the one that is read or written for `-`; none for what is no file.
fn handle(path: &Path, stream: fn() -> io::Result<Handle>) -> Option<Handle> {
    let is_file = |about: Metadata| about.is_file();
    let handle = match path.as_os_str() == "-" {
        true => stream(),
        // To open a pipe may mean to wait.
        false if fs::metadata(path).is_ok_and(is_file) => Handle::from_path(path),
        false => return None,
    };
    handle.ok().filter(|handle| handle.as_file().metadata().is_ok_and(is_file))
}
