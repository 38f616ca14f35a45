//! Reading schemas, and the options of subcommands that use one.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::Args;
use fourfold::biniou::Dictionary;
use fourfold_inspect::ckb::Ckb;
use fourfold_inspect::formats::{Format, Typed};
use fourfold_inspect::write::plain::plain;
use fourfold_inspect::write::width::{Blanks, columns};
pub(crate) use fourfold_schema::is_atd;
use fourfold_schema::mol::Schema;
use fourfold_schema::{Error, atd};

use crate::choice::Choice;
use crate::failure::{Failure, describe, warn};

const MARK: Style = AnsiColor::Red.on_default().bold();

/// The options for a schema and its type.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Types {
    /// The types of a file: a `.mol` schema of Molecule, or an `.atd` schema of biniou.
    #[arg(long, value_name = "MOL|ATD")]
    schema: Option<PathBuf>,
    /// The type of the file in the schema; by default the first one that fits.
    #[arg(long = "type", value_name = "NAME")]
    name: Option<String>,
    /// An array of bytes in the `.mol` schema that is a number, little-endian.
    ///
    /// `Uint8` to `Uint256` and `Int8` to `Int256` are numbers by their names, others by a comment `fourfold: number` or
    /// `fourfold: signed number` in the schema.
    #[arg(long = "number", value_name = "NAME[=signed]")]
    numbers: Vec<String>,
    #[command(flatten)]
    include: Include,
    /// The only folder that may be read, if a project names the schema.
    #[arg(skip)]
    within: Option<PathBuf>,
}

/// The folders of other `.atd` files.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Include {
    /// Also look in this folder for the `.atd` files of other modules: `units.atd` for `<ocaml from="Units">`.
    ///
    /// The folder of the schema is searched first. Can be repeated.
    #[arg(long, value_name = "DIR")]
    include: Vec<PathBuf>,
}

impl Include {
    /// Reads an `.atd` file, and the files whose types it uses.
    pub(crate) fn atd(&self, path: &Path) -> Result<atd::Schema, Failure> {
        self.try_atd(path).map_err(|error| refused(&path.display().to_string(), &error))
    }

    pub(crate) fn try_atd(&self, path: &Path) -> atd::Result<atd::Schema> {
        atd::Schema::from_file_including(path, &self.include)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.include.is_empty()
    }
}

/// Types of an `.atd` file whose own files were not found, in one line.
fn warn_of_missing(path: &Path, schema: &atd::Schema) {
    let names: Vec<_> =
        schema.missing().map(|(name, module)| format!("`{name}` of {module}")).collect();
    if !names.is_empty() {
        warn(&format!(
            "{}: types of other modules were not found: {}; name their folder with --include",
            path.display(),
            names.join(", ")
        ));
    }
}

const INCLUDE_IS_FOR_ATD: &str = "--include is for `.atd` schemas";
const NUMBER_IS_FOR_MOL: &str = "--number is for `.mol` schemas";

impl Types {
    /// Uses the schema and type of a project in `folder`, if none is given and no other format is requested.
    pub(crate) fn or_default(
        &mut self,
        schema: &Path,
        name: Option<&str>,
        folder: &Path,
        choice: Choice,
    ) {
        let format = if is_atd(schema) { Format::Biniou } else { Format::Molecule };
        let is_other = choice.format.is_some_and(|requested| requested != format);
        if self.schema.is_none() && !is_other {
            self.schema = Some(schema.to_owned());
            self.name = self.name.take().or_else(|| name.map(str::to_owned));
            self.within = Some(folder.to_owned());
        }
    }

    /// The requested type.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The schema for tables, if there is one.
    #[cfg(feature = "tables")]
    pub(crate) fn tables(&self) -> Result<Option<fourfold_tables::Schema>, Failure> {
        let Some(path) = &self.schema else { return Ok(None) };
        Ok(Some(match is_atd(path) {
            true if !self.numbers.is_empty() => {
                let text = format!("{}: {NUMBER_IS_FOR_MOL}", path.display());
                return Err(Failure::Usage(text));
            }
            true => self.atd(path)?.into(),
            false if !self.include.is_empty() => {
                let text = format!("{}: {INCLUDE_IS_FOR_ATD}", path.display());
                return Err(Failure::Usage(text));
            }
            false => self.molecule(path)?.into(),
        }))
    }

    /// Reads an `.atd` file, and the files whose types it uses, from allowed folders.
    fn atd(&self, path: &Path) -> Result<atd::Schema, Failure> {
        let schema = match &self.within {
            Some(folder) if self.include.is_empty() => {
                let schema = atd::Schema::from_file_within(path, folder);
                schema.map_err(|error| refused(&path.display().to_string(), &error))?
            }
            _ => self.include.atd(path)?,
        };
        warn_of_missing(path, &schema);
        Ok(schema)
    }

    /// Reads a `.mol` file and its imports, from allowed folders.
    fn molecule(&self, path: &Path) -> Result<Schema, Failure> {
        let name = path.display().to_string();
        let mut schema = match &self.within {
            None => molecule(path)?,
            Some(folder) => {
                let schema = Schema::from_file_within(path, folder);
                schema.map_err(|error| refused(&name, &error))?
            }
        };
        for number in &self.numbers {
            let (ty, is_signed) = match number.split_once('=') {
                None => (&**number, false),
                Some((ty, "signed")) => (ty, true),
                Some(_) => {
                    let text = format!("--number {number}: expected NAME or NAME=signed");
                    return Err(Failure::Usage(text));
                }
            };
            let changed = schema.with_number(ty, is_signed);
            schema = changed.map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        }
        Ok(schema)
    }

    /// The schema file, which is an input too.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.schema.as_deref()
    }

    /// The reader with the schema, if there is one. The schema must be for the requested format.
    pub(crate) fn read(&self, choice: Choice) -> Result<Option<Typed>, Failure> {
        self.read_with(choice, Typed::new)
    }

    /// The same, with values in the form of CKB's RPC.
    pub(crate) fn read_ckb(&self, choice: Choice) -> Result<Option<Typed>, Failure> {
        match self.schema.as_deref() {
            Some(path) if is_atd(path) => {
                let text = format!("{}: --ckb is for `.mol` schemas", path.display());
                return Err(Failure::Usage(text));
            }
            Some(_) => {}
            None => {
                return Err(Failure::Usage("--ckb needs a `.mol` schema: give --schema".into()));
            }
        }
        self.read_with(choice, |schema, name| Typed::new(Ckb(schema), name))
    }

    fn read_with(
        &self,
        choice: Choice,
        molecule: impl FnOnce(Schema, Option<String>) -> Result<Typed, String>,
    ) -> Result<Option<Typed>, Failure> {
        let Some(path) = &self.schema else {
            return match self.name {
                None if self.numbers.is_empty() => Ok(None),
                None => Err(Failure::Usage("--number needs a schema: give --schema".into())),
                Some(_) => Err(Failure::Usage("--type needs a schema: give --schema".into())),
            };
        };
        let typed = match is_atd(path) {
            true if !self.numbers.is_empty() => Err(NUMBER_IS_FOR_MOL.into()),
            true => Typed::new(self.atd(path)?, self.name.clone()),
            false if !self.include.is_empty() => Err(INCLUDE_IS_FOR_ATD.into()),
            false => molecule(self.molecule(path)?, self.name.clone()),
        };
        let refused = |text| Failure::Usage(format!("{}: {text}", path.display()));
        typed.and_then(|typed| typed.in_format(choice.format)).map(Some).map_err(refused)
    }
}

impl Types {
    /// The names for hashes, including those in the schema.
    pub(crate) fn names(
        &self,
        typed: Option<&Typed>,
        mut names: Dictionary,
    ) -> Result<Dictionary, Failure> {
        let (Some(typed), Some(path)) = (typed, &self.schema) else { return Ok(names) };
        let refused = |text: String| Failure::data(&path.display().to_string(), text);
        let of_schema = typed.dictionary().map_err(refused)?;
        names.merge(&of_schema).map_err(|error| refused(describe(&error)))?;
        Ok(names)
    }
}

/// Reads a `.mol` file and its imports.
pub(crate) fn molecule(path: &Path) -> Result<Schema, Failure> {
    Schema::from_file(path).map_err(|error| refused(&path.display().to_string(), &error))
}

/// The error of a schema: the file, which can be an import of `name`, the error and its position.
pub(crate) fn refused<K: Display>(name: &str, error: &Error<K>) -> Failure {
    match error.location() {
        Some(at) => {
            let (kind, line, column) = (error.kind(), at.line(), at.column());
            let text = format!("{kind} at line {line}, column {column}");
            let name = at.file().unwrap_or(name).to_owned();
            Failure::Schema { name, text, picture: picture(error) }
        }
        None => Failure::Usage(error.to_string()),
    }
}

/// The line of the error, and a caret below the position.
fn picture<K>(error: &Error<K>) -> String {
    let Some(at) = error.location() else { return String::new() };
    let number = at.line().to_string();
    let before = usize::try_from(at.column()).unwrap_or(usize::MAX).saturating_sub(1);
    let front: String = error.line().chars().take(before).collect();
    // The caret would be below another character.
    if front.chars().count() < before {
        return String::new();
    }
    let line = plain(error.line());
    let margin = Blanks(number.len());
    let caret = Blanks(columns(&plain(&front)));
    format!(" {number} | {line}\n {margin} | {caret}{MARK}^{MARK:#}\n")
}
