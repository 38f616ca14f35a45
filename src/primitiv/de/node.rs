//! Reading the value that the reader is at.

use serde_core::de::{self, Visitor};

use super::State;
use super::object::Object;
use crate::primitiv::mark::Mark;
use crate::primitiv::{Error, Result};

/// A deserializer for the value that the reader is at; what goes wrong in it is noted.
pub(super) struct Node<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    /// The mark that stands on the value.
    pub(super) mark: Option<Mark>,
}

impl<'a, 'de> Node<'a, 'de> {
    #[inline]
    pub(super) fn new(state: &'a mut State<'de>) -> Self {
        Node { state, mark: None }
    }
}

/// Deserializer methods, by what they take besides the visitor.
macro_rules! noted_methods {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            let Node { state, mark } = self;
            let offset = state.reader.offset();
            match (Object { state: &mut *state, mark }).$method($($arg,)* visitor) {
                Ok(value) => Ok(value),
                // Also where its type goes on without it: what follows is read at a wrong place.
                Err(error) => Err(state.failed(error, offset)),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Node<'_, 'de> {
    type Error = Error;

    crate::glue::de::for_each_request!(noted_methods);

    fn is_human_readable(&self) -> bool {
        false
    }
}
