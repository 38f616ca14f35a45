//! Schemas: how they are read, and the option of verbs that read files by one, where the files hold no types.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use fourfold::biniou::atd;
use fourfold::molecule::Schema;
use fourfold::schema::Error;

use crate::failure::Failure;
use crate::formats::Typed;

/// Which types a file has.
#[derive(Args, Debug)]
pub(crate) struct Types {
    /// The types of a Molecule file: a `.mol` schema.
    #[arg(long, value_name = "MOL")]
    schema: Option<PathBuf>,
    /// The type of the schema that the file is of; not needed where only one fits.
    #[arg(long = "type", value_name = "NAME", requires = "schema")]
    name: Option<String>,
}

impl Types {
    /// The file that a verb reads beside others.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.schema.as_deref()
    }

    /// The format of files that are read by the schema, if there is one.
    pub(crate) fn read(&self) -> Result<Option<Typed>, Failure> {
        let Some(path) = &self.schema else { return Ok(None) };
        let schema = molecule(path)?;
        let name = path.display();
        match self.name.as_deref().filter(|ty| schema.get(ty).is_none()) {
            Some(ty) => Err(Failure::Usage(format!("{name}: the schema has no type `{ty}`"))),
            None => Ok(Some(Typed::new(schema, self.name.clone()))),
        }
    }
}

/// Reads a `.mol` file, and what it imports.
pub(crate) fn molecule(path: &Path) -> Result<Schema, Failure> {
    Schema::from_file(path).map_err(|error| refused(&path.display().to_string(), &error))
}

/// Reads an `.atd` file.
pub(crate) fn atd(path: &Path) -> Result<atd::Schema, Failure> {
    atd::Schema::from_file(path).map_err(|error| refused(&path.display().to_string(), &error))
}

/// Whether a schema is in the language of `.atd` files.
pub(crate) fn is_atd(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "atd")
}

/// Why there is no schema: the file, which may be one that `name` imports, then what and where.
pub(crate) fn refused<K: Display>(name: &str, error: &Error<K>) -> Failure {
    match error.location() {
        Some(at) => {
            let (kind, line, column) = (error.kind(), at.line(), at.column());
            let text = format!("{kind} at line {line}, column {column}");
            Failure::data(at.file().unwrap_or(name), text)
        }
        None => Failure::Usage(error.to_string()),
    }
}
