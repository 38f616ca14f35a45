//! How many values a biniou file has, and of what shape.

use std::fmt;

use fourfold::biniou::{Dictionary, Framing, Options};
use serde::Serialize;

use super::named;
use super::shape::{Drawn, Named, Shape};
use crate::failure::Failure;
use crate::formats::framing::{self, FramingName};
use crate::input::Input;
use crate::write::count::{counted_in_groups, number};

/// Values one behind the other, and their common shape.
#[derive(Debug)]
pub(super) struct Report<'a> {
    file: String,
    bytes: u64,
    framing: Framing,
    values: u64,
    shape: Shape,
    names: &'a Dictionary,
    depth: usize,
}

impl<'a> Report<'a> {
    pub(super) fn of(
        input: &Input,
        names: &'a Dictionary,
        options: &Options,
        depth: usize,
    ) -> Result<Self, Failure> {
        let given = options.file(&input.bytes);
        let (mut shape, mut values) = (Shape::default(), 0);
        // Only one at a time is in memory.
        for value in framing::values(&given) {
            shape.add(&value.map_err(|error| Failure::data(&input.name, error))?);
            values += 1;
        }
        let (file, bytes) = (input.name.clone(), number(input.bytes.len()));
        let framing = given.framing();
        Ok(Report { file, bytes, framing, values, shape, names, depth })
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Plain<'a> {
            file: &'a str,
            format: &'static str,
            bytes: u64,
            framing: FramingName,
            values: u64,
            shape: Named<'a>,
        }
        let Report { file, bytes, framing, values, shape, names, depth: _ } = self;
        let shape = Named { shape, names };
        let (format, framing) = ("biniou", FramingName::from(*framing));
        Plain { file, format, bytes: *bytes, framing, values: *values, shape }.serialize(serializer)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = match self.framing {
            Framing::Values => format!("biniou, {}", counted_in_groups(self.values, "value")),
            Framing::Chunks => {
                format!("biniou, a stream of {}", counted_in_groups(self.values, "chunk"))
            }
        };
        writeln!(f, "{}", named(&self.file, values, self.bytes))?;
        let (shape, names, depth) = (&self.shape, self.names, self.depth);
        writeln!(f, "\n{}", Drawn { shape, names, indent: 0, depth })
    }
}
