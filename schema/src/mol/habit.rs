//! Type names by the conventions of CKB's schemas, such as `BytesVec`.

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

/// The same, by its size: `Uint256`, `Int64`.
pub(super) fn number_of_bytes(size: usize, is_signed: bool) -> String {
    let sign = if is_signed { "Int" } else { "Uint" };
    format!("{sign}{}", size.saturating_mul(8))
}
