//! Names in JSON: unchanged, or `#` and the hash. Names that begin with `#` or `$` have another `$` before them.

use std::borrow::Cow;

use fourfold::biniou::{self, Dictionary};

use crate::model::{Node, Wrong};
use crate::write::hex;

/// The largest hash.
const MOST: u32 = u32::MAX >> 1;

/// The prefix of a name that begins with this or with `#`.
const ESCAPE: char = '$';

pub fn of_hash(hash: u32, names: &Dictionary) -> Cow<'static, str> {
    match names.name(hash) {
        Some(name) if name.starts_with([ESCAPE, '#']) => format!("{ESCAPE}{name}"),
        Some(name) => name.to_owned(),
        None => spelled(hash),
    }
    .into()
}

/// The text of a hash whose name is unknown.
pub fn spelled(hash: u32) -> String {
    format!("#{}", hex::digits(&hash.to_be_bytes()))
}

/// The hash of a name; errors are reported for `node`.
pub(super) fn hash(name: &str, node: &Node<'_>) -> Result<u32, Wrong> {
    parse(name).ok_or_else(|| match name.starts_with('#') {
        true => node
            .wrong(format!("invalid hash {name:?}: expected \"#\" and 8 digits, below #80000000")),
        false => node
            .wrong(format!("unknown form {name:?}"))
            .with_hint("write a name that begins so with another $ before it"),
    })
}

fn parse(name: &str) -> Option<u32> {
    if let Some(digits) = name.strip_prefix('#') {
        let hash = u32::from_be_bytes(hex::bytes(digits)?.try_into().ok()?);
        return (hash <= MOST).then_some(hash);
    }
    match name.strip_prefix(ESCAPE) {
        None => Some(biniou::hash(name)),
        Some(rest) if rest.starts_with([ESCAPE, '#']) => Some(biniou::hash(rest)),
        Some(_) => None,
    }
}

/// Whether both represent the same hash.
pub fn same_hash(one: &str, two: &str) -> bool {
    parse(one).is_some_and(|hash| parse(two) == Some(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_taken_for_hashes_or_forms() {
        let names = Dictionary::from_words("x\n$int8\n#00000078\n$$a").unwrap();
        for (name, shown) in [
            ("x", "x"),
            ("$int8", "$$int8"),
            ("#00000078", "$#00000078"),
            ("$$a", "$$$a"),
            ("y", "#00000079"),
        ] {
            assert_eq!(of_hash(biniou::hash(name), &names), shown);
            assert_eq!(parse(shown), Some(biniou::hash(name)));
        }
        for text in ["$int8", "$", "#", "#0000007", "#000000078", "#80000000", "#0000007A"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(same_hash("x", "#00000078"));
    }
}
