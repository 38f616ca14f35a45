//! Checks of output: no input is overwritten, and binary data is not printed on a terminal.

use std::fs::{self, Metadata};
use std::io::{self, IsTerminal as _};
use std::path::Path;

use same_file::Handle;

use crate::failure::Failure;

/// Refuses to write over an input, under any name and through any link.
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

/// The same for subcommands that only print: standard output can be a file.
pub(crate) fn refuse_to_print_over<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    refuse_to_overwrite(Path::new("-"), inputs)
}

/// An output file, if it exists already.
pub(crate) struct Output(Option<Handle>);

impl Output {
    /// The file at that path; for `-`, the file that standard output is redirected to.
    pub(crate) fn of(path: &Path) -> Self {
        Output(handle(path, Handle::stdout))
    }

    /// Whether it is the file at that path.
    pub(crate) fn is(&self, path: &Path) -> bool {
        let is_output =
            |output: &Handle| handle(path, Handle::stdin).is_some_and(|file| file == *output);
        self.0.as_ref().is_some_and(is_output)
    }
}

/// Refuses to print binary data on a terminal, unless that is forced.
pub(crate) fn refuse_terminal(is_forced: bool) -> Result<(), Failure> {
    if is_forced || !io::stdout().is_terminal() {
        return Ok(());
    }
    let text = "binary data is not printed on a terminal; name a file, or use --force";
    Err(Failure::Usage(text.into()))
}

/// The file at that path, or the one that `-` is redirected from or to; `None` for anything else.
fn handle(path: &Path, stream: fn() -> io::Result<Handle>) -> Option<Handle> {
    let is_file = |about: Metadata| about.is_file();
    let handle = match path.as_os_str() == "-" {
        true => stream(),
        // Opening a pipe can block.
        false if fs::metadata(path).is_ok_and(is_file) => Handle::from_path(path),
        false => return None,
    };
    handle.ok().filter(|handle| handle.as_file().metadata().is_ok_and(is_file))
}
