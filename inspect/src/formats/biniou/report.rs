//! Reports the number of values in a biniou file, and their shape.

use std::fmt;

use fourfold::biniou::{Dictionary, File, Framing, Value};
use serde::Serialize;

use super::framing::FramingName;
use super::shape::{Drawn, Named, Shape};
use crate::failure::describe;
use crate::write::count::{counted_in_groups, number};
use crate::write::listing::named;
use crate::write::report::About;

/// The values of a file, and their common shape.
#[derive(Debug)]
pub(super) struct BiniouReport<'a> {
    file: String,
    bytes: u64,
    framing: Framing,
    /// The name of the type of all values in the schema.
    ty: Option<&'a str>,
    values: u64,
    shape: Shape,
    names: &'a Dictionary,
    depth: usize,
}

impl<'a> BiniouReport<'a> {
    pub(super) fn of(
        given: &File<'_>,
        ty: Option<&'a str>,
        about: &About<'a>,
    ) -> Result<Self, String> {
        let (mut shape, mut count) = (Shape::default(), 0);
        // Only one at a time is in memory.
        for value in given.values::<Value>() {
            shape.add(&value.map_err(|error| describe(&error))?);
            count += 1;
        }
        Ok(BiniouReport {
            file: about.name.to_owned(),
            bytes: number(about.bytes.len()),
            framing: given.framing(),
            ty,
            values: count,
            shape,
            names: about.names,
            depth: about.depth,
        })
    }
}

impl Serialize for BiniouReport<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Plain<'a> {
            file: &'a str,
            format: &'static str,
            bytes: u64,
            framing: FramingName,
            #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
            ty: Option<&'a str>,
            values: u64,
            shape: Named<'a>,
        }
        let BiniouReport { file, bytes, framing, ty, values, shape, names, depth: _ } = self;
        let shape = Named { shape, names };
        let (format, framing) = ("biniou", FramingName::from(*framing));
        let (bytes, ty, values) = (*bytes, *ty, *values);
        Plain { file, format, bytes, framing, ty, values, shape }.serialize(serializer)
    }
}

impl fmt::Display for BiniouReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = match self.framing {
            Framing::Values => format!("biniou, {}", counted_in_groups(self.values, "value")),
            Framing::Chunks => {
                format!("biniou, a stream of {}", counted_in_groups(self.values, "chunk"))
            }
        };
        let of_type = self.ty.map(|ty| format!(" of {ty}")).unwrap_or_default();
        let values = values + &of_type;
        writeln!(f, "{}", named(&self.file, values, self.bytes))?;
        let (shape, names, depth) = (&self.shape, self.names, self.depth);
        writeln!(f, "\n{}", Drawn { shape, names, indent: 0, depth })
    }
}
