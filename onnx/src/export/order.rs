//! The order in which nodes run.

use fourfold::tsm::Module;

use super::refused::refused_node;
use crate::refused::Refused;

/// The nodes that an output needs, each after its inputs.
pub(super) fn order(module: &Module<'_>) -> Result<Vec<u32>, Refused> {
    let nodes = &module.graph.nodes;
    let mut order = Vec::new();
    // 1 while the inputs of a node are visited, 2 after it.
    let mut states = vec![0_u8; nodes.len()];
    for &output in &module.outputs {
        let mut open = vec![(output, 0_usize)];
        while let Some((index, next)) = open.last_mut() {
            let index = *index;
            let (Some(node), Some(state)) = (module.graph.get(index), states.get_mut(at(index)))
            else {
                let reason = format!("there are {} nodes", nodes.len());
                return Err(Refused::one(format!("node {index}"), "", &reason));
            };
            let input = node.inputs.get(*next).copied();
            *next += 1;
            match input {
                _ if *state == 2 => drop(open.pop()),
                None => {
                    *state = 2;
                    order.push(index);
                    open.pop();
                }
                Some(input) => {
                    *state = 1;
                    match states.get(at(input)) {
                        Some(1) => {
                            let reason = "it is in a cycle";
                            let nodes = vec![refused_node(module, index, reason)];
                            return Err(Refused::all(nodes));
                        }
                        Some(2) => {}
                        _ => open.push((input, 0)),
                    }
                }
            }
        }
    }
    Ok(order)
}

fn at(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
