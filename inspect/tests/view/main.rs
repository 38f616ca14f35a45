//! Dumps of values: the text that `Bi_io.view` prints, with names and without.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod dumps;
#[allow(dead_code, reason = "the tests of other packages need the rest")]
#[path = "../../../tests/support/fixture.rs"]
mod fixture;

use fourfold::biniou::{Dictionary, Value, from_slice};
use fourfold_inspect::view::{view, view_with};

use self::dumps::{WIDE, for_each_dump, same};
use self::fixture::Fixtures;

const FIXTURES: Fixtures = Fixtures("biniou");

/// A line shorter than this is never broken.
const SURELY_ONE_LINE: usize = 76;

/// All words of the schemas that could be names, one per line.
fn words() -> String {
    let schemas = FIXTURES.names("schemas", "atd").into_iter();
    let text: String = schemas.map(|name| FIXTURES.text(&format!("schemas/{name}.atd"))).collect();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()));
    words.collect::<Vec<_>>().join("\n")
}

#[test]
fn names_from_the_words_of_the_schemas() {
    let dictionary = Dictionary::from_words(&words()).unwrap();
    for_each_dump(|_, value, text| same(&view_with(value, &dictionary), text));
}

#[test]
fn no_names() {
    let none = Dictionary::from_words("").unwrap();
    let mut exact = 0;
    for_each_dump(|_, value, text| {
        let shown = view(value);
        same(&view_with(value, &none), &shown)?;
        let wanted = hide_names(text);
        if !text.contains('\n') && wanted.len() <= SURELY_ONE_LINE {
            exact += 1;
            return same(&shown, &wanted);
        }
        // Lines may be broken at other positions.
        same(&without_space(&shown), &without_space(&wanted))
    });
    assert!(exact > 250, "only {exact} dumps were compared with their space");
}

/// Replaces the names in a dump by hashes.
fn hide_names(text: &str) -> String {
    let mut hidden = String::new();
    let mut pieces = pieces(text).into_iter().peekable();
    while let Some(piece) = pieces.next() {
        // A name is before a colon or after the mark of a variant, unlike other strings.
        let is_name = pieces.peek() == Some(&":") || hidden.ends_with('<');
        match piece.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            Some(name) if is_name => hidden += &format!("#{:08x}", shown_hash(name)),
            _ => hidden += piece,
        }
    }
    hidden
}

/// The text without whitespace outside of strings.
fn without_space(text: &str) -> String {
    let pieces = pieces(text).into_iter();
    pieces.filter(|piece| !piece.starts_with(char::is_whitespace)).collect()
}

/// Cuts a dump into strings and single characters.
fn pieces(mut text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    while let Some(first) = text.chars().next() {
        let mut escaped = false;
        let is_end = |c: char| {
            let is_end = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            is_end
        };
        let string = text.strip_prefix('"').and_then(|content| content.find(is_end));
        let length = string.map_or(first.len_utf8(), |length| length + 2);
        let (piece, rest) = text.split_at(length);
        pieces.push(piece);
        text = rest;
    }
    pieces
}

/// The hash of a name as OCaml prints it: the 32nd bit is a copy of the 31st.
fn shown_hash(name: &str) -> u32 {
    let hash = name.bytes().fold(0u32, |h, b| h.wrapping_mul(223).wrapping_add(u32::from(b)));
    hash & 0x7fff_ffff | (hash & 0x4000_0000) << 1
}

#[test]
fn hidden_names() {
    assert_eq!(hide_names(r#"{ "x": "y\": ", "Hello": <"x": "<">, #00006ac0: 5 }"#), {
        r##"{ #00000078: "y\": ", #37eea2f2: <#00000078: "<">, #00006ac0: 5 }"##
    });
    assert_eq!(hide_names(r#"{ "name": <"Hello"> }"#), "{ #c8ff724b: <#37eea2f2> }");
    assert_eq!(without_space("[\n  \"a \\\" b\",\n  Some 1 ]"), "[\"a \\\" b\",Some1]");
}

/// As in OCaml, two words with the same hash are ambiguous.
#[test]
fn colliding_words_are_refused() {
    let error = Dictionary::from_words("azdwbie\nc7diagq").unwrap_err().to_string();
    assert!(error.contains("azdwbie") && error.contains("c7diagq"), "{error}");
    assert!(Dictionary::from_words("azdwbie\nazdwbie").is_ok());
}

/// `view` of a value that OCaml cannot dump.
#[test]
fn wide_vints() {
    let value = |file: &str| from_slice::<Value>(&FIXTURES.bytes(&format!("{file}.biniou")));
    assert_eq!(view(&value(WIDE[0]).unwrap()), "5");
    assert_eq!(view(&value(WIDE[1]).unwrap()), u64::MAX.to_string());
}
