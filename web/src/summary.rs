//! The summary of a file: its format and the evidence, its state, and its content.

use fourfold_inspect::failure::{Failure, describe};
use fourfold_inspect::formats::{Confidence, Evidence, FileKind, Note, Reading, Sample};
use fourfold_inspect::input::Input;
use fourfold_inspect::model::Document;
use fourfold_inspect::package::{self, PackageReport};
use fourfold_inspect::show::json;
use fourfold_inspect::tensors::{Container, TensorsReport, read_as};
use fourfold_inspect::write::report::About;
use serde::Serialize;

use crate::file::{File, Kind};

/// Number of levels of values that a report shows.
const LEVELS: usize = 12;

/// Tensors of more elements have statistics instead of data in JSON.
const MOST_ELEMENTS: usize = 1 << 16;

/// The description of an open file.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    length: usize,
    /// Number of bytes of tensor contents that are not loaded.
    left: usize,
    /// The format or container; `None` if it is unknown.
    format: Option<&'static str>,
    /// Why the format is unknown.
    undetermined: Option<String>,
    evidence: Vec<Facts>,
    is_good: bool,
    /// Whether the bytes can be checked: Molecule without a schema cannot.
    is_checked: bool,
    /// Whether a file with names or types would change what is shown.
    takes_schema: bool,
    /// A description of the valid file, or the error.
    verdict: String,
    suspicions: Vec<String>,
    report: String,
    /// The file's type in the schema.
    ty: Option<String>,
    types: Vec<String>,
    /// Those of the types that fit.
    fitting: Vec<String>,
    /// How the type was selected, or why the file has none.
    note: Option<Note>,
    has_graph: bool,
    has_tensors: bool,
    has_json: bool,
}

/// The evidence for a format.
#[derive(Debug, Serialize)]
struct Facts {
    format: &'static str,
    confidence: &'static str,
    words: Vec<String>,
}

/// Summarizes a file.
pub(crate) fn summary(file: &File, input: &Input) -> Summary {
    let mut summary = Summary {
        length: input.bytes.len(),
        left: file.left(),
        format: None,
        undetermined: None,
        evidence: Vec::new(),
        is_good: false,
        is_checked: true,
        takes_schema: true,
        verdict: String::new(),
        suspicions: Vec::new(),
        report: String::new(),
        ty: None,
        types: file.types.clone(),
        fitting: file.fitting().to_vec(),
        note: file.note().cloned(),
        has_graph: false,
        has_tensors: false,
        has_json: false,
    };
    match file.kind(input) {
        Err(failure) => {
            summary.undetermined = Some(without_name(&failure, input));
            summary.evidence = evidence(file, input);
        }
        Ok(Kind::Container(container)) => summary.of_container(container, file, input),
        Ok(Kind::Package) => summary.of_package(file, input),
        Ok(kind) => {
            summary.format = Some(kind.name());
            if let Kind::Typed(of_type) = &kind {
                summary.ty = Some(of_type.ty().to_owned());
            }
            if let Some(kind) = kind.file_kind() {
                summary.of_format(kind, file, input);
            }
            summary.evidence = evidence(file, input);
        }
    }
    summary
}

impl Summary {
    fn of_format(&mut self, kind: &dyn FileKind, file: &File, input: &Input) {
        let bytes = &input.bytes;
        match kind.load(bytes, &file.options) {
            Err(text) => self.verdict = text,
            Ok(loaded) => match loaded.reading() {
                Reading::Bad(text) => self.verdict = text,
                reading => {
                    self.is_good = true;
                    self.is_checked = !matches!(reading, Reading::Untyped);
                    if let Reading::Good { what, suspicions } = reading {
                        (self.verdict, self.suspicions) = (what, suspicions);
                    }
                    match loaded.report(&about(file, input)) {
                        Ok(report) => self.report = report.to_string(),
                        Err(text) => (self.is_good, self.verdict) = (false, text),
                    }
                }
            },
        }
        let has_names = kind.has_types() && !kind.has_hashes();
        self.takes_schema = !has_names || !self.types.is_empty();
        self.has_json = self.is_good && kind.has_types();
        self.has_graph = self.is_good && fourfold::tsm::Module::from_slice(bytes).is_ok();
        self.has_tensors = self.is_good && has_tensors(input);
    }

    fn of_container(&mut self, container: Container, file: &File, input: &Input) {
        self.format = Some(container.name());
        self.takes_schema = !self.types.is_empty();
        let read = read_as(container, input);
        let source = read.as_ref().map_err(|failure| without_name(failure, input));
        match source.and_then(|source| Ok((source, source.weights()?))) {
            Ok((source, weights)) => {
                (self.is_good, self.has_json, self.has_tensors) = (true, true, true);
                self.has_graph = container == Container::Onnx;
                self.report =
                    TensorsReport::of(&**source, &weights, &about(file, input)).to_string();
            }
            Err(text) => self.verdict = text,
        }
    }

    fn of_package(&mut self, file: &File, input: &Input) {
        self.format = Some(package::NAME);
        self.takes_schema = !self.types.is_empty();
        match package::read(&input.bytes) {
            Ok(value) => {
                (self.is_good, self.has_json) = (true, true);
                self.verdict = format!("package, {}", value.type_name());
                self.suspicions = package::damaged_modules(&value);
                self.report = PackageReport::of(&value, &about(file, input)).to_string();
            }
            Err(error) => self.verdict = describe(&error),
        }
    }
}

/// Whether a valid file has tensors.
fn has_tensors(input: &Input) -> bool {
    Container::of_bytes(&input.bytes).is_some_and(|container| {
        read_as(container, input)
            .is_ok_and(|source| source.weights().is_ok_and(|weights| !weights.tensors.is_empty()))
    })
}

fn about<'a>(file: &'a File, input: &'a Input) -> About<'a> {
    About { name: &input.name, bytes: &input.bytes, names: &file.names, depth: LEVELS, inputs: &[] }
}

fn evidence(file: &File, input: &Input) -> Vec<Facts> {
    let found = Evidence::of(&input.name, &Sample::of(&input.bytes), &file.options);
    let facts = found.candidates.into_iter().map(|candidate| Facts {
        format: candidate.format.name(),
        confidence: match candidate.confidence {
            Confidence::Unfit => "unfit",
            Confidence::Possible => "possible",
            Confidence::Damaged => "damaged",
            Confidence::Fits => "fits",
            Confidence::Agrees => "agrees",
            Confidence::Signed => "signed",
        },
        words: candidate.words,
    });
    facts.collect()
}

/// The text of a failure without the file's name, which the viewer shows already.
pub(crate) fn without_name(failure: &Failure, input: &Input) -> String {
    let text = failure.to_string();
    let rest = text.strip_prefix(&input.name).and_then(|rest| rest.strip_prefix(": "));
    rest.map_or_else(|| text.clone(), str::to_owned)
}

/// Writes the whole file as JSON.
///
/// # Errors
///
/// If it has no JSON form, or cannot be read.
pub(crate) fn write_json(
    file: &File,
    input: &Input,
    out: &mut dyn std::io::Write,
) -> Result<(), String> {
    let failed = |failure: Failure| without_name(&failure, input);
    let mut write = |document: &Document<'_>| {
        json::write(&document.whole(), MOST_ELEMENTS, None, out).map_err(|error| error.to_string())
    };
    let kind = file.kind(input).map_err(failed)?;
    if let Kind::Container(container) = kind {
        let source = read_as(container, input).map_err(failed)?;
        return write(&Document::of_weights(&source.weights()?));
    }
    if matches!(kind, Kind::Package) {
        let value = package::read(&input.bytes).map_err(|error| describe(&error))?;
        return write(&package::document(&value));
    }
    let Some(typed) = kind.file_kind() else { return Ok(()) };
    let loaded = typed.load(&input.bytes, &file.options)?;
    let about = About { depth: usize::MAX, ..about(file, input) };
    let untyped = file.kind_without_type(input).map_err(failed)?;
    match (loaded.document(&about), untyped.file_kind()) {
        // A value that the type has no JSON for is shown without the type.
        (Err(_), Some(kind)) if kind.has_types() => {
            let loaded = kind.load(&input.bytes, &file.options)?;
            write(&loaded.document(&about).map_err(failed)?)
        }
        (document, _) => write(&document.map_err(failed)?),
    }
}
