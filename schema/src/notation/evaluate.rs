//! Evaluates expressions, given the fields decoded so far.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fourfold::tsm::DType;

use super::syntax::{Expression, Fold, NameList, Reference, Step};
use super::tree::{item, member};
use super::{Builtin, ErrorKind, Scalars, Tree};

/// The fields known so far of the structure at hand, then of those around it.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s, 'de> {
    pub(super) names: &'s NameList,
    /// As many as are known: the first of them.
    pub(super) values: &'s [Tree<'de>],
    pub(super) outer: Option<&'s Scope<'s, 'de>>,
}

impl<'s, 'de> Scope<'s, 'de> {
    fn find(&'s self, name: &str) -> Option<&'s Tree<'de>> {
        let mut scope = Some(self);
        while let Some(Scope { names, values, outer }) = scope {
            // The name of a field without one is its position, which no expression can use.
            let known = names.position(name).and_then(|position| values.get(position));
            if known.is_some() {
                return known;
            }
            scope = *outer;
        }
        None
    }
}

/// Results of `prod` and `sum` over long arrays. Every item of another array may need the same
/// one, so that the work would grow with the square of the input.
#[derive(Default)]
pub(super) struct Folds(BTreeMap<(usize, usize, Builtin, Fold), i64>);

/// Shorter arrays are folded faster than looked up.
const LONG: usize = 16;

impl Folds {
    fn fold(&mut self, fold: Fold, array: &Scalars<'_>) -> Result<i64, ErrorKind> {
        if array.len() < LONG {
            return run(fold, array);
        }
        // Two arrays with the same bytes at the same address have the same items.
        let key = (array.bytes().as_ptr().addr(), array.len(), array.builtin(), fold);
        if let Some(result) = self.0.get(&key) {
            return Ok(*result);
        }
        let result = run(fold, array)?;
        self.0.insert(key, result);
        Ok(result)
    }
}

fn run(fold: Fold, array: &Scalars<'_>) -> Result<i64, ErrorKind> {
    // Zero times any number, also if that overflows.
    let mut items = array.iter().filter_map(|item| match item {
        Tree::Int(int) => Some(int),
        _ => None,
    });
    let result = match fold {
        Fold::Prod if array.iter().any(|item| item == Tree::Int(0)) => Some(0),
        Fold::Prod => items.try_fold(1, i64::checked_mul),
        Fold::Sum => items.try_fold(0, i64::checked_add),
    };
    result.ok_or(ErrorKind::Overflow)
}

/// The value of an expression.
pub(super) fn evaluate(
    expression: &Expression,
    scope: Option<&Scope<'_, '_>>,
    folds: &mut Folds,
) -> Result<i64, ErrorKind> {
    match expression {
        Expression::Number(number) => Ok(*number),
        Expression::Negative(inner) => {
            evaluate(inner, scope, folds)?.checked_neg().ok_or(ErrorKind::Overflow)
        }
        Expression::TypeBytes(inner) => {
            let code = evaluate(inner, scope, folds)?;
            let dtype = u8::try_from(code).ok().and_then(DType::from_code);
            let size = dtype.and_then(|dtype| i64::try_from(dtype.size()).ok());
            size.ok_or(ErrorKind::DType { code })
        }
        Expression::Value(reference) => match &*find(reference, scope, folds)? {
            Tree::Int(int) => Ok(*int),
            other => Err(ErrorKind::NotInteger { found: other.kind() }),
        },
        Expression::Fold(fold, reference) => match &*find(reference, scope, folds)? {
            Tree::Scalars(array) if array.builtin().is_integer() => folds.fold(*fold, array),
            other => Err(ErrorKind::NotIntegers { found: other.kind() }),
        },
        Expression::Chain(first, more) => {
            let mut result = evaluate(first, scope, folds)?;
            for (sign, operand) in more {
                let operand = evaluate(operand, scope, folds)?;
                let next = match *sign {
                    "+" => result.checked_add(operand),
                    "-" => result.checked_sub(operand),
                    "*" => result.checked_mul(operand),
                    _ if operand == 0 => return Err(ErrorKind::DivisionByZero),
                    _ => result.checked_div(operand),
                };
                result = next.ok_or(ErrorKind::Overflow)?;
            }
            Ok(result)
        }
    }
}

/// What a reference refers to.
fn find<'s, 'de>(
    reference: &Reference,
    scope: Option<&'s Scope<'s, 'de>>,
    folds: &mut Folds,
) -> Result<Cow<'s, Tree<'de>>, ErrorKind> {
    let tree = scope.and_then(|scope| scope.find(&reference.name));
    let tree = tree.ok_or_else(|| ErrorKind::Unresolved { name: reference.name.clone() })?;
    let mut found = Cow::Borrowed(tree);
    for step in &reference.steps {
        found = match step {
            Step::Member(name) => member(&found, name)
                .ok_or_else(|| ErrorKind::NoMember { found: found.kind(), name: name.clone() })?,
            Step::Item(index) => {
                let index = evaluate(index, scope, folds)?;
                let item = usize::try_from(index).ok().and_then(|index| item(&found, index));
                let error = || ErrorKind::NoItem { found: found.kind(), len: found.len(), index };
                item.ok_or_else(error)?
            }
        };
    }
    Ok(found)
}
