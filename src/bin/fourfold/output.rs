//! Standard output, locked once and buffered, and files that are replaced as a whole.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::failure::Failure;

/// Hands standard output, buffered, to `write`. Colours are left out where nobody sees them.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let stream = anstream::AutoStream::auto(io::stdout().lock());
    let mut writer = BufWriter::new(stream);
    write(&mut writer)?;
    Ok(writer.flush()?)
}

/// How printing ended, for verbs whose exit code is an answer of its own: whoever closed the pipe has
/// seen enough, and still learns the code.
pub(crate) fn unless_closed(printed: Result<(), Failure>) -> Result<(), Failure> {
    match printed {
        Err(failure) if failure.is_closed_pipe() => Ok(()),
        printed => printed,
    }
}

/// Hands standard output, buffered, to `write`, and changes nothing of what is written: data for
/// other programs.
pub(crate) fn print_data(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut writer = BufWriter::new(io::stdout().lock());
    write(&mut writer)?;
    Ok(writer.flush()?)
}

/// Writes `bytes` to the file, or to standard output for `-`.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        return Ok(stdout.flush()?);
    }
    fourfold::replace_file(path, |writer| writer.write_all(bytes))
        .map_err(|error: io::Error| Failure::io(path, error))
}

/// Hands `write` the file, replaced as a whole, or standard output for `-`.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return print(write);
    }
    fourfold::replace_file(path, |writer| write(&mut Colourless { writer, strip: <_>::default() }))
        .map_err(|error: io::Error| Failure::io(path, error))
}

/// A writer that leaves colours out.
struct Colourless<W> {
    writer: W,
    strip: anstream::adapter::StripBytes,
}

impl<W: Write> Write for Colourless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in self.strip.strip_next(bytes) {
            self.writer.write_all(piece)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
