//! The picture of the graph of a module or an ONNX model: its content, and its drawing. `layout` computes the positions.

pub mod attributes;
pub mod colours;
pub mod dot;
pub mod escape;
pub mod family;
pub mod group;
pub mod heat;
pub mod near;
mod onnx;
mod order;
pub mod picture;
pub mod repeats;
mod shapes;
pub mod stack;
pub mod svg;
#[cfg(test)]
mod tests;
mod text;
mod tsm;

use fourfold::biniou::Options;
use fourfold::tsm::{Error, File, Module};
pub use fourfold_tennis::Input as Shape;

use self::colours::Theme;
use self::picture::Picture;
use self::svg::{Drawing, Svg};
use crate::failure::{Failure, describe};
use crate::formats;
use crate::input::Input;
use crate::tensors::begins_onnx;
use crate::tensors::onnx::text::read;

/// Maximum number of boxes of a picture.
const MOST_BOXES: usize = 6_000;
/// Maximum number of connections.
const MOST_WIRES: usize = 20_000;

/// The picture of a file. `inputs` are the shapes of a module's inputs, if they are not those that it states.
///
/// # Errors
///
/// If it is not a module of tsm or an ONNX model, or an invalid one; if the shapes do not fit.
pub fn picture(input: &Input, title: &str, inputs: &[Shape]) -> Result<Picture, Failure> {
    if begins_onnx(&input.bytes) {
        if !inputs.is_empty() {
            let name = &input.name;
            let text = "shapes of inputs are for modules of tsm, and this is an ONNX model";
            return Err(Failure::Usage(format!("{name}: {text}")));
        }
        let (model, _) = read(input).map_err(|text| Failure::data(&input.name, text))?;
        return Ok(onnx::picture(&model, title));
    }
    let module = Module::from_slice(&input.bytes).map_err(|error| refused(input, &error))?;
    let mut picture = Picture::of(&module, title);
    match shapes::add(&mut picture, &module, inputs) {
        // A module that TenniS would refuse has a picture, too.
        Err(error) if !inputs.is_empty() => Err(Failure::data(&input.name, error)),
        _ => Ok(picture),
    }
}

/// The picture of a graph in an attribute of an ONNX model, by its path, such as `if_1/then_branch`.
///
/// # Errors
///
/// If it is not an ONNX model, or has no such graph.
pub fn subgraph(input: &Input, title: &str, path: &str) -> Result<Picture, Failure> {
    let refused = |text: String| Failure::Usage(format!("{}: {text}", input.name));
    if !begins_onnx(&input.bytes) {
        let text = "only ONNX models have graphs in attributes; leave --subgraph out";
        return Err(refused(text.into()));
    }
    let (model, _) = read(input).map_err(|text| Failure::data(&input.name, text))?;
    onnx::subgraph(&model, title, path).map_err(refused)
}

/// The failure for a file without a graph: an error of the module, or the file is not a module.
fn refused(input: &Input, error: &Error) -> Failure {
    let detected = formats::detect_bytes(&input.bytes, &Options::new());
    match detected.filter(|_| !File::is_module(&input.bytes)) {
        None => formats::unreadable(input)
            .unwrap_or_else(|| Failure::data(&input.name, describe(error))),
        Some(format) => {
            let text = format.kind().without_graph();
            Failure::Usage(format!(
                "{}: {text}; only modules of tsm and ONNX models have a graph",
                input.name
            ))
        }
    }
}

/// Draws the picture, unless it is too large.
pub fn draw(picture: &Picture, theme: Theme, name: &str) -> Result<Svg, Failure> {
    refuse_large(picture, name)?;
    Ok(Drawing::new(picture).write(picture, theme))
}

/// Draws the picture in columns of at most that height, unless it is too large.
pub fn draw_in_columns(
    picture: &Picture,
    theme: Theme,
    name: &str,
    highest: f64,
) -> Result<Svg, Failure> {
    refuse_large(picture, name)?;
    Ok(Drawing::in_columns(picture, highest).write(picture, theme))
}

fn refuse_large(picture: &Picture, name: &str) -> Result<(), Failure> {
    let refuse = |count: usize, what: &str, most: usize| {
        Err(Failure::Usage(format!(
            "{name}: {count} {what}, but a picture shows at most {most}; \
             draw a part with --around NAME, or all with --to dot"
        )))
    };
    if picture.cards.len() > MOST_BOXES {
        return refuse(picture.cards.len(), "boxes", MOST_BOXES);
    }
    if picture.wires.len() > MOST_WIRES {
        return refuse(picture.wires.len(), "connections", MOST_WIRES);
    }
    Ok(())
}
