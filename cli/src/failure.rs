//! How a verb ends, and the exit code that says so.

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
pub(crate) const FINDINGS: u8 = 3;

/// A verb that has done what it was asked for.
/// The later one of two is the one to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ended {
    /// There is nothing to object to.
    Good,
    /// The output names what was found.
    Findings,
    /// The output names what is wrong with at least one file.
    BadData,
    /// At least one file could not be read; the reason was printed.
    Failed,
}

impl Ended {
    /// The outcome for a file with that failure.
    pub(crate) fn of(failure: &Failure) -> Self {
        match failure {
            Failure::Data { .. } | Failure::Schema { .. } => Ended::BadData,
            _ => Ended::Failed,
        }
    }
}

/// Prints what failed, if anything did.
pub(crate) fn exit_code(ended: Result<Ended, Failure>) -> ExitCode {
    let ended = match ended {
        Ok(ended) => ended,
        // Whoever closed the pipe has seen enough. Verbs that have an answer besides what they print
        // do not end here, but by `output::unless_closed`.
        Err(failure) if failure.is_closed_pipe() => Ended::Good,
        Err(failure) => {
            report(&failure);
            Ended::of(&failure)
        }
    };
    ExitCode::from(match ended {
        Ended::Good => GOOD,
        Ended::Findings => FINDINGS,
        Ended::BadData => BAD_DATA,
        Ended::Failed => USAGE,
    })
}

/// Prints what failed.
pub(crate) fn report(failure: &Failure) {
    remark(&failure.to_string());
    if let Failure::Schema { picture, .. } = failure {
        let _ = write!(anstream::stderr(), "{picture}");
    }
}

/// Prints one line on standard error: what failed, or what whoever asked may not have expected.
pub(crate) fn remark(text: &str) {
    // Whoever closed standard error does not want to know.
    let _ = writeln!(anstream::stderr(), "fourfold: {}", plain(text));
}

/// Lets a verb go on with its other files: what failed before is printed, and the last failure is
/// kept for the end.
pub(crate) fn keep_going(failed: &mut Option<Failure>, failure: Failure) {
    if let Some(earlier) = failed.replace(failure) {
        report(&earlier);
    }
}
