//! Sequences and maps of unknown length, and tuples whose types determine their own end, in the formats that write to
//! streams as they go.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::io::{self, Write};

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, SerializeSeq, SerializeTuple, Serializer};
use serde::{Deserialize, Serialize};

use crate::support::alloc::measure_value;
use crate::support::fact;
use crate::support::format::{Chained, Format, Options as _, Tsm, for_formats};
use crate::support::visits::visits;

for_formats! {
    [primitiv Primitiv, tsm Tsm] {
        sequences_of_unknown_length_have_the_bytes_of_those_of_known_length
        maps_of_unknown_length_are_refused
        a_stream_buffers_the_uncounted_sequence_and_nothing_else
        after_an_error_the_next_value_is_written_anew
        a_stream_whose_type_continues_after_a_sequence_of_unknown_length
        limits_and_errors_are_those_of_known_length
        tuples_whose_types_determine_their_end
    }
}

const IGNORED: &str = "the type ignored an error of a nested value";

/// Writes its items from an iterator of unknown length.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(transparent)]
struct Left<T>(Vec<T>);

impl<T: Serialize> Serialize for Left<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().filter(|_| true))
    }
}

/// Writes its entries without announcing their number.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(transparent)]
struct Entries<K: Ord, V>(BTreeMap<K, V>);

impl<K: Serialize + Ord, V: Serialize> Serialize for Entries<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
/// Asserts that a value survives with each function that writes.
#[track_caller]
fn assert_read_back<F: Chained, T>(value: &T, same_bytes: &impl Serialize)
where
    T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug,
{
    let bytes = F::to_vec(value).unwrap();
    assert_eq!(bytes, F::to_vec(same_bytes).unwrap());
    let mut streamed = Vec::new();
    F::to_writer(&mut streamed, value).unwrap();
    assert_eq!(streamed, bytes);
    let mut two = Vec::new();
    let _ = F::serialize_two(&mut two, &7_u8, value).map(Result::unwrap);
    assert_eq!(two, [F::to_vec(&7_u8).unwrap(), bytes.clone()].concat());
    assert_eq!(F::from_slice::<T>(&bytes).unwrap(), *value);
}

fn sequences_of_unknown_length_have_the_bytes_of_those_of_known_length<F: Chained>() {
    for count in [0_u32, 1, 15, 16, 40, 65_535, 65_536, 70_000] {
        let numbers: Vec<u32> = (0..count).collect();
        assert_read_back::<F, _>(&Left(numbers.clone()), &numbers);
    }
    let texts: Vec<String> = (0..300).map(|number| "x".repeat(number)).collect();
    assert_read_back::<F, _>(&Left(texts.clone()), &texts);
    let nested = vec![Left(vec![Left(vec![1_u8, 2]), Left(vec![])]), Left(vec![])];
    assert_read_back::<F, _>(
        &(Left(nested.clone()), 5_u64),
        &(vec![vec![vec![1_u8, 2], vec![]], vec![]], 5_u64),
    );
    assert_read_back::<F, _>(
        &(1_u8, Some(Left(vec![true])), nested),
        &(1_u8, Some(vec![true]), vec![vec![vec![1_u8, 2], vec![]], vec![]]),
    );
}

/// They look like types with `flatten`, which cannot be read back.
fn maps_of_unknown_length_are_refused<F: Format>() {
    let text = "a map of unknown length, as serde's flatten makes it, could not be read back";
    for entries in [BTreeMap::new(), BTreeMap::from([(1_u8, true), (2, false)])] {
        let error = F::to_vec(&vec![Entries(entries.clone())]).unwrap_err();
        assert_eq!(
            (error.kind().to_string().as_str(), error.path().to_string().as_str()),
            (text, "[0]")
        );
        let error = F::to_writer(io::sink(), &Entries(entries)).unwrap_err();
        assert_eq!(error.kind().to_string(), text);
    }
}

/// Collects the pieces that are written to a stream.
#[derive(Default)]
struct Pieces(Vec<Vec<u8>>);

impl Write for &mut Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
fn a_stream_buffers_the_uncounted_sequence_and_nothing_else<F: Format>() {
    let mut pieces = Pieces::default();
    F::serialize_to(&mut pieces, &(1_u8, Left(vec![2_u8, 3]), vec![4_u8])).unwrap();
    let bytes = |value: u8| F::to_vec(&value).unwrap();
    let mut header = F::to_vec(&vec![4_u8]).unwrap();
    header.truncate(header.len() - bytes(4).len());
    assert_eq!(pieces.0, [bytes(1), F::to_vec(&vec![2_u8, 3]).unwrap(), header, bytes(4)]);

    let large = (vec![1_u64; 1 << 17], Left(vec![2_u8; 1000]), vec![3_u64; 1 << 17]);
    let ((), stats) = measure_value(|| F::to_writer(io::sink(), &large).unwrap());
    assert!(stats.peak < 1 << 15, "{stats:?}");
}

/// Fails after some items of a sequence of unknown length.
struct Half(u8);

impl Serialize for Half {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(None)?;
        (0..self.0).try_for_each(|item| seq.serialize_element(&item))?;
        Err(S::Error::custom("that is all"))
    }
}

fn after_an_error_the_next_value_is_written_anew<F: Chained>() {
    let mut bytes = Vec::new();
    let [first, second] = F::serialize_two(&mut bytes, &(9_u8, Half(1)), &Left(vec![5_u8]));
    assert_eq!(first.unwrap_err().to_string(), "that is all in [1]");
    second.unwrap();
    assert_eq!(bytes, F::to_vec(&(9_u8, vec![5_u8])).unwrap());
}

fn a_stream_whose_type_continues_after_a_sequence_of_unknown_length<F: Chained>() {
    /// Ignores the error, and continues.
    struct GoesOn(u8);

    impl Serialize for GoesOn {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut tuple = to.serialize_tuple(3)?;
            // The buffer begins after the offset at which the tuple continues.
            let _ = tuple.serialize_element(&(1_u8, Half(self.0)));
            tuple.serialize_element(&Left(vec![5_u8]))?;
            tuple.serialize_element("six")?;
            tuple.end()
        }
    }

    for items in [0, 1, 200] {
        let error = F::to_vec(&GoesOn(items)).unwrap_err();
        assert_eq!(error.kind().to_string(), IGNORED);
        let streamed = F::to_writer(Vec::new(), &GoesOn(items)).unwrap_err();
        assert_eq!(streamed.to_string(), error.to_string());
        let mut bytes = Vec::new();
        let [first, second] = F::serialize_two(&mut bytes, &GoesOn(items), &Left(vec![5_u8]));
        assert!(first.is_err() && second.is_ok());
        assert!(bytes.ends_with(&F::to_vec(&vec![5_u8]).unwrap()));
    }
}

fn limits_and_errors_are_those_of_known_length<F: Format>() {
    let error = F::options().max_depth(1).to_vec(&Left(vec![Left(vec![1_u8])])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nested deeper than 1 level in [0]; use `Options::max_depth` to allow more"
    );

    struct Ignores;

    impl Serialize for Ignores {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut seq = to.serialize_seq(None)?;
            let _ = seq.serialize_element(&Half(1));
            seq.end()
        }
    }

    assert_eq!(F::to_vec(&Ignores).unwrap_err().kind().to_string(), IGNORED);
}

/// Items of tsm may have no bytes, and only so many of them are accepted.
#[test]
fn items_without_bytes_of_unknown_number() {
    let error = Tsm::to_vec(&Left(vec![(); 4097])).unwrap_err();
    assert_eq!(fact(&error.to_string()), "more than 4096 items of zero bytes in [4096]");
    assert_eq!(Tsm::to_vec(&Left(vec![(); 4096])).unwrap(), [0, 16, 0, 0]);
}

/// The number of items as a varint, then the items, like `solana_short_vec`.
#[derive(Clone, Debug, PartialEq)]
struct Short<T>(Vec<T>);

#[derive(Clone, Debug, PartialEq)]
struct ShortLen(u16);

impl Serialize for ShortLen {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut bytes = to.serialize_tuple(1)?;
        let mut rest = self.0;
        while rest > 0x7f {
            bytes.serialize_element(&u8::try_from(rest & 0x7f | 0x80).unwrap())?;
            rest >>= 7;
        }
        bytes.serialize_element(&u8::try_from(rest).unwrap())?;
        bytes.end()
    }
}

visits! { ShortLen, "a short length", deserialize_tuple(3):
    visit_seq |bytes| {
        let (mut len, mut shift) = (0, 0);
        while let Some(byte) = bytes.next_element::<u8>()? {
            len |= u16::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        Ok(ShortLen(len))
    }
}

impl<T: Serialize> Serialize for Short<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut items = to.serialize_tuple(1)?;
        items.serialize_element(&ShortLen(u16::try_from(self.0.len()).unwrap()))?;
        self.0.iter().try_for_each(|item| items.serialize_element(item))?;
        items.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Short<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Items<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = Short<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a short vector")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Short<T>, A::Error> {
                let Some(ShortLen(len)) = items.next_element()? else {
                    return Err(serde::de::Error::custom("no length"));
                };
                (0..len)
                    .map(|_| {
                        items.next_element()?.ok_or_else(|| serde::de::Error::custom("no item"))
                    })
                    .collect::<Result<_, _>>()
                    .map(Short)
            }
        }

        from.deserialize_tuple(usize::MAX, Items(std::marker::PhantomData))
    }
}
fn tuples_whose_types_determine_their_end<F: Chained>() {
    assert_eq!(
        F::to_vec(&Short(vec![7_u16, 8])).unwrap(),
        F::to_vec(&(2_u8, 7_u16, 8_u16)).unwrap()
    );
    for count in [0_u16, 1, 127, 128, 300, 16_384] {
        let short = Short((0..count).collect());
        assert_eq!(F::serialize(&short).unwrap(), F::to_vec(&short).unwrap());
        assert_read_back::<F, _>(&(1_u8, short.clone(), 2_u64), &(1_u8, short, 2_u64));
    }
    let texts = Short(vec!["a".to_owned(), String::new()]);
    assert_read_back::<F, _>(&vec![texts.clone(); 20], &vec![texts; 20]);
    let deep = vec![Short(vec![Short(vec![(1_u8, 2_u64)])]), Short(vec![])];
    assert_read_back::<F, _>(&deep.clone(), &deep);

    // A length alone does not show that the number of elements depends on it.
    let bytes = F::to_vec(&(1_u8, 2_u8)).unwrap();
    let error = F::from_slice::<(ShortLen, u8)>(&bytes).unwrap_err();
    assert_eq!(fact(&error.to_string()), "3 items, the type takes 1 in [0] at byte 0");
}

/// Items without bytes could be requested without end.
#[test]
fn items_without_bytes_of_a_tuple_without_end() {
    #[derive(Debug)]
    struct Endless;

    visits! { Endless, "units", deserialize_tuple(usize::MAX):
        visit_seq |items| {
            while items.next_element::<()>()?.is_some() {}
            Ok(Endless)
        }
    }

    let error = Tsm::from_slice::<Endless>(&[]).unwrap_err();
    assert_eq!(error.to_string(), "more than 4096 items of zero bytes in [4096] at byte 0");
}
