//! Results of subcommands and their exit codes.

use std::io::Write as _;
use std::process::ExitCode;

pub(crate) use fourfold_inspect::failure::{Failure, describe};
use fourfold_inspect::write::plain::plain;

/// Success.
pub(crate) const GOOD: u8 = 0;
/// Wrong arguments, or a file that cannot be read or written.
pub(crate) const USAGE: u8 = 1;
/// A file is damaged or of an unknown format.
pub(crate) const BAD_DATA: u8 = 2;
/// The files are good, but there are diagnostics, such as differences.
pub(crate) const DIAGNOSTICS: u8 = 3;

/// The result of a subcommand that did not fail, ordered from best to worst: of two files, the worse result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// No diagnostics.
    Good,
    /// The output has diagnostics.
    Diagnostics,
    /// The output has the error of at least one file.
    BadData,
    /// At least one file could not be read; the reason was printed.
    Failed,
}

impl ExitStatus {
    /// The outcome for a file with that failure.
    pub(crate) fn of(failure: &Failure) -> Self {
        match failure {
            Failure::Data { .. } | Failure::Refused { .. } | Failure::Schema { .. } => {
                ExitStatus::BadData
            }
            _ => ExitStatus::Failed,
        }
    }
}

/// Prints what failed, if anything did.
pub(crate) fn exit_code(status: Result<ExitStatus, Failure>) -> ExitCode {
    let status = match status {
        Ok(status) => status,
        // The reader of a pipe can close it early. Subcommands whose exit code is a result use
        // `output::unless_closed` instead.
        Err(failure) if failure.is_closed_pipe() => ExitStatus::Good,
        Err(failure) => {
            report(&failure);
            ExitStatus::of(&failure)
        }
    };
    ExitCode::from(match status {
        ExitStatus::Good => GOOD,
        ExitStatus::Diagnostics => DIAGNOSTICS,
        ExitStatus::BadData => BAD_DATA,
        ExitStatus::Failed => USAGE,
    })
}

/// Prints what failed.
pub(crate) fn report(failure: &Failure) {
    if let Failure::Refused { name, nodes, .. } = failure {
        nodes.iter().for_each(|node| warn(&format!("{name}: {node}")));
    }
    warn(&failure.to_string());
    if let Failure::Schema { picture, .. } = failure {
        let _ = write!(anstream::stderr(), "{picture}");
    }
}

/// Prints one line on standard error: an error, or a warning about an unexpected result.
pub(crate) fn warn(text: &str) {
    // Standard error can be closed.
    let _ = writeln!(anstream::stderr(), "fourfold: {}", plain(text));
}

/// Lets a subcommand continue with its other files: prints the previous failure, and keeps the last one for the end.
pub(crate) fn keep_going(failed: &mut Option<Failure>, failure: Failure) {
    if let Some(earlier) = failed.replace(failure) {
        report(&earlier);
    }
}
