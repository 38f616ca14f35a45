//! The option of subcommands that need a format.

use clap::Args;
use fourfold::biniou::Options;
use fourfold_inspect::formats::{Format, detect, detect_or_layouts};

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
