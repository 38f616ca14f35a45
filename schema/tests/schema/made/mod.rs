//! Rust types as they are made of the schemas among the fixtures. `schema/tests/schema/rust.rs` keeps all files but this.

#![allow(dead_code, unreachable_pub, clippy::enum_variant_names, clippy::large_enum_variant)]

use fourfold::molecule;
use fourfold_schema::mol;

use crate::rust::Types;

pub(crate) mod atd;
#[rustfmt::skip]
pub(crate) mod borrowed;
#[rustfmt::skip]
pub(crate) mod cow;
#[rustfmt::skip]
mod extensions;
#[rustfmt::skip]
mod lab;
#[rustfmt::skip]
mod lab_newtypes;
#[rustfmt::skip]
mod protocols;
#[rustfmt::skip]
mod spec;
#[rustfmt::skip]
mod types;

macro_rules! types {
    ($file:ident $($name:literal $type:ident)*) => {
        &[$((
            $name,
            (
                |schema, name| schema.check::<$file::$type>(name),
                mol::schema_of::<$file::$type>,
                |bytes| molecule::to_vec(&molecule::from_slice::<$file::$type>(bytes)?),
            ),
        )),*]
    };
}

include!("list.in");

pub(crate) fn all() -> [(&'static str, Types); 6] {
    [
        ("extensions", EXTENSIONS),
        ("lab", LAB),
        ("lab", LAB_NEWTYPES),
        ("protocols", PROTOCOLS),
        ("spec", SPEC),
        ("types", TYPES),
    ]
}
