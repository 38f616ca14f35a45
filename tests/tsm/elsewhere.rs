//! Modules and tensors in other formats, and misplaced marks.

use crate::round_trip::assert_reason;
use fourfold::tsm::with::{RawBytes, RawLen};
use fourfold::tsm::{
    DType, Header, Module, ModuleBuilder, Param, Prototype, Tensor, from_slice, to_vec,
};
use serde::de::DeserializeSeed as _;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A document is written by its own format only.
#[test]
fn modules_in_other_formats() {
    let mut graph = ModuleBuilder::new();
    let w = graph.constant("w", Tensor::from_values(&[1.5_f32, -2.0], &[2]).unwrap());
    let module = graph.build([w], [w]).unwrap();
    let text = "bytes of tsm are written by `fourfold::tsm` only";
    assert!(serde_json::to_string(&module).unwrap_err().to_string().contains(text));
    for json in ["{}", "[]", "null"] {
        assert!(serde_json::from_str::<Module<'_>>(json).is_err());
    }
}

/// A document in a type of the user's own is its bytes.
#[test]
fn documents_in_other_types() {
    let mut graph = ModuleBuilder::new();
    graph.header(Header { fake: 3, ..Header::default() });
    let w = graph.constant("w", Tensor::from_values(&[1.5_f32, -2.0], &[2]).unwrap());
    let module = graph.build([w], [w]).unwrap();
    let bytes = to_vec(&(7_u8, &module, 8_u8)).unwrap();
    assert_eq!(bytes, [&[7], &*module.to_vec().unwrap(), &[8]].concat());
    assert_eq!(from_slice::<(u8, Module<'_>, u8)>(&bytes).unwrap(), (7, module, 8));
}

/// A prototype is the head of a packed tensor: the type's code, the count of dims, the dims.
#[test]
fn prototypes_are_values() {
    let prototype = Prototype::new(DType::Int16, [2, 3]);
    let bytes = to_vec(&prototype).unwrap();
    assert_eq!(bytes, [DType::Int16.code(), 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(from_slice::<Prototype>(&bytes).unwrap(), prototype);

    let negative = Prototype::new(DType::Int16, [2, -3]);
    assert_reason(&to_vec(&negative).unwrap_err(), &negative);
    let mut bytes = bytes;
    bytes[12] = 0xff;
    assert_reason(&from_slice::<Prototype>(&bytes).unwrap_err(), &negative);
}

/// Bytes whose length the type defines are read from all forms of bytes, if the length is right.
#[test]
fn bytes_of_one_length_elsewhere() {
    let json = serde_json::to_string(&RawBytes(b"abc")).unwrap();
    let read = |len| RawLen(len).deserialize(&mut serde_json::Deserializer::from_str(&json));
    assert_eq!(read(3).unwrap(), Cow::Borrowed(b"abc"));
    for (len, wanted) in [(2, "2 bytes"), (4, "4 bytes")] {
        let error = read(len).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    RawLen(1).deserialize(&mut serde_json::Deserializer::from_str("true")).unwrap_err();
}

#[test]
#[cfg(feature = "biniou")]
fn bytes_of_one_length_in_biniou() {
    use fourfold::biniou;

    let bytes = biniou::to_vec(&RawBytes(b"abc")).unwrap();
    for (len, fits) in [(2, false), (3, true), (4, false)] {
        let read = RawLen(len).deserialize(&mut biniou::Deserializer::from_slice(&bytes));
        assert_eq!(read.is_ok(), fits, "{len}: {read:?}");
        assert_eq!(matches!(read, Ok(Cow::Borrowed(b"abc"))), fits, "{len}: {read:?}");
    }
}

/// An entry of the index is shown on one line.
#[test]
fn entries_of_an_index_show_where_they_are() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let pair = [Tensor::scalar(1_u8), Tensor::scalar(2_u8)].into_iter().collect::<Vec<_>>();
    let y = graph.op("copy", "y", [x]).set("two", pair).node();
    let bytes = graph.build([x], [y]).unwrap().to_vec().unwrap();
    let module = Module::from_slice(&bytes).unwrap();
    let shown: Vec<String> = module
        .index()
        .iter()
        .filter(|entry| entry.param_name_str() == Some("two"))
        .map(ToString::to_string)
        .collect();
    let [first, second] = shown.as_slice() else { panic!("{shown:?}") };
    assert!(first.starts_with("y/two uint8 [1] at "), "{first}");
    assert!(second.starts_with("y/two[1] uint8 [1] at "), "{second}");
}

#[test]
fn headers_and_params_have_a_debug_text() {
    let mut header = Header::default();
    assert_eq!(format!("{header:?}"), "Header { fake: 0, code: 0x19910929, data: [] }");
    header.data[1] = 0xab;
    assert_eq!(format!("{header:?}"), "Header { fake: 0, code: 0x19910929, data: [00, ab] }");
    let param = Param::new("dim", Tensor::scalar(1_i32)).unwrap();
    assert_eq!(param.name_str(), Some("dim"));
    assert!(format!("{param:?}").starts_with("\"dim\": "), "{param:?}");
    let bytes = to_vec(&param).unwrap();
    let owned = from_slice::<Param<'_>>(&bytes).unwrap().into_owned();
    drop(bytes);
    assert_eq!(owned, param);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "raw.Marked")]
struct Marked<T>(T);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Choice {
    One(u8),
}

/// The mark fits bytes and arrays, in all formats.
#[test]
fn the_mark_raw_is_refused_on_other_types() {
    fn refused<'de, T: Serialize + Deserialize<'de> + Debug>(value: T) {
        let marked = Marked(value);
        assert_reason(&to_vec(&marked).unwrap_err(), &marked);
        assert_reason(&from_slice::<Marked<T>>(&[1; 64]).unwrap_err(), &marked);
    }
    refused(1_u32);
    refused('a');
    refused(true);
    refused("text".to_owned());
    refused(vec![1_u8]);
    refused(BTreeMap::from([(1_u8, 2_u8)]));
    refused(());
    refused(Choice::One(1));
    refused(Some(1_u8));

    let wrapped = Marked(Some(Marked([1_u8, 2])));
    assert_eq!(to_vec(&wrapped).unwrap(), [1, 1, 2]);
    assert_eq!(from_slice::<Marked<Option<Marked<[u8; 2]>>>>(&[1, 1, 2]).unwrap(), wrapped);
    let none = Marked(None::<[u8; 2]>);
    assert_eq!(to_vec(&none).unwrap(), [0]);
    assert_eq!(from_slice::<Marked<Option<[u8; 2]>>>(&[0]).unwrap(), none);
}

/// Items that are single bytes are written together; after them, other items are written one by one.
#[test]
fn items_that_are_not_all_bytes_are_written() {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Loose {
        Byte(u8),
        Text(&'static str),
    }
    use Loose::{Byte, Text};

    let items = vec![Byte(1), Byte(2), Text("a"), Byte(3), Text("")];
    let wanted = [5, 0, 0, 0, 1, 2, 1, 0, 0, 0, b'a', 3, 0, 0, 0, 0];
    assert_eq!(to_vec(&items).unwrap(), wanted);
    let mut streamed = Vec::new();
    fourfold::tsm::to_writer(&mut streamed, &items).unwrap();
    assert_eq!(streamed, wanted);
}
