//! Types and shapes of the inputs of a model.

use std::collections::{HashMap, HashSet};

use fourfold::tsm::DType;
use fourfold_tennis::Input;

use super::Lowered;
use super::tensors::dtype_of;
use crate::proto::{Graph, Kind, Size, ValueInfo};
use crate::refused::{INPUT, Refused};

/// Shapes in place of those of the model, by the names of inputs.
pub(super) type Given<'a> = HashMap<&'a str, &'a Input>;

/// The inputs. Old models list tensors among them.
pub(super) fn inputs_of(graph: &Graph) -> impl Iterator<Item = &ValueInfo> {
    let tensors: HashSet<&str> =
        graph.initializer.iter().map(|tensor| tensor.name.as_str()).collect();
    graph.input.iter().filter(move |input| !tensors.contains(input.name.as_str()))
}

/// The inputs that shapes are given for. Shapes without a name are in the order of the model.
pub(super) fn given<'a>(graph: &'a Graph, shapes: &'a [Input]) -> Result<Given<'a>, Refused> {
    let mut unnamed = inputs_of(graph);
    let mut by_name: HashMap<&str, &ValueInfo> = HashMap::new();
    if shapes.iter().any(|shape| shape.name.is_some()) {
        inputs_of(graph).for_each(|input| _ = by_name.entry(&input.name).or_insert(input));
    }
    let mut given = Given::new();
    for shape in shapes {
        let input = match &shape.name {
            Some(name) => by_name.get(name.as_str()).copied(),
            None => unnamed.next(),
        };
        let Some(input) = input else {
            let names: Vec<&str> = inputs_of(graph).take(8).map(|it| it.name.as_str()).collect();
            let reason = format!("the model has no such input; its inputs: {}", names.join(", "));
            let name = shape.name.clone().unwrap_or_else(|| shape.to_string());
            return Err(Refused::one(name, INPUT, &reason));
        };
        given.insert(&input.name, shape);
    }
    Ok(given)
}

/// Type and shape of an input; sizes that are unknown are -1.
pub(super) fn type_of(input: &ValueInfo, given: &Given<'_>) -> Lowered<(DType, Option<Vec<i32>>)> {
    let value = input.r#type.as_ref().and_then(|found| found.value.as_ref());
    let Some(Kind::Tensor(tensor)) = value else {
        return Err("it is no tensor, or its type is missing".into());
    };
    let dtype = dtype_of(tensor.elem_type)?;
    if let Some(given) = given.get(input.name.as_str()) {
        let sizes = given.shape.iter().map(|size| size.unwrap_or(-1));
        return Ok((dtype, Some(sizes.collect())));
    }
    let sizes = tensor.shape.as_ref().map(|shape| {
        let sizes = shape.dim.iter().map(|dim| match dim.value {
            Some(Size::Value(size)) => {
                i32::try_from(size).map_err(|_| format!("size {size} is beyond TenniS's sizes"))
            }
            _ => Ok(-1),
        });
        sizes.collect::<Result<Vec<i32>, String>>()
    });
    Ok((dtype, sizes.transpose()?))
}

/// Whole shapes for the inputs of which sizes are unknown. These sizes are examples.
pub(super) fn examples(graph: &Graph, given: &Given<'_>) -> Vec<Input> {
    let example = |input: &ValueInfo| {
        let (_, shape) = type_of(input, given).ok()?;
        let sizes: Option<Vec<Option<i32>>> =
            shape.map(|sizes| sizes.into_iter().map(|size| (size >= 0).then_some(size)).collect());
        let is_whole = sizes.as_ref().is_some_and(|sizes| sizes.iter().all(Option::is_some));
        (!is_whole).then(|| Input::example(sizes.as_deref()).named(&input.name))
    };
    inputs_of(graph).filter_map(example).collect()
}
