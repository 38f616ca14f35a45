//! The hint of each error: the same value survives after it is applied.
//!
//! Each row writes an attribute or wrapper once: the hint has to contain it, and the type that survives has it.

use std::collections::BTreeMap;
use std::fmt::Debug;

use fourfold::Kind as _;
use fourfold::molecule::{self, Options, from_slice, to_vec, with};
use serde::de::DeserializeOwned;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

/// The error of writing a value, or of reading its bytes.
#[track_caller]
fn refusal<T: Serialize + DeserializeOwned>(options: &Options, value: &T) -> molecule::Error {
    match options.to_vec(value) {
        Err(error) => error,
        Ok(bytes) => options.from_slice::<T>(&bytes).err().expect("the value came back"),
    }
}

/// Asserts the fact and the hint of an error. The hint has to contain `fix`.
#[track_caller]
fn check(error: &molecule::Error, fact: &str, hint: &str, fix: &str) {
    assert_eq!(error.to_string(), format!("{fact}; {hint}"));
    assert_eq!(error.hint().as_deref(), Some(hint));
    assert!(hint.contains(fix), "`{fix}` is not in: {hint}");
    let path = error.path();
    assert!(path.is_empty() || fact.contains(&format!(" in {path}")), "{error}");
}

#[track_caller]
fn passes<T: Serialize + DeserializeOwned + Debug + PartialEq>(options: &Options, value: &T) {
    let bytes = options.to_vec(value).unwrap();
    assert_eq!(&options.from_slice::<T>(&bytes).unwrap(), value);
    assert_eq!(options.to_vec(value).unwrap(), bytes);
}

/// A field of a table that is refused without and survives with an attribute.
macro_rules! on_field {
    ($row:ident $([$options:expr])?: $type:ty = $value:expr, $fact:literal, $hint:expr, $($attribute:tt)*) => {
        #[test]
        fn $row() {
            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            struct Refused {
                before: u8,
                field: $type,
            }
            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            struct Passing {
                before: u8,
                #[serde($($attribute)*)]
                field: $type,
            }
            let options = [$($options,)? Options::new()][0].clone();
            let error = refusal(&options, &Refused { before: 1, field: $value });
            check(&error, $fact, $hint, stringify!(#[serde($($attribute)*)]));
            assert!(error.path().to_string().starts_with("field"), "{error}");
            passes(&options, &Passing { before: 1, field: $value });
        }
    };
}

/// A value that is refused as a message, and survives in a wrapper.
macro_rules! on_top {
    ($row:ident $([$options:expr])?: $type:ty = $value:expr, $fact:literal, $hint:expr, $wrapper:ident) => {
        #[test]
        fn $row() {
            let options = [$($options,)? Options::new()][0].clone();
            let value: $type = $value;
            let wrapper = concat!("`fourfold::molecule::with::", stringify!($wrapper), "(value)`");
            check(&refusal(&options, &value), $fact, $hint, wrapper);
            passes(&options, &with::$wrapper(value));
        }
    };
}

/// A value that is refused, and a value of another type that survives. The hint contains the fix.
macro_rules! instead {
    ($row:ident: $refused:expr, $fact:literal, $hint:expr, $fix:literal, $passing:expr) => {
        #[test]
        fn $row() {
            let options = Options::new();
            check(&refusal(&options, &$refused), $fact, $hint, $fix);
            passes(&options, &$passing);
        }
    };
}

/// Bytes that a type refuses, and a type or option that reads them.
macro_rules! reading {
    ($row:ident: $refusing:ty = $bytes:expr, $fact:literal, $hint:expr, $fix:literal, $reading:ty) => {
        reading! { $row: $refusing = $bytes, $fact, $hint, $fix, $reading, Options::new() }
    };
    ($row:ident: $refusing:ty = $bytes:expr, $fact:literal, $hint:expr, $fix:literal, $reading:ty, $options:expr) => {
        #[test]
        fn $row() {
            let bytes: &[u8] = &$bytes;
            check(&from_slice::<$refusing>(bytes).unwrap_err(), $fact, $hint, $fix);
            $options.from_slice::<$reading>(bytes).unwrap();
        }
    };
}

const ANY: &str = "use `#[serde(with = \"fourfold::molecule::with::any\")]` on the field that holds the whole value, or `fourfold::molecule::with::Any(value)` elsewhere";
const UNMARK: &str = "remove the mark `struct` or `fixvec` from the type or vector around it";
const ANY_UNMARKED: &str = "use `#[serde(with = \"fourfold::molecule::with::any\")]` on the field that holds the whole value, or `fourfold::molecule::with::Any(value)` elsewhere, and remove the mark `struct` or `fixvec` from the type or vector around it";
const DYNVEC: &str = "use `#[serde(with = \"fourfold::molecule::with::dynvec\")]` on the field, or `fourfold::molecule::with::DynVec(value)` elsewhere";
const TABLE: &str = "use `#[serde(with = \"fourfold::molecule::with::table\")]` on the field, or `fourfold::molecule::with::Table(value)` elsewhere";
const DYNVEC_OR_ANY: &str = "use `#[serde(with = \"fourfold::molecule::with::dynvec\")]` on the field, or `fourfold::molecule::with::DynVec(value)` elsewhere; for untagged enums and `Value`, use `#[serde(with = \"fourfold::molecule::with::any\")]` on the field, or `fourfold::molecule::with::Any(value)` elsewhere";
const FIXVEC_OR_ANY: &str = "use `#[serde(with = \"fourfold::molecule::with::fixvec\")]` on the field, or `fourfold::molecule::with::FixVec(value)` elsewhere; for untagged enums and `Value`, use `#[serde(with = \"fourfold::molecule::with::any\")]` on the field, or `fourfold::molecule::with::Any(value)` elsewhere";
const DYNVEC_OR_FIXVEC: &str = "if its items are dynamic, use `#[serde(with = \"fourfold::molecule::with::dynvec\")]` on the field, or `fourfold::molecule::with::DynVec(value)` elsewhere; if they have a fixed size, use `#[serde(with = \"fourfold::molecule::with::fixvec\")]` on the field, or `fourfold::molecule::with::FixVec(value)` elsewhere";
const STRUCT: &str = "use `#[serde(with = \"fourfold::molecule::with::structure\")]` on the field, or `fourfold::molecule::with::Struct(value)` elsewhere";
const OUT_POINT: &str = "if the schema says struct, use `#[serde(rename = \"struct.OutPoint\")]` on the type, or `#[serde(with = \"fourfold::molecule::with::structure\")]` on the field, or `fourfold::molecule::with::Struct(value)` elsewhere";
const TABLE_RECORDS: &str = "use `fourfold::molecule::with::Table((value,))` for each record, or `RecordWriter::of_size` if all have one size";
const INNER: &str = "use `fourfold::molecule::with::Table((value,))` for the inner option";
const SKIP: &str = "remove the mark `struct` or `fixvec` from the type or vector around it: tables can leave fields out";
const EMPTY: &str = "remove the mark `struct` or `fixvec` from it or around it: then it is a table";

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(u64),
    Text(String),
}

fn number() -> Untagged {
    Untagged::Number(7)
}

fn text() -> Untagged {
    Untagged::Text("x".into())
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Tagged {
    Dot,
    Line { length: u16 },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    Dot,
    Line(u16),
    Within(Box<Adjacent>),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Flattened {
    id: u32,
    #[serde(flatten)]
    size: Size,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Size {
    width: u16,
    height: u16,
}

fn flattened() -> Flattened {
    Flattened { id: 7, size: size() }
}

fn size() -> Size {
    Size { width: 2, height: 3 }
}

/// A map without a length.
#[derive(Deserialize, Clone, Debug, PartialEq)]
struct Unannounced(BTreeMap<u8, u8>);

impl Serialize for Unannounced {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

fn strict() -> Options {
    Options::new().strict(true)
}

mod self_describing {
    use super::*;

    on_field! { untagged_on_a_field: Untagged = number(), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { untagged_in_an_option: Option<Untagged> = Some(text()), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { untagged_in_a_vec: Vec<Untagged> = vec![number()], "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field[0] at byte 17", ANY, with = "fourfold::molecule::with::any" }
    on_field! { unlike_untagged_in_a_vec: Vec<Untagged> = vec![number(), text()], "items of one sequence are not all alike: item 1 differs from those before in field[1]", ANY, with = "fourfold::molecule::with::any" }
    on_field! { unlike_the_other_way: Vec<Untagged> = vec![text(), number()], "items of one sequence are not all alike: item 1 differs from those before in field[1]", ANY, with = "fourfold::molecule::with::any" }
    on_field! { untagged_in_a_vec_of_vecs: Vec<Vec<Untagged>> = vec![vec![text()], vec![text(), number()]], "items of one sequence are not all alike: item 1 differs from those before in field[1][1]", ANY, with = "fourfold::molecule::with::any" }
    on_field! { untagged_in_a_map: BTreeMap<String, Untagged> = BTreeMap::from([("k".into(), number())]), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field[0].value at byte 38", ANY, with = "fourfold::molecule::with::any" }
    on_field! { untagged_in_a_tuple: (u8, Untagged) = (1, text()), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field[1] at byte 26", ANY, with = "fourfold::molecule::with::any" }
    on_field! { untagged_in_a_variant: Result<Untagged, u8> = Ok(number()), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 17", ANY, with = "fourfold::molecule::with::any" }
    on_field! { untagged_in_a_box: Box<Untagged> = Box::new(number()), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { internally_tagged: Tagged = Tagged::Line { length: 9 }, "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { internally_tagged_unit: Tagged = Tagged::Dot, "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { internally_tagged_in_a_vec: Vec<Tagged> = vec![Tagged::Dot, Tagged::Line { length: 1 }], "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field[0] at byte 25", ANY, with = "fourfold::molecule::with::any" }
    on_field! { adjacently_tagged_unit: Adjacent = Adjacent::Dot, "a unit variant of an adjacently tagged enum could not be read back in field.kind", ANY, with = "fourfold::molecule::with::any" }
    on_field! { adjacently_tagged_unit_in_an_option: Option<Adjacent> = Some(Adjacent::Dot), "a unit variant of an adjacently tagged enum could not be read back in field.kind", ANY, with = "fourfold::molecule::with::any" }
    on_field! { adjacently_tagged_unit_in_a_vec: Vec<Adjacent> = vec![Adjacent::Line(1), Adjacent::Dot], "a unit variant of an adjacently tagged enum could not be read back in field[1].kind", ANY, with = "fourfold::molecule::with::any" }
    on_field! { adjacently_tagged_unit_in_another: Adjacent = Adjacent::Within(Box::new(Adjacent::Dot)), "a unit variant of an adjacently tagged enum could not be read back in field.value.kind", ANY, with = "fourfold::molecule::with::any" }
    on_field! { json: Value = json!({"a": [1, null, "x"]}), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { json_null: Value = json!(null), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { json_list: Value = json!([1, "x"]), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 13", ANY, with = "fourfold::molecule::with::any" }
    on_field! { json_in_a_vec: Vec<Value> = vec![json!(1), json!("x")], "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field[0] at byte 25", ANY, with = "fourfold::molecule::with::any" }
    on_field! { json_in_a_map: BTreeMap<u8, Value> = BTreeMap::from([(1, json!(1.5))]), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field[0].value at byte 34", ANY, with = "fourfold::molecule::with::any" }
    on_field! { flatten: Flattened = flattened(), "a map of unknown length, as serde's flatten makes it, could not be read back in field", ANY, with = "fourfold::molecule::with::any" }
    on_field! { flatten_in_an_option: Option<Flattened> = Some(flattened()), "a map of unknown length, as serde's flatten makes it, could not be read back in field", ANY, with = "fourfold::molecule::with::any" }
    on_field! { flatten_in_a_vec: Vec<Flattened> = vec![flattened(), flattened()], "a map of unknown length, as serde's flatten makes it, could not be read back in field[0]", ANY, with = "fourfold::molecule::with::any" }
    on_field! { flatten_in_a_map: BTreeMap<u8, Flattened> = BTreeMap::from([(1, flattened())]), "a map of unknown length, as serde's flatten makes it, could not be read back in field[0].value", ANY, with = "fourfold::molecule::with::any" }
    on_field! { flatten_in_a_tuple: (u8, Flattened) = (1, flattened()), "a map of unknown length, as serde's flatten makes it, could not be read back in field[1]", ANY, with = "fourfold::molecule::with::any" }
    on_field! { flatten_in_a_variant: Result<u8, Flattened> = Err(flattened()), "a map of unknown length, as serde's flatten makes it, could not be read back in field", ANY, with = "fourfold::molecule::with::any" }
    on_field! { length_unknown: Unannounced = Unannounced(BTreeMap::from([(1, 2)])), "a map of unknown length, as serde's flatten makes it, could not be read back in field", ANY, with = "fourfold::molecule::with::any" }

    on_top! { untagged_on_top: Untagged = number(), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) at byte 0", ANY, Any }
    on_top! { untagged_list_on_top: Vec<Untagged> = vec![number(), text()], "items of one sequence are not all alike: item 1 differs from those before in [1]", ANY, Any }
    on_top! { tagged_on_top: Tagged = Tagged::Dot, "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) at byte 0", ANY, Any }
    on_top! { adjacently_tagged_unit_on_top: Adjacent = Adjacent::Dot, "a unit variant of an adjacently tagged enum could not be read back in kind", ANY, Any }
    on_top! { json_on_top: Value = json!({"a": 1}), "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) at byte 0", ANY, Any }
    on_top! { flatten_on_top: Flattened = flattened(), "a map of unknown length, as serde's flatten makes it, could not be read back", ANY, Any }
    on_top! { length_unknown_on_top: Unannounced = Unannounced(BTreeMap::from([(1, 2)])), "a map of unknown length, as serde's flatten makes it, could not be read back", ANY, Any }

    /// A type argument cannot have an attribute: the wrapper is the argument.
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Page<T> {
        items: Vec<T>,
    }

    instead! { flatten_as_a_type_argument: Page { items: vec![flattened()] }, "a map of unknown length, as serde's flatten makes it, could not be read back in items[0]", ANY,
    "`fourfold::molecule::with::Any(value)`", Page { items: vec![with::Any(flattened())] } }
    instead! { untagged_as_a_type_argument: Page { items: vec![number(), text()] }, "items of one sequence are not all alike: item 1 differs from those before in items[1]", ANY,
    "`fourfold::molecule::with::Any(value)`", Page { items: vec![with::Any(number()), with::Any(text())] } }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "struct.Packed")]
    struct Packed<T> {
        before: u8,
        field: T,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Unpacked {
        before: u8,
        #[serde(with = "fourfold::molecule::with::any")]
        field: Flattened,
    }

    instead! { flatten_in_a_struct: Packed { before: 1, field: flattened() }, "a map of unknown length, as serde's flatten makes it, could not be read back in field", ANY_UNMARKED,
    "`#[serde(with = \"fourfold::molecule::with::any\")]`", Unpacked { before: 1, field: flattened() } }
    instead! { the_mark_goes_too: Packed { before: 1, field: flattened() }, "a map of unknown length, as serde's flatten makes it, could not be read back in field", ANY_UNMARKED,
    "and remove the mark `struct`", Unpacked { before: 1, field: flattened() } }
    instead! { untagged_in_a_struct: Packed { before: 1, field: number() }, "molecule does not describe itself, and this type needs that (as flatten, untagged and internally tagged enums do) in field at byte 1", ANY_UNMARKED,
    "and remove the mark `struct`", (1u8, with::Any(number())) }
}

mod vectors {
    use super::*;

    on_field! { empty [strict()]: Vec<u8> = vec![], "an empty sequence needs a mark in field", DYNVEC_OR_FIXVEC, with = "fourfold::molecule::with::fixvec" }
    on_field! { empty_dynvec [strict()]: Vec<String> = vec![], "an empty sequence needs a mark in field", DYNVEC_OR_FIXVEC, with = "fourfold::molecule::with::dynvec" }
    on_top! { empty_on_top [strict()]: Vec<u8> = vec![], "an empty sequence needs a mark", DYNVEC_OR_FIXVEC, FixVec }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct FixVecOf<T> {
        #[serde(with = "fourfold::molecule::with::fixvec")]
        #[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
        field: T,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct DynVecOf<T> {
        #[serde(with = "fourfold::molecule::with::dynvec")]
        #[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
        field: T,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct AnyOf<T> {
        #[serde(with = "fourfold::molecule::with::any")]
        #[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
        field: T,
    }

    fn words() -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn pairs<T>(value: T) -> BTreeMap<u8, T> {
        BTreeMap::from([(1, value)])
    }

    /// A name or a size, of different lengths in bytes: like `Untagged`, with a tag.
    #[derive(Clone, Debug, PartialEq)]
    enum Either {
        Small(u8),
        Large(u32),
    }

    impl Serialize for Either {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Either::Small(value) => serializer.serialize_u8(*value),
                Either::Large(value) => serializer.serialize_u32(*value),
            }
        }
    }

    impl<'de> Deserialize<'de> for Either {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let number = u32::deserialize(deserializer)?;
            Ok(u8::try_from(number).map_or(Either::Large(number), Either::Small))
        }
    }

    fn unlike() -> Vec<Either> {
        vec![Either::Small(1), Either::Large(1_000)]
    }

    instead! { dynamic_item: FixVecOf { field: words() }, "an item is dynamic where a fixvec needs fixed sizes in field[0]", DYNVEC_OR_ANY,
    "`#[serde(with = \"fourfold::molecule::with::dynvec\")]`", DynVecOf { field: words() } }
    instead! { dynamic_item_on_top: with::FixVec(words()), "an item is dynamic where a fixvec needs fixed sizes in [0]", DYNVEC_OR_ANY,
    "`fourfold::molecule::with::DynVec(value)`", with::DynVec(words()) }
    instead! { dynamic_item_of_an_option: FixVecOf { field: Some(words()) }, "an item is dynamic where a fixvec needs fixed sizes in field[0]", DYNVEC_OR_ANY,
    "`#[serde(with = \"fourfold::molecule::with::dynvec\")]`", DynVecOf { field: Some(words()) } }
    instead! { dynamic_item_inside: vec![with::FixVec(words())], "an item is dynamic where a fixvec needs fixed sizes in [0][0]", DYNVEC_OR_ANY,
    "`fourfold::molecule::with::DynVec(value)`", vec![with::DynVec(words())] }
    instead! { dynamic_value_of_a_map: FixVecOf { field: pairs("x".to_owned()) }, "a value is dynamic where a fixvec needs fixed sizes in field[0].value", DYNVEC_OR_ANY,
    "`#[serde(with = \"fourfold::molecule::with::dynvec\")]`", DynVecOf { field: pairs("x".to_owned()) } }
    instead! { untagged_items_under_fixvec: FixVecOf { field: vec![text(), number()] }, "an item is dynamic where a fixvec needs fixed sizes in field[0]", DYNVEC_OR_ANY,
    "`Value`, use `#[serde(with = \"fourfold::molecule::with::any\")]`", AnyOf { field: vec![text(), number()] } }
    instead! { later_items_under_fixvec: FixVecOf { field: vec![number(), text()] }, "items of one sequence are not all alike: item 1 differs from those before in field[1]", ANY,
    "`#[serde(with = \"fourfold::molecule::with::any\")]`", AnyOf { field: vec![number(), text()] } }
    instead! { vectors_under_fixvec: FixVecOf { field: vec![vec![1u8]] }, "a sequence is dynamic where a struct or marked fixvec needs fixed sizes in field[0]", UNMARK,
    "remove the mark `struct` or `fixvec`", vec![vec![1u8]] }
    instead! { fixed_item: DynVecOf { field: vec![1u16] }, "item has a fixed size, so the vector is a fixvec and no dynvec in field[0]", FIXVEC_OR_ANY,
    "`#[serde(with = \"fourfold::molecule::with::fixvec\")]`", FixVecOf { field: vec![1u16] } }
    instead! { fixed_item_on_top: with::DynVec(vec![1u16]), "item has a fixed size, so the vector is a fixvec and no dynvec in [0]", FIXVEC_OR_ANY,
    "`fourfold::molecule::with::FixVec(value)`", with::FixVec(vec![1u16]) }
    instead! { untagged_items_under_dynvec: DynVecOf { field: vec![number(), text()] }, "item has a fixed size, so the vector is a fixvec and no dynvec in field[0]", FIXVEC_OR_ANY,
    "`Value`, use `#[serde(with = \"fourfold::molecule::with::any\")]`", AnyOf { field: vec![number(), text()] } }
    instead! { later_items_under_dynvec: DynVecOf { field: vec![text(), number()] }, "items of one sequence are not all alike: item 1 differs from those before in field[1]", ANY,
    "`#[serde(with = \"fourfold::molecule::with::any\")]`", AnyOf { field: vec![text(), number()] } }
    on_field! { unlike_sizes: Vec<Either> = unlike(), "items of one sequence are not all alike: item 1 differs from those before in field[1]", ANY, with = "fourfold::molecule::with::any" }
    on_top! { unlike_sizes_on_top: Vec<Either> = unlike(), "items of one sequence are not all alike: item 1 differs from those before in [1]", ANY, Any }

    /// A sequence that announces another number of items than it has.
    #[derive(Deserialize, Debug, PartialEq)]
    struct Announces<const N: usize>(BTreeMap<u8, u8>);

    impl<const N: usize> Serialize for Announces<N> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(N))?;
            self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
            map.end()
        }
    }

    instead! { wrong_length: Announces::<3>(pairs(1)), "3 items announced and 1 given", "pass the number of items that follow to the serializer, in the `Serialize` implementation",
    "pass the number of items that follow", Announces::<1>(pairs(1)) }
}

mod structs {
    use super::*;

    /// The same fields in a packed struct and in a table.
    macro_rules! two {
        ($($packed:ident $table:ident { $($fields:tt)* })*) => {$(
            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            #[serde(rename = "struct.Packed")]
            struct $packed { $($fields)* }

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            struct $table { $($fields)* }
        )*};
    }

    two! {
        TextPacked TextTable { before: u8, field: String }
        OptionPacked OptionTable { before: u8, field: Option<u8> }
        SkipPacked SkipTable {
            before: u8,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            field: Option<u8>,
        }
        ZeroPacked ZeroTable {
            before: u8,
            #[serde(default, skip_serializing_if = "is_zero")]
            field: u8,
        }
        InnerPacked InnerTable { before: u8, field: TextTable }
        VectorPacked VectorTable { before: u8, field: Vec<u8> }
        MapPacked MapTable { before: u8, field: BTreeMap<u8, u8> }
        EnumPacked EnumTable { before: u8, field: Result<u8, u8> }
        AnyPacked AnyTable { before: u8, #[serde(with = "with::any")] field: Value }
        EmptyPacked EmptyTable {}
    }

    fn is_zero(value: &u8) -> bool {
        *value == 0
    }

    fn inner() -> TextTable {
        TextTable { before: 1, field: "x".into() }
    }

    instead! { dynamic_field: TextPacked { before: 1, field: "x".into() }, "a field is dynamic where a struct needs fixed sizes in field", UNMARK,
    "remove the mark `struct`", inner() }
    instead! { dynamic_field_in_a_vec: vec![TextPacked { before: 1, field: "x".into() }], "a field is dynamic where a struct needs fixed sizes in [0].field", UNMARK,
    "remove the mark `struct`", vec![inner()] }
    instead! { dynamic_field_in_a_fixvec: with::FixVec(vec![inner()]), "a field is dynamic where a struct needs fixed sizes in [0].field", UNMARK,
    "remove the mark `struct` or `fixvec`", vec![inner()] }
    instead! { option_field: OptionPacked { before: 1, field: None }, "a field is dynamic where a struct needs fixed sizes in field", UNMARK,
    "remove the mark `struct`", OptionTable { before: 1, field: None } }
    instead! { deeper_field: InnerPacked { before: 1, field: inner() }, "a field is dynamic where a struct needs fixed sizes in field.field", UNMARK,
    "remove the mark `struct`", InnerTable { before: 1, field: inner() } }
    instead! { vector_field: VectorPacked { before: 1, field: vec![1] }, "a sequence is dynamic where a struct or marked fixvec needs fixed sizes in field", UNMARK,
    "remove the mark `struct`", VectorTable { before: 1, field: vec![1] } }
    instead! { map_field: MapPacked { before: 1, field: BTreeMap::from([(1, 2)]) }, "a map is dynamic where a struct or marked fixvec needs fixed sizes in field", UNMARK,
    "remove the mark `struct`", MapTable { before: 1, field: BTreeMap::from([(1, 2)]) } }
    instead! { enum_field: EnumPacked { before: 1, field: Ok(2) }, "a field is dynamic where a struct needs fixed sizes in field", UNMARK,
    "remove the mark `struct`", EnumTable { before: 1, field: Ok(2) } }
    instead! { any_field: AnyPacked { before: 1, field: json!(1) }, "a value that is marked `any` is dynamic where a struct or marked fixvec needs fixed sizes in field", UNMARK,
    "remove the mark `struct`", AnyTable { before: 1, field: json!(1) } }
    instead! { wrapped_dynamic_field: with::Struct(inner()), "a field is dynamic where a struct needs fixed sizes in field", UNMARK, "remove the mark `struct`", inner() }
    instead! { skipped_option: SkipPacked { before: 1, field: None }, "a field of a struct cannot be skipped in field", SKIP,
    "remove the mark `struct`", SkipTable { before: 1, field: None } }
    instead! { skipped_number: ZeroPacked { before: 1, field: 0 }, "a field of a struct cannot be skipped in field", SKIP,
    "remove the mark `struct`", ZeroTable { before: 1, field: 0 } }
    instead! { skipped_in_a_fixvec: with::FixVec(vec![ZeroTable { before: 1, field: 0 }]), "a field of a struct cannot be skipped in [0].field", SKIP,
    "remove the mark `struct` or `fixvec`", vec![ZeroTable { before: 1, field: 0 }] }
    instead! { no_fields: EmptyPacked {}, "a struct without fields takes zero bytes, which molecule does not have", EMPTY, "remove the mark `struct`", EmptyTable {} }
    instead! { no_fields_in_a_fixvec: with::FixVec(vec![EmptyTable {}]), "a struct without fields takes zero bytes, which molecule does not have in [0]", EMPTY,
    "remove the mark `struct` or `fixvec`", vec![EmptyTable {}] }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "struct.Nothing")]
    struct Nothing;

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Unit;

    instead! { unit_struct: Nothing, "a struct without fields takes zero bytes, which molecule does not have", EMPTY, "remove the mark `struct`", Unit }
}

mod options_and_tuples {
    use super::*;

    instead! { some_of_none: (1u8, Some(None::<u8>)), "`Some` of nothing takes zero bytes, as `None` does in [1]", INNER,
    "`fourfold::molecule::with::Table((value,))`", (1u8, Some(with::Table((None::<u8>,)))) }
    instead! { some_of_some_of_none: Some(Some(None::<u8>)), "`Some` of nothing takes zero bytes, as `None` does", INNER,
    "`fourfold::molecule::with::Table((value,))`", Some(Some(with::Table((None::<u8>,)))) }
    instead! { some_of_none_in_a_vec: vec![Some(None::<u8>)], "`Some` of nothing takes zero bytes, as `None` does in [0]", INNER,
    "`fourfold::molecule::with::Table((value,))`", vec![Some(with::Table((None::<u8>,)))] }
    instead! { some_of_null_under_any: with::Any(vec![Some(None::<u8>)]), "`Some` of nothing is nil in messagepack, as `None` is in [0]", "use a tuple in the option, `Some((value,))`",
    "`Some((value,))`", with::Any(vec![Some((None::<u8>,))]) }

    on_field! { mixed_tuple [strict()]: (u8, String) = (1, "x".into()), "a tuple or array with a dynamic item needs a mark in field[1]", TABLE, with = "fourfold::molecule::with::table" }
    on_top! { mixed_tuple_on_top [strict()]: (u8, String) = (1, "x".into()), "a tuple or array with a dynamic item needs a mark in [1]", TABLE, Table }

    /// The bytes of these numbers are those of a table.
    const LOOKALIKE: [u64; 3] = [24 | 16 << 32, 17 | 20 << 32, u64::MAX];

    on_top! { ambiguous_on_top: [u64; 3] = LOOKALIKE, "a packed tuple has the bytes of a table", STRUCT, Struct }
    on_field! { ambiguous_field: [u64; 3] = LOOKALIKE, "a packed tuple has the bytes of a table in field", STRUCT, with = "fourfold::molecule::with::structure" }
    on_field! { ambiguous_in_an_option: Option<[u64; 3]> = Some(LOOKALIKE), "a packed tuple has the bytes of a table in field", STRUCT, with = "fourfold::molecule::with::structure" }
    instead! { ambiguous_in_a_variant: Ok::<_, u8>(LOOKALIKE), "a packed tuple has the bytes of a table", STRUCT,
    "`fourfold::molecule::with::Struct(value)`", Ok::<_, u8>(with::Struct(LOOKALIKE)) }
    instead! { ambiguous_in_a_map: BTreeMap::from([(1u8, LOOKALIKE)]), "a packed tuple has the bytes of a table in [0].value", STRUCT,
    "`fourfold::molecule::with::Struct(value)`", BTreeMap::from([(1u8, with::Struct(LOOKALIKE))]) }
    instead! { ambiguous_item: (1u8, LOOKALIKE, "x".to_owned()), "a packed tuple has the bytes of a table in [1]", STRUCT,
    "`fourfold::molecule::with::Struct(value)`", (1u8, with::Struct(LOOKALIKE), "x".to_owned()) }
    instead! { ambiguous_last_item: ("x".to_owned(), LOOKALIKE), "a packed tuple has the bytes of a table in [1]", STRUCT,
    "`fourfold::molecule::with::Struct(value)`", ("x".to_owned(), with::Struct(LOOKALIKE)) }
}

mod marks {
    use super::*;

    instead! { struct_on_text: with::Struct("x".to_owned()), "the mark `struct` fits structs, tuples, arrays and fixed values, not text", "remove the mark", "remove the mark", "x".to_owned() }
    instead! { table_on_a_vector: with::Table(vec![1u8]), "the mark `table` fits structs, tuples, arrays and units, not a sequence", "remove the mark", "remove the mark", vec![1u8] }
    instead! { dynvec_on_a_number: with::DynVec(7u8), "the mark `dynvec` fits sequences and maps, not u8", "remove the mark", "remove the mark", 7u8 }
    instead! { fixvec_on_a_tuple: with::FixVec((1u8, 2u8)), "the mark `fixvec` fits sequences, maps, text and bytes, not a tuple or array", "remove the mark", "remove the mark", (1u8, 2u8) }
    instead! { two_marks: with::Struct(with::Table((1u8, 2u8))), "the mark `struct` does not fit a value with another mark", "remove one of the two marks",
    "remove one of the two marks", with::Table((1u8, 2u8)) }
    instead! { two_marks_with_any: with::Table(with::Any(1u8)), "the mark `any` does not fit a value with another mark", "remove one of the two marks",
    "remove one of the two marks", with::Any(1u8) }

    /// Two types of the same shape. The name of the first one is refused.
    macro_rules! names {
        ($($row:ident $([$options:expr])?: $wrong:literal $right:literal $fact:literal, $hint:literal
            { $($item:tt)* } $($value:expr),*;)*) => {$(
            mod $row {
                use super::*;

                mod wrong {
                    use super::*;

                    #[derive(Serialize, Deserialize, Debug, PartialEq)]
                    #[serde(rename = $wrong)]
                    $($item)*
                }

                mod right {
                    use super::*;

                    #[derive(Serialize, Deserialize, Debug, PartialEq)]
                    #[serde(rename = $right)]
                    $($item)*
                }

                fn refused(options: &Options) -> Vec<molecule::Error> {
                    use wrong::Named;
                    vec![$(refusal(options, &$value)),*]
                }

                fn pass(options: &Options) {
                    use right::Named;
                    $(passes(options, &$value);)*
                }

                #[test]
                fn follow() {
                    let options = [$($options,)? Options::new()][0].clone();
                    let attribute = concat!("`#[serde(rename = \"", $right, "\")]`");
                    for error in refused(&options) {
                        check(&error, $fact, $hint, attribute);
                    }
                    pass(&options);
                }
            }
        )*};
    }

    names! {
        misspelt: "strct.Point" "struct.Point" "container name `strct.Point` is not the mark `struct.`, but nearly", "use `#[serde(rename = \"struct.Point\")]`, or another name"
            { pub(super) struct Named { pub(super) x: u8, pub(super) y: u16 } } Named { x: 1, y: 2 };
        misspelt_on_a_newtype: "Dynvec.Words" "dynvec.Words" "container name `Dynvec.Words` is not the mark `dynvec.`, but nearly", "use `#[serde(rename = \"dynvec.Words\")]`, or another name"
            { pub(super) struct Named(pub(super) Vec<String>); } Named(vec![]);
        misspelt_on_an_enum: "unoin.Item.A-7" "union.Item.A-7" "container name `unoin.Item.A-7` is not the mark `union.`, but nearly", "use `#[serde(rename = \"union.Item.A-7\")]`, or another name"
            { pub(super) enum Named { A(u8) } } Named::A(1);
        keyword_alone: "struct" "struct.Type" "container name `struct` is not the mark `struct.`, but nearly", "use `#[serde(rename = \"struct.Type\")]`, or another name"
            { pub(super) struct Named { pub(super) x: u8, pub(super) y: u16 } } Named { x: 1, y: 2 };
        keyword_alone_on_a_tuple: "struct" "struct.Type" "container name `struct` is not the mark `struct.`, but nearly", "use `#[serde(rename = \"struct.Type\")]`, or another name"
            { pub(super) struct Named(pub(super) u8, pub(super) u8); } Named(1, 2);
        keyword_alone_on_a_newtype: "dynvec" "dynvec.Type" "container name `dynvec` is not the mark `dynvec.`, but nearly", "use `#[serde(rename = \"dynvec.Type\")]`, or another name"
            { pub(super) struct Named(pub(super) Vec<String>); } Named(vec![]);
        keyword_alone_on_a_vector: "fixvec" "fixvec.Type" "container name `fixvec` is not the mark `fixvec.`, but nearly", "use `#[serde(rename = \"fixvec.Type\")]`, or another name"
            { pub(super) struct Named(pub(super) Vec<u8>); } Named(vec![]);
        keyword_alone_on_an_enum: "union" "union.Type" "container name `union` is not the mark `union.`, but nearly", "use `#[serde(rename = \"union.Type\")]`, or another name"
            { pub(super) enum Named { A(u8) } } Named::A(1);
        keyword_alone_under_strict [strict()]: "struct" "struct.Type" "container name `struct` is not the mark `struct.`, but nearly", "use `#[serde(rename = \"struct.Type\")]`, or another name"
            { pub(super) struct Named { pub(super) x: u8, pub(super) y: u16 } } Named { x: 1, y: 2 };
        no_mark [strict()]: "io.k8s.Pod" "io_k8s_Pod" "container name `io.k8s.Pod` looks like a mark and is none", "use a name without a dot, as `#[serde(rename = \"io_k8s_Pod\")]`"
            { pub(super) struct Named { pub(super) x: u8 } } Named { x: 1 };
        union_without_type: "union.A-7" "union.Type.A-7" "the mark `union.A-7` begins with `A-7`, not with the type's name", "use `#[serde(rename = \"union.Type.A-7\")]`, with the schema's ids"
            { pub(super) enum Named { A(u8) } } Named::A(1);
        union_without_number: "union.Item.A" "union.Item.A-0" "the mark `union.Item.A` gives `A` no number", "use `#[serde(rename = \"union.Item.A-0\")]`, with the schema's ids"
            { pub(super) enum Named { A(u8) } } Named::A(1);
        union_with_a_word: "union.Item.A-x.B-0" "union.Item.A-1.B-0" "the mark `union.Item.A-x.B-0` gives `A` no number", "use `#[serde(rename = \"union.Item.A-1.B-0\")]`, with the schema's ids"
            { pub(super) enum Named { A(u8), B } } Named::A(1);
        union_without_a_variant: "union.Item.A-0" "union.Item.A-0.B-1" "the mark `union.Item.A-0` leaves out `B`", "use `#[serde(rename = \"union.Item.A-0.B-1\")]`, with the schema's ids"
            { pub(super) enum Named { A(u8), B } } Named::B;
        union_of_one_id: "union.Item.A-0.B-0.C-1" "union.Item.A-0.B-2.C-1" "the mark `union.Item.A-0.B-0.C-1` gives the id 0 twice", "use `#[serde(rename = \"union.Item.A-0.B-2.C-1\")]`, with the schema's ids"
            { pub(super) enum Named { A(u8), B, C } } Named::A(1), Named::B;
        union_of_one_name: "union.Item.A-0.B-1.A-2" "union.Item.A-0.B-1" "the mark `union.Item.A-0.B-1.A-2` names `A` twice", "use `#[serde(rename = \"union.Item.A-0.B-1\")]`, with the schema's ids"
            { pub(super) enum Named { A(u8), B } } Named::A(1);
    }
}

mod of_bytes {
    use super::*;

    #[derive(Serialize, Deserialize, Debug)]
    struct OutPoint {
        hash: u16,
        index: u16,
    }

    #[derive(Serialize, Deserialize, Debug)]
    #[serde(rename = "struct.OutPoint")]
    struct PackedOutPoint {
        hash: u16,
        index: u16,
    }

    #[derive(Deserialize, Debug)]
    struct Holder {
        #[serde(with = "fourfold::molecule::with::structure")]
        _point: OutPoint,
    }

    #[derive(Deserialize, Debug)]
    struct PlainHolder {
        _point: OutPoint,
    }

    #[derive(Deserialize, Debug)]
    struct Absent {
        _a: u8,
        _b: u8,
    }

    #[derive(Deserialize, Debug)]
    struct MaybeAbsent {
        _a: u8,
        _b: Option<u8>,
    }

    #[derive(Deserialize, Debug)]
    struct Defaults {
        _a: u8,
        #[serde(default)]
        _b: u8,
    }

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "is never looked into")]
    enum Plain {
        _A(u8),
        _B,
    }

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "is never looked into")]
    #[serde(rename = "union.Plain._A-7._B-9")]
    enum WithIds {
        _A(u8),
        _B,
    }

    const PACKED: [u8; 4] = [1, 0, 2, 0];
    const HOLDER: [u8; 12] = [12, 0, 0, 0, 8, 0, 0, 0, 1, 0, 2, 0];
    const LIST: [u8; 8] = [1, 0, 0, 0, 1, 0, 2, 0];

    fn table() -> Vec<u8> {
        to_vec(&OutPoint { hash: 1, index: 2 }).unwrap()
    }

    fn without_b() -> Vec<u8> {
        to_vec(&(with::Table((1u8, None::<u8>)))).unwrap()
    }

    reading! { struct_read_as_a_table: OutPoint = PACKED, "input ends early: 131073 bytes needed, 4 left at byte 0", OUT_POINT, "`#[serde(rename = \"struct.OutPoint\")]`", PackedOutPoint }
    reading! { field_read_as_a_table: PlainHolder = HOLDER, "full size 131073 differs from the 4 bytes given in _point at byte 8", OUT_POINT, "`#[serde(with = \"fourfold::molecule::with::structure\")]`", Holder }
    reading! { item_read_as_a_table: Vec<OutPoint> = LIST, "a table is dynamic where a fixvec needs fixed sizes in [0] at byte 4", OUT_POINT, "`#[serde(rename = \"struct.OutPoint\")]`", Vec<PackedOutPoint> }
    reading! { item_of_others_read_as_a_table: Vec<OutPoint> = LIST, "a table is dynamic where a fixvec needs fixed sizes in [0] at byte 4", OUT_POINT, "`fourfold::molecule::with::Struct(value)`", Vec<with::Struct<OutPoint>> }
    reading! { tuple_read_as_a_table: with::Table<(u16, u16)> = PACKED, "input ends early: 131073 bytes needed, 4 left at byte 0", "if the schema says struct or array, remove the mark `table`", "remove the mark `table`", (u16, u16) }
    reading! { table_read_as_a_struct: PackedOutPoint = table(), "12 trailing bytes at byte 4", "if the schema says table, remove the mark `struct`", "remove the mark `struct`", OutPoint }
    reading! { table_read_as_a_tuple: with::Struct<(u16, u16)> = table(), "12 trailing bytes at byte 4", "if the schema says table, use `#[serde(with = \"fourfold::molecule::with::table\")]` on the field, or `fourfold::molecule::with::Table(value)` elsewhere", "`fourfold::molecule::with::Table(value)`", with::Table<(u16, u16)> }
    reading! { dynvec_read_as_a_fixvec: with::FixVec<Vec<String>> = to_vec(&vec!["x"]).unwrap(), "input ends early: 13 bytes needed, 9 left at byte 4", "if its items are dynamic, use `#[serde(with = \"fourfold::molecule::with::dynvec\")]` on the field, or `fourfold::molecule::with::DynVec(value)` elsewhere", "`fourfold::molecule::with::DynVec(value)`", with::DynVec<Vec<String>> }
    reading! { fixvec_read_as_a_dynvec: with::DynVec<Vec<u8>> = to_vec(&vec![1u8]).unwrap(), "full size 1 differs from the 5 bytes given at byte 0", "if its items have a fixed size, use `#[serde(with = \"fourfold::molecule::with::fixvec\")]` on the field, or `fourfold::molecule::with::FixVec(value)` elsewhere", "`fourfold::molecule::with::FixVec(value)`", with::FixVec<Vec<u8>> }
    reading! { empty_dynvec: Vec<String> = [4, 0, 0, 0], "an empty dynvec needs a mark at byte 0", DYNVEC, "`fourfold::molecule::with::DynVec(value)`", with::DynVec<Vec<String>> }
    reading! { empty_dynvec_of_either: Vec<Untagged> = [4, 0, 0, 0], "an empty dynvec needs a mark at byte 0", DYNVEC_OR_FIXVEC, "`fourfold::molecule::with::DynVec(value)`", with::DynVec<Vec<Untagged>> }
    reading! { tables_read_as_structs: with::DynVec<Vec<PackedOutPoint>> = to_vec(&vec![OutPoint { hash: 1, index: 2 }]).unwrap(), "12 trailing bytes in [0] at byte 12", "if the schema says table, remove the mark `struct`", "remove the mark `struct`", with::DynVec<Vec<OutPoint>> }
    reading! { tables_read_as_tuples: with::DynVec<Vec<(u16, u16)>> = to_vec(&vec![OutPoint { hash: 1, index: 2 }]).unwrap(), "12 trailing bytes in [0] at byte 12", "if the schema says table, use `#[serde(with = \"fourfold::molecule::with::table\")]` on the field, or `fourfold::molecule::with::Table(value)` elsewhere", "`fourfold::molecule::with::Table(value)`", with::DynVec<Vec<with::Table<(u16, u16)>>> }
    reading! { absent_field: Absent = without_b(), "field is absent, it takes zero bytes in _b at byte 13", "make it an `Option`, or use `#[serde(default)]` on the field", "make it an `Option`", MaybeAbsent }
    reading! { absent_field_with_a_default: Absent = without_b(), "field is absent, it takes zero bytes in _b at byte 13", "make it an `Option`, or use `#[serde(default)]` on the field", "`#[serde(default)]`", Defaults }
    reading! { union_id: Plain = [7, 0, 0, 0, 1], "unknown union id 7 at byte 0", "if the schema gives ids, use `#[serde(rename = \"union.Plain._A-0._B-1\")]` with those", "`#[serde(rename = \"union.Plain._A-0._B-1\")]`", WithIds }
    reading! { more_fields: (u8, String) = to_vec(&with::Table((1u8, "x", 2u8))).unwrap(), "table has 3 fields, the type has 2 at byte 4", "use `Options::compatible(true)` to accept more fields", "`Options::compatible(true)`", with::Table<(u8, String)>, Options::new().compatible(true) }
    reading! { more_fields_of_a_struct: OutPoint = to_vec(&with::Table((1u16, 2u16, 3u8))).unwrap(), "table has 3 fields, the type has 2 at byte 4", "use `Options::compatible(true)` to accept more fields", "`Options::compatible(true)`", OutPoint, Options::new().compatible(true) }
}

mod limits {
    use super::*;

    #[test]
    fn depth() {
        let value = vec![vec![1u8]];
        let options = Options::new().max_depth(1);
        let error = options.to_vec(&value).unwrap_err();
        check(
            &error,
            "nested deeper than 1 level in [0]",
            "use `Options::max_depth` to allow more",
            "`Options::max_depth`",
        );
        passes(&options.max_depth(2), &value);
    }

    #[test]
    fn input() {
        let bytes: &[u8] = &to_vec("a long text").unwrap();
        let options = Options::new().max_input(5);
        let error = options.from_reader::<_, String>(bytes).unwrap_err();
        check(
            &error,
            "input is longer than 5 bytes at byte 5",
            "use `Options::max_input` to allow more",
            "`Options::max_input`",
        );
        options.max_input(100).from_reader::<_, String>(bytes).unwrap();
    }

    #[test]
    fn trailing_bytes_of_a_value_without_an_end() {
        let options = Options::new().allow_trailing(true);
        let bytes = to_vec(&Some(7u8)).unwrap();
        let error = options.from_slice::<Option<u8>>(&bytes).unwrap_err();
        check(
            &error,
            "an option does not show its end, so trailing bytes cannot be detected at byte 0",
            "use the bytes of this value alone, without `Options::allow_trailing`",
            "without `Options::allow_trailing`",
        );
        assert_eq!(from_slice::<Option<u8>>(&bytes).unwrap(), Some(7));
    }

    /// A size beyond the format's 32 bits has no fix, nor have damaged bytes.
    #[test]
    fn no_fix() {
        for (error, text) in [
            (
                from_slice::<u32>(&[1]).unwrap_err(),
                "input ends early: 4 bytes needed, 1 left at byte 0",
            ),
            (from_slice::<bool>(&[7]).unwrap_err(), "bool is 7, neither 0 nor 1 at byte 0"),
            (from_slice::<u8>(&[7, 8]).unwrap_err(), "1 trailing byte at byte 1"),
        ] {
            assert_eq!(error.hint(), None);
            assert_eq!(error.to_string(), text);
        }
        assert!(molecule::ErrorKind::TooLarge { size: usize::MAX }.hint().is_none());
    }
}

mod records {
    use super::*;
    use std::num::NonZeroUsize;

    use fourfold::molecule::{RecordWriter, Records};

    #[test]
    fn without_a_size() {
        let error = RecordWriter::new(Vec::new()).write(&7u32).unwrap_err();
        check(
            &error,
            "record of 4 bytes does not begin with that as its full size",
            TABLE_RECORDS,
            "`fourfold::molecule::with::Table((value,))`",
        );
        let mut writer = RecordWriter::new(Vec::new());
        writer.write(&with::Table((7u32,))).unwrap();
        let bytes = writer.into_inner();
        let read: Vec<_> = Records::<_, with::Table<(u32,)>>::from_slice(&bytes).collect();
        assert_eq!(read.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [with::Table((7,))]);
    }

    #[test]
    fn of_one_size() {
        let four = NonZeroUsize::new(4).unwrap();
        let error = RecordWriter::new(Vec::new()).write(&7u32).unwrap_err();
        check(
            &error,
            "record of 4 bytes does not begin with that as its full size",
            TABLE_RECORDS,
            "`RecordWriter::of_size`",
        );
        let mut writer = RecordWriter::new(Vec::new()).of_size(four);
        writer.write(&7u32).unwrap();
        let bytes = writer.into_inner();
        let read: Vec<_> = Records::<_, u32>::from_slice(&bytes).of_size(four).collect();
        assert_eq!(read.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn of_another_size() {
        let four = NonZeroUsize::new(4).unwrap();
        let mut writer = RecordWriter::new(Vec::new()).of_size(four);
        writer.write(&7u32).unwrap();
        let error = writer.write(&7u16).unwrap_err();
        check(
            &error,
            "record of 2 bytes among records of 4",
            "use `fourfold::molecule::with::Table((value,))` for each record, without `RecordWriter::of_size`",
            "`fourfold::molecule::with::Table((value,))`",
        );
        let mut writer = RecordWriter::new(Vec::new());
        writer.write(&with::Table((7u32,))).unwrap();
        writer.write(&with::Table((7u16,))).unwrap();
    }
}

/// A type that continues after an error.
mod abandoned {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Careful(bool);

    impl Serialize for Careful {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut list = serializer.serialize_seq(Some(1))?;
            let first = list.serialize_element(&Some(None::<u8>));
            match self.0 {
                true => first?,
                false => list.serialize_element(&Some(1u8))?,
            }
            list.end()
        }
    }

    #[test]
    fn writing() {
        let error = to_vec(&Careful(false)).unwrap_err();
        check(
            &error,
            "the type ignored an error of a nested value",
            "return that error from its `Serialize` or `Deserialize` implementation",
            "return that error",
        );
        let error = to_vec(&Careful(true)).unwrap_err();
        assert!(error.to_string().starts_with("`Some` of nothing"), "{error}");
    }
}
