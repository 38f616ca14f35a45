//! A parsed text of the notation: its fields and their counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Builtin;

/// Names of the fields of a structure, in order; of one without a name, its position in digits.
pub(super) type Names = Arc<NameList>;

/// Names in order, and their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameList {
    pub(super) list: Vec<Box<str>>,
    positions: BTreeMap<Box<str>, usize>,
}

impl NameList {
    pub(super) fn new(list: Vec<Box<str>>) -> Names {
        let positions = list.iter().cloned().zip(0..list.len()).rev().collect();
        Arc::new(NameList { list, positions })
    }

    /// The position of a name: of equal ones, of the first.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }
}

/// All types of a text, and the one that describes the whole input.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) types: Vec<Sequence>,
    pub(super) root: Sequence,
}

impl Schema {
    /// A type. The parser gives out no other numbers than those of types.
    pub(super) fn get(&self, id: usize) -> &Sequence {
        self.types.get(id).unwrap_or(&self.root)
    }
}

/// Fields one after another.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub(super) names: Names,
    pub(super) fields: Vec<Field>,
    /// One field without a name: no structure, but that field under another name.
    pub(super) alias: bool,
    /// The smallest number of bytes that it takes.
    pub(super) min_size: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) shape: Shape,
    /// How many items an array has.
    pub(super) count: Option<Expression>,
}

/// What a field, or an item of it, is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Builtin(Builtin),
    /// A type by its number in [`Schema::types`].
    Type(usize),
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(i64),
    Value(Reference),
    Fold(Fold, Reference),
    TypeBytes(Box<Expression>),
    Negative(Box<Expression>),
    /// Operators of one rank, from left to right. Not a tree of pairs, which a long text would
    /// make as deep as it is long.
    Chain(Box<Expression>, Vec<(&'static str, Expression)>),
}

impl Expression {
    /// Whether it is the same for all inputs.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Expression::Number(_) => true,
            Expression::Value(_) | Expression::Fold(..) => false,
            Expression::TypeBytes(inner) | Expression::Negative(inner) => inner.is_constant(),
            Expression::Chain(first, more) => {
                first.is_constant() && more.iter().all(|(_, operand)| operand.is_constant())
            }
        }
    }
}

/// The value of a field: `$a.b[0]`.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) name: Box<str>,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Member(Box<str>),
    Item(Expression),
}

/// A function of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fold {
    Prod,
    Sum,
}
