//! Checks that need all types: that each one is finite, and its minimal size.

use super::syntax::{Count, Field, Schema, Sequence, Shape};
use super::{Builtin, Error, ErrorKind, Result};

/// A type on its way: declared, only named so far, or written in place.
#[derive(Debug)]
pub(super) struct Draft<'t> {
    pub(super) name: Option<&'t str>,
    /// Where it is declared or, before that, first named.
    pub(super) offset: usize,
    pub(super) sequence: Option<Sequence>,
}

/// Makes a schema of types that are all declared, none of which holds itself for ever.
pub(super) fn resolve(drafts: Vec<Draft<'_>>, mut root: Sequence) -> Result<Schema> {
    let mut types = Vec::with_capacity(drafts.len());
    let mut declarations = Vec::with_capacity(drafts.len());
    for draft in drafts {
        declarations.push((draft.name, draft.offset));
        match draft.sequence {
            Some(sequence) => types.push(sequence),
            None => {
                let name = draft.name.unwrap_or_default().into();
                return Err(Error::at(ErrorKind::UnknownType { name }, draft.offset));
            }
        }
    }

    let (finite, order) = walk(&types);
    for ((name, offset), finite) in declarations.iter().zip(finite) {
        if let (Some(name), false) = (name, finite) {
            return Err(Error::at(ErrorKind::Endless { name: Box::from(*name) }, *offset));
        }
    }

    // In this order whatever a type surely holds comes before it.
    let mut facts = vec![Facts { at_least: 0, builtin: None }; types.len()];
    for id in order {
        if let (Some(sequence), true) = (types.get(id), id < facts.len()) {
            let found = Facts::of(sequence, &facts);
            if let Some(place) = facts.get_mut(id) {
                *place = found;
            }
        }
    }
    root.at_least = Facts::of(&root, &facts).at_least;
    for (sequence, fact) in types.iter_mut().zip(&facts) {
        sequence.at_least = fact.at_least;
    }
    for sequence in types.iter_mut().chain([&mut root]) {
        for field in &mut sequence.fields {
            field.shape = through_aliases(field.shape, &facts);
        }
    }
    Ok(Schema { types, root })
}

/// The types that a field is sure to hold at least once.
fn surely_holds(field: &Field) -> Option<usize> {
    match (field.shape, &field.count) {
        (Shape::Type(id), None) => Some(id),
        (Shape::Type(id), Some(Count::Fixed(count))) if *count > 0 => Some(id),
        _ => None,
    }
}

/// Which types end, and an order in which each comes after those it surely holds. Without
/// recursion: a text may chain as many types as it likes.
fn walk(types: &[Sequence]) -> (Vec<bool>, Vec<usize>) {
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut waiting: Vec<usize> = Vec::with_capacity(types.len());
    for (id, sequence) in types.iter().enumerate() {
        let held: Vec<usize> = sequence.fields.iter().filter_map(surely_holds).collect();
        waiting.push(held.len());
        for inner in held {
            if let Some(holders) = holders.get_mut(inner) {
                holders.push(id);
            }
        }
    }

    let mut order: Vec<usize> =
        waiting.iter().enumerate().filter(|(_, held)| **held == 0).map(|(id, _)| id).collect();
    let mut finite = vec![false; types.len()];
    let mut next = 0;
    while let Some(id) = order.get(next).copied() {
        next += 1;
        if let Some(finite) = finite.get_mut(id) {
            *finite = true;
        }
        for holder in holders.get(id).into_iter().flatten() {
            if let Some(held) = waiting.get_mut(*holder) {
                *held -= 1;
                if *held == 0 {
                    order.push(*holder);
                }
            }
        }
    }
    (finite, order)
}

/// What follows from a type alone.
#[derive(Clone, Copy)]
struct Facts {
    at_least: u64,
    /// The built-in type that it is another name of.
    builtin: Option<Builtin>,
}

impl Facts {
    fn of(sequence: &Sequence, facts: &[Facts]) -> Facts {
        let at_least = sequence.fields.iter().map(|field| {
            let count = match field.count {
                None => 1,
                Some(Count::Fixed(count)) => u64::try_from(count).unwrap_or(0),
                Some(Count::Computed(_)) => return 0,
            };
            let one = match field.shape {
                Shape::Builtin(builtin) => u64::try_from(builtin.size()).unwrap_or(u64::MAX),
                Shape::Type(id) => facts.get(id).map_or(0, |fact| fact.at_least),
            };
            one.saturating_mul(count)
        });
        let builtin = match &*sequence.fields {
            [Field { shape, count: None }] if sequence.alias => {
                match through_aliases(*shape, facts) {
                    Shape::Builtin(builtin) => Some(builtin),
                    Shape::Type(_) => None,
                }
            }
            _ => None,
        };
        Facts { at_least: at_least.fold(0, u64::saturating_add), builtin }
    }
}

/// A built-in type in place of other names of it: arrays of it are then compact.
fn through_aliases(shape: Shape, facts: &[Facts]) -> Shape {
    match shape {
        Shape::Type(id) => match facts.get(id).and_then(|fact| fact.builtin) {
            Some(builtin) => Shape::Builtin(builtin),
            None => shape,
        },
        Shape::Builtin(_) => shape,
    }
}
