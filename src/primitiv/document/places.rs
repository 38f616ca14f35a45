//! The entry of each key in a model, and which keys conflict.

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
    // Keys are ordered such that all keys inside another one follow it directly. So a key that
    // contains this one is the last before it: any key between them would be inside it as well.
    let inner = places.range(key..).next().filter(|(other, _)| key.contains(other));
    let before = places.range(..key).next_back().filter(|(other, _)| other.contains(key));
    inner.map(|_| key).or(before.map(|(other, _)| other))
}

/// The first key that conflicts with one before it, by its number, and the address that both claim.
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
