//! What the compiler tells users who get a type or an attribute wrong.
//!
//! The texts are those of Rust 1.95; `TRYBUILD=overwrite` takes over those of another version.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
