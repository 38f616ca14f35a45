//! Rust types generated from CKB's schemas, each with one change: a check finds the change and suggests the fix.
//!
//! `mutations.rs` has the changes and the expected results.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by panicking")]

mod types;

use fourfold_schema::mol::{Mismatches, Schema};

/// A type with one change, and the expected error.
struct Mutation {
    name: &'static str,
    change: &'static str,
    verdict: Verdict,
    check: fn(&Schema) -> Result<(), Mismatches>,
}

enum Verdict {
    /// The bytes are the same.
    Same,
    /// A path, and text that its fix contains.
    Fix(&'static str, &'static str),
    /// A path, and the mark that the unchanged type has.
    Mark(&'static str, &'static str),
}

include!(concat!(env!("OUT_DIR"), "/mutations.rs"));

/// A mark as it is named in a fix: `struct.OutPoint` unchanged, modules and newtypes of `with` as the module with its full
/// path.
fn as_fix(mark: &str) -> String {
    match mark.strip_prefix("with::") {
        Some(word) => format!("`molecule::with::{}`", word.to_lowercase()),
        None => format!("`{mark}`"),
    }
}

/// The difference between the result and the expected one.
fn difference(result: &Result<(), Mismatches>, verdict: &Verdict) -> Option<String> {
    let (path, fix) = match verdict {
        Verdict::Same => return result.as_ref().err().map(ToString::to_string),
        Verdict::Fix(path, fix) => (*path, (*fix).to_owned()),
        Verdict::Mark(path, mark) => (*path, as_fix(mark)),
    };
    let Err(mismatches) = result else { return Some("passes".into()) };
    let mut there = mismatches.iter().filter(|mismatch| mismatch.path() == path);
    match there.any(|mismatch| mismatch.fix().is_some_and(|text| text.contains(&fix))) {
        true => None,
        false => Some(format!("no {fix:?} at {path:?}:\n{mismatches}")),
    }
}

#[test]
fn every_change_of_a_type_is_found_with_a_fix() {
    let schema =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/molecule/schemas/extensions.mol");
    let schema = Schema::from_file(schema).unwrap();
    let mut errors = Vec::new();
    let (mut found, mut marks, mut same) = (0, 0, 0);
    for Mutation { name, change, verdict, check } in MUTATIONS {
        match verdict {
            Verdict::Same => same += 1,
            Verdict::Fix(..) => found += 1,
            Verdict::Mark(..) => (found, marks) = (found + 1, marks + 1),
        }
        let error = difference(&check(&schema), verdict);
        errors.extend(error.map(|error| format!("{name} {change}: {error}")));
    }
    println!("{found} changes are found, {marks} of them fixed by a mark; {same} change no byte");
    assert!(errors.is_empty(), "{} of {found}:\n{}", errors.len(), errors.join("\n"));
    assert!(found >= 60 && marks >= 60 && same >= 60);
}
