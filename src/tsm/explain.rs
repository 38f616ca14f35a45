//! What each byte of a file is. Knows which of the two kinds of files it is, not their insides.

mod graph;
mod tensor;

use alloc::vec::Vec;

use super::wire::{self, HEADER_CODE_OFFSET, MAGIC, MOST_EMPTY_ITEMS};
use super::{Module, PackedTensor, module};
use crate::explain::Span;
use crate::walk::Walk;

/// What each byte of a `.tsm` or `.t` file is: every count, code, name, index and tensor a
/// [`Span`] of its own.
///
/// Of any input, damaged or not. A span has a fault if and only if the input is refused, and the
/// first one that has begins at the byte that the error of [`Module::from_slice`] or
/// [`PackedTensor::from_slice`] names. The walk goes on past faults as far as the layout is known;
/// what is behind that is one span, `not read`.
///
/// What a file is, its header tells: with the code of a module at byte 4 it is a [`Module`].
/// Without, it is a [`PackedTensor`] if it can be read as one; else a module whose code is wrong
/// if the rest of it is sound, or if it begins with the four zeros that modules begin with; else
/// a damaged packed tensor. Of that a first count that cannot be is all that is told.
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
///         .map(|s| format!("{:?} {} {}: {}", s.range, s.place, s.what, s.fault.unwrap_or(s.value)))
///         .collect()
/// };
/// assert_eq!(
///     lines(&bytes),
///     [
///         "0..4  count of tensors: 1",
///         "4..5 [0].dtype dtype: INT16",
///         "5..9 [0].shape count of dims: 1",
///         "9..13 [0].shape[0] dim: 1",
///         "13..15 [0].memory data: INT16 [1], 2 bytes: 7",
///     ],
/// );
/// assert_eq!(lines(&bytes[..14])[4], "13..14 [0].memory data: input ends early: 2 bytes needed, 1 left");
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[must_use]
pub fn explain(bytes: &[u8]) -> Vec<Span> {
    if is_module(bytes) {
        let mut walk = Walk::new(bytes);
        let told = graph::module(&mut walk, bytes);
        let refused = Module::from_slice(bytes).err();
        let mut spans = walk.finish(refused.as_ref());
        told.name_links(&mut spans);
        return spans;
    }
    let mut walk = Walk::new(bytes);
    match wire::take_count(&mut walk.ahead(), MOST_EMPTY_ITEMS) {
        Ok(_) => tensor::packed(&mut walk).map_or((), |_| walk.trailing()),
        // Nothing says that this is such a file at all.
        Err(_) => drop(tensor::count(&mut walk, tensor::COUNT)),
    }
    walk.finish(PackedTensor::from_slice(bytes).err().as_ref())
}

fn is_module(bytes: &[u8]) -> bool {
    let behind = bytes.get(HEADER_CODE_OFFSET..).unwrap_or_default();
    let (fake, code) = (bytes.first_chunk::<4>(), behind.first_chunk::<4>());
    if code == Some(&MAGIC.to_le_bytes()) {
        return true;
    }
    // A packed tensor of no fields is nothing but the zeros.
    let zeros = fake == Some(&[0; 4]) && !behind.is_empty();
    PackedTensor::from_slice(bytes).is_err() && (zeros || module::refusals(bytes).is_some())
}
