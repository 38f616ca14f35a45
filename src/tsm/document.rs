//! tsm's own documents as values of serde, and what they have in common when they read and write themselves.

use alloc::vec::Vec;

use super::wire::{self, MOST_EMPTY_ITEMS};
use super::{Bubble, ErrorKind, Graph, Header, Module, Node, PackedTensor, Param, Prototype};
use super::{Result, Tensor};
use crate::read::Reader;
use crate::tensor::document::documents;

/// Where a document is written to.
pub(super) type Pieces<'a> = crate::tensor::pieces::Pieces<'a, ErrorKind>;

documents! {
    "tsm", [],
    "fourfold.tsm.Header" Header (Header) (Header),
    "fourfold.tsm.Prototype" Prototype (Prototype) (Prototype),
    "fourfold.tsm.Tensor" Tensor (Tensor<'_>) (Tensor<'a>),
    "fourfold.tsm.PackedTensor" PackedTensor (PackedTensor<'_>) (PackedTensor<'a>),
    "fourfold.tsm.Param" Param (Param<'_>) (Param<'a>),
    "fourfold.tsm.Bubble" Bubble (Bubble<'_>) (Bubble<'a>),
    "fourfold.tsm.Node" Node (Node<'_>) (Node<'a>),
    "fourfold.tsm.Graph" Graph (Graph<'_>) (Graph<'a>),
    "fourfold.tsm.Module" Module (Module<'_>) (Module<'a>),
}

/// Memory for up to so many items is taken before the first is read. More would trust a count that may be false.
const FIRST_ITEMS: usize = 4;

/// Takes items after their count.
pub(super) fn take_list<'de, T>(
    reader: &mut Reader<'de>,
    mut take: impl FnMut(&mut Reader<'de>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = wire::take_count(reader, MOST_EMPTY_ITEMS)?;
    let mut items = Vec::with_capacity(count.min(FIRST_ITEMS));
    for index in 0..count {
        items.push(within_item(index, take(reader))?);
    }
    Ok(items)
}

/// Appends items after their count.
pub(super) fn put_list<T>(
    out: &mut Pieces<'_>,
    items: &[T],
    mut put: impl FnMut(&T, &mut Pieces<'_>) -> Result<()>,
) -> Result<()> {
    out.put(&wire::count_bytes(items.len())?);
    items.iter().try_for_each(|item| {
        put(item, out)?;
        out.hand_on_enough()
    })
}

/// The whole of `bytes`.
pub(super) fn from_slice<'de, T>(
    bytes: &'de [u8],
    options: &super::Options,
    take: impl FnOnce(&mut Reader<'de>) -> Result<T>,
) -> Result<T> {
    let mut reader = Reader::new(bytes, 0);
    let value = take(&mut reader)?;
    if !options.allow_trailing {
        reader.finish()?;
    }
    Ok(value)
}

pub(super) fn take_index(reader: &mut Reader<'_>) -> Result<u32> {
    reader.take_array().map(u32::from_le_bytes)
}

pub(super) fn put_indices(out: &mut Pieces<'_>, indices: &[u32]) -> Result<()> {
    put_list(out, indices, |index, out| {
        out.put(&index.to_le_bytes());
        Ok(())
    })
}
