//! Compares what serde shows of a decoded value with the JSON of atdgen.
//!
//! atdgen's JSON shows less than serde in one way, since it leaves out fields that have their
//! default value, and more in another: it distinguishes `None` from `Some(None)`. Where both are
//! ambiguous, the rewritten bytes decide.

use serde_json::{Map, Value, json};

use crate::support::visits::visits;

/// Fields that JSON leaves out when they have these values. A record is known by its first field.
const DEFAULTS: [(&str, &[(&str, &str)]); 13] = [
    ("a", &[("a", "0"), ("b", "null")]),
    ("id", &[("nick", "null"), ("age", "null"), ("where", "null"), ("maybe", "null")]),
    (
        "name",
        &[
            ("count", "0"),
            ("level", "7"),
            ("ratio", "0.0"),
            ("scale", "1.5"),
            ("label", r#""""#),
            ("title", r#""none""#),
            ("on", "false"),
            ("tags", "[]"),
            ("extra", "null"),
        ],
    ),
    ("base_id", &[("base_note", r#""""#)]),
    ("deep", &[("tail", "null")]),
    ("key", &[("comment", "null"), ("hits", "0"), ("labels", "[]")]),
    ("caption", &[("more", "[]")]),
    ("st", &[("col", "null"), ("fallback", r#""Red""#)]),
    ("link", &[("next", "null")]),
    ("rose_label", &[("children", "[]")]),
    ("entity_id", &[("custom_name", "null")]),
    ("recipes", &[("recipes", "[]"), ("to_be_displayed", "[]")]),
    (
        "game_type",
        &[
            ("spawn_dimension", "null"),
            ("spawn_forced", "null"),
            ("entered_nether_position", "null"),
            ("root_vehicle", "null"),
            ("shoulder_entity_left", "null"),
            ("shoulder_entity_right", "null"),
        ],
    ),
];

/// Fields with another name in JSON: `<json name="..">`.
const RENAMED: [(&str, &str); 2] = [("kind", "jsonKind"), ("tally", "n")];

/// The JSON of a fixture. An object with equal keys, which only an association list can be,
/// becomes a list of pairs, so that none is lost.
pub fn parse(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    match (&value, serde_json::from_str(text)) {
        (Value::Object(map), Ok(Pairs(pairs))) if pairs.len() > map.len() => json!(pairs),
        _ => value,
    }
}

struct Pairs(Vec<(String, Value)>);

visits! { Pairs, "an object", deserialize_map():
    visit_map |map| {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}

/// Reports where and how the decoded value differs from the wanted one.
pub fn compare(decoded: &Value, wanted: &Value) -> Result<(), String> {
    compare_at("value", decoded, wanted)
}

fn compare_at(path: &str, decoded: &Value, wanted: &Value) -> Result<(), String> {
    if let Some(wanted) = some_of(wanted).filter(|_| some_of(decoded).is_none()) {
        return compare_at(path, decoded, wanted);
    }
    let same = match (wanted, decoded) {
        (Value::Null, _) => decoded.is_null(),
        (Value::Bool(wanted), Value::Bool(decoded)) => wanted == decoded,
        (Value::Number(wanted), Value::Number(decoded)) => {
            is_number(wanted.as_str(), decoded.as_str())
        }
        // A char is its code.
        (Value::Number(wanted), Value::String(decoded)) => {
            let mut chars = decoded.chars();
            let code = chars.next().filter(|_| chars.next().is_none()).map(u32::from);
            code.is_some_and(|code| wanted.as_str() == code.to_string())
        }
        (Value::String(wanted), Value::String(decoded)) => wanted == decoded,
        // An int64 is a text.
        (Value::String(wanted), Value::Number(decoded)) => {
            wanted == decoded.as_str() && !is_float(wanted)
        }
        (Value::String(wanted), Value::Null) => wanted == "None",
        (Value::Array(wanted), Value::Array(decoded)) if wanted.len() == decoded.len() => {
            for (i, (wanted, decoded)) in wanted.iter().zip(decoded).enumerate() {
                compare_at(&format!("{path}[{i}]"), decoded, wanted)?;
            }
            true
        }
        // A variant with an argument.
        (Value::Array(pair), Value::Object(variant)) => match (pair.as_slice(), one(variant)) {
            ([Value::String(wanted), argument], Some((name, decoded))) if wanted == name => {
                return compare_at(&format!("{path}.{name}"), decoded, argument);
            }
            _ => false,
        },
        // An association list.
        (Value::Object(wanted), Value::Array(decoded)) => {
            let wanted: Vec<_> = wanted.iter().map(|(key, value)| json!([key, value])).collect();
            return compare_at(path, &json!(decoded), &json!(wanted));
        }
        (Value::Object(wanted), Value::Object(decoded)) => {
            return compare_records(path, decoded, wanted);
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("{path}: {decoded}, wanted {wanted}")) }
}

/// The content of `["Some", content]`.
fn some_of(value: &Value) -> Option<&Value> {
    match value.as_array()?.as_slice() {
        [Value::String(name), content] if name == "Some" => Some(content),
        _ => None,
    }
}

/// The only entry of an object.
fn one(map: &Map<String, Value>) -> Option<(&String, &Value)> {
    map.iter().next().filter(|_| map.len() == 1)
}

/// Floats are distinguished from integers by a point or exponent.
fn is_float(text: &str) -> bool {
    text.contains(['.', 'e', 'E'])
}

/// Whether the two are one number. A decoded float32 shows only as many digits as it needs; the
/// wanted number has all of them.
fn is_number(wanted: &str, decoded: &str) -> bool {
    if !is_float(wanted) || !is_float(decoded) {
        return wanted == decoded;
    }
    let wanted: f64 = wanted.parse().unwrap();
    let wide: f64 = decoded.parse().unwrap();
    let narrow: f32 = decoded.parse().unwrap();
    [wide, f64::from(narrow)].iter().any(|decoded| decoded.to_bits() == wanted.to_bits())
}

fn compare_records(
    path: &str,
    decoded: &Map<String, Value>,
    wanted: &Map<String, Value>,
) -> Result<(), String> {
    let mut seen = 0;
    for (name, decoded_field) in decoded {
        let json_name = RENAMED.iter().find(|(atd, _)| atd == name).map_or(&**name, |(_, n)| n);
        let path = format!("{path}.{name}");
        match wanted.get(json_name) {
            Some(wanted_field) => {
                seen += 1;
                compare_at(&path, decoded_field, wanted_field)?;
            }
            None => match default_of(decoded, name) {
                Some(default) => compare_at(&path, decoded_field, &default)?,
                None => return Err(format!("{path}: {decoded_field}, wanted no such field")),
            },
        }
    }
    if seen < wanted.len() {
        let keys = [decoded, wanted].map(|map| map.keys().collect::<Vec<_>>());
        return Err(format!("{path}: fields {:?}, wanted {:?}", keys[0], keys[1]));
    }
    Ok(())
}

/// The value of an absent field of a record, if it may be absent.
fn default_of(record: &Map<String, Value>, field: &str) -> Option<Value> {
    let first = record.keys().next()?;
    let (_, defaults) = DEFAULTS.iter().find(|(name, _)| name == first)?;
    let (_, text) = defaults.iter().find(|(name, _)| *name == field)?;
    Some(parse(text))
}

#[test]
fn sees_what_is_equal() {
    let cases = [
        (json!(null), "null"),
        (json!(-5), "-5"),
        (json!(i64::MIN), r#""-9223372036854775808""#),
        (json!(-0.0), "-0.0"),
        (json!(1e100), "1e+100"),
        (json!(0.1f32), "0.10000000149011612"),
        (json!(0.1f64), "0.1"),
        (json!("A"), "65"),
        (json!("\u{ff}"), "255"),
        (json!(null), r#""None""#),
        (json!(3), r#"["Some",3]"#),
        (json!(3), r#"["Some",["Some",3]]"#),
        (json!(null), r#"["Some",null]"#),
        (json!([1, 2]), r#"["Some",[1,2]]"#),
        (json!(["Some", 1]), r#"["Some",1]"#),
        (json!("Red"), r#""Red""#),
        (json!({ "Rgb": [1, 2, 3] }), r#"["Rgb",[1,2,3]]"#),
        (json!({ "Opt_arg": null }), r#"["Opt_arg","None"]"#),
        (json!([["k", 1], ["l", 2]]), r#"{"k":1,"l":2}"#),
        (json!([["k", 1], ["k", 2]]), r#"{"k":1,"k":2}"#),
        (json!([]), "{}"),
        (json!({ "a": 0, "b": null }), "{}"),
        (json!({ "a": 3, "b": "x" }), r#"{"a":3,"b":"x"}"#),
        (json!({ "kind": "k", "tally": 4 }), r#"{"jsonKind":"k","n":4}"#),
    ];
    for (decoded, wanted) in cases {
        assert_eq!(compare(&decoded, &parse(wanted)), Ok(()), "{wanted}");
    }
}

#[test]
fn sees_what_differs() {
    let cases = [
        (json!(2), "1", "value: 2, wanted 1"),
        (json!(1.0), "1", "value: 1.0, wanted 1"),
        (json!(1), "1.0", "value: 1, wanted 1.0"),
        (json!(0.0), "-0.0", "value: 0.0, wanted -0.0"),
        (json!(0.1f64), "0.2", "value: 0.1, wanted 0.2"),
        (json!(1), r#""2""#, "value: 1, wanted \"2\""),
        (json!(1.5), r#""1.5""#, "value: 1.5, wanted \"1.5\""),
        (json!(true), "false", "value: true, wanted false"),
        (json!(0), "null", "value: 0, wanted null"),
        (json!(null), "0", "value: null, wanted 0"),
        (json!(null), r#""Red""#, "value: null, wanted \"Red\""),
        (json!(0), r#""None""#, "value: 0, wanted \"None\""),
        (json!(4), r#"["Some",3]"#, "value: 4, wanted 3"),
        (json!(null), r#"["Some",3]"#, "value: null, wanted 3"),
        (json!("B"), "65", "value: \"B\", wanted 65"),
        (json!("AB"), "65", "value: \"AB\", wanted 65"),
        (json!("a"), r#""b""#, "value: \"a\", wanted \"b\""),
        (json!("Gray"), r#"["Gray",1]"#, "value: \"Gray\", wanted [\"Gray\",1]"),
        (json!({ "Gray": 2 }), r#"["Gray",1]"#, "value.Gray: 2, wanted 1"),
        (json!({ "Gray": 1 }), r#""Gray""#, "value: {\"Gray\":1}, wanted \"Gray\""),
        (json!({ "Rgb": 1 }), r#"["Gray",1]"#, "value: {\"Rgb\":1}, wanted [\"Gray\",1]"),
        (json!([1, 2]), "[1]", "value: [1,2], wanted [1]"),
        (json!([[1], [2]]), "[[1],[3]]", "value[1][0]: 2, wanted 3"),
        (json!([["k", 1]]), r#"{"k":2}"#, "value[0][1]: 1, wanted 2"),
        (json!([["k", 2]]), r#"{"k":1,"k":2}"#, r#"value: [["k",2]], wanted [["k",1],["k",2]]"#),
        (json!({ "x": 1, "y": 2 }), r#"{"x":1,"y":3}"#, "value.y: 2, wanted 3"),
        (json!({ "x": 1, "y": 0 }), r#"{"x":1}"#, "value.y: 0, wanted no such field"),
        (json!({ "x": 1 }), r#"{"x":1,"y":2}"#, r#"value: fields ["x"], wanted ["x", "y"]"#),
        (json!({ "a": 1, "b": null }), "{}", "value.a: 1, wanted 0"),
        (json!({ "a": 0, "b": "x" }), "{}", "value.b: \"x\", wanted null"),
        (json!({ "kind": "k" }), r#"{"kind":"k"}"#, r#"value.kind: "k", wanted no such field"#),
    ];
    for (decoded, wanted, text) in cases {
        assert_eq!(compare(&decoded, &parse(wanted)), Err(text.to_owned()), "{decoded} {wanted}");
    }
}
