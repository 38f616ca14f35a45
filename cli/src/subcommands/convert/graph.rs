//! Converts graphs: modules of TenniS into models of ONNX, and back.

use std::path::{Path, PathBuf};

use fourfold_inspect::exchange::{InputShape, to_onnx, to_tsm};

use crate::failure::{Failure, warn};
use crate::input::Input;
use crate::output;
use crate::progress::with_progress;
use crate::target;

/// Writes a model, and a file of its weights beside it if they are too many for one file. Both files are complete before
/// one replaces another.
pub(super) fn write_onnx(
    input: &Input,
    source: &Path,
    target: &Path,
    shapes: &[InputShape],
) -> Result<(), Failure> {
    let path = Some(target).filter(|target| target.as_os_str() != "-");
    let model = with_progress("converting", || to_onnx(input, shapes.to_vec(), path))?;
    if model.data.is_empty() {
        return output::save(target, &model.bytes);
    }
    let beside = model.save(target, Some(source), |out, pieces| {
        pieces.iter().try_for_each(|piece| out.write_all(piece))
    })?;
    let (target, beside) = (target.display(), beside.display());
    warn(&format!("{target}: the weights are in {beside}, since models have at most 2 GiB"));
    Ok(())
}

/// Writes the module of a model.
pub(super) fn write_tsm(
    input: &Input,
    target: &Path,
    shapes: &[InputShape],
) -> Result<(), Failure> {
    let module = with_progress("converting", || to_tsm(input, shapes))?;
    target::refuse_to_overwrite(target, module.beside.iter().map(PathBuf::as_path))?;
    output::save(target, &module.bytes)
}
