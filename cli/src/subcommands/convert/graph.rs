//! Converts graphs: modules of TenniS into models of ONNX, and back.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use fourfold_inspect::exchange::{InputShape, example_shapes, to_onnx, to_tsm};

use crate::failure::{Failure, warn};
use crate::input::Input;
use crate::output;
use crate::progress::with_progress;
use crate::target;

/// Maximum number of inputs whose shapes an error lists.
const MOST_INPUTS: usize = 8;
/// Maximum number of bytes of their list.
const LONGEST: usize = 1000;

/// Writes a model, and a file of its weights beside it if they are too many for one file. Both files are complete before
/// one replaces another.
pub(super) fn write_onnx(
    input: &Input,
    source: &Path,
    target: &Path,
    shapes: &[InputShape],
) -> Result<(), Failure> {
    let mut beside = target.as_os_str().to_owned();
    beside.push(".data");
    let beside = Path::new(&beside);
    let name = beside.file_name().and_then(OsStr::to_str).filter(|_| target.as_os_str() != "-");
    let name = name.unwrap_or_default();
    let (mut refused, mut needs_shapes) = (Vec::new(), false);
    let model = with_progress("converting", || {
        to_onnx(input, shapes.to_vec(), name, &mut |node| {
            needs_shapes |= node.needs_shapes();
            refused.push(node.to_string());
        })
    });
    refused.iter().for_each(|node| warn(&format!("{}: {node}", input.name)));
    let model = model.map_err(|failure| match failure {
        Failure::Data { name, text } if needs_shapes => {
            let text = format!("{text}{}", examples(input, shapes));
            Failure::Data { name, text }
        }
        failure => failure,
    })?;
    if model.data.is_empty() {
        return output::save(target, &model.bytes);
    }
    target::refuse_to_overwrite(beside, [source])?;
    model.save(target, beside, |out, pieces| {
        pieces.iter().try_for_each(|piece| out.write_all(piece))
    })?;
    let (target, beside) = (target.display(), beside.display());
    warn(&format!("{target}: the weights are in {beside}, since models have at most 2 GiB"));
    Ok(())
}

/// The options that give whole shapes to all inputs, to paste. Empty if the shapes are whole, or names are
/// long.
fn examples(input: &Input, shapes: &[InputShape]) -> String {
    let is_plain =
        |text: &str| text.chars().all(|one| one.is_alphanumeric() || "_-./=".contains(one));
    let option = |shape: &InputShape| match shape.to_string() {
        text if is_plain(&text) => format!(" --input {text}"),
        text => format!(" --input '{}'", text.replace('\'', r"'\''")),
    };
    let shapes = example_shapes(input, shapes);
    let options: String = shapes.iter().take(MOST_INPUTS).map(option).collect();
    if options.is_empty() || options.len() > LONGEST {
        return String::new();
    }
    let more = match shapes.len().saturating_sub(MOST_INPUTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("; give sizes (those that the module does not store are examples here):{options}{more}")
}

/// Writes the module of a model.
pub(super) fn write_tsm(input: &Input, target: &Path) -> Result<(), Failure> {
    let mut refused = Vec::new();
    let module =
        with_progress("converting", || to_tsm(input, &mut |node| refused.push(node.to_string())));
    refused.iter().for_each(|node| warn(&format!("{}: {node}", input.name)));
    let module = module?;
    target::refuse_to_overwrite(target, module.beside.iter().map(PathBuf::as_path))?;
    output::save(target, &module.bytes)
}
