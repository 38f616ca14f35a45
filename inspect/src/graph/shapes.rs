//! Shapes and multiply-adds of the boxes of a module.

use fourfold::tsm::Module;
use fourfold_tennis::{Error, Input, Output, Shapes};

use super::picture::{MOST_COLUMNS, Picture};
use crate::write::width::ends;

/// Adds what is known if the inputs have these shapes, or those that the module states.
///
/// # Errors
///
/// If TenniS would refuse a node, whose box then has the reason, or there is no such input.
pub(super) fn add(
    picture: &mut Picture,
    module: &Module<'_>,
    inputs: &[Input],
) -> Result<(), Error> {
    let shapes = Shapes::infer(module, inputs).inspect_err(|error| {
        for card in picture.cards.iter_mut().filter(|card| card.called == error.node) {
            card.unknown = Some(error.kind.to_string());
        }
    })?;
    for card in &mut picture.cards {
        let Some(node) = card.node.and_then(|at| shapes.nodes().get(at)) else { continue };
        card.multiply_adds = node.multiply_adds;
        card.unknown.clone_from(&node.unknown);
        if node.outputs.iter().any(|output| output.shape().is_some()) {
            let texts: Vec<String> = node.outputs.iter().map(Output::to_string).collect();
            card.output = ends(&texts.join("; "), MOST_COLUMNS).into_owned();
        }
    }
    Ok(())
}
