//! The text of every refusal, and its hint applied.

use fourfold::tsm::{from_slice, to_vec, with};
use serde::de::Deserializer;
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::support::format::Tsm;
use crate::support::hints::common;
use crate::support::hints::places::{
    Plain, self_describing_in_each_place, skipped_in_each_place, unknown_length_in_each_place,
};
use crate::support::hints::{Refusals, attribute, wrapper};
use crate::support::visits::visits;

/// A hint to mark a value `any`.
fn any(field: &str) -> String {
    format!(
        "use `#[serde(with = \"fourfold::tsm::with::any\")]` on {field}, or `fourfold::tsm::with::Any(value)` \
         where there is no field"
    )
}

#[test]
fn types_that_need_a_self_describing_format() {
    let hint = any("the field of that type (on the field that holds the struct with `flatten`)");
    let text = |place| {
        format!(
            "the type calls `deserialize_any` (as untagged, internally tagged, `flatten` and `Value` do), and tsm \
             is not self-describing{place}; {hint}"
        )
    };
    self_describing_in_each_place! {
        Tsm, "fourfold::tsm::with::any", fourfold::tsm::with::Any, text,
        [
            " at byte 0", " in value at byte 0", " at byte 1", " in value at byte 1", " in [0] at byte 4",
            " in value[0] at byte 4", " in [0].value at byte 5", " in value[0].value at byte 5",
            " in [1] at byte 1", " in [0] at byte 0", " in 1 at byte 1", " at byte 4", " in 1 at byte 5",
            " in value at byte 4", " in value.inner[0] at byte 5", " at byte 0", " in value at byte 0",
            " in value[0] at byte 4", " at byte 0", " in value at byte 0",
        ]
    }
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
        Tsm, "fourfold::tsm::with::any", fourfold::tsm::with::Any, text
    }
}

#[test]
fn skipped_fields() {
    let text = |place| {
        format!(
            "field `gone` is skipped, and tsm cannot store an absent field{place}; remove `skip_serializing_if`, or \
             {}",
            any("the field that holds the struct")
        )
    };
    skipped_in_each_place! {
        Tsm, "fourfold::tsm::with::any", fourfold::tsm::with::Any, text
    }
}

/// Reads the first item and leaves the others.
#[derive(Debug, PartialEq)]
struct First(u8);

impl Serialize for First {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        [self.0, 0].as_slice().serialize(to)
    }
}

visits! { First, "items", deserialize_seq():
    visit_seq |items| {
        Ok(First(items.next_element()?.unwrap_or_default()))
    }
}

/// `None` if the value is not a list of bools.
#[derive(Debug, PartialEq)]
struct Forgiving(Option<Vec<bool>>);

impl<'de> Deserialize<'de> for Forgiving {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Forgiving(Vec::deserialize(from).ok()))
    }
}

#[test]
fn items_without_bytes_and_items_that_are_left() {
    let mut rows = Refusals::<Tsm>::new();
    let empty = any("the field that holds the sequence");
    let units = || vec![(); 5000];
    rows.written(&units(), &format!("more than 4096 items of zero bytes in [4096]; {empty}"))
        .passes(wrapper!(fourfold::tsm::with::Any, units()));
    rows.written(
        &Plain { value: units() },
        &format!("more than 4096 items of zero bytes in value[4096]; {empty}"),
    )
    .passes(attribute!(#[serde(with = "fourfold::tsm::with::any")] Vec<()> = units()));
    let many = [255, 255, 0, 0];
    rows.read::<Vec<()>>(&many, "count 65535 is beyond what 0 bytes can hold at byte 0").none();

    rows.back(&First(7), "2 items, the type takes 1 at byte 0").none();
    let text = "the type ignored an error of a nested value at byte 5; return that error from its `Serialize` or \
                `Deserialize` implementation";
    let (bytes, fix) = (to_vec(&vec![1_u8, 2]).unwrap(), "return that error");
    let nested = from_slice::<Vec<bool>>(&bytes).unwrap_err().to_string();
    rows.read::<Forgiving>(&bytes, text).by(
        fix,
        &*nested,
        "bool is 2, neither 0 nor 1 in [1] at byte 5",
    );
    assert_eq!(rows.rows(), 5);
}

#[test]
fn marks() {
    let mut rows = Refusals::<Tsm>::new();
    let mismatch =
        |found| format!("the mark `raw` fits bytes and arrays, not {found}; remove the mark");
    let hint = "remove the mark";
    rows.written(&with::Raw(7_u8), &mismatch("a number")).passes((hint, 7_u8));
    rows.written(&with::Raw("text".to_owned()), &mismatch("text"))
        .passes((hint, "text".to_owned()));
    rows.written(&with::Raw(vec![1_u8]), &mismatch("a sequence")).passes((hint, vec![1_u8]));
    rows.written(&with::Raw(Plain { value: 1_u8 }), &mismatch("a struct"))
        .passes((hint, Plain { value: 1_u8 }));
    let inner = Plain { value: with::Raw(true) };
    rows.written(&inner, &mismatch("a bool").replace(';', " in value;"))
        .passes((hint, Plain { value: true }));
    rows.written(
        &with::Raw(with::Any(7_u8)),
        "the mark `any` does not fit a value with another mark; remove one of the two marks",
    )
    .passes(("remove one of the two marks", with::Any(7_u8)));

    let unbounded = "the mark `raw` is on a type that does not state how many bytes to read at byte 0; use an \
                     array such as `[u8; 32]`, or `fourfold::tsm::with::RawLen(len)` in a `Deserialize` \
                     implementation, or remove the mark";
    rows.back(&with::Raw(ByteBuf::from(b"hi")), unbounded)
        .passes(("an array such as `[u8; ", with::Raw(*b"hi")))
        .passes(("remove the mark", ByteBuf::from(b"hi")));

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "rw.Digest")]
    struct Misspelt([u8; 2]);
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "raw.Digest")]
    struct Spelt([u8; 2]);
    rows.written(&Misspelt([1, 2]), "container name `rw.Digest` is not the mark `raw.`, but nearly; use `#[serde(rename = \"raw.Digest\")]`, or another name")
        .passes(("#[serde(rename = \"raw.Digest\")]", Spelt([1, 2])));
    assert_eq!(rows.rows(), 8);
}

#[test]
fn limits() {
    common::limits::<Tsm>(8);
}

/// Values with the mark `any` that MessagePack cannot represent.
#[test]
fn values_marked_any() {
    let mut rows = Refusals::<Tsm>::new();
    let text = "`Some` of nothing is nil in messagepack, as `None` is; use a tuple in the option, `Some((value,))`";
    rows.written(&with::Any(Some(None::<u8>)), text)
        .passes(("`Some((value,))`", with::Any(Some((None::<u8>,)))));
    rows.written(&with::Any(Some(())), text).passes(("`Some((value,))`", with::Any(Some(((),)))));
    assert_eq!(rows.rows(), 2);
}

/// Errors of a `Serialize` implementation written by hand.
#[test]
fn serialize_by_hand() {
    common::serialize_by_hand::<Tsm>();
    common::counts::<Tsm>("");

    struct Fields;

    impl Serialize for Fields {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut fields = to.serialize_struct("Fields", 2)?;
            fields.serialize_field("only", &1_u8)?;
            fields.end()
        }
    }

    let text = to_vec(&Fields).unwrap_err().to_string();
    assert!(text.starts_with("2 items announced and 1 given; pass the number"), "{text}");
}
