//! The option of verbs that read files by a schema, where the files hold no types.

use std::path::{Path, PathBuf};

use clap::Args;
use fourfold::molecule::Schema;

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
        let name = path.display().to_string();
        let schema = Schema::from_file(path).map_err(|error| match error.location() {
            Some(at) => {
                let (kind, line, column) = (error.kind(), at.line(), at.column());
                let text = format!("{kind} at line {line}, column {column}");
                Failure::data(at.file().unwrap_or(&name), text)
            }
            None => Failure::Usage(error.to_string()),
        })?;
        match self.name.as_deref().filter(|ty| schema.get(ty).is_none()) {
            Some(ty) => Err(Failure::Usage(format!("{name}: the schema has no type `{ty}`"))),
            None => Ok(Some(Typed::new(schema, self.name.clone()))),
        }
    }
}
