//! Sizes of paper for PDF.

use clap::ValueEnum;

/// A size of paper, in landscape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Paper {
    A3,
    A4,
    Letter,
}
