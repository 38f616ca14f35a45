//! Names in the case of Rust, without its keywords.

use std::collections::BTreeMap;

/// Words that are no names, unless they are written `r#word`.
const KEYWORDS: &str = "as async await break const continue dyn else enum extern false fn for gen if impl in let \
    loop match mod move mut pub ref return static struct trait true type unsafe use where while abstract become \
    box do final macro override priv try typeof unsized virtual yield";

/// Words that are never names of a user.
const NEVER_NAMES: &str = "crate self super _";

/// Names of types in the generated text.
const TAKEN_TYPES: &str =
    "Self Vec Option Some None Box String Cow Serialize Deserialize Default PartialEq";

fn is_in(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
}

/// The name of a type, a variant or a trait: `CellOutput`.
pub(crate) fn type_name(name: &str) -> String {
    let is_shouted = name.contains('_') && !name.chars().any(char::is_lowercase);
    let mut cased = String::with_capacity(name.len());
    for word in name.split(|c: char| !c.is_alphanumeric()) {
        let mut letters = word.chars();
        cased.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        match is_shouted {
            true => cased.extend(letters.flat_map(char::to_lowercase)),
            false => cased.push_str(letters.as_str()),
        }
    }
    if !cased.starts_with(char::is_alphabetic) {
        cased.insert(0, 'T');
    }
    if is_in(TAKEN_TYPES, &cased) {
        cased.push('_');
    }
    cased
}

/// The name of a field in Rust: `code_hash`, `r#type`. serde takes it without `r#`.
pub(crate) fn field_name(name: &str) -> String {
    let cased = snake_case(name);
    match () {
        () if is_in(NEVER_NAMES, &cased) => cased + "_",
        () if is_in(KEYWORDS, &cased) => format!("r#{cased}"),
        () => cased,
    }
}

/// Words in small letters with `_` between them.
pub(crate) fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let is_letter = |letter: &char| letter.is_alphanumeric();
    let first = letters.iter().position(is_letter).unwrap_or(letters.len());
    let last = letters.iter().rposition(is_letter).unwrap_or(0);
    let mut cased = String::with_capacity(name.len());
    for (at, letter) in letters.iter().copied().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before)).copied();
        let after = letters.get(at + 1).copied();
        if !letter.is_alphanumeric() {
            // Rust's lint wants single ones, but for those at the beginning and the end.
            if !(first..last).contains(&at) || !cased.ends_with('_') {
                cased.push('_');
            }
            continue;
        }
        let begins_word = letter.is_uppercase()
            && match before {
                Some(before) if before.is_uppercase() => after.is_some_and(char::is_lowercase),
                Some(before) => before.is_alphanumeric(),
                None => false,
            };
        if begins_word {
            cased.push('_');
        }
        cased.extend(letter.to_lowercase());
    }
    if cased.is_empty() || cased.starts_with(|c: char| c.is_ascii_digit()) {
        cased.insert(0, '_');
    }
    cased
}

/// Names that are given out, each once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// With the last number that was tried after each.
    taken: BTreeMap<String, u64>,
}

impl Names {
    /// The name, or one with a number where that is taken.
    pub(crate) fn one(&mut self, name: String) -> String {
        let Some(last) = self.taken.get(&name) else {
            self.taken.insert(name.clone(), 1);
            return name;
        };
        let (mut number, mut own) = (*last, name.clone());
        while self.taken.contains_key(&own) {
            number += 1;
            own = format!("{}{number}", unescaped(&name));
        }
        self.taken.insert(name, number);
        self.taken.insert(own.clone(), 1);
        own
    }
}

/// The name that serde gives a field or variant.
pub(crate) fn unescaped(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Text between quotes in Rust. What cannot be seen is escaped: rustc refuses characters that turn the direction of
/// text.
pub(crate) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn names_are_in_the_case_of_rust() {
        for (name, ty, field) in [
            ("Byte32", "Byte32", "byte32"),
            ("cell_output", "CellOutput", "cell_output"),
            ("codeHash", "CodeHash", "code_hash"),
            ("InIBD", "InIBD", "in_ibd"),
            ("HTTPServer", "HTTPServer", "http_server"),
            ("MAX_SIZE", "MaxSize", "max_size"),
            ("type_", "Type", "type_"),
            ("a__b", "AB", "a_b"),
            ("_x__", "X", "_x__"),
            ("T1_2", "T12", "t1_2"),
            ("type", "Type", "r#type"),
            ("self", "Self_", "self_"),
            ("vec", "Vec_", "vec"),
            ("2d", "T2d", "_2d"),
            // `_` alone is no name.
            ("_", "T", "__"),
            ("", "T", "__"),
        ] {
            assert_eq!((&*type_name(name), &*field_name(name)), (ty, field), "{name}");
        }
    }

    #[test]
    fn names_are_given_out_once() {
        let mut names = Names::default();
        let given = ["a", "a2", "a", "r#in", "r#in"].map(|name| names.one(name.to_owned()));
        assert_eq!(given, ["a", "a2", "a3", "r#in", "in2"]);
    }

    #[test]
    fn text_between_quotes_shows_what_it_is() {
        for (text, shown) in [
            ("it's é", r#""it's é""#),
            ("\"\\\n\r\t\0", r#""\"\\\n\r\t\0""#),
            (
                "\u{1b}\u{202a}\u{202e}\u{2066}\u{2069}",
                r#""\u{1b}\u{202a}\u{202e}\u{2066}\u{2069}""#,
            ),
        ] {
            assert_eq!(quoted(text), shown);
        }
    }
}
