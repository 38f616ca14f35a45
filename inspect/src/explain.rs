//! What each byte of a file is: how many parts and faults there are, and a page for a browser.

pub mod page;

use std::fmt::{self, Display};
use std::io;
use std::ops::ControlFlow;

use fourfold::Span;

use crate::formats::{FileKind, Parts};
use crate::write::count::counted;

/// How many parts are looked at for faults once nobody reads the output. The help of `explain` says so.
const LOOKED_AT: usize = 1 << 18;

/// How many characters of a long value are shown where lines have any length. The help of `explain` says so.
pub const LONGEST_VALUE: usize = 4096;

/// What is shown of a file: all parts, or those of one.
pub struct Subject<'a> {
    pub name: &'a str,
    pub kind: &'a dyn FileKind,
    pub bytes: &'a [u8],
    pub parts: Parts<'a>,
    /// As it stands in the bytes; empty if all parts are shown.
    pub path: &'a str,
}

/// What was shown so far.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub parts: usize,
    pub faults: usize,
}

impl Subject<'_> {
    /// Hands on the parts, one after another, until `each` fails or breaks off. There may be more
    /// than memory holds.
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

    /// Whether a fault is among the first parts.
    pub fn has_fault(&self) -> bool {
        let mut tally = Tally::default();
        let looked = self.each(|span| {
            tally.add(&span);
            Ok(match tally.faults > 0 || tally.parts >= LOOKED_AT {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        });
        looked.is_ok() && tally.faults > 0
    }

    /// `biniou, 120 bytes`.
    pub fn summary(&self) -> String {
        format!("{}, {}", self.kind.name(), counted(self.bytes.len(), "byte"))
    }
}

impl Tally {
    pub fn add(&mut self, span: &Span) {
        self.parts += 1;
        self.faults += usize::from(span.fault.is_some());
    }
}

/// `45 parts, 1 fault`.
impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.parts, "part"))?;
        match self.faults {
            0 => Ok(()),
            faults => write!(f, ", {}", counted(faults, "fault")),
        }
    }
}
