//! Reading the value that the reader is at.

use serde_core::de::{self, Visitor};

use super::State;
use super::raw::RawReader;
use crate::primitiv::mark::Mark;
use crate::primitiv::{Error, Result};

/// A deserializer for the value that the reader is at; what goes wrong in it is noted.
pub(super) struct ValueReader<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    /// The mark on the value.
    pub(super) mark: Option<Mark>,
}

impl<'a, 'de> ValueReader<'a, 'de> {
    #[inline]
    pub(super) fn new(state: &'a mut State<'de>) -> Self {
        ValueReader { state, mark: None }
    }
}

/// Deserializer methods, by what they take besides the visitor.
macro_rules! noted_methods {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            let ValueReader { state, mark } = self;
            let offset = state.reader.offset();
            match (RawReader { state: &mut *state, mark }).$method($($arg,)* visitor) {
                Ok(value) => Ok(value),
                // Recorded, since a type that ignores it reads on at a wrong place.
                Err(error) => Err(state.refused_at(error, offset)),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for ValueReader<'_, 'de> {
    type Error = Error;

    crate::glue::de::for_each_request!(noted_methods);

    fn is_human_readable(&self) -> bool {
        false
    }
}
