//! Who is answered what is in values while they are read by a schema. Knows no bytes.

use fourfold::{CommonKind, Error};

use super::{Lane, LaneKind};

/// What is answered of a value that is read by its schema: each part once, in the order in which parts come.
///
/// A reader asks a visitor what it wants of a value ([`interest`](Visit::interest)), and calls one method for what
/// the value is. Of a value with parts, it asks for the visitor of each part ([`part`](Visit::part),
/// [`some`](Visit::some)), tells that, and says when there are no more ([`list`](Visit::list),
/// [`record`](Visit::record)). A value that turns out to be bad has been answered up to there.
///
/// Which methods a value's type leads to:
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
/// An `index` is that in the schema's list. biniou's records may have a field twice: then the last one counts. What
/// is wrapped is answered as what it wraps.
pub trait Visit {
    /// Whether anything is to be answered. A reader that need not tell has less to do.
    const LISTENS: bool = true;

    /// Whether it may be answered of several rows at once, by [`lane`](Visit::lane).
    const TAKES_LANES: bool = false;

    /// What the reader does with the next value.
    fn interest(&self) -> Interest {
        Interest::Parts
    }

    /// Whether all parts of a record are wanted, so that nobody need ask for each.
    fn wants_all(&self) -> bool {
        true
    }

    /// Whether part `index` of a record is wanted, if not all are. If not, its visitor's [`interest`](Visit::interest) is
    /// `Nothing`, and need not be asked for.
    fn wants(&self, index: usize) -> bool {
        let _ = index;
        true
    }

    /// A unit.
    fn unit(&mut self);

    /// A bool.
    fn bool(&mut self, value: bool);

    /// A byte of Molecule.
    fn byte(&mut self, value: u8);

    /// An integer.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn int(&mut self, value: i64) -> Result<(), Refusal>;

    /// A float of four bytes.
    fn float32(&mut self, value: f32);

    /// A float of eight bytes.
    fn float64(&mut self, value: f64);

    /// The bytes of a string, or of an array or fixvec of bytes.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Refusal>;

    /// The same where the bytes are known to be UTF-8, as a reader may find out on its way.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn text(&mut self, text: &str) -> Result<(), Refusal> {
        self.bytes(text.as_bytes())
    }

    /// A whole value that has been checked, of which the [bytes](Interest::Bytes) are wanted: `front`, then `bytes`.
    /// In biniou the tag is in front, which other bytes may lie after.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn encoded(&mut self, front: &[u8], bytes: &[u8]) -> Result<(), Refusal>;

    /// Who is answered of a part.
    fn part(&mut self, index: usize) -> &mut Self;

    /// All items of a list have been answered: so many.
    ///
    /// # Errors
    ///
    /// What cannot be taken is the error of the value.
    fn list(&mut self, count: usize) -> Result<(), Refusal>;

    /// All fields or cells that are there have been answered.
    fn record(&mut self);

    /// The same where each field or cell of the type has been answered, and once.
    fn whole_record(&mut self) {
        self.record();
    }

    /// An option without a value.
    fn none(&mut self);

    /// Who is answered of the value of an option.
    fn some(&mut self) -> &mut Self;

    /// The variant of a sum type or union. If it has a value, that is answered next.
    fn variant(&mut self, index: usize);

    /// Whether the values that this part has in several rows may be answered at once. Only where all parts of a record say
    /// so that are wanted, they are.
    fn takes_lane(&self, kind: LaneKind) -> bool {
        let _ = kind;
        false
    }

    /// The values of this part in the next rows, instead of a call for each.
    ///
    /// # Errors
    ///
    /// What cannot be taken: then the rows are answered one by one, so that it is the error of its value.
    fn lane(&mut self, lane: &Lane<'_>) -> Result<(), Refusal> {
        let _ = lane;
        Ok(())
    }

    /// So many rows have been answered by lanes, one for each field that is wanted.
    fn records(&mut self, count: usize) {
        for _ in 0..count {
            self.whole_record();
            self.row();
        }
    }

    /// A row of a file has been answered as a whole.
    fn row(&mut self) {}

    /// What has been answered since the last [row](Visit::row) does not count: it is answered again, or it is damaged.
    fn again(&mut self) {}
}

/// What a reader does with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// Tells what is in it.
    Parts,
    /// Checks it, and tells its bytes as they lie.
    Bytes,
    /// Steps over it. Checks no more of it than where it ends.
    Nothing,
}

/// Why a visitor does not take a value: the text of the error.
#[derive(Clone, Debug)]
pub struct Refusal(Box<(Box<str>, Option<&'static str>)>);

impl Refusal {
    /// A refusal for that reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Refusal(Box::new((reason.into().into_boxed_str(), None)))
    }

    /// Says what to do about it: that stands after the place.
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

/// What a visitor has said of the value at `offset`: a refusal is its error.
#[inline]
pub(crate) fn answered<K: From<CommonKind>>(
    answer: Result<(), Refusal>,
    offset: usize,
) -> Result<(), Error<K>> {
    answer.map_err(|refusal| refusal.at(offset))
}

/// Nobody is answered: values are checked and no more.
#[derive(Debug)]
pub(crate) struct Unheard;

impl Visit for Unheard {
    const LISTENS: bool = false;

    #[inline]
    fn unit(&mut self) {}

    #[inline]
    fn bool(&mut self, _: bool) {}

    #[inline]
    fn byte(&mut self, _: u8) {}

    #[inline]
    fn int(&mut self, _: i64) -> Result<(), Refusal> {
        Ok(())
    }

    #[inline]
    fn float32(&mut self, _: f32) {}

    #[inline]
    fn float64(&mut self, _: f64) {}

    #[inline]
    fn bytes(&mut self, _: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    #[inline]
    fn encoded(&mut self, _: &[u8], _: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    #[inline]
    fn part(&mut self, _: usize) -> &mut Self {
        self
    }

    #[inline]
    fn list(&mut self, _: usize) -> Result<(), Refusal> {
        Ok(())
    }

    #[inline]
    fn record(&mut self) {}

    #[inline]
    fn none(&mut self) {}

    #[inline]
    fn some(&mut self) -> &mut Self {
        self
    }

    #[inline]
    fn variant(&mut self, _: usize) {}
}
