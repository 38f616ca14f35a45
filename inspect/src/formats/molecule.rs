//! Molecule files, which do not store their types.

mod layout;
mod records;
mod report;
mod typed;
mod typed_report;

use std::io::Write;
use std::ops::ControlFlow;

use fourfold::biniou::Options;

pub use self::records::make as make_records;
use self::report::MoleculeReport;
pub use self::typed::load;
use super::{Comparison, Confidence, ExplainOptions, FileKind, Loaded, Reading, Sample};
use crate::failure::Failure;
use crate::model::{Document, Fields, Node, Wrong, needs_schema, no_molecule};
use crate::spans::{self, Span};
use crate::write::report::{About, Report};

pub(super) struct Molecule;

impl FileKind for Molecule {
    fn name(&self) -> &'static str {
        "molecule"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["molecule"]
    }

    fn has_types(&self) -> bool {
        false
    }

    fn comparison(&self) -> Comparison {
        Comparison::Bytes
    }

    fn evidence(&self, sample: &Sample<'_>) -> (Confidence, Vec<String>) {
        layout::evidence(sample)
    }

    fn glance(&self, _: &Sample<'_>, _: &Options) -> Reading {
        Reading::Untyped
    }

    fn load<'a>(&'a self, _: &'a [u8], _: &'a Options) -> Result<Box<dyn Loaded + 'a>, String> {
        Ok(Box::new(Bytes))
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        _: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        spans::molecule::explain(bytes, path, each);
    }

    fn make(&self, _: &Fields<'_>, whole: &Node<'_>, _: &Options) -> Result<Vec<u8>, Wrong> {
        Err(needs_schema(whole))
    }
}

/// A file whose types are unknown.
struct Bytes;

impl Loaded for Bytes {
    fn reading(&self) -> Reading {
        Reading::Untyped
    }

    fn write_canonical(&self, _: &mut dyn Write) -> Result<(), String> {
        Ok(())
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(Box::new(MoleculeReport::of(about)))
    }

    fn document<'s>(&'s self, about: &About<'s>) -> Result<Document<'s>, Failure> {
        Err(no_molecule("dump", about.name, about.bytes))
    }
}
