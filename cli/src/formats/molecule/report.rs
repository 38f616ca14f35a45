//! What can be said about Molecule, whose bytes hold no types.

use std::fmt;

use fourfold::molecule::Layout;
use serde::Serialize;

use crate::formats::About;
use crate::formats::listing::named;
use crate::write::count::number;

#[derive(Debug, Serialize)]
pub(super) struct MoleculeReport {
    file: String,
    format: &'static str,
    bytes: u64,
    /// How many records there are, if the file is one of those.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    /// What the bytes can be as a whole, the likeliest first.
    layouts: Vec<String>,
    needs: &'static str,
}

const NEEDS: &str =
    "the types, which Molecule files do not hold: give those of a `.mol` file with `--schema`";

impl MoleculeReport {
    pub(super) fn of(about: &About<'_>) -> Self {
        let (file, bytes) = (about.name.to_owned(), number(about.bytes.len()));
        let layouts = fourfold::molecule::layouts(about.bytes);
        let records = layouts.iter().find_map(|layout| match layout {
            Layout::Records { count } => Some(number(*count)),
            _ => None,
        });
        let layouts = layouts.iter().map(ToString::to_string).collect();
        MoleculeReport { file, format: "molecule", bytes, records, layouts, needs: NEEDS }
    }
}

impl fmt::Display for MoleculeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", named(&self.file, "Molecule", self.bytes))?;
        for layout in &self.layouts {
            writeln!(f, "  can be: {layout}")?;
        }
        writeln!(f, "to say more, info needs {}", self.needs)?;
        writeln!(f, "fourfold explain --layout FILE describes the bytes by their structure")
    }
}
