//! A value in a slot: bytes whose length is known from outside, such as a field of a table. Decides which layout a type
//! has.
//!
//! `inline(always)` is on the methods of serde's traits and on what they call here: names and counts are constants in the
//! types of users, and the lookups of marks by name disappear if they meet in one function. Not in debug builds, where
//! one function would hold the locals of all on the stack.

use core::mem::needs_drop;

use serde_core::de::{Deserializer, Visitor};

use super::adjacent;
use super::document::{Adjacent, Context, Document, Result};
use super::fixvec::{self, fixvec_map};
use super::layout::{FieldCount, checked_name};
use super::packed::{PackedIn, packed};
use super::parts::{Entries, Fields, Items};
use super::union::Union;
#[cfg(feature = "any")]
use crate::any::{Limits, Part};
use crate::failed::Failed;
use crate::glue::macros::for_each_number;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::limits::Depth;
#[cfg(feature = "any")]
use crate::molecule::ErrorKind;
use crate::molecule::mark::{self, Mark, Target, UnionIds};
use crate::molecule::raw;
use crate::molecule::wire::{self, EMPTY_TABLE};
use crate::raw::{Found, hand_over};

/// Deserializes the value that takes all of `bytes`.
#[derive(Clone, Copy)]
pub(super) struct Value<'de, C> {
    pub(super) context: C,
    pub(super) bytes: &'de [u8],
    /// How deep its fields or items may nest.
    pub(super) depth: Depth,
    /// The mark on the value.
    pub(super) mark: Option<Mark>,
    pub(super) rule: Rule,
}

/// What applies to a value besides its mark.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// It may have any layout, and takes the whole slot.
    None,
    /// It has to be dynamic, as an item of a dynvec.
    Dynamic,
    /// It is an item of an unmarked tuple that has the header of a table. If all items turn out to have a fixed size, the
    /// tuple is refused, since it would be written packed.
    Guessed,
    /// Bytes may follow it.
    AllowTrailing,
}

impl Rule {
    /// The rule for the payload of a union: the union itself is dynamic, and its payload ends where it does.
    #[inline]
    fn for_payload(self) -> Self {
        if self == Rule::AllowTrailing { self } else { Rule::None }
    }
}

impl<'de, C: Context<'de>> Value<'de, C> {
    #[inline]
    pub(super) fn new(context: C, bytes: &'de [u8], depth: Depth) -> Self {
        Value { context, bytes, depth, mark: None, rule: Rule::None }
    }

    /// A field or item of it.
    #[inline]
    pub(super) fn part(self, bytes: &'de [u8], rule: Rule) -> Self {
        Value { bytes, mark: None, rule, ..self }
    }

    /// The same with another context.
    fn in_context<D>(self, context: D) -> Value<'de, D> {
        let Value { bytes, depth, mark, rule, .. } = self;
        Value { context, bytes, depth, mark, rule }
    }

    /// The value with the depth of its fields or items.
    #[inline]
    pub(super) fn level(self) -> Result<Self> {
        match self.depth.enter() {
            Some(depth) => Ok(Value { depth, ..self }),
            None => Err(self.context.explain()?.too_deep(self.bytes)),
        }
    }

    /// The value inside of a wrapper, which takes no bytes.
    #[inline]
    fn wrapper(self) -> Result<Self> {
        match self.depth.wrap() {
            Some(depth) => Ok(Value { depth, ..self }),
            None => Err(self.context.explain()?.too_deep(self.bytes)),
        }
    }

    /// Refuses a mark that does not fit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check_mark(self, target: &'static Target) -> Result<()> {
        match self.mark {
            Some(mark) if !mark.fits(*target) => {
                Err(self.context.explain()?.misplaced(self.bytes, mark, target))
            }
            _ => Ok(()),
        }
    }

    /// The mark in the name of a container.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<T>(self, name: &'static str, found: mark::Result<T>) -> Result<T> {
        match checked_name(name, found, self.context.is_strict()) {
            Ok(mark) => Ok(mark),
            Err(error) => Err(self.context.explain()?.fail(self.bytes, error)),
        }
    }

    /// Reads a packed struct, tuple or array.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn packed<V: Visitor<'de>>(
        self,
        count: usize,
        names: Names,
        within: PackedIn,
        visitor: V,
    ) -> Result<V::Value> {
        let Value { context, bytes, rule, .. } = self;
        match packed(self, count, names, within, visitor) {
            (Ok(value), []) if rule == Rule::None => Ok(value),
            (Ok(value), rest) if rest.is_empty() || rule == Rule::AllowTrailing => {
                context.check_or_count_fixed(bytes, rule)?;
                Ok(value)
            }
            (Ok(_), rest) => {
                let document = context.explain()?;
                // The error that `in_packed` takes, to add a fix.
                let _ = document.trailing(rest);
                Err(document.in_packed(bytes, count, names))
            }
            (Err(Failed), _) => Err(context.explain()?.in_packed(bytes, count, names)),
        }
    }

    /// Reads a table: of a type with this name, or of a variant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn table<V: Visitor<'de>>(
        self,
        name: Option<&'static str>,
        count: FieldCount,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        let value = self.level()?;
        let parts = match (value.fields(count), name) {
            (Ok(parts), _) => parts,
            (Err(Failed), None) => return Err(Failed),
            (Err(Failed), Some(name)) => {
                // A type that owns memory is rarely a struct of the schema.
                let size = if needs_drop::<V::Value>() { 0 } else { size_of::<V::Value>() };
                return Err(self.context.explain()?.no_table(self.bytes, size, name, names));
            }
        };
        Fields::new(value, parts, count, Rule::None).read(names, visitor)
    }

    /// Whether a struct or tuple struct is packed: the mark at its use decides, then that of its type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_packed(self, name: &'static str) -> Result<bool> {
        self.check_mark(&Target::Struct)?;
        let own = self.named(name, Mark::is_packed(name))?;
        Ok(self.mark.map_or(own, |mark| mark == Mark::Struct))
    }

    /// Reads an unmarked tuple or array that is a table.
    #[inline]
    fn tuple_table<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let (value, count) = (self.level()?, FieldCount::Exactly(len));
        let parts = value.fields(count)?;
        let fixed = self.context.fixed_items().replace(0);
        let fields = Fields::new(value, parts, count, Rule::Guessed);
        let tuple = fields.read(Names::Indices, visitor);
        match self.context.fixed_items().replace(fixed) < len {
            true => tuple,
            // With only fixed-size items, it would be written packed.
            false => Err(self.context.explain()?.table_of_fixed(parts, len)),
        }
    }

    /// Passes the bytes of a lazy value to its type.
    #[inline]
    fn raw<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        let Value { context, bytes, depth, .. } = self;
        self.check_mark(&Target::Raw)?;
        if self.rule == Rule::AllowTrailing {
            return Err(context.explain()?.endless(bytes, "a lazy value"));
        }
        if name == raw::LIST && wire::list_parts(bytes).is_none() {
            return Err(context.explain()?.no_list(bytes));
        }
        let (settings, offset) = match context.document() {
            Some(document) => document.settings(bytes, depth),
            None => (raw::DEFAULTS.settings(depth, false), 0),
        };
        let found = Found { bytes, offset, settings };
        visitor.visit_enum(hand_over(found))
    }
}

#[cfg(feature = "any")]
impl<'de> Value<'de, &Document<'_, 'de>> {
    /// Reads a value that is marked `any`.
    #[cold]
    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let content = self.content(&Target::Any)?;
        let Value { context, depth, .. } = self.wrapper()?;
        let limits = Limits { depth, max_depth: context.options.max_depth };
        let part = Part::<ErrorKind>::new(content, context.offset(content), limits);
        visitor.visit_enum(part).map_err(|error| context.keep(error))
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ident,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(<$type>::from_le_bytes(self.scalar(&Target::Scalar(stringify!($type)))?))
        }
    )*};
}

impl<'de, C: Context<'de>> Deserializer<'de> for Value<'de, C> {
    type Error = Failed;

    for_each_number!(numbers);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.scalar(&Target::Scalar("bool"))? {
            [byte @ (0 | 1)] => visitor.visit_bool(byte == 1),
            [found] => Err(self.context.explain()?.bad_bool(self.bytes, found)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let found = u32::from_le_bytes(self.scalar(&Target::Scalar("char"))?);
        match char::from_u32(found) {
            Some(char) => visitor.visit_char(char),
            None => Err(self.context.explain()?.bad_char(self.bytes, found)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let content = self.content(&Target::Text)?;
        let ahead = match self.context.document() {
            Some(document) => document.ahead(content),
            None => content,
        };
        match crate::text::first(ahead, content.len()) {
            Some(text) => visitor.visit_borrowed_str(text),
            None => Err(self.context.explain()?.bad_text(content)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.content(&Target::Bytes)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.rule, self.bytes) {
            (Rule::AllowTrailing, bytes) => {
                Err(self.context.explain()?.endless(bytes, "an option"))
            }
            (_, []) => visitor.visit_none(),
            _ => visitor.visit_some(Value { rule: Rule::None, ..self.wrapper()? }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(&Target::Unit)?;
        if self.bytes != EMPTY_TABLE {
            let none = FieldCount::Exactly(0);
            self.context.explain()?.parse_table(self.bytes, none, self.rule)?;
        }
        visitor.visit_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.named(name, mark::refuse_on_unit(name))?;
        self.check_mark(&Target::UnitStruct)?;
        self.deserialize_unit(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self
                .context
                .with_or_fail(move |document| self.in_context(document).any(visitor));
        }
        if raw::is_reserved(name) {
            return self.raw(name, visitor);
        }
        let mark = self.named(name, Mark::one_of(self.mark, name))?;
        visitor.visit_newtype_struct(Value { mark, ..self.wrapper()? })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(&Target::Sequence)?;
        let is_dynvec = match self.mark {
            Some(mark) => mark == Mark::DynVec,
            None if self.rule == Rule::AllowTrailing => {
                return Err(self.context.explain()?.endless(self.bytes, "an unmarked sequence"));
            }
            // `04 00 00 00` is read as a fixvec of four items, which fails: `in_fixvec` requires the mark `dynvec`.
            None => wire::is_dynvec(self.number()?.0, self.bytes) && self.bytes != EMPTY_TABLE,
        };
        match is_dynvec {
            true => {
                let value = self.level()?;
                Items::new(value, value.items()?).read(visitor)
            }
            false => fixvec::fixvec(self, visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.check_mark(&Target::Tuple)?;
        let within = match Mark::of_tuple(self.mark, len) {
            Some(Mark::Struct) => PackedIn::Marked,
            Some(_) => {
                return self.table(Some(""), FieldCount::Exactly(len), Names::Indices, visitor);
            }
            None if self.is_tuple_table(len) => return self.tuple_table(len, visitor),
            None => PackedIn::Tuple,
        };
        self.packed(len, Names::Indices, within, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match self.is_packed(name)? {
            true => self.packed(len, Names::SLOTS, PackedIn::Marked, visitor),
            false => self.table(Some(name), FieldCount::Exactly(len), Names::SLOTS, visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(&Target::Map)?;
        if self.mark == Some(Mark::FixVec) {
            return self
                .context
                .with_or_fail(move |document| fixvec_map(self.in_context(document), visitor));
        }
        let value = self.level()?;
        Entries::new(Items::new(value, value.items()?)).read(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let names = Names::Fields(fields);
        if self.is_packed(name)? {
            return self.packed(fields.len(), names, PackedIn::Marked, visitor);
        }
        let ids = self.named(name, UnionIds::in_name(name))?;
        if let [_, _] = fields {
            // Perhaps an adjacently tagged enum, whose tag is the first field.
            if let Some(document) = self.context.document() {
                document.expect_tag(self.bytes, ids);
            }
        }
        self.table(Some(name), FieldCount::AtMost(fields.len()), names, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check_mark(&Target::Enum)?;
        let ids = self.named(name, UnionIds::of(name))?;
        let (id, payload) = self.number()?;
        let payload = self.part(payload, self.rule.for_payload());
        visitor.visit_enum(Union { slot: self, id, name, ids, variants, payload })
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context
            .with_or_fail(move |document| adjacent::identifier(self.in_context(document), visitor))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(document) = self.context.document() {
            document.adjacent.set(Adjacent::Skipped(self.bytes.as_ptr().addr()));
        }
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.context.with_or_fail(move |document| {
            adjacent::struct_content(self.in_context(document), visitor)
        })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
