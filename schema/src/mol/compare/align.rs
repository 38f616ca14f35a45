//! Which fields of two lists are the same.

use std::collections::BTreeMap;

use crate::mol::Field;

/// What has become of a field, in the order of both lists.
#[derive(Debug)]
pub(super) enum Row<'o, 'n> {
    /// It is in both, perhaps with another name.
    Both(Field<'o>, Field<'n>),
    /// It was in the first place, and is in the second.
    Moved(Field<'o>, Field<'n>, usize, usize),
    New(Field<'n>, usize),
    Gone(Field<'o>, usize),
}

/// Types are compared where so many pairs of fields are between two that have the same names.
const MOST_PAIRS: usize = 1 << 16;

/// Aligns two lists of fields. As many as possible keep their order.
pub(super) fn fields<'o, 'n>(older: &[Field<'o>], newer: &[Field<'n>]) -> Vec<Row<'o, 'n>> {
    let places = |fields: &[Field<'_>]| {
        let names = fields.iter().enumerate().map(|(at, field)| (field.name().into(), at));
        names.collect::<BTreeMap<String, usize>>()
    };
    let (old_places, new_places) = (places(older), places(newer));
    let shared = newer.iter().enumerate();
    let shared: Vec<(usize, usize)> =
        shared.filter_map(|(is, field)| Some((*old_places.get(field.name())?, is))).collect();
    let mut rows = Vec::new();
    let (mut was, mut is) = (0, 0);
    let ends = [(older.len(), newer.len())];
    for (next_was, next_is) in in_order(&shared).into_iter().chain(ends) {
        let between = Between {
            older: older.get(was..next_was).unwrap_or_default(),
            newer: newer.get(is..next_is).unwrap_or_default(),
            is_end: next_was == older.len(),
        };
        let pairs = between.pairs(
            |field| !new_places.contains_key(field.name()),
            |field| !old_places.contains_key(field.name()),
        );
        let (mut old_at, mut new_at) = (0, 0);
        for (old_next, new_next) in
            pairs.iter().copied().chain([(between.older.len(), between.newer.len())])
        {
            for (at, field) in between.older.iter().enumerate().take(old_next).skip(old_at) {
                // One that is elsewhere is listed there.
                if !new_places.contains_key(field.name()) {
                    rows.push(Row::Gone(*field, was + at));
                }
            }
            for (at, field) in between.newer.iter().enumerate().take(new_next).skip(new_at) {
                let place = is + at;
                let known = old_places.get(field.name()).copied();
                rows.push(match known.and_then(|it| Some((*older.get(it)?, it))) {
                    Some((old, old_place)) if old_place == place => Row::Both(old, *field),
                    Some((old, old_place)) => Row::Moved(old, *field, old_place, place),
                    None => Row::New(*field, place),
                });
            }
            let pair = between.older.get(old_next).zip(between.newer.get(new_next));
            rows.extend(pair.map(|(was, is)| Row::Both(*was, *is)));
            (old_at, new_at) = (old_next + 1, new_next + 1);
        }
        let pair = older.get(next_was).zip(newer.get(next_is));
        rows.extend(pair.map(|(was, is)| Row::Both(*was, *is)));
        (was, is) = (next_was + 1, next_is + 1);
    }
    rows
}

/// The longest part of pairs whose first places rise as the second ones do: the pairs of equal places, if no other
/// part is longer.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Of each length the pair with the smallest first place that ends such a part, and of each pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    let first = |at: usize| pairs.get(at).map_or(0, |pair| pair.0);
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| first(*end) < pair.0);
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let way = core::iter::successors(ends.last().copied(), |at| before.get(*at).copied().flatten());
    let mut found: Vec<_> = way.filter_map(|at| pairs.get(at).copied()).collect();
    found.reverse();
    let in_place: Vec<_> = pairs.iter().copied().filter(|(was, is)| was == is).collect();
    if in_place.len() == found.len() { in_place } else { found }
}

/// Fields between two that have the same names.
struct Between<'a, 'o, 'n> {
    older: &'a [Field<'o>],
    newer: &'a [Field<'n>],
    is_end: bool,
}

impl Between<'_, '_, '_> {
    /// Those that have been renamed: of the same type, or else in the same places.
    fn pairs(
        &self,
        is_gone: impl Fn(&Field<'_>) -> bool,
        is_new: impl Fn(&Field<'_>) -> bool,
    ) -> Vec<(usize, usize)> {
        let (older, newer) = (self.older, self.newer);
        let mut pairs = Vec::new();
        if older.len().saturating_mul(newer.len()) <= MOST_PAIRS {
            let mut next = 0;
            for (was, field) in older.iter().enumerate().filter(|(_, field)| is_gone(field)) {
                let mut left = newer.iter().enumerate().skip(next);
                let same = left.find(|(_, it)| is_new(it) && it.ty().name() == field.ty().name());
                if let Some((is, _)) = same {
                    pairs.push((was, is));
                    next = is + 1;
                }
            }
        }
        let are_alone = older.iter().all(&is_gone) && newer.iter().all(&is_new);
        if pairs.is_empty() && are_alone && (self.is_end || older.len() == newer.len()) {
            let count = older.len().min(newer.len());
            pairs.extend((0..count).map(|at| (at, at)));
        }
        pairs
    }
}
