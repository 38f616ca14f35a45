//! Where output goes, and what must not happen there.

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal as _};
use std::path::Path;

use crate::failure::Failure;

/// Refuses to write over what is read: by any name, and through any link.
pub(crate) fn spare_inputs<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let Some(target) = about(output, Stream::Output) else { return Ok(()) };
    for input in inputs {
        let is_same = about(input, Stream::Input)
            .is_some_and(|source| is_same_file((output, &target), (input, &source)));
        if is_same {
            let (output, input) = (output.display(), input.display());
            return Err(Failure::Usage(format!(
                "{output}: this is the file that is read ({input}); write another and rename it"
            )));
        }
    }
    Ok(())
}

/// The same for verbs that only print: standard output may be a file.
pub(crate) fn spare_inputs_of_printing<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    spare_inputs(Path::new("-"), inputs)
}

/// Refuses to print bytes that are no text where somebody looks at them, unless that is asked for.
pub(crate) fn spare_terminal(is_asked_for: bool) -> Result<(), Failure> {
    if is_asked_for || !io::stdout().is_terminal() {
        return Ok(());
    }
    let text = "a terminal is no place for binary data; name a file, or ask for it with --force";
    Err(Failure::Usage(text.into()))
}

/// What `-` stands for.
#[derive(Clone, Copy)]
enum Stream {
    Input,
    Output,
}

/// What the system knows of a file, if it is one.
fn about(path: &Path, stream: Stream) -> Option<Metadata> {
    let about = match path.as_os_str() == "-" {
        true => redirected(stream)?.metadata(),
        false => fs::metadata(path),
    };
    about.ok().filter(Metadata::is_file)
}

#[cfg(unix)]
fn redirected(stream: Stream) -> Option<File> {
    use std::os::fd::AsFd as _;

    let owned = match stream {
        Stream::Input => io::stdin().as_fd().try_clone_to_owned(),
        Stream::Output => io::stdout().as_fd().try_clone_to_owned(),
    };
    owned.ok().map(File::from)
}

#[cfg(not(unix))]
fn redirected(_: Stream) -> Option<File> {
    None
}

#[cfg(unix)]
fn is_same_file((_, one): (&Path, &Metadata), (_, two): (&Path, &Metadata)) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    (one.dev(), one.ino()) == (two.dev(), two.ino())
}

#[cfg(not(unix))]
fn is_same_file((one, _): (&Path, &Metadata), (two, _): (&Path, &Metadata)) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(two)), (Ok(one), Ok(two)) if one == two)
}
