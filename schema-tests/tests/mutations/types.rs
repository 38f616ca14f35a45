//! The generated types, which the changed types use.

#![allow(dead_code, unused_imports, unreachable_pub, clippy::large_enum_variant)]

pub(crate) use fourfold::molecule::with;
pub(crate) use serde::Deserialize;

#[path = "../../../schema/tests/schema/made/extensions.rs"]
#[rustfmt::skip]
mod extensions;

pub(crate) use extensions::*;
