//! Ids of unions: by index, by mark, unknown ones, and the enums that serde tags in other ways.

use fourfold::molecule::{Options, from_slice, to_vec};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "union.Message.Pong-0.ping-9")]
enum Message {
    #[serde(rename = "ping")]
    Ping(u8),
    Pong(String),
}

#[test]
fn a_mark_gives_ids_by_serde_name() {
    assert_eq!(to_vec(&Message::Ping(7)).unwrap(), [9, 0, 0, 0, 7]);
    assert_eq!(to_vec(&Message::Pong("x".into())).unwrap(), [0, 0, 0, 0, 1, 0, 0, 0, b'x']);
    assert_eq!(from_slice::<Message>(&[9, 0, 0, 0, 7]).unwrap(), Message::Ping(7));
    let error = from_slice::<Message>(&[1, 0, 0, 0, 7]).unwrap_err();
    assert_eq!(error.to_string(), "unknown union id 1 at byte 0");
}

#[test]
fn aliases_do_not_shift_ids() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Many {
        #[serde(alias = "un", alias = "uno")]
        One(u8),
        #[serde(alias = "deux")]
        Two {
            x: u8,
        },
        Three,
    }

    for value in [Many::One(1), Many::Two { x: 2 }, Many::Three] {
        assert_eq!(from_slice::<Many>(&to_vec(&value).unwrap()).unwrap(), value);
    }
    assert_eq!(to_vec(&Many::Three).unwrap(), [2, 0, 0, 0]);
    let error = from_slice::<Many>(&[3, 0, 0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "unknown union id 3 at byte 0");
}

#[test]
fn other_takes_unknown_ids() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Open {
        Known(u8),
        #[serde(other)]
        Unknown,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "union.Marked.Known-5.Unknown-4294967295")]
    enum Marked {
        Known(u8),
        #[serde(other)]
        Unknown,
    }

    assert_eq!(from_slice::<Open>(&[0, 0, 0, 0, 3]).unwrap(), Open::Known(3));
    assert_eq!(from_slice::<Open>(&[7, 0, 0, 0, 1, 2, 3]).unwrap(), Open::Unknown);
    assert_eq!(from_slice::<Marked>(&[5, 0, 0, 0, 3]).unwrap(), Marked::Known(3));
    assert_eq!(from_slice::<Marked>(&[0, 0, 0, 0, 1, 2, 3]).unwrap(), Marked::Unknown);
    let bytes = to_vec(&Marked::Unknown).unwrap();
    assert_eq!(bytes, [0xff; 4]);
    assert_eq!(from_slice::<Marked>(&bytes).unwrap(), Marked::Unknown);
}

#[test]
fn an_adjacent_tag_is_a_union_without_payload() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind", content = "body")]
    enum Plain {
        Number(u16),
        Text { text: String },
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind", content = "body", rename = "union.Marked.Number-1.Text-0")]
    enum Marked {
        Number(u16),
        Text { text: String },
    }

    let bytes = to_vec(&Plain::Number(5)).unwrap();
    assert_eq!(bytes, [18, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 5, 0]);
    assert_eq!(from_slice::<Plain>(&bytes).unwrap(), Plain::Number(5));
    let text = Plain::Text { text: "x".into() };
    assert_eq!(from_slice::<Plain>(&to_vec(&text).unwrap()).unwrap(), text);

    let bytes_of_text = to_vec(&text).unwrap();
    let extra = [
        &[33, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0][..],
        &[17, 0, 0, 0, 12, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, b'x'],
    ]
    .concat();
    assert_eq!(bytes_of_text[16..], [13, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, b'x']);
    assert!(from_slice::<Plain>(&extra).is_err());
    let extra = [
        &[34, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0][..],
        &[18, 0, 0, 0, 12, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, b'x', 9],
    ]
    .concat();
    let error = from_slice::<Plain>(&extra).unwrap_err();
    assert_eq!(error.to_string(), "table has 2 fields, the type has 1 in body at byte 20");
    let compatible = Options::new().compatible(true);
    assert_eq!(compatible.from_slice::<Plain>(&extra).unwrap(), text);

    // The same bytes but for the id.
    let marked = to_vec(&Marked::Number(5)).unwrap();
    assert_eq!((marked[12], marked.len()), (1, bytes.len()));
    assert_eq!(from_slice::<Marked>(&marked).unwrap(), Marked::Number(5));
    let text = Marked::Text { text: "x".into() };
    assert_eq!(from_slice::<Marked>(&to_vec(&text).unwrap()).unwrap(), text);
    let mut unknown = marked;
    unknown[12] = 2;
    let error = from_slice::<Marked>(&unknown).unwrap_err();
    assert_eq!(error.to_string(), "unknown union id 2 in kind at byte 12");
}

#[test]
fn the_unit_variant_of_an_adjacently_tagged_enum_is_refused_when_read() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind", content = "body")]
    enum Tagged {
        Nothing,
        Something(u8),
    }

    let bytes = to_vec(&Tagged::Nothing).unwrap();
    let error = from_slice::<Tagged>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "table has 1 field, the type has more at byte 4");
    let something = Tagged::Something(1);
    assert_eq!(from_slice::<Tagged>(&to_vec(&something).unwrap()).unwrap(), something);
}

#[test]
fn a_generic_enum_keeps_its_mark() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "union.Either.Left-10.Right-20")]
    enum Either<L, R> {
        Left(L),
        Right(R),
    }

    type Pair = Either<u8, Vec<Either<(), String>>>;
    let value: Pair = Either::Right(vec![Either::Left(()), Either::Right("x".into())]);
    let bytes = to_vec(&value).unwrap();
    assert_eq!(bytes[..4], [20, 0, 0, 0]);
    assert_eq!(from_slice::<Pair>(&bytes).unwrap(), value);
    assert_eq!(to_vec(&Pair::Left(1)).unwrap(), [10, 0, 0, 0, 1]);
}
