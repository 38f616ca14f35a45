//! Iterates over the values of a file, all of one type.

use fourfold::molecule::{Frames, Options, Result};

use super::verify::Check;
use super::{Schema, Shape, Type, Value};

impl Schema {
    /// The values of a file that are of the type of that name, each checked, one after another: an iterator.
    ///
    /// Most often all bytes are one value. If the type is a table or dynvec, and the bytes begin with two whole
    /// records or more, they are the records of [`Records`](fourfold::molecule::Records): one that is no value of the
    /// type is an error, and those after it are given; where the next one begins must be shown. Offsets count from the
    /// start of the file. Memory does not grow with the file.
    ///
    /// ```
    /// use fourfold::molecule::RecordWriter;
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("table Entry { id: byte, flag: byte, }")?;
    /// let mut log = RecordWriter::new(Vec::new());
    /// # use fourfold::molecule::with::Table;
    /// log.write(&Table((7u8, 1u8)))?;
    /// log.write(&Table((8u8,)))?;
    /// log.write(&Table((9u8, 0u8)))?;
    /// let log = log.into_inner();
    ///
    /// let mut entries = schema.values_of(&log, "Entry")?;
    /// assert!(entries.are_records());
    /// assert_eq!(entries.next().unwrap()?.get("id").unwrap().bytes(), [7]);
    /// let error = entries.next().unwrap().unwrap_err();
    /// assert_eq!(error.to_string(), "table has 1 field, the type has more at byte 18");
    /// assert_eq!(entries.next().unwrap()?.get("id").unwrap().bytes(), [9]);
    /// assert!(entries.next().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `NoType` if there is no such type. What the iterator gives: those of [`to_value`](Schema::to_value).
    pub fn values_of<'a>(&'a self, bytes: &'a [u8], name: &str) -> Result<Values<'a>> {
        let ty = self.need(name)?;
        let source = match ty.are_records(bytes) {
            true => Source::Records(Frames::from_slice(bytes)),
            false => Source::One(Some(bytes)),
        };
        Ok(Values { ty, check: Check::new(&Options::new()), source })
    }
}

impl Type<'_> {
    /// Whether its values may follow one another, as [`Records`](fourfold::molecule::Records) are read: those
    /// of tables and dynvecs begin with their full size.
    ///
    /// ```
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("table Entry { id: byte, } array Id [byte; 4];")?;
    /// assert!(schema.get("Entry").unwrap().shows_size());
    /// assert!(!schema.get("Id").unwrap().shows_size());
    /// # Ok::<(), fourfold_schema::mol::Error>(())
    /// ```
    #[must_use]
    pub fn shows_size(self) -> bool {
        matches!(self.shape(), Shape::Table(_) | Shape::DynVec(_))
    }

    /// Whether the bytes of a file are rather records of the type than one value: two are there, if only by their full
    /// sizes.
    pub(super) fn are_records(self, bytes: &[u8]) -> bool {
        self.shows_size() && Frames::from_slice(bytes).take_while(Result::is_ok).nth(1).is_some()
    }
}

/// The values of a file that are of one type: an iterator. See [`Schema::values_of`].
#[derive(Clone, Debug)]
pub struct Values<'a> {
    ty: Type<'a>,
    check: Check,
    source: Source<'a>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    /// All bytes, as one value.
    One(Option<&'a [u8]>),
    Records(Frames<&'a [u8]>),
}

impl Values<'_> {
    /// Checks with these options: of them `compatible` and `max_depth` count.
    #[must_use]
    pub fn with_options(self, options: &Options) -> Self {
        Values { check: Check::new(options), ..self }
    }

    /// Whether the file holds records one after the other, and not one value.
    #[must_use]
    pub fn are_records(&self) -> bool {
        matches!(self.source, Source::Records(_))
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Result<Value<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let Values { ty, check, source } = self;
        match source {
            Source::One(bytes) => {
                let value = Value::unchecked(*ty, bytes.take()?);
                Some(check.whole(value).map(|()| value))
            }
            Source::Records(frames) => {
                let start = frames.offset();
                Some(frames.next()?.and_then(|record| {
                    let value = Value::unchecked(*ty, record);
                    check.record(value, start).map(|()| value)
                }))
            }
        }
    }
}

impl core::iter::FusedIterator for Values<'_> {}
