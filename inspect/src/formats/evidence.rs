//! The evidence for each format of a file, and what follows from it.

use fourfold::biniou::Options;

use super::{Format, Reading, Sample, Stranger};
use crate::write::plain::plain;

/// How strongly the bytes support a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Nothing supports it.
    Unfit,
    /// The bytes fit, as many others would.
    Possible,
    /// The bytes are damaged, and so many fit before the damage that it is not chance.
    Damaged,
    /// The bytes fit to the last one, but carry no signature of the format.
    Fits,
    /// The same, and several numbers agree with the length, so that one number that fits another
    /// format is chance.
    Agrees,
    /// The signature of the format is at its place.
    Signed,
}

/// Where a damaged file goes wrong.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The byte. None for a file that a limit, or its version, keeps from being read.
    pub at: Option<usize>,
    /// What is wrong.
    pub text: String,
}

/// A format, and the evidence for and against it.
#[derive(Debug)]
pub struct Candidate {
    pub format: Format,
    pub standing: Standing,
    /// Whether a strict reader reads to the last byte, or as far as is looked.
    pub is_read: bool,
    /// The byte where a damaged file goes wrong.
    pub damaged_at: Option<usize>,
    /// One fact each.
    pub words: Vec<String>,
}

/// What follows from the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file is of this format.
    Settled(Format),
    /// Nothing but the name of the file supports the format.
    Named(Format),
    /// The file may be of any of these.
    Open(Vec<Format>),
    /// The file has no bytes.
    Empty,
    /// The file is of none of the formats; perhaps of a known other one.
    Unknown(Option<Stranger>),
}

/// What was looked at: all formats, unless a signature and a reader agreed at once.
#[derive(Debug)]
pub struct Evidence {
    pub candidates: Vec<Candidate>,
    /// Whether all of a long file was read because its beginning left the format open.
    pub is_read_whole: bool,
    verdict: Verdict,
}

/// A longer file whose beginning leaves the format open is not read any further.
const MOST_READ: usize = 256 << 20;

impl Evidence {
    /// The evidence for each format, and what follows from it for a file of that name.
    pub fn of(name: &str, sample: &Sample<'_>, options: &Options) -> Self {
        let bytes = sample.front;
        let new = |candidates| Evidence {
            candidates,
            is_read_whole: false,
            verdict: Verdict::Unknown(None),
        };
        // A signed file that reads well needs no second opinion.
        for format in Format::ALL.into_iter().filter(|format| format.kind().is_signed(bytes)) {
            let candidate = Candidate::of(format, sample, options);
            if candidate.is_read {
                let verdict = Verdict::Settled(format);
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

    /// Reads all of a file whose beginning supports nothing.
    fn read_whole(&mut self, all: &[u8], options: &Options) {
        for candidate in &mut self.candidates {
            let kind = candidate.format.kind();
            if kind.has_types() && kind.is_read(all, options) {
                candidate.is_read = true;
                candidate.standing = Standing::Fits;
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
            [only] if only.standing >= Standing::Damaged => return Verdict::Settled(only.format),
            _ => {}
        }
        let possible: Vec<Format> = answer.iter().map(|candidate| candidate.format).collect();
        let stranger = Stranger::by_signature(sample)
            .or_else(|| Stranger::by_text(sample).filter(|_| possible.is_empty()));
        if stranger.is_some() {
            return Verdict::Unknown(stranger);
        }
        let named = Format::by_extension(name);
        let Some(named) = named.filter(|it| possible.is_empty() || possible.contains(it)) else {
            return match possible.is_empty() {
                true => Verdict::Unknown(None),
                false => Verdict::Open(possible),
            };
        };
        let candidate = self.candidates.iter_mut().find(|candidate| candidate.format == named);
        let extension = std::path::Path::new(name).extension().unwrap_or_default();
        let word = format!("the name ends in .{}", plain(&extension.to_string_lossy()));
        candidate.into_iter().for_each(|candidate| candidate.words.push(word.clone()));
        match possible.is_empty() {
            true => Verdict::Named(named),
            false => Verdict::Settled(named),
        }
    }

    /// What follows from all this.
    pub const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The candidates that the bytes support.
    fn answer(&self) -> impl Iterator<Item = &Candidate> {
        let best = self.candidates.iter().map(|candidate| candidate.standing).max();
        let floor = match best {
            Some(Standing::Damaged | Standing::Agrees | Standing::Signed) => Standing::Possible,
            _ => Standing::Unfit,
        };
        self.candidates.iter().filter(move |candidate| candidate.standing > floor)
    }

    /// The candidates that the verdict names.
    pub fn named(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|candidate| match &self.verdict {
            Verdict::Settled(format) | Verdict::Named(format) => candidate.format == *format,
            Verdict::Open(formats) => formats.contains(&candidate.format),
            Verdict::Empty | Verdict::Unknown(_) => false,
        })
    }
}

impl Candidate {
    fn of(format: Format, sample: &Sample<'_>, options: &Options) -> Self {
        let kind = format.kind();
        let (standing, words) = kind.evidence(sample);
        let reading = match sample.is_whole() {
            true => kind.read(sample.front, options),
            false => kind.glance(sample, options),
        };
        let mut candidate = Candidate { format, standing, is_read: false, damaged_at: None, words };
        match reading {
            Reading::Untyped => {}
            Reading::Good { what, .. } => {
                candidate.is_read = true;
                candidate.standing = standing.max(kind.standing_of_read(sample));
                let extent = if sample.is_whole() {
                    "to the last byte"
                } else {
                    "as far as it is looked at"
                };
                candidate.words.push(format!("reads {extent}: {what}"));
            }
            Reading::Bad(text) => candidate.refused(&text, sample, options),
        }
        candidate
    }

    fn refused(&mut self, text: &str, sample: &Sample<'_>, options: &Options) {
        if let Some(damage) = self.format.kind().damage(sample, options) {
            self.standing = self.standing.max(Standing::Damaged);
            self.damaged_at = damage.at;
            if let Some(at) = damage.at {
                let len = sample.all.map_or(sample.front.len(), <[u8]>::len);
                self.words.push(format!("reads up to byte {at} of {len}"));
            }
        }
        self.words.push(format!("does not read: {text}"));
    }
}
