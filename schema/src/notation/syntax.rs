//! A parsed text of the notation: its fields and their counts.

use std::sync::Arc;

use super::Builtin;

/// Names of the fields of a structure, in order; of one without a name, its position in digits.
pub(super) type Names = Arc<NameList>;

/// Names in order, which are found in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameList {
    names: Vec<Box<str>>,
    /// Positions in the alphabetical order of the names; of equal ones the first comes first.
    sorted: Vec<usize>,
}

impl NameList {
    /// Where a name is.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        let known = |position: &usize| self.names.get(*position).map_or("", |known| &**known);
        let at = self.sorted.partition_point(|position| known(position) < name);
        self.sorted.get(at).copied().filter(|position| known(position) == name)
    }
}

impl From<Vec<Box<str>>> for NameList {
    fn from(names: Vec<Box<str>>) -> Self {
        let mut sorted: Vec<(&str, usize)> = names.iter().map(|name| &**name).zip(0..).collect();
        sorted.sort_unstable();
        let sorted = sorted.into_iter().map(|(_, position)| position).collect();
        NameList { names, sorted }
    }
}

impl std::ops::Deref for NameList {
    type Target = [Box<str>];

    fn deref(&self) -> &[Box<str>] {
        &self.names
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
    /// How many bytes it takes at least.
    pub(super) at_least: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) shape: Shape,
    pub(super) count: Option<Count>,
}

/// What a field, or an item of it, is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Builtin(Builtin),
    /// A type by its number in [`Schema::types`].
    Type(usize),
}

/// How many items an array has.
#[derive(Clone, Debug)]
pub(super) enum Count {
    Fixed(i64),
    Computed(Expression),
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
    Chain(Box<Expression>, Vec<(Operator, Expression)>),
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

#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}
