//! The framing of a biniou file, as text and in reports.

use fourfold::biniou::{self, Framing, Options};
use serde::Serialize;

use crate::failure::{describe, describe_with};
use crate::write::count::counted;

/// The framing in reports.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FramingName {
    None,
    Chunks,
}

impl From<Framing> for FramingName {
    fn from(framing: Framing) -> Self {
        match framing {
            Framing::Values => FramingName::None,
            Framing::Chunks => FramingName::Chunks,
        }
    }
}

/// A count of values: `stream of 3 chunks`.
pub(super) fn counted_by(framing: Framing, count: usize) -> String {
    match framing {
        Framing::Values => counted(count, "value"),
        Framing::Chunks => format!("stream of {}", counted(count, "chunk")),
    }
}

/// An error after `count` values were read.
pub(super) fn ended(error: &biniou::Error, count: usize) -> String {
    match count {
        0 => describe(error),
        _ => describe_with(error, &format!(", after {}", counted(count, "value"))),
    }
}

/// Whether all values of a file can be skipped without an error.
pub(super) fn can_be_passed(bytes: &[u8], options: &Options) -> bool {
    options.file(bytes).values::<serde::de::IgnoredAny>().all(|value| value.is_ok())
}
