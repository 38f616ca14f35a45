//! Marks: alone, nested, on types that they do not fit, and in other formats.

mod marked;

use fourfold::primitiv::with::{Named, Text, named, text};
use fourfold::primitiv::{from_slice, to_vec};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Event {
    Start,
    Stop(u32),
    Move { x: bool },
    Both(bool, bool),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "text.Blob")]
struct Blob(ByteBuf);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Marked {
    #[serde(with = "text")]
    name: ByteBuf,
    #[serde(with = "text")]
    maybe: Option<ByteBuf>,
    #[serde(with = "named")]
    event: Event,
    plain: Event,
    after: ByteBuf,
    blob: Blob,
}

#[test]
fn fields() {
    let marked = Marked {
        name: ByteBuf::from([0xff]),
        maybe: Some(ByteBuf::from([0xfe])),
        event: Event::Stop(1),
        plain: Event::Start,
        after: ByteBuf::from([1]),
        blob: Blob(ByteBuf::from([2])),
    };
    let bytes = [
        &[0xa1, 0xff, 0xa1, 0xfe, 0xa4, b'S', b't', b'o', b'p', 0xce, 0, 0, 0, 1][..],
        &[0xce, 0, 0, 0, 0, 0xc4, 1, 1, 0xa1, 2],
    ]
    .concat();
    assert_eq!(to_vec(&marked).unwrap(), bytes);
    assert_eq!(from_slice::<Marked>(&bytes).unwrap(), marked);
    let none = Marked { maybe: None, ..marked.clone() };
    assert_eq!(from_slice::<Marked>(&to_vec(&none).unwrap()).unwrap(), none);
    let json = serde_json::to_string(&marked).unwrap();
    assert_eq!(
        json,
        r#"{"name":[255],"maybe":[254],"event":{"Stop":1},"plain":"Start","after":[1],"blob":[2]}"#
    );
}

#[test]
fn wrappers() {
    for event in [Event::Start, Event::Stop(3), Event::Move { x: true }, Event::Both(true, false)] {
        let named = vec![Some(Named(Some(event.clone()))), None];
        let bytes = to_vec(&named).unwrap();
        assert_eq!(from_slice::<Vec<Option<Named<Option<Event>>>>>(&bytes).unwrap(), named);
        assert_ne!(bytes, to_vec(&vec![Some(Some(event)), None]).unwrap());
    }
    assert_eq!(to_vec(&Text("x")).unwrap(), to_vec("x").unwrap());
    let error = from_slice::<Named<Event>>(b"\xa4Step").unwrap_err();
    assert!(error.to_string().starts_with("unknown variant `Step`"), "{error}");
    assert_eq!(error.offset(), Some(0));
}

#[test]
fn marks_that_do_not_fit() {
    fn text<T>(result: fourfold::primitiv::Result<T>) -> String {
        result.map(drop).unwrap_err().to_string()
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "text.Pair")]
    struct Pair(u32, u32);

    assert_eq!(text(to_vec(&Text(1u32))), "the mark `text` fits bytes, not u32; remove the mark");
    assert_eq!(text(to_vec(&Named("x"))), "the mark `named` fits enums, not text; remove the mark");
    assert_eq!(
        text(to_vec(&Text(Event::Start))),
        "the mark `text` fits bytes, not an enum; remove the mark"
    );
    assert_eq!(
        text(to_vec(&Text((1u32, 2u32)))),
        "the mark `text` fits bytes, not a tuple or array; remove the mark"
    );
    assert_eq!(
        text(to_vec(&Text(vec![1u32]))),
        "the mark `text` fits bytes, not a sequence; remove the mark"
    );
    assert_eq!(
        text(to_vec(&Text(Named(1u8)))),
        "the mark `named` does not fit a value with another mark; remove one of the two marks"
    );
    assert_eq!(
        text(to_vec(&Pair(1, 2))),
        "the mark `text` fits bytes, not a tuple struct; remove the mark"
    );
    assert_eq!(
        text(from_slice::<Pair>(&[])),
        "the mark `text` fits bytes, not a tuple struct at byte 0; remove the mark"
    );
    assert_eq!(
        text(from_slice::<Text<u32>>(&[7])),
        "the mark `text` fits bytes, not an integer at byte 0; remove the mark"
    );
    assert_eq!(
        text(from_slice::<Named<String>>(&[7])),
        "the mark `named` fits enums, not text or bytes at byte 0; remove the mark"
    );
}
