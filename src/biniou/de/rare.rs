//! What only the exact way reads: types that ask the data what it is, and values that look like others. Knows
//! what stands behind a tag, does not know which tags a type may have.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::access::Entries;
use super::node::{Node, RAW_VALUE};
use super::reading::{Rare, Reading};
use super::record::Fields;
use super::state::State;
use super::table::Table;
#[cfg(feature = "any")]
use crate::any::Part;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::raw::{self, LIST};
use crate::biniou::value;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Fault;
use crate::glue::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use crate::glue::erased;
use crate::glue::mark::with_hint;
use crate::glue::value::Always;
use crate::raw::{Found, Settings, Step, hand_over};
use crate::text;

/// A value in the exact way.
type ExactNode<'a, 'de> = Node<'a, 'de, State<'de>>;

pub(super) fn read<'de, V: Visitor<'de, Error>>(
    node: ExactNode<'_, 'de>,
    rare: Rare,
    visitor: V,
) -> Result<V::Value> {
    match rare {
        Rare::Any => any(node, visitor),
        Rare::Identifier => identifier(node, visitor),
        Rare::Numbers => numbers(node, visitor),
        Rare::Rows => rows(node, visitor),
        Rare::NamedEntries => node.input.level(|state| Fields::take(state, None)?.visit(visitor)),
        Rare::NamedFields => node.input.level(|state| Entries::take_named(state)?.visit(visitor)),
        Rare::OwnTree => own_tree(node, visitor),
        Rare::RawValue => node.deserialize_struct("", RAW_VALUE, visitor),
        Rare::Raw(name) => raw(node, name, visitor),
        #[cfg(feature = "any")]
        Rare::MarkedAny => marked_any(node, visitor),
    }
}

/// As the tag says. Variants become what JSON has for them: a name, or a map of one entry.
fn any<'de, V: Visitor<'de, Error>>(node: ExactNode<'_, 'de>, visitor: V) -> Result<V::Value> {
    State::open(node, |node| match Tag::from_byte(node.tag_and_mark.tag()) {
        Some(Tag::Bool) => node.deserialize_bool(visitor),
        Some(Tag::Int8 | Tag::Int16 | Tag::Uvint | Tag::Svint) => node.deserialize_i64(visitor),
        Some(Tag::Int32) => node.with_mark(Some(Mark::Int32)).deserialize_i64(visitor),
        Some(Tag::Int64) => node.with_mark(Some(Mark::Int64)).deserialize_i64(visitor),
        Some(Tag::Float32) => node.deserialize_f32(visitor),
        Some(Tag::Float64) => node.deserialize_f64(visitor),
        Some(Tag::String) => {
            let (bytes, _) = node.string()?;
            match text::checked(bytes) {
                Ok(text) => visitor.visit_borrowed_str(text),
                Err(_) => visitor.visit_borrowed_bytes(bytes),
            }
        }
        Some(Tag::Array) => {
            let mut ahead = node.input.reader;
            let count = wire::take_items(&mut ahead)?;
            if count > 0 && wire::take_tag(&mut ahead)? == Tag::Tuple {
                node.input.refuse_pairs(ahead)?;
            }
            node.items(visitor)
        }
        Some(Tag::Tuple) => node.items(visitor),
        Some(Tag::Table) => rows(node, visitor),
        Some(Tag::Record) => node.deserialize_map(visitor),
        Some(Tag::NumVariant) => node.deserialize_option(visitor),
        Some(Tag::Variant) => {
            let Node { input: state, .. } = node;
            let offset = state.reader.offset();
            let (hash, argument) = wire::take_variant(state)?;
            let name = match state.told_name(hash) {
                Some(name) => name.to_string(),
                None => return Err(Error::at(ErrorKind::NoName { of: "variant", hash }, offset)),
            };
            match argument {
                false => visitor.visit_string(name),
                true => state.level(|state| visit_as_map(state, name, visitor)),
            }
        }
        Some(Tag::Unit) => node.deserialize_unit(visitor),
        Some(Tag::Shared) | None => node.wrong_tag("a value"),
    })
}

fn identifier<'de, V: Visitor<'de, Error>>(
    node: ExactNode<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    match Tag::from_byte(node.tag_and_mark.tag()) {
        Some(Tag::Int32 | Tag::Int64) if node.mark().is_none() => any(node, visitor),
        Some(Tag::Uvint | Tag::Svint | Tag::Int8 | Tag::Int16) => node.deserialize_i64(visitor),
        Some(Tag::Bool) => node.deserialize_bool(visitor),
        _ => node.deserialize_str(visitor),
    }
}

/// A list of numbers as bytes, since serde writes `&[u8]` and `Cow<[u8]>` as such a list.
#[cold]
fn numbers<'de, V: Visitor<'de, Error>>(node: ExactNode<'_, 'de>, visitor: V) -> Result<V::Value> {
    let state = &mut *node.input;
    let mut ahead = state.reader;
    let count = wire::take_items(&mut ahead)?;
    if count == 0 || wire::take_tag(&mut ahead)? == Tag::Int8 {
        // Each is a byte as it stands there.
        let bytes = ahead.take(count)?;
        state.level(|state| {
            state.reader = ahead;
            Ok(())
        })?;
        return visitor.visit_borrowed_bytes(bytes);
    }
    let bytes: Vec<u8> = erased::value_by(|read| erased::read_by(node, read))?;
    visitor.visit_byte_buf(bytes).map_err(|_: Error| {
        let reason = "a list of numbers cannot be borrowed as bytes";
        let hint = Some(concat!(
            with_hint!("biniou", int8 Int8, "the field of the bytes"),
            "; or `#[serde(with = \"serde_bytes\")]`"
        ));
        Error::placeless(Fault::Unsupported { reason, hint })
    })
}

/// The rows of a TABLE, or of an ARRAY under the mark.
fn rows<'de, V: Visitor<'de, Error>>(node: ExactNode<'_, 'de>, visitor: V) -> Result<V::Value> {
    match Tag::from_byte(node.tag_and_mark.tag()) {
        Some(Tag::Table) => node.input.level(|state| Table::take(state)?.visit(state, visitor)),
        Some(Tag::Array) => node.with_mark(None).items(visitor),
        _ => node.wrong_tag("table or array"),
    }
}

/// A node of the format's own tree.
fn own_tree<'de, V: Visitor<'de, Error>>(node: ExactNode<'_, 'de>, visitor: V) -> Result<V::Value> {
    let Some(tag) = Tag::from_byte(node.tag_and_mark.tag()) else {
        return node.wrong_tag("a value");
    };
    let tree = node.input.own_tree(tag);
    value::visit(node.input.note_failure(tree)?, visitor)
}

/// Hands out the bytes of a part that is kept raw, once they are known to be a value.
fn raw<'de, V: Visitor<'de, Error>>(
    mut node: ExactNode<'_, 'de>,
    name: &'static str,
    visitor: V,
) -> Result<V::Value> {
    node.check_mark(Target::Raw)?;
    let Some(tag) = Tag::from_byte(node.tag_and_mark.tag()) else {
        return node.wrong_tag("a value");
    };
    if name == LIST && !matches!(tag, Tag::Array | Tag::Tuple | Tag::Table) {
        return node.wrong_tag("array, tuple or table");
    }
    let Node { input: state, at, .. } = node;
    let (start, depth) = (state.reader.offset(), state.depth.left());
    state.definitions.forget_references();
    let skipped = state.skip(tag);
    state.note_failure(skipped)?;
    let end = state.reader.offset();
    // Items are read by themselves, so none may know what is in another.
    let reference = match name == LIST {
        true => state.definitions.reference().map(|at| (raw::IN_LIST, at)),
        false => state.definitions.reference_before(start).map(|at| (raw::OUTSIDE, at)),
    };
    if let Some((kind, at)) = reference {
        return Err(Error::at(kind, at));
    }
    // No part in it begins at its first byte.
    let flags = if state.is_whole && at == 0 && start == 1 { raw::WHOLE } else { 0 };
    let settings = Settings { flags, depth, max_depth: state.max_depth };
    // The tag of an item stands in front of the first one.
    let (bytes, settings) = match at + 1 == start {
        true => (state.input(at..end), settings),
        false => (state.input(start..end), raw::headed(settings, tag)),
    };
    let offset = state.base.saturating_add(start).saturating_sub(1);
    let part = Found { bytes, offset, settings, route: state.outer.route() };
    let steps = state.steps.iter().cloned().map(Step::from);
    visitor.visit_enum(hand_over(part, steps))
}

/// Hands out the bytes of a part that is marked `any`: a string.
#[cfg(feature = "any")]
#[cold]
fn marked_any<'de, V: Visitor<'de, Error>>(
    node: ExactNode<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    node.of(Tag::String, Target::Any, |node| {
        let (bytes, offset) = node.input.take_string()?;
        node.input
            .wrapper(|state| visitor.visit_enum(Part::new(bytes, offset, state.depth.limits())))
    })
}

/// A variant's argument as a map of one entry.
fn visit_as_map<'de, V: Visitor<'de, Error>>(
    state: &mut State<'de>,
    name: String,
    visitor: V,
) -> Result<V::Value> {
    let offset = state.reader.offset();
    visitor
        .visit_map(NamedArgument { state, name: Some(name) })
        .map_err(|error| error.or_offset(offset))
}

/// A variant's argument under its name.
struct NamedArgument<'a, 'de> {
    state: &'a mut State<'de>,
    name: Option<String>,
}

impl<'de> MapAccess<'de> for NamedArgument<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        match self.name.take() {
            Some(name) => seed.deserialize(Always::new(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(Node::tagged(self.state, None)?)
    }
}
