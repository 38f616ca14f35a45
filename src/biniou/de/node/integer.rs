//! Reading an integer of any tag. Knows widths, does not know the types that want it.

use crate::biniou::mark::{IntegerTags, Mark};
use crate::biniou::wire::{Source, Tag, Zigzag as _};
use crate::glue::de::Visitor;

/// A number, wide enough for all.
pub(in crate::biniou::de) enum Integer {
    Unsigned(u128),
    Signed(i128),
}

impl Integer {
    /// Hands it to a visitor by the narrowest method that all of serde's visitors have.
    #[inline]
    pub(in crate::biniou::de) fn visit<'de, V: Visitor<'de, E>, E>(
        self,
        visitor: V,
    ) -> Result<V::Value, E> {
        match self {
            Integer::Unsigned(number) => match u64::try_from(number) {
                Ok(number) => visitor.visit_u64(number),
                Err(_) => visitor.visit_u128(number),
            },
            Integer::Signed(number) => match i64::try_from(number) {
                Ok(number) => visitor.visit_i64(number),
                // A field that was a `u64` before it got its mark asks for a `u64`.
                Err(_) => match u64::try_from(number) {
                    Ok(number) => visitor.visit_u64(number),
                    Err(_) => visitor.visit_i128(number),
                },
            },
        }
    }
}

/// Takes an integer of the kinds that the mark allows. `None` if the tag says another kind.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::biniou::de) fn take<'de, S: Source<'de>>(
    source: &mut S,
    tag: Tag,
    mark: Option<Mark>,
) -> Result<Option<Integer>, S::Error> {
    Ok(Some(match (tag, Mark::integer_tags(mark)) {
        (Tag::Int32, Some(IntegerTags::Int32)) => {
            Integer::Signed(i32::from_be_bytes(source.take_array()?).into())
        }
        (Tag::Int64, Some(IntegerTags::Int64)) => {
            Integer::Signed(i64::from_be_bytes(source.take_array()?).into())
        }
        (Tag::Int8, Some(IntegerTags::Others)) => {
            Integer::Unsigned(u8::from_be_bytes(source.take_array()?).into())
        }
        (Tag::Int16, Some(IntegerTags::Others)) => {
            Integer::Unsigned(u16::from_be_bytes(source.take_array()?).into())
        }
        (Tag::Uvint, Some(IntegerTags::Others)) => Integer::Unsigned(source.take_uvint()?),
        (Tag::Svint, Some(IntegerTags::Others)) => {
            Integer::Signed(i128::unzigzag(source.take_uvint()?))
        }
        _ => return Ok(None),
    }))
}
