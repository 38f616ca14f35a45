//! Checks of output: no input is overwritten, and binary data is not printed on a terminal.

use std::io::{self, IsTerminal as _};
use std::path::Path;

pub(crate) use fourfold_inspect::target::{Output, refuse_to_overwrite};

use crate::failure::Failure;

/// Refuses to write over an input for subcommands that only print: standard output can be a file.
pub(crate) fn refuse_to_print_over<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    refuse_to_overwrite(Path::new("-"), inputs)
}

/// Refuses to print binary data on a terminal, unless that is forced.
pub(crate) fn refuse_terminal(is_forced: bool) -> Result<(), Failure> {
    if is_forced || !io::stdout().is_terminal() {
        return Ok(());
    }
    let text = "binary data is not printed on a terminal; name a file, or use --force";
    Err(Failure::Usage(text.into()))
}
