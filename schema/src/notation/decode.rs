//! Decodes bytes into a tree.

use fourfold::{CommonKind, Segment};

use super::evaluate::{Folds, Scope, evaluate};
use super::syntax::{Count, Field, Schema, Sequence, Shape};
use super::tree::{Scalars, Struct, segment};
use super::{
    Builtin, Error, ErrorKind, Options, Result, Tree, Value, ZERO_BYTE_VALUES, most_empty_arrays,
};
use crate::depth::Depth;

/// Memory for up to so many items of an array is taken before they are read.
const MOST_RESERVED: usize = 1024;

pub(super) fn decode<'de>(
    options: &Options,
    schema: &Schema,
    bytes: &'de [u8],
) -> Result<Tree<'de>> {
    let mut decoder = Decoder {
        schema,
        bytes,
        rest: bytes,
        depth: Depth::new(options.max_depth),
        empty: 0,
        empty_arrays: 0,
        folds: Folds::default(),
    };
    let tree = decoder.sequence(&schema.root, None)?;
    let count = decoder.rest.len();
    if count > 0 && !options.allow_trailing {
        return Err(decoder.error(CommonKind::TrailingBytes { count }));
    }
    Ok(tree)
}

struct Decoder<'n, 'de> {
    schema: &'n Schema,
    bytes: &'de [u8],
    /// The end of `bytes` that is still unread.
    rest: &'de [u8],
    depth: Depth,
    /// Structures and items so far that took no bytes.
    empty: usize,
    /// Arrays so far that took no bytes.
    empty_arrays: usize,
    folds: Folds,
}

impl<'n, 'de> Decoder<'n, 'de> {
    fn sequence(
        &mut self,
        sequence: &'n Sequence,
        outer: Option<&Scope<'_, 'de>>,
    ) -> Result<Tree<'de>> {
        match (&*sequence.fields, sequence.alias) {
            ([field], true) => {
                let depth = self.depth;
                self.depth = depth.wrap().ok_or_else(|| self.error(depth.reached()))?;
                let tree = self.field(field, outer)?;
                self.depth = depth;
                Ok(tree)
            }
            _ => self.structure(sequence, outer),
        }
    }

    fn structure(
        &mut self,
        sequence: &'n Sequence,
        outer: Option<&Scope<'_, 'de>>,
    ) -> Result<Tree<'de>> {
        let depth = self.depth;
        self.depth = depth.enter().ok_or_else(|| self.error(depth.reached()))?;
        let start = self.offset();
        let names = &sequence.names;
        let mut values = Vec::with_capacity(sequence.fields.len().min(MOST_RESERVED));
        for (field, name) in sequence.fields.iter().zip(names.iter()) {
            let scope = Scope { names, values: &values, outer };
            let value = self.field(field, Some(&scope));
            values.push(value.map_err(|error| error.inside(segment(name)))?);
        }
        self.count_empty(start)?;
        self.depth = depth;
        Ok(self.tree(Value::Struct(Struct::new(names.clone(), values)), start))
    }

    fn field(&mut self, field: &'n Field, scope: Option<&Scope<'_, 'de>>) -> Result<Tree<'de>> {
        let start = self.offset();
        let count = match &field.count {
            None => return self.one(field.shape, scope),
            Some(Count::Fixed(count)) => *count,
            Some(Count::Computed(expression)) => evaluate(expression, scope, &mut self.folds)
                .map_err(|kind| Error::at(kind, start))?,
        };
        if count < 0 {
            return Err(Error::at(ErrorKind::NegativeCount { found: count }, start));
        }
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let tree = match field.shape {
            Shape::Builtin(builtin) => self.scalars(builtin, count),
            Shape::Type(id) => self.array(self.schema.get(id), count, scope),
        }?;
        if self.offset() == start {
            self.count_empty_array()?;
        }
        Ok(tree)
    }

    /// Or else each item of a long array could have as many as the text has fields.
    fn count_empty_array(&mut self) -> Result<()> {
        self.empty_arrays += 1;
        let limit = most_empty_arrays(self.bytes.len());
        match self.empty_arrays > limit {
            true => Err(self.error(ErrorKind::ZeroBytes { limit })),
            false => Ok(()),
        }
    }

    fn one(&mut self, shape: Shape, scope: Option<&Scope<'_, 'de>>) -> Result<Tree<'de>> {
        let start = self.offset();
        match shape {
            Shape::Builtin(builtin) => {
                let bytes = self.take(builtin.size())?;
                Ok(self.tree(builtin.read(bytes), start))
            }
            Shape::Type(id) => self.sequence(self.schema.get(id), scope),
        }
    }

    fn scalars(&mut self, builtin: Builtin, count: usize) -> Result<Tree<'de>> {
        let start = self.offset();
        let bytes = self.take(count.saturating_mul(builtin.size()))?;
        Ok(self.tree(Value::Scalars(Scalars::of(builtin, bytes.into())), start))
    }

    fn array(
        &mut self,
        items: &'n Sequence,
        count: usize,
        scope: Option<&Scope<'_, 'de>>,
    ) -> Result<Tree<'de>> {
        let depth = self.depth;
        self.depth = depth.enter().ok_or_else(|| self.error(depth.reached()))?;
        let start = self.offset();
        self.check(items, count)?;
        let mut values = Vec::with_capacity(count.min(MOST_RESERVED));
        for index in 0..count {
            let item = self.offset();
            let value = self.sequence(items, scope);
            let value = value.map_err(|error| error.inside(Segment::Index(index)))?;
            // Structures count themselves.
            if !matches!(value.value(), Value::Struct(_)) {
                self.count_empty(item).map_err(|error| error.inside(Segment::Index(index)))?;
            }
            values.push(value);
        }
        self.depth = depth;
        Ok(self.tree(Value::Array(values), start))
    }

    /// Refuses a count of items that the rest of the bytes cannot hold, before reading them.
    fn check(&self, items: &Sequence, count: usize) -> Result<()> {
        let left = self.rest.len();
        let at_least = usize::try_from(items.at_least).unwrap_or(usize::MAX);
        let needed = count.saturating_mul(at_least);
        if needed > left {
            return Err(self.error(CommonKind::UnexpectedEnd { needed, left }));
        }
        if count > left.saturating_add(ZERO_BYTE_VALUES) {
            return Err(self.error(ErrorKind::ZeroBytes { limit: ZERO_BYTE_VALUES }));
        }
        Ok(())
    }

    /// Counts what began at `start` if it has taken no bytes.
    fn count_empty(&mut self, start: usize) -> Result<()> {
        if self.offset() == start {
            self.empty += 1;
            if self.empty > ZERO_BYTE_VALUES {
                return Err(self.error(ErrorKind::ZeroBytes { limit: ZERO_BYTE_VALUES }));
            }
        }
        Ok(())
    }

    fn offset(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    fn take(&mut self, needed: usize) -> Result<&'de [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(needed) else {
            return Err(self.error(CommonKind::UnexpectedEnd { needed, left: self.rest.len() }));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn tree(&self, value: Value<'de>, start: usize) -> Tree<'de> {
        Tree::at(value, start..self.offset())
    }

    #[cold]
    fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        Error::at(kind, self.offset())
    }
}
