//! The visitor that receives the content of values read with a schema.

use fourfold::{CommonKind, Error};

use super::{Lane, LaneKind};

/// Receives the content of a value that is read with its schema, in the order of the bytes.
///
/// A reader calls [`interest`](Visit::interest), then one method for the kind of the value. For the nested values of a
/// value, it gets a visitor for each ([`part`](Visit::part), [`some`](Visit::some)), and at the end calls
/// [`list`](Visit::list) or [`record`](Visit::record). If a value turns out to be invalid, the calls for what precedes
/// the error have been made.
///
/// The methods for each type:
///
/// | Molecule | biniou | calls |
/// |---|---|---|
/// | `byte` | | `byte` |
/// | array or fixvec of `byte` | `string` | `bytes` |
/// | | `unit`, `bool`, `int` of any width, `float` | `unit`, `bool`, `int`, `float32` or `float64` |
/// | other array, fixvec, dynvec | list, table | `part(0)` for each item, then `list` |
/// | struct, table | record, tuple | `part(index)` for each field that is there, then `record` |
/// | option | option, nullable | `none`, or `some` for the value |
/// | | `?field`, `~field`, a cell that has a default | `some` for the value |
/// | union | sum type | `variant(index)`, and `part(index)` if it has a value |
///
/// A method without an implementation ignores what it is called for, and the visitor of a value is then that of its
/// nested values, too.
///
/// An `index` is that in the schema's list. biniou's records may have a field twice: then the last one counts. For a
/// wrapped type, the methods of the inner type are called.
pub trait Visit {
    /// Whether the methods do anything. If not, the reader only checks.
    const LISTENS: bool = true;

    /// Whether it accepts several rows at once, by [`lane`](Visit::lane).
    const TAKES_LANES: bool = false;

    /// What the reader does with the next value.
    fn interest(&self) -> Interest {
        Interest::Parts
    }

    /// Whether all fields of a record are wanted, so that [`wants`](Visit::wants) need not be called.
    fn wants_all(&self) -> bool {
        true
    }

    /// Whether field `index` of a record is wanted, if not all are. If not, its visitor's [`interest`](Visit::interest) is
    /// `Nothing`, and need not be called.
    fn wants(&self, _index: usize) -> bool {
        true
    }

    /// A unit.
    fn unit(&mut self) {}

    /// A bool.
    fn bool(&mut self, _value: bool) {}

    /// A byte of Molecule.
    fn byte(&mut self, _value: u8) {}

    /// An integer.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn int(&mut self, _value: i64) -> Result<(), Refusal> {
        Ok(())
    }

    /// A float of four bytes.
    fn float32(&mut self, _value: f32) {}

    /// A float of eight bytes.
    fn float64(&mut self, _value: f64) {}

    /// The bytes of a string, or of an array or fixvec of bytes.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn bytes(&mut self, _bytes: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    /// The same where the bytes are known to be UTF-8, as a reader may find out on its way.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn text(&mut self, text: &str) -> Result<(), Refusal> {
        self.bytes(text.as_bytes())
    }

    /// A whole value that has been checked, of which the [bytes](Interest::Bytes) are wanted: `prefix`, then `bytes`.
    /// `prefix` is the tag in biniou, and empty in Molecule.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn encoded(&mut self, _prefix: &[u8], _bytes: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    /// The visitor of a field, item or variant's value.
    fn part(&mut self, _index: usize) -> &mut Self {
        self
    }

    /// Ends a list of `count` items.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn list(&mut self, _count: usize) -> Result<(), Refusal> {
        Ok(())
    }

    /// Ends a record or tuple.
    fn record(&mut self) {}

    /// The same if each field or cell of the type was there, and once.
    fn whole_record(&mut self) {
        self.record();
    }

    /// An option without a value.
    fn none(&mut self) {}

    /// The visitor of the value of an option.
    fn some(&mut self) -> &mut Self {
        self
    }

    /// The variant of a sum type or union. If it has a value, that is next.
    fn variant(&mut self, _index: usize) {}

    /// Whether it accepts the values of this field in several rows at once. Lanes are used only if all fields that are
    /// wanted accept them.
    fn takes_lane(&self, _kind: LaneKind) -> bool {
        false
    }

    /// The values of this field in the next rows, instead of a call for each.
    ///
    /// # Errors
    ///
    /// What cannot be taken: then the rows are visited one by one, so that it is the error of its value.
    fn lane(&mut self, _lane: &Lane<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Ends `count` rows that were visited by lanes, one for each field that is wanted.
    fn records(&mut self, count: usize) {
        for _ in 0..count {
            self.whole_record();
            self.row();
        }
    }

    /// Ends a row of a file.
    fn row(&mut self) {}

    /// Discards what was visited since the last [row](Visit::row): it is visited again, or it is damaged.
    fn again(&mut self) {}
}

/// What a reader does with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// Calls the methods for its content.
    Parts,
    /// Checks it, and passes on its bytes unchanged.
    Bytes,
    /// Skips it. Checks only where it ends.
    Nothing,
}

/// Why a visitor refuses a value: the text of the error.
#[derive(Clone, Debug)]
pub struct Refusal(Box<(Box<str>, Option<&'static str>)>);

impl Refusal {
    /// A refusal for this reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Refusal(Box::new((reason.into().into_boxed_str(), None)))
    }

    /// Adds the fix, which is printed last.
    #[must_use]
    pub fn fix(mut self, text: &'static str) -> Self {
        self.0.1 = Some(text);
        self
    }

    #[cold]
    fn at<K: From<CommonKind>>(self, offset: usize) -> Error<K> {
        let (reason, fix) = *self.0;
        Error::at(CommonKind::Message(reason), offset).or_hint(fix)
    }
}

/// The result of a visitor for the value at `offset`.
#[inline]
pub(crate) fn refusal_at<K: From<CommonKind>>(
    answer: Result<(), Refusal>,
    offset: usize,
) -> Result<(), Error<K>> {
    answer.map_err(|refusal| refusal.at(offset))
}

/// The visitor of values that are only checked.
#[derive(Debug)]
pub(crate) struct Ignore;

impl Visit for Ignore {
    const LISTENS: bool = false;
}
