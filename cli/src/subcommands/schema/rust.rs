//! `fourfold schema rust`.

mod attribute;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fourfold_inspect::formats::{SchemaKind, no_type};
use fourfold_schema::{RustBytes, RustOptions, atd};

use crate::failure::{ExitStatus, Failure};
use crate::schema::{Include, is_atd, molecule, refused};
use crate::{output, target};

/// Print Rust types for an `.atd` or `.mol` file and its imports, with the serde attributes that they need.
///
/// The code needs serde and fourfold. Its types have the bytes of the schema.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold schema rust blockchain.mol -o src/blockchain.rs
  fourfold schema rust blockchain.mol --with Bool=bool --bytes-with crate::hex
  fourfold schema rust drawing.atd --with string=serde_bytes::ByteBuf
  fourfold schema rust events.mol --bytes cow --derive Clone,Debug
  fourfold schema rust notes.mol --newtypes --derive Debug,ts_rs::TS --attribute '*=ts(rename = \"{}\")'
  fourfold schema rust cell.mol --no-std -o src/cell.rs")]
pub(super) struct Arguments {
    /// The schema: an `.atd` file, or another one in the language of `.mol` files.
    file: PathBuf,
    /// The file to write, or `-` for standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Use this Rust type for a type of the schema, which is then not declared; can be repeated.
    #[arg(long, value_name = "NAME=TYPE", value_parser = pair)]
    with: Vec<(String, String)>,
    /// The Rust type for byte strings; for an `.atd` file, for text.
    #[arg(long, value_name = "FORM", default_value = "owned")]
    bytes: Bytes,
    /// Mark arrays and strings of bytes `#[serde(with = "MODULE")]`; not in an `.atd` file.
    #[arg(long, value_name = "MODULE")]
    bytes_with: Option<String>,
    /// Derive exactly these for each type, in addition to Serialize and Deserialize.
    #[arg(long, value_name = "TRAITS", value_delimiter = ',')]
    derive: Option<Vec<String>>,
    /// Add an attribute to a type, field or variant, by its name in Rust; can be repeated.
    ///
    /// For derives of other crates: `Notes.list=ts(as = "Vec<Vec<u8>>")`. `Bytes.0` is the value of a newtype.
    /// `*=ts(rename = "{}")` is for each struct and enum, with its name for `{}`.
    #[arg(long, value_name = "TYPE[.FIELD]=ATTRIBUTE", value_parser = attribute)]
    attribute: Vec<(String, String)>,
    /// Use `Vec`, `String`, `Box` and `Cow` of `alloc`: for crates with `#![no_std]`, such as on-chain scripts.
    #[arg(long)]
    no_std: bool,
    /// Declare a newtype for each layout, instead of `#[serde(with = "..")]` on fields: for other derives, which do not support such modules.
    #[arg(long)]
    newtypes: bool,
    #[command(flatten)]
    include: Include,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Bytes {
    /// `Vec<u8>`, or `String`.
    Owned,
    /// `&'a [u8]`, or `&'a str`.
    Borrowed,
    /// `Cow<'a, [u8]>`, or `Cow<'a, str>`.
    Cow,
}

fn pair(text: &str) -> Result<(String, String), &'static str> {
    split(text).ok_or("expected NAME=TYPE, such as Bool=bool")
}

fn attribute(text: &str) -> Result<(String, String), &'static str> {
    split(text).ok_or("expected TYPE[.FIELD]=ATTRIBUTE, such as 'Notes.list=ts(skip)'")
}

/// The text before and after the first `=`, if both are not empty.
fn split(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    (!name.is_empty() && !value.is_empty()).then(|| (name.into(), value.into()))
}

impl Arguments {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        target::refuse_to_overwrite(&self.output, [&*self.file])?;
        let mut text = match is_atd(&self.file) {
            true => {
                let schema = self.include.atd(&self.file)?;
                self.check_names(&schema)?;
                let text = schema.to_rust(&self.options());
                text.map_err(|error| self.refused(&error))?
            }
            false => {
                let schema = molecule(&self.file)?;
                self.check_names(&schema)?;
                schema.to_rust(&self.options())
            }
        };
        for (place, attribute) in &self.attribute {
            text = attribute::insert(&text, place, attribute).ok_or_else(|| {
                let name = self.file.display();
                let text = "there is no such type, field or variant in its Rust types";
                Failure::Usage(format!("{name}: --attribute {place}: {text}"))
            })?;
        }
        output::write(&self.output, |out| out.write_all(text.as_bytes()))?;
        Ok(ExitStatus::Good)
    }

    fn refused(&self, error: &atd::Error) -> Failure {
        let mut failure = refused(&self.file.display().to_string(), error);
        let fix = match error.kind() {
            atd::ErrorKind::Missing { .. } => "; use --include DIR, or --with abstract=TYPE",
            atd::ErrorKind::Abstract => "; use --with abstract=TYPE",
            _ => "",
        };
        if let Failure::Schema { text, .. } = &mut failure {
            text.push_str(fix);
        }
        failure
    }

    /// Checks that the schema has all types that are replaced.
    fn check_names(&self, schema: &dyn SchemaKind) -> Result<(), Failure> {
        match self.with.iter().find(|(name, _)| !schema.has(name)) {
            Some((name, _)) => {
                let text = format!("{}: {}", self.file.display(), no_type(schema, name));
                Err(Failure::Usage(text))
            }
            None => Ok(()),
        }
    }

    fn options(&self) -> RustOptions {
        let bytes = match self.bytes {
            Bytes::Owned => RustBytes::Owned,
            Bytes::Borrowed => RustBytes::Borrowed,
            Bytes::Cow => RustBytes::Cow,
        };
        let mut options = RustOptions::new().with_bytes(bytes);
        for (name, ty) in &self.with {
            options = options.with_type(name, ty);
        }
        if self.no_std {
            options = options.without_std();
        }
        if self.newtypes {
            options = options.with_newtypes();
        }
        if let Some(module) = &self.bytes_with {
            options = options.with_bytes_module(module);
        }
        match &self.derive {
            Some(derives) => options.with_derives(derives.iter().map(|derive| derive.trim())),
            None => options,
        }
    }
}
