//! tsm files: modules of TenniS and packed tensors.

mod report;
mod shapes;

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use fourfold::biniou::Options;
use fourfold::tsm::{File, Header, Module, PackedTensor, take_from_slice, to_writer};

use self::report::{ModuleReport, PackedReport};
use super::reading::{begun, cut_off, missing};
use super::{Comparison, Confidence, Damage, ExplainOptions, FileKind, Loaded, Reading, Sample};
use crate::contents;
use crate::failure::{Failure, describe};
use crate::input::ReadAt;
use crate::model::{self, Document, Fields, Node, Root, Wrong};
use crate::spans::{self, Span};
use crate::tensors::{Container, read_tsm};
use crate::write::count::counted;
use crate::write::hex;
use crate::write::report::{About, Report};

/// A packed tensor of at most this many fields is read completely, because its data are skipped.
const MOST_FIELDS: i32 = 1 << 12;

pub(super) struct Tsm;

impl FileKind for Tsm {
    fn name(&self) -> &'static str {
        "tsm"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["t", "tsm"]
    }

    fn without_graph(&self) -> String {
        "these are tensors of tsm".into()
    }

    fn has_inputs(&self) -> bool {
        true
    }

    fn comparison(&self) -> Comparison {
        Comparison::Tensors(Container::Tsm)
    }

    fn is_signed(&self, bytes: &[u8]) -> bool {
        File::is_module(bytes)
    }

    fn contents(&self, len: u64, read: &mut ReadAt<'_>) -> io::Result<Vec<Range<u64>>> {
        contents::tsm::contents(len, read)
    }

    fn evidence(&self, sample: &Sample<'_>) -> (Confidence, Vec<String>) {
        let (confidence, are) = match File::is_module(sample.front) {
            true => (Confidence::Signed, "are"),
            false => (Confidence::Unfit, "are not"),
        };
        let (place, code) = (Header::CODE_RANGE, hex::cells(&Header::CODE_BYTES, usize::MAX));
        (confidence, vec![format!("bytes {place:?} {are} {code}, the code of a module")])
    }

    fn confidence_if_read(&self, sample: &Sample<'_>) -> Confidence {
        match has_fields(sample) {
            true => Confidence::Agrees,
            false => Confidence::Fits,
        }
    }

    fn glance(&self, sample: &Sample<'_>, options: &Options) -> Reading {
        let front = sample.front;
        if File::is_module(front) {
            return begun(sample, Module::from_slice(front), missing, "beginning of a module");
        }
        match sample.all.filter(|_| has_fields(sample)) {
            Some(all) => self.read(all, options),
            // Its first count is the only evidence, and has to be within the sample.
            None => begun(
                sample,
                PackedTensor::from_slice(front),
                cut_off,
                "beginning of a packed tensor",
            ),
        }
    }

    fn damage(&self, sample: &Sample<'_>, _: &Options) -> Option<Damage> {
        let is_signed = self.is_signed(sample.front);
        let error = is_signed.then(|| Module::from_slice(sample.front).err())??;
        Some(Damage { at: error.offset(), text: describe(&error) })
    }

    fn load<'a>(&'a self, bytes: &'a [u8], _: &'a Options) -> Result<Box<dyn Loaded + 'a>, String> {
        Ok(Box::new(read_tsm(bytes)?))
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        _: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        spans::tsm::explain(bytes, path, each);
    }

    fn make(&self, fields: &Fields<'_>, whole: &Node<'_>, _: &Options) -> Result<Vec<u8>, Wrong> {
        model::tsm::bytes(fields, whole)
    }
}

/// Whether a packed tensor has at least one field, and at most `MOST_FIELDS`.
fn has_fields(sample: &Sample<'_>) -> bool {
    let count = sample.all.and_then(|all| take_from_slice(all).ok());
    count.is_some_and(|(count, _)| (1..=MOST_FIELDS).contains(&count))
}

impl Loaded for File<'_> {
    fn reading(&self) -> Reading {
        match self {
            File::Module(module) => Reading::Good {
                what: format!("module of {}", counted(module.graph.nodes.len(), "node")),
                suspicions: module.check().iter().map(ToString::to_string).collect(),
            },
            File::Tensor(packed) => {
                let fields = counted(packed.fields.len(), "field");
                Reading::good(format_args!("packed tensor of {fields}"))
            }
        }
    }

    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String> {
        to_writer(out, self).map_err(|error| describe(&error))
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(match self {
            File::Module(module) => Box::new(ModuleReport::of(module, about)?),
            File::Tensor(_) if !about.inputs.is_empty() => {
                return Err("these are tensors without a module, which have no inputs".into());
            }
            File::Tensor(packed) => Box::new(PackedReport::of(packed, about)),
        })
    }

    fn document<'s>(&'s self, _: &About<'s>) -> Result<Document<'s>, Failure> {
        let part = match self {
            File::Module(module) => model::tsm::module(module),
            File::Tensor(tensor) => model::tsm::tensor_file(tensor),
        };
        Ok(Document { name: Tsm.name(), ty: None, is_one: true, root: Root::Listed, part })
    }
}
