//! Tests compile errors for wrong types and attributes.
//!
//! The texts are those of Rust 1.95; `TRYBUILD=overwrite` updates them for another version.

#[test]
fn wrong_types_and_attributes_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
