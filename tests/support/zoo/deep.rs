//! Deeply nested values of the zoo.

use std::collections::BTreeMap;

use super::{Chain, Directory, Expression, List, Nest, SkipsIf, Tree};

/// A linked list of `levels` items before the last.
pub(crate) fn list(levels: usize) -> List {
    let end = List { head: 0, tail: None };
    (0..levels).fold(end, |list, _| List { head: 1, tail: Some(Box::new(list)) })
}

/// A tree whose second child continues.
pub(crate) fn tree(levels: usize) -> Tree {
    let leaf = |name: &str| Tree { name: name.into(), children: vec![] };
    (0..levels).fold(leaf("leaf"), |tree, _| Tree {
        name: "node".into(),
        children: vec![leaf("left"), tree, leaf("right")],
    })
}

/// Sequences in sequences.
pub(crate) fn nest(levels: usize) -> Nest {
    (0..levels).fold(Nest(vec![]), |nest, _| Nest(vec![nest]))
}

/// Maps in maps.
pub(crate) fn directory(levels: usize) -> Directory {
    let empty = Directory { files: BTreeMap::new() };
    (0..levels).fold(empty, |inner, _| Directory { files: BTreeMap::from([("a".into(), inner)]) })
}

/// Newtypes of options.
pub(crate) fn chain(levels: usize) -> Chain {
    (0..levels).fold(Chain(None), |inner, _| Chain(Some(Box::new(inner))))
}

/// Boxed variants.
pub(crate) fn negatives(levels: usize) -> Expression {
    (0..levels).fold(Expression::Number(1), |inner, _| Expression::Negative(Box::new(inner)))
}

/// Variants of two elements; the second one continues.
pub(crate) fn sums(levels: usize) -> Expression {
    (0..levels).fold(Expression::Number(1), |inner, _| {
        Expression::Sum(Box::new(Expression::Number(2)), Box::new(inner))
    })
}

/// Variants with a sequence.
pub(crate) fn calls(levels: usize) -> Expression {
    (0..levels).fold(Expression::Number(1), |inner, _| Expression::Call {
        name: "f".into(),
        args: vec![inner],
    })
}

/// Structs whose last field continues, and whose others may be skipped.
pub(crate) fn skipping(levels: usize) -> SkipsIf {
    let end = SkipsIf { a: None, b: 0, c: vec![], d: String::new(), e: 7, f: None };
    (0..levels).fold(end.clone(), |inner, _| SkipsIf { f: Some(Box::new(inner)), ..end.clone() })
}
