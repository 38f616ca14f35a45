//! All types of the zoo: a value survives, or it is refused.

pub(crate) mod shared;
pub(crate) mod unlike;

pub(crate) use crate::support::assert_reason;
use crate::support::erased::{self, AnyType, Boxed, Special, TestType, check_each};
pub(crate) use crate::support::fixture::Hex;
use crate::support::format::Biniou;
pub(crate) use crate::support::outcome::Expected;
use crate::support::outcome::written;
use crate::support::zoo;
use fourfold::biniou::{
    self, Dictionary, Options, StreamDeserializer, Value, from_slice, from_value, to_value, to_vec,
};
use std::any::Any;
use std::fmt::Debug;

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 100 } else { 2000 };

/// A type in biniou.
pub(crate) type Type = AnyType<Biniou, Trees>;

pub(crate) type AnyValue = erased::Value<Biniou>;

/// A value and its tree.
pub(crate) struct Trees {
    to_value: fn(&AnyValue) -> biniou::Result<Value>,
    from_value: fn(&Value) -> biniou::Result<Boxed<Biniou>>,
}

impl Special for Trees {
    fn of<T: TestType>() -> Self {
        Trees {
            to_value: |value| to_value(value.as_any().downcast_ref::<T>().unwrap()),
            from_value: |tree| Ok(Box::new(from_value::<T>(tree)?)),
        }
    }
}

/// Readers of streams of values, with the offset after each value.
struct Streams([fn(&[u8]) -> Items; 2]);

type Items = Vec<(biniou::Result<Boxed<Biniou>>, usize)>;

impl Special for Streams {
    fn of<T: TestType>() -> Self {
        fn items<R, T: TestType>(mut stream: StreamDeserializer<R, T>) -> Items
        where
            StreamDeserializer<R, T>: Iterator<Item = biniou::Result<T>>,
        {
            let mut items = Items::new();
            while let Some(item) = stream.next() {
                items.push((item.map(|value| Box::new(value) as _), stream.offset()));
            }
            items
        }

        Streams([
            |bytes| items::<_, T>(StreamDeserializer::from_slice(bytes)),
            |bytes| items::<_, T>(StreamDeserializer::from_reader(bytes)),
        ])
    }
}

#[test]
fn streams_of_every_type() {
    check_each(&erased::zoo(), |ty: &AnyType<Biniou, Streams>| {
        // A value that serde does not show completely may be written but not read.
        if !ty.visible {
            return;
        }
        ty.check(CASES / 4, |_, value| {
            let Ok(bytes) = value.to_vec() else {
                return;
            };
            for stream in ty.special.0 {
                let items = stream(&[&*bytes; 3].concat());
                assert_eq!(items.len(), 3, "{}", Hex(&bytes));
                for (index, (item, offset)) in items.into_iter().enumerate() {
                    assert_eq!(*item.unwrap(), *value, "{}", Hex(&bytes));
                    assert_eq!(offset, (index + 1) * bytes.len(), "{}", Hex(&bytes));
                }
            }
        });
    });
}

/// Like [`check_outcome`], for a value written by hand.
#[track_caller]
pub(crate) fn assert_outcome<T: TestType>(
    name: &'static str,
    value: &T,
    owed: Expected,
) -> Option<Vec<u8>> {
    check_outcome(&Type::of::<T>(name), value, owed)
}

/// What is written reads back equal, by every way in, and as a tree; what is refused has no tree.
///
/// Returns the bytes, if it was not refused.
pub(crate) fn check_outcome(ty: &Type, value: &AnyValue, owed: Expected) -> Option<Vec<u8>> {
    let bytes = written(ty, value, owed);
    match &bytes {
        Some(bytes) => {
            assert_all_readers(ty, value, bytes);
            assert_tree(ty, value, bytes);
        }
        None => {
            let tree = (ty.special.to_value)(value);
            assert!(tree.is_err(), "only to_vec refuses {} {value:?}", ty.name);
        }
    }
    bytes
}

/// Asserts that every reading function returns the value.
fn assert_all_readers(ty: &Type, value: &AnyValue, bytes: &[u8]) {
    let (name, shown) = (ty.name, Hex(bytes));
    let three = [bytes; 3].concat();
    let (read, rest) = ty.take_from_slice(&three).unwrap();
    assert_eq!(*read, *value, "take_from_slice of {name} {shown}");
    assert_eq!(rest.len(), 2 * bytes.len(), "take_from_slice of {name} {shown}");
    let error = ty.from_slice(&three).unwrap_err();
    assert_eq!(error.offset(), Some(bytes.len()), "{name} {shown}: {error}");
    let lax = Options::new().allow_trailing(true);
    assert_eq!(*ty.from_slice_with(&lax, &three).unwrap(), *value, "{name} {shown}");
}

/// Asserts that the tree of the value is equal to the tree of its bytes.
fn assert_tree(ty: &Type, value: &AnyValue, bytes: &[u8]) {
    let (name, shown) = (ty.name, Hex(bytes));
    let tree: Value = from_slice(bytes)
        .unwrap_or_else(|error| panic!("{name} {value:?} as {shown} is no Value: {error}"));
    assert_eq!(Hex(&to_vec(&tree).unwrap()), shown, "Value of {name} {value:?}: {tree:?}");
    let read = (ty.special.from_value)(&tree).unwrap();
    assert_eq!(*read, *value, "from_value of {name} {tree:?}");
    let written = (ty.special.to_value)(value).unwrap();
    assert_eq!(written, tree, "to_value of {name} {value:?}");
    assert_eq!(to_value(&tree).unwrap(), tree, "to_value of the Value of {name}");
    assert_eq!(from_value::<Value>(&tree).unwrap(), tree, "from_value of the Value of {name}");
    let three = [bytes; 3].concat();
    let trees: biniou::Result<Vec<Value>> = StreamDeserializer::from_slice(&three).collect();
    assert_eq!(trees.unwrap(), [tree.clone(), tree.clone(), tree], "stream of {name} {shown}");
}

#[test]
fn every_type_is_read_back_or_refused() {
    check_each(&erased::zoo(), |ty| if ty.visible { visible(ty) } else { unseen(ty) });
}

/// Checks a type whose values serde shows completely.
fn visible(ty: &Type) {
    ty.check(CASES, |_, value| {
        let owed = match value.as_any().downcast_ref() {
            Some(zoo::SkippedVariant::Hidden) => Expected::Refusal,
            _ => Expected::Bytes,
        };
        check_outcome(ty, value, owed);
    });
}

/// Whether a reader needs the names of the hashes.
fn needs_names(value: &dyn Any) -> bool {
    fn on<T: 'static>(value: &dyn Any, needs: impl FnOnce(&T) -> bool) -> Option<bool> {
        value.downcast_ref().map(needs)
    }
    let record = |item: &zoo::Untagged| matches!(item, zoo::Untagged::Record { .. });
    on(value, record)
        .or_else(|| on(value, |v: &zoo::UntaggedItems| v.items.iter().any(record)))
        .or_else(|| on(value, |_: &zoo::Internal| true))
        .or_else(|| on(value, |_: &zoo::FlattenNested| true))
        // With `arbitrary_precision`, a number is a struct with one field.
        .or_else(|| on(value, |v: &serde_json::Value| v.is_number()))
        .unwrap_or(false)
}

/// The value as JSON reads it back, for types that skip fields on one side, which no format can restore.
fn as_json_reads_it(value: &dyn Any) -> Option<Boxed<Biniou>> {
    fn through_json<T: TestType>(value: &dyn Any) -> Option<Boxed<Biniou>> {
        let json = serde_json::to_string(value.downcast_ref::<T>()?).unwrap();
        Some(Box::new(serde_json::from_str::<T>(&json).unwrap()))
    }
    through_json::<zoo::ReadOnly>(value)
        .or_else(|| through_json::<zoo::WriteOnly>(value))
        .or_else(|| through_json::<zoo::TupleSkipsIf>(value))
}

/// Whether a value is a map: `deserialize_any` reads it as a list of pairs.
fn is_map(value: &dyn Any) -> bool {
    value.downcast_ref().is_some_and(serde_json::Value::is_object)
}

fn unseen(ty: &Type) {
    let name = ty.name;
    let words = "kind value id name key points x y a b $serde_json::private::Number";
    let names = Dictionary::from_words(&words.replace(' ', "\n")).unwrap();
    let named = Options::new().names(names);
    ty.check(CASES, |_, value| {
        let bytes = value.to_vec().unwrap();
        let shown = Hex(&bytes);
        let tree: Value = from_slice(&bytes).unwrap();
        assert_eq!(Hex(&to_vec(&tree).unwrap()), shown, "Value of {name} {value:?}");
        if is_map(value.as_any()) {
            return;
        }
        let needs_names = needs_names(value.as_any());
        let read = ty.from_slice(&bytes);
        match (&read, as_json_reads_it(value.as_any())) {
            (Ok(back), Some(other)) => {
                assert_eq!(**back, *other, "{name} {value:?} through {shown}");
            }
            (Ok(back), None) => assert_eq!(**back, *value, "{name} through {shown}"),
            (Err(error), as_json_reads_it) => {
                assert_reason(error, &value);
                let known = as_json_reads_it.is_none() && !needs_names;
                assert!(!known, "{name} {value:?} through {shown}: {error}");
            }
        }
        let other = ty.from_reader(&bytes);
        assert_eq!(read.ok(), other.ok(), "{name} {shown}");
        if needs_names {
            let read = ty
                .from_slice_with(&named, &bytes)
                .unwrap_or_else(|error| panic!("{name} {value:?} as {shown}, with names: {error}"));
            assert_eq!(*read, *value, "{name} {shown} with names");
        }
    });
}

/// All bits of floats survive, also those of NaNs.
#[test]
fn floats_keep_their_bits() {
    for bits in [0, 1 << 31, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff, 0x7f80_0000, 1] {
        let float = f32::from_bits(bits);
        let bytes = to_vec(&float).unwrap();
        assert_eq!(bytes, [&[11], &bits.to_be_bytes()[..]].concat());
        assert_eq!(from_slice::<f32>(&bytes).unwrap().to_bits(), bits);
        assert_eq!(to_vec(&from_slice::<Value>(&bytes).unwrap()).unwrap(), bytes);
    }
    for bits in [0, 1 << 63, 0x7ff8 << 48, 0x7ff0_0000_0000_0001, u64::MAX, 1] {
        let float = f64::from_bits(bits);
        let bytes = to_vec(&float).unwrap();
        assert_eq!(bytes, [&[12], &bits.to_be_bytes()[..]].concat());
        assert_eq!(from_slice::<f64>(&bytes).unwrap().to_bits(), bits);
        assert_eq!(to_vec(&from_slice::<Value>(&bytes).unwrap()).unwrap(), bytes);
    }
}

/// In biniou, names with the same hash are the same name.
#[test]
fn names_with_the_same_hash_are_refused() {
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Both {
        azdwbie: u8,
        c7diagq: u8,
    }
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    #[allow(non_camel_case_types, reason = "names with one hash")]
    enum Either {
        azdwbie(u8),
        c7diagq(u8),
    }
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Far {
        azdwbie: u8,
        inner: Near,
    }
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Near {
        c7diagq: u8,
    }
    assert_outcome("struct", &Both { azdwbie: 1, c7diagq: 2 }, Expected::Refusal);
    assert_outcome(
        "rows",
        &biniou::with::Table(vec![Both { azdwbie: 1, c7diagq: 2 }]),
        Expected::Refusal,
    );
    assert_outcome("apart", &Far { azdwbie: 1, inner: Near { c7diagq: 2 } }, Expected::Bytes);
    // Strings are not hashed.
    let map =
        std::collections::BTreeMap::from([("azdwbie".to_owned(), 1), ("c7diagq".to_owned(), 2)]);
    assert_outcome("map", &map, Expected::Bytes);

    // The writer sees one variant, the reader all of them.
    for value in [Either::azdwbie(1), Either::c7diagq(1)] {
        let bytes = to_vec(&value).unwrap();
        let error = from_slice::<Either>(&bytes).unwrap_err();
        assert_reason(&error, &value);
        assert!(error.to_string().contains("azdwbie"), "{error}");
        assert!(error.to_string().contains("c7diagq"), "{error}");
    }
}
