//! Arrays and vectors with their headers.

use core::fmt;

use fourfold::molecule::wire::{self, NUMBER_SIZE, number_bytes};
use serde_core::de::{Deserializer, Error, SeqAccess, Visitor};

use super::{Making, check_size};
use crate::depth::{DEFAULT_MAX_DEPTH, Depth};
use crate::mol::{Shape, Type};

/// Makes a dynvec or fixvec of which not all items are at hand at once.
///
/// Its size or count, and the offsets of items, come first, so the bytes of all items are kept until there are no
/// more.
///
/// ```
/// use fourfold_schema::mol::Schema;
/// use fourfold_schema::mol::ListMaker;
///
/// let schema = Schema::parse("struct Point { x: byte, y: byte, } vector Points <Point>;").unwrap();
/// let mut points = ListMaker::new(schema.get("Points").unwrap()).unwrap();
/// for json in [r#"[{"x": 1, "y": 2}]"#, r#"[{"x": 3, "y": 4}]"#] {
///     points.append(&mut serde_json::Deserializer::from_str(json))?;
/// }
/// assert_eq!([points.head(), points.body().to_vec()], [vec![2, 0, 0, 0], vec![1, 2, 3, 4]]);
///
/// // Nothing is kept of items among which one is refused.
/// let json = r#"[{"x": 5, "y": 6}, {"x": 7}]"#;
/// points.append(&mut serde_json::Deserializer::from_str(json)).unwrap_err();
/// assert_eq!(points.count(), 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ListMaker<'s> {
    item: Type<'s>,
    /// Where each item of a dynvec begins.
    offsets: Option<Vec<usize>>,
    count: usize,
    body: Vec<u8>,
}

impl<'s> ListMaker<'s> {
    /// Makes a value of that type. `None` if it is no dynvec or fixvec.
    #[must_use]
    pub fn new(vector: Type<'s>) -> Option<Self> {
        let (item, offsets) = match vector.shape() {
            Shape::FixVec(item) => (item, None),
            Shape::DynVec(item) => (item, Some(Vec::new())),
            _ => return None,
        };
        Some(ListMaker { item, offsets, count: 0, body: Vec::new() })
    }

    /// Appends the items that a list has, all of them or none. See [`Type::make`] for the form of each.
    ///
    /// # Errors
    ///
    /// Those of [`Schema::make`](crate::mol::Schema::make).
    pub fn append<'de, D: Deserializer<'de>>(&mut self, list: D) -> Result<(), D::Error> {
        let start = self.body.len();
        match self.try_append(list) {
            Ok(count) => self.count = count,
            Err(error) => {
                self.body.truncate(start);
                if let Some(offsets) = &mut self.offsets {
                    offsets.truncate(self.count);
                }
                return Err(error);
            }
        }
        Ok(())
    }

    fn try_append<'de, D: Deserializer<'de>>(&mut self, list: D) -> Result<usize, D::Error> {
        let ListMaker { item, offsets, count, body } = self;
        // The vector is a level of its own.
        let whole = Depth::new(DEFAULT_MAX_DEPTH);
        let depth = whole.enter().unwrap_or(whole);
        let items = Items { ty: *item, start: 0, offsets: offsets.as_mut(), depth, out: body };
        let count = count.saturating_add(list.deserialize_seq(items)?);
        let head = match offsets {
            Some(_) => wire::header_size(count),
            None => NUMBER_SIZE,
        };
        check_size(count)?;
        check_size(head.saturating_add(self.body.len()))?;
        Ok(count)
    }

    /// How many items there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// What is before so many items.
    #[must_use]
    pub fn head(&self) -> Vec<u8> {
        match &self.offsets {
            Some(offsets) => header(self.body.len(), offsets),
            None => number_bytes(self.count).into(),
        }
    }

    /// The bytes of all items.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// Items that are appended to `out`. Returns how many there are.
struct Items<'s, 'o> {
    ty: Type<'s>,
    /// Where the first one is.
    start: usize,
    /// Where each begins after that, if it matters.
    offsets: Option<&'o mut Vec<usize>>,
    depth: Depth,
    out: &'o mut Vec<u8>,
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
        let Items { ty, start, mut offsets, depth, out } = self;
        let mut count = 0usize;
        let mut at = out.len();
        while items.next_element_seed(Making { ty, depth, out })?.is_some() {
            count += 1;
            if let Some(offsets) = &mut offsets {
                offsets.push(at - start);
            }
            at = out.len();
        }
        Ok(count)
    }
}

/// Appends an array, fixvec or dynvec.
pub(super) fn take_list<'de, A: SeqAccess<'de>>(
    shape: Shape<'_>,
    depth: Depth,
    out: &mut Vec<u8>,
    items: A,
) -> Result<(), A::Error> {
    let start = out.len();
    let mut offsets = Vec::new();
    let (ty, keeps) = match shape {
        Shape::FixVec(item) | Shape::Array(item, _) => (item, None),
        Shape::DynVec(item) => (item, Some(&mut offsets)),
        // No other shape is a list.
        _ => return Ok(()),
    };
    let count = Items { ty, start, offsets: keeps, depth, out: &mut *out }.visit_seq(items)?;
    let size = out.len() - start;
    match shape {
        Shape::Array(_, wanted) if count != wanted => {
            Err(A::Error::invalid_length(count, &&*format!("a list of {wanted}")))
        }
        Shape::FixVec(_) => {
            check_size(size.saturating_add(NUMBER_SIZE))?;
            out.splice(start..start, number_bytes(count));
            Ok(())
        }
        Shape::DynVec(_) => insert_header(out, start, &offsets),
        _ => check_size(size),
    }
}

/// Puts the header of a table or dynvec before parts, which begin at `start` and, each, so far after it.
pub(super) fn insert_header<E: Error>(
    out: &mut Vec<u8>,
    start: usize,
    parts: &[usize],
) -> Result<(), E> {
    let size = out.len() - start;
    check_size(wire::header_size(parts.len()).saturating_add(size))?;
    out.splice(start..start, header(size, parts));
    Ok(())
}

/// The header before parts of so many bytes, each of which begins so far after it.
fn header(size: usize, parts: &[usize]) -> Vec<u8> {
    let own = wire::header_size(parts.len());
    let mut header = Vec::with_capacity(own);
    header.extend(number_bytes(own.saturating_add(size)));
    header.extend(parts.iter().flat_map(|part| number_bytes(own + part)));
    header
}
