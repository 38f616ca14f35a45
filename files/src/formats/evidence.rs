//! What speaks for each format of a file. Calls nothing a fact that other formats could be as well.

use fourfold::biniou::Options;

use super::{Format, Reading, Sample};

/// How far the bytes bear a format out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
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
pub struct Candidate {
    pub format: Format,
    pub standing: Standing,
    /// Whether a strict reader reads to the last byte, or as far as is looked.
    pub is_read: bool,
    /// One fact each.
    pub words: Vec<String>,
}

/// What was looked at: all formats, unless a signature and a reader agreed at once.
#[derive(Debug)]
pub struct Evidence {
    pub candidates: Vec<Candidate>,
}

impl Evidence {
    pub fn of(sample: &Sample<'_>, options: &Options) -> Self {
        let bytes = sample.front;
        // A signed file that reads well needs no second opinion.
        for format in Format::ALL.into_iter().filter(|format| format.kind().is_signed(bytes)) {
            let candidate = Candidate::of(format, sample, options);
            if candidate.is_read {
                return Evidence { candidates: vec![candidate] };
            }
        }
        let candidate = |format| Candidate::of(format, sample, options);
        Evidence { candidates: Format::ALL.into_iter().map(candidate).collect() }
    }

    /// The format of the file, if only one is left and more than chance speaks for it.
    pub fn settled(&self) -> Option<Format> {
        let mut answer = self.answer();
        match (answer.next(), answer.next()) {
            (Some(only), None) if only.standing >= Standing::Fits => Some(only.format),
            _ => None,
        }
    }

    /// The formats that the file may be of.
    pub fn answer(&self) -> impl Iterator<Item = &Candidate> {
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
        let kind = format.kind();
        let (mut standing, mut words) = kind.evidence(sample);
        let mut is_read = false;
        let reading = match sample.is_whole() {
            true => kind.read(sample.front, options),
            false => kind.glance(sample, options),
        };
        match reading {
            Reading::Untyped => {}
            Reading::Good { what, .. } => {
                is_read = true;
                standing = standing.max(kind.standing_of_read(sample));
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
