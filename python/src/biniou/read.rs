//! Converts biniou bytes to Python objects.
//!
//! Any value with an error ends the conversion: the library reads the bytes again for the error, with its place.

use fourfold::Reader as Bytes;
use fourfold::biniou::skip::spend_empty_rows;
use fourfold::biniou::wire::{self, Tag, Zigzag as _, vint};
use fourfold::biniou::{Error, ErrorKind, Value};
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::classes::Classes;
use super::names::Known;
use crate::levels;
use crate::signals::{Signals, detached};

/// The object of one value, which must take all bytes. `hook` converts each dict.
pub(super) fn value<'py>(
    py: Python<'py>,
    bytes: &[u8],
    known: &mut Known,
    hook: Option<&Bound<'py, PyAny>>,
    place: impl FnOnce(Error) -> Error,
) -> PyResult<Bound<'py, PyAny>> {
    let mut reader = Reader {
        py,
        classes: Classes::get(py)?,
        depth: levels::left(),
        empty_rows: usize::try_from(wire::MOST_EMPTY_ROWS)?,
        known,
        hook: hook.cloned(),
        bytes: Bytes::new(bytes, 0),
        definitions: Vec::new(),
        signals: Signals::new(py),
    };
    let read = reader.tagged();
    let is_whole = reader.bytes.left() == 0;
    match read {
        Ok(object) if is_whole => return Ok(object),
        Err(Stop::Raised(error)) => return Err(error),
        Ok(_) | Err(Stop::Invalid) => {}
    }
    let names = known.names();
    let (options, copy) = (names.options.clone(), bytes.to_vec());
    let error = detached(py, bytes.len(), move || options.from_slice::<Value>(&copy).err())?;
    let error = error.map(|error| names.decode(py, &place(error)));
    // The library counts only the levels of this value.
    Err(error.unwrap_or_else(|| PyRecursionError::new_err(levels::too_deep())))
}

/// Why no object is made.
enum Stop {
    /// The bytes are not valid.
    Invalid,
    Raised(PyErr),
}

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Stop::Invalid
    }
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Self {
        Stop::Raised(error)
    }
}

type Read<'py> = Result<Bound<'py, PyAny>, Stop>;

/// Converts one value, with a cache of names.
struct Reader<'py, 'a> {
    py: Python<'py>,
    classes: &'py Classes,
    known: &'a mut Known,
    /// What converts each dict.
    hook: Option<Bound<'py, PyAny>>,
    bytes: Bytes<'a>,
    /// How many more levels values may nest.
    depth: u16,
    /// How many more rows without columns are accepted.
    empty_rows: usize,
    /// Where the shared values so far begin, in order.
    definitions: Vec<usize>,
    signals: Signals<'py>,
}

impl<'py> Reader<'py, '_> {
    fn tagged(&mut self) -> Read<'py> {
        let tag = wire::take_tag(&mut self.bytes)?;
        self.value(tag)
    }

    /// Reads what follows a tag.
    #[inline]
    fn value(&mut self, tag: Tag) -> Read<'py> {
        self.signals.work(1)?;
        match tag {
            Tag::Svint => self.svint(),
            Tag::Float64 => {
                let number = f64::from_be_bytes(self.bytes.take_array::<8, ErrorKind>()?);
                Ok(PyFloat::new(self.py, number).into_any())
            }
            _ => self.other(tag),
        }
    }

    #[inline]
    fn svint(&mut self) -> Read<'py> {
        let rest = self.bytes.rest();
        let (number, size) = vint::uvint(rest);
        let last = size.checked_sub(1).and_then(|last| rest.get(last));
        match last {
            // The last byte of a long one is 0 only if it is longer than needed.
            Some(last) if size == 1 || *last != 0 => {
                self.bytes.skip(size);
                Ok(PyInt::new(self.py, i64::unzigzag(number)).into_any())
            }
            _ => {
                let (number, extra) = self.vint()?;
                let number = i128::unzigzag(number).into_pyobject(self.py);
                let number = number.map_err(PyErr::from)?.into_any();
                self.spelled([extra, 0], number)
            }
        }
    }

    fn other(&mut self, tag: Tag) -> Read<'py> {
        let Reader { py, classes, .. } = *self;
        let bytes = &mut self.bytes;
        Ok(match tag {
            Tag::Bool => PyBool::new(py, wire::take_bool(bytes)?).to_owned().into_any(),
            Tag::Int8 => {
                classes.byte(py, u8::from_be_bytes(bytes.take_array::<_, ErrorKind>()?))?
            }
            Tag::Int16 => {
                let number = u16::from_be_bytes(bytes.take_array::<_, ErrorKind>()?);
                classes.int(py, &classes.int16, number)?
            }
            Tag::Int32 => {
                let number = i32::from_be_bytes(bytes.take_array::<_, ErrorKind>()?);
                classes.int(py, &classes.int32, number)?
            }
            Tag::Int64 => {
                let number = i64::from_be_bytes(bytes.take_array::<_, ErrorKind>()?);
                classes.int(py, &classes.int64, number)?
            }
            Tag::Float32 => {
                classes.float(py, f32::from_be_bytes(bytes.take_array::<_, ErrorKind>()?))?
            }
            Tag::Uvint => {
                let (number, extra) = self.vint()?;
                self.spelled([extra, 0], classes.int(py, &classes.uvint, number)?)?
            }
            Tag::String => {
                let start = *bytes;
                let (text, _) = wire::take_string(bytes)?;
                self.signals.work(text.len() / 64)?;
                let text = match std::str::from_utf8(text) {
                    Ok(text) => PyString::new(py, text).into_any(),
                    Err(_) => PyBytes::new(py, text).into_any(),
                };
                self.spelled([extra_of(start)?, 0], text)?
            }
            Tag::Array => self.level(Self::array)?,
            Tag::Tuple => self.level(Self::tuple)?,
            Tag::Record => self.level(Self::record)?,
            Tag::Table => self.level(Self::table)?,
            Tag::NumVariant => {
                let (number, has_argument) = wire::take_num_variant(bytes)?;
                let class = classes.num_variant.bind(py);
                match has_argument {
                    false => class.call1((number,))?,
                    true => class.call1((number, self.level(Self::tagged)?))?,
                }
            }
            Tag::Variant => {
                let (hash, has_argument) = wire::take_variant(bytes)?;
                let class = classes.variant.bind(py);
                let name = self.known.key(py, hash)?;
                match has_argument {
                    false => class.call1((name,))?,
                    true => class.call1((name, self.level(Self::tagged)?))?,
                }
            }
            Tag::Shared => self.shared()?,
            // A unit. `Tag` is `#[non_exhaustive]`.
            _ => {
                wire::take_unit(bytes)?;
                py.None().into_bound(py)
            }
        })
    }

    /// Reads what is nested one level deeper.
    fn level(&mut self, read: impl FnOnce(&mut Self) -> Read<'py>) -> Read<'py> {
        self.depth = self.depth.checked_sub(1).ok_or(Stop::Invalid)?;
        let object = read(self)?;
        self.depth = self.depth.saturating_add(1);
        Ok(object)
    }

    fn array(&mut self) -> Read<'py> {
        let start = self.bytes;
        let count = wire::take_items(&mut self.bytes)?;
        let tag = if count > 0 { wire::take_tag(&mut self.bytes)? } else { Tag::Unit };
        let list = match tag.fixed_size() {
            None if !matches!(tag, Tag::Svint | Tag::Uvint | Tag::String) => {
                let list = PyList::empty(self.py);
                for _ in 0..count {
                    list.append(self.value(tag)?)?;
                }
                list
            }
            // These take at least a byte each, and nest no other lists. `take_items` has compared the count with the bytes.
            // Signal handlers and other threads can see a list, so it is made when all items are there.
            _ => {
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.value(tag)?);
                }
                PyList::new(self.py, items)?
            }
        };
        self.spelled([extra_of(start)?, 0], list.into_any())
    }

    fn tuple(&mut self) -> Read<'py> {
        let start = self.bytes;
        let mut items = Vec::new();
        for _ in 0..wire::take_cells(&mut self.bytes)? {
            items.push(self.tagged()?);
        }
        let tuple = PyTuple::new(self.py, items)?;
        self.spelled([extra_of(start)?, 0], tuple.into_any())
    }

    fn record(&mut self) -> Read<'py> {
        let start = self.bytes;
        let dict = PyDict::new(self.py);
        let count = wire::take_fields(&mut self.bytes)?;
        let mut pairs = Vec::new();
        for _ in 0..count {
            let hash = wire::take_field(&mut self.bytes)?;
            let (key, value) = (self.known.key(self.py, hash)?, self.tagged()?);
            dict.set_item(&key, &value)?;
            pairs.push((key, value));
        }
        let record = match dict.len() == count {
            true => match &self.hook {
                Some(hook) => levels::call(hook, &dict, self.depth)?,
                None => dict.into_any(),
            },
            false => self.classes.record.bind(self.py).call1((PyTuple::new(self.py, pairs)?,))?,
        };
        self.spelled([extra_of(start)?, 0], record)
    }

    fn table(&mut self) -> Read<'py> {
        let (py, mut start) = (self.py, self.bytes);
        let (row_count, column_count) = wire::take_table_counts(&mut self.bytes)?;
        if column_count == 0 {
            spend_empty_rows(&mut self.empty_rows, row_count, start.offset())?;
        }
        let extra = extra_of(start)?;
        wire::take_uvint(&mut start)?;
        let extra = [extra, if row_count > 0 { extra_of(start)? } else { 0 }];
        let (mut columns, mut tags) = (Vec::new(), Vec::new());
        for _ in 0..column_count {
            let hash = wire::take_field(&mut self.bytes)?;
            let tag = wire::take_tag(&mut self.bytes)?;
            tags.push(tag);
            let name = PyString::intern(py, tag.name()).into_any();
            columns.push(PyTuple::new(py, [self.known.key(py, hash)?, name])?);
        }
        let mut rows = Vec::new();
        for _ in 0..row_count {
            let mut cells = Vec::new();
            for tag in &tags {
                cells.push(self.value(*tag)?);
            }
            rows.push(PyTuple::new(py, cells)?);
        }
        let (columns, rows) = (PyTuple::new(py, columns)?, PyTuple::new(py, rows)?);
        let table = self.classes.table.bind(py).call1((columns, rows))?;
        self.spelled(extra, table)
    }

    fn shared(&mut self) -> Read<'py> {
        let (py, classes, start) = (self.py, self.classes, self.bytes.offset());
        let (distance, extra) = self.vint()?;
        let object = match distance == u128::from(wire::HERE) {
            true => {
                self.definitions.push(start);
                let number = self.definitions.len();
                let value = self.level(Self::tagged)?;
                classes.shared.bind(py).call1((number, value))?
            }
            false => {
                let target = wire::target(start, distance).ok_or(Stop::Invalid)?;
                let before = self.definitions.binary_search(&target);
                let number = before.map_err(|_| Stop::Invalid)?.saturating_add(1);
                classes.reference.bind(py).call1((number,))?
            }
        };
        self.spelled([extra, 0], object)
    }

    /// Takes an unsigned vint, and how many bytes longer than needed it is.
    fn vint(&mut self) -> Result<(u128, u8), Stop> {
        let start = self.bytes;
        Ok((wire::take_uvint(&mut self.bytes)?, extra_of(start)?))
    }

    /// The object of a value whose lengths, counts and numbers are longer than needed.
    fn spelled(&self, extra: [u8; 2], object: Bound<'py, PyAny>) -> Read<'py> {
        match extra {
            [0, 0] => Ok(object),
            [one, two] => Ok(self.classes.overlong.bind(self.py).call1(((one, two), object))?),
        }
    }
}

/// How many bytes longer than needed the next vint is.
fn extra_of(mut bytes: Bytes<'_>) -> Result<u8, Error> {
    if bytes.peek().is_some_and(|first| first < wire::VINT_MORE) {
        return Ok(0);
    }
    let before = bytes.left();
    let mut number = wire::take_uvint(&mut bytes)?;
    let mut extra = before.saturating_sub(bytes.left());
    loop {
        extra = extra.saturating_sub(1);
        number >>= 7;
        if number == 0 {
            return Ok(u8::try_from(extra).unwrap_or(u8::MAX));
        }
    }
}
