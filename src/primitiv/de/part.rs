//! Parts that are kept raw, as a reader hands them out. Does not know what is in them.

use alloc::vec::Vec;

use serde_core::de::Visitor;

use super::State;
use super::raw::RawReader;
use crate::error::Fault;
use crate::glue::plain::Plain;
use crate::path::PATHS;
use crate::primitiv::raw::{self, LIST};
use crate::primitiv::wire::{self, Headed};
use crate::primitiv::{Error, Result};
use crate::raw::{Found, Step, hand_over};

impl<'de> RawReader<'_, 'de> {
    /// Hands out the bytes of a part, once they are known to be one object.
    #[cold]
    pub(super) fn part<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a raw part")?;
        let RawReader { state, .. } = self;
        let State { reader, own, .. } = &mut *state;
        if PATHS && own.steps.is_none() {
            own.wants_steps = true;
            return Err(Error::placeless(Fault::Abandoned));
        }
        let steps = own.steps.iter().flatten().flat_map(|step| step.segments());
        let steps: Vec<_> = steps.map(Step::from).collect();
        if name == LIST {
            wire::take_header(&mut reader.clone(), Headed::Array)?;
        }
        let offset = own.base.saturating_add(reader.offset());
        let bytes = wire::take_object(reader)?;
        let settings = raw::settings(state.own.lenient, state.depth, state.max_depth());
        let part = Found { bytes, offset, settings, route: state.own.outer.route() };
        visitor.visit_enum(Plain(hand_over::<_, Error>(part, steps.into_iter())))
    }
}
