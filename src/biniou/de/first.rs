//! The first attempt at a document: a reader of what our own writer writes for the type at hand.
//!
//! It takes records whose fields come in the order of the type's, each with its key checked, as
//! sequences (`visit_seq`), and knows no offsets, paths or reasons. Whatever else it meets, be it
//! wrong or merely unusual (shared values, tables, a type that asks the data what it is), it gives
//! up, and the [`Node`](super::node::Node)s of the thorough reader begin again: what they say is
//! final. So it may refuse what it likes, but what it accepts must be what they would have read.
//! (It takes 17 % of the instructions for a mesh, 27 % for a borrowed log, 46 % for an owned one;
//! callgrind on the data of `bench`.)

mod input;
mod node;
mod parts;
mod record;
mod types;

use core::fmt::{self, Display};

use serde_core::de::{self, Deserialize};

use self::input::Input;
use self::node::Node;
use self::types::Types;
use crate::biniou::Options;

/// Why there is no value: the reader has given up, or the type has refused what it got. A word
/// without content, since somebody else will say what is wrong.
#[derive(Debug)]
pub(super) struct GaveUp;

type Result<T, E = GaveUp> = core::result::Result<T, E>;

impl Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("left to the thorough reader")
    }
}

impl core::error::Error for GaveUp {}

impl de::Error for GaveUp {
    #[cold]
    fn custom<T: Display>(_: T) -> Self {
        GaveUp
    }
}

/// One value at the start of `bytes`, and how many bytes it takes.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Option<(T, usize)> {
    let types = Types::default();
    let mut input = Input::new(options, bytes, &types);
    let value = Node::tagged(&mut input, None).and_then(T::deserialize);
    match value {
        // Some types go on although a part has failed.
        Ok(value) if !input.gave_up => Some((value, bytes.len() - input.left())),
        _ => None,
    }
}
