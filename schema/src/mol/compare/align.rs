//! Which fields of two schemas' tables or structs are the same, also if their names or places differ.

use std::collections::BTreeMap;

use crate::mol::Field;

/// What has become of a field.
#[derive(Debug)]
pub(super) enum Row<'o, 'n> {
    /// It is in both. Its name may be another one.
    Both(Field<'o>, Field<'n>),
    /// It has gone from one place to another.
    Moved(Field<'o>, Field<'n>, usize, usize),
    New(Field<'n>, usize),
    Gone(Field<'o>, usize),
}

/// So many pairs are looked at: of more, only fields that have kept their places are the same.
const MOST_PAIRS: usize = 1 << 20;

/// What a pair counts that has one name; if it has one place, too; if only its type is the same. So few fields are moved
/// as can be, and of these as few as can be that could have stayed.
const NAME: u64 = 1 << 42;
const PLACE: u64 = 1 << 21;
const TYPE: u64 = 1;

/// All fields of two records, in the order of the newer one.
pub(super) fn fields<'o, 'n>(older: &[Field<'o>], newer: &[Field<'n>]) -> Vec<Row<'o, 'n>> {
    let places = |fields: &[Field<'_>]| {
        let names = fields.iter().enumerate().map(|(at, field)| (field.name().into(), at));
        names.collect::<BTreeMap<String, usize>>()
    };
    let (old_places, new_places) = (places(older), places(newer));
    let old_places: Vec<Option<usize>> =
        newer.iter().map(|field| old_places.get(field.name()).copied()).collect();
    let are_gone: Vec<bool> =
        older.iter().map(|field| !new_places.contains_key(field.name())).collect();
    let old_place = |is: usize| old_places.get(is).copied().flatten();
    let is_gone = |was: usize| are_gone.get(was).copied().unwrap_or_default();
    let weight = |was: usize, is: usize| match (old_place(is), older.get(was), newer.get(is)) {
        (Some(place), ..) if place == was && was == is => NAME + PLACE,
        (Some(place), ..) if place == was => NAME,
        (None, Some(old), Some(new)) if is_gone(was) && old.ty().name() == new.ty().name() => TYPE,
        _ => 0,
    };
    let mut rows = Vec::new();
    let (mut was, mut is) = (0, 0);
    let end = (older.len(), newer.len());
    for (next_was, next_is) in aligned(end, weight).into_iter().chain([end]) {
        let are_alone =
            (was..next_was).all(is_gone) && (is..next_is).all(|is| old_place(is).is_none());
        let (gone, new) = (next_was - was, next_is - is);
        // What is new and in the place of what is gone has another name and type.
        let renamed = match are_alone && (next_was == older.len() || gone == new) {
            true => gone.min(new),
            false => 0,
        };
        let both = |was: usize, is: usize| Some(Row::Both(*older.get(was)?, *newer.get(is)?));
        rows.extend((0..renamed).filter_map(|at| both(was + at, is + at)));
        let gone = (was + renamed..next_was).filter(|was| is_gone(*was));
        rows.extend(gone.filter_map(|was| Some(Row::Gone(*older.get(was)?, was))));
        rows.extend((is + renamed..next_is).filter_map(|is| match old_place(is) {
            Some(was) if was == is => both(was, is),
            Some(was) => Some(Row::Moved(*older.get(was)?, *newer.get(is)?, was, is)),
            None => Some(Row::New(*newer.get(is)?, is)),
        }));
        rows.extend(both(next_was, next_is));
        (was, is) = (next_was + 1, next_is + 1);
    }
    rows
}

/// Pairs of places, both in order, that count most together.
fn aligned(
    (older, newer): (usize, usize),
    weight: impl Fn(usize, usize) -> u64,
) -> Vec<(usize, usize)> {
    let width = newer + 1;
    if (older + 1).saturating_mul(width) > MOST_PAIRS {
        let places = (0..older.min(newer)).map(|at| (at, at));
        return places.filter(|(was, is)| weight(*was, *is) >= NAME).collect();
    }
    // What the pairs from two places on count.
    let mut sums = vec![0; (older + 1) * width];
    let sum =
        |sums: &[u64], was: usize, is: usize| sums.get(was * width + is).copied().unwrap_or(0);
    for was in (0..older).rev() {
        for is in (0..newer).rev() {
            let paired = match weight(was, is) {
                0 => 0,
                weight => weight + sum(&sums, was + 1, is + 1),
            };
            let most = paired.max(sum(&sums, was + 1, is)).max(sum(&sums, was, is + 1));
            sums.get_mut(was * width + is).into_iter().for_each(|sum| *sum = most);
        }
    }
    let mut pairs = Vec::new();
    let (mut was, mut is) = (0, 0);
    while was < older && is < newer {
        let most = sum(&sums, was, is);
        if most == sum(&sums, was, is + 1) {
            is += 1;
        } else if most == sum(&sums, was + 1, is) {
            was += 1;
        } else {
            pairs.push((was, is));
            (was, is) = (was + 1, is + 1);
        }
    }
    pairs
}
