//! Suggests known names that are similar to an unknown one.

use core::mem;

use super::shortened;

/// How many names are suggested.
const MOST_NEAR: usize = 3;
/// How many names are listed where none is near.
const MOST_LISTED: usize = 8;
/// How many characters of a name are compared. Names that are longer are not suggested.
const LONGEST: usize = 64;
/// How many names are compared.
const MOST_COMPARED: usize = 1 << 14;

/// What follows an unknown name in a message: ` (did you mean `Block`?)`, or the names that there are. Empty if
/// there are none.
///
/// ```
/// use fourfold_schema::suggestion;
///
/// assert_eq!(suggestion("Blok", ["Block", "Byte32"]), " (did you mean `Block`?)");
/// assert_eq!(suggestion("Header", ["Block", "Byte32"]), " (there are `Block` and `Byte32`)");
/// ```
#[doc(hidden)]
#[must_use]
pub fn suggestion<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().take(MOST_COMPARED + 1).collect();
    let near = nearest(name, &known);
    let quoted = |names: &[&str]| {
        names.iter().map(|name| format!("`{}`", shortened(name))).collect::<Vec<_>>()
    };
    if !near.is_empty() {
        return format!(" (did you mean {}?)", joined(&quoted(&near), "or"));
    }
    let are_all = known.len() <= MOST_COMPARED;
    let (listed, rest) = known.split_at(known.len().min(MOST_LISTED));
    match (listed, rest.len()) {
        ([], _) => String::new(),
        ([only], _) => format!(" (there is only `{}`)", shortened(only)),
        (_, 0) => format!(" (there are {})", joined(&quoted(listed), "and")),
        _ if !are_all => format!(" (there are {} and many more)", quoted(listed).join(", ")),
        (_, more) => format!(" (there are {} and {more} more)", quoted(listed).join(", ")),
    }
}

/// `a, b or c`.
fn joined(names: &[String], word: &str) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} {word} {last}", first.join(", ")),
        _ => names.join(", "),
    }
}

/// The names that differ in few letters, the nearest first.
fn nearest<'n>(name: &str, known: &[&'n str]) -> Vec<&'n str> {
    let folded = |name: &str| -> Vec<char> {
        name.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect()
    };
    let wanted = folded(name);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for other in known {
        let letters = folded(other);
        let longest = wanted.len().max(letters.len());
        let most = longest / 3;
        if longest > LONGEST || wanted.len().abs_diff(letters.len()) > most {
            continue;
        }
        let distance = distance(&wanted, &letters);
        if distance <= most {
            near.push((distance, other));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(MOST_NEAR).map(|(_, name)| name).collect()
}

/// How many letters have to be changed, added, left out, or swapped with the next one.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    let cost_at = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(LONGEST);
    let mut previous = None;
    for (row, letter) in (1..).zip(from) {
        let mut next = vec![row];
        let mut left = row;
        for (at, other) in to.iter().enumerate() {
            let changed = cost_at(&last, at) + usize::from(letter != other);
            left = changed.min(cost_at(&last, at + 1) + 1).min(left + 1);
            let is_swapped = previous == Some(other)
                && at.checked_sub(1).and_then(|at| to.get(at)) == Some(letter);
            if is_swapped {
                left = left.min(cost_at(&before, at - 1) + 1);
            }
            next.push(left);
        }
        before = mem::replace(&mut last, next);
        previous = Some(letter);
    }
    cost_at(&last, to.len())
}
