//! Explains each byte of a file: counts parts and errors, and writes the HTML report.

pub mod page;

use std::fmt::{self, Display};
use std::io;
use std::ops::ControlFlow;

use crate::failure::unchecked;
use crate::formats::{FileKind, Parts};
use crate::spans::Span;
use crate::write::count::counted;

/// Number of parts that are searched for errors after the output was closed. Documented in the help of `explain`.
const LOOKED_AT: usize = 1 << 18;

/// Maximum number of characters shown of a value on lines of unlimited length. Documented in the help of `explain`.
pub const LONGEST_VALUE: usize = 4096;

/// A file, and which of its parts are shown.
pub struct Subject<'a> {
    pub name: &'a str,
    pub kind: &'a dyn FileKind,
    pub bytes: &'a [u8],
    pub parts: Parts<'a>,
    /// A path as in the bytes. Empty if all parts are shown.
    pub path: &'a str,
}

/// The counts so far.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub parts: usize,
    pub errors: usize,
}

impl Subject<'_> {
    /// Calls `each` with each part until it breaks or fails. All parts together may not fit in memory.
    pub fn each(
        &self,
        mut each: impl FnMut(Span) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<()> {
        let mut result = Ok(());
        self.parts.each(self.path, |span| match each(span) {
            Ok(flow) => flow,
            Err(error) => {
                result = Err(error);
                ControlFlow::Break(())
            }
        });
        result
    }

    /// Whether one of the first parts has an error.
    pub fn has_error(&self) -> bool {
        let mut tally = Tally::default();
        let looked = self.each(|span| {
            tally.add(&span);
            Ok(match tally.errors > 0 || tally.parts >= LOOKED_AT {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        });
        looked.is_ok() && tally.errors > 0
    }

    /// `biniou, 120 bytes`.
    pub fn summary(&self) -> String {
        let (name, bytes) = (self.kind.name(), counted(self.bytes.len(), "byte"));
        match self.kind.has_types() {
            true => format!("{name}, {bytes}"),
            false => format!("{name} ({}), {bytes}", unchecked()),
        }
    }
}

impl Tally {
    pub fn add(&mut self, span: &Span) {
        self.parts += 1;
        self.errors += usize::from(span.error.is_some());
    }
}

/// `45 parts, 1 error`.
impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.parts, "part"))?;
        match self.errors {
            0 => Ok(()),
            errors => write!(f, ", {}", counted(errors, "error")),
        }
    }
}
