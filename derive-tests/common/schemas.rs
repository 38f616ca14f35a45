//! Generates random Molecule schemas, for the build script and for tests.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a build script and a test report by panicking"
)]

use std::fmt::Write as _;

/// A source of random numbers.
pub(crate) trait Numbers {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize;

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn is_one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == bound - 1
    }
}

/// The use of the generated schemas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Purpose {
    /// Parser tests: some names are keywords, and some numbers are too large.
    Text,
    /// Tests with values: the official code compiles, and no value is large.
    Values,
}

/// Prefixes of names. A number follows, so that no two names differ only in case.
const NAMES: [&str; 4] = ["T", "struct", "a_", "Zz"];
/// Names that are keywords of the schema language or of Rust.
const KEYWORDS: [&str; 12] = [
    "syntax", "import", "array", "table", "union", "vector", "type", "self", "Self", "fn", "bytes",
    "option",
];
const LARGE: [&str; 5] = [
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999",
];

/// Random declarations in random order, each as text with spaces between all tokens.
///
/// Declarations use earlier ones and the types of `others`.
pub(crate) fn declarations(
    numbers: &mut impl Numbers,
    purpose: Purpose,
    count: usize,
    first: usize,
    others: &[String],
) -> Vec<String> {
    let mut maker =
        Maker { numbers, purpose, fixed: vec!["byte".into()], all: vec!["byte".into()] };
    maker.all.extend(others.iter().cloned());
    let mut keywords = KEYWORDS.to_vec();
    let mut made = Vec::new();
    for number in first..first + count {
        let name = match purpose == Purpose::Text && maker.numbers.is_one_in(12) {
            true if !keywords.is_empty() => {
                let at = maker.numbers.below(keywords.len());
                keywords.swap_remove(at).to_owned()
            }
            _ => format!("{}{number}", maker.numbers.pick(&NAMES)),
        };
        let declaration = maker.declaration(&name);
        let at = made.len() - maker.numbers.below(made.len() + 1);
        made.insert(at, declaration);
    }
    made
}

struct Maker<'n, N> {
    numbers: &'n mut N,
    purpose: Purpose,
    /// Types of fixed size, for structs and arrays.
    fixed: Vec<String>,
    all: Vec<String>,
}

impl<N: Numbers> Maker<'_, N> {
    fn declaration(&mut self, name: &str) -> String {
        let mut text = String::new();
        match self.numbers.below(7) {
            0 => {
                let item = self.fixed_item();
                text = format!("array {name} [ {item} ; {} ] ;", self.count(&item));
                self.fixed.push(name.to_owned());
            }
            1 => {
                write!(text, "struct {name} {{ ").unwrap();
                for field in 0..=self.numbers.below(4) {
                    let ty = self.fixed_item();
                    write!(text, "{} : {ty} , ", self.field(field)).unwrap();
                }
                text.push('}');
                self.fixed.push(name.to_owned());
            }
            2 | 3 => text = format!("vector {name} < {} > ;", self.item()),
            4 => text = format!("option {name} ( {} ) ;", self.item()),
            5 => {
                write!(text, "union {name} {{ ").unwrap();
                let mut used = Vec::new();
                for item in 0..=self.numbers.below(4) {
                    let ty = self.item();
                    // The official code names variants by type, so types must be distinct.
                    if self.purpose == Purpose::Values && used.contains(&ty) {
                        continue;
                    }
                    match self.numbers.below(3) {
                        0 => write!(text, "{ty} : {} , ", self.id(item)).unwrap(),
                        _ => write!(text, "{ty} , ").unwrap(),
                    }
                    used.push(ty);
                }
                text.push('}');
            }
            _ => {
                write!(text, "table {name} {{ ").unwrap();
                for field in 0..self.numbers.below(5) {
                    let ty = self.item();
                    write!(text, "{} : {ty} , ", self.field(field)).unwrap();
                }
                text.push('}');
            }
        }
        self.all.push(name.to_owned());
        text
    }

    fn fixed_item(&mut self) -> String {
        self.fixed[self.numbers.below(self.fixed.len())].clone()
    }

    /// Often the last type, so that types nest deeply.
    fn item(&mut self) -> String {
        let at = match self.numbers.below(3) {
            0 => self.all.len() - 1,
            _ => self.numbers.below(self.all.len()),
        };
        self.all[at].clone()
    }

    fn field(&mut self, number: usize) -> String {
        match self.purpose {
            Purpose::Text if self.numbers.is_one_in(12) => self.numbers.pick(&KEYWORDS).to_owned(),
            _ => format!("{}{number}", self.numbers.pick(&["f", "table", "Option"])),
        }
    }

    fn count(&mut self, item: &str) -> String {
        match self.purpose {
            Purpose::Text if self.numbers.is_one_in(16) => self.numbers.pick(&LARGE).to_owned(),
            // The official code has a function for each item.
            Purpose::Values if item != "byte" => (1 + self.numbers.below(3)).to_string(),
            _ => (1 + self.numbers.below(40)).to_string(),
        }
    }

    fn id(&mut self, item: usize) -> String {
        match self.purpose {
            Purpose::Text if self.numbers.is_one_in(16) => self.numbers.pick(&LARGE).to_owned(),
            _ if self.numbers.is_one_in(8) => (4_294_967_000 + item * 10).to_string(),
            _ => (item * 10 + self.numbers.below(9)).to_string(),
        }
    }
}
