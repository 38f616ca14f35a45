//! Ids of unions: by index, by mark, and unknown ones; enums with other representations of serde.

use fourfold::molecule::with::Table;
use fourfold::molecule::{Options, Serializer, from_slice, to_vec};
use serde::{Deserialize, Serialize};

use crate::support::format::{Molecule, both_ways};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "union.Message.Pong-0.ping-9")]
enum Message {
    #[serde(rename = "ping")]
    Ping(u8),
    Pong(String),
}

#[test]
fn a_mark_sets_ids_by_serde_name() {
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
    assert_eq!(
        error.to_string(),
        "unknown union id 3 at byte 0; if the schema gives ids, use `#[serde(rename = \"union.Many.One-0.un-1.uno-2.Two-3.deux-4.Three-5\")]` with those"
    );
}

#[test]
fn other_reads_unknown_ids() {
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
    // An extra field without bytes is accepted: it may be a skipped field.
    assert_eq!(from_slice::<Plain>(&extra).unwrap(), text);
    let extra = [
        &[34, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0][..],
        &[18, 0, 0, 0, 12, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, b'x', 9],
    ]
    .concat();
    let error = from_slice::<Plain>(&extra).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table has 2 fields, the type has 1 in body at byte 20; use `Options::compatible(true)` to accept more fields"
    );
    let compatible = Options::new().compatible(true);
    assert_eq!(compatible.from_slice::<Plain>(&extra).unwrap(), text);

    // The same bytes except for the id.
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
fn adjacently_tagged_variants_have_the_ids_of_a_mark() {
    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    #[serde(tag = "kind", content = "body", rename = "union.Marked.Empty-0.B-1")]
    #[serde(deny_unknown_fields)]
    enum Marked {
        Empty {},
        B(u8),
    }

    for value in [Marked::Empty {}, Marked::B(1)] {
        both_ways::<Molecule, _>(&value);
        both_ways::<Molecule, _>(&(value.clone(), Some(vec![value])));
    }
}

#[test]
fn adjacently_tagged_unit_variants_are_refused() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind", content = "body")]
    enum Tagged {
        Nothing,
        Something(u8),
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind", content = "body", rename = "union.Marked.Nothing-7.B-1")]
    enum Marked {
        Nothing,
        B(u8),
    }

    fn path(value: &impl Serialize) -> String {
        let error = to_vec(value).unwrap_err();
        assert!(error.to_string().starts_with("a unit variant of an adjacently tagged enum could"));
        error.path().to_string()
    }

    assert_eq!(path(&Tagged::Nothing), "kind");
    assert_eq!(path(&Marked::Nothing), "kind");
    assert_eq!(path(&Some(Tagged::Nothing)), "kind");
    assert_eq!(path(&(1u8, Tagged::Nothing)), "[1].kind");
    assert_eq!(path(&vec![Tagged::Something(1), Tagged::Nothing]), "[1].kind");
    assert_eq!(path(&Table((Marked::Nothing, 1u8))), "[0].kind");
    let mut serializer = Serializer::new(Vec::new());
    assert!(Tagged::Nothing.serialize(&mut serializer).is_err());
    Tagged::Something(1).serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner(), to_vec(&Tagged::Something(1)).unwrap());

    // A tag without content, and a unit variant with content.
    let error = from_slice::<Tagged>(&[12, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "table has 1 field, the type has more at byte 4");
    for content in [&[][..], &[4, 0, 0, 0], &[0]] {
        let size = u8::try_from(16 + content.len()).unwrap();
        let head = [size, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0];
        let error = from_slice::<Tagged>(&[&head, content].concat()).unwrap_err();
        assert_eq!(error.offset(), Some(16), "{error}");
    }
}

#[test]
fn a_skipped_field_of_an_adjacently_tagged_variant_gets_its_default() {
    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    #[serde(tag = "kind", content = "body")]
    enum Tagged {
        Skips {
            #[serde(default, skip_serializing_if = "is_zero")]
            a: u8,
            b: Option<u8>,
            #[serde(default = "five", skip_serializing_if = "is_five")]
            c: u8,
        },
        Other(u8),
    }

    fn is_zero(a: &u8) -> bool {
        *a == 0
    }

    fn is_five(c: &u8) -> bool {
        *c == 5
    }

    fn five() -> u8 {
        5
    }

    for a in [0, 1] {
        for b in [None, Some(7)] {
            for c in [0, 5] {
                let value = Tagged::Skips { a, b, c };
                assert_eq!(from_slice::<Tagged>(&to_vec(&value).unwrap()).unwrap(), value);
                let values = vec![value, Tagged::Other(1), Tagged::Skips { a: 0, b, c: 5 }];
                assert_eq!(from_slice::<Vec<Tagged>>(&to_vec(&values).unwrap()).unwrap(), values);
            }
        }
    }
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
