//! `fourfold schema rust`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fourfold::schema::{RustBytes, RustOptions};

use crate::failure::{Ended, Failure};
use crate::output;
use crate::schema::molecule;
use crate::target;

/// Print Rust types for a `.mol` file and all that it imports, with the marks that they need.
///
/// The text is as rustfmt writes it. It needs serde and fourfold; `Schema::check` passes for all of its types.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fourfold schema rust blockchain.mol -o src/blockchain.rs
  fourfold schema rust blockchain.mol --with Bool=bool --bytes-with crate::hex
  fourfold schema rust events.mol --bytes cow --derive Clone,Debug")]
pub(super) struct Arguments {
    /// The schema.
    file: PathBuf,
    /// The file to write, or `-` for standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write this Rust type for a type of the schema, which is then not declared; may be repeated.
    #[arg(long, value_name = "NAME=TYPE", value_parser = pair)]
    with: Vec<(String, String)>,
    /// What strings of bytes are in Rust.
    #[arg(long, value_name = "FORM", default_value = "owned")]
    bytes: Bytes,
    /// Mark arrays and strings of bytes `#[serde(with = "MODULE")]`.
    #[arg(long, value_name = "MODULE")]
    bytes_with: Option<String>,
    /// Derive exactly these for each type, beside Serialize and Deserialize.
    #[arg(long, value_name = "TRAITS", value_delimiter = ',')]
    derive: Option<Vec<String>>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Bytes {
    /// `Vec<u8>`.
    Owned,
    /// `&'a [u8]`.
    Borrowed,
    /// `Cow<'a, [u8]>`.
    Cow,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, ty)) if !name.is_empty() && !ty.is_empty() => Ok((name.into(), ty.into())),
        _ => Err("expected NAME=TYPE, such as Bool=bool".into()),
    }
}

impl Arguments {
    pub(super) fn run(&self) -> Result<Ended, Failure> {
        target::spare_inputs(&self.output, [&*self.file])?;
        let schema = molecule(&self.file)?;
        let text = schema.to_rust(&self.options());
        output::write(&self.output, |out| out.write_all(text.as_bytes()))?;
        Ok(Ended::Good)
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
        if let Some(module) = &self.bytes_with {
            options = options.with_bytes_module(module);
        }
        match &self.derive {
            Some(derives) => options.with_derives(derives.iter().map(String::as_str)),
            None => options,
        }
    }
}
