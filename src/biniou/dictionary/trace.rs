//! The names of a Rust type: a deserializer without data that makes values up and collects the names that
//! the type asks for. Knows names, does not know bytes.
//!
//! One pass shows one variant of each enum that it meets. So there are several passes, and each prefers
//! what no pass before has shown.

mod access;
mod kinds;

use alloc::collections::BTreeSet;

use serde_core::de::{Deserialize, Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use self::access::{Entries, Fields, Items, Variant};
use self::kinds::{Key, Kinds, Mode};
use crate::biniou::value::{self, VALUE, Value};
use crate::biniou::{Error, Result};
use crate::error::Fault;
use crate::glue::plain::Plain;

/// After so many passes in a row without a new name, the search ends.
const MOST_STALE: usize = 64;

/// How many values are made up in all, since types may refer to each other in very many ways.
const MOST_VALUES: usize = 1 << 18;

/// From the first depth on, values are made as small as possible; from the second on, none are made.
const SPARE_DEPTH: usize = 32;
const MAX_DEPTH: usize = 64;

/// All names that reading a `T` may ask for.
pub(super) fn names<'de, T: Deserialize<'de>>() -> BTreeSet<&'static str> {
    let mut trace = Trace {
        names: BTreeSet::new(),
        kinds: Kinds::default(),
        mode: Mode::Full,
        sample: 1,
        depth: 0,
        values: 0,
    };
    let mut stale = 0;
    while stale < MOST_STALE && trace.values < MOST_VALUES {
        trace.kinds.begin();
        trace.mode = Mode::Full;
        trace.depth = 0;
        match T::deserialize(&mut trace) {
            Ok(_) if !trace.kinds.is_pending => break,
            Ok(_) => {}
            // Other values may be accepted.
            Err(_) => trace.sample = trace.sample.wrapping_add(1),
        }
        stale = if trace.kinds.has_news { 0 } else { stale + 1 };
    }
    trace.names
}

/// One pass, and what the passes before it have shown.
struct Trace {
    names: BTreeSet<&'static str>,
    kinds: Kinds,
    mode: Mode,
    /// The number that values are made of.
    sample: u8,
    depth: usize,
    values: usize,
}

impl Trace {
    /// Makes a value that may have parts.
    fn nest<T>(&mut self, make: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.values += 1;
        if self.depth >= MAX_DEPTH || self.values > MOST_VALUES {
            return Err(Error::placeless(Fault::Unsupported("a type without an end")));
        }
        let outer = self.mode;
        self.depth += 1;
        if self.depth > SPARE_DEPTH {
            self.mode = Mode::Spare;
        }
        let value = make(self)?;
        self.depth -= 1;
        self.mode = outer;
        Ok(value)
    }

    /// Makes a value of a type that has a name.
    fn named<T>(
        &mut self,
        name: &'static str,
        parts: &'static [&'static str],
        make: impl FnOnce(&mut Self, Key) -> Result<T>,
    ) -> Result<T> {
        self.nest(|trace| {
            let key = Key::new(name, parts);
            let mode = trace.kinds.open(key, parts.len());
            if trace.depth <= SPARE_DEPTH {
                trace.mode = mode;
            }
            let value = make(trace, key)?;
            trace.kinds.close(key);
            Ok(value)
        })
    }

    fn text(&self) -> &'static str {
        match self.sample % 3 {
            1 => "",
            2 => "1",
            _ => "a",
        }
    }
}

/// Numbers: each as the type that is asked for.
macro_rules! made_up {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(self.sample.into())
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Trace {
    type Error = Error;

    /// A type that asks the data what it is.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.sample % 5 {
            1 => visitor.visit_unit(),
            2 => visitor.visit_u64(self.sample.into()),
            3 => visitor.visit_str(self.text()),
            4 => visitor.visit_seq(Items::none(self)),
            _ => visitor.visit_map(Entries::none(self)),
        }
    }

    made_up! {
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_f32 visit_f32
        deserialize_f64 visit_f64
        deserialize_char visit_char
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_i8(i8::try_from(self.sample).unwrap_or_default())
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_bool(self.sample % 2 == 1)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.text().as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.nest(|trace| match trace.mode {
            Mode::Full => visitor.visit_some(trace),
            Mode::Spare => visitor.visit_none(),
        })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        // A mark says nothing of the type it stands on.
        match name.contains('.') {
            true => self.nest(|trace| visitor.visit_newtype_struct(trace)),
            false => self.named(name, &[], |trace, _| visitor.visit_newtype_struct(trace)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.nest(|trace| visitor.visit_seq(Items::some(trace)))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.nest(|trace| visitor.visit_seq(Items::exactly(len, trace)))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.named(name, &[], |trace, _| visitor.visit_seq(Items::exactly(len, trace)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.nest(|trace| visitor.visit_map(Entries::some(trace)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.names.extend(fields);
        self.named(name, fields, |trace, key| visitor.visit_map(Fields::new(key, fields, trace)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name == VALUE {
            return value::visit(Value::Unit, Plain(visitor));
        }
        self.names.extend(variants);
        self.named(name, variants, |trace, key| {
            let Some((index, choice)) = trace.kinds.choose(key, trace.mode) else {
                return Err(Error::placeless(Fault::Unsupported("an enum without an end")));
            };
            let variant = variants.get(index).copied().unwrap_or_default();
            let value = visitor.visit_enum(Variant::new(variant, trace))?;
            trace.kinds.chosen(key, index, choice);
            Ok(value)
        })
    }

    forward_to_deserialize_any! { identifier ignored_any }

    fn is_human_readable(&self) -> bool {
        false
    }
}
