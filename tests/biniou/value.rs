//! `Value`: accessors, its JSON, and other types with the same name.

use fourfold::biniou::{Error, ErrorKind, Table, Tag, Value, from_slice, hash, to_vec};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value as Json, json};

fn text(text: &str) -> Value {
    Value::String(text.into())
}

/// A shared value with an overlong vint.
fn wrapped(value: Value) -> Value {
    Value::Shared(1, Box::new(Value::Overlong([1, 0], Box::new(value))))
}

#[test]
fn a_value_returns_its_kind() {
    for (value, number) in [
        (Value::Int8(200), Some(200)),
        (Value::Int16(60_000), Some(60_000)),
        (Value::Int32(-1), Some(-1)),
        (Value::Int64(i64::MIN), Some(i64::MIN.into())),
        (Value::Uvint(7), Some(7)),
        (Value::Svint(i128::MIN), Some(i128::MIN)),
        (Value::Uvint(u128::MAX), None),
        (Value::Float64(1.0), None),
        (text("1"), None),
    ] {
        assert_eq!(value.as_i128(), number, "{value:?}");
        let unsigned = number.and_then(|number| u128::try_from(number).ok());
        if value != Value::Uvint(u128::MAX) {
            assert_eq!(value.as_u128(), unsigned, "{value:?}");
        }
        assert_eq!(wrapped(value.clone()).as_i128(), number, "{value:?}");
        assert_eq!(wrapped(value.clone()).tag(), Tag::Shared);
    }
    assert_eq!(Value::Uvint(u128::MAX).as_u128(), Some(u128::MAX));
    assert_eq!(wrapped(Value::Bool(true)).as_bool(), Some(true));
    assert_eq!(Value::Uvint(1).as_bool(), None);
    assert_eq!(Value::Float32(0.5).as_f64(), Some(0.5));
    assert_eq!(wrapped(Value::Float64(0.1)).as_f64(), Some(0.1));
    assert_eq!(Value::Uvint(1).as_f64(), None);
    assert_eq!(wrapped(text("é")).as_str(), Some("é"));
    let bytes = Value::String(vec![0xff]);
    assert_eq!((bytes.as_str(), bytes.as_bytes()), (None, Some(&[0xff][..])));
    assert_eq!((Value::Unit.as_str(), Value::Unit.as_bytes()), (None, None));
    assert_eq!(Value::from(()), Value::Unit);
}

#[test]
fn a_value_returns_its_content() {
    let items = vec![Value::Uvint(1), text("b")];
    for value in [Value::Array(items.clone()), wrapped(Value::Tuple(items.clone()))] {
        assert_eq!(value.items(), Some(&items[..]));
        assert_eq!((value.item(1), value.item(2)), (Some(&items[1]), None));
        assert_eq!(value.get("x"), None);
    }
    let (x, y) = (hash("x"), hash("y"));
    let fields = vec![(x, Value::Uvint(1)), (y, Value::Unit), (x, Value::Uvint(2))];
    let record = wrapped(Value::Record(fields));
    assert_eq!(record.get("x"), Some(&Value::Uvint(2)), "the last counts");
    assert_eq!((record.get("z"), record.items(), record.item(0)), (None, None, None));
}

/// A value of each kind, with its JSON.
fn every_kind() -> Vec<(Value, Json)> {
    let wide = 1_u128 << 70;
    let table = Table {
        columns: vec![(5, Tag::Uvint), (6, Tag::String)],
        rows: vec![vec![Value::Uvint(1), text("a")]],
    };
    vec![
        (Value::Unit, json!("unit")),
        (Value::Bool(true), json!({"bool": true})),
        (Value::Int8(255), json!({"int8": 255})),
        (Value::Int16(65_535), json!({"int16": 65_535})),
        (Value::Int32(-5), json!({"int32": -5})),
        (Value::Int64(i64::MIN), json!({"int64": i64::MIN})),
        (Value::Float32(0.5), json!({"float32": 0.5})),
        (Value::Float32(f32::NAN), json!({"float32": "7fc00000"})),
        (Value::Float64(-1e300), json!({"float64": -1e300})),
        (Value::Float64(f64::INFINITY), json!({"float64": "7ff0000000000000"})),
        (Value::Uvint(7), json!({"uvint": 7})),
        (Value::Uvint(wide), serde_json::from_str(&format!("{{\"uvint\":{wide}}}")).unwrap()),
        (Value::Svint(-7), json!({"svint": -7})),
        (Value::Svint(7), json!({"svint": 7})),
        (text("é"), json!({"string": "é"})),
        (Value::String(vec![0xff, 0]), json!({"string": [255, 0]})),
        (Value::Array(vec![Value::Uvint(1)]), json!({"array": [{"uvint": 1}]})),
        (Value::Tuple(vec![Value::Unit, text("")]), json!({"tuple": ["unit", {"string": ""}]})),
        (Value::Record(vec![(5, Value::Unit)]), json!({"record": [[5, "unit"]]})),
        (Value::NumVariant(3, None), json!({"num_variant": [3, null]})),
        (Value::Variant(9, Some(Box::new(Value::Unit))), json!({"variant": [9, "unit"]})),
        (
            Value::Table(Box::new(table)),
            json!({"table": {
                "columns": [[5, "uvint"], [6, "string"]],
                "rows": [[{"uvint": 1}, {"string": "a"}]],
            }}),
        ),
        (Value::Shared(1, Box::new(Value::Unit)), json!({"shared": [1, "unit"]})),
    ]
}

#[test]
fn a_value_in_json_is_read_back() {
    for (value, json) in every_kind() {
        assert_eq!(serde_json::to_value(&value).unwrap(), json, "{value:?}");
        let back: Value = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(back, value, "{json}");
        let back: Value = serde_json::from_str(&json.to_string()).unwrap();
        assert_eq!(back, value, "{json}");
        assert_eq!(from_slice::<Value>(&to_vec(&value).unwrap()).unwrap(), value);
    }
}

/// Numbers are read from other kinds of numbers, if they fit.
#[test]
fn numbers_of_other_kinds_fit_or_are_refused() {
    for (json, value) in [
        (json!({"float64": 3}), Value::Float64(3.0)),
        (json!({"float64": -3}), Value::Float64(-3.0)),
        (json!({"float32": 3}), Value::Float32(3.0)),
        (json!({"float32": -3}), Value::Float32(-3.0)),
        (json!({"float32": 0.1}), Value::Float32(0.1)),
    ] {
        assert_eq!(serde_json::from_value::<Value>(json.clone()).unwrap(), value, "{json}");
        assert_eq!(serde_json::from_str::<Value>(&json.to_string()).unwrap(), value, "{json}");
    }
    for (json, expected) in [
        (r#"{"uvint": -1}"#, "an integer that is not negative"),
        (r#"{"uvint": 1.5}"#, "an integer that is not negative"),
        (r#"{"uvint": "1"}"#, "an integer that is not negative"),
        (r#"{"svint": 1.5}"#, "an integer"),
        (r#"{"svint": "00"}"#, "an integer"),
        (r#"{"float32": 1e300}"#, "a float of 32 bits or the 8 hexadecimal digits of its bits"),
        (r#"{"float32": "7fc0"}"#, "a float of 32 bits or the 8 hexadecimal digits of its bits"),
        (r#"{"float32": true}"#, "a float of 32 bits or the 8 hexadecimal digits of its bits"),
        (r#"{"float64": "xyzxyzxyzxyzxyzx"}"#, "a float or the 16 hexadecimal digits of its bits"),
        (r#"{"string": 7}"#, "a string or bytes"),
        (r#"{"table": 7}"#, "columns and rows"),
        (r#"{"table": {"columns": [], "cells": []}}"#, "unknown field `cells`"),
        (r#"{"table": {"columns": []}}"#, "missing field `rows`"),
        (r#"{"table": {"rows": []}}"#, "missing field `columns`"),
        (r#"{"table": {"columns": [[1, "reference"]], "rows": []}}"#, "is no tag of its own"),
        (r#"{"table": {"columns": [[1, "word"]], "rows": []}}"#, "unknown variant `word`"),
        (r#"{"word": 1}"#, "unknown variant `word`"),
    ] {
        let error = serde_json::from_str::<Value>(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{json}: {error}");
    }
}

/// Another enum of the name that `Value` has.
enum Impostor {
    Bool,
    Word,
    Uvint(Payload),
}

enum Payload {
    Text,
    UnitStruct,
    Newtype,
    TupleStruct,
    TupleVariant,
    Map,
    StructVariant,
    OtherEnum,
}

#[derive(Serialize, Deserialize)]
struct UnitStruct;

#[derive(Serialize)]
struct Newtype(u8);

#[derive(Serialize)]
struct TwoSlots(u8, u8);

#[derive(Serialize)]
enum Other {
    Unit,
    Slots(u8, u8),
    Fields { a: u8 },
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Payload::Text => "text".serialize(serializer),
            Payload::UnitStruct => UnitStruct.serialize(serializer),
            Payload::Newtype => Newtype(1).serialize(serializer),
            Payload::TupleStruct => TwoSlots(1, 2).serialize(serializer),
            Payload::TupleVariant => Other::Slots(1, 2).serialize(serializer),
            Payload::Map => std::collections::BTreeMap::from([(1, 2)]).serialize(serializer),
            Payload::StructVariant => Other::Fields { a: 1 }.serialize(serializer),
            Payload::OtherEnum => Other::Unit.serialize(serializer),
        }
    }
}

impl Impostor {
    /// The serde name of `Value`.
    fn name() -> &'static str {
        struct NameOnly;

        impl<'de> serde::Deserializer<'de> for NameOnly {
            type Error = Name;

            fn deserialize_enum<V: serde::de::Visitor<'de>>(
                self,
                name: &'static str,
                _: &'static [&'static str],
                _: V,
            ) -> Result<V::Value, Name> {
                Err(Name(name))
            }

            fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value, Name> {
                Err(Name(""))
            }

            serde::forward_to_deserialize_any! {
                bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
                option unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier
                ignored_any
            }
        }

        #[derive(Debug)]
        struct Name(&'static str);

        impl std::fmt::Display for Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.0)
            }
        }

        impl std::error::Error for Name {}

        impl serde::de::Error for Name {
            fn custom<T: std::fmt::Display>(_: T) -> Self {
                Name("")
            }
        }

        Value::deserialize(NameOnly).unwrap_err().0
    }
}

impl Serialize for Impostor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = Self::name();
        match self {
            Impostor::Bool => serializer.serialize_unit_variant(name, 0, "bool"),
            Impostor::Word => serializer.serialize_unit_variant(name, 99, "word"),
            Impostor::Uvint(payload) => {
                serializer.serialize_newtype_variant(name, 7, "uvint", payload)
            }
        }
    }
}

#[test]
fn an_enum_that_only_has_the_name_is_refused() {
    let refused = |value: Impostor, variant: &str| {
        let error: Error = to_vec(&value).unwrap_err();
        match error.kind() {
            ErrorKind::WrongTag { found, expected } => {
                assert_eq!((*found, *expected), ("another enum of that name", variant));
            }
            _ => panic!("{error}"),
        }
    };
    refused(Impostor::Bool, "bool");
    refused(Impostor::Word, "word");
    for payload in [
        Payload::Text,
        Payload::UnitStruct,
        Payload::Newtype,
        Payload::TupleStruct,
        Payload::TupleVariant,
        Payload::Map,
        Payload::StructVariant,
        Payload::OtherEnum,
    ] {
        refused(Impostor::Uvint(payload), "uvint");
    }
}

/// `ppx_deriving_biniou` numbers constructors, also those of options, and writes lists as tuples.
#[test]
fn files_of_other_writers_are_values() {
    let number = |number| Value::Svint(number);
    let one_and_nil = Value::Tuple(vec![number(1), Value::NumVariant(0, None)]);
    for (bytes, value) in [
        (&[22, 0x81, 17, 6][..], Value::NumVariant(1, Some(Box::new(number(3))))),
        (&[22, 0], Value::NumVariant(0, None)),
        (&[22, 0x81, 20, 2, 17, 2, 22, 0], Value::NumVariant(1, Some(Box::new(one_and_nil)))),
        (&[20, 1, 17, 2], Value::Tuple(vec![number(1)])),
    ] {
        assert_eq!(from_slice::<Value>(bytes).unwrap(), value);
        assert_eq!(to_vec(&value).unwrap(), bytes);
    }
}
