//! The first attempt at a document: a reader of what our own writer writes for the type at hand.
//!
//! It takes records whose fields come in the order of the type's, each with its key checked, as
//! sequences (`visit_seq`), and knows no offsets, paths or reasons. Whatever else it meets, be it
//! wrong or merely unusual (shared values, tables, a type that asks the data what it is), it gives
//! up, and the [`Node`](super::node::Node)s of the thorough reader begin again: what they say is
//! final. So it may refuse what it likes, but what it accepts must be what they would have read.
//! (It takes 17 % of the instructions for a mesh, 22 % for a borrowed log, 44 % for an owned one;
//! callgrind on the data of `bench`.)

mod input;
mod leaf;
mod node;
mod parts;
mod record;
mod template;
mod types;
mod window;

use serde_core::de::Deserialize;

use self::input::{Input, Ordered, State};
use self::node::Node;
use self::types::Types;
use crate::biniou::Options;
use crate::fast::{Bail, ErrorTextReads};

type Result<T, E = Bail> = core::result::Result<T, E>;

/// One value at the start of `bytes`, and how many bytes it takes.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Option<(T, usize)> {
    let reads = ErrorTextReads::snapshot();
    let types = Types::default();
    let mut state = State::new(options, bytes, &types);
    let mut taken = attempt(bytes, &mut state);
    if taken.is_none() && state.was_surprised {
        let mut state = State::new(options, bytes, &types);
        state.has_windows = false;
        taken = attempt(bytes, &mut state);
    }
    taken.filter(|_| reads.unchanged())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn attempt<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    state: &mut State<'_>,
) -> Option<(T, usize)> {
    let mut input = Input::<Ordered>::new(bytes, state);
    let value = Node::read_tagged(&mut input, None, |node| T::deserialize(node));
    match value {
        // Some types go on although a part has failed.
        Ok(value) if !input.state.gave_up => Some((value, bytes.len() - input.left())),
        _ => None,
    }
}
