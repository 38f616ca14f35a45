//! Iterates over the values of a file, all of one type.

use fourfold::biniou::wire::CHUNK_HEADER;
use fourfold::biniou::{Chunks, File, Framing, Result};
use fourfold::{Reader, Segment};

use super::verify::Check;
use super::{Schema, Type, Value};

impl Schema {
    /// The values of a file, each checked to be of the type of that name, one after another: an iterator.
    ///
    /// The options of the file count. Memory does not grow with the file: a [`Value`] is a view of its bytes. The
    /// first error ends the iterator; offsets count from the start of the file, and the path of an error in a
    /// stream begins with the number of the chunk. An empty file holds no value, which is its error.
    ///
    /// ```
    /// use fourfold::biniou::File;
    /// use fourfold_schema::atd::Schema;
    ///
    /// let schema = Schema::parse("type level = int <biniou repr=\"int8\">")?;
    /// // two int8
    /// let file = File::from_slice(&[16, 7, 16, 8]);
    /// let levels: Vec<String> = schema
    ///     .values_of(&file, "level")?
    ///     .map(|value| Ok(serde_json::to_string(&value?)?))
    ///     .collect::<Result<_, Box<dyn std::error::Error>>>()?;
    /// assert_eq!(levels, ["7", "8"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `NoType` if there is no such type. What the iterator gives: those of [`to_value`](Schema::to_value).
    pub fn values_of<'a>(&'a self, file: &File<'a>, name: &str) -> Result<Values<'a>> {
        let source = match file.framing() {
            Framing::Values => Source::Values { bytes: file.bytes(), taken: 0 },
            Framing::Chunks => Source::Chunks { chunks: file.chunks(), index: 0, taken: 0 },
        };
        Ok(Values {
            ty: self.need(name)?,
            check: Check::new(file.options()),
            source,
            is_done: false,
        })
    }
}

/// The values of a file that are of one type: an iterator.
#[derive(Debug)]
pub struct Values<'a> {
    ty: Type<'a>,
    check: Check,
    source: Source<'a>,
    is_done: bool,
}

#[derive(Debug)]
enum Source<'a> {
    Values { bytes: &'a [u8], taken: usize },
    Chunks { chunks: Chunks<'a>, index: usize, taken: usize },
}

impl<'a> Values<'a> {
    /// Number of unknown fields in the values so far: fields of records, further cells of tuples, and cells in columns
    /// of tables. They are skipped, so no [`Value`] has them.
    ///
    /// ```
    /// use fourfold::biniou::{File, to_vec};
    /// use fourfold_schema::atd::Schema;
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Entry { id: i32, name: &'static str }
    ///
    /// let schema = Schema::parse("type entry = { id : int }")?;
    /// let bytes = to_vec(&Entry { id: 7, name: "x" })?;
    /// let file = File::from_slice(&bytes);
    /// let mut values = schema.values_of(&file, "entry")?;
    /// assert_eq!(serde_json::to_string(&values.next().unwrap()?)?, r#"{"id":7}"#);
    /// assert_eq!(values.stepped_over(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stepped_over(&self) -> usize {
        self.check.stepped_over
    }

    fn next_value(&mut self) -> Option<Result<Value<'a>>> {
        let Values { ty, check, source, .. } = self;
        match source {
            Source::Values { bytes, taken } => {
                let rest = bytes.get(*taken..).unwrap_or_default();
                // No bytes at all are no value, which is an error.
                if rest.is_empty() && *taken > 0 {
                    return None;
                }
                Some(check.next(rest, *taken, *ty).map(|(value, len)| {
                    *taken = taken.saturating_add(len);
                    value
                }))
            }
            Source::Chunks { chunks, index, taken } => {
                let chunk = chunks.next()?;
                let (start, number) = (taken.saturating_add(CHUNK_HEADER), *index);
                (*taken, *index) = (start.saturating_add(chunk.len()), number + 1);
                let value = check
                    .next(chunk, 0, *ty)
                    .and_then(|(value, len)| Reader::after(chunk, len).finish().map(|()| value));
                Some(value.map_err(|error| error.moved(start).inside(Segment::Index(number))))
            }
        }
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Result<Value<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let value = self.next_value();
        self.is_done = !matches!(value, Some(Ok(_)));
        value
    }
}

impl core::iter::FusedIterator for Values<'_> {}
