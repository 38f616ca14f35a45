//! Graphs of one family as those of another: modules of TenniS as models of ONNX, and back.

use std::path::{Path, PathBuf};

use fourfold::tsm::Module;
pub use fourfold_onnx::RefusedNode;
use fourfold_onnx::{Error, Folder, Options, export, import};
pub use fourfold_tennis::Input as InputShape;

use crate::failure::Failure;
use crate::formats::unreadable;
use crate::input::Input;
use crate::tensors::onnx::text::read;
use crate::tensors::{Container, begins_onnx};
use crate::write::count::counted;

/// A model to be written.
pub struct Model {
    /// The bytes of the `.onnx` file.
    pub bytes: Vec<u8>,
    /// The pieces of the file beside it, if the model is too large without one.
    pub data: Vec<bytes::Bytes>,
}

/// A module that was made of a model.
pub struct Made {
    /// The bytes of the `.tsm` file.
    pub bytes: Vec<u8>,
    /// The files beside the model from which elements are.
    pub beside: Vec<PathBuf>,
}

/// Whether a file of that name is a model of ONNX.
#[must_use]
pub fn is_onnx(path: &Path) -> bool {
    Container::of_name(path) == Some(Container::Onnx)
}

/// Whether a file `from` becomes `to` with its graph, not with its tensors only.
#[must_use]
pub fn has_graphs(from: Container, to: Container) -> bool {
    matches!((from, to), (Container::Onnx, Container::Tsm))
}

/// The module of a file as a model of ONNX.
///
/// `inputs` are shapes in place of those that the module stores. `data` is what the file beside the model will be
/// called, if the model needs one; empty if there cannot be one. `refused_node` is called with each node that has no
/// counterpart in ONNX.
///
/// # Errors
///
/// If the file is no module, or if nodes were refused.
pub fn to_onnx(
    input: &Input,
    inputs: Vec<InputShape>,
    data: &str,
    refused_node: &mut dyn FnMut(&RefusedNode),
) -> Result<Model, Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::data(&input.name, error);
    if begins_onnx(&input.bytes) {
        let text = "this is a model of ONNX already; copy it, or name the output like model.tsm";
        return Err(Failure::Usage(format!("{}: {text}", input.name)));
    }
    let module = Module::from_slice(&input.bytes)
        .map_err(|error| unreadable(input).unwrap_or_else(|| refused(&error)))?;
    let mut model = export(&module, &Options::new().inputs(inputs)).map_err(|error| {
        error.nodes.iter().for_each(refused_node);
        refused(&format!("{} cannot be converted to ONNX", counted(error.nodes.len(), "node")))
    })?;
    match model.to_bytes() {
        Ok(bytes) => Ok(Model { bytes, data: Vec::new() }),
        Err(Error::TooLarge { bytes }) if data.is_empty() => Err(Failure::Usage(format!(
            "{}: a model of {bytes} bytes needs a file for its weights beside it; write it to a path, in UTF-8",
            input.name
        ))),
        Err(Error::TooLarge { .. }) => {
            let data = model.move_weights(data);
            let bytes = model.to_bytes().map_err(|error| refused(&error))?;
            Ok(Model { bytes, data })
        }
        Err(error) => Err(refused(&error)),
    }
}

/// The model of ONNX in a file as a module of TenniS.
///
/// `refused_node` is called with each node, input or tensor that has no counterpart in TenniS.
///
/// # Errors
///
/// If the file is no model, or if nodes were refused.
pub fn to_tsm(input: &Input, refused_node: &mut dyn FnMut(&RefusedNode)) -> Result<Made, Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::data(&input.name, error);
    let (model, _) = read(input).map_err(|error| refused(&error))?;
    let folder = input.path.as_deref().map(Folder::of);
    let module = import(&model, folder.as_ref()).map_err(|error| {
        error.nodes.iter().for_each(refused_node);
        refused(&format!("{} cannot be converted to TenniS", counted(error.nodes.len(), "node")))
    })?;
    let bytes = module.to_vec().map_err(|error| refused(&error))?;
    let files = folder.map(|folder| folder.files()).unwrap_or_default();
    Ok(Made { bytes, beside: files.into_iter().map(|(path, _)| path).collect() })
}
