//! Types with a `Drop` or a `Deserialize` written by hand.

use std::fmt;

use fourfold::molecule::with::{Array, FixVec, Struct, Table};
use fourfold::molecule::{Options, from_slice, to_vec, with};
use serde::de::IgnoredAny;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::support::erased::TestType;
use crate::support::visits::visits;

/// Overwrites its bytes when it is dropped, like `zeroize::Zeroizing`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Wiped<const N: usize>(#[serde(with = "serde_arrays")] [u8; N]);

mod serde_arrays {
    use super::*;

    pub(super) fn serialize<S: Serializer, const N: usize>(
        bytes: &[u8; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Array(*bytes).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u8; N], D::Error> {
        Array::deserialize(deserializer).map(|Array(bytes)| bytes)
    }
}

impl<const N: usize> Drop for Wiped<N> {
    fn drop(&mut self) {
        self.0 = [0; N];
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "struct.Pair")]
struct Pair {
    number: u64,
    small: u16,
}

impl Drop for Pair {
    fn drop(&mut self) {
        self.number = 0;
    }
}

#[track_caller]
fn same<T: TestType>(value: &T) {
    let bytes = to_vec(value).unwrap();
    assert_eq!(from_slice::<T>(&bytes).unwrap(), *value);
}

#[test]
fn fixed_types_may_have_a_drop() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Fields {
        key: Wiped<32>,
        pair: Pair,
        #[serde(with = "fourfold::molecule::with::structure")]
        marked: (Wiped<4>, u32),
        #[serde(with = "fourfold::molecule::with::fixvec")]
        list: Vec<Wiped<3>>,
        name: String,
    }

    let (key, pair) = (Wiped([7; 32]), Pair { number: 1, small: 2 });
    same(&key);
    same(&pair);
    same(&vec![key.clone(), Wiped([8; 32])]);
    same(&vec![pair.clone(), pair.clone()]);
    same(&FixVec(vec![key.clone(), key.clone()]));
    same(&FixVec(vec![pair.clone()]));
    same(&(key.clone(), 1_u8));
    same(&(pair.clone(), key.clone()));
    same(&Struct((pair.clone(), key.clone())));
    same(&Table((pair.clone(), key.clone())));
    same(&(key.clone(), "text".to_owned()));
    same(&[pair.clone(), pair.clone()]);
    same(&vec![(pair.clone(), Wiped([3; 5]))]);
    same(&Some(pair.clone()));
    let (marked, list) = ((Wiped([1; 4]), 2), vec![Wiped([3; 3]), Wiped([4; 3])]);
    same(&Fields { key, pair, marked, list, name: "name".to_owned() });
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "u32")]
struct Small(u32);

impl TryFrom<u32> for Small {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        match number < 10 {
            true => Ok(Small(number)),
            false => Err(format!("{number} is too big")),
        }
    }
}

#[track_caller]
fn fails<T: for<'de> Deserialize<'de> + fmt::Debug>(value: &impl Serialize, expected: &str) {
    let error = from_slice::<T>(&to_vec(value).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

/// The error of an item that its type refuses has path and offset.
#[test]
fn items_that_their_type_refuses_have_a_path() {
    #[derive(Serialize, Deserialize, Debug)]
    struct List<T> {
        list: Vec<T>,
        name: String,
    }
    #[derive(Serialize, Deserialize, Debug)]
    #[serde(rename = "struct.Range")]
    struct Range<T> {
        first: u8,
        last: T,
    }

    let list = List { list: vec![1, 2, 50_u32], name: "x".to_owned() };
    fails::<List<Small>>(&list, "50 is too big in list[2] at byte 24");
    fails::<Vec<Small>>(&vec![1, 2, 50_u32], "50 is too big in [2] at byte 12");
    fails::<[Small; 3]>(&[1, 50_u32, 2], "50 is too big in [1] at byte 4");
    fails::<(u8, Small)>(&(1_u8, 50_u32), "50 is too big in [1] at byte 1");
    fails::<Vec<[Small; 2]>>(&vec![[1, 2], [3, 50_u32]], "50 is too big in [1][1] at byte 16");
    let ranges = vec![Range { first: 1, last: 2 }, Range { first: 1, last: 50_u32 }];
    fails::<Vec<Range<Small>>>(&ranges, "50 is too big in [1].last at byte 10");
    let zero = "invalid value: integer `0`, expected a nonzero u32 in last at byte 1";
    fails::<Range<std::num::NonZeroU32>>(&Range { first: 1, last: 0_u32 }, zero);
}

/// Reads its fields only by name.
#[derive(Debug, PartialEq)]
struct ByName {
    number: u8,
    text: String,
}

impl Serialize for ByName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("ByName", 2)?;
        fields.serialize_field("number", &self.number)?;
        fields.serialize_field("text", &self.text)?;
        fields.end()
    }
}

visits! { ByName, "fields by name", deserialize_struct("ByName", &["number", "text"]):
    visit_map |map| {
        let mut value = ByName { number: 0, text: String::new() };
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "number" => value.number = map.next_value()?,
                "text" => value.text = map.next_value()?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(value)
    }
}

/// The hint of the error is applied.
#[cfg(feature = "any")]
#[test]
fn structs_that_take_fields_by_name_alone_need_any() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        #[serde(with = "with::any")]
        inner: ByName,
    }

    let value = ByName { number: 1, text: "x".to_owned() };
    for options in [Options::new(), Options::new().compatible(true)] {
        let error = options.from_slice::<ByName>(&to_vec(&value).unwrap()).unwrap_err();
        let text = "invalid type: sequence, expected fields by name at byte 0; ";
        assert!(error.to_string().starts_with(text), "{error}");
        assert!(error.hint().unwrap().contains("fourfold::molecule::with::any"), "{error}");
    }
    same(&Outer { inner: value });
}
