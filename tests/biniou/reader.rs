//! Which inputs readers made by atdgen accept and refuse, and where ours differ intentionally.

use std::fmt::Debug;

use fourfold::biniou::with::Uvint;
use fourfold::biniou::{Options, from_reader, from_slice, to_vec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, to_value};

use crate::schema::compare::{compare, parse};
use crate::schema::fixture::{self, FIXTURES};
use crate::schema::{Test, with_type};
use crate::support::fixture::{assert_none, hex};

/// The result of a reader for an input: a value, as JSON, or an error.
#[derive(Debug)]
enum Verdict {
    Accepts(Value),
    Refuses,
}

const ONE_POINT: Option<&str> = Some(r#"{"x":1,"y":2}"#);
const ONE_ROW: Option<&str> = Some(r#"[{"x":1,"y":2}]"#);

const WIDE: &str = "our integers have all their bits; a vint is as long as the type allows";
const LISTS: &str = "a list is read from whatever holds its items in order";
const SHARED: &str = "sharing shows how a value was made, not what it is";
const SKIPPED: &str = "what is unknown is skipped by its tag, as the format means it";
const EQUAL: &str = "a field that comes twice is refused, as serde's derive does";
const TRAILING: &str = "bytes after the value are refused unless they are allowed";

/// Differences from atdgen's readers: file, the value that this crate reads (`None`: refused), the reason.
const DIFFERENCES: [(&str, Option<&str>, &str); 15] = [
    ("vint-ten_bytes_refused", Some("5"), WIDE),
    ("vint-nine_bytes_all_ones_is_minus_one", Some("9223372036854775807"), WIDE),
    ("vint-two_pow_62_wraps", Some("4611686018427387904"), WIDE),
    ("list-tuple_refused", Some("[1,2]"), LISTS),
    ("list-empty_table_refused", Some("[]"), LISTS),
    ("list-table_for_plain_list_refused", ONE_ROW, LISTS),
    ("scalar-shared_refused", Some("1"), SHARED),
    ("record-unknown_shared_refused", ONE_POINT, SKIPPED),
    ("record-unknown_table_refused", ONE_POINT, SKIPPED),
    ("table-unknown_svint_column_refused", ONE_ROW, SKIPPED),
    ("table-unknown_string_column_refused", ONE_ROW, SKIPPED),
    ("table-unknown_columns_give_wrong_values", ONE_ROW, SKIPPED),
    ("record-duplicate_last_wins", None, EQUAL),
    ("table-duplicate_column_last_wins", None, EQUAL),
    ("scalar-trailing_bytes_ignored", None, TRAILING),
];

/// Numbers that readers of any integer type accept, but that a writer of the declared type cannot write.
const UNWRITABLE: [&str; 2] = ["int-int8_reader_takes_big_svint", "int-uvint_reader_takes_svint"];

/// An input and the expected results.
struct Case {
    bytes: Vec<u8>,
    /// The result of atdgen's reader.
    official: Verdict,
    /// The expected result of this crate, where it differs.
    ours: Option<Verdict>,
    /// Whether the official reader reached the end of the input.
    eof: bool,
    /// Whether the value cannot be written with its mark.
    unwritable: bool,
}

impl Case {
    fn load(name: &str) -> Self {
        let file = |extension| format!("reader/{name}.{extension}");
        let [accepted, refused] = [file("json"), file("error")];
        assert_ne!(FIXTURES.exists(&accepted), FIXTURES.exists(&refused), "{name}");
        let (official, eof) = if FIXTURES.exists(&accepted) {
            (Verdict::Accepts(parse(&FIXTURES.text(&accepted))), false)
        } else {
            (Verdict::Refuses, FIXTURES.text(&refused).contains("End_of_input"))
        };
        let difference = DIFFERENCES.iter().find(|(file, ..)| *file == name);
        let ours = difference.map(|(_, value, _)| match value {
            Some(text) => Verdict::Accepts(parse(text)),
            None => Verdict::Refuses,
        });
        let unwritable = UNWRITABLE.contains(&name);
        Case { bytes: FIXTURES.bytes(&file("biniou")), official, ours, eof, unwritable }
    }

    /// Compares a verdict with a result.
    fn agrees<T: Serialize>(verdict: &Verdict, result: Result<&T, String>) -> Result<(), String> {
        match (verdict, result) {
            (Verdict::Accepts(wanted), Ok(decoded)) => {
                compare(&to_value(decoded).map_err(|e| e.to_string())?, wanted)
            }
            (Verdict::Refuses, Err(_)) => Ok(()),
            (Verdict::Accepts(wanted), Err(e)) => Err(format!("{e}, wanted {wanted}")),
            (Verdict::Refuses, Ok(decoded)) => {
                let decoded = to_value(decoded).map_err(|e| e.to_string())?;
                Err(format!("{decoded}, wanted an error"))
            }
        }
    }
}

impl Test for Case {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let result = from_slice::<T>(&self.bytes);
        let shown = || result.as_ref().map_err(ToString::to_string);
        Self::agrees(self.ours.as_ref().unwrap_or(&self.official), shown())?;
        if self.ours.is_some() && Self::agrees(&self.official, shown()).is_ok() {
            return Err("listed as a difference, but agrees".into());
        }

        match (&result, from_reader::<_, T>(self.bytes.as_slice())) {
            (Ok(value), Ok(read)) if *value == read => {}
            (Err(error), Err(read)) if error.to_string() == read.to_string() => {}
            (value, read) => return Err(format!("{value:?}, from_reader {read:?}")),
        }
        match &result {
            Ok(value) if self.unwritable => match to_vec(value) {
                Err(error) if error.to_string().contains("exactly") => {}
                written => return Err(format!("{value:?}, written: {written:?}")),
            },
            Ok(value) => {
                let bytes = to_vec(value).map_err(|e| format!("to_vec: {e}"))?;
                let again: T = from_slice(&bytes).map_err(|e| format!("again: {e}"))?;
                if again != *value {
                    return Err(format!("{value:?}, again {again:?}"));
                }
            }
            Err(error) => {
                let offset = error.offset().ok_or_else(|| format!("no offset: {error}"))?;
                if offset > self.bytes.len() {
                    return Err(format!("offset {offset} is past the input: {error}"));
                }
                if self.eof && !error.is_eof() {
                    return Err(format!("the input is too short, not: {error}"));
                }
            }
        }
        Ok(())
    }
}

#[test]
fn readers_of_atdgen() {
    let listed = fixture::manifest("reader");
    let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, FIXTURES.names("reader", "biniou"));
    assert_eq!(names.len(), 109);
    for name in DIFFERENCES.iter().map(|(name, ..)| name).chain(&UNWRITABLE) {
        assert!(names.contains(name), "there is no {name}");
    }

    let mut failures = Vec::new();
    for (name, type_name) in &listed {
        let case = Case::load(name);
        if let Err(e) = with_type(type_name, &case) {
            failures.push(format!("{name} {type_name} {}: {e}", hex(&case.bytes)));
        }
    }
    assert_none(&failures);
}

#[test]
fn trailing_bytes_where_allowed() {
    let bytes = FIXTURES.bytes("reader/scalar-trailing_bytes_ignored.biniou");
    let error = from_slice::<i64>(&bytes).unwrap_err();
    assert_eq!(error.offset(), Some(2), "{error}");
    let lax = Options::new().allow_trailing(true);
    assert_eq!(lax.from_slice::<i64>(&bytes).unwrap(), 1);
    assert_eq!(lax.from_reader::<_, i64>(bytes.as_slice()).unwrap(), 1);
}

/// The longest vints of OCaml and of C, as types that can and cannot represent them.
#[test]
fn vints_as_wide_as_the_type() {
    let bytes = FIXTURES.bytes("reader/vint-u64_max_refused.biniou");
    assert_eq!(from_slice::<Uvint<u64>>(&bytes).unwrap().0, u64::MAX);
    assert_eq!(from_slice::<u128>(&bytes).unwrap(), u128::from(u64::MAX));
    assert_eq!(to_vec(&u64::MAX).unwrap(), bytes);
    assert!(from_slice::<Uvint<i64>>(&bytes).is_err());
    assert!(from_slice::<u32>(&bytes).is_err());
}

/// `Case::run` fails for another value, for another error, and for a listed difference that does not exist.
#[test]
fn verdicts_are_checked() {
    let five = || Verdict::Accepts(parse("5"));
    let check = |bytes: &[u8], official, ours| {
        let case = Case { bytes: bytes.into(), official, ours, eof: false, unwritable: false };
        with_type("feat.int_default", &case)
    };
    let (svint_5, bool_1): (&[u8], &[u8]) = (&[17, 10], &[0, 1]);
    assert_eq!(check(svint_5, five(), None), Ok(()));
    assert_eq!(check(svint_5, Verdict::Refuses, Some(five())), Ok(()));
    assert_eq!(check(bool_1, Verdict::Refuses, None), Ok(()));
    assert_eq!(check(bool_1, five(), Some(Verdict::Refuses)), Ok(()));

    assert_eq!(check(&[17, 12], five(), None), Err("value: 6, wanted 5".into()));
    assert_eq!(check(svint_5, Verdict::Refuses, None), Err("5, wanted an error".into()));
    assert!(check(bool_1, five(), None).is_err_and(|e| e.ends_with(", wanted 5")));
    let none = Err("listed as a difference, but agrees".to_owned());
    assert_eq!(check(svint_5, five(), Some(five())), none);
    assert_eq!(check(bool_1, Verdict::Refuses, Some(Verdict::Refuses)), none);
}
