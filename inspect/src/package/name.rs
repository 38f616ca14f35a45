//! Names of the files that hold the binaries of a package.

use std::collections::HashMap;

use fourfold::tsm::File;

/// A step from a dict or list to a value in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'v> {
    Key(&'v str),
    Index(usize),
}

/// The longest part of a name that is made of keys, and the longest beginning, in bytes. Systems of files allow 255 in all.
const LONGEST: usize = 64;

/// Gives each binary a name of its own, also where names of upper and lower case are the same.
pub(super) struct FileNames<'s> {
    /// The part before keys, as in the name of the JSON file.
    stem: &'s str,
    given: HashMap<String, usize>,
}

impl<'s> FileNames<'s> {
    pub(super) fn new(stem: &'s str) -> Self {
        FileNames { stem, given: HashMap::new() }
    }

    /// The name of the binary at that path: `model_backbone_tsm.tsm`.
    pub(super) fn name(&mut self, path: &[Step<'_>], bytes: &[u8]) -> String {
        let mut keys = String::new();
        for step in path {
            if keys.len() > LONGEST {
                break;
            }
            keys.push('_');
            match step {
                Step::Key(key) => keys.push_str(&cut(plain(key, |_| false))),
                Step::Index(index) => keys.push_str(&index.to_string()),
            }
        }
        let keys = cut(keys.chars());
        let given = self.given.entry(keys.to_lowercase()).or_insert(0);
        *given += 1;
        let number = match given {
            1 => String::new(),
            // No key has this sign in a name, so that the name is not that of another binary.
            given => format!("-{given}"),
        };
        let extension = if File::is_module(bytes) { "tsm" } else { "bin" };
        let stem = cut(plain(self.stem, |letter| letter == '-'));
        format!("{stem}{keys}{number}.{extension}")
    }
}

/// As many of the characters as fit in the longest part.
fn cut(letters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for letter in letters {
        if text.len() + letter.len_utf8() > LONGEST {
            break;
        }
        text.push(letter);
    }
    text
}

/// The text with `_` in place of characters that mean something in paths or in a shell.
fn plain(text: &str, is_kept: impl Fn(char) -> bool) -> impl Iterator<Item = char> {
    text.chars().map(move |letter| match letter.is_alphanumeric() || is_kept(letter) {
        true => letter,
        false => '_',
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_harmless_and_different() {
        let mut names = FileNames::new("../a-b c");
        let mut name = |key: &str| names.name(&[Step::Key(key), Step::Index(3)], b"");
        assert_eq!(name("tsm"), "___a-b_c_tsm_3.bin");
        assert_eq!(name("TSM"), "___a-b_c_TSM_3-2.bin");
        assert_eq!(name("tsm"), "___a-b_c_tsm_3-3.bin");
        assert_eq!(name("tsm_3-2"), "___a-b_c_tsm_3_2_3.bin");
        assert_eq!(name("../\n人"), "___a-b_c_____人_3.bin");
        let long = name(&"k".repeat(1000));
        assert_eq!(long.len(), "___a-b_c.bin".len() + LONGEST, "{long}");
        assert!(name(&"k".repeat(1001)).ends_with("k-2.bin"));
        assert!(name(&"人".repeat(100)).len() <= "___a-b_c.bin".len() + LONGEST);
    }
}
