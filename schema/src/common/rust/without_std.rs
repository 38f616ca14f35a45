//! Rust text for crates without the standard library.

/// Names that the prelude of `std` has, and where `alloc` has them.
const NAMES: &[(&str, &str)] = &[
    ("Cow", "borrow::Cow"),
    ("Box", "boxed::Box"),
    ("String", "string::String"),
    ("vec!", "vec"),
    ("Vec", "vec::Vec"),
];

/// The same text with names from `alloc` instead of `std`.
pub(crate) fn without_std(text: &str) -> String {
    let text = text.replace("use std::borrow::Cow;\n", "");
    let mut imports = String::new();
    for (name, path) in NAMES {
        if text.lines().any(|line| uses(line, name)) {
            imports.push_str("use alloc::");
            imports.push_str(path);
            imports.push_str(";\n");
        }
    }
    if imports.is_empty() {
        return text;
    }
    let gap = if text.starts_with("use ") { "" } else { "\n" };
    ["extern crate alloc;\n\n", &imports, gap, text.trim_start_matches('\n')].concat()
}

/// Whether a line has that word, and not in documentation, a string or a path.
fn uses(line: &str, word: &str) -> bool {
    if line.trim_start().starts_with("//") {
        return false;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    line.match_indices(word).any(|(at, _)| {
        let (before, rest) = line.split_at_checked(at).unwrap_or_default();
        let after = rest.get(word.len()..).unwrap_or_default();
        let quotes = before.replace("\\\"", "").matches('"').count();
        quotes % 2 == 0
            && !before.ends_with(is_part)
            && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}
