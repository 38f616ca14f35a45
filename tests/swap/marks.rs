//! Misspelt marks are refused by each way to write and to read, and nobody minds those of others.

use std::fmt::Debug;

use fourfold::{Error, Fault, Kind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The same types under several beginnings of their names.
macro_rules! named {
    ($($module:ident $name:literal;)*) => {$(
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
}

/// A value behind others.
type More<T> = (Vec<String>, Vec<T>);

type Write<T, K> = fn(&T) -> Result<Vec<u8>, Error<K>>;
type Read<T, K> = fn(&[u8]) -> Result<T, Error<K>>;

/// What one format does with a type: its own functions.
struct Format<K, T, U> {
    write: Write<T, K>,
    write_more: Write<More<T>, K>,
    write_plain: Write<U, K>,
    write_more_plain: Write<More<U>, K>,
    read: Read<T, K>,
    read_alone: Read<T, K>,
    read_more: Read<More<T>, K>,
}

impl<K: Kind, T, U> Format<K, T, U>
where
    T: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
    U: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
{
    /// The texts of all errors, which have to be `MisspeltMark`.
    fn refuse(&self, value: &T, plain: &U, name: &str, mark: &str) {
        let text = |error: Error<K>| {
            let told = match error.kind().fault() {
                Some(Fault::MisspeltMark { name, mark }) => Some((*name, *mark)),
                _ => None,
            };
            assert_eq!(told, Some((name, mark)), "{error}");
            assert!(error.to_string().contains(&format!("`{mark}.`")), "{error}");
            (error.path().to_string(), error.offset())
        };
        let some = || vec!["text".to_owned(); 20];
        assert_eq!(text((self.write)(value).unwrap_err()), (String::new(), None));
        let (path, none) = text((self.write_more)(&(some(), vec![value.clone()])).unwrap_err());
        assert_eq!((&*path, none), ("[1][0]", None));
        let bytes = (self.write_plain)(plain).unwrap();
        for read in [self.read, self.read_alone] {
            let (path, offset) = text(read(&bytes).unwrap_err());
            assert!(path.is_empty() && offset.is_some());
        }
        let more = (self.write_more_plain)(&(some(), vec![plain.clone()])).unwrap();
        let (path, offset) = text((self.read_more)(&more).unwrap_err());
        assert_eq!(path, "[1][0]");
        assert!(offset.is_some_and(|offset| offset > bytes.len()));
    }

    /// The same bytes as without the name, both ways.
    fn accept(&self, value: &T, plain: &U) {
        let bytes = (self.write)(value).unwrap();
        assert_eq!(bytes, (self.write_plain)(plain).unwrap());
        assert_eq!((self.read)(&bytes).unwrap(), *value);
        assert_eq!((self.read_alone)(&bytes).unwrap(), *value);
        let more = (vec![], vec![value.clone()]);
        let bytes = (self.write_more)(&more).unwrap();
        assert_eq!((self.read_more)(&bytes).unwrap(), more);
    }
}

macro_rules! formats {
    ($($format:ident { $($mine:ident $name:literal $mark:literal;)* } { $($other:ident)* })*) => {$(
        mod $format {
            use fourfold::$format::{Deserializer, ErrorKind, from_slice, to_vec};

            use super::*;

            fn all<T, U>() -> Format<ErrorKind, T, U>
            where
                T: Serialize + DeserializeOwned,
                U: Serialize + DeserializeOwned,
            {
                Format {
                    write: |value| to_vec(value),
                    write_more: |value| to_vec(value),
                    write_plain: |value| to_vec(value),
                    write_more_plain: |value| to_vec(value),
                    read: |bytes| from_slice(bytes),
                    read_alone: |bytes| T::deserialize(&mut Deserializer::from_slice(bytes)),
                    read_more: |bytes| from_slice(bytes),
                }
            }

            #[test]
            fn a_misspelt_mark() {
                $(
                    all().refuse(&$mine::Unit, &plain::Unit, $name, $mark);
                    all().refuse(&$mine::Newtype(7), &plain::Newtype(7), $name, $mark);
                    all().refuse(&$mine::Slots(1, 2), &plain::Slots(1, 2), $name, $mark);
                    let name = String::from("me");
                    let (a, b) = ($mine::Fields { name: name.clone() }, plain::Fields { name: name.clone() });
                    all().refuse(&a, &b, $name, $mark);
                    for (a, b) in [
                        ($mine::Choice::Unit, plain::Choice::Unit),
                        ($mine::Choice::Newtype(7), plain::Choice::Newtype(7)),
                        ($mine::Choice::Slots(1, 2), plain::Choice::Slots(1, 2)),
                        ($mine::Choice::Fields { name: name.clone() }, plain::Choice::Fields { name }),
                    ] {
                        all().refuse(&a, &b, $name, $mark);
                    }
                    all().refuse(&$mine::Adjacent::Number(7), &plain::Adjacent::Number(7), $name, $mark);
                )*
            }

            #[test]
            fn a_name_of_others() {
                $(
                    all().accept(&$other::Unit, &plain::Unit);
                    all().accept(&$other::Newtype(7), &plain::Newtype(7));
                    all().accept(&$other::Slots(1, 2), &plain::Slots(1, 2));
                    let name = String::from("me");
                    let (a, b) = ($other::Fields { name: name.clone() }, plain::Fields { name: name.clone() });
                    all().accept(&a, &b);
                    for (a, b) in [
                        ($other::Choice::Unit, plain::Choice::Unit),
                        ($other::Choice::Newtype(7), plain::Choice::Newtype(7)),
                        ($other::Choice::Slots(1, 2), plain::Choice::Slots(1, 2)),
                        ($other::Choice::Fields { name: name.clone() }, plain::Choice::Fields { name }),
                    ] {
                        all().accept(&a, &b);
                    }
                    all().accept(&$other::Adjacent::Number(7), &plain::Adjacent::Number(7));
                )*
            }
        }
    )*};
}

formats! {
    molecule {
        strct "strct.Type" "struct"; upper "UNION.Type" "union"; transposed "dynvce.Type" "dynvec";
    } { int tables row test name stranger }
    biniou {
        int "int.Type" "int8"; tables "tables.Type" "table";
    } { strct upper transposed row test name stranger }
    tsm {
        row "row.Type" "raw";
    } { strct upper transposed int tables test name stranger }
    primitiv {
        test "test.Type" "text"; name "name.Type" "named";
    } { strct upper transposed int tables row stranger }
}
