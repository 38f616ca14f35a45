//! Marks: the prefix of a container's name, and hints for misspelt ones.
//!
//! Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
//! disappear.

use core::fmt;

use crate::error::{CommonKind, Error};

/// The reserved name of the newtype structs that `with::any` makes.
pub const ANY: &str = "fourfold.any";

/// The name that MessagePack libraries for serde use for an ext: a tuple of its type and bytes.
pub(crate) const EXTENSION: &str = "_ExtStruct";

/// What a mark is on if the value already has another mark.
pub(crate) const TWO_MARKS: &str = "a value with another mark";

/// A mark that does not fit: the mark, what it is on, and what it fits.
pub(crate) struct MarkMismatch<'a>(pub(crate) &'a str, pub(crate) &'a str, pub(crate) &'static str);

impl fmt::Display for MarkMismatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MarkMismatch(mark, found, fitting) = self;
        match *found == TWO_MARKS {
            true => write!(f, "the mark `{mark}` does not fit {found}"),
            false => write!(f, "the mark `{mark}` fits {fitting}, not {found}"),
        }
    }
}

impl MarkMismatch<'_> {
    /// The fix.
    pub(crate) fn hint(found: &str) -> &'static str {
        match found == TWO_MARKS {
            true => "remove one of the two marks",
            false => "remove the mark",
        }
    }
}

/// The hint to mark a value: by the attribute on a field, or by the wrapper around it.
macro_rules! with_hint {
    ($format:literal, $module:ident $wrapper:ident, $field:literal) => {
        concat!(
            "use `#[serde(with = \"fourfold::",
            $format,
            "::with::",
            stringify!($module),
            "\")]` on ",
            $field,
            ", or `fourfold::",
            $format,
            "::with::",
            stringify!($wrapper),
            "(value)` where there is no field"
        )
    };
}
pub(crate) use with_hint;

/// What is wrong with a container's name. It has no text, so that what inlines a check of names stays small.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NameError {
    /// It begins with `any` and a dot: that mark is not a name.
    Any { name: &'static str },
    /// It begins with what is nearly this mark, or is its keyword alone.
    Misspelt { name: &'static str, mark: &'static str },
}

impl From<NameError> for CommonKind {
    fn from(error: NameError) -> Self {
        match error {
            NameError::Any { name } => CommonKind::AnyName { name },
            NameError::Misspelt { name, mark } => CommonKind::MisspeltMark { name, mark },
        }
    }
}

/// Whether a name has its first dot where a word, right or misspelt by one letter, ends. Each place is
/// looked at by itself: of a name that is known at compile time, nothing is left to do.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn has_early_dot(name: &[u8]) -> bool {
    matches!(
        name,
        [_, _, b'.', ..]
            | [_, _, _, b'.', ..]
            | [_, _, _, _, b'.', ..]
            | [_, _, _, _, _, b'.', ..]
            | [_, _, _, _, _, _, b'.', ..]
            | [_, _, _, _, _, _, _, b'.', ..]
            | [_, _, _, _, _, _, _, _, b'.', ..]
            | [_, _, _, _, _, _, _, _, _, b'.', ..]
    )
}

/// Lists the words that some format takes for a mark. A word of one format is no misspelt word of
/// another: a type may be marked for both.
macro_rules! words {
    ($($word:literal)*) => {
        /// Whether a name begins with a word, right to the letter, and a dot.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn begins_with_word(name: &str) -> bool {
            $(name.starts_with(concat!($word, ".")))||*
        }

        /// Whether a name is a word without a dot.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn is_word(name: &str) -> bool {
            $(name == $word)||*
        }

        #[cfg(test)]
        pub(crate) const WORDS: &[&str] = &[$($word),*];
    };
}

words! {
    "char" "dynvec" "fixvec" "float32" "fourfold" "int16" "int32" "int64" "int8" "named" "optional" "raw"
    "shared" "struct" "svint" "table" "text" "union" "uvint"
}

/// Refuses a container's name that begins with a misspelt one of `words`, or with `any`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn check<K: From<CommonKind>>(
    name: &'static str,
    words: &[&'static str],
) -> Result<(), Error<K>> {
    look(name, words).map_err(refuse)
}

/// The same for a container that one of `words` may mark, where such a word without a dot is refused too.
///
/// Not where it cannot: there it is the name of a type, as `table` and `text` may be.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn check_markable<K: From<CommonKind>>(
    name: &'static str,
    words: &[&'static str],
) -> Result<(), Error<K>> {
    look_markable(name, words).map_err(refuse)
}

#[cold]
#[inline(never)]
fn refuse<K: From<CommonKind>>(error: NameError) -> Error<K> {
    Error::placeless(CommonKind::from(error))
}

/// The same, without an error's text.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn look(name: &'static str, words: &[&'static str]) -> Result<(), NameError> {
    match has_early_dot(name.as_bytes()) && !begins_with_word(name) {
        false => Ok(()),
        true => look_at_unknown(name, words),
    }
}

/// The same of a container that one of `words` may mark.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn look_markable(name: &'static str, words: &[&'static str]) -> Result<(), NameError> {
    match is_word(name) {
        false => look(name, words),
        true => look_at_word(name, words),
    }
}

#[cold]
#[inline(never)]
fn look_at_word(name: &'static str, words: &[&'static str]) -> Result<(), NameError> {
    match words.iter().find(|word| **word == name) {
        None => Ok(()),
        Some(mark) => Err(NameError::Misspelt { name, mark }),
    }
}

#[cold]
#[inline(never)]
fn look_at_unknown(name: &'static str, words: &[&'static str]) -> Result<(), NameError> {
    let first = name.split('.').next().unwrap_or_default();
    if first == "any" {
        return Err(NameError::Any { name });
    }
    match words.iter().find(|word| is_nearly(first, word)) {
        None => Ok(()),
        Some(mark) => Err(NameError::Misspelt { name, mark }),
    }
}

/// Whether a name begins with a word of some format, or has no dot: what needs no knowledge of the
/// word to be accepted.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn is_known(name: &str) -> bool {
    begins_with_word(name) || !has_dot(name)
}

/// How many bytes of a name are checked without a loop.
const SHORT: usize = 24;

/// Whether there is a dot in a name. As in [`has_early_dot`], a short name is checked without a loop, since
/// the compiler does not evaluate loops.
#[cfg_attr(not(debug_assertions), inline(always))]
fn has_dot(name: &str) -> bool {
    let bytes = name.as_bytes();
    let short = dot_in_four(bytes, 0)
        || dot_in_four(bytes, 4)
        || dot_in_four(bytes, 8)
        || dot_in_four(bytes, 12)
        || dot_in_four(bytes, 16)
        || dot_in_four(bytes, 20);
    short || (name.len() > SHORT && name.contains('.'))
}

/// Whether one of four bytes from `at` on is a dot. Functions, since closures cannot be marked for
/// inlining.
#[cfg_attr(not(debug_assertions), inline(always))]
fn dot_in_four(name: &[u8], at: usize) -> bool {
    is_dot(name, at) || is_dot(name, at + 1) || is_dot(name, at + 2) || is_dot(name, at + 3)
}

#[inline]
fn is_dot(name: &[u8], at: usize) -> bool {
    name.get(at) == Some(&b'.')
}

/// Whether two words are the same but for one letter that is missing, superfluous or another, or for
/// two that have changed places. Upper and lower case count as the same.
fn is_nearly(found: &str, word: &str) -> bool {
    let (mut found, mut word) = (found.as_bytes(), word.as_bytes());
    while let ([a, found_rest @ ..], [b, word_rest @ ..]) = (found, word) {
        if !a.eq_ignore_ascii_case(b) {
            break;
        }
        (found, word) = (found_rest, word_rest);
    }
    while let ([found_rest @ .., a], [word_rest @ .., b]) = (found, word) {
        if !a.eq_ignore_ascii_case(b) {
            break;
        }
        (found, word) = (found_rest, word_rest);
    }
    match (found, word) {
        ([], [] | [_]) | ([_], [] | [_]) => true,
        ([a, b], [c, d]) => a.eq_ignore_ascii_case(d) && b.eq_ignore_ascii_case(c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_makes_a_misspelt_word() {
        for near in
            ["struct", "Struct", "STRUCT", "strct", "sstruct", "struckt", "strukt", "srtuct"]
        {
            assert!(is_nearly(near, "struct"), "{near}");
        }
        for far in ["strc", "structure", "strcut.", "tsrcut", "", "s"] {
            assert!(!is_nearly(far, "struct"), "{far}");
        }
        assert!(is_nearly("aw", "raw") && is_nearly("arw", "raw") && !is_nearly("w", "raw"));
    }

    /// No word keeps another from its format, and the gate lets all of them through.
    #[test]
    fn all_words_can_be_used_together() {
        for word in WORDS {
            let name = std::format!("{word}.Type").leak();
            assert!(look(name, WORDS).is_ok(), "{word}");
            let longer = std::format!("{word}x.Type").leak();
            assert!(look(longer, &[word]).is_err(), "{longer}");
            assert!(look(word, WORDS).is_ok() && look_markable(word, WORDS).is_err(), "{word}");
            assert!(look_markable(word, &["other"]).is_ok(), "{word}");
            let shorter = std::format!("{}.Type", word.get(1..).unwrap_or_default()).leak();
            assert!(look(shorter, &[word]).is_err(), "{shorter}");
        }
    }

    #[test]
    fn names_without_a_word_are_nobodys_business() {
        for name in ["Point", "struct", "strct", "a.struct", "io.k8s.Pod", "structure.A", ".", ""] {
            assert!(look(name, WORDS).is_ok(), "{name}");
        }
    }
}
