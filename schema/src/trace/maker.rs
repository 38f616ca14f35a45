//! The deserializer that makes up a value and notes the type's requests.

use fourfold::mark::{empty_lazy, is_lazy};
use serde_core::de::{Deserializer, Visitor};

use super::access::{Items, VariantOf, newtype_address, some_address};
use super::fields::StructFields;
use super::{Failure, Fields, Graph, Id, Shown, Variants};

/// How much of a value is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Everything that its type can show.
    Full,
    /// As little as it accepts, so that types that contain themselves come to an end.
    Minimal,
}

/// A deserializer without data: makes one value.
pub(super) struct Maker<'g> {
    pub(super) graph: &'g mut Graph,
    /// The type.
    pub(super) at: Id,
    pub(super) mode: Mode,
}

impl Maker<'_> {
    fn note(&mut self, shown: Shown) {
        self.graph.note(self.at, shown);
    }

    fn text(&self) -> &'static str {
        match self.graph.sample % 3 {
            1 => "",
            2 => "1",
            _ => "a",
        }
    }

    /// A value of some kind.
    fn anything<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.graph.sample % 5 {
            1 => visitor.visit_unit(),
            2 => visitor.visit_u64(self.graph.sample.into()),
            3 => visitor.visit_str(self.text()),
            4 => visitor.visit_seq(Items::new(self, Some(0), &mut 0)),
            _ => visitor.visit_map(Items::new(self, Some(0), &mut 0)),
        }
    }

    /// Notes that a sequence or map was refused for lack of items, if that is why.
    fn check_emptiness<T>(graph: &mut Graph, at: Id, items: usize, made: &Result<T, Failure>) {
        if let (Err(_), 0, Some(node)) = (made, items, graph.nodes.get_mut(at.0)) {
            node.wants_items = true;
        }
    }
}

/// Numbers: each as the type that is requested.
macro_rules! scalars {
    ($($method:ident $visit:ident $type:ident)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
            self.note(Shown::Scalar(stringify!($type)));
            visitor.$visit(self.graph.sample.into())
        }
    )*};
}

impl<'de> Deserializer<'de> for Maker<'_> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Untyped);
        if let Some(node) = self.graph.nodes.get_mut(self.at.0) {
            match size_of::<V::Value>() {
                0 => node.has_units = true,
                _ => node.has_asked = true,
            }
        }
        self.anything(visitor)
    }

    scalars! {
        deserialize_u8 visit_u8 u8
        deserialize_u16 visit_u16 u16
        deserialize_u32 visit_u32 u32
        deserialize_u64 visit_u64 u64
        deserialize_u128 visit_u128 u128
        deserialize_i16 visit_i16 i16
        deserialize_i32 visit_i32 i32
        deserialize_i64 visit_i64 i64
        deserialize_i128 visit_i128 i128
        deserialize_f32 visit_f32 f32
        deserialize_f64 visit_f64 f64
        deserialize_char visit_char char
    }

    fn deserialize_i8<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Scalar("i8"));
        visitor.visit_i8(i8::try_from(self.graph.sample).unwrap_or_default())
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Scalar("bool"));
        visitor.visit_bool(self.graph.sample % 2 == 1)
    }

    fn deserialize_str<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Text);
        visitor.visit_borrowed_str(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Bytes);
        visitor.visit_borrowed_bytes(self.text().as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Option(None));
        if self.mode == Mode::Minimal {
            return visitor.visit_none();
        }
        let Maker { graph, at, mode } = self;
        let part = graph.id(some_address::<V>());
        graph.link(at, part, 0);
        let made = visitor.visit_some(graph.begin(part, mode)?);
        graph.end(part);
        made
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Unit);
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.note(Shown::UnitStruct(name));
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.note(Shown::Newtype(name, None));
        if is_lazy(name) {
            return visitor.visit_enum(empty_lazy::<Failure>());
        }
        let Maker { graph, at, mode } = self;
        let part = graph.id(newtype_address::<V>());
        graph.link(at, part, 0);
        let made = visitor.visit_newtype_struct(graph.begin(part, mode)?);
        graph.end(part);
        made
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Sequence(None));
        let (graph, at, mode) = (self.graph, self.at, self.mode);
        let mut begun = 0;
        let made = visitor.visit_seq(Items::new(Maker { graph, at, mode }, None, &mut begun));
        Maker::check_emptiness(graph, at, begun, &made);
        made
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.note(Shown::Tuple(vec![None; len]));
        visitor.visit_seq(Items::new(self, Some(len), &mut 0))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.note(Shown::TupleStruct(name, vec![None; len]));
        visitor.visit_seq(Items::new(self, Some(len), &mut 0))
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Map(None, None));
        let (graph, at, mode) = (self.graph, self.at, self.mode);
        let mut begun = 0;
        let made = visitor.visit_map(Items::new(Maker { graph, at, mode }, None, &mut begun));
        Maker::check_emptiness(graph, at, begun, &made);
        made
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.note(Shown::Struct(name, Fields::new(fields)));
        StructFields::make(self, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.note(Shown::Enum(name, Variants::new(variants)));
        let Maker { graph, at, mode } = self;
        let index = graph.choose(at, mode).ok_or(Failure::Refused)?;
        let before = graph.parts;
        let made = visitor.visit_enum(VariantOf { maker: Maker { graph, at, mode }, index });
        let parts = graph.parts - before;
        graph.chosen(at, index, made.is_ok().then_some(parts));
        made
    }

    fn deserialize_identifier<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Identifier);
        self.anything(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        self.note(Shown::Untyped);
        self.anything(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
