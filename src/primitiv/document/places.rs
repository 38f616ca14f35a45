//! Which entry of a model a key stands for, and which keys do not go together.

use alloc::collections::BTreeMap;

use super::Key;

/// Where the entry of each key is: of equal ones the last.
pub(super) type Places<'de> = BTreeMap<Key<'de>, usize>;

/// The address that would be a parameter's and a submodel's if `key` came to others, among which
/// there is none.
pub(super) fn conflict<'a, 'de>(
    places: &'a Places<'de>,
    key: &'a Key<'de>,
) -> Option<&'a Key<'de>> {
    // Keys are ordered such that what a key contains follows it at once. So a key that contains
    // this one is the last in front of it: whatever is between them would be inside of it as well.
    let behind = places.range(key..).next().filter(|(other, _)| key.contains(other));
    let before = places.range(..key).next_back().filter(|(other, _)| other.contains(key));
    behind.map(|_| key).or(before.map(|(other, _)| other))
}

/// The first key that conflicts with one in front of it, by its number, and the address that both
/// claim.
#[cold]
pub(super) fn first_conflict<'a, 'de: 'a>(
    keys: impl Iterator<Item = &'a Key<'de>>,
) -> Option<(usize, Key<'de>)> {
    let mut places = Places::new();
    for (place, key) in keys.enumerate() {
        if !places.contains_key(key) {
            if let Some(name) = conflict(&places, key) {
                return Some((place, name.clone()));
            }
            places.insert(key.clone(), place);
        }
    }
    None
}
