//! Names of types by the habit of CKB's schemas: those that say what a type is and no more.

use alloc::format;
use alloc::string::String;

/// A vector of such items: `Bytes`, `ScriptVec`.
pub(super) fn vector(item: &str) -> String {
    match item {
        "byte" => "Bytes".into(),
        item => format!("{item}Vec"),
    }
}

/// An option: `ByteOpt`, `ScriptOpt`.
pub(super) fn option(inner: &str) -> String {
    match inner {
        "byte" => "ByteOpt".into(),
        inner => format!("{inner}Opt"),
    }
}

/// So many items: `Byte32`, `ScriptArray2`.
pub(super) fn array(item: &str, count: usize) -> String {
    match item {
        "byte" => format!("Byte{count}"),
        item => format!("{item}Array{count}"),
    }
}

/// The bytes of a number, by the name of its Rust type: `Uint32`, `Int64`, `Float64`.
pub(super) fn number(scalar: &str) -> String {
    let bits = scalar.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    match scalar.as_bytes().first() {
        Some(b'u') => format!("Uint{bits}"),
        Some(b'i') => format!("Int{bits}"),
        Some(b'f') => format!("Float{bits}"),
        _ => "Char".into(),
    }
}

/// The Rust type of the integer whose bytes an array of that name and size is.
pub(super) fn integer(name: &str, size: usize) -> Option<&'static str> {
    let all = [
        ("u16", 2),
        ("i16", 2),
        ("u32", 4),
        ("i32", 4),
        ("u64", 8),
        ("i64", 8),
        ("u128", 16),
        ("i128", 16),
    ];
    let found = all.into_iter().find(|(scalar, bytes)| *bytes == size && number(scalar) == name);
    found.map(|(scalar, _)| scalar)
}
