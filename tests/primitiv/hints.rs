//! The text of every refusal, and its hint applied.

use fourfold::primitiv::{File, Lazy, Model, Options, OwnedRaw, Raw, from_slice, to_vec, with};
use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::support::format::Primitiv;
use crate::support::hints::common;
use crate::support::hints::places::{
    Plain, self_describing_in_each_place, skipped_in_each_place, unknown_length_in_each_place,
};
use crate::support::hints::{Refusals, attribute, wrapper};
use crate::vectors::FIXTURES;

/// A hint to mark a value.
fn marked(module: &str, wrapper: &str, field: &str) -> String {
    format!(
        "use `#[serde(with = \"fourfold::primitiv::with::{module}\")]` on {field}, or \
         `fourfold::primitiv::with::{wrapper}(value)` where there is no field"
    )
}

fn any(field: &str) -> String {
    marked("any", "Any", field)
}

#[test]
fn types_that_need_a_self_describing_format() {
    let hint = any("the field of that type (on the field that holds the struct with `flatten`)");
    let text = |place| {
        format!(
            "the type calls `deserialize_any` (as untagged, internally tagged, `flatten` and `Value` do), and \
             primitiv is not self-describing{place}; {hint}; or `Options::lenient(true)` for bytes of other \
             MessagePack writers"
        )
    };
    self_describing_in_each_place! {
        Primitiv, "fourfold::primitiv::with::any", fourfold::primitiv::with::Any, text,
        [
            " at byte 0", " in value at byte 0", " at byte 0", " in value at byte 0", " in [0] at byte 1",
            " in value[0] at byte 1", " in [0].value at byte 6", " in value[0].value at byte 6",
            " in [1] at byte 5", " in [0] at byte 0", " in 1 at byte 5", " at byte 5", " in 1 at byte 10",
            " in value at byte 5", " in value.inner[0] at byte 6", " at byte 0", " in value at byte 0",
            " in value[0] at byte 1", " at byte 0", " in value at byte 0",
        ]
    }

    let mut rows = Refusals::<Primitiv>::new();
    let others = rmp_serde::to_vec_named(&serde_json::json!({ "a": [1, "b"] })).unwrap();
    rows.read::<serde_json::Value>(&others, &text(" at byte 0")).by(
        "`Options::lenient(true)`",
        Options::new().lenient(true).from_slice::<serde_json::Value>(&others).unwrap()["a"][1]
            .clone(),
        serde_json::json!("b"),
    );
}

#[test]
fn maps_of_unknown_length() {
    let hint = any("the field that holds the struct with `flatten`");
    let text = |place| {
        format!(
            "a map of unknown length, as serde's flatten makes it, could not be read back{place}; {hint}; \
             in a `Serialize` implementation, pass the length to `serialize_map`"
        )
    };
    unknown_length_in_each_place! {
        Primitiv, "fourfold::primitiv::with::any", fourfold::primitiv::with::Any, text
    }
}

#[test]
fn skipped_fields() {
    let text = |place| {
        format!(
            "field `gone` is skipped, and primitiv cannot store an absent field{place}; remove \
             `skip_serializing_if`, or {}",
            any("the field that holds the struct")
        )
    };
    skipped_in_each_place! {
        Primitiv, "fourfold::primitiv::with::any", fourfold::primitiv::with::Any, text
    }
}

#[test]
fn adjacently_tagged_unit_variants() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[serde(tag = "kind", content = "value")]
    enum Adjacent {
        Dot,
        Line(u8),
    }

    let mut rows = Refusals::<Primitiv>::new();
    let text = |place| {
        format!(
            "a unit variant of an adjacently tagged enum could not be read back in {place}kind; {}",
            any("the field of the enum")
        )
    };
    rows.written(&Adjacent::Dot, &text(""))
        .passes(wrapper!(fourfold::primitiv::with::Any, Adjacent::Dot));
    rows.written(&Plain { value: Adjacent::Dot }, &text("value.")).passes(attribute!(
        #[serde(with = "fourfold::primitiv::with::any")]
        Adjacent = Adjacent::Dot
    ));
    rows.written(&vec![Adjacent::Line(1), Adjacent::Dot], &text("[1].")).passes(wrapper!(
        fourfold::primitiv::with::Any,
        Adjacent::Dot,
        |value| vec![value]
    ));
    assert_eq!(rows.rows(), 3);
}

/// Reads only the first of two numbers.
#[derive(Debug, PartialEq)]
struct First<const IS_LIST: bool>(u8);

impl<'de, const IS_LIST: bool> Deserialize<'de> for First<IS_LIST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Taking;

        impl<'de> serde::de::Visitor<'de> for Taking {
            type Value = u8;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("two numbers")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<u8, A::Error> {
                items.next_element().map(Option::unwrap_or_default)
            }
        }

        match IS_LIST {
            true => from.deserialize_seq(Taking).map(First),
            false => from.deserialize_tuple(2, Taking).map(First),
        }
    }
}

/// The `Deserialize` implementation has to read all items.
#[test]
fn items_that_a_type_leaves() {
    let mut rows = Refusals::<Primitiv>::new();
    let text = |place, offset| {
        format!(
            "2 items, the type takes 1{place} at byte {offset}; take all items in the `Deserialize` implementation"
        )
    };
    let fix = "take all items";
    let (list, pair) = (to_vec(&vec![1_u8, 2]).unwrap(), to_vec(&(1_u8, 2_u8)).unwrap());
    rows.read::<First<true>>(&list, &text("", 0)).by(
        fix,
        from_slice::<Vec<u8>>(&list).unwrap(),
        vec![1, 2],
    );
    rows.read::<First<false>>(&pair, &text("", 0)).by(
        fix,
        from_slice::<(u8, u8)>(&pair).unwrap(),
        (1, 2),
    );
    let within = [&[0x91][..], &pair].concat();
    let _ = rows.read::<Vec<First<false>>>(&within, &text(" in [0]", 1));
    assert_eq!(rows.rows(), 3);
}

/// `None` if the value is not a list of bools.
#[derive(Debug, PartialEq)]
struct Forgiving(Option<Vec<bool>>);

impl<'de> Deserialize<'de> for Forgiving {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Forgiving(Vec::deserialize(from).ok()))
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Event {
    Start,
    Stop(u32),
}

#[test]
fn numbers_text_and_names_of_other_writers() {
    let mut rows = Refusals::<Primitiv>::new();
    let lenient = Options::new().lenient(true);
    let fix = "`Options::lenient(true)`";
    let hint = "use `Options::lenient(true)` to read numbers of any width";
    let short = |expected: &str, found: u8| {
        format!("marker {found:#04x} is not {expected} at byte 0; {hint}")
    };
    rows.read::<u32>(&[7], &short("uint32 (0xce)", 7)).by(
        fix,
        lenient.from_slice(&[7]).unwrap(),
        7_u32,
    );
    rows.read::<u64>(&[0xcc, 200], &short("uint64 (0xcf)", 0xcc)).by(
        fix,
        lenient.from_slice(&[0xcc, 200]).unwrap(),
        200_u64,
    );
    rows.read::<i32>(&[0xff], &short("int32 (0xd2)", 0xff)).by(
        fix,
        lenient.from_slice(&[0xff]).unwrap(),
        -1_i32,
    );
    let double = [&[0xcb], &0.5_f64.to_be_bytes()[..]].concat();
    rows.read::<f32>(&double, &short("float32 (0xca)", 0xcb)).by(
        fix,
        lenient.from_slice(&double).unwrap(),
        0.5_f32,
    );
    let single = [&[0xca], &0.5_f32.to_be_bytes()[..]].concat();
    rows.read::<f64>(&single, &short("float64 (0xcb)", 0xca)).by(
        fix,
        lenient.from_slice(&single).unwrap(),
        0.5_f64,
    );

    let inexact = [&[0xcb], &0.1_f64.to_be_bytes()[..]].concat();
    rows.result(
        lenient.from_slice::<f32>(&inexact),
        "float64 0.1 has no equal float32 at byte 0; use `f64`",
    )
    .by("`f64`", lenient.from_slice(&inexact).unwrap(), 0.1_f64);
    rows.result(
        lenient.from_slice::<u8>(&[0xcd, 1, 0]),
        "invalid value: integer `256`, expected u8 at byte 0",
    )
    .none();

    // Bytes that are written as str; an enum whose variants are written by name.
    let text = marked("text", "Text", "the field of the bytes");
    rows.read::<ByteBuf>(&[0xa2, 0xff, b'w'], &format!("marker 0xa2 is not bin at byte 0; {text}"))
        .reads(
            &[0xa2, 0xff, b'w'],
            wrapper!(fourfold::primitiv::with::Text, ByteBuf::from([0xff, b'w'])),
        );
    rows.read::<Plain<ByteBuf>>(
        &[0xa1, 0xff],
        &format!("marker 0xa1 is not bin in value at byte 0; {text}"),
    )
    .reads(
        &[0xa1, 0xff],
        attribute!(
            #[serde(with = "fourfold::primitiv::with::text")]
            ByteBuf = ByteBuf::from([0xff])
        ),
    );
    let named = marked("named", "Named", "the field of the enum");
    let start = to_vec("Start").unwrap();
    rows.read::<Event>(&start, &format!("marker 0xa5 is not uint32 (0xce) at byte 0; {named}"))
        .reads(&start, wrapper!(fourfold::primitiv::with::Named, Event::Start));
    rows.read::<Plain<Event>>(
        &start,
        &format!("marker 0xa5 is not uint32 (0xce) in value at byte 0; {named}"),
    )
    .reads(
        &start,
        attribute!(
            #[serde(with = "fourfold::primitiv::with::named")]
            Event = Event::Start
        ),
    );

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Borrows<'a> {
        value: &'a [u8],
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Marked<'a> {
        #[serde(with = "serde_bytes")]
        value: &'a [u8],
    }
    let value: &[u8] = &[1, 2];
    let (listed, bin) = (to_vec(&Borrows { value }).unwrap(), to_vec(&Marked { value }).unwrap());
    rows.result(
        from_slice::<Borrows<'_>>(&listed),
        "invalid type: byte array, expected a borrowed byte array in value at byte 0; use `#[serde(with = \"serde_bytes\")]` \
         on the field, or `serde_bytes::Bytes` where there is no field",
    )
    .by("`#[serde(with = \"serde_bytes\")]`", from_slice(&bin).unwrap(), Marked { value })
    .by(
        "`serde_bytes::Bytes`",
        from_slice(&to_vec(serde_bytes::Bytes::new(value)).unwrap()).unwrap(),
        serde_bytes::Bytes::new(value),
    );
    assert_eq!(rows.rows(), 12);
}

#[test]
fn types_that_ignore_errors() {
    let mut rows = Refusals::<Primitiv>::new();
    let text = "the type ignored an error of a nested value at byte 1; return that error from its `Serialize` or \
                `Deserialize` implementation";
    let (bytes, fix) = (to_vec(&vec![1_u8, 2]).unwrap(), "return that error");
    let nested = from_slice::<Vec<bool>>(&bytes).unwrap_err().to_string();
    rows.read::<Forgiving>(&bytes, text).by(
        fix,
        &*nested,
        "marker 0xce is not a bool in [0] at byte 1",
    );
    assert_eq!(rows.rows(), 1);
}

#[test]
fn marks() {
    let mut rows = Refusals::<Primitiv>::new();
    let hint = "remove the mark";
    let text = |found| format!("the mark `text` fits bytes, not {found}; remove the mark");
    rows.written(&with::Text(7_u8), &text("u8")).passes((hint, 7_u8));
    rows.written(&with::Text(vec![1_u8]), &text("a sequence")).passes((hint, vec![1_u8]));
    rows.written(&with::Text(Event::Stop(1)), &text("an enum")).passes((hint, Event::Stop(1)));
    let named = |found| format!("the mark `named` fits enums, not {found}; remove the mark");
    rows.written(&with::Named(7_u8), &named("u8")).passes((hint, 7_u8));
    rows.written(&with::Named("text".to_owned()), &named("text")).passes((hint, "text".to_owned()));
    rows.written(
        &with::Text(with::Named(Event::Start)),
        "the mark `named` does not fit a value with another mark; remove one of the two marks",
    )
    .passes(("remove one of the two marks", with::Named(Event::Start)));
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "Named.Event")]
    enum Misspelt {
        Start,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "named.Event")]
    enum Spelt {
        Start,
    }
    rows.written(&Misspelt::Start, "container name `Named.Event` is not the mark `named.`, but nearly; use `#[serde(rename = \"named.Event\")]`, or another name")
        .passes(("#[serde(rename = \"named.Event\")]", Spelt::Start));
    assert_eq!(rows.rows(), 7);
}

#[test]
fn documents_and_raw_values() {
    let mut rows = Refusals::<Primitiv>::new();
    let file = FIXTURES.bytes("saved/p_stats_1.param");
    let fix = "`fourfold::primitiv::File`";
    let hint = "read it as `fourfold::primitiv::File`, which any of them is";
    rows.result(
        Model::from_slice(&file),
        &format!("data type is 0x200, 0x300 was requested at byte 10; {hint}"),
    )
    .by(fix, File::from_slice(&file).is_ok(), true);
    rows.result(
        from_slice::<Model<'_>>(&file),
        &format!("a file of data type 0x200 begins here, not a model alone at byte 0; {hint}"),
    )
    .by(fix, from_slice::<File<'_>>(&file).is_ok(), true);
    let several = "a raw value or item of a list is one object of MessagePack, and this one is several (as structs, \
                   tuples and variants are); use `fourfold::primitiv::with::Any(value)`, which is one object, or \
                   `Raw` for each of its fields";
    let raw = |value: &dyn erased_serde::Serialize| OwnedRaw::from(Raw::of(value).unwrap());
    let (_, pair) = wrapper!(fourfold::primitiv::with::Any, (1_u8, 2_u8));
    rows.written(&raw(&(1_u8, 2_u8)), several)
        .passes(wrapper!(fourfold::primitiv::with::Any, (1_u8, 2_u8), |any| raw(&any)))
        .by(
            "`Raw` for each",
            to_vec(&(raw(&1_u8), raw(&2_u8))).unwrap(),
            to_vec(&(1_u8, 2_u8)).unwrap(),
        );
    rows.written(&Plain { value: raw(&Event::Stop(1)) }, &several.replace(';', " in value;"))
        .passes(wrapper!(fourfold::primitiv::with::Any, Event::Stop(1), |any| Plain {
            value: raw(&any)
        }));
    let bytes = to_vec(&Plain { value: pair }).unwrap();
    let lazy: Plain<Lazy<'_, with::Any<(u8, u8)>>> = from_slice(&bytes).unwrap();
    assert_eq!(lazy.value.get().unwrap().0, (1, 2));
    assert_eq!(rows.rows(), 4);
}

#[test]
fn limits() {
    common::limits::<Primitiv>(2);
}

/// Values with the mark `any` that MessagePack cannot represent.
#[test]
fn values_marked_any() {
    let mut rows = Refusals::<Primitiv>::new();
    let text = "`Some` of nothing is nil in messagepack, as `None` is; use a tuple in the option, `Some((value,))`";
    rows.written(&with::Any(Some(None::<u8>)), text)
        .passes(("`Some((value,))`", with::Any(Some((None::<u8>,)))));
    assert_eq!(rows.rows(), 1);
}

/// Errors of a `Serialize` implementation written by hand.
#[test]
fn serialize_by_hand() {
    common::serialize_by_hand::<Primitiv>();
    common::counts::<Primitiv>(" in [0]");
}
