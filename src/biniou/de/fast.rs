//! The fast way to read a document: it reads what our own writer writes for the type at hand.
//! Knows tags, keys and types; knows no offsets, paths or reasons.
//!
//! Fields come in the type's order, and each key is checked, so a record is read as a sequence
//! (`visit_seq`). On everything else the fast way bails: on faults, and on what is correct but rare,
//! such as shared values, tables, and types that ask the data what it is. Then the
//! [`Node`](super::node::Node)s of the exact way read the document from its start, and what they say
//! is final. So the fast way may refuse any document, but what it accepts, the exact way has to accept
//! with the same value.

mod input;
mod leaf;
mod node;
mod parts;
mod record;
mod template;
mod template_reader;
mod types;

use serde_core::de::Deserialize;

use self::input::{Input, Ordered, State};
use self::node::Node;
use self::types::Types;
use crate::biniou::Options;
use crate::biniou::wire::Source;
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
    let mut taken = read(bytes, &mut state);
    if taken.is_none() && state.template_bailed {
        let mut state = State::new(options, bytes, &types);
        state.uses_templates = false;
        taken = read(bytes, &mut state);
    }
    taken.filter(|_| reads.unchanged())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn read<'de, T: Deserialize<'de>>(bytes: &'de [u8], state: &mut State<'_>) -> Option<(T, usize)> {
    let mut input = Input::<Ordered>::new(bytes, state);
    let value = Node::read_tagged(&mut input, None, |node| T::deserialize(node));
    match value {
        // Some types go on although a part has failed.
        Ok(value) if !input.state.bailed => Some((value, bytes.len() - input.left())),
        _ => None,
    }
}
