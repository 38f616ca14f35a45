//! Types with `flatten` at each position of a message: they survive, or the writer refuses them. With the mark `any` they
//! survive in all formats.

use std::collections::BTreeMap;
use std::fmt::Debug;

use fourfold::biniou::with::Any;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::format::{Format, for_formats};

for_formats! {{
    flatten_is_read_back_or_is_refused_when_written
    flatten_in_an_erased_value
}}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Point {
    x: u8,
    y: u8,
}

/// A struct with only a flattened value.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct OnlyFlattened<T> {
    #[serde(flatten)]
    inner: T,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct WithFields<T> {
    id: u8,
    #[serde(flatten)]
    inner: T,
    after: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Around<T> {
    number: u16,
    #[serde(flatten)]
    inner: T,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum External<T> {
    Newtype(T),
    Tuple(u8, T),
    Struct {
        a: u8,
        value: T,
    },
    Flat {
        a: u8,
        #[serde(flatten)]
        value: T,
    },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent<T> {
    Newtype(T),
    Flat {
        a: u8,
        #[serde(flatten)]
        value: T,
    },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "t")]
enum Internal<T> {
    Newtype(T),
    Flat {
        a: u8,
        #[serde(flatten)]
        value: T,
    },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Newtype<T>(T);

/// Biniou has names, so a record keeps its own, and types that request none are read back.
#[track_caller]
fn passes_or_is_refused<F: Format, T>(value: &T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
{
    match F::to_vec(value) {
        Ok(bytes) => {
            assert_eq!(F::NAME, "biniou", "{value:?}");
            if let Ok(read) = F::from_slice::<T>(&bytes) {
                assert_eq!(&read, value);
            }
        }
        Err(error) => {
            assert_eq!(F::to_writer(Vec::new(), value).unwrap_err().to_string(), error.to_string());
            assert_eq!(F::serialize(value).unwrap_err().to_string(), error.to_string());
        }
    }
    let marked = Any(value.clone());
    let bytes = F::to_vec(&marked).unwrap();
    assert_eq!(F::from_slice::<Any<T>>(&bytes).unwrap(), marked);
}

/// Checks a value with `flatten` at each position.
#[track_caller]
fn in_each_place<F: Format, T>(flat: &T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
{
    let one = || flat.clone();
    passes_or_is_refused::<F, _>(&one());
    passes_or_is_refused::<F, _>(&Some(one()));
    passes_or_is_refused::<F, _>(&vec![one(), one()]);
    passes_or_is_refused::<F, _>(&(1_u8, one()));
    passes_or_is_refused::<F, _>(&[one()]);
    passes_or_is_refused::<F, _>(&Newtype(one()));
    passes_or_is_refused::<F, _>(&BTreeMap::from([("key".to_owned(), one())]));
    passes_or_is_refused::<F, _>(&BTreeMap::from([(7_u8, Some(vec![one()]))]));
    passes_or_is_refused::<F, _>(&External::Newtype(one()));
    passes_or_is_refused::<F, _>(&External::Tuple(1, one()));
    passes_or_is_refused::<F, _>(&External::Struct { a: 1, value: one() });
    passes_or_is_refused::<F, _>(&External::Flat { a: 1, value: one() });
    passes_or_is_refused::<F, _>(&Adjacent::Newtype(one()));
    passes_or_is_refused::<F, _>(&Adjacent::Flat { a: 1, value: one() });
    passes_or_is_refused::<F, _>(&Internal::Newtype(one()));
    passes_or_is_refused::<F, _>(&Internal::Flat { a: 1, value: one() });
    passes_or_is_refused::<F, _>(&OnlyFlattened { inner: one() });
    passes_or_is_refused::<F, _>(&Around { number: 1, inner: one() });
}

fn flatten_is_read_back_or_is_refused_when_written<F: Format>() {
    let point = Point { x: 1, y: 2 };
    let map = BTreeMap::from([("k".to_owned(), 3_u8), ("l".to_owned(), 4)]);
    in_each_place::<F, _>(&OnlyFlattened { inner: point.clone() });
    in_each_place::<F, _>(&OnlyFlattened { inner: map.clone() });
    in_each_place::<F, _>(&OnlyFlattened { inner: BTreeMap::<String, u8>::new() });
    in_each_place::<F, _>(&OnlyFlattened { inner: Some(point.clone()) });
    in_each_place::<F, _>(&OnlyFlattened { inner: External::<u8>::Newtype(7) });
    in_each_place::<F, _>(&OnlyFlattened { inner: OnlyFlattened { inner: map.clone() } });
    in_each_place::<F, _>(&WithFields { id: 1, inner: point, after: Some("text".to_owned()) });
    in_each_place::<F, _>(&WithFields { id: 1, inner: map, after: None });
}

/// What flattens cannot be detected through a trait object either, and the map's length is as unknown there.
fn flatten_in_an_erased_value<F: Format>() {
    let flat = WithFields { id: 1, inner: BTreeMap::from([("k", 2_u8)]), after: None };
    let erased: &dyn erased_serde::Serialize = &flat;
    if F::NAME != "biniou" {
        assert!(F::to_vec(&Some(erased)).is_err());
    }
}
