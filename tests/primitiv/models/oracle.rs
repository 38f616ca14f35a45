//! Changes of models, compared with a sorted map that implements the rules independently.

use super::{
    below, build, build_parameter, name, names, parameter, shuffled, tree, tree_of_parameter,
};
use crate::round_trip::Hex;
use crate::strict::{self, Key, Parameter};
use crate::support::random::Dice;
use crate::support::random::{self, value};
use fourfold::primitiv::{Data, ErrorKind, File, Model, Submodel, from_slice, to_vec};
use std::collections::BTreeMap;

const CASES: usize = if cfg!(debug_assertions) { 150 } else { 2000 };

#[derive(Clone, Debug)]
enum Change {
    Insert(Key, Parameter),
    Remove(Key),
    Replace(Key, Parameter),
}

/// A key of few names, so that keys are repeated.
fn key(g: &mut Dice) -> Key {
    let parts = below(g, 4);
    (0..parts)
        .map(|_| match below(g, 20) {
            0 => name(g),
            _ => vec![b'a' + value::<u8>(g) % 3],
        })
        .collect()
}

fn change(g: &mut Dice) -> Change {
    match below(g, 4) {
        0 => Change::Remove(key(g)),
        1 => Change::Replace(key(g), parameter(g)),
        _ => Change::Insert(key(g), parameter(g)),
    }
}

/// Whether a key is empty, or a prefix of another key or the reverse.
fn conflicts(entries: &BTreeMap<Key, Parameter>, key: &Key) -> bool {
    key.is_empty()
        || (1..key.len()).any(|parts| entries.contains_key(&key[..parts]))
        || entries.keys().any(|other| other.len() > key.len() && other.starts_with(key))
}

fn assert_equal(model: &Model<'_>, entries: &BTreeMap<Key, Parameter>) {
    assert_eq!((model.len(), model.is_empty()), (entries.len(), entries.is_empty()));
    let sorted: Vec<(Key, Parameter)> =
        entries.iter().map(|(key, parameter)| (key.clone(), parameter.clone())).collect();
    let of_model = model.sorted().into_iter().map(|entry| {
        let key = entry.key().parts().iter().map(|part| part.as_bytes().to_vec()).collect();
        (key, tree_of_parameter(entry.parameter()))
    });
    assert_eq!(of_model.collect::<Vec<_>>(), sorted);
    for (key, parameter) in entries {
        assert_eq!(&tree_of_parameter(model.get(key).unwrap()), parameter, "{key:?}");
        assert!(model.get(&key[..key.len() - 1]).is_none(), "{key:?}");
        let below = key.iter().map(Vec::as_slice).chain([&b"w"[..]]);
        assert!(model.get(below).is_none(), "{key:?}");
    }
    let mut nested = BTreeMap::new();
    walk(&model.root(), &[], &mut nested);
    assert_eq!(&nested, entries);
}

/// Collects the parameters by walking through the submodels.
fn walk(submodel: &Submodel<'_, '_>, above: &[Vec<u8>], found: &mut BTreeMap<Key, Parameter>) {
    let mut count = 0;
    for (name, parameter) in submodel.parameters() {
        let key = [above, &[name.as_bytes().to_vec()]].concat();
        assert!(found.insert(key, tree_of_parameter(parameter)).is_none());
        count += 1;
    }
    let mut last = None;
    for (name, inner) in submodel.submodels() {
        let name = name.as_bytes().to_vec();
        assert!(!inner.is_empty());
        assert!(last < Some(name.clone()), "{last:?} {name:?}");
        assert_eq!(submodel.submodel(&name).unwrap().len(), inner.len());
        count += inner.len();
        walk(&inner, &[above, std::slice::from_ref(&name)].concat(), found);
        last = Some(name);
    }
    assert_eq!(submodel.len(), count);
    assert_eq!(submodel.all().count(), count);
    assert_eq!(submodel.to_model().unwrap().len(), count);
}

#[test]
fn changes() {
    random::check(
        "changes",
        CASES,
        |g| {
            let start = super::model(g);
            let start = shuffled(g, &start);
            let count = below(g, 24);
            (start, (0..count).map(|_| change(g)).collect::<Vec<_>>())
        },
        |_, (start, changes)| {
            // Built, read in order, and read in another order.
            let strict::Data::Model(list) = start.clone() else { panic!("another kind") };
            let first: BTreeMap<Key, Parameter> = list.into_iter().collect();
            let Data::Model(built) = build(&start) else { panic!("another kind") };
            let in_order = strict::Data::Model(first.clone().into_iter().collect());
            let sorted = strict::write(&in_order);
            let unsorted = strict::write(&start);
            let models = [
                built,
                File::from_slice(&sorted).unwrap().try_into().unwrap(),
                File::from_slice(&unsorted).unwrap().try_into().unwrap(),
                Model::new(),
            ];
            for (place, mut model) in models.into_iter().enumerate() {
                let mut entries = if place < 3 { first.clone() } else { BTreeMap::new() };
                assert_equal(&model, &entries);
                for change in &changes {
                    apply(&mut model, &mut entries, change);
                    let bytes = to_vec(&model).unwrap();
                    let (read, rest) = strict::read(&with_header(&bytes), 0x300)
                        .map(|(data, rest)| (data.loaded(), rest.len()))
                        .unwrap();
                    assert_eq!(rest, 0);
                    let wanted = entries.clone().into_iter().collect();
                    assert_eq!(read, strict::Data::Model(wanted).loaded());
                    assert!(from_slice::<Model<'_>>(&bytes).unwrap() == model, "{}", Hex(&bytes));
                }
                assert_equal(&model, &entries);
                if place != 2 && !changes.is_empty() {
                    // Sorted, as primitiv writes.
                    let wanted = strict::Data::Model(entries.into_iter().collect());
                    assert_eq!(Hex(&to_vec(&model).unwrap()), Hex(&strict::body(&wanted)));
                }
                let data = Data::Model(model.clone().into_owned());
                assert_eq!(tree(&data).loaded(), tree(&Data::Model(model)).loaded());
            }
        },
    );
}

fn with_header(body: &[u8]) -> Vec<u8> {
    let header = [0_u32, 1, 0x300].map(|number| [&[0xce][..], &number.to_be_bytes()].concat());
    [header.concat(), body.to_vec()].concat()
}

fn apply(model: &mut Model<'_>, entries: &mut BTreeMap<Key, Parameter>, change: &Change) {
    match change {
        Change::Insert(key, parameter) => {
            let result = model.insert(key.clone(), build_parameter(parameter));
            if conflicts(entries, key) {
                let error = result.unwrap_err();
                let empty = matches!(error.kind(), ErrorKind::EmptyKey);
                assert_eq!(empty, key.is_empty(), "{error}");
            } else {
                let old = entries.insert(key.clone(), parameter.clone());
                let given = result.unwrap().map(|old| tree_of_parameter(&old));
                assert_eq!(given, old, "{key:?}");
            }
        }
        Change::Remove(key) => {
            let given = model.remove(key).map(|old| tree_of_parameter(&old));
            assert_eq!(given, entries.remove(key), "{key:?}");
        }
        Change::Replace(key, parameter) => match (model.get_mut(key), entries.get_mut(key)) {
            (None, None) => {}
            (Some(mine), Some(other)) => {
                *mine = build_parameter(parameter);
                other.clone_from(parameter);
            }
            (mine, other) => panic!("{key:?}: {} {}", mine.is_some(), other.is_some()),
        },
    }
}

/// Of configs and statistics with the same name, primitiv uses the first; of parameters with the same key, the last.
#[test]
fn duplicates() {
    random::check(
        "duplicates",
        CASES,
        |g| {
            let strict::Data::Model(mut entries) = super::model(g) else { panic!("another kind") };
            let mut again: Vec<_> = entries.iter().filter(|_| value(g)).cloned().collect();
            again.iter_mut().for_each(|(_, again)| *again = parameter(g));
            entries.extend(again);
            let strict::Data::Model(entries) = shuffled(g, &strict::Data::Model(entries)) else {
                panic!("another kind")
            };
            let mut stats = parameter(g);
            let more: Vec<_> = stats.stats.iter().map(|(name, _)| name.clone()).collect();
            stats.stats.extend(more.into_iter().map(|name| (name, super::tensor(g, 1))));
            let mut configs: Vec<(Vec<u8>, u32)> =
                names(g, 5).into_iter().map(|name| (name, value(g))).collect();
            configs.extend(configs.clone().into_iter().map(|(name, value)| (name, !value)));
            (entries, stats, configs)
        },
        |_, (mut entries, stats, configs)| {
            let wanted = strict::Data::Model(entries.clone());
            let bytes = strict::write(&wanted);
            let file = File::from_slice(&bytes).unwrap();
            assert_eq!(Hex(&file.to_vec().unwrap()), Hex(&bytes));
            let Data::Model(model) = &file.data else { panic!("another kind") };
            let last: BTreeMap<Key, Parameter> = entries.drain(..).collect();
            assert_equal(model, &last);

            let bytes = strict::write(&strict::Data::Parameter(stats.clone()));
            let file = File::from_slice(&bytes).unwrap();
            assert_eq!(Hex(&file.to_vec().unwrap()), Hex(&bytes));
            let Data::Parameter(parameter) = &file.data else { panic!("another kind") };
            for (name, _) in &stats.stats {
                let first = stats.stats.iter().find(|(other, _)| other == name).unwrap();
                assert_eq!(parameter.stat(name).unwrap().data(), first.1.data);
            }

            let optimizer = strict::Optimizer { uints: configs.clone(), floats: configs.clone() };
            let bytes = strict::write(&strict::Data::Optimizer(optimizer));
            let file = File::from_slice(&bytes).unwrap();
            assert_eq!(Hex(&file.to_vec().unwrap()), Hex(&bytes));
            let Data::Optimizer(optimizer) = &file.data else { panic!("another kind") };
            for (name, _) in &configs {
                let first = configs.iter().find(|(other, _)| other == name).unwrap().1;
                assert_eq!(optimizer.uint_configs.get(name), Some(first));
                assert_eq!(optimizer.float_configs.get(name).map(f32::to_bits), Some(first));
            }
        },
    );
}
