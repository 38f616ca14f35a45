//! Schemas of the fixtures with one change: `check` reports each change.

use std::fmt::Debug;

use fourfold_schema::atd::{Location, Schema, Shape};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::FIXTURES;
use crate::ocaml_types::{Test, with_type};

/// A type, a changed schema, and mismatches that have to be reported.
struct Mutation {
    name: String,
    text: String,
    expected: Vec<String>,
}

impl Test for Mutation {
    fn run<T: Serialize + DeserializeOwned + PartialEq + Debug>(&self) -> Result<(), String> {
        let Mutation { name, text, expected } = self;
        let schema = Schema::parse(text).map_err(|error| format!("{error}\n{text}"))?;
        match schema.check::<T>(name) {
            Ok(()) => Err(format!("{name} passes with:\n{text}")),
            Err(found) => {
                let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
                match expected.iter().all(|line| lines.contains(line)) {
                    true => Ok(()),
                    false => Err(format!("{name}: {found}\nwithout {expected:?}")),
                }
            }
        }
    }
}

/// The byte offset of a position in a text.
fn offset(text: &str, at: &Location) -> usize {
    let lines: usize = text.split_inclusive('\n').take(at.line() as usize - 1).map(str::len).sum();
    lines + at.column() as usize - 1
}

/// The text with `inserted` at a byte offset.
fn with(text: &str, at: usize, inserted: &str) -> String {
    format!("{}{inserted}{}", &text[..at], &text[at..])
}

/// The end of the type that is written after the name of a field.
fn end_of_type(text: &str, at: usize) -> usize {
    at + text[at..].find([';', '}']).unwrap()
}

fn mutations(text: &str, schema: &Schema) -> Vec<Mutation> {
    let mut found = Vec::new();
    for ty in schema.types() {
        let name = ty.name().unwrap();
        let location = ty.location().unwrap();
        let mut add = |text: String, expected: &[String]| {
            found.push(Mutation { name: name.to_owned(), text, expected: expected.to_vec() });
        };
        match ty.shape() {
            Shape::Record(fields) => {
                for field in fields.iter() {
                    let (own, at) = (field.name(), offset(text, &field.location()));
                    let end = at + own.len();
                    add(
                        with(text, end, "_other"),
                        &[
                            format!("field `{own}_other` is missing: add {own}_other"),
                            format!("{own}: the schema has no such field"),
                        ],
                    );
                    let after = end_of_type(text, at);
                    add(
                        with(text, after, "; another : int "),
                        &["field `another` is missing: add another".to_owned()],
                    );
                    let is_bare = !text[..at].ends_with(['?', '~']);
                    if is_bare {
                        add(
                            with(&with(text, after, " option "), at, "?"),
                            &[format!(
                                "{own}: the schema leaves it out for `None`: make it an `Option`, mark it with \
                                 `biniou::with::optional`, and add `#[serde(default)]`"
                            )],
                        );
                        add(with(text, after, " list list "), &[]);
                    }
                }
            }
            Shape::Sum(variants) => {
                for variant in variants.iter() {
                    let (own, at) = (variant.name(), offset(text, &variant.location()));
                    add(
                        with(text, at + own.len(), "_other"),
                        &[
                            format!("variant `{own}_other` is missing: add {own}_other"),
                            format!("{own}: the schema has no such variant"),
                        ],
                    );
                    if variant.argument().is_none() {
                        let error = "the schema has a bool, the type no argument";
                        add(with(text, at + own.len(), " of bool "), &[format!("{own}: {error}")]);
                    }
                }
            }
            _ => {
                let at = offset(text, location);
                let body = at + text[at..].find('=').unwrap() + 1;
                add(
                    with(
                        text,
                        body,
                        " ((bool * unit * bool * bool * bool * bool * bool)) type rest = ",
                    ),
                    &[],
                );
            }
        }
    }
    found
}

#[test]
fn each_change_of_a_schema_is_found() {
    let mut count = 0;
    for file in FIXTURES.names("schemas", "atd") {
        let text = FIXTURES.text(&format!("schemas/{file}.atd"));
        let schema = Schema::parse(&text).unwrap();
        // Some changes are not valid where the type is used.
        let is_sound = |mutation: &Mutation| Schema::parse(&mutation.text).is_ok();
        for mutation in mutations(&text, &schema).into_iter().filter(is_sound) {
            with_type(&format!("{file}.{}", mutation.name), &mutation).unwrap();
            count += 1;
        }
    }
    println!("{count} changes");
    assert!(count > 400, "{count} changes");
}
