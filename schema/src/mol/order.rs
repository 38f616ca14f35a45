//! An order of types in which each comes after its parts. Without recursion, since schemas may be as deep as they are long.

use super::shape::Layout;
use crate::common::{TypeId, Types};

/// The types in such an order, or some that are part of each other, each inside of the one in front of it.
pub(super) fn parts_first(types: &Types<Layout>) -> Result<Vec<TypeId>, Vec<TypeId>> {
    let mut order = Vec::with_capacity(types.len());
    let mut seen = vec![Seen::Not; types.len()];
    for root in types.declared() {
        // Types that are open, each with those of its parts that are left.
        let mut open: Vec<(TypeId, Vec<TypeId>)> = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(id) = next.take() {
                match seen.get_mut(id.0) {
                    Some(seen @ Seen::Not) => {
                        *seen = Seen::Open;
                        open.push((id, types.get(id).shape.body.parts().collect()));
                    }
                    Some(Seen::Open) => {
                        let circle = open.iter().map(|(open, _)| *open);
                        return Err(circle.skip_while(|open| *open != id).collect());
                    }
                    Some(Seen::Whole) | None => {}
                }
            }
            let Some((id, parts)) = open.last_mut() else { break };
            next = parts.pop();
            if next.is_none() {
                order.push(*id);
                if let Some(seen) = seen.get_mut(id.0) {
                    *seen = Seen::Whole;
                }
                open.pop();
            }
        }
    }
    Ok(order)
}

#[derive(Clone, Copy)]
enum Seen {
    Not,
    Open,
    Whole,
}
