//! Types that ignore errors and continue to request values until the end is reported.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::format::Format;

/// Maximum number of requests of a value, larger than the input of any test.
const MOST: usize = 10_000;

thread_local! {
    static ANSWERS: Cell<Answers> = const { Cell::new(Answers { parts: 0, errors: 0 }) };
}

/// The numbers of results that the types got.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Answers {
    pub(crate) parts: usize,
    pub(crate) errors: usize,
}

/// Runs `read`; returns its result and the answers of that time.
pub(crate) fn answers<R>(read: impl FnOnce() -> R) -> (R, Answers) {
    ANSWERS.set(Answers::default());
    let outcome = read();
    (outcome, ANSWERS.get())
}

fn note<T, E>(answer: &Result<T, E>) {
    let Answers { parts, errors } = ANSWERS.get();
    let failed = usize::from(answer.is_err());
    ANSWERS.set(Answers { parts: parts + 1 - failed, errors: errors + failed });
}

struct Stubborn<V>(PhantomData<V>);

impl<'de, K: DeserializeOwned, T: DeserializeOwned> Visitor<'de> for Stubborn<(K, T)> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for _ in 0..MOST {
            match items.next_element::<T>().transpose() {
                None => return Ok(()),
                Some(item) => note(&item),
            }
        }
        panic!("{:?}, and no end", ANSWERS.get());
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        for _ in 0..MOST {
            match entries.next_key::<K>().transpose() {
                None => return Ok(()),
                Some(Ok(_)) => note(&entries.next_value::<T>()),
                Some(error) => note(&error),
            }
        }
        panic!("{:?}, and no end", ANSWERS.get());
    }
}

macro_rules! stubborn {
    ($($(#[$doc:meta])* $name:ident<$($type:ident),*> as $of:ty: $method:ident($($arg:expr),*);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, PartialEq)]
        pub(crate) struct $name<$($type),*>(PhantomData<($($type,)*)>);

        impl<'de, $($type: DeserializeOwned),*> Deserialize<'de> for $name<$($type),*> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.$method($($arg,)* Stubborn::<$of>(PhantomData))?;
                Ok($name(PhantomData))
            }
        }
    )*};
}

stubborn! {
    /// A sequence.
    Seq<T> as (String, T): deserialize_seq();
    /// A tuple of five.
    Five<T> as (String, T): deserialize_tuple(5);
    /// A map.
    Map<K, T> as (K, T): deserialize_map();
    /// A struct of three fields.
    Three<T> as (String, T): deserialize_struct("Three", &["a", "b", "c"]);
}

/// A map whose values are not read.
#[derive(Debug, PartialEq)]
pub(crate) struct Keys<K>(PhantomData<K>);

impl<'de, K: DeserializeOwned> Deserialize<'de> for Keys<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Greedy<K>(PhantomData<K>);

        impl<'de, K: DeserializeOwned> Visitor<'de> for Greedy<K> {
            type Value = ();

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
                for _ in 0..MOST {
                    match entries.next_key::<K>().transpose() {
                        None => return Ok(()),
                        Some(key) => note(&key),
                    }
                }
                panic!("{:?}, and no end", ANSWERS.get());
            }
        }

        deserializer.deserialize_map(Greedy::<K>(PhantomData))?;
        Ok(Keys(PhantomData))
    }
}

/// A struct that is written.
#[derive(Clone, Serialize)]
pub(crate) struct Fields {
    pub(crate) a: bool,
    pub(crate) b: String,
    pub(crate) c: Vec<u8>,
}

/// Asserts that reading makes at most a request for each byte, one for the end, and `slack` more.
/// Returns whether `from_slice` and a `Deserializer` accepted the bytes.
#[track_caller]
pub(crate) fn ends<F: Format, T: DeserializeOwned>(bytes: &[u8], slack: usize) -> [bool; 2] {
    let (quick, first) = answers(|| F::from_slice::<T>(bytes).is_ok());
    let (exact, second) = answers(|| F::deserialize::<T>(bytes).is_ok());
    for answers in [first, second] {
        // `from_slice` may read a message several times.
        assert!(
            answers.parts + answers.errors <= 4 * bytes.len() + slack,
            "{answers:?}: {bytes:02x?}"
        );
    }
    [quick, exact]
}

/// Reads messages, cut at each byte and with each byte changed, as each stubborn type.
pub(crate) fn stubborn_types_come_to_an_end<F: Format>(slack: usize) {
    let map: BTreeMap<String, bool> =
        [("a", true), ("bc", false), ("d", true)].map(|(k, v)| (k.into(), v)).into();
    let numbers: BTreeMap<u8, bool> = [(1, true), (2, false), (3, true)].into();
    for bytes in [
        F::to_vec(&map).unwrap(),
        F::to_vec(&numbers).unwrap(),
        F::to_vec(&vec![true, false, true]).unwrap(),
        F::to_vec(&vec!["a", "bc", "d"]).unwrap(),
        F::to_vec(&("a", true, 7_u32, "b", [1_u8; 3])).unwrap(),
        F::to_vec(&Fields { a: true, b: "text".into(), c: vec![1, 2, 3] }).unwrap(),
        F::to_vec(&vec![Fields { a: true, b: "text".into(), c: vec![] }; 2]).unwrap(),
    ] {
        for at in 0..bytes.len() {
            for change in [0, 1, 2, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                all_end::<F>(&changed, slack);
            }
            all_end::<F>(&bytes[..at], slack);
        }
    }
}

fn all_end<F: Format>(bytes: &[u8], slack: usize) {
    ends::<F, Seq<bool>>(bytes, slack);
    ends::<F, Seq<String>>(bytes, slack);
    ends::<F, Seq<Three<String>>>(bytes, slack);
    ends::<F, Five<bool>>(bytes, slack);
    ends::<F, Five<String>>(bytes, slack);
    ends::<F, Map<String, bool>>(bytes, slack);
    ends::<F, Map<u8, bool>>(bytes, slack);
    ends::<F, Map<bool, String>>(bytes, slack);
    ends::<F, Keys<String>>(bytes, slack);
    ends::<F, Keys<u8>>(bytes, slack);
    ends::<F, Three<bool>>(bytes, slack);
    ends::<F, Three<Seq<u8>>>(bytes, slack);
}

/// Ignores the error of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lenient<T>(pub(crate) Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Lenient(T::deserialize(deserializer).ok()))
    }
}

/// A value, or a value made of the error's text: its length, which allocates nothing, or the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome<T, S> {
    Good(T),
    Bad(S),
}

impl<'de, T: Deserialize<'de>, S: From<String>> Deserialize<'de> for Outcome<T, S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match T::deserialize(deserializer) {
            Ok(value) => Outcome::Good(value),
            Err(error) => Outcome::Bad(error.to_string().into()),
        })
    }
}

/// The length of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Length(pub(crate) usize);

impl From<String> for Length {
    fn from(text: String) -> Self {
        Length(text.len())
    }
}

/// Reads one byte of a pair, and returns an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Half;

impl<'de> Deserialize<'de> for Half {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Taking;

        impl<'de> Visitor<'de> for Taking {
            type Value = Half;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("half of a pair")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Half, A::Error> {
                pair.next_element::<u8>()?;
                Err(serde::de::Error::custom("no pair"))
            }
        }
        deserializer.deserialize_tuple(2, Taking)
    }
}

/// Requests nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Idle;

impl<'de> Deserialize<'de> for Idle {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Ok(Idle)
    }
}
