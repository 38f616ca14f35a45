//! How a subcommand ends, and the exit code that says so.

use std::io::Write as _;
use std::process::ExitCode;

pub(crate) use fourfold_inspect::failure::{Failure, describe};
use fourfold_inspect::write::plain::plain;

/// All is well.
pub(crate) const GOOD: u8 = 0;
/// The arguments make no sense, or a file cannot be read or written.
pub(crate) const USAGE: u8 = 1;
/// A file is not in its format.
pub(crate) const BAD_DATA: u8 = 2;
/// The files are good, and what was looked for is there: differences, for example.
pub(crate) const DIAGNOSTICS: u8 = 3;

/// How a subcommand without a failure ends.
/// The later one of two is the one to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// There is nothing to object to.
    Good,
    /// The output names what was found.
    Diagnostics,
    /// The output names what is wrong with at least one file.
    BadData,
    /// At least one file could not be read; the reason was printed.
    Failed,
}

impl ExitStatus {
    /// The outcome for a file with that failure.
    pub(crate) fn of(failure: &Failure) -> Self {
        match failure {
            Failure::Data { .. } | Failure::Schema { .. } => ExitStatus::BadData,
            _ => ExitStatus::Failed,
        }
    }
}

/// Prints what failed, if anything did.
pub(crate) fn exit_code(status: Result<ExitStatus, Failure>) -> ExitCode {
    let status = match status {
        Ok(status) => status,
        // The reader of a pipe may close it early. Subcommands whose exit code is a result use
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
    warn(&failure.to_string());
    if let Failure::Schema { picture, .. } = failure {
        let _ = write!(anstream::stderr(), "{picture}");
    }
}

/// Prints one line on standard error: an error, or a warning about an unexpected result.
pub(crate) fn warn(text: &str) {
    // Standard error may be closed.
    let _ = writeln!(anstream::stderr(), "fourfold: {}", plain(text));
}

/// Lets a subcommand go on with its other files: what failed before is printed, and the last failure is
/// kept for the end.
pub(crate) fn keep_going(failed: &mut Option<Failure>, failure: Failure) {
    if let Some(earlier) = failed.replace(failure) {
        report(&earlier);
    }
}
