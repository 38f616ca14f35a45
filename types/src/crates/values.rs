//! Values of other formats, and types that need a self-describing format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run::Run;
use crate::support::Rows;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Event {
    id: u32,
    payload: serde_json::Value,
    tags: Vec<Option<serde_json::Value>>,
}

trait Shape: erased_serde::Serialize {
    fn side(&self) -> u8;
}

#[derive(Serialize, Deserialize)]
struct Square(u8);

impl Shape for Square {
    fn side(&self) -> u8 {
        self.0
    }
}

erased_serde::serialize_trait_object!(Shape);

/// A trait object, written by erased-serde and read as its type.
struct Boxed(Box<dyn Shape>);

impl std::fmt::Debug for Boxed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Boxed({})", self.0.side())
    }
}

impl Serialize for Boxed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Boxed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Square::deserialize(deserializer).map(|square| Boxed(Box::new(square)))
    }
}

pub fn rows(run: &mut Run) {
    run.group("Values of other formats");
    run.row(
        "`serde_json::Value`",
        vec![
            json!(null),
            json!(true),
            json!(-1),
            json!(u64::MAX),
            json!(1.5),
            json!(""),
            json!("text"),
            json!([]),
            json!([1, "a", null]),
            json!([[1], [], {"a": 1}]),
            json!({}),
            json!({"a": 1}),
            json!({"a": {"b": [1, {"c": null}]}, "d": "e"}),
            json!([["a", 1], ["b", 2]]),
        ],
    );
    run.row(
        "`serde_json::Map`",
        vec![serde_json::Map::new(), json!({"a": 1, "b": [true]}).as_object().unwrap().clone()],
    );
    run.row(
        "`serde_json::Number`",
        vec![serde_json::Number::from(-1), serde_json::Number::from_f64(0.5).unwrap()],
    );
    run.row_by_json(
        "`serde_json::RawValue`",
        vec![serde_json::value::to_raw_value(&json!({"a": [1]})).unwrap()],
    );
    run.row(
        "a struct with `serde_json::Value`s",
        vec![
            Event { id: 1, payload: json!(null), tags: vec![] },
            Event {
                id: 2,
                payload: json!({"a": [1, {"b": "c"}]}),
                tags: vec![None, Some(json!("x"))],
            },
        ],
    );
    run.row(
        "`BTreeMap<String, serde_json::Value>`",
        vec![
            BTreeMap::new(),
            BTreeMap::from([("a".to_owned(), json!([1])), ("b".to_owned(), json!({"c": null}))]),
        ],
    );
    run.row(
        "`toml::Value`",
        vec![
            toml::Value::Integer(-1),
            toml::Value::Float(0.5),
            toml::Value::Boolean(true),
            toml::Value::String("text".into()),
            toml::Value::Array(vec![]),
            toml::Value::Array(vec![toml::Value::Integer(1), toml::Value::String("a".into())]),
            toml::Value::Table(toml::Table::new()),
            toml::from_str::<toml::Table>("a = 1\n[b]\nc = [1, 2]\n")
                .map(toml::Value::Table)
                .unwrap(),
            toml::Value::Datetime("2026-11-22T18:49:51Z".parse().unwrap()),
        ],
    );
    run.row("`toml::Datetime`", vec!["2026-11-22".parse::<toml::value::Datetime>().unwrap()]);
    use ciborium::Value as Cbor;
    run.row(
        "`ciborium::Value`",
        vec![
            Cbor::Null,
            Cbor::Bool(true),
            Cbor::Integer(7.into()),
            Cbor::Integer((-1).into()),
            Cbor::Integer(u64::MAX.into()),
            Cbor::Float(0.5),
            Cbor::Text("text".into()),
            Cbor::Bytes(b"ab".to_vec()),
            Cbor::Bytes(vec![0xff]),
            Cbor::Array(vec![]),
            Cbor::Array(vec![Cbor::Integer(1.into()), Cbor::Text("a".into())]),
            Cbor::Map(vec![]),
            Cbor::Map(vec![(Cbor::Text("a".into()), Cbor::Integer(1.into()))]),
            Cbor::Map(vec![(Cbor::Integer(1.into()), Cbor::Text("a".into()))]),
        ],
    );
    use rmpv::Value as Pack;
    run.row(
        "`rmpv::Value`",
        vec![
            Pack::Nil,
            Pack::Boolean(false),
            Pack::from(7),
            Pack::from(-1),
            Pack::F32(0.5),
            Pack::F64(0.1),
            Pack::from("text"),
            Pack::Binary(b"ab".to_vec()),
            Pack::Binary(vec![0xff]),
            Pack::Array(vec![]),
            Pack::Array(vec![Pack::from(1), Pack::Nil]),
            Pack::Map(vec![]),
            Pack::Map(vec![(Pack::from("a"), Pack::from(1))]),
            Pack::Map(vec![(Pack::from(1), Pack::from("a"))]),
            Pack::Ext(1, vec![1, 2, 3]),
        ],
    );
    run.row(
        "`ron::Value`",
        vec![
            ron::Value::Unit,
            ron::Value::Bool(true),
            ron::Value::Char('a'),
            ron::Value::Number(ron::Number::new(7)),
            ron::Value::Number(ron::Number::new(0.5)),
            ron::Value::String("text".into()),
            ron::Value::Option(None),
            ron::Value::Option(Some(Box::new(ron::Value::Bool(true)))),
            ron::Value::Seq(vec![ron::Value::Bool(true), ron::Value::Unit]),
            ron::Value::Map([("a", 1), ("b", 2)].into_iter().collect()),
        ],
    );
    run.row(
        "`serde_norway::Value`",
        vec![
            serde_norway::Value::Null,
            serde_norway::from_str("[1, a, {b: [true]}]").unwrap(),
            serde_norway::from_str("{a: 1, 2: b}").unwrap(),
            serde_norway::from_str("!tag 1").unwrap(),
        ],
    );
    run.row_by_json("`Box<dyn Trait>` by `erased_serde`", vec![Boxed(Box::new(Square(7)))]);
    geo(run);
    lsp(run);
}

fn geo(run: &mut Run) {
    run.group("GeoJSON, LSP");
    let read = |text: &str| text.parse::<geojson::GeoJson>().unwrap();
    run.row(
        "`geojson::GeoJson`",
        vec![
            read(r#"{"type":"Point","coordinates":[1.5,2]}"#),
            read(r#"{"type":"Feature","geometry":null,"properties":{"a":[1]}}"#),
            read(r#"{"type":"FeatureCollection","features":[]}"#),
        ],
    );
}

/// A row of lsp-types, from JSON.
macro_rules! lsp {
    ($run:ident: $($type:ident [$($json:tt)*])*) => {$(
        $run.row(
            concat!("`lsp_types::", stringify!($type), "`"),
            vec![$(serde_json::from_value::<lsp_types::$type>(json!($json)).unwrap()),*],
        );
    )*};
}

fn lsp(run: &mut Run) {
    lsp! { run:
        Position [{"line": 1, "character": 2}]
        Range [{"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}}]
        Diagnostic [{"range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}}, "message": "m"}
            {"range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}}, "message": "m",
             "severity": 1, "code": 7, "source": "s", "data": {"a": 1}}]
        NumberOrString [7 "text"]
        TextEdit [{"range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}}, "newText": "n"}]
        Command [{"title": "t", "command": "c"} {"title": "t", "command": "c", "arguments": [1, "a"]}]
        CompletionItem [{"label": "l"} {"label": "l", "kind": 3, "detail": "d", "insertText": "i"}]
        CompletionResponse [[{"label": "l"}] {"isIncomplete": false, "items": []}]
        Hover [{"contents": "text"} {"contents": {"kind": "markdown", "value": "v"}}]
        MarkupContent [{"kind": "plaintext", "value": "v"}]
        Location [{"uri": "file:///a", "range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}}}]
        WorkspaceEdit [{} {"changes": {"file:///a": []}}]
        ServerCapabilities [{} {"textDocumentSync": 1, "hoverProvider": true}]
        InitializeParams [{"processId": null, "rootUri": null, "capabilities": {}}]
        FoldingRange [{"startLine": 1, "endLine": 2}]
        SymbolKind [5]
        DocumentFilter [{} {"language": "rust"}]
        SemanticTokens [{"data": []} {"data": [1, 2, 3, 4, 5]}]
        CodeActionOrCommand [{"title": "t", "command": "c"} {"title": "t"}]
        FormattingOptions [{"tabSize": 4, "insertSpaces": true}]
    }
}
