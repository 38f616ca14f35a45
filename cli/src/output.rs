//! Standard output, locked once and buffered, and files that are replaced atomically.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};

use crate::failure::Failure;

/// How many bytes are buffered before a system call. Each flush takes two calls: one for the bytes up to the last line
/// break, one for the rest.
const BUFFER: usize = 64 << 10;

/// Calls `write` with buffered standard output. Colours are removed unless it is a terminal.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        let mut writer = AutoStream::auto(stdout.lock());
        write(&mut writer)?;
        return Ok(writer.flush()?);
    }
    let colours = AutoStream::choice(&stdout) != ColorChoice::Never;
    Ok(buffered(stdout.lock(), colours, write)?)
}

/// Passes buffered standard output to `write`.
fn buffered(
    stdout: impl Write,
    keeps_colours: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(BUFFER, stdout);
    if keeps_colours {
        write(&mut writer)?;
    } else {
        // Before the buffer, because it writes a piece for each colour that it removes.
        write(&mut Colourless { writer: &mut writer, strip: <_>::default() })?;
    }
    writer.flush()
}

/// The result of printing, for subcommands whose exit code is itself a result: a closed pipe is not an error and does not
/// change the code.
pub(crate) fn unless_closed(printed: Result<(), Failure>) -> Result<(), Failure> {
    match printed {
        Err(failure) if failure.is_closed_pipe() => Ok(()),
        printed => printed,
    }
}

/// Calls `write` with buffered standard output that passes all bytes unchanged: data for other programs.
pub(crate) fn print_data(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() {
        // No buffer: the lock writes line by line, so that each line shows at once.
        write(&mut stdout)?;
        return Ok(stdout.flush()?);
    }
    Ok(buffered(stdout, true, write)?)
}

/// Writes `bytes` to the file, or to standard output for `-`.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_data(path, |writer| writer.write_all(bytes))
}

/// Calls `write` with a file that is replaced atomically, or with standard output for `-`.
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

/// The same, for a writer that passes all bytes unchanged.
pub(crate) fn write_data(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return print_data(write);
    }
    fourfold::replace_file(path, |writer| write(writer))
        .map_err(|error: io::Error| Failure::io(path, error))
}

/// A writer that removes colours.
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

#[cfg(test)]
mod tests {
    use std::io::LineWriter;

    use anstyle::{AnsiColor, Style};

    use super::*;

    /// Counts calls of the system, and collects their bytes.
    #[derive(Default)]
    struct System {
        calls: usize,
        bytes: Vec<u8>,
    }

    impl Write for &mut System {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls += 1;
            self.bytes.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn many_lines_are_few_calls() {
        const LINES: usize = 10_000;
        const DIM: Style = Style::new().dimmed();
        const RED: Style = AnsiColor::Red.on_default();
        for colours in [false, true] {
            let mut system = System::default();
            // Like standard output itself, which flushes at line breaks.
            buffered(LineWriter::new(&mut system), colours, |writer| {
                (0..LINES).try_for_each(|line| {
                    writeln!(writer, "{DIM}{line}{DIM:#} {RED}an{RED:#} error")
                })
            })
            .unwrap();
            let most = 2 * (system.bytes.len() / BUFFER + 1);
            assert!(system.calls <= most, "{} calls, {most} at most", system.calls);
            assert_eq!(system.bytes.iter().filter(|byte| **byte == b'\n').count(), LINES);
            assert_eq!(system.bytes.contains(&0x1b), colours);
        }
    }
}
