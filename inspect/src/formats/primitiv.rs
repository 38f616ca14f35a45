//! primitiv files.

mod report;

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use fourfold::biniou::Options;
use fourfold::primitiv::{Data, DataType, File, take_from_slice};

use self::report::PrimitivReport;
use super::reading::{begun, missing};
use super::{Comparison, Confidence, Damage, ExplainOptions, FileKind, Loaded, Reading, Sample};
use crate::contents;
use crate::failure::{Failure, describe};
use crate::input::ReadAt;
use crate::model::{self, Document, Fields, Node, Root, Wrong};
use crate::spans::{self, Span};
use crate::tensors::Container;
use crate::write::count::counted;
use crate::write::report::{About, Report};

pub(super) struct Primitiv;

impl FileKind for Primitiv {
    fn name(&self) -> &'static str {
        "primitiv"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["model", "optimizer", "param", "primitiv", "shape", "tensor"]
    }

    fn comparison(&self) -> Comparison {
        Comparison::Tensors(Container::Primitiv)
    }

    fn is_signed(&self, bytes: &[u8]) -> bool {
        File::sniff(bytes)
    }

    fn contents(&self, len: u64, read: &mut ReadAt<'_>) -> io::Result<Vec<Range<u64>>> {
        contents::primitiv::contents(len, read)
    }

    fn evidence(&self, sample: &Sample<'_>) -> (Confidence, Vec<String>) {
        header(sample.front)
    }

    fn glance(&self, sample: &Sample<'_>, _: &Options) -> Reading {
        begun(sample, File::from_slice(sample.front), missing, "beginning of a file")
    }

    fn damage(&self, sample: &Sample<'_>, _: &Options) -> Option<Damage> {
        let is_signed = self.is_signed(sample.front);
        let error = is_signed.then(|| File::from_slice(sample.front).err())??;
        // A file of another version is not damaged.
        let at = error.offset().filter(|at| *at >= File::DATA_TYPE_RANGE.end);
        Some(Damage { at, text: describe(&error) })
    }

    fn load<'a>(&'a self, bytes: &'a [u8], _: &'a Options) -> Result<Box<dyn Loaded + 'a>, String> {
        match File::from_slice(bytes) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(describe(&error)),
        }
    }

    fn explain_each(
        &self,
        bytes: &[u8],
        _: ExplainOptions<'_>,
        path: &str,
        each: &mut dyn FnMut(Span) -> ControlFlow<()>,
    ) {
        spans::primitiv::explain(bytes, path, each);
    }

    fn make(&self, fields: &Fields<'_>, whole: &Node<'_>, _: &Options) -> Result<Vec<u8>, Wrong> {
        model::primitiv::bytes(fields, whole)
    }
}

fn header(bytes: &[u8]) -> (Confidence, Vec<String>) {
    let (version, data_type) = (File::VERSION_RANGE, File::DATA_TYPE_RANGE);
    let numbers = || {
        let (major, rest) = take_from_slice::<u32>(bytes).ok()?;
        let (minor, rest) = take_from_slice::<u32>(rest).ok()?;
        Some((major, minor, take_from_slice::<u32>(rest).ok()))
    };
    let Some((major, minor, found)) = numbers().filter(|_| File::sniff(bytes)) else {
        let text = format!("bytes 0..{} are not a version and data type", data_type.end);
        return (Confidence::Unfit, vec![text]);
    };
    let version = format!("bytes {version:?} are the version {major}.{minor}");
    let data = match found.map(|(number, _)| (number, DataType::from_number(number))) {
        Some((_, Some(data))) => format!("bytes {data_type:?} are the data type {data:?}"),
        Some((number, None)) => {
            format!("bytes {data_type:?} are the unknown data type {number:#x}")
        }
        None => "the data type is cut off".into(),
    };
    (Confidence::Signed, vec![version, data])
}

impl Loaded for File<'_> {
    fn reading(&self) -> Reading {
        Reading::good(match &self.data {
            Data::Shape(shape) => format!("shape {:?}", shape.dims()),
            Data::Tensor(tensor) => format!("tensor {:?}", tensor.shape().dims()),
            Data::Parameter(parameter) => {
                format!("parameter {:?}", parameter.value().shape().dims())
            }
            Data::Model(model) => format!("model of {}", counted(model.len(), "parameter")),
            Data::Optimizer(_) => "optimizer".into(),
        })
    }

    fn write_canonical(&self, out: &mut dyn Write) -> Result<(), String> {
        let written = self.to_canonical().and_then(|file| file.to_writer(out));
        written.map_err(|error| describe(&error))
    }

    fn report<'s>(&'s self, about: &About<'s>) -> Result<Box<dyn Report + 's>, String> {
        Ok(Box::new(PrimitivReport::of(self, about)))
    }

    fn document<'s>(&'s self, _: &About<'s>) -> Result<Document<'s>, Failure> {
        let part = model::primitiv::file(self);
        Ok(Document { name: Primitiv.name(), ty: None, is_one: false, root: Root::Listed, part })
    }
}
