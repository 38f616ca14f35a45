//! Groups of boxes whose names have a common prefix, such as `encoder/layer_3`, and pictures in which some of them are
//! drawn as one box.

use std::collections::{BTreeMap, BTreeSet};

use super::family::Family;
use super::picture::{Card, Line, Picture, Role, Wire};
use crate::write::count::counted;

/// Maximum number of groups that contain a box: a file may contain names with any number of separators.
const MOST_LEVELS: usize = 16;

/// The groups of a picture's boxes.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// The character between the parts of names.
    separator: char,
    /// The number of boxes of each group, by its prefix.
    counts: BTreeMap<String, usize>,
}

impl Groups {
    /// The parts of names are separated by slashes; by dots, if no name contains a slash.
    pub fn of(picture: &Picture) -> Self {
        let separator = match picture.cards.iter().any(|card| card.called.contains('/')) {
            true => '/',
            false => '.',
        };
        let mut counts = BTreeMap::new();
        for card in &picture.cards {
            for prefix in prefixes(&card.called, separator) {
                match counts.get_mut(prefix) {
                    Some(count) => *count += 1,
                    None => {
                        counts.insert(prefix.to_owned(), 1);
                    }
                }
            }
        }
        counts.retain(|_, count| *count > 1);
        Groups { separator, counts }
    }

    /// The prefixes of the groups that contain a box of that name, the largest group first.
    pub fn containing<'n>(&self, name: &'n str) -> Vec<&'n str> {
        let groups = prefixes(name, self.separator);
        groups.filter(|prefix| self.counts.contains_key(*prefix)).collect()
    }

    /// The prefixes of the groups with so many parts, for each number of parts that groups have, the least first.
    pub fn levels(&self) -> Vec<Vec<&str>> {
        let mut levels: Vec<Vec<&str>> = Vec::new();
        for prefix in self.counts.keys() {
            let level = prefix.matches(self.separator).count();
            levels.resize(levels.len().max(level + 1), Vec::new());
            if let Some(level) = levels.get_mut(level) {
                level.push(prefix);
            }
        }
        // Where all names begin with a separator, there are no groups of one part.
        levels.retain(|level| !level.is_empty());
        levels
    }

    /// Draws the boxes of these groups as one box each. Returns for each box of the picture its new index.
    pub fn close(&self, picture: &mut Picture, closed: &BTreeSet<String>) -> Vec<usize> {
        let mut made = BTreeMap::<String, usize>::new();
        let mut places = Vec::with_capacity(picture.cards.len());
        // The position of each box among those of its group.
        let mut positions = Vec::with_capacity(picture.cards.len());
        let mut counts = Vec::<usize>::new();
        let mut cards: Vec<Card> = Vec::new();
        for card in std::mem::take(&mut picture.cards) {
            let groups = self.containing(&card.called);
            let group = groups.into_iter().find(|prefix| closed.contains(*prefix));
            let place = match group {
                None => cards.len(),
                Some(group) => made.get(group).copied().unwrap_or(cards.len()),
            };
            places.push(place);
            counts.resize(counts.len().max(place + 1), 0);
            if let Some(count) = counts.get_mut(place) {
                positions.push(*count);
                *count += 1;
            }
            match (cards.get_mut(place), group) {
                (Some(whole), _) => whole.add(&card),
                (None, None) => cards.push(card),
                (None, Some(group)) => {
                    made.insert(group.to_owned(), place);
                    let mut whole = Card { multiply_adds: Some(0), ..self.card(group) };
                    whole.add(&card);
                    cards.push(whole);
                }
            }
        }
        picture.cards = cards;
        let Picture { cards, wires, .. } = picture;
        let mut seen = BTreeSet::new();
        // The number of each value that leaves a group, and the number of them.
        let mut leaving = BTreeMap::<(usize, usize, usize), usize>::new();
        let mut values = BTreeMap::<usize, usize>::new();
        let mut end = |card: &mut usize, value: &[usize]| {
            let position = positions.get(*card).copied().unwrap_or_default();
            *card = places.get(*card).copied().unwrap_or_default();
            let group = cards.get_mut(*card).filter(|card| card.role == Role::Group)?;
            group.identify(&(position, value));
            Some(position)
        };
        wires.retain_mut(|wire| {
            let from_group = end(&mut wire.from, &[wire.output]);
            // Only one connection between two boxes is drawn, so the others are equal if this is.
            let to_group = end(&mut wire.to, &[wire.input, wire.output]);
            let Wire { from, to, .. } = *wire;
            // Inside of the group, no value leaves it.
            if let Some(position) = from_group.filter(|_| from != to) {
                let next = values.entry(from).or_default();
                wire.output = *leaving.entry((from, position, wire.output)).or_insert_with(|| {
                    *next += 1;
                    *next - 1
                });
            }
            wire.input = to_group.unwrap_or(wire.input);
            (from_group, to_group) == (None, None) || (from != to && seen.insert((from, to)))
        });
        places
    }

    fn card(&self, group: &str) -> Card {
        let count = self.counts.get(group).copied().unwrap_or_default();
        let last = group.rsplit(self.separator).next().unwrap_or(group);
        let mut card = Card::new(Role::Group, Family::Other, last, group.to_owned());
        if last == group {
            card.name = Line::default();
        }
        card.attribute_lines = vec![Line::own(counted(count, "node"))];
        card
    }
}

/// The prefixes of a name that end before a separator, the shortest one first.
fn prefixes(name: &str, separator: char) -> impl Iterator<Item = &str> {
    let all = name.match_indices(separator).filter_map(|(at, _)| name.get(..at));
    // An empty part of a name is not a group.
    all.filter(move |prefix| !prefix.is_empty() && !prefix.ends_with(separator)).take(MOST_LEVELS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(names: &[&str], wires: &[(usize, usize)]) -> Picture {
        let card = |name: &&str| Card {
            role: Role::Operator,
            called: (*name).to_owned(),
            ..Groups::default().card(name)
        };
        Picture {
            cards: names.iter().map(card).collect(),
            wires: wires
                .iter()
                .map(|(from, to)| Wire { from: *from, to: *to, ..Wire::default() })
                .collect(),
            ..Picture::default()
        }
    }

    fn names(picture: &Picture) -> Vec<&str> {
        picture.cards.iter().map(|card| card.called.as_str()).collect()
    }

    fn wires(picture: &Picture) -> Vec<(usize, usize)> {
        picture.wires.iter().map(|wire| (wire.from, wire.to)).collect()
    }

    const NAMES: &[&str] = &["x", "e/0/a", "e/0/b", "e/1/a", "e/1/b", "e/norm", "f/only", "y.z"];
    const WIRES: &[(usize, usize)] =
        &[(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4), (4, 5), (5, 6), (6, 7), (7, 7)];

    #[test]
    fn groups_have_a_prefix_and_at_least_two_boxes() {
        let groups = Groups::of(&picture(NAMES, WIRES));
        assert_eq!(groups.levels(), [vec!["e"], vec!["e/0", "e/1"]]);
        assert_eq!(groups.containing("e/0/a"), ["e", "e/0"]);
        assert!(groups.containing("f/only").is_empty());
        assert!(Groups::of(&picture(&["a.b", "a.c", "/"], &[])).levels().is_empty());
        let dots = Groups::of(&picture(&["a.b", "a.c", ".d", ".e"], &[]));
        assert_eq!(dots.levels(), [vec!["a"]]);
        let rooted = Groups::of(&picture(&["/e/a", "/e/b", "/f"], &[]));
        assert_eq!(rooted.levels(), [vec!["/e"]]);
    }

    #[test]
    fn names_with_many_separators_have_few_prefixes() {
        let name = "a/".repeat(1_000_000);
        let groups = Groups::of(&picture(&[&name, &name], &[]));
        assert_eq!(groups.levels().len(), MOST_LEVELS);
    }

    #[test]
    fn empty_parts_of_names_are_no_groups() {
        let groups = Groups::of(&picture(&["/a//b", "/a//c"], &[]));
        assert_eq!(groups.containing("/a//b"), ["/a"]);
    }

    #[test]
    fn closed_groups_are_one_box_each() {
        let open = picture(NAMES, WIRES);
        let groups = Groups::of(&open);
        let close = |closed: &[&str]| {
            let mut picture = picture(NAMES, WIRES);
            let closed = closed.iter().map(|name| (*name).to_owned()).collect();
            let places = groups.close(&mut picture, &closed);
            (picture, places)
        };
        let (same, places) = close(&[]);
        assert_eq!((names(&same), wires(&same)), (names(&open), WIRES.to_vec()));
        assert_eq!(places, [0, 1, 2, 3, 4, 5, 6, 7]);

        let (layers, places) = close(&["e/0", "e/1"]);
        assert_eq!(names(&layers), ["x", "e/0", "e/1", "e/norm", "f/only", "y.z"]);
        assert_eq!(wires(&layers), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 5)]);
        assert_eq!(places, [0, 1, 1, 2, 2, 3, 4, 5]);
        let card = &layers.cards[1];
        assert_eq!(
            (card.head.text.as_str(), card.attribute_lines.as_slice()),
            ("0", &[Line::own("2 nodes")][..])
        );

        // The outermost group counts.
        let (outer, _) = close(&["e/0", "e"]);
        assert_eq!(names(&outer), ["x", "e", "f/only", "y.z"]);
        assert_eq!(wires(&outer), [(0, 1), (1, 2), (2, 3), (3, 3)]);
    }

    #[test]
    fn groups_that_use_other_outputs_differ() {
        let names = ["split", "e/0/a", "e/0/b", "other", "e/1/a", "e/1/b"];
        let identities = |last_output| {
            let mut picture = picture(&names, &[(0, 1), (0, 2), (3, 4), (3, 5)]);
            picture.wires[3].output = last_output;
            let closed = ["e/0", "e/1"].map(str::to_owned).into();
            Groups::of(&picture).close(&mut picture, &closed);
            [picture.cards[1].identity, picture.cards[3].identity]
        };
        let [one, other] = identities(0);
        assert_eq!(one, other);
        let [one, other] = identities(1);
        assert_ne!(one, other);
    }
}
