//! Types that ignore errors and ask on, as long as they are not told that this is the end.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// So often one of them asks. No test has an input of so many bytes.
const MOST: usize = 10_000;

thread_local! {
    static ANSWERS: Cell<Answers> = const { Cell::new(Answers { parts: 0, errors: 0 }) };
}

/// What all of them have got.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Answers {
    pub(crate) parts: usize,
    pub(crate) errors: usize,
}

/// What they have got while `read` ran, beside its outcome.
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

/// A map whose values nobody asks for.
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
