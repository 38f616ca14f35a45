//! `serialize` is called once for each value of a document, whatever its type, size and place, and however
//! deep it lies. So what can be written only once is written whole.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use serde::ser::{Serialize, Serializer};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is serialized.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Counted<T>(T);

impl<T: Serialize> Serialize for Counted<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CALLS.set(CALLS.get() + 1);
        self.0.serialize(serializer)
    }
}

/// Items that can be gone through once.
struct Once<I>(RefCell<Option<I>>);

impl<I> Once<I> {
    fn new(items: impl IntoIterator<IntoIter = I>) -> Self {
        Once(RefCell::new(Some(items.into_iter())))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Once<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.take() {
            Some(items) => serializer.collect_seq(items),
            None => Err(serde::ser::Error::custom("written before")),
        }
    }
}

/// The same of an iterator that does not know how many items it has, item by item.
struct Unsized<I>(RefCell<Option<I>>);

impl<I: Iterator<Item: Serialize>> Serialize for Unsized<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;

        let Some(items) = self.0.take() else {
            return Err(serde::ser::Error::custom("written before"));
        };
        let mut seq = serializer.serialize_seq(items.size_hint().1)?;
        for item in items {
            seq.serialize_element(&item)?;
        }
        seq.end()
    }
}

#[derive(serde::Serialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Two<A, B> {
    first: A,
    second: B,
}

#[derive(serde::Serialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename = "struct.Point")]
struct Point<T> {
    x: T,
    y: T,
}

#[derive(serde::Serialize, Clone)]
struct New<T>(T);

#[derive(serde::Serialize, Clone)]
enum Choice<T> {
    Newtype(T),
    Tuple(T, T),
    Struct { it: T },
}

/// How often the values in `value` are serialized when it is written.
fn count<T>(write: impl Fn(&T), value: &T) -> usize {
    CALLS.set(0);
    write(value);
    CALLS.get()
}

/// Gives every place a value of the format whose functions are in scope can have to `$check`, which takes a
/// value and how many [`Counted`] are in it.
macro_rules! places {
    ($check:ident, $example:expr) => {
        let it = Counted($example);
        let it = || it.clone();
        $check(&it(), 1);
        $check(&Two { first: it(), second: it() }, 2);
        $check(&Two { first: Two { first: it(), second: 1u8 }, second: vec![it()] }, 2);
        $check(&New(it()), 1);
        $check(&Counted(New(it())), 2);
        $check(&Some(it()), 1);
        $check(&vec![Some(it()), None, Some(it())], 2);
        $check(&(it(),), 1);
        $check(&(it(), 1u8), 1);
        $check(&(1u8, it(), String::from("text"), it()), 2);
        $check(&((1u8, it()), (it(), 2u16)), 2);
        $check(&[it(), it(), it()], 3);
        $check(&Counted([it(), it()]), 3);
        $check(&std::array::from_fn::<_, 20, _>(|_| it()), 20);
        for count in [1, 2, 3, 17, 70, 700] {
            $check(&vec![it(); count], count);
            $check(&vec![Two { first: it(), second: it() }; count], 2 * count);
            $check(&vec![vec![it(), it()]; count], 2 * count);
            $check(&vec![(it(), 1u8); count], count);
            $check(&vec![Counted(vec![Some(it())]); count], 2 * count);
            $check(&vec![New(it()); count], count);
        }
        $check(&vec![Choice::Newtype(it()); 3], 3);
        $check(&vec![Choice::Tuple(it(), it()); 3], 6);
        $check(&vec![Choice::Struct { it: it() }; 3], 3);
        $check(&BTreeMap::from([(it(), it())]), 2);
        $check(&vec![BTreeMap::from([(String::from("key"), it())]); 3], 3);
    };
}

/// The tests of one format.
macro_rules! of_format {
    ($module:ident, $where:meta) => {
        #[cfg($where)]
        mod $module {
            use fourfold::$module::{self as format, to_vec, to_writer};

            use super::*;

            /// How often the values in `value` are serialized, by each way to write it.
            fn ways<T: Serialize>(value: &T) -> Vec<usize> {
                vec![
                    count(|value| drop(to_vec(value).unwrap()), value),
                    count(|value| to_writer(std::io::sink(), value).unwrap(), value),
                    count(
                        |value| value.serialize(&mut format::Serializer::new(Vec::new())).unwrap(),
                        value,
                    ),
                ]
            }

            fn check<T: Serialize>(value: &T, expected: usize) {
                assert_eq!(ways(value), [expected; 3], "{}", std::any::type_name::<T>());
            }

            #[test]
            fn each_value_is_serialized_once() {
                places!(check, 7u8);
                places!(check, 7u16);
                places!(check, 7u64);
                places!(check, 7u128);
                places!(check, 'x');
                places!(check, "a text that takes some more bytes than one would think".repeat(9));
                places!(check, (1u8, 2u16));
                places!(check, (1u8, String::from("text")));
                places!(check, [7u8; 32]);
                places!(check, vec![1u32, 2]);
                places!(check, vec![String::from("text")]);
                places!(check, Two { first: 1u8, second: String::from("text") });
                places!(check, Point { x: 1u16, y: 2 });
            }

            #[test]
            fn iterators_that_end_are_written_whole() {
                fn compare(a: &impl Serialize, b: &impl Serialize) {
                    assert_eq!(to_vec(a).unwrap(), to_vec(b).unwrap());
                }

                for count in [0, 1, 2, 7, 40, 700, 9000] {
                    let numbers = || (0..count).map(|i| u32::try_from(i).unwrap());
                    let texts = || (0..count).map(|i| format!("text {i}").repeat(i % 9));
                    let pairs = || numbers().zip(texts()).map(|(a, b)| (b, a));
                    let lists = || (0..count).map(|i| vec![i.to_string(); i % 7]);

                    macro_rules! everywhere {
                        ($items:ident, $kind:ident) => {
                            let once = || $kind(RefCell::new(Some($items())));
                            let all = || $items().collect::<Vec<_>>();
                            compare(&once(), &all());
                            compare(
                                &Two { first: once(), second: once() },
                                &Two { first: all(), second: all() },
                            );
                            compare(&(1u8, once(), once()), &(1u8, all(), all()));
                            compare(&[once(), once()], &[all(), all()]);
                            compare(&vec![once(), once(), once()], &vec![all(), all(), all()]);
                            compare(&Some(Some(New(once()))), &Some(Some(New(all()))));
                            compare(&Choice::Struct { it: once() }, &Choice::Struct { it: all() });
                            compare(&Once::new([once(), once()]), &vec![all(), all()]);
                        };
                    }

                    everywhere!(numbers, Once);
                    everywhere!(texts, Once);
                    everywhere!(pairs, Once);
                    everywhere!(lists, Once);
                    everywhere!(numbers, Unsized);
                    everywhere!(texts, Unsized);
                    everywhere!(pairs, Unsized);
                    everywhere!(lists, Unsized);
                }
            }

            /// A value that holds a document of its own.
            struct Inner(usize);

            impl Serialize for Inner {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    CALLS.set(CALLS.get() + 1);
                    match self.0.checked_sub(1) {
                        None => serializer.serialize_bytes(b"innermost"),
                        Some(depth) => {
                            let inner = to_vec(&vec![(Inner(depth), 1u8)]).unwrap();
                            serializer.serialize_bytes(&inner)
                        }
                    }
                }
            }

            #[test]
            fn documents_in_documents_are_written_once() {
                for depth in 0..=8 {
                    assert_eq!(ways(&Inner(depth)), [depth + 1; 3], "{depth}");
                }
            }
        }
    };
}

// Fast attempts are the exception.
of_format!(biniou, all(feature = "biniou", not(feature = "fast-write")));
of_format!(molecule, all(feature = "molecule", not(feature = "fast-write")));
of_format!(primitiv, feature = "primitiv");
of_format!(tsm, all(feature = "tsm", not(feature = "fast-write")));
