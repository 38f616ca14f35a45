//! What speaks for each format of a file. Calls nothing a fact that other formats could be as well.

use fourfold::biniou::{self, Options};
use fourfold::{primitiv, tsm};

use super::reading::{Reading, glance_at, has_fields};
use super::{Format, Sample, layout};

/// How far the bytes bear a format out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// Nothing speaks for it.
    Unfit,
    /// The bytes fit, as many others would.
    Possible,
    /// The bytes fit to the last one, but carry no mark of the format.
    Fits,
    /// The same, and several numbers agree with the length, so that one number that fits another
    /// format is chance.
    Agrees,
    /// The format's own mark stands at its place.
    Signed,
}

/// A format and what speaks for it and against it.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) format: Format,
    pub(crate) standing: Standing,
    /// Whether a strict reader reads to the last byte, or as far as is looked.
    pub(crate) is_read: bool,
    /// One fact each.
    pub(crate) words: Vec<String>,
}

/// What was looked at: all formats, unless a signature and a reader agreed at once.
#[derive(Debug)]
pub(crate) struct Evidence {
    pub(crate) candidates: Vec<Candidate>,
}

impl Evidence {
    pub(crate) fn of(sample: &Sample<'_>, options: &Options) -> Self {
        let bytes = sample.front;
        // A signed file that reads well needs no second opinion.
        let signed = [
            (Format::Tsm, tsm::File::is_module(bytes)),
            (Format::Primitiv, primitiv::File::sniff(bytes)),
        ];
        for (format, _) in signed.into_iter().filter(|(_, signed)| *signed) {
            let candidate = Candidate::of(format, sample, options);
            if candidate.is_read {
                return Evidence { candidates: vec![candidate] };
            }
        }
        let candidate = |format| Candidate::of(format, sample, options);
        Evidence { candidates: Format::ALL.into_iter().map(candidate).collect() }
    }

    /// The format of the file, if only one is left and more than chance speaks for it.
    pub(crate) fn settled(&self) -> Option<Format> {
        let mut answer = self.answer();
        match (answer.next(), answer.next()) {
            (Some(only), None) if only.standing >= Standing::Fits => Some(only.format),
            _ => None,
        }
    }

    /// The formats that the file may be of.
    pub(crate) fn answer(&self) -> impl Iterator<Item = &Candidate> {
        let best = self.candidates.iter().map(|candidate| candidate.standing).max();
        let floor = match best {
            Some(Standing::Agrees) => Standing::Possible,
            _ => Standing::Unfit,
        };
        self.candidates.iter().filter(move |candidate| candidate.standing > floor)
    }
}

impl Candidate {
    fn of(format: Format, sample: &Sample<'_>, options: &Options) -> Self {
        let bytes = sample.front;
        let (mut standing, mut words) = match format {
            Format::Molecule => layout::evidence(sample),
            Format::Biniou => (Standing::Unfit, first_tag(bytes)),
            Format::Tsm if tsm::File::is_module(bytes) => {
                let code = "bytes 4..8 are 29 09 91 19, the code of a module";
                (Standing::Signed, vec![code.into()])
            }
            Format::Tsm => {
                let code = "bytes 4..8 are not 29 09 91 19, the code of a module";
                (Standing::Unfit, vec![code.into()])
            }
            Format::Primitiv => header(bytes),
        };
        let mut is_read = false;
        match glance_at(format, sample, options) {
            Reading::Untyped => {}
            Reading::Good { what, .. } => {
                is_read = true;
                standing = standing.max(match format == Format::Tsm && has_fields(sample) {
                    true => Standing::Agrees,
                    false => Standing::Fits,
                });
                let extent = if sample.is_whole() {
                    "to the last byte"
                } else {
                    "as far as it is looked at"
                };
                words.push(format!("reads {extent}: {what}"));
            }
            Reading::Bad(text) => words.push(format!("does not read: {text}")),
        }
        Candidate { format, standing, is_read, words }
    }
}

/// The tag that the first byte would be.
fn first_tag(bytes: &[u8]) -> Vec<String> {
    let Some(&first) = bytes.first() else {
        return Vec::new();
    };
    let text = match biniou::Tag::from_byte(first) {
        Some(tag) => format!("byte 0 is {first:02x}, the tag {}", tag.name()),
        None => format!("byte 0 is {first:02x}, no tag"),
    };
    vec![text]
}

fn header(bytes: &[u8]) -> (Standing, Vec<String>) {
    if !primitiv::File::sniff(bytes) {
        return (Standing::Unfit, vec!["bytes 0..15 are no version and data type".into()]);
    }
    let number =
        |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).copied().map(u32::from_be_bytes);
    let version = match (number(1), number(6)) {
        (Some(major), Some(minor)) => format!("bytes 0..10 are the version {major}.{minor}"),
        _ => "bytes 0..10 are a version".into(),
    };
    let data = match number(11).map(|number| (number, primitiv::DataType::from_number(number))) {
        Some((_, Some(data))) => format!("bytes 10..15 are the data type {data:?}"),
        Some((number, None)) => format!("bytes 10..15 are the unknown data type {number:#x}"),
        None => "the data type is cut off".into(),
    };
    (Standing::Signed, vec![version, data])
}
