//! The width of the output.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

/// In less, nothing can be laid out.
const LEAST: usize = 20;

/// How many columns there are: as `COLUMNS` says, else those of the terminal. None where nobody
/// looks.
pub(crate) fn of_output() -> Option<usize> {
    let requested = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        io::stdout().is_terminal().then_some(usize::from(width.0))
    };
    requested.or_else(found).map(|columns: usize| columns.max(LEAST))
}

/// The same for a file, or standard output for `-`. A file has no width, as if nobody looked.
pub(crate) fn of_file(path: &Path) -> Option<usize> {
    of_output().filter(|_| path.as_os_str() == "-")
}

/// Writes text with columns, as wide as the terminal.
pub(crate) fn write(out: &mut dyn Write, shown: &dyn Display) -> io::Result<()> {
    // `format!` takes no larger widths.
    match of_output().map(|room| room.min(usize::from(u16::MAX))) {
        Some(room) => write!(out, "{shown:room$}"),
        None => write!(out, "{shown}"),
    }
}
