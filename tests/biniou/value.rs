//! `Value`: its accessors, its bytes, and what has none.

use fourfold::biniou::{Category, ErrorKind, Table, Tag, Value, from_slice, hash, to_vec};

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

/// One of each kind.
fn every_kind() -> Vec<Value> {
    let table = Table {
        columns: vec![(5, Tag::Uvint), (6, Tag::String)],
        rows: vec![vec![Value::Uvint(1), text("a")]],
    };
    vec![
        Value::Unit,
        Value::Bool(true),
        Value::Int8(255),
        Value::Int16(65_535),
        Value::Int32(-5),
        Value::Int64(i64::MIN),
        Value::Float32(f32::NAN),
        Value::Float64(f64::INFINITY),
        Value::Uvint(1 << 70),
        Value::Svint(-7),
        text("é"),
        Value::String(vec![0xff, 0]),
        Value::Array(vec![Value::Uvint(1)]),
        Value::Tuple(vec![Value::Unit, text("")]),
        Value::Record(vec![(5, Value::Unit)]),
        Value::NumVariant(3, None),
        Value::Variant(9, Some(Box::new(Value::Unit))),
        Value::Table(Box::new(table)),
        Value::Shared(1, Box::new(Value::Unit)),
    ]
}

#[test]
fn a_value_is_read_back() {
    for value in every_kind() {
        assert_eq!(from_slice::<Value>(&to_vec(&value).unwrap()).unwrap(), value);
        let error = serde_json::to_string(&value).unwrap_err().to_string();
        assert!(error.contains("written by `fourfold::biniou` only"), "{error}");
    }
    for json in ["\"unit\"", "{\"bool\":true}", "[]"] {
        assert!(serde_json::from_str::<Value>(json).is_err(), "{json}");
    }
}

/// The rule that a value breaks, where it does.
#[test]
fn a_value_without_an_encoding_is_refused() {
    let unlike = || Value::Array(vec![Value::Unit, Value::Bool(true)]);
    let place = Value::Tuple(vec![Value::Unit, Value::Record(vec![(5, unlike())])]);
    for value in [place.clone(), Value::Overlong([1, 0], Box::new(place))] {
        let error = to_vec(&("before", value)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidValue(_)), "{error}");
        let text =
            "this value has no encoding: an array holds items of one tag in [1][1].#00000005[1]";
        assert_eq!(error.to_string(), text);
    }
    let deep = (0..5000).fold(Value::Unit, |value, _| Value::Tuple(vec![value]));
    let error = to_vec(&deep).unwrap_err();
    assert_eq!(error.category(), Category::Limit, "{error}");
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

/// Offsets inside of the value are none of the message.
#[test]
fn a_value_that_is_refused_has_no_offset() {
    let table =
        |rows| Value::Table(Box::new(Table { columns: Vec::new(), rows: vec![Vec::new(); rows] }));
    for value in [table(4097), Value::Tuple(vec![table(3000), table(3000)])] {
        let error = to_vec(&(1, value)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::EmptyRows { .. }), "{error}");
        assert_eq!((error.offset(), error.hint()), (None, None), "{error}");
        assert_eq!(error.path().to_string(), "[1]");
    }
}
