//! The error for a path that leads to no part.

use std::fmt::Write as _;

use fourfold::{Path, Segment};
use fourfold_schema::suggestion;

use super::count::{counted, listed};

/// Maximum number of keys listed in the error.
const MOST_LISTED: usize = 12;

/// What exists where the path ends.
#[derive(Clone, Debug)]
pub enum Inside<'n> {
    /// Parts with names.
    Named(Vec<&'n str>),
    /// Numbered parts, all counted.
    Items(usize),
    /// Numbered parts, more than this number.
    More(usize),
    Nothing,
    /// Parts that were not all read.
    Unknown,
}

/// The error for a path that exists only up to `found`. `leads` returns whether another path leads to a part.
pub fn missing(
    path: &str,
    found: &str,
    inside: &Inside<'_>,
    leads: impl Fn(&str) -> bool,
) -> String {
    let place = if found.is_empty() { "the whole" } else { found };
    let mut text = missing_in(path, place, inside);
    let name = Path::new(path).ok().and_then(|_| named(path, found));
    if let (Inside::Named(names), Some(name)) = (inside, name) {
        let first = name.split(['.', '[']).next().unwrap_or(name);
        // If no name is similar, the names are listed already.
        let hint = match names.contains(&first) {
            true => String::new(),
            false => suggestion(first, names.iter().copied()),
        };
        if hint.ends_with("?)") {
            text.push_str(&hint);
        }
    }
    if let (Inside::Items(_) | Inside::More(_), Some(name)) = (inside, name) {
        let numbered = format!("{found}[0].{name}");
        if leads(&numbered) {
            let _ = write!(text, ", and a number comes first: {numbered}");
        }
    }
    text
}

/// The same where the path ends in something called `place`.
pub fn missing_in(path: &str, place: &str, inside: &Inside<'_>) -> String {
    // Some names are not valid paths, so the syntax is checked only if nothing was found.
    if let Err(error) = Path::new(path) {
        return format!("invalid path `{path}`: {error}");
    }
    let has = match inside {
        Inside::Named(names) if names.is_empty() => "has no fields".into(),
        Inside::Named(names) => format!("has {}", listed(names, MOST_LISTED)),
        Inside::Items(count) => format!("has {}", counted(*count, "item")),
        Inside::More(count) => format!("has more than {}", counted(*count, "item")),
        Inside::Nothing => "is the nearest, and has no parts".into(),
        Inside::Unknown => "is the nearest".into(),
    };
    format!("there is no {path}; {place} {has}")
}

/// The rest of a path after `found`, if it begins with a name.
fn named<'p>(path: &'p str, found: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(found)?;
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    let is_name = matches!(Path::new(rest).ok()?.segments().next()?, Segment::Field(_));
    is_name.then_some(rest)
}
