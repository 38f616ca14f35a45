//! What each byte of a file is.

mod graph;
mod tensor;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use self::graph::Names;
use super::file::is_rather_module;
use super::wire::{self, MOST_EMPTY_ITEMS};
use super::{File, PackedTensor, module};
use crate::spans::walk::{Seen, Walk};
use crate::spans::{Each, Span, Spans, collect};

/// What each byte of a `.tsm` or `.t` file is: every count, code, name, index and tensor a
/// [`Span`] of its own.
///
/// For any input, damaged or not. A span has an error if and only if the input is refused, and the first one
/// begins at the byte that the error of [`Module::from_slice`](super::Module::from_slice) or
/// [`PackedTensor::from_slice`] names. The walk continues after errors as far as the layout is known; the rest
/// is one span, `not read`.
///
/// The header determines the kind of a file: with the code of a module at byte 4 it is a
/// [`Module`](super::Module). Without, it is a [`PackedTensor`] if it can be read as one; else a module
/// with a wrong code, if the rest of it is valid or if it begins with the four zeros that modules begin
/// with; else a damaged packed tensor. If the first count of that is impossible, nothing else is explained.
///
/// # Examples
///
/// ```
/// use fourfold::tsm::{PackedTensor, Tensor, explain};
///
/// let bytes = PackedTensor::from(Tensor::scalar(7i16)).to_vec()?;
/// let lines = |bytes: &[u8]| -> Vec<String> {
///     let spans = explain(bytes).into_iter();
///     spans
///         .map(|s| format!("{:?} {} {}: {}", s.range, s.place, s.what, s.error.unwrap_or(s.value)))
///         .collect()
/// };
/// assert_eq!(
///     lines(&bytes),
///     [
///         "0..4  count of tensors: 1",
///         "4..5 [0].dtype dtype: int16",
///         "5..9 [0].shape count of dims: 1",
///         "9..13 [0].shape[0] dim: 1",
///         "13..15 [0].memory data: int16 [1], 2 bytes: 7",
///     ],
/// );
/// assert_eq!(lines(&bytes[..14])[4], "13..14 [0].memory data: input ends early: 2 bytes needed, 1 left");
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[must_use]
pub fn explain(bytes: &[u8]) -> Vec<Span> {
    collect(|each| each_of(bytes, "", each))
}

/// What each byte of a `.tsm` or `.t` file is, like [`explain`], one span after another: memory does
/// not grow with the input.
///
/// `each` is called with the spans of the value at `path`, written as a [`Place`](crate::Place) is,
/// and of everything inside it; an empty path selects everything. Other values are skipped. `each`
/// ends the walk with [`ControlFlow::Break`].
///
/// There is one difference: the reader's errors are used if there are at most 2<sup>20</sup> values,
/// and if anything is wrong, at most 2<sup>20</sup> bytes. Beyond that, errors are those that the
/// walk finds itself, without those of the rules for whole modules, and links do not show the names
/// of later nodes.
///
/// # Examples
///
/// ```
/// use core::ops::ControlFlow;
/// use fourfold::tsm::{PackedTensor, Tensor, explain_each};
///
/// let bytes = PackedTensor::from(Tensor::scalar(7i16)).to_vec()?;
/// let mut lines = Vec::new();
/// explain_each(&bytes, "[0].shape", |span| {
///     lines.push(format!("{}: {} {}", span.place, span.what, span.value));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(lines, ["[0].shape: count of dims 1", "[0].shape[0]: dim 1"]);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
pub fn explain_each(bytes: &[u8], path: &str, mut each: impl FnMut(Span) -> ControlFlow<()>) {
    each_of(bytes, path, &mut each);
}

fn each_of(bytes: &[u8], path: &str, each: &mut Each<'_>) {
    let mut walk = Walk::new(bytes, Spans::new(path, each));
    if is_module(bytes) {
        let (mut looking, mut names) = (Walk::looking(bytes), Names::default());
        let is_whole = graph::module(&mut looking, &mut names).is_some();
        if looking.seen().is_for_readers() {
            let (read, refusals) = module::judge(bytes);
            let besides = if is_whole { graph::errors(refusals) } else { Vec::new() };
            walk.judge(read.err().as_ref(), besides);
        } else {
            walk.add(graph::wrong_code(bytes));
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
    match wire::take_count(&mut walk.ahead(), MOST_EMPTY_ITEMS) {
        Ok(_) => tensor::packed(walk).map_or((), |_| walk.trailing()),
        // Nothing shows that this is such a file.
        Err(_) => drop(tensor::count(walk, tensor::COUNT)),
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
    !is_packed && is_rather_module(bytes, is_sound)
}

/// Whether these are the bytes of a module, whatever its code.
fn is_sound(bytes: &[u8]) -> bool {
    let mut looking = Walk::looking(bytes);
    let _ = graph::module(&mut looking, &mut Names::default());
    match looking.seen() {
        seen if seen.is_for_readers() => module::is_sound(bytes),
        seen => seen == Seen::GoodSoFar,
    }
}
