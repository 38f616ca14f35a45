//! Schemas of both formats. Knows which file has which, does not know columns.

use std::fmt;
use std::path::Path;

use fourfold::{biniou::atd, molecule};

use crate::{Error, Result};

/// What the rows of files are: a schema of biniou or of Molecule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Schema {
    /// One of biniou.
    Biniou(atd::Schema),
    /// One of Molecule.
    Molecule(molecule::Schema),
}

impl Schema {
    /// What the format of biniou is called.
    pub(crate) const BINIOU: &str = "biniou";
    /// What that of Molecule is called.
    pub(crate) const MOLECULE: &str = "molecule";

    /// The name of the format that it describes: `biniou` or `molecule`.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        match self {
            Schema::Biniou(_) => Self::BINIOU,
            Schema::Molecule(_) => Self::MOLECULE,
        }
    }

    /// Reads a schema from a file that is named `.atd` or `.mol`.
    ///
    /// # Errors
    ///
    /// `Schema`, with the line and column.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let wrong = |error: &dyn std::fmt::Display| Error::Schema(error.to_string().into());
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("atd") => {
                atd::Schema::from_file(path).map(Schema::Biniou).map_err(|error| wrong(&error))
            }
            Some("mol") => molecule::Schema::from_file(path)
                .map(Schema::Molecule)
                .map_err(|error| wrong(&error)),
            _ => Err(wrong(&format_args!(
                "{}: a schema is a file named .atd (biniou) or .mol (Molecule)",
                path.display()
            ))),
        }
    }

    /// Reads a schema of biniou from the text of an `.atd` file.
    ///
    /// # Errors
    ///
    /// `Schema`, with the line and column.
    pub fn biniou(text: &str) -> Result<Self> {
        let schema = atd::Schema::parse(text);
        schema.map(Schema::Biniou).map_err(|error| Error::Schema(error.to_string().into()))
    }

    /// Reads a schema of Molecule from the text of a `.mol` file.
    ///
    /// # Errors
    ///
    /// `Schema`, with the line and column.
    pub fn molecule(text: &str) -> Result<Self> {
        let schema = molecule::Schema::parse(text);
        schema.map(Schema::Molecule).map_err(|error| Error::Schema(error.to_string().into()))
    }
}

impl From<atd::Schema> for Schema {
    fn from(schema: atd::Schema) -> Self {
        Schema::Biniou(schema)
    }
}

impl From<molecule::Schema> for Schema {
    fn from(schema: molecule::Schema) -> Self {
        Schema::Molecule(schema)
    }
}

/// The text of an `.atd` file, or of a `.mol` file with what it imports.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schema::Biniou(schema) => schema.fmt(f),
            Schema::Molecule(schema) => schema.fmt(f),
        }
    }
}
