//! Rust types as they are made of the `.atd` schemas among the fixtures. `schema/tests/schema/atd_rust.rs` keeps all files but
//! this.

#![deny(warnings)]
#![allow(dead_code, unreachable_pub, reason = "as in a library")]

use fourfold::biniou::{from_slice, to_vec};
use fourfold_schema::atd::schema_of;

use crate::atd_rust::{Made, Types};

#[rustfmt::skip]
#[allow(clippy::type_complexity, reason = "a type so large is one of its own, which may be in a box")]
pub(crate) mod boxes;
#[rustfmt::skip]
pub(crate) mod defaults;
#[rustfmt::skip]
mod feat;
#[rustfmt::skip]
mod forms;
#[rustfmt::skip]
mod log;
#[rustfmt::skip]
mod mesh;
#[rustfmt::skip]
mod save;

#[rustfmt::skip]
#[allow(clippy::type_complexity, reason = "a type so large is one of its own, which may be in a box")]
pub(crate) mod boxes_newtypes;
#[rustfmt::skip]
pub(crate) mod defaults_newtypes;
#[rustfmt::skip]
mod feat_newtypes;
#[rustfmt::skip]
mod forms_newtypes;
#[rustfmt::skip]
mod log_newtypes;
#[rustfmt::skip]
mod mesh_newtypes;
#[rustfmt::skip]
mod save_newtypes;

macro_rules! types {
    ($file:ident $($name:literal $type:ident)*) => {
        &[$((
            $name,
            Made {
                again: |bytes| to_vec(&from_slice::<$file::$type>(bytes)?),
                check: |schema, name| schema.check::<$file::$type>(name),
                schema: schema_of::<$file::$type>,
            },
        ),)*]
    };
}

include!("list.in");

/// By their schemas.
pub(crate) fn all() -> [(&'static str, Types); 8] {
    [
        ("feat", FEAT),
        ("feat", FEAT_NEWTYPES),
        ("log", LOG),
        ("log", LOG_NEWTYPES),
        ("mesh", MESH),
        ("mesh", MESH_NEWTYPES),
        ("save", SAVE),
        ("save", SAVE_NEWTYPES),
    ]
}
