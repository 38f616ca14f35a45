//! Converts Python objects to biniou bytes.

mod class;

use std::borrow::Cow;

use fourfold::Reader;
use fourfold::biniou::wire::{self, Tag, Zigzag as _};
use fourfold::biniou::{Error, ErrorKind, hash};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::classes::Classes;
use crate::error::Refused;
use crate::float::{exact, widened};
use crate::input::{buffer, is_bytes, items};
use crate::levels;
use crate::numpy::{self, Number};
use crate::signals::Signals;

const EXPECTED: &str = "supported: bool, int, float, str, bytes, list, tuple, dict, None, numbers and arrays \
    of NumPy, and the classes of fourfold.biniou";

/// The bytes of an object. `default` converts objects that are not supported.
pub(super) fn value<'py>(
    object: &Bound<'py, PyAny>,
    default: Option<&Bound<'py, PyAny>>,
) -> Result<Vec<u8>, Refused> {
    let mut writer = Writer { default: default.cloned(), ..Writer::new(object.py())? };
    writer.tagged(object, levels::left())?;
    Ok(writer.out)
}

/// The tag of an object.
pub(super) fn tag(object: &Bound<'_, PyAny>) -> Result<Tag, Refused> {
    Writer::new(object.py())?.body(object, levels::left(), NO_EXTRA)
}

/// By how many bytes the first and second length or number of a value are longer than needed.
type Extra = [u8; 2];

const NO_EXTRA: Extra = [0, 0];

/// Appends values to bytes.
struct Writer<'py> {
    out: Vec<u8>,
    /// Where shared values begin, in order.
    definitions: Vec<usize>,
    classes: &'py Classes,
    default: Option<Bound<'py, PyAny>>,
    signals: Signals<'py>,
}

impl<'py> Writer<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        let (classes, signals) = (Classes::get(py)?, Signals::new(py));
        let (out, definitions) = (Vec::new(), Vec::new());
        Ok(Writer { out, definitions, classes, default: None, signals })
    }

    /// Appends a value and its tag.
    fn tagged(&mut self, object: &Bound<'py, PyAny>, depth: u16) -> Result<(), Refused> {
        let at = self.out.len();
        self.out.push(0);
        let tag = self.body(object, depth, NO_EXTRA)?;
        self.set(at, tag);
        Ok(())
    }

    fn set(&mut self, at: usize, tag: Tag) {
        if let Some(byte) = self.out.get_mut(at) {
            *byte = tag.byte();
        }
    }

    /// Appends what follows the tag of a value, and returns the tag.
    #[inline]
    fn body(
        &mut self,
        object: &Bound<'py, PyAny>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        self.signals.work(1)?;
        if let Ok(number) = object.cast_exact::<PyInt>() {
            return self.svint(number, extra);
        }
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            self.out.extend(number.value().to_be_bytes());
            return Ok(Tag::Float64);
        }
        self.other(object, depth, extra)
    }

    fn other(
        &mut self,
        object: &Bound<'py, PyAny>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        if object.is_none() {
            self.out.push(wire::UNIT);
            return Ok(Tag::Unit);
        }
        if let Ok(flag) = object.cast::<PyBool>() {
            self.out.push(flag.is_true().into());
            return Ok(Tag::Bool);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return self.string(text_of(text)?.as_bytes(), extra);
        }
        if is_bytes(object) {
            return self.string(buffer(object)?.as_bytes(), extra);
        }
        if let Ok(fields) = object.cast::<PyDict>() {
            return self.record(items(fields)?, deeper(depth)?, extra);
        }
        if let Ok(list) = object.cast::<PyList>() {
            return self.array(list, deeper(depth)?, extra);
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            let depth = deeper(depth)?;
            self.length(tuple.len(), extra)?;
            for (index, cell) in tuple.iter().enumerate() {
                self.tagged(&cell, depth).map_err(|refused| refused.at(index))?;
            }
            return Ok(Tag::Tuple);
        }
        self.class(object, depth, extra)
    }

    /// Appends what `default` returns for an object that is not supported.
    fn converted(
        &mut self,
        object: &Bound<'py, PyAny>,
        refused: Refused,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        match &self.default {
            Some(default) => {
                let depth = deeper(depth)?;
                let object = levels::call(default, object, depth)?;
                self.body(&object, depth, extra)
            }
            None => Err(refused),
        }
    }

    /// Appends a list, whose items must all have one tag. Numbers of several are floats.
    fn array(
        &mut self,
        list: &Bound<'py, PyList>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        let count = list.len();
        self.length(count, extra)?;
        let start = self.out.len();
        let (mut first, mut written) = (None, 0_usize);
        for (index, item) in list.iter().enumerate() {
            if first.is_none() {
                self.out.push(0);
            }
            let mut at = self.out.len();
            let tag = self.body(&item, depth, NO_EXTRA).map_err(|refused| refused.at(index))?;
            written = written.saturating_add(1);
            match first {
                None => {
                    self.set(start, tag);
                    first = Some(tag);
                }
                Some(first) if first == tag => {}
                Some(all) if is_number(all) && is_number(tag) => {
                    if all != Tag::Float64 {
                        let last = self.out.split_off(at);
                        self.floats(start.saturating_add(1), all, 0)?;
                        self.set(start, Tag::Float64);
                        first = Some(Tag::Float64);
                        at = self.out.len();
                        self.out.extend(last);
                    }
                    self.floats(at, tag, index)?;
                }
                Some(first) => return Err(mixed(first, tag).at(index)),
            }
        }
        match written == count {
            true => Ok(Tag::Array),
            false => Err(Refused::value("the list changed its length while it was written")),
        }
    }

    /// Makes 64-bit floats of the numbers of a tag that are in the bytes from `at`; `first` is the index of the first.
    ///
    /// The objects may be those that `default` returned, which is not called again.
    fn floats(&mut self, at: usize, tag: Tag, first: usize) -> Result<(), Refused> {
        let numbers = self.out.split_off(at);
        let mut numbers = Reader::new(&numbers, 0);
        let mut index = first;
        while numbers.left() > 0 {
            self.signals.work(1)?;
            let number = float_of(&mut numbers, tag).map_err(|refused| refused.at(index))?;
            self.out.extend(number.to_be_bytes());
            index = index.saturating_add(1);
        }
        Ok(())
    }

    fn string(&mut self, bytes: &[u8], extra: Extra) -> Result<Tag, Refused> {
        self.length(bytes.len(), extra)?;
        self.out.extend(bytes);
        Ok(Tag::String)
    }

    #[inline]
    fn svint(&mut self, number: &Bound<'_, PyInt>, extra: Extra) -> Result<Tag, Refused> {
        match number.extract::<i64>() {
            Ok(small) => self.vint(small.zigzag().into(), extra)?,
            Err(_) => {
                let number = number.extract::<i128>();
                let wide = |_| Refused::value("integer does not fit in 128 bits");
                self.vint(number.map_err(wide)?.zigzag(), extra)?;
            }
        }
        Ok(Tag::Svint)
    }

    fn length(&mut self, length: usize, extra: Extra) -> Result<(), Refused> {
        self.vint(u128::try_from(length).unwrap_or(u128::MAX), extra)
    }

    /// Appends a vint that is longer than needed by the first of `extra`.
    #[inline]
    fn vint(&mut self, number: u128, [extra, _]: Extra) -> Result<(), Refused> {
        let start = self.out.len();
        wire::put_uvint(&mut self.out, number);
        match extra {
            0 => Ok(()),
            extra => self.lengthen(start, extra),
        }
    }

    #[cold]
    fn lengthen(&mut self, start: usize, extra: u8) -> Result<(), Refused> {
        for _ in 0..extra {
            if let Some(last) = self.out.last_mut() {
                *last |= wire::VINT_MORE;
            }
            self.out.push(0);
        }
        let spelled = self.out.get(start..).unwrap_or_default();
        match wire::take_uvint(&mut Reader::new(spelled, 0)) {
            Ok(_) => Ok(()),
            Err(_) => Err(Refused::value("no number of biniou is as long as this Overlong")),
        }
    }

    fn record(
        &mut self,
        fields: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        let mut hashes = self.fields(fields, depth, extra)?;
        hashes.sort_unstable();
        let mut pairs = hashes.iter().zip(hashes.iter().skip(1));
        match pairs.find(|(one, next)| one == next) {
            None => Ok(Tag::Record),
            Some((hash, _)) => {
                Err(Refused::value(format!("two names of a record have the hash #{hash:08x}")))
            }
        }
    }

    /// Appends fields, and returns the hashes of their names.
    fn fields(
        &mut self,
        fields: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        depth: u16,
        extra: Extra,
    ) -> Result<Vec<u32>, Refused> {
        self.length(fields.len(), extra)?;
        let mut hashes = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let hash = self.key(&name)?;
            self.out.extend(wire::field_key(hash));
            self.tagged(&value, depth).map_err(|refused| refused.in_field(&shown(&name, hash)))?;
            hashes.push(hash);
        }
        Ok(hashes)
    }

    /// The hash of a name, given as `str` or `Hash`.
    fn key(&self, object: &Bound<'py, PyAny>) -> Result<u32, Refused> {
        if let Ok(name) = object.cast::<PyString>() {
            return Ok(hash(&text_of(name)?));
        }
        if object.get_type().is(&self.classes.hash) {
            return match object.extract::<u32>()? {
                hash if hash & wire::ARGUMENT == 0 => Ok(hash),
                _ => Err(Refused::value("a hash has 31 bits")),
            };
        }
        Err(Refused::type_of(object, "names are str, or Hash"))
    }

    /// Appends an array like a list of lists, and a scalar like a number.
    fn numpy(
        &mut self,
        object: &Bound<'py, PyAny>,
        array: &numpy::Array<'py>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        let tag = match (array.kind(), array.size()) {
            ('b', 1) => Tag::Bool,
            ('i' | 'u', 1..=8) => Tag::Svint,
            ('f', 4) => Tag::Float32,
            ('f', 8) => Tag::Float64,
            // biniou has no 16-bit floats.
            ('f', 2) | ('S' | 'U' | 'T' | 'O', _) => {
                return self.body(&array.list()?, depth, extra);
            }
            _ => return self.converted(object, array.refused(), depth, extra),
        };
        if array.shape().len() > usize::from(depth) {
            return Err(too_deep());
        }
        let bytes = array.bytes()?;
        self.nested(array.shape(), tag, &mut array.numbers(bytes.as_bytes())?, extra)
    }

    /// Appends numbers as lists of the given shape.
    fn nested(
        &mut self,
        shape: &[usize],
        tag: Tag,
        numbers: &mut impl Iterator<Item = Number>,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        let Some((len, rest)) = shape.split_first() else {
            self.signals.work(1)?;
            match numbers.next() {
                Some(Number::Bool(flag)) => self.out.push(flag.into()),
                Some(Number::Int(number)) => self.vint(number.zigzag(), extra)?,
                Some(Number::Float32(number)) => self.out.extend(number.to_be_bytes()),
                Some(Number::Float64(number)) => self.out.extend(number.to_be_bytes()),
                None => return Err(Refused::value("an array with fewer elements than its shape")),
            }
            return Ok(tag);
        };
        self.length(*len, extra)?;
        if *len > 0 {
            self.out.push(if rest.is_empty() { tag } else { Tag::Array }.byte());
        }
        for _ in 0..*len {
            self.nested(rest, tag, numbers, NO_EXTRA)?;
        }
        Ok(Tag::Array)
    }
}

/// The depth inside of a value.
fn deeper(depth: u16) -> Result<u16, Refused> {
    depth.checked_sub(1).ok_or_else(too_deep)
}

fn too_deep() -> Refused {
    Refused::value(levels::too_deep())
}

/// Whether numbers of this tag may be in one list with others.
fn is_number(tag: Tag) -> bool {
    matches!(tag, Tag::Svint | Tag::Float32 | Tag::Float64)
}

/// The 64-bit float that is equal to a number of the given tag.
fn float_of(numbers: &mut Reader<'_>, tag: Tag) -> Result<f64, Refused> {
    let cut = |_: Error| Refused::value("a number that ends early");
    match tag {
        Tag::Float64 => Ok(f64::from_be_bytes(numbers.take_array::<8, ErrorKind>().map_err(cut)?)),
        Tag::Float32 => {
            Ok(widened(f32::from_be_bytes(numbers.take_array::<4, ErrorKind>().map_err(cut)?)))
        }
        _ => {
            let before = numbers.rest();
            let number = i128::unzigzag(wire::take_uvint(numbers).map_err(cut)?);
            let size = before.len().saturating_sub(numbers.left());
            // The last byte is 0 only in one that is longer than needed.
            let last = size.checked_sub(1).and_then(|last| before.get(last));
            if size > 1 && last == Some(&0) {
                return Err(mixed(Tag::Float64, tag));
            }
            exact(number).ok_or_else(|| {
                let text = "a list of floats has an integer that no float is equal to";
                Refused::value(text).hint("use a tuple to keep it an integer")
            })
        }
    }
}

fn mixed(first: Tag, other: Tag) -> Refused {
    let text = format!("a list of {} has an item of {}", first.name(), other.name());
    Refused::value(text).hint("use a tuple for items of different tags")
}

/// A name for error paths.
fn shown(name: &Bound<'_, PyAny>, hash: u32) -> String {
    match name.extract() {
        Ok(name) => name,
        Err(_) => format!("#{hash:08x}"),
    }
}

pub(super) fn text_of<'t>(text: &'t Bound<'_, PyString>) -> Result<Cow<'t, str>, Refused> {
    let surrogate = |_| Refused::value("text with a surrogate, which UTF-8 cannot encode");
    text.to_cow().map_err(surrogate)
}
