//! Files to write, which no input may be.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use same_file::Handle;

use crate::failure::Failure;

/// Refuses to write over an input, under any name and through any link. `-` is a standard stream.
///
/// # Errors
///
/// The name of the output, and that of the input that it is.
pub fn refuse_to_overwrite<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let output_file = Output::of(output);
    match inputs.into_iter().find(|input| output_file.is(input)) {
        Some(input) => {
            let (output, input) = (output.display(), input.display());
            Err(Failure::Usage(format!(
                "{output}: this is the file that is read ({input}); write another and rename it"
            )))
        }
        None => Ok(()),
    }
}

/// An output file, if it exists already.
pub struct Output(Option<Handle>);

impl Output {
    /// The file at that path; for `-`, the file that standard output is redirected to.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        Output(handle(path, Handle::stdout))
    }

    /// Whether it is the file at that path.
    #[must_use]
    pub fn is(&self, path: &Path) -> bool {
        let is_output =
            |output: &Handle| handle(path, Handle::stdin).is_some_and(|file| file == *output);
        self.0.as_ref().is_some_and(is_output)
    }
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
