//! Hexadecimal digits in text.

/// `text` if it is hexadecimal digits and nothing else: `from_str_radix` alone would take a sign too.
pub(crate) fn digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(text)
}
