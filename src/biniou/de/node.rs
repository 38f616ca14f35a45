//! Reading a value whose tag is known. Knows which tags a type may have, does not know how parts follow
//! each other.

pub(super) mod integer;
mod list;

use alloc::string::ToString;

use super::access::{Entries, Variant};
use super::record::Fields;
use super::state::State;
#[cfg(feature = "any")]
use crate::any::Part;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::value::VALUE;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, ErrorKind, Result};
#[cfg(feature = "any")]
use crate::glue::de::Request;
use crate::glue::de::{Deserializer, Visitor};
use crate::text;
#[cfg(feature = "any")]
use crate::{
    any::unpack::{self, Unpacker},
    glue::mark::ANY,
};

/// `serde_json::value::RawValue`: written as a struct with a field of its own name, read as a newtype.
const RAW_VALUE: &[&str; 1] = &["$serde_json::private::RawValue"];

/// A deserializer for the value that the reader is at, behind its tag.
pub(super) struct Node<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    pub(super) tag: Tag,
    /// Where the tag lies, which may stand for many values.
    pub(super) at: usize,
    /// The mark that stands on the value.
    pub(super) mark: Option<Mark>,
}

impl<'a, 'de> Node<'a, 'de> {
    /// A value with its tag in front.
    #[inline]
    pub(super) fn tagged(state: &'a mut State<'de>, mark: Option<Mark>) -> Result<Self> {
        let at = state.reader.offset();
        let tag = wire::take_tag(&mut state.reader)?;
        Ok(Node { state, tag, at, mark })
    }

    /// Reads the value itself, which may be a shared one.
    #[inline]
    fn open<T>(self, read: impl FnOnce(Node<'_, 'de>) -> Result<T>) -> Result<T> {
        let Node { state, tag, at, mark } = self;
        let result = match tag {
            Tag::Shared => {
                let in_field = state.in_field;
                state.shared(|state, tag, at| {
                    state.in_field = in_field;
                    // A shared value may be shared itself.
                    Node { state, tag, at, mark }.open(read)
                })
            }
            _ => read(Node { state, tag, at, mark }),
        };
        state.failed |= result.is_err();
        result
    }

    /// Reads what is under the mark `shared`: the value of a SHARED, or a value that is not shared.
    fn under_shared<T>(self, read: impl FnOnce(Node<'_, 'de>) -> Result<T>) -> Result<T> {
        let Node { state, tag, at, .. } = self;
        state.in_field = false;
        let result = match tag {
            Tag::Shared => state.shared(|state, tag, at| read(Node { state, tag, at, mark: None })),
            _ => read(Node { state, tag, at, mark: None }),
        };
        state.failed |= result.is_err();
        result
    }

    /// The error for a tag other than the expected ones.
    #[cold]
    fn wrong_tag<T>(&self, expected: &'static str) -> Result<T> {
        let found = self.tag.name();
        Err(Error::at(ErrorKind::WrongTag { found, expected }, self.at))
    }

    /// Refuses a mark that does not fit.
    #[inline]
    fn check_mark(&mut self, target: Target) -> Result<()> {
        match self.mark {
            Some(mark) if !mark.fits(target) => {
                self.state.failed = true;
                Err(mark.misfit(target).or_offset(self.state.reader.offset()))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a mark in the name of a container that is no newtype struct.
    #[inline]
    fn check_name(&mut self, name: &'static str, target: Target) -> Result<()> {
        let result = Mark::refuse(name, target);
        self.state.failed |= result.is_err();
        result.map_err(|error| error.or_offset(self.state.reader.offset()))
    }

    /// Takes the bytes of a string, and where they begin.
    #[inline]
    fn string(mut self) -> Result<(&'de [u8], usize)> {
        self.check_mark(Target::Text)?;
        self.open(|node| match node.tag {
            Tag::String => node.state.take_string(),
            _ => node.wrong_tag("string"),
        })
    }
}

macro_rules! deserialize_integers {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
            self.visit_integer(visitor)
        }
    )*};
}

#[cfg(feature = "any")]
impl<'de> Node<'_, 'de> {
    /// Reads a value whose type is marked `any` by its name.
    #[cold]
    #[inline(never)]
    fn any_by<T>(
        mut self,
        read: impl FnOnce(&mut Unpacker<'de, ErrorKind>) -> Result<T>,
    ) -> Result<T> {
        self.check_mark(Target::Any)?;
        self.open(|node| match node.tag {
            Tag::String => {
                let (bytes, offset) = node.state.take_string()?;
                unpack::part_by(Part::new(bytes, offset, node.state.depth.limits()), read)
            }
            _ => node.wrong_tag("string"),
        })
    }

    /// Hands out the bytes of a part that is marked `any`: a string.
    #[cold]
    fn any<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Any)?;
        self.open(|node| match node.tag {
            Tag::String => {
                let (bytes, offset) = node.state.take_string()?;
                node.state.wrapper(|state| {
                    visitor.visit_enum(Part::new(bytes, offset, state.depth.limits()))
                })
            }
            _ => node.wrong_tag("string"),
        })
    }
}

impl<'de> Deserializer<'de> for Node<'_, 'de> {
    type Error = Error;

    #[cfg(feature = "any")]
    fn read<V: Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        match request.is_any() {
            true => self.any_by(|part| part.read(request, visitor)),
            false => self.dispatch(request, visitor),
        }
    }

    deserialize_integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    /// As the tag says. Variants become what JSON has for them: a name, or a map of one entry.
    #[inline(never)]
    fn deserialize_any<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.open(|node| match node.tag {
            Tag::Bool => node.deserialize_bool(visitor),
            Tag::Int8 | Tag::Int16 | Tag::Uvint | Tag::Svint => node.visit_integer(visitor),
            Tag::Int32 => Node { mark: Some(Mark::Int32), ..node }.visit_integer(visitor),
            Tag::Int64 => Node { mark: Some(Mark::Int64), ..node }.visit_integer(visitor),
            Tag::Float32 => node.deserialize_f32(visitor),
            Tag::Float64 => node.deserialize_f64(visitor),
            Tag::String => {
                let (bytes, _) = node.string()?;
                match text::checked(bytes) {
                    Ok(text) => visitor.visit_borrowed_str(text),
                    Err(_) => visitor.visit_borrowed_bytes(bytes),
                }
            }
            Tag::Array => {
                let mut ahead = node.state.reader;
                let count = wire::take_items(&mut ahead)?;
                if count > 0 && wire::take_tag(&mut ahead)? == Tag::Tuple {
                    node.state.refuse_pairs(ahead)?;
                }
                node.items(visitor)
            }
            Tag::Tuple | Tag::Table => node.items(visitor),
            Tag::Record => node.deserialize_map(visitor),
            Tag::NumVariant => node.deserialize_option(visitor),
            Tag::Variant => {
                let Node { state, .. } = node;
                let offset = state.reader.offset();
                let (hash, argument) = wire::take_variant(&mut state.reader)?;
                let name = match state.told_name(hash) {
                    Some(name) => name.to_string(),
                    None => return Err(Error::at(ErrorKind::NoName { hash }, offset)),
                };
                match argument {
                    false => visitor.visit_string(name),
                    true => state.level(|state| Variant::visit_as_map(state, name, visitor)),
                }
            }
            Tag::Unit => node.deserialize_unit(visitor),
            Tag::Shared => node.wrong_tag("a value"),
        })
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Bool)?;
        let value = self.open(|node| match node.tag {
            Tag::Bool => wire::take_bool(&mut node.state.reader),
            _ => node.wrong_tag("bool"),
        })?;
        visitor.visit_bool(value)
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Float)?;
        let value = self.open(|node| match node.tag {
            Tag::Float32 => Ok(f32::from_be_bytes(node.state.reader.take_array()?)),
            _ => node.wrong_tag("float32"),
        })?;
        visitor.visit_f32(value)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Float)?;
        let value = self.open(|node| match (node.tag, node.mark) {
            (Tag::Float32, Some(_)) => {
                Ok(f64::from(f32::from_be_bytes(node.state.reader.take_array()?)))
            }
            (_, Some(_)) => node.wrong_tag("float32"),
            (Tag::Float64, None) => Ok(f64::from_be_bytes(node.state.reader.take_array()?)),
            (_, None) => node.wrong_tag("float64"),
        })?;
        visitor.visit_f64(value)
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        if !self.mark.is_some_and(|mark| mark.fits(Target::Char)) {
            return self.deserialize_str(visitor);
        }
        let code = self.open(|node| match node.tag {
            Tag::Int8 => Ok(u8::from_be_bytes(node.state.reader.take_array()?)),
            _ => node.wrong_tag("int8"),
        })?;
        visitor.visit_char(char::from(code))
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let (bytes, offset) = self.string()?;
        visitor.visit_borrowed_str(text::utf8::<ErrorKind>(bytes, offset)?)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        match self.tag {
            Tag::Array => self.numbers(visitor),
            _ => visitor.visit_borrowed_bytes(self.string()?.0),
        }
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline(never)]
    fn deserialize_option<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let Node { state, tag, at, mark } = self;
        if mark == Some(Mark::Optional) && state.in_field {
            // The field is there, so this is `Some`, and nothing stands in front of it.
            state.in_field = false;
            return state.wrapper(|state| visitor.visit_some(Node { state, tag, at, mark: None }));
        }
        let mark = Mark::in_option(mark);
        Node { state, tag, at, mark }.open(|node| {
            if node.tag != Tag::NumVariant {
                return node.wrong_tag("num_variant");
            }
            let Node { state, mark, .. } = node;
            match wire::take_option(&mut state.reader)? {
                false => visitor.visit_none(),
                true => state.level(|state| {
                    let at = state.reader.offset();
                    let value = visitor.visit_some(Node::tagged(state, mark)?)?;
                    state.skip_if_unread(at, None).map(|()| value)
                }),
            }
        })
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Unit)?;
        self.open(|node| match node.tag {
            Tag::Unit => wire::take_unit(&mut node.state.reader),
            _ => node.wrong_tag("unit"),
        })?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de, Error>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, Target::UnitStruct)?;
        self.deserialize_unit(visitor)
    }

    #[inline(never)]
    fn deserialize_newtype_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self.any(visitor);
        }
        if name == RAW_VALUE[0] {
            return self.deserialize_struct("", RAW_VALUE, visitor);
        }
        let Node { state, tag, at, mark } = self;
        let mark = match Mark::one_of(mark, name) {
            Ok(mark) => mark,
            Err(error) => {
                state.failed = true;
                return Err(error.or_offset(state.reader.offset()));
            }
        };
        state.wrapper(|state| {
            let node = Node { state, tag, at, mark };
            match mark {
                Some(Mark::Shared { .. }) => {
                    node.under_shared(|node| visitor.visit_newtype_struct(node))
                }
                _ => visitor.visit_newtype_struct(node),
            }
        })
    }

    #[inline(never)]
    fn deserialize_seq<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Sequence)?;
        self.open(|node| match (node.tag, node.mark) {
            (Tag::Array | Tag::Tuple | Tag::Table, None) => node.items(visitor),
            (Tag::Array | Tag::Table, Some(Mark::Table)) => {
                Node { mark: None, ..node }.items(visitor)
            }
            (_, Some(Mark::Table)) => node.wrong_tag("table or array"),
            (Tag::Array | Tag::Tuple, Some(_)) => node.items(visitor),
            _ => node.wrong_tag("array, tuple or table"),
        })
    }

    #[inline(never)]
    fn deserialize_tuple<V: Visitor<'de, Error>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_mark(Target::Tuple)?;
        self.open(|node| match (node.tag, node.mark) {
            (Tag::Array | Tag::Table, Some(Mark::Table)) => {
                Node { mark: None, ..node }.items(visitor)
            }
            (_, Some(Mark::Table)) => node.wrong_tag("table or array"),
            (Tag::Tuple, _) => node.cells(len, false, visitor),
            _ => node.wrong_tag("tuple"),
        })
    }

    #[inline(never)]
    fn deserialize_tuple_struct<V: Visitor<'de, Error>>(
        mut self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, Target::TupleStruct)?;
        self.check_mark(Target::TupleStruct)?;
        self.open(|node| match node.tag {
            Tag::Tuple => node.cells(len, true, visitor),
            _ => node.wrong_tag("tuple"),
        })
    }

    /// A map is an ARRAY of TUPLEs. A RECORD is one too, if its names are told.
    #[inline(never)]
    fn deserialize_map<V: Visitor<'de, Error>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Map)?;
        self.open(|node| {
            let Node { state, tag, at, .. } = node;
            match tag {
                Tag::Array => state.level(|state| Entries::take(state)?.visit(visitor)),
                Tag::Record => state.level(|state| Fields::take(state, None)?.visit(visitor)),
                _ => Node { state, tag, at, mark: None }.wrong_tag("array of tuples"),
            }
        })
    }

    #[inline(never)]
    fn deserialize_struct<V: Visitor<'de, Error>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, Target::Struct)?;
        self.check_mark(Target::Struct)?;
        self.open(|node| {
            let Node { state, tag, at, .. } = node;
            match tag {
                Tag::Record => {
                    let names = state.names.of(fields)?;
                    state.level(|state| Fields::take(state, Some(names))?.visit(visitor))
                }
                // Some structs are written as maps, whose keys are their names.
                Tag::Array => state.level(|state| Entries::take_named(state)?.visit(visitor)),
                _ => Node { state, tag, at, mark: None }.wrong_tag("record"),
            }
        })
    }

    #[inline(never)]
    fn deserialize_enum<V: Visitor<'de, Error>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name == VALUE {
            return self.own_tree(visitor);
        }
        self.check_name(name, Target::Enum)?;
        self.check_mark(Target::Enum)?;
        self.open(|node| match node.tag {
            Tag::Variant => {
                let names = node.state.names.of(variants)?;
                Variant::take(node.state, names)?.visit(visitor)
            }
            _ => node.wrong_tag("variant"),
        })
    }

    /// The name of a field: text, or what a flattened map has for one.
    #[inline(never)]
    fn deserialize_identifier<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        match self.tag {
            Tag::Int32 | Tag::Int64 if self.mark.is_none() => self.deserialize_any(visitor),
            Tag::Uvint | Tag::Svint | Tag::Int8 | Tag::Int16 => self.visit_integer(visitor),
            Tag::Bool => self.deserialize_bool(visitor),
            _ => self.deserialize_str(visitor),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        let result = self.state.skip(self.tag);
        self.state.failed |= result.is_err();
        result.and_then(|()| visitor.visit_unit())
    }
}
