//! Schemas of both formats.

use std::fmt;
use std::path::Path;

use fourfold_schema::{atd, is_atd, is_mol, mol};

use crate::{Error, Result};

/// The schema of the rows: of biniou or of Molecule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Schema {
    /// A schema of biniou.
    Biniou(atd::Schema),
    /// A schema of Molecule.
    Molecule(mol::Schema),
}

impl Schema {
    /// The name of the biniou format.
    pub(crate) const BINIOU: &str = "biniou";
    /// The name of the Molecule format.
    pub(crate) const MOLECULE: &str = "molecule";

    /// The name of the format: `biniou` or `molecule`.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        match self {
            Schema::Biniou(_) => Self::BINIOU,
            Schema::Molecule(_) => Self::MOLECULE,
        }
    }

    /// Reads a schema from a file with the extension `.atd` or `.mol`.
    ///
    /// # Errors
    ///
    /// `Schema`, with the line and column.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let wrong = |error: &dyn std::fmt::Display| Error::Schema(error.to_string().into());
        if is_atd(path) {
            return atd::Schema::from_file(path).map(Schema::Biniou).map_err(|error| wrong(&error));
        }
        if is_mol(path) {
            let schema = mol::Schema::from_file(path);
            return schema.map(Schema::Molecule).map_err(|error| wrong(&error));
        }
        Err(wrong(&format_args!(
            "{}: a schema file has the extension .atd (biniou) or .mol (Molecule)",
            path.display()
        )))
    }

    /// Parses a schema of biniou: the text of an `.atd` file.
    ///
    /// # Errors
    ///
    /// `Schema`, with the line and column.
    pub fn biniou(text: &str) -> Result<Self> {
        let schema = atd::Schema::parse(text);
        schema.map(Schema::Biniou).map_err(|error| Error::Schema(error.to_string().into()))
    }

    /// Parses a schema of Molecule: the text of a `.mol` file.
    ///
    /// # Errors
    ///
    /// `Schema`, with the line and column.
    pub fn molecule(text: &str) -> Result<Self> {
        let schema = mol::Schema::parse(text);
        schema.map(Schema::Molecule).map_err(|error| Error::Schema(error.to_string().into()))
    }
}

impl From<atd::Schema> for Schema {
    fn from(schema: atd::Schema) -> Self {
        Schema::Biniou(schema)
    }
}

impl From<mol::Schema> for Schema {
    fn from(schema: mol::Schema) -> Self {
        Schema::Molecule(schema)
    }
}

/// The text of an `.atd` file, or of a `.mol` file with its imports.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schema::Biniou(schema) => schema.fmt(f),
            Schema::Molecule(schema) => schema.fmt(f),
        }
    }
}
