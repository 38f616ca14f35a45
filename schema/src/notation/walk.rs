//! Decodes bytes into a tree, and encodes a tree: one walk through the schema, which takes each value from the bytes or
//! from a tree that is given.

use fourfold::{CommonKind, Segment};

use super::evaluate::{Folds, Scope, evaluate};
use super::syntax::{Field, Schema, Sequence, Shape};
use super::{Builtin, Error, ErrorKind, Options, Result, Scalars, Struct, Tree};
use crate::depth::Depth;

/// How many structures and items of zero bytes there may be in one input.
const ZERO_BYTE_VALUES: usize = 4096;

/// How many arrays of zero bytes there may be besides for each byte of the input: several may have the
/// same count, which takes a few.
const ZERO_BYTE_ARRAYS: usize = 16;

/// Memory is reserved for at most so many items of an array before they are read. Arrays nest, and each may claim all
/// bytes that are left.
const MOST_ITEMS_RESERVED: usize = 16;

/// The same for fields, whose number is in the text.
const MOST_FIELDS_RESERVED: usize = 1024;

pub(super) fn decode<'de>(
    options: &Options,
    schema: &Schema,
    bytes: &'de [u8],
) -> Result<Tree<'de>> {
    let mut walk = Walk::new(options, schema, bytes);
    let tree = walk.sequence(&schema.root, None, None)?;
    match walk.rest.len() {
        count if count > 0 && !options.allow_trailing => {
            Err(walk.error(CommonKind::TrailingBytes { count }))
        }
        _ => Ok(tree),
    }
}

pub(super) fn encode(options: &Options, schema: &Schema, tree: &Tree<'_>) -> Result<Vec<u8>> {
    let mut walk = Walk::new(options, schema, &[]);
    walk.is_encoding = true;
    walk.sequence(&schema.root, Some(tree), None)?;
    walk.check_empty_arrays(walk.out.len())?;
    Ok(walk.out)
}

/// The fields known before one.
type Outer<'s, 'de> = Option<&'s Scope<'s, 'de>>;

/// The value that is encoded: none in decoding.
type Given<'de> = Option<&'de Tree<'de>>;

struct Walk<'n, 'de> {
    schema: &'n Schema,
    bytes: &'de [u8],
    /// The end of `bytes` that is still unread.
    rest: &'de [u8],
    is_encoding: bool,
    out: Vec<u8>,
    depth: Depth,
    /// Structures and items so far that took no bytes.
    empty: usize,
    /// Arrays so far that took no bytes.
    empty_arrays: usize,
    folds: Folds,
}

impl<'n, 'de> Walk<'n, 'de> {
    fn new(options: &Options, schema: &'n Schema, bytes: &'de [u8]) -> Self {
        Walk {
            schema,
            bytes,
            rest: bytes,
            is_encoding: false,
            out: Vec::new(),
            depth: Depth::new(options.max_depth),
            empty: 0,
            empty_arrays: 0,
            folds: Folds::default(),
        }
    }

    fn sequence(
        &mut self,
        sequence: &'n Sequence,
        given: Given<'de>,
        outer: Outer<'_, 'de>,
    ) -> Result<Tree<'de>> {
        let depth = self.depth;
        let tree = match (&*sequence.fields, sequence.alias) {
            ([field], true) => {
                self.depth = depth.wrap().ok_or_else(|| self.error(depth.reached()))?;
                self.field(field, given, outer)
            }
            _ => {
                self.depth = depth.enter().ok_or_else(|| self.error(depth.reached()))?;
                self.structure(sequence, given, outer)
            }
        };
        self.depth = depth;
        tree
    }

    fn structure(
        &mut self,
        sequence: &'n Sequence,
        given: Given<'de>,
        outer: Outer<'_, 'de>,
    ) -> Result<Tree<'de>> {
        let start = self.offset();
        let names = &sequence.names;
        let given = match given {
            Some(Tree::Struct(given)) => {
                let (expected, found) = (names.list.len(), given.values.len());
                if expected != found {
                    return Err(self.error(ErrorKind::FieldCount { expected, found }));
                }
                let mut pairs = names.list.iter().zip(&given.names.list);
                if let Some((expected, found)) = pairs.find(|(expected, found)| expected != found) {
                    let (expected, found) = (expected.clone(), found.clone());
                    return Err(self.error(ErrorKind::FieldName { expected, found }));
                }
                Some(&given.values)
            }
            Some(tree) => return Err(self.error(ErrorKind::mismatch("structure", tree))),
            None => None,
        };
        let mut values = Vec::with_capacity(sequence.fields.len().min(MOST_FIELDS_RESERVED));
        for (index, (field, name)) in sequence.fields.iter().zip(&names.list).enumerate() {
            let scope = Scope { names, values: &values, outer };
            let value = self.field(field, given.and_then(|given| given.get(index)), Some(&scope));
            values.push(value.map_err(|error| error.inside(segment(name)))?);
        }
        self.count_empty(start)?;
        Ok(Tree::Struct(Struct { names: names.clone(), values }))
    }

    fn field(
        &mut self,
        field: &'n Field,
        given: Given<'de>,
        scope: Outer<'_, 'de>,
    ) -> Result<Tree<'de>> {
        let Some(count) = &field.count else {
            return match field.shape {
                Shape::Builtin(builtin) => self.scalar(builtin, given),
                Shape::Type(id) => self.sequence(self.schema.get(id), given, scope),
            };
        };
        let count = evaluate(count, scope, &mut self.folds).map_err(|kind| self.error(kind))?;
        if count < 0 {
            return Err(self.error(ErrorKind::NegativeCount { found: count }));
        }
        let start = self.offset();
        let tree = match field.shape {
            Shape::Builtin(builtin) => self.scalars(builtin, count, given),
            Shape::Type(id) => self.array(self.schema.get(id), count, given, scope),
        }?;
        if self.offset() == start {
            self.empty_arrays += 1;
            // Or else each item of a long array could have as many as the text has fields.
            if !self.is_encoding {
                self.check_empty_arrays(self.bytes.len())?;
            }
        }
        Ok(tree)
    }

    fn scalar(&mut self, builtin: Builtin, given: Given<'de>) -> Result<Tree<'de>> {
        match given {
            None => Ok(builtin.read(self.take(builtin.size())?)),
            Some(tree) => {
                builtin.put(tree, &mut self.out).map_err(Error::placeless)?;
                Ok(tree.clone())
            }
        }
    }

    fn scalars(&mut self, builtin: Builtin, count: i64, given: Given<'de>) -> Result<Tree<'de>> {
        let bytes = match given {
            None => self.take(length(count).saturating_mul(builtin.size()))?,
            Some(Tree::Scalars(array)) if array.builtin() == builtin => {
                self.check_count(count, array.len())?;
                self.out.extend_from_slice(array.bytes());
                array.bytes()
            }
            Some(tree) => {
                return Err(self.error(ErrorKind::mismatch(builtin.array_name(), tree)));
            }
        };
        Ok(Tree::Scalars(Scalars::of(builtin, bytes)))
    }

    fn array(
        &mut self,
        items: &'n Sequence,
        count: i64,
        given: Given<'de>,
        scope: Outer<'_, 'de>,
    ) -> Result<Tree<'de>> {
        let given = match given {
            Some(Tree::Array(given)) => Some(given),
            Some(tree) => return Err(self.error(ErrorKind::mismatch("array", tree))),
            None => None,
        };
        let depth = self.depth;
        self.depth = depth.enter().ok_or_else(|| self.error(depth.reached()))?;
        match given {
            Some(given) => self.check_count(count, given.len())?,
            None => self.check_left(length(count), items.min_size)?,
        }
        let count = length(count);
        let mut values = Vec::with_capacity(count.min(MOST_ITEMS_RESERVED));
        for index in 0..count {
            let start = self.offset();
            let mut item = self.sequence(items, given.and_then(|given| given.get(index)), scope);
            // Structures count themselves.
            if !matches!(item, Ok(Tree::Struct(_)) | Err(_)) {
                item = self.count_empty(start).and(item);
            }
            values.push(item.map_err(|error| error.inside(Segment::Index(index)))?);
        }
        self.depth = depth;
        Ok(Tree::Array(values))
    }

    fn check_count(&self, expected: i64, found: usize) -> Result<()> {
        if usize::try_from(expected) == Ok(found) {
            return Ok(());
        }
        Err(self.error(ErrorKind::ItemCount { expected, found }))
    }

    /// Refuses a count of items that are more than the bytes that are left, before reading them.
    fn check_left(&self, count: usize, min_size: usize) -> Result<()> {
        let left = self.rest.len();
        let needed = count.saturating_mul(min_size);
        if needed > left {
            return Err(self.error(CommonKind::UnexpectedEnd { needed, left }));
        }
        match count > left.saturating_add(ZERO_BYTE_VALUES) {
            true => Err(self.error(ErrorKind::ZeroBytes { limit: ZERO_BYTE_VALUES })),
            false => Ok(()),
        }
    }

    /// Counts what began at `start` if it has taken no bytes.
    fn count_empty(&mut self, start: usize) -> Result<()> {
        self.empty += usize::from(self.offset() == start);
        match self.empty > ZERO_BYTE_VALUES {
            true => Err(self.error(ErrorKind::ZeroBytes { limit: ZERO_BYTE_VALUES })),
            false => Ok(()),
        }
    }

    /// Limits the arrays of zero bytes for an input of `len` bytes.
    fn check_empty_arrays(&self, len: usize) -> Result<()> {
        let limit = ZERO_BYTE_VALUES.saturating_add(len.saturating_mul(ZERO_BYTE_ARRAYS));
        match self.empty_arrays > limit {
            true => Err(self.error(ErrorKind::ZeroBytes { limit })),
            false => Ok(()),
        }
    }

    /// How many bytes have been read or written.
    fn offset(&self) -> usize {
        self.bytes.len() - self.rest.len() + self.out.len()
    }

    fn take(&mut self, needed: usize) -> Result<&'de [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(needed) else {
            return Err(self.error(CommonKind::UnexpectedEnd { needed, left: self.rest.len() }));
        };
        self.rest = rest;
        Ok(taken)
    }

    #[cold]
    fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        match self.is_encoding {
            true => Error::placeless(kind),
            false => Error::at(kind, self.offset()),
        }
    }
}

/// A count that is not negative.
fn length(count: i64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A step of an error's path into a field.
fn segment(name: &str) -> Segment {
    name.parse().map_or_else(|_| Segment::named(name), Segment::Slot)
}
