//! `Raw`, `Lazy` and `List`: the same code works in each format that has them. Other formats refuse them.

use std::fmt::Debug;

use quickcheck::quickcheck;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::random::{Dice, value};
use crate::support::zoo::{self, *};

/// Values of each type.
const COUNT: usize = if cfg!(debug_assertions) { 80 } else { 800 };

/// The same code for each format, except for the module path.
macro_rules! lazy {
    ($($format:ident: $($other:ident)*;)*) => {$(
        mod $format {
            use fourfold::$format::{
                Lazy, List, OwnedRaw, Raw, Result, from_reader, from_slice, to_vec,
            };
            use fourfold::tsm;
            $(use fourfold::$other;)*

            use super::*;

            #[derive(Serialize)]
            struct Whole {
                id: u32,
                text: String,
                words: Vec<String>,
                numbers: Vec<u32>,
            }

            #[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
            struct Parts<'a> {
                id: u32,
                #[serde(borrow)]
                text: Lazy<'a, &'a str>,
                words: List<'a, String>,
                numbers: Raw<'a>,
            }

            #[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
            struct Owned {
                id: u32,
                text: OwnedRaw,
                words: OwnedRaw,
                numbers: OwnedRaw,
            }

            fn whole() -> Whole {
                let words = ["one", "two", "three"].map(String::from).to_vec();
                Whole { id: 7, text: "text".into(), words, numbers: vec![1, 2, 3] }
            }

            #[test]
            fn lazy_values_are_read_on_demand() -> Result<()> {
                let bytes = to_vec(&whole())?;
                let parts: Parts<'_> = from_slice(&bytes)?;
                assert_eq!((parts.id, parts.text.get()?), (7, "text"));
                assert_eq!(parts.words.iter().collect::<Result<Vec<_>>>()?, whole().words);
                assert_eq!((parts.words.len(), parts.words.is_empty()), (3, false));
                assert_eq!(parts.words.get(2).transpose()?.as_deref(), Some("three"));
                assert!(parts.words.get(3).is_none());
                let last = parts.words.get(1..).unwrap();
                assert_eq!(last.iter().collect::<Result<Vec<_>>>()?, ["two", "three"]);
                assert_eq!(parts.numbers.get::<Vec<u32>>()?, [1, 2, 3]);
                assert_eq!(parts.numbers.lazy::<List<'_, u32>>().get()?.len(), 3);
                assert_eq!(to_vec(&parts)?, bytes);
                // Each lazy value has its offset.
                let offset = parts.text.offset();
                assert!(bytes[offset..].starts_with(&parts.text.bytes()));
                assert_eq!(parts.text.raw().get::<String>()?, "text");
                Ok(())
            }

            #[test]
            fn lazy_values_may_own_their_bytes() -> Result<()> {
                let bytes = to_vec(&whole())?;
                let owned: Owned = from_reader(&*bytes)?;
                assert_eq!(owned.text.get::<&str>()?, "text");
                assert_eq!(owned.words.get::<List<'_, &str>>()?.get(0).transpose()?, Some("one"));
                assert_eq!(to_vec(&owned)?, bytes);
                let made = Owned {
                    id: 7,
                    text: Raw::of("text")?.into(),
                    words: Raw::of(&whole().words)?.into(),
                    numbers: Raw::of(&whole().numbers)?.into(),
                };
                assert_eq!(to_vec(&made)?, bytes);
                assert_eq!(made, owned);
                Ok(())
            }

            #[test]
            fn other_formats_refuse_them() -> Result<()> {
                fn reason<E: std::fmt::Display>(error: E, action: &str) {
                    let text = error.to_string();
                    let name = stringify!($format);
                    let start = format!("raw bytes of {name} are {action} by `fourfold::{name}` only");
                    assert!(text.starts_with(&start), "{text}");
                }
                let bytes = to_vec(&whole())?;
                let parts: Parts<'_> = from_slice(&bytes)?;
                for part in [&parts.numbers, &parts.text.raw(), &Raw::from(&parts.words)] {
                    reason(tsm::to_vec(part).unwrap_err(), "written");
                    reason(serde_json::to_string(part).unwrap_err(), "written");
                    $(reason($other::to_vec(part).unwrap_err(), "written");)*
                }
                reason(tsm::from_slice::<Lazy<'_, u8>>(&bytes).unwrap_err(), "read");
                reason(serde_json::from_str::<List<'_, u8>>("[1]").unwrap_err(), "read");
                $(
                    let other = $other::to_vec(&vec![1u8]).unwrap();
                    reason($other::from_slice::<List<'_, u8>>(&other).unwrap_err(), "read");
                    reason($other::from_slice::<Raw<'_>>(&other).unwrap_err(), "read");
                )*
                Ok(())
            }

            quickcheck! {
                /// Lazy values of any content survive, and are written unchanged.
                fn any_lazy_value_is_read_back(words: Vec<String>, numbers: Vec<u32>, option: Option<u64>) -> bool {
                    #[derive(Serialize, Deserialize)]
                    struct Whole { words: Vec<String>, numbers: Vec<u32>, option: Option<u64> }
                    #[derive(Serialize, Deserialize)]
                    struct Parts<'a> {
                        #[serde(borrow)]
                        words: List<'a, &'a str>,
                        numbers: Raw<'a>,
                        option: Lazy<'a, Option<u64>>,
                    }
                    let bytes = to_vec(&Whole { words: words.clone(), numbers: numbers.clone(), option }).unwrap();
                    let parts: Parts<'_> = from_slice(&bytes).unwrap();
                    let some: Result<Vec<_>, _> = parts.words.iter().collect();
                    some.unwrap() == words
                        && parts.numbers.get::<Vec<u32>>().unwrap() == numbers
                        && parts.option.get().unwrap() == option
                        && to_vec(&parts).unwrap() == bytes
                }
            }

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            struct Holder<T> {
                before: u8,
                value: T,
                after: String,
            }

            #[derive(Serialize, Deserialize)]
            struct LazyHolder<'a, T> {
                before: u8,
                #[serde(borrow)]
                value: Lazy<'a, T>,
                after: String,
            }

            struct Here;

            impl TestLazy for Here {
            fn test_type<T: Serialize + DeserializeOwned + PartialEq + Debug>(
                name: &str,
                make: impl Fn(&mut Dice) -> T,
                tally: &mut Tally,
            ) {
                let mut dice = Dice::of(name);
                for _ in 0..COUNT {
                    let value = make(&mut dice);
                    let Ok(raw) = Raw::of(&value) else { continue };
                    let holder = Holder { before: 1, value: raw, after: "after".into() };
                    let Ok(bytes) = to_vec(&holder) else {
                        tally.refused += 1;
                        continue;
                    };
                    let lazy: LazyHolder<'_, T> = match from_slice(&bytes) {
                        Ok(lazy) => lazy,
                        Err(error) => panic!("{name} {value:?}: {error}"),
                    };
                    assert_eq!((lazy.before, &*lazy.after), (1, "after"), "{name}");
                    assert_eq!(to_vec(&lazy).unwrap(), bytes, "{name} {value:?}");
                    match (from_slice::<T>(holder.value.bytes()), lazy.value.get()) {
                        (Ok(whole), Ok(lazy)) => {
                            assert_eq!(whole, lazy, "{name}");
                            tally.equal += 1;
                        }
                        // The value cannot be read back at all.
                        (Err(_), Err(_)) => tally.unread += 1,
                        (whole, lazy) => panic!("{name} {value:?}: {whole:?}, {lazy:?}"),
                    }
                    damage(name, &value, &bytes, lazy.value.offset(), tally);
                }
            }
            }

            /// Changes each byte. `get` returns the error in a lazy value, unless the search for its end returns it.
            fn damage<T: DeserializeOwned + PartialEq + Debug>(
                name: &str,
                value: &T,
                bytes: &[u8],
                start: usize,
                tally: &mut Tally,
            ) {
                let end = bytes.len() - to_vec("after").unwrap().len();
                for at in (start..end).step_by(1 + (end - start) / 8) {
                    let mut damaged = bytes.to_vec();
                    damaged[at] ^= 0x40;
                    match from_slice::<LazyHolder<'_, T>>(&damaged) {
                        Ok(lazy) if lazy.before == 1 && lazy.after == "after" => {
                            match lazy.value.get() {
                                Ok(other) => tally.others += usize::from(other != *value),
                                Err(error) => {
                                    tally.found += 1;
                                    assert!(error.offset() >= Some(start), "{name}: {error}");
                                }
                            }
                        }
                        result if stringify!($format) == "molecule" => {
                            panic!("{name} {value:?}: {:?}", result.err())
                        }
                        _ => tally.early += 1,
                    }
                }
            }

            #[test]
            fn types_of_the_zoo_are_read_on_demand() {
                let mut tally = Tally::default();
                test_each::<Here>(&mut tally);
                println!("{tally:?}");
                assert!(tally.equal > 1000 && tally.found > 1000, "{tally:?}");
            }
        }
    )*};
}

/// A format whose lazy values are tested with types of the zoo.
trait TestLazy {
    fn test_type<T: Serialize + DeserializeOwned + PartialEq + Debug>(
        name: &str,
        make: impl Fn(&mut Dice) -> T,
        tally: &mut Tally,
    );
}

/// Types of every kind that serde has; all of them in three formats would take a minute to compile.
fn test_each<F: TestLazy>(tally: &mut Tally) {
    macro_rules! test_type {
        ($($name:ident)*) => { $(F::test_type::<zoo::$name>(stringify!($name), value, tally);)* };
    }
    test_type! {
        U8 U64 I128 F64 Char Text Unit Buffer OptionText OptionOption VecU8 VecText VecOption VecVec VecMixed
        VecStruct VecEnum HashSetText MapText MapMixed ArrayBytes ArrayText TupleFixed TupleMixed TupleDynamicFirst
        Record Collections Empty Newtype NewtypeOption Pair List Tree Renamed Defaults Skips Pointers Network
        Shape Hollow Carrier Outcome Expression Adjacent ReadOnly TupleSkipsIf
    }
    F::test_type("Untagged", Untagged::sample, tally);
    F::test_type("FlattenMap", FlattenMap::sample, tally);
}

/// Counts of results for values and for changed bytes.
#[derive(Debug, Default)]
struct Tally {
    equal: usize,
    refused: usize,
    unread: usize,
    /// Changed bytes that are another value, or that `get` or reading the whole message refused.
    others: usize,
    found: usize,
    early: usize,
}

lazy! {
    biniou: molecule primitiv;
    molecule: biniou primitiv;
    primitiv: biniou molecule;
}
