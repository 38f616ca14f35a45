//! The fast way to read a document: what it does where the two ways differ. Knows cursors and templates, does not
//! know which tags a type may have.
//!
//! Fields come in the type's order, and each key is checked, so a record is read as a sequence (`visit_seq`).

mod entries;
mod input;
mod leaf;
mod reading;
mod record;
mod template;
mod template_reader;
mod types;

use serde_core::de::Deserialize;

use self::input::{Input, Ordered, State};
pub(in crate::biniou) use self::types::Types;
use super::Source;
use super::node::Node;
use super::reading::TagAndMark;
use crate::biniou::wire::Source as _;
use crate::fast::{Bail, ErrorTextReads};
use crate::glue::nested::UnderWay;
use crate::glue::plain::Plain;

type Result<T, E = Bail> = core::result::Result<T, E>;

/// One value at the start of `bytes`, and how many bytes it takes. `types` may know its types already.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    source: Source<'_, 'de>,
    types: &Types,
) -> Option<(T, usize)> {
    let _reading = UnderWay::fast()?;
    let mut state = State::new(source.options, source.bytes, types);
    match read(source, &state) {
        None if state.template_bailed.get() => {
            state.begin_without_templates(source.bytes);
            read(source, &state)
        }
        taken => taken,
    }
}

/// Reads the value once. Not inlined, so that a type has this once.
#[inline(never)]
fn read<'de, T: Deserialize<'de>>(
    source: Source<'_, 'de>,
    state: &State<'_>,
) -> Option<(T, usize)> {
    let reads = ErrorTextReads::snapshot();
    let Source { tag, bytes, depth, .. } = source;
    let mut input = Input::<Ordered>::new(bytes, depth, state);
    let tag_and_mark = match tag {
        None => TagAndMark::new(input.take_byte().ok()?, None),
        Some(tag_and_mark) => tag_and_mark,
    };
    let read = |input: &mut _| T::deserialize(Plain(Node { input, tag_and_mark, at: () }));
    match input.value(read) {
        // Some types go on although a part has failed.
        Ok(value) if !state.bailed.get() && reads.unchanged() => {
            Some((value, bytes.len() - input.left()))
        }
        _ => None,
    }
}
