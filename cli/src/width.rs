//! The width of the output.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

/// The least width for layouts.
const LEAST: usize = 20;

/// The number of columns: `COLUMNS`, else the width of the terminal; `None` if it is not a terminal.
pub(crate) fn of_output() -> Option<usize> {
    let requested = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        io::stdout().is_terminal().then_some(usize::from(width.0))
    };
    requested.or_else(found).map(|columns: usize| columns.max(LEAST))
}

/// The same for a file, or standard output for `-`. A file has no width.
pub(crate) fn of_file(path: &Path) -> Option<usize> {
    of_output().filter(|_| path.as_os_str() == "-")
}

/// Writes a table in the width of the terminal.
pub(crate) fn write(out: &mut dyn Write, shown: &dyn Display) -> io::Result<()> {
    // The largest width of `format!`.
    match of_output().map(|columns| columns.min(usize::from(u16::MAX))) {
        Some(columns) => write!(out, "{shown:columns$}"),
        None => write!(out, "{shown}"),
    }
}
