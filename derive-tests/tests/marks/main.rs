//! Marks on unsuitable types are refused on writing and reading, with an error that names the mark and the field.

#![allow(clippy::unwrap_used, reason = "a test reports by panicking")]

mod every_mark;

use std::fmt::Debug;

use fourfold::molecule::with::{dynvec, fixvec, structure, table};
use fourfold::molecule::{from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Declares tables with one field `item`, which has a mark.
macro_rules! marked_fields {
    ($($name:ident $module:literal $type:ty;)*) => {$(
        #[derive(Serialize, Deserialize, Debug)]
        struct $name {
            #[serde(with = $module)]
            item: $type,
        }
    )*};
}

marked_fields! {
    StructOfText "structure" String;
    StructOfOptionalText "structure" Option<String>;
    StructOfNumbers "structure" Vec<u32>;
    StructOfEnum "structure" Sound;
    StructOfOption "structure" (u8, Option<u8>);
    TableOfText "table" String;
    DynVecOfNumbers "dynvec" Vec<u32>;
    DynVecOfText "dynvec" String;
    DynVecOfStruct "dynvec" Label;
    DynVecOfArray "dynvec" [String; 2];
    FixVecOfTexts "fixvec" Vec<String>;
    FixVecOfVectors "fixvec" Vec<Vec<u8>>;
    FixVecOfNumber "fixvec" u32;
}

/// Declares types with a mark in their name.
macro_rules! marked_types {
    ($($mark:literal $type:item)*) => {$(
        #[derive(Serialize, Deserialize, Debug)]
        #[serde(rename = $mark)]
        $type
    )*};
}

marked_types! {
    "struct.Name" struct NamedStruct(String);
    "dynvec.Numbers" struct NamedDynVec(Vec<u32>);
    "fixvec.Texts" struct NamedFixVec(Vec<String>);
    "union.Number" struct NamedUnion(u32);

    "dynvec.Point" struct DynVecPoint { x: u32, y: u32 }
    "fixvec.Point" struct FixVecPoint { x: u32, y: u32 }
    "dynvec.Point" struct DynVecTuple(u32, u32);
    "dynvec.Nothing" struct DynVecUnit;

    "struct.Label" struct Label { x: u8, text: String }
    "struct.Maybe" struct Maybe { x: u8, y: Option<u8> }
    "struct.Marked" struct Marked { #[serde(with = "fixvec")] y: Vec<u8> }
    "struct.Nested" struct Nested { labels: (u8, [Label; 1]) }
    "struct.Skips" struct Skips { x: u8, #[serde(skip_serializing_if = "is_zero")] y: u8 }
    "struct.Nothing" struct EmptyStruct {}
    "struct.Nothing" struct EmptyUnit;

    "struct.Choice" enum StructEnum { Cell(u8) }
    "dynvec.Choice" enum DynVecEnum { Cell(u8) }
    "union.Sound.Cell-0.Header-7" enum Sound { Cell(u8), Header(u8) }
    "union.Short.Cell-0" enum Short { Cell(u8), Header(u8) }
    "union.Twice.Cell-7.Header-7" enum Twice { Cell(u8), Header(u8) }
    "union.Word.Cell-seven" enum Word { Cell(u8) }
    "union.Bare.Cell" enum Bare { Cell(u8) }
    "union.Large.Cell-4294967296" enum Large { Cell(u8) }

    "strct.Point" struct MisspeltStruct { x: u8 }
    "FixVec.Numbers" struct MisspeltFixVec(Vec<u8>);
    "dynvce.Nothing" struct MisspeltDynVec;
    "Union.Item.Cell-0" enum MisspeltUnion { Cell(u8) }
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A table with one field `item`.
#[derive(Serialize, Deserialize, Debug)]
struct Around<T> {
    item: T,
}

/// The offset of the field `item`: after the full size and one offset.
const ITEM: usize = 8;

fn writing<T: Serialize>(value: &T) -> String {
    to_vec(value).unwrap_err().to_string()
}

/// Reads a table whose only field has these bytes.
fn reading<T: DeserializeOwned + Debug>(item: &[u8]) -> String {
    let full_size = u8::try_from(ITEM + item.len()).unwrap();
    let bytes = [&[full_size, 0, 0, 0, 8, 0, 0, 0], item].concat();
    from_slice::<T>(&bytes).unwrap_err().to_string()
}

/// The text of an error without its fix.
fn fact(text: &str) -> &str {
    text.split_once("; ").map_or(text, |(fact, _)| fact)
}

/// The text of an error with an offset before the fix.
fn placed(text: &str, offset: usize) -> String {
    match text.split_once("; ") {
        Some((fact, hint)) => format!("{fact} at byte {offset}; {hint}"),
        None => format!("{text} at byte {offset}"),
    }
}

/// Asserts that the mark is refused, before the rest of the value is checked.
fn assert_refused<T: Serialize + DeserializeOwned + Debug>(value: &T, text: &str) {
    assert_eq!(writing(value), text);
    assert_eq!(reading::<T>(&[1, 0, 0, 0, 2]), placed(text, ITEM));
}

#[test]
fn marks_on_fields_of_other_types_are_refused() {
    let text = || "hi".to_owned();
    assert_refused(
        &StructOfText { item: text() },
        "the mark `struct` fits structs, tuples, arrays and fixed values, not text in item; remove the mark",
    );
    assert_refused(
        &StructOfOptionalText { item: Some(text()) },
        "the mark `struct` fits structs, tuples, arrays and fixed values, not text in item; remove the mark",
    );
    assert_refused(
        &StructOfNumbers { item: vec![1] },
        "the mark `struct` fits structs, tuples, arrays and fixed values, not a sequence in item; remove the mark",
    );
    assert_refused(
        &StructOfEnum { item: Sound::Cell(1) },
        "the mark `struct` fits structs, tuples, arrays and fixed values, not an enum in item; remove the mark",
    );
    assert_refused(
        &TableOfText { item: text() },
        "the mark `table` fits structs, tuples, arrays and units, not text in item; remove the mark",
    );
    assert_refused(
        &DynVecOfText { item: text() },
        "the mark `dynvec` fits sequences and maps, not text in item; remove the mark",
    );
    let label = Label { x: 1, text: text() };
    assert_refused(
        &DynVecOfStruct { item: label },
        "the mark `dynvec` fits sequences and maps, not a struct in item; remove the mark",
    );
    assert_refused(
        &DynVecOfArray { item: [text(), text()] },
        "the mark `dynvec` fits sequences and maps, not a tuple or array in item; remove the mark",
    );
    assert_refused(
        &FixVecOfNumber { item: 1 },
        "the mark `fixvec` fits sequences, maps, text and bytes, not u32 in item; remove the mark",
    );
}

#[test]
fn marks_in_names_of_other_types_are_refused() {
    fn assert_refused<T: Serialize + DeserializeOwned + Debug>(item: T, text: &str) {
        crate::assert_refused(&Around { item }, text);
    }
    assert_refused(
        NamedStruct("hi".to_owned()),
        "the mark `struct` fits structs, tuples, arrays and fixed values, not text in item; remove the mark",
    );
    assert_refused(
        NamedUnion(1),
        "the mark `union` fits enums, not a newtype struct in item; remove the mark",
    );
    assert_refused(
        DynVecPoint { x: 1, y: 2 },
        "the mark `dynvec` fits sequences and maps, not a struct in item; remove the mark",
    );
    assert_refused(
        FixVecPoint { x: 1, y: 2 },
        "the mark `fixvec` fits sequences, maps, text and bytes, not a struct in item; remove the mark",
    );
    assert_refused(
        DynVecTuple(1, 2),
        "the mark `dynvec` fits sequences and maps, not a struct in item; remove the mark",
    );
    assert_refused(
        DynVecUnit,
        "the mark `dynvec` fits sequences and maps, not a unit struct in item; remove the mark",
    );
    assert_refused(
        StructEnum::Cell(1),
        "the mark `struct` fits structs, tuples, arrays and fixed values, not an enum in item; remove the mark",
    );
    assert_refused(
        DynVecEnum::Cell(1),
        "the mark `dynvec` fits sequences and maps, not an enum in item; remove the mark",
    );
}

/// The error names the mark that was probably meant.
#[test]
fn misspelt_marks_in_names_are_refused() {
    fn misspelt<T: Serialize + DeserializeOwned + Debug>(item: T, name: &str, mark: &str) {
        let text = format!(
            "container name `{name}` is not the mark `{mark}.`, but nearly in item; use \
             `#[serde(rename = \"{mark}.{}\")]`, or another name",
            name.split_once('.').unwrap().1
        );
        crate::assert_refused(&Around { item }, &text);
    }
    misspelt(MisspeltStruct { x: 1 }, "strct.Point", "struct");
    misspelt(MisspeltFixVec(vec![1]), "FixVec.Numbers", "fixvec");
    misspelt(MisspeltDynVec, "dynvce.Nothing", "dynvec");
    misspelt(MisspeltUnion::Cell(1), "Union.Item.Cell-0", "union");
}

#[test]
fn a_dynvec_refuses_items_of_fixed_size() {
    let fixed = "item has a fixed size, so the vector is a fixvec and no dynvec in item[0]; use `#[serde(with = \"fourfold::molecule::with::fixvec\")]` on the field, or `fourfold::molecule::with::FixVec(value)` elsewhere; for untagged enums and `Value`, use `#[serde(with = \"fourfold::molecule::with::any\")]` on the field, or `fourfold::molecule::with::Any(value)` elsewhere";
    // A dynvec of one item of four bytes, which a `Vec<u32>` must not be.
    let dynvec = [12, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0];

    assert_eq!(writing(&DynVecOfNumbers { item: vec![1] }), fixed);
    assert_eq!(reading::<DynVecOfNumbers>(&dynvec), placed(fact(fixed), 16));
    assert_eq!(writing(&Around { item: NamedDynVec(vec![1]) }), fixed);
    assert_eq!(reading::<Around<NamedDynVec>>(&dynvec), placed(fact(fixed), 16));
}

#[test]
fn a_fixvec_refuses_items_of_variable_size() {
    let texts = || vec!["hi".to_owned()];
    let fixvec = [1, 0, 0, 0, 0, 0];
    let item = "an item is dynamic where a fixvec needs fixed sizes in item[0]; use `#[serde(with = \"fourfold::molecule::with::dynvec\")]` on the field, or `fourfold::molecule::with::DynVec(value)` elsewhere; for untagged enums and `Value`, use `#[serde(with = \"fourfold::molecule::with::any\")]` on the field, or `fourfold::molecule::with::Any(value)` elsewhere";
    let text = "text is dynamic where a struct or marked fixvec needs fixed sizes in item[0] at byte 12; remove the mark `struct` or `fixvec` from the type or vector around it";
    assert_eq!(writing(&FixVecOfTexts { item: texts() }), item);
    assert_eq!(reading::<FixVecOfTexts>(&fixvec), text);
    assert_eq!(writing(&Around { item: NamedFixVec(texts()) }), item);
    assert_eq!(reading::<Around<NamedFixVec>>(&fixvec), text);

    let vector = "a sequence is dynamic where a struct or marked fixvec needs fixed sizes in item[0]; remove the mark `struct` or `fixvec` from the type or vector around it";
    assert_eq!(writing(&FixVecOfVectors { item: vec![vec![1]] }), vector);
    assert_eq!(reading::<FixVecOfVectors>(&fixvec), placed(vector, 12));
}

#[test]
fn a_struct_refuses_fields_of_variable_size() {
    fn refused<T: DeserializeOwned + Debug + Serialize>(item: T, write: &str, read: &str) {
        assert_eq!(writing(&Around { item }), write);
        assert_eq!(reading::<Around<T>>(&[1, 2, 0, 0, 0, 3, 4]), read);
    }
    let label = || Label { x: 1, text: "hi".to_owned() };
    refused(
        label(),
        "a field is dynamic where a struct needs fixed sizes in item.text; remove the mark `struct` or `fixvec` from the type or vector around it",
        "text is dynamic where a struct or marked fixvec needs fixed sizes in item.text at byte 9; remove the mark `struct` or `fixvec` from the type or vector around it",
    );
    refused(
        Maybe { x: 1, y: Some(2) },
        "a field is dynamic where a struct needs fixed sizes in item.y; remove the mark `struct` or `fixvec` from the type or vector around it",
        "an option is dynamic where a struct or marked fixvec needs fixed sizes in item.y at byte 9; remove the mark `struct` or `fixvec` from the type or vector around it",
    );
    refused(
        Marked { y: vec![1] },
        "a sequence is dynamic where a struct or marked fixvec needs fixed sizes in item.y; remove the mark `struct` or `fixvec` from the type or vector around it",
        "a fixvec is dynamic where a struct or marked fixvec needs fixed sizes in item.y at byte 8; remove the mark `struct` or `fixvec` from the type or vector around it",
    );
    refused(
        Nested { labels: (1, [label()]) },
        "a field is dynamic where a struct needs fixed sizes in item.labels[1][0].text; remove the mark `struct` or `fixvec` from the type or vector around it",
        "text is dynamic where a struct or marked fixvec needs fixed sizes in item.labels[1][0].text at byte 10; remove the mark `struct` or `fixvec` from the type or vector around it",
    );
    assert_eq!(
        writing(&StructOfOption { item: (1, Some(2)) }),
        "a field is dynamic where a struct needs fixed sizes in item[1]; remove the mark `struct` or `fixvec` from the type or vector around it",
    );
    assert_eq!(
        reading::<StructOfOption>(&[1, 2]),
        "an option is dynamic where a struct or marked fixvec needs fixed sizes in item[1] at byte 9; remove the mark `struct` or `fixvec` from the type or vector around it",
    );
}

#[test]
fn a_struct_refuses_missing_fields() {
    let empty = "a struct without fields takes zero bytes, which molecule does not have in item; remove the mark `struct` or `fixvec` from it or around it: then it is a table";
    assert_eq!(writing(&Around { item: EmptyStruct {} }), empty);
    assert_refused(&Around { item: EmptyUnit }, empty);

    assert_eq!(
        writing(&Around { item: Skips { x: 1, y: 0 } }),
        "a field of a struct cannot be skipped in item.y; remove the mark `struct` or `fixvec` from the type or vector around it: tables can leave fields out",
    );
}

#[test]
fn invalid_union_ids_are_refused() {
    fn assert_invalid<T: Serialize + DeserializeOwned + Debug>(item: T, text: &str) {
        assert_eq!(fact(&writing(&Around { item })), text);
        let id = [7, 0, 0, 0, 1];
        assert_eq!(fact(&reading::<Around<T>>(&id)), placed(text, ITEM));
    }
    assert_invalid(
        Twice::Header(1),
        "the mark `union.Twice.Cell-7.Header-7` gives the id 7 twice in item",
    );
    assert_invalid(
        Word::Cell(1),
        "the mark `union.Word.Cell-seven` gives `Cell` no number in item",
    );
    assert_invalid(Bare::Cell(1), "the mark `union.Bare.Cell` gives `Cell` no number in item");
    assert_invalid(
        Large::Cell(1),
        "the mark `union.Large.Cell-4294967296` gives `Cell` no number in item",
    );

    // A variant that the mark leaves out has no id.
    assert_eq!(
        fact(&writing(&Around { item: Short::Header(1) })),
        "the mark `union.Short.Cell-0` leaves out `Header` in item",
    );
    assert_eq!(reading::<Around<Short>>(&[1, 0, 0, 0, 1]), "unknown union id 1 in item at byte 8");
}
