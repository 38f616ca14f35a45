//! Writes instances of the package's classes.

use fourfold::biniou::wire::{self, Tag};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple, PyType};

use super::{EXPECTED, Extra, NO_EXTRA, Writer, deeper, shown};
use crate::biniou::classes::argument;
use crate::error::{Refused, in_range};
use crate::float::narrowed;
use crate::numpy::{self, Array};

/// The bit of an argument in the first byte of a variant.
const VARIANT_ARGUMENT: u8 = 1 << 7;

impl<'py> Writer<'py> {
    /// Appends an instance of one of the package's classes, an array of NumPy, or another integer.
    pub(super) fn class(
        &mut self,
        object: &Bound<'py, PyAny>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        let (py, classes, class) = (object.py(), self.classes, object.get_type());
        let part = |name: &str| object.getattr(name);
        let is = |one: &Py<PyType>| class.is(one);
        Ok(if is(&classes.int8) {
            self.out.push(object.extract()?);
            Tag::Int8
        } else if is(&classes.int16) {
            self.out.extend(object.extract::<u16>()?.to_be_bytes());
            Tag::Int16
        } else if is(&classes.int32) {
            self.out.extend(object.extract::<i32>()?.to_be_bytes());
            Tag::Int32
        } else if is(&classes.int64) {
            self.out.extend(object.extract::<i64>()?.to_be_bytes());
            Tag::Int64
        } else if is(&classes.uvint) {
            let number = match object.extract::<u64>() {
                Ok(small) => small.into(),
                Err(_) => object.extract()?,
            };
            self.vint(number, extra)?;
            Tag::Uvint
        } else if is(&classes.float32) {
            self.out.extend(narrowed(object)?.to_be_bytes());
            Tag::Float32
        } else if is(&classes.num_variant) {
            let what = "the number of a NumVariant";
            let number: u8 = in_range(py, part("number")?.extract(), what)?;
            if number & wire::NUM_ARGUMENT != 0 {
                return Err(Refused::value(format!("{what} is {number}, at most 127")));
            }
            let at = self.out.len();
            self.out.push(number);
            if self.argument(object, depth)? {
                if let Some(byte) = self.out.get_mut(at) {
                    *byte |= wire::NUM_ARGUMENT;
                }
            }
            Tag::NumVariant
        } else if is(&classes.variant) {
            let hash = self.key(&part("name")?)?;
            let at = self.out.len();
            self.out.extend(hash.to_be_bytes());
            if self.argument(object, depth)? {
                if let Some(byte) = self.out.get_mut(at) {
                    *byte |= VARIANT_ARGUMENT;
                }
            }
            Tag::Variant
        } else if is(&classes.record) {
            let pairs = part("fields")?.try_iter()?.map(|pair| pair?.extract());
            self.fields(pairs.collect::<PyResult<_>>()?, deeper(depth)?, extra)?;
            Tag::Record
        } else if is(&classes.table) {
            self.table(object, deeper(depth)?, extra)?;
            Tag::Table
        } else if is(&classes.shared) {
            let number: usize = in_range(py, part("number")?.extract(), "the number of a Shared")?;
            self.definitions.push(self.out.len());
            // Any other number would be read back as this one.
            if number != self.definitions.len() {
                let text = "Shared values are numbered from 1, in the order in which they begin";
                return Err(Refused::value(text));
            }
            self.vint(wire::HERE.into(), extra)?;
            self.tagged(&part("value")?, deeper(depth)?)?;
            Tag::Shared
        } else if is(&classes.reference) {
            let number: usize =
                in_range(py, part("number")?.extract(), "the number of a Reference")?;
            let before = number.checked_sub(1).and_then(|before| self.definitions.get(before));
            let Some(start) = before else {
                let text = "a Reference has the number of a Shared value that begins before it";
                return Err(Refused::value(text));
            };
            self.length(self.out.len().saturating_sub(*start), extra)?;
            Tag::Shared
        } else if is(&classes.overlong) {
            let (first, second) =
                in_range(py, part("extra")?.extract(), "the extra of an Overlong")?;
            self.overlong(&part("value")?, depth, [first, second])?
        } else if classes.has_width(object)? {
            let expected =
                "supported: Int8, Int16, Int32 and Int64 themselves, not their subclasses";
            return self.converted(object, Refused::type_of(object, expected), depth, extra);
        } else if let Ok(number) = object.cast::<PyFloat>() {
            self.out.extend(number.value().to_be_bytes());
            Tag::Float64
        } else {
            return self.foreign(object, depth, extra);
        })
    }

    /// Appends an array of NumPy, or any other integer.
    fn foreign(
        &mut self,
        object: &Bound<'py, PyAny>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        let refused = match Array::of(object) {
            Ok(Some(array)) => return self.numpy(object, &array, depth, extra),
            Ok(None) => match numpy::integer(object)? {
                Some(number) => return self.svint(&number, extra),
                None => Refused::type_of(object, EXPECTED),
            },
            Err(refused) if refused.is_type() => refused,
            Err(refused) => return Err(refused),
        };
        self.converted(object, refused, depth, extra)
    }

    /// Appends the argument of a variant, and returns whether there is one.
    fn argument(&mut self, object: &Bound<'py, PyAny>, depth: u16) -> Result<bool, Refused> {
        match argument(object)? {
            Some(argument) => self.tagged(&argument, deeper(depth)?).map(|()| true),
            None => Ok(false),
        }
    }

    /// Appends a value with lengths and numbers that are longer than needed: there must be such.
    fn overlong(
        &mut self,
        object: &Bound<'py, PyAny>,
        depth: u16,
        extra: Extra,
    ) -> Result<Tag, Refused> {
        let [_, second] = extra;
        let is_nested = object.get_type().is(&self.classes.overlong);
        let tag = self.body(object, depth, extra)?;
        let has_vint = match tag {
            Tag::Table => true,
            Tag::Uvint
            | Tag::Svint
            | Tag::String
            | Tag::Array
            | Tag::Tuple
            | Tag::Record
            | Tag::Shared => second == 0,
            _ => false,
        };
        match has_vint && !is_nested && extra != NO_EXTRA {
            true => Ok(tag),
            false => Err(Refused::value(
                "an Overlong has extra bytes for each length or number of its value",
            )),
        }
    }

    fn table(
        &mut self,
        object: &Bound<'py, PyAny>,
        depth: u16,
        extra: Extra,
    ) -> Result<(), Refused> {
        let rows: Vec<Bound<'py, PyAny>> =
            object.getattr("rows")?.try_iter()?.collect::<PyResult<_>>()?;
        let mut columns = Vec::new();
        for column in object.getattr("columns")?.try_iter()? {
            let (name, tag): (Bound<'_, PyAny>, String) = column?.extract()?;
            let Some(tag) = Tag::ALL.iter().find(|known| known.name() == tag) else {
                return Err(Refused::value(format!("there is no tag {tag:?}")));
            };
            columns.push((name, *tag));
        }
        self.length(rows.len(), extra)?;
        let [_, second] = extra;
        if rows.is_empty() {
            return match columns.is_empty() && second == 0 {
                true => Ok(()),
                false => Err(Refused::value("a Table without rows has no columns")),
            };
        }
        self.length(columns.len(), [second, 0])?;
        let mut names = Vec::new();
        for (name, tag) in columns {
            let hash = self.key(&name)?;
            self.out.extend(wire::field_key(hash));
            self.out.push(tag.byte());
            names.push((shown(&name, hash), tag));
        }
        for (at, row) in rows.iter().enumerate() {
            let row = row.cast::<PyTuple>().map_err(PyErr::from)?;
            self.row(row, &names, depth).map_err(|refused| refused.at(at))?;
        }
        Ok(())
    }

    fn row(
        &mut self,
        row: &Bound<'py, PyTuple>,
        columns: &[(String, Tag)],
        depth: u16,
    ) -> Result<(), Refused> {
        if row.len() != columns.len() {
            let (cells, columns) = (row.len(), columns.len());
            return Err(Refused::value(format!("{cells} cells in a row of {columns} columns")));
        }
        for (cell, (name, tag)) in row.iter().zip(columns) {
            let found = self.body(&cell, depth, NO_EXTRA).map_err(|it| it.in_field(name))?;
            if found != *tag {
                let (found, tag) = (found.name(), tag.name());
                let text = format!("a column of {tag} has a cell of {found}");
                return Err(Refused::value(text).in_field(name));
            }
        }
        Ok(())
    }
}
