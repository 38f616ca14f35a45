//! Reports a Molecule file without a schema.

use std::fmt;
use std::ops::ControlFlow;

use fourfold::Segment;
use fourfold::molecule::Frames;
use serde::Serialize;

use crate::failure::{describe, unchecked};
use crate::spans::molecule::{Layout, explain, layouts};
use crate::write::count::{counted_in_groups, number};
use crate::write::listing::named;
use crate::write::report::About;

#[derive(Debug, Serialize)]
pub(super) struct MoleculeReport {
    file: String,
    format: &'static str,
    bytes: u64,
    /// Number of records, if the file holds records.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    /// The records before an error, if the file is a damaged file of records.
    #[serde(skip_serializing_if = "Option::is_none")]
    begins_with: Option<Begun>,
    /// The possible layouts of the whole file, the likeliest first.
    layouts: Vec<String>,
    /// Why it is not checked.
    unchecked: String,
}

/// The number of valid records, and the error after them.
#[derive(Debug, Serialize)]
struct Begun {
    records: u64,
    error: String,
}

impl Begun {
    fn of(bytes: &[u8]) -> Option<Self> {
        // Whether `explain` shows the file as records.
        let mut are_records = false;
        explain(bytes, "", &mut |span| {
            are_records = matches!(span.place.segments()[..], [Segment::Index(0)]);
            ControlFlow::Break(())
        });
        if !are_records {
            return None;
        }
        let mut frames = Frames::from_slice(bytes).zip(0..);
        let (error, records) = frames.find_map(|(frame, count)| Some((frame.err()?, count)))?;
        Some(Begun { records, error: describe(&error) })
    }
}

impl MoleculeReport {
    pub(super) fn of(about: &About<'_>) -> Self {
        let (file, bytes) = (about.name.to_owned(), number(about.bytes.len()));
        let layouts = layouts(about.bytes);
        let records = layouts.iter().find_map(|layout| match layout {
            Layout::Records { count } => Some(number(*count)),
            _ => None,
        });
        // Valid records are counted above.
        let begins_with = match records {
            None => Begun::of(about.bytes),
            Some(_) => None,
        };
        let layouts = layouts.iter().map(ToString::to_string).collect();
        MoleculeReport {
            file,
            format: "molecule",
            bytes,
            records,
            begins_with,
            layouts,
            unchecked: unchecked(),
        }
    }
}

impl fmt::Display for MoleculeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", named(&self.file, "Molecule", self.bytes))?;
        if let Some(Begun { records, error }) = &self.begins_with {
            let records = counted_in_groups(*records, "record");
            writeln!(f, "  begins with {records}, then: {error}")?;
        }
        for layout in &self.layouts {
            writeln!(f, "  can be: {layout}")?;
        }
        writeln!(f, "{}", self.unchecked)
    }
}
