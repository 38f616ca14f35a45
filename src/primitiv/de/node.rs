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
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
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

    noted_methods! {
        deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16()
        deserialize_i32() deserialize_i64() deserialize_i128() deserialize_u8()
        deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str()
        deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_option() deserialize_unit() deserialize_seq() deserialize_map()
        deserialize_identifier() deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
