//! What follows from all types of a text: the smallest size of each, other names of built-in types, and types that
//! never end.

use super::Builtin;
use super::syntax::{Expression, Field, Schema, Sequence, Shape};

/// What follows from a type.
#[derive(Clone, Copy, Default)]
struct Facts {
    min_size: usize,
    /// The built-in type that it is another name of.
    builtin: Option<Builtin>,
}

/// Sets the smallest sizes, and built-in types in place of other names of them, so that arrays of them are compact.
/// Returns the types that never end.
///
/// Each type is visited after those that it needs. This is no recursion, since a text may have any number of types.
pub(super) fn resolve(schema: &mut Schema) -> Vec<usize> {
    let types = &schema.types;
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut missing: Vec<usize> = vec![0; types.len()];
    for ((id, sequence), missing) in types.iter().enumerate().zip(&mut missing) {
        for needed in sequence.fields.iter().filter_map(needed) {
            *missing += 1;
            if let Some(users) = users.get_mut(needed) {
                users.push(id);
            }
        }
    }

    let mut facts: Vec<Option<Facts>> = vec![None; types.len()];
    let is_ready = |id: &usize| missing.get(*id) == Some(&0);
    let mut ready: Vec<usize> = (0..types.len()).filter(is_ready).collect();
    while let Some(id) = ready.pop() {
        let found = types.get(id).map(|sequence| of_sequence(sequence, &facts));
        if let Some(place) = facts.get_mut(id) {
            *place = found;
        }
        for user in users.get(id).into_iter().flatten() {
            if let Some(missing) = missing.get_mut(*user) {
                *missing -= 1;
                ready.extend((*missing == 0).then_some(*user));
            }
        }
    }

    for sequence in schema.types.iter_mut().chain([&mut schema.root]) {
        sequence.min_size = of_sequence(sequence, &facts).min_size;
        for field in &mut sequence.fields {
            let builtin = of_shape(field.shape, &facts).builtin;
            field.shape = builtin.map_or(field.shape, Shape::Builtin);
        }
    }
    facts.iter().enumerate().filter(|(_, facts)| facts.is_none()).map(|(id, _)| id).collect()
}

/// The type that a field contains in any input: all but those in arrays whose count can be 0.
fn needed(field: &Field) -> Option<usize> {
    match (field.shape, &field.count) {
        (Shape::Type(id), None) => Some(id),
        (Shape::Type(id), Some(Expression::Number(count))) if *count > 0 => Some(id),
        _ => None,
    }
}

fn of_sequence(sequence: &Sequence, facts: &[Option<Facts>]) -> Facts {
    let sizes = sequence.fields.iter().map(|field| {
        let count = match field.count {
            None => 1,
            Some(Expression::Number(count)) => usize::try_from(count).unwrap_or(usize::MAX),
            Some(_) => 0,
        };
        of_shape(field.shape, facts).min_size.saturating_mul(count)
    });
    let min_size = sizes.fold(0, usize::saturating_add);
    let builtin = match &*sequence.fields {
        [Field { shape, count: None }] if sequence.alias => of_shape(*shape, facts).builtin,
        _ => None,
    };
    Facts { min_size, builtin }
}

fn of_shape(shape: Shape, facts: &[Option<Facts>]) -> Facts {
    match shape {
        Shape::Builtin(builtin) => Facts { min_size: builtin.size(), builtin: Some(builtin) },
        Shape::Type(id) => facts.get(id).copied().flatten().unwrap_or_default(),
    }
}
