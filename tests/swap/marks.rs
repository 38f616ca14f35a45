//! Misspelt marks are refused by each way to write and to read, and marks of other formats are accepted.

use std::fmt::Debug;

use fourfold::{CommonKind, Error, Kind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::format::{Biniou, Format, Molecule, Primitiv, Tsm};

/// The same types with several prefixes of their names.
macro_rules! named {
    ($($module:ident $name:literal;)*) => {$(
        #[allow(dead_code, reason = "keywords alone are tried with some of the types")]
        mod $module {
            use super::*;

            #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            pub(super) struct Unit;

            #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            pub(super) struct Newtype(pub(super) u32);

            #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            pub(super) struct Slots(pub(super) u8, pub(super) u8);

            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            pub(super) struct Fields {
                pub(super) name: String,
            }

            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            pub(super) enum Choice {
                Unit,
                Newtype(u32),
                Slots(u8, u8),
                Fields { name: String },
            }

            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name, tag = "t", content = "c")]
            pub(super) enum Adjacent {
                Number(u32),
            }
        }
    )*};
}

named! {
    plain "Type";
    strct "strct.Type";
    upper "UNION.Type";
    transposed "dynvce.Type";
    int "int.Type";
    tables "tables.Type";
    row "row.Type";
    test "test.Type";
    name "name.Type";
    stranger "io.k8s.Type";
    only_struct "struct";
    only_union "union";
    only_table "table";
    only_int "int8";
    only_raw "raw";
    only_text "text";
}

/// A value after others.
type More<T> = (Vec<String>, Vec<T>);

/// Asserts that each way refuses the mark with `MisspeltMark`.
fn refuse<F: Format, T, U>(value: &T, plain: &U, name: &str, mark: &str)
where
    T: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
    U: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
{
    let text = |error: Error<F::Kind>| {
        let reported = match error.kind().common() {
            Some(CommonKind::MisspeltMark { name, mark }) => Some((*name, *mark)),
            _ => None,
        };
        assert_eq!(reported, Some((name, mark)), "{error}");
        assert!(error.to_string().contains(&format!("`{mark}.`")), "{error}");
        (error.path().to_string(), error.offset())
    };
    let some = || vec!["text".to_owned(); 20];
    assert_eq!(text(F::to_vec(value).unwrap_err()), (String::new(), None));
    let (path, none) = text(F::to_vec(&(some(), vec![value.clone()])).unwrap_err());
    assert_eq!((&*path, none), ("[1][0]", None));
    let bytes = F::to_vec(plain).unwrap();
    for read in [F::from_slice::<T>, F::deserialize_first::<T>] {
        let (path, offset) = text(read(&bytes).unwrap_err());
        assert!(path.is_empty() && offset.is_some());
    }
    let more = F::to_vec(&(some(), vec![plain.clone()])).unwrap();
    let (path, offset) = text(F::from_slice::<More<T>>(&more).unwrap_err());
    assert_eq!(path, "[1][0]");
    assert!(offset.is_some_and(|offset| offset > bytes.len()));
}

/// Asserts the same bytes as without the name, both ways.
fn accept<F: Format, T, U>(value: &T, plain: &U)
where
    T: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
    U: Serialize,
{
    let bytes = F::to_vec(value).unwrap();
    assert_eq!(bytes, F::to_vec(plain).unwrap());
    assert_eq!(F::from_slice::<T>(&bytes).unwrap(), *value);
    assert_eq!(F::deserialize::<T>(&bytes).unwrap(), *value);
    let more = (vec![], vec![value.clone()]);
    let bytes = F::to_vec(&more).unwrap();
    assert_eq!(F::from_slice::<More<T>>(&bytes).unwrap(), more);
}

/// A keyword without a dot is refused on types that the mark fits, and is an ordinary name elsewhere.
#[test]
fn keywords_alone() {
    macro_rules! newtypes {
        ($($format:ident $module:ident $word:literal;)*) => {$(
            refuse::<$format, _, _>(&$module::Newtype(7), &plain::Newtype(7), $word, $word);
            accept::<$format, _, _>(&$module::Slots(1, 2), &plain::Slots(1, 2));
            accept::<$format, _, _>(&$module::Unit, &plain::Unit);
        )*};
    }

    newtypes! {
        Biniou only_table "table"; Biniou only_int "int8"; Tsm only_raw "raw"; Primitiv only_text "text";
    }
    let fields = || plain::Fields { name: String::from("me") };
    let table = only_table::Fields { name: String::from("me") };
    accept::<Biniou, _, _>(&table, &fields());
    let raw = only_raw::Fields { name: String::from("me") };
    accept::<Tsm, _, _>(&raw, &fields());
    // For primitiv, a struct may be an adjacently tagged enum.
    let named = only_text::Fields { name: String::from("me") };
    refuse::<Primitiv, _, _>(&named, &fields(), "text", "text");
    let text = plain::Choice::Newtype(7);
    refuse::<Primitiv, _, _>(&only_text::Choice::Newtype(7), &text, "text", "text");

    let name = String::from("me");
    let (a, b) = (only_struct::Fields { name: name.clone() }, plain::Fields { name });
    refuse::<Molecule, _, _>(&a, &b, "struct", "struct");
    refuse::<Molecule, _, _>(&only_struct::Slots(1, 2), &plain::Slots(1, 2), "struct", "struct");
    refuse::<Molecule, _, _>(&only_struct::Newtype(7), &plain::Newtype(7), "struct", "struct");
    let union = only_union::Choice::Newtype(7);
    refuse::<Molecule, _, _>(&union, &text, "union", "union");
    accept::<Molecule, _, _>(&only_table::Slots(1, 2), &plain::Slots(1, 2));
    accept::<Molecule, _, _>(&only_text::Newtype(7), &plain::Newtype(7));
}

macro_rules! formats {
    ($($format:ident $type:ident { $($mine:ident $name:literal $mark:literal;)* } { $($other:ident)* })*) => {$(
        mod $format {
            use super::*;

            #[test]
            fn a_misspelt_mark() {
                $(
                    refuse::<$type, _, _>(&$mine::Unit, &plain::Unit, $name, $mark);
                    refuse::<$type, _, _>(&$mine::Newtype(7), &plain::Newtype(7), $name, $mark);
                    refuse::<$type, _, _>(&$mine::Slots(1, 2), &plain::Slots(1, 2), $name, $mark);
                    let name = String::from("me");
                    let (a, b) = ($mine::Fields { name: name.clone() }, plain::Fields { name: name.clone() });
                    refuse::<$type, _, _>(&a, &b, $name, $mark);
                    for (a, b) in [
                        ($mine::Choice::Unit, plain::Choice::Unit),
                        ($mine::Choice::Newtype(7), plain::Choice::Newtype(7)),
                        ($mine::Choice::Slots(1, 2), plain::Choice::Slots(1, 2)),
                        ($mine::Choice::Fields { name: name.clone() }, plain::Choice::Fields { name }),
                    ] {
                        refuse::<$type, _, _>(&a, &b, $name, $mark);
                    }
                    refuse::<$type, _, _>(&$mine::Adjacent::Number(7), &plain::Adjacent::Number(7), $name, $mark);
                )*
            }

            #[test]
            fn a_name_of_others() {
                $(
                    accept::<$type, _, _>(&$other::Unit, &plain::Unit);
                    accept::<$type, _, _>(&$other::Newtype(7), &plain::Newtype(7));
                    accept::<$type, _, _>(&$other::Slots(1, 2), &plain::Slots(1, 2));
                    let name = String::from("me");
                    let (a, b) = ($other::Fields { name: name.clone() }, plain::Fields { name: name.clone() });
                    accept::<$type, _, _>(&a, &b);
                    for (a, b) in [
                        ($other::Choice::Unit, plain::Choice::Unit),
                        ($other::Choice::Newtype(7), plain::Choice::Newtype(7)),
                        ($other::Choice::Slots(1, 2), plain::Choice::Slots(1, 2)),
                        ($other::Choice::Fields { name: name.clone() }, plain::Choice::Fields { name }),
                    ] {
                        accept::<$type, _, _>(&a, &b);
                    }
                    accept::<$type, _, _>(&$other::Adjacent::Number(7), &plain::Adjacent::Number(7));
                )*
            }
        }
    )*};
}

formats! {
    molecule Molecule {
        strct "strct.Type" "struct"; upper "UNION.Type" "union"; transposed "dynvce.Type" "dynvec";
    } { int tables row test name stranger }
    biniou Biniou {
        int "int.Type" "int8"; tables "tables.Type" "table";
    } { strct upper transposed row test name stranger }
    tsm Tsm {
        row "row.Type" "raw";
    } { strct upper transposed int tables test name stranger }
    primitiv Primitiv {
        test "test.Type" "text"; name "name.Type" "named";
    } { strct upper transposed int tables row stranger }
}
