//! Graphs of one family as those of another: modules of TenniS as models of ONNX, and back.

#[cfg(feature = "mmap")]
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fourfold::tsm::Module;
pub use fourfold_onnx::Folder;
use fourfold_onnx::{Error, Options, Refused, RefusedNode, export, import_with};
pub use fourfold_tennis::Input as InputShape;
use fourfold_tennis::Shapes;

use crate::failure::Failure;
use crate::formats::unreadable;
use crate::hints::with_shapes;
use crate::input::Input;
#[cfg(feature = "mmap")]
use crate::target::refuse_to_overwrite;
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

#[cfg(feature = "mmap")]
impl Model {
    /// Writes the model to `path` and its weights to `path.data`, which is returned. Both files are complete before
    /// either replaces an old one, the weights first. `write` is called once for each file, with the pieces of it.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or the weights would replace `source`.
    pub fn save(
        &self,
        path: &Path,
        source: Option<&Path>,
        write: impl Fn(&mut dyn Write, &[&[u8]]) -> io::Result<()>,
    ) -> Result<PathBuf, Failure> {
        let beside = beside(path);
        refuse_to_overwrite(&beside, source)?;
        let written = fourfold::replace_file(path, |out| {
            write(out, &[&self.bytes])?;
            out.flush()?;
            let pieces: Vec<&[u8]> = self.data.iter().map(|piece| &**piece).collect();
            let data = fourfold::replace_file(&beside, |out| write(out, &pieces));
            data.map_err(|error: io::Error| Failure::io(&beside, error))
        });
        written.map(|()| beside).map_err(|failure| match failure {
            Failure::Output(error) => Failure::io(path, error),
            failure => failure,
        })
    }
}

/// The file for the weights of a model that is written to `path`.
fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".data");
    PathBuf::from(beside)
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

/// Whether files of some format become `to` with their graphs.
#[must_use]
pub fn can_have_graphs(to: Container) -> bool {
    has_graphs(Container::Onnx, to)
}

/// The module of a file as a model of ONNX.
///
/// `inputs` are shapes in place of those that the module stores. `path` is that of the model, if there can be a file
/// beside it.
///
/// # Errors
///
/// If the file is no module, or if nodes were refused.
pub fn to_onnx(
    input: &Input,
    inputs: Vec<InputShape>,
    path: Option<&Path>,
) -> Result<Model, Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::data(&input.name, error);
    if begins_onnx(&input.bytes) {
        let text = "this is a model of ONNX already; copy it, or name the output like model.tsm";
        return Err(Failure::Usage(format!("{}: {text}", input.name)));
    }
    let module = Module::from_slice(&input.bytes)
        .map_err(|error| unreadable(input).unwrap_or_else(|| refused(&error)))?;
    let mut model = export(&module, &Options::new().inputs(inputs))
        .map_err(|error| not_converted(input, &error, "ONNX"))?;
    let beside = path.map(beside);
    let name = beside.as_ref().and_then(|path| path.file_name()?.to_str());
    match (model.to_bytes(), name) {
        (Ok(bytes), _) => Ok(Model { bytes, data: Vec::new() }),
        (Err(Error::TooLarge { .. }), Some(name)) => {
            let data = model.move_weights(name);
            let bytes = model.to_bytes().map_err(|error| refused(&error))?;
            Ok(Model { bytes, data })
        }
        (Err(Error::TooLarge { bytes }), None) => Err(Failure::Usage(format!(
            "{}: a model of {bytes} bytes needs a file for its weights beside it; write it to a path, in UTF-8",
            input.name
        ))),
        (Err(error), _) => Err(refused(&error)),
    }
}

/// Whole shapes for the inputs of a module of which sizes are unknown, also with those that are `given`: sizes that the
/// module does not store are examples. Empty if there are none, or if TenniS refuses the examples.
#[must_use]
pub fn example_shapes(input: &Input, given: &[InputShape]) -> Vec<InputShape> {
    let Ok(module) = Module::from_slice(&input.bytes) else { return Vec::new() };
    let Ok(shapes) = Shapes::infer(&module, given) else { return Vec::new() };
    let examples = shapes.examples(&module);
    match Shapes::infer(&module, &[given, &examples].concat()) {
        Ok(_) => examples,
        Err(_) => Vec::new(),
    }
}

/// The model of ONNX in a file as a module of TenniS. `inputs` are shapes in place of those that the model has.
///
/// # Errors
///
/// If the file is no model, or if nodes were refused.
pub fn to_tsm(input: &Input, inputs: &[InputShape]) -> Result<Made, Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::data(&input.name, error);
    let (model, _) = read(input).map_err(|error| refused(&error))?;
    let folder = input.path.as_deref().map(Folder::of);
    let module = import_with(&model, folder.as_ref(), inputs)
        .map_err(|error| not_converted(input, &error, "TenniS"))?;
    let bytes = module.to_vec().map_err(|error| refused(&error))?;
    let files = folder.map(|folder| folder.files()).unwrap_or_default();
    Ok(Made { bytes, beside: files.into_iter().map(|(path, _)| path).collect() })
}

/// The failure for a graph that has no counterpart in `family`, with all nodes that were refused.
fn not_converted(input: &Input, refused: &Refused, family: &str) -> Failure {
    let count = counted(refused.nodes.len(), "node");
    let text = format!("{count} cannot be converted to {family}");
    Failure::Refused {
        name: input.name.clone(),
        nodes: refused.nodes.iter().map(RefusedNode::to_string).collect(),
        text: with_shapes(text, &refused.examples),
    }
}

#[cfg(all(test, feature = "mmap"))]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_replaced_only_with_its_weights() {
        let folder = std::env::temp_dir().join(format!("fourfold-model-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, beside) = (folder.join("m.onnx"), folder.join("m.onnx.data"));
        std::fs::write(&path, "old").unwrap();
        let model = Model { bytes: b"new".to_vec(), data: vec!["we".into(), "ights".into()] };
        let write = |out: &mut dyn Write, pieces: &[&[u8]]| {
            pieces.iter().try_for_each(|piece| out.write_all(piece))
        };

        std::fs::create_dir(&beside).unwrap();
        let failure = model.save(&path, None, write).unwrap_err();
        assert!(failure.to_string().starts_with(&beside.display().to_string()), "{failure}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        std::fs::remove_dir(&beside).unwrap();

        std::fs::write(&beside, "source").unwrap();
        let failure = model.save(&path, Some(&beside), write).unwrap_err();
        assert!(failure.to_string().contains("this is the file that is read"), "{failure}");
        assert_eq!(std::fs::read(&beside).unwrap(), b"source");

        assert_eq!(model.save(&path, None, write).unwrap(), beside);
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read(&beside).unwrap(), b"weights");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);

        let failure = model.save(&folder.join("missing/m.onnx"), None, write).unwrap_err();
        assert!(failure.to_string().contains("missing"), "{failure}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
