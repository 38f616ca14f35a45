//! Parts as YAML.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::json::{Elements, Part};

pub(super) fn write(part: &Part<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut watched = Watched { out, error: None };
    let written = serde_norway::to_writer(&mut watched, &Shown { part, most });
    match (written, watched.error) {
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(io::Error::other(error)),
        (Ok(()), None) => Ok(()),
    }
}

/// Keeps the error that the YAML writer hides in its own.
struct Watched<'w> {
    out: &'w mut dyn Write,
    error: Option<io::Error>,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| {
            let kind = error.kind();
            self.error = Some(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

struct Shown<'p, 'a> {
    part: &'p Part<'a>,
    most: usize,
}

impl Serialize for Shown<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let most = self.most;
        match self.part {
            Part::Null => serializer.serialize_unit(),
            Part::Bool(value) => serializer.serialize_bool(*value),
            Part::Integer(number) => serializer.serialize_i128(*number),
            Part::Unsigned(number) => serializer.serialize_u128(*number),
            Part::Float32(float) => serializer.serialize_f32(*float),
            Part::Float64(float) => serializer.serialize_f64(*float),
            Part::Text(text) => serializer.serialize_str(text),
            Part::List(items) => {
                serializer.collect_seq(items.iter().map(|part| Shown { part, most }))
            }
            Part::Map(fields) => {
                let fields = fields.iter().map(|(key, part)| (key, Shown { part, most }));
                serializer.collect_map(fields)
            }
            // A tensor without a head is its data alone.
            Part::Tensor(tensor) if tensor.head.is_empty() => match tensor.summary(most) {
                Some(part) => Shown { part: &part, most }.serialize(serializer),
                None => Data(&tensor.elements).serialize(serializer),
            },
            Part::Tensor(tensor) => {
                let mut map = serializer.serialize_map(Some(tensor.head.len() + 1))?;
                for (key, part) in &tensor.head {
                    map.serialize_entry(key, &Shown { part, most })?;
                }
                match tensor.summary(most) {
                    Some(part) => map.serialize_entry("data", &Shown { part: &part, most })?,
                    None => map.serialize_entry("data", &Data(&tensor.elements))?,
                }
                map.end()
            }
        }
    }
}

struct Data<'a>(&'a Elements<'a>);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Element))
    }
}

struct Element(Part<'static>);

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Shown { part: &self.0, most: usize::MAX }.serialize(serializer)
    }
}
