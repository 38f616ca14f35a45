//! Counts in words.

use std::fmt::Display;

/// A count with its noun: `1 node`, `12000 nodes`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{count} {}", plural(count == 1.into(), noun))
}

/// The same with the digits in groups of three: `12,000 nodes`.
pub fn counted_in_groups(count: u64, noun: &str) -> String {
    format!("{} {}", grouped(count), plural(count == 1, noun))
}

/// The singular or plural of a noun.
fn plural(is_one: bool, noun: &str) -> String {
    let ending = if is_one { "" } else { "s" };
    format!("{noun}{ending}")
}

/// `is` or `are`.
pub const fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count as the integer type of reports.
pub fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// The first names, and the number of further ones: `a, b and 7 more`.
pub fn listed<T: AsRef<str>>(names: impl IntoIterator<Item = T>, most: usize) -> String {
    let mut names = names.into_iter();
    let first: Vec<T> = names.by_ref().take(most).collect();
    let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
    match names.count() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_words() {
        assert_eq!([counted(1, "node"), counted(12_000, "node")], ["1 node", "12000 nodes"]);
        assert_eq!([are(1), are(0), are(2)], ["is", "are", "are"]);
        assert_eq!(counted_in_groups(1, "byte"), "1 byte");
        assert_eq!(counted_in_groups(1_234_567, "byte"), "1,234,567 bytes");
        assert_eq!([grouped(0), grouped(999), grouped(1000)], ["0", "999", "1,000"]);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(["a", "b"], 2), "a, b");
        assert_eq!(listed(["a", "b", "c", "d"], 2), "a, b and 2 more");
        assert_eq!(listed(Vec::<String>::new(), 2), "");
    }
}
