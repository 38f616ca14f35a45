//! Collects the evidence for each format of a file, and derives the verdict.

use fourfold::biniou::Options;

use super::{Format, OtherFormat, Reading, Sample};
use crate::write::plain::plain;

/// How strongly the bytes support a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing supports it.
    Unfit,
    /// The bytes fit, but so do many others.
    Possible,
    /// The bytes are damaged, but enough of them fit before the damage.
    Damaged,
    /// The bytes fit to the end, but have no signature of the format.
    Fits,
    /// The same, and several numbers agree with the length. A single number that fits another format is then chance.
    Agrees,
    /// The signature of the format is at its place.
    Signed,
}

/// The damage of a file.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The offset. `None` if a limit or the version of the file prevents reading.
    pub at: Option<usize>,
    /// The error.
    pub text: String,
}

/// A format, and the evidence for and against it.
#[derive(Debug)]
pub struct Candidate {
    pub format: Format,
    pub confidence: Confidence,
    /// Whether the strict reader reads to the last byte, or to the end of the sample.
    pub is_read: bool,
    /// The offset of the damage.
    pub damaged_at: Option<usize>,
    /// The facts, one per entry.
    pub words: Vec<String>,
}

/// The conclusion from the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file is of this format.
    Determined(Format),
    /// Only the name of the file supports the format.
    Named(Format),
    /// The file may be of any of these.
    Ambiguous(Vec<Format>),
    /// The file has no bytes.
    Empty,
    /// The file is of none of the formats; perhaps of another known format.
    Unknown(Option<OtherFormat>),
}

/// The candidates: all formats, or only one if a signature and its reader agree.
#[derive(Debug)]
pub struct Evidence {
    pub candidates: Vec<Candidate>,
    /// Whether a long file was read completely because its beginning was ambiguous.
    pub is_read_whole: bool,
    verdict: Verdict,
}

/// Longer files are not read completely if their beginning is ambiguous.
const MOST_READ: usize = 256 << 20;

impl Evidence {
    /// Collects the evidence for a file with that name.
    pub fn of(name: &str, sample: &Sample<'_>, options: &Options) -> Self {
        let bytes = sample.front;
        let new = |candidates| Evidence {
            candidates,
            is_read_whole: false,
            verdict: Verdict::Unknown(None),
        };
        // A file with a signature that its reader accepts needs no other candidates.
        for format in Format::ALL.into_iter().filter(|format| format.kind().is_signed(bytes)) {
            let candidate = Candidate::of(format, sample, options);
            if candidate.is_read {
                let verdict = Verdict::Determined(format);
                return Evidence { verdict, ..new(vec![candidate]) };
            }
        }
        let candidate = |format| Candidate::of(format, sample, options);
        let mut evidence = new(Format::ALL.into_iter().map(candidate).collect());
        let rest = sample.all.filter(|all| !sample.is_whole() && all.len() <= MOST_READ);
        if let Some(all) = rest.filter(|_| evidence.answer().all(|it| it.format.is_untyped())) {
            evidence.read_whole(all, options);
        }
        evidence.verdict = evidence.judged(name, sample);
        evidence
    }

    /// Reads a whole file whose beginning supports no format.
    fn read_whole(&mut self, all: &[u8], options: &Options) {
        for candidate in &mut self.candidates {
            let kind = candidate.format.kind();
            if kind.has_types() && kind.is_read(all, options) {
                candidate.is_read = true;
                candidate.confidence = Confidence::Fits;
                candidate.words.push("reads to the last byte".into());
            }
        }
        self.is_read_whole = true;
    }

    fn judged(&mut self, name: &str, sample: &Sample<'_>) -> Verdict {
        if sample.front.is_empty() {
            return Verdict::Empty;
        }
        let answer: Vec<&Candidate> = self.answer().collect();
        match answer[..] {
            [only] if only.confidence >= Confidence::Damaged => {
                return Verdict::Determined(only.format);
            }
            _ => {}
        }
        let possible: Vec<Format> = answer.iter().map(|candidate| candidate.format).collect();
        let other = OtherFormat::by_signature(sample)
            .or_else(|| OtherFormat::by_text(sample).filter(|_| possible.is_empty()));
        if other.is_some() {
            return Verdict::Unknown(other);
        }
        let named = Format::by_extension(name);
        let Some(named) = named.filter(|it| possible.is_empty() || possible.contains(it)) else {
            return match possible.is_empty() {
                true => Verdict::Unknown(None),
                false => Verdict::Ambiguous(possible),
            };
        };
        let candidate = self.candidates.iter_mut().find(|candidate| candidate.format == named);
        let extension = std::path::Path::new(name).extension().unwrap_or_default();
        let word = format!("the name ends in .{}", plain(&extension.to_string_lossy()));
        candidate.into_iter().for_each(|candidate| candidate.words.push(word.clone()));
        match possible.is_empty() {
            true => Verdict::Named(named),
            false => Verdict::Determined(named),
        }
    }

    /// The verdict.
    pub const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The candidates that the bytes support best.
    fn answer(&self) -> impl Iterator<Item = &Candidate> {
        let best = self.candidates.iter().map(|candidate| candidate.confidence).max();
        let threshold = match best {
            Some(Confidence::Damaged | Confidence::Agrees | Confidence::Signed) => {
                Confidence::Possible
            }
            _ => Confidence::Unfit,
        };
        self.candidates.iter().filter(move |candidate| candidate.confidence > threshold)
    }

    /// The candidates that the verdict names.
    pub fn named(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|candidate| match &self.verdict {
            Verdict::Determined(format) | Verdict::Named(format) => candidate.format == *format,
            Verdict::Ambiguous(formats) => formats.contains(&candidate.format),
            Verdict::Empty | Verdict::Unknown(_) => false,
        })
    }
}

impl Candidate {
    fn of(format: Format, sample: &Sample<'_>, options: &Options) -> Self {
        let kind = format.kind();
        let (confidence, words) = kind.evidence(sample);
        let reading = match sample.is_whole() {
            true => kind.read(sample.front, options),
            false => kind.glance(sample, options),
        };
        let mut candidate =
            Candidate { format, confidence, is_read: false, damaged_at: None, words };
        match reading {
            Reading::Untyped => {}
            Reading::Good { what, .. } => {
                candidate.is_read = true;
                candidate.confidence = confidence.max(kind.confidence_if_read(sample));
                let extent =
                    if sample.is_whole() { "to the last byte" } else { "to the end of the sample" };
                candidate.words.push(format!("reads {extent}: {what}"));
            }
            Reading::Bad(text) => candidate.refused(&text, sample, options),
        }
        candidate
    }

    fn refused(&mut self, text: &str, sample: &Sample<'_>, options: &Options) {
        if let Some(damage) = self.format.kind().damage(sample, options) {
            self.confidence = self.confidence.max(Confidence::Damaged);
            self.damaged_at = damage.at;
            if let Some(at) = damage.at {
                let len = sample.all.map_or(sample.front.len(), <[u8]>::len);
                self.words.push(format!("reads up to byte {at} of {len}"));
            }
        }
        self.words.push(format!("does not read: {text}"));
    }
}
