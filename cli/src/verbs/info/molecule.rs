//! What can be said about Molecule, whose bytes hold no types.

use std::fmt;

use serde::Serialize;

use super::named;
use crate::input::Input;
use crate::write::count::number;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    file: String,
    format: &'static str,
    bytes: u64,
    /// What the bytes can be as a whole, the likeliest first.
    layouts: Vec<String>,
    needs: &'static str,
}

const NEEDS: &str = "the schema: Molecule files hold no types, and this command reads no schemas";

impl Report {
    pub(super) fn of(input: &Input) -> Self {
        let (file, bytes) = (input.name.clone(), number(input.bytes.len()));
        let layouts = fourfold::molecule::layouts(&input.bytes);
        let layouts = layouts.iter().map(ToString::to_string).collect();
        Report { file, format: "molecule", bytes, layouts, needs: NEEDS }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", named(&self.file, "Molecule", self.bytes))?;
        for layout in &self.layouts {
            writeln!(f, "  can be: {layout}")?;
        }
        writeln!(f, "to say more, info needs {}", self.needs)?;
        writeln!(f, "fourfold explain --layout FILE describes the bytes by their structure")
    }
}
