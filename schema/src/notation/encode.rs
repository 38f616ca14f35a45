//! Encodes a tree. Decoding returns the same tree.

use fourfold::Segment;

use super::evaluate::{Folds, Scope, evaluate};
use super::syntax::{Count, Field, Schema, Sequence, Shape};
use super::tree::segment;
use super::{
    Builtin, Error, ErrorKind, Options, Result, Tree, Value, ZERO_BYTE_VALUES, most_empty_arrays,
};
use crate::depth::Depth;

pub(super) fn encode(options: &Options, schema: &Schema, tree: &Tree<'_>) -> Result<Vec<u8>> {
    let mut encoder = Encoder {
        schema,
        bytes: Vec::new(),
        depth: Depth::new(options.max_depth),
        empty: 0,
        empty_arrays: 0,
        folds: Folds::default(),
    };
    encoder.sequence(&schema.root, tree, None)?;
    let limit = most_empty_arrays(encoder.bytes.len());
    if encoder.empty_arrays > limit {
        return Err(Error::placeless(ErrorKind::ZeroBytes { limit }));
    }
    Ok(encoder.bytes)
}

struct Encoder<'n> {
    schema: &'n Schema,
    bytes: Vec<u8>,
    depth: Depth,
    /// Structures and items so far that took no bytes.
    empty: usize,
    /// Arrays so far that took no bytes.
    empty_arrays: usize,
    folds: Folds,
}

impl<'n> Encoder<'n> {
    fn sequence<'de>(
        &mut self,
        sequence: &'n Sequence,
        tree: &Tree<'de>,
        outer: Option<&Scope<'_, 'de>>,
    ) -> Result<()> {
        match (&*sequence.fields, sequence.alias) {
            ([field], true) => {
                let depth = self.depth;
                self.depth = depth.wrap().ok_or_else(|| Error::placeless(depth.reached()))?;
                self.field(field, tree, outer)?;
                self.depth = depth;
                Ok(())
            }
            _ => self.structure(sequence, tree, outer),
        }
    }

    fn structure<'de>(
        &mut self,
        sequence: &'n Sequence,
        tree: &Tree<'de>,
        outer: Option<&Scope<'_, 'de>>,
    ) -> Result<()> {
        let Value::Struct(parts) = tree.value() else {
            return Err(mismatch("structure", tree));
        };
        let depth = self.depth;
        self.depth = depth.enter().ok_or_else(|| Error::placeless(depth.reached()))?;
        let start = self.bytes.len();
        let names = &*sequence.names;
        let (expected, found) = (names.len(), parts.values().len());
        if expected != found {
            return Err(Error::placeless(ErrorKind::FieldCount { expected, found }));
        }
        let given = parts.iter().zip(&sequence.fields).zip(names.iter());
        for (index, (((found, value), field), name)) in given.enumerate() {
            if found != &**name {
                let (expected, found) = (name.clone(), found.into());
                return Err(Error::placeless(ErrorKind::FieldName { expected, found }));
            }
            let known = parts.values().get(..index).unwrap_or_default();
            let scope = Scope { names, values: known, outer };
            self.field(field, value, Some(&scope)).map_err(|error| error.inside(segment(name)))?;
        }
        self.count_empty(start)?;
        self.depth = depth;
        Ok(())
    }

    fn field<'de>(
        &mut self,
        field: &'n Field,
        tree: &Tree<'de>,
        scope: Option<&Scope<'_, 'de>>,
    ) -> Result<()> {
        let count = match &field.count {
            None => return self.one(field.shape, tree, scope),
            Some(Count::Fixed(count)) => *count,
            Some(Count::Computed(expression)) => {
                evaluate(expression, scope, &mut self.folds).map_err(Error::placeless)?
            }
        };
        if count < 0 {
            return Err(Error::placeless(ErrorKind::NegativeCount { found: count }));
        }
        let start = self.bytes.len();
        match field.shape {
            Shape::Builtin(builtin) => self.scalars(builtin, count, tree),
            Shape::Type(id) => self.array(self.schema.get(id), count, tree, scope),
        }?;
        self.empty_arrays += usize::from(self.bytes.len() == start);
        Ok(())
    }

    fn one<'de>(
        &mut self,
        shape: Shape,
        tree: &Tree<'de>,
        scope: Option<&Scope<'_, 'de>>,
    ) -> Result<()> {
        match shape {
            Shape::Builtin(builtin) => {
                builtin.put(tree.value(), &mut self.bytes).map_err(Error::placeless)
            }
            Shape::Type(id) => self.sequence(self.schema.get(id), tree, scope),
        }
    }

    fn scalars(&mut self, builtin: Builtin, count: i64, tree: &Tree<'_>) -> Result<()> {
        match tree.value() {
            Value::Scalars(array) if array.builtin() == builtin => {
                check_len(count, array.len())?;
                self.bytes.extend_from_slice(array.bytes());
                Ok(())
            }
            _ => Err(mismatch(builtin.array_name(), tree)),
        }
    }

    fn array<'de>(
        &mut self,
        items: &'n Sequence,
        count: i64,
        tree: &Tree<'de>,
        scope: Option<&Scope<'_, 'de>>,
    ) -> Result<()> {
        let Value::Array(values) = tree.value() else {
            return Err(mismatch("array", tree));
        };
        let depth = self.depth;
        self.depth = depth.enter().ok_or_else(|| Error::placeless(depth.reached()))?;
        check_len(count, values.len())?;
        for (index, value) in values.iter().enumerate() {
            let start = self.bytes.len();
            let mut done = self.sequence(items, value, scope);
            // Structures count themselves.
            if done.is_ok() && !matches!(value.value(), Value::Struct(_)) {
                done = self.count_empty(start);
            }
            done.map_err(|error| error.inside(Segment::Index(index)))?;
        }
        self.depth = depth;
        Ok(())
    }

    /// What decoding would refuse is not written.
    fn count_empty(&mut self, start: usize) -> Result<()> {
        if self.bytes.len() == start {
            self.empty += 1;
            if self.empty > ZERO_BYTE_VALUES {
                return Err(Error::placeless(ErrorKind::ZeroBytes { limit: ZERO_BYTE_VALUES }));
            }
        }
        Ok(())
    }
}

fn check_len(expected: i64, found: usize) -> Result<()> {
    if usize::try_from(expected) == Ok(found) {
        return Ok(());
    }
    Err(Error::placeless(ErrorKind::ItemCount { expected, found }))
}

#[cold]
fn mismatch(expected: &'static str, tree: &Tree<'_>) -> Error {
    Error::placeless(ErrorKind::Mismatch { expected, found: tree.value().found() })
}
