//! tsm: modules and packed tensors.

mod graph;
mod refusals;
mod tensor;

use fourfold::tsm::{File, Module, PackedTensor, take_from_slice};

use self::graph::Names;
use self::refusals::{Unchecked, refusals, wrong_code};
use super::walk::{Seen, Walk};
use super::{Each, Spans};

/// Explains a `.tsm` or `.t` file: every count, code, name, index and tensor is a [`Span`](super::Span) of its own.
///
/// A span has an error if and only if the input is refused, and the first one begins at the byte that the error of
/// [`Module::from_slice`] or [`PackedTensor::from_slice`] names. The walk continues after errors as far as the layout is
/// known; the rest is one span, `not read`.
///
/// The header determines the kind of a file: with the code of a module at byte 4 it is a [`Module`]. Without, it is a
/// [`PackedTensor`] if it can be read as one; else a module with a wrong code, if the rest of it is valid or if it begins
/// with the four zeros that modules begin with; else a damaged packed tensor. If the first count of that is impossible,
/// nothing else is explained.
///
/// The reader's errors are used if there are at most 2<sup>20</sup> values, and if anything is wrong, at most
/// 2<sup>20</sup> bytes. Beyond that, errors are those that the walk finds itself, without those of the rules for whole
/// modules, and links do not show the names of later nodes.
///
/// ```
/// use fourfold::tsm::{PackedTensor, Tensor};
/// use fourfold_inspect::spans::{all, tsm};
///
/// let bytes = PackedTensor::from(Tensor::scalar(7i16)).to_vec()?;
/// let lines = |bytes: &[u8], path: &str| -> Vec<String> {
///     let spans = all(|each| tsm::explain(bytes, path, each)).into_iter();
///     spans
///         .map(|s| format!("{:?} {} {}: {}", s.range, s.place, s.what, s.error.unwrap_or(s.value)))
///         .collect()
/// };
/// assert_eq!(
///     lines(&bytes, ""),
///     [
///         "0..4  count of tensors: 1",
///         "4..5 [0].dtype dtype: int16",
///         "5..9 [0].shape count of dims: 1",
///         "9..13 [0].shape[0] dim: 1",
///         "13..15 [0].memory data: int16 [1], 2 bytes: 7",
///     ],
/// );
/// assert_eq!(
///     lines(&bytes[..14], "[0].memory"),
///     ["13..14 [0].memory data: input ends early: 2 bytes needed, 1 left"],
/// );
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
pub fn explain(bytes: &[u8], path: &str, each: &mut Each<'_>) {
    let mut walk = Walk::new(bytes, Spans::new(path, each));
    if is_module(bytes) {
        let (mut looking, mut names) = (Walk::looking(bytes), Names::default());
        let is_whole = graph::module(&mut looking, &mut names).is_some();
        if looking.seen().is_for_readers() {
            let besides = if is_whole { refusals(bytes) } else { Vec::new() };
            walk.judge(Module::from_slice(bytes).err().as_ref(), besides);
        } else {
            walk.add(wrong_code(bytes));
        }
        let _ = graph::module(&mut walk, &mut names.known());
    } else {
        if packed(&mut Walk::looking(bytes)).is_for_readers() {
            walk.judge(PackedTensor::from_slice(bytes).err().as_ref(), Vec::new());
        }
        packed(&mut walk);
    }
    walk.finish();
}

/// Explains a packed tensor and the bytes after it.
fn packed(walk: &mut Walk<'_, '_>) -> Seen {
    match tensor::is_count(walk) {
        true => tensor::packed(walk).map_or((), |_| walk.trailing()),
        // Nothing shows that this is such a file.
        false => drop(tensor::count(walk, tensor::COUNT)),
    }
    walk.seen()
}

fn is_module(bytes: &[u8]) -> bool {
    if File::is_module(bytes) {
        return true;
    }
    let is_packed = match packed(&mut Walk::looking(bytes)) {
        seen if seen.is_for_readers() => PackedTensor::from_slice(bytes).is_ok(),
        seen => seen == Seen::GoodSoFar,
    };
    !is_packed && (bytes.starts_with(&[0; 4]) || is_sound(bytes))
}

/// Whether these are the bytes of a module, whatever its code.
fn is_sound(bytes: &[u8]) -> bool {
    let mut looking = Walk::looking(bytes);
    let _ = graph::module(&mut looking, &mut Names::default());
    match looking.seen() {
        seen if seen.is_for_readers() => take_from_slice::<Unchecked<'_>>(bytes).is_ok(),
        seen => seen == Seen::GoodSoFar,
    }
}
