//! Declares the types of the schemas, and tests each of them.

use std::collections::BTreeSet;

mod blockchain;
mod extensions;

/// Declares the types of a schema, with its keywords and order, and tests each of them.
///
/// Our types are in parentheses: that of an array with its conversion to bytes, or that of the item of an option or
/// vector. If an option needs a mark, the marked type follows.
macro_rules! schema {
    ($file:ident $($kind:ident $name:ident $body:tt)*) => {
        use crate::to_official::{ToOfficial, entity, to_official};

        $(to_official! { $kind crate::generated::$file::$name, $name $body })*

        /// Kind and name of each type above.
        pub(crate) const TYPES: &[(&str, &str)] =
            &[$((stringify!($kind), stringify!($name))),*];

        crate::schema::test_each! { round_trip $($kind $name $body)* }
        crate::schema::test_each! { verdict $($kind $name $body)* }
    };
}
use schema;

/// A test per type, named like the type: `check` of the given module.
macro_rules! test_each {
    ($property:ident $($kind:ident $name:ident $body:tt)*) => {
        #[allow(non_snake_case, reason = "tests are named like types")]
        mod $property {
            use super::*;

            $(#[test]
            fn $name() {
                type Ours = crate::schema::ours! { $kind $name $body };
                crate::$property::check::<Ours>(stringify!($name));
            })*
        }
    };
}
use test_each;

/// Our type for a declaration of [`schema!`].
macro_rules! ours {
    (array $name:ident ($ours:ty, $to_bytes:expr)) => { $ours };
    (option $name:ident ($item:ty, $marked:ty)) => { $marked };
    (option $name:ident ($item:ty)) => { Option<$item> };
    // Other types have the schema's names in `ckb`; vectors are aliases with a mark.
    ($kind:ident $name:ident $body:tt) => { $name };
}
use ours;

const KINDS: [&str; 6] = ["array", "vector", "option", "struct", "table", "union"];

/// Kind and name of each type that a schema file declares.
fn declared(schema: &str) -> BTreeSet<(&str, &str)> {
    let types = schema.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?))
    });
    types.filter(|(kind, _)| KINDS.contains(kind)).collect()
}

macro_rules! schema_text {
    ($file:literal) => {
        include_str!(concat!("../../../tests/fixtures/molecule/schemas/", $file))
    };
}

#[test]
fn all_types_of_the_schemas_are_tested() {
    for (types, schema) in [
        (blockchain::TYPES, schema_text!("blockchain.mol")),
        (extensions::TYPES, schema_text!("extensions.mol")),
    ] {
        assert_eq!(types.iter().copied().collect::<BTreeSet<_>>(), declared(schema));
    }
}
