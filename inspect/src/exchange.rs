//! Graphs of one family as those of another: modules of TenniS as models of ONNX, and back.

use std::collections::BTreeSet;
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

/// The files beside a model of ONNX in which its weights are; none for other files.
#[must_use]
pub fn files_beside(input: &Input, source: &Path) -> Vec<PathBuf> {
    let model = begins_onnx(&input.bytes).then(|| read(input).ok()).flatten();
    let locations: BTreeSet<String> =
        model.iter().flat_map(|(model, _)| model.external_files()).map(str::to_owned).collect();
    let folder = source.parent().unwrap_or(Path::new(""));
    locations.into_iter().map(|location| folder.join(location)).collect()
}

/// The module of a file as a model of ONNX.
///
/// `inputs` are shapes in place of those that the module states. `data` is what the file beside the model will be
/// called, if the model needs one. `refused_node` is called with each node that has no counterpart in ONNX.
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
        Err(Error::TooLarge { .. }) => {
            let data = model.move_weights(data);
            let bytes = model.to_bytes().map_err(|error| refused(&error))?;
            Ok(Model { bytes, data })
        }
        Err(error) => Err(refused(&error)),
    }
}

/// The model of ONNX in a file as the bytes of a module of TenniS.
///
/// `source` is the file's path, in whose folder its weights may be. `refused_node` is called with each node, input or
/// tensor that has no counterpart in TenniS.
///
/// # Errors
///
/// If the file is no model, or if nodes were refused.
pub fn to_tsm(
    input: &Input,
    source: Option<&Path>,
    refused_node: &mut dyn FnMut(&RefusedNode),
) -> Result<Vec<u8>, Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::data(&input.name, error);
    let (model, _) = read(input).map_err(|error| refused(&error))?;
    let folder = source.map(Folder::of);
    let module = import(&model, folder.as_ref()).map_err(|error| {
        error.nodes.iter().for_each(refused_node);
        refused(&format!("{} cannot be converted to TenniS", counted(error.nodes.len(), "node")))
    })?;
    module.to_vec().map_err(|error| refused(&error))
}
