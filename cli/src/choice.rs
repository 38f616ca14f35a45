//! The option of subcommands that need a format.

use clap::Args;
use fourfold::biniou::Options;
use fourfold_inspect::formats::{Format, Typed, detect, detect_or_layouts};

use crate::failure::Failure;
use crate::input::Input;

/// The option of subcommands that need a format.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The format, if bytes and file name are ambiguous.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
}

impl Choice {
    /// Refuses a schema whose files have another format than the requested one.
    pub(crate) fn agrees_with(self, typed: &Typed) -> Result<(), String> {
        let of_schema = typed.format();
        match self.format.filter(|requested| *requested != of_schema) {
            None => Ok(()),
            Some(requested) => {
                let (requested, of_schema) = (requested.name(), of_schema.name());
                Err(format!("the schema is for {of_schema}, but --format is {requested}"))
            }
        }
    }

    /// The requested format, or the detected one.
    ///
    /// # Errors
    ///
    /// Those of [`detect`].
    pub(crate) fn of(self, input: &Input, options: &Options) -> Result<Format, Failure> {
        self.format.map_or_else(|| detect(input, options), Ok)
    }

    /// The same for subcommands that can show Molecule bytes without types.
    pub(crate) fn or_layouts(self, input: &Input, options: &Options) -> Result<Format, Failure> {
        self.format.map_or_else(|| detect_or_layouts(input, options), Ok)
    }
}
