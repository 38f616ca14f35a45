//! An order of types in which each comes after its parts.

use super::shape::Layout;
use crate::common::{self, TypeId, Types};

/// The types in such an order, or some that are part of each other, each inside of the one before it.
pub(super) fn parts_first(types: &Types<Layout>) -> Result<Vec<TypeId>, Vec<TypeId>> {
    let starts = types.declared().map(|id| id.0);
    let parts = |id| {
        let parts = types.get(TypeId(id)).shape.body.parts().into_iter();
        parts.map(|part| part.0).collect()
    };
    let circle = |open: &[usize], id: usize| {
        let circle = open.iter().copied().skip_while(|open| *open != id);
        Err(circle.map(TypeId).collect::<Vec<_>>())
    };
    let order = common::parts_first(types.len(), starts, parts, circle)?;
    Ok(order.into_iter().map(TypeId).collect())
}
