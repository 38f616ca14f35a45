//! The types of a CKB node as plain serde structs.
//!
//! How a Molecule schema turns into Rust:
//!
//! | schema | Rust |
//! |---|---|
//! | `byte`, `UintN`, `Bool` | `u8`, `uN`, `bool` |
//! | other arrays of bytes, `Bytes` | newtypes that JSON shows as `"0x..."`, see [`hex`] |
//! | `struct Name` | a struct marked `#[serde(rename = "struct.Name")]` |
//! | `table` | a struct |
//! | a vector as a field | a `Vec` marked `fixvec` (items of one size) or `dynvec` |
//! | a vector by itself | the alias with its name |
//! | `option` | `Option` |
//! | `union` | an enum, marked where its ids do not count from 0 |

// Whoever includes this folder uses only some of it. A union is as large as its largest item.
#![allow(dead_code, unreachable_pub, clippy::large_enum_variant)]

pub mod blockchain;
pub mod extensions;
pub mod hex;
