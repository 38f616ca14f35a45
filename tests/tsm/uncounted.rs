//! Sequences and maps of unknown length, and tuples whose types determine their own end.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::io::{self, Write};

use fourfold::tsm::{self, CommonKind, ErrorKind, from_slice, to_vec};
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, SerializeSeq, SerializeTuple, Serializer};
use serde::{Deserialize, Serialize};

use crate::support::alloc::measure_value;
use crate::support::fact;

/// Items that an iterator leaves, so that their number is unknown.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(transparent)]
struct Left<T>(Vec<T>);

impl<T: Serialize> Serialize for Left<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().filter(|_| true))
    }
}

/// Entries that are counted by hand.
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

/// By every way to write, and back.
#[track_caller]
fn assert_read_back<T>(value: &T, same_bytes: &impl Serialize)
where
    T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug,
{
    let bytes = to_vec(value).unwrap();
    assert_eq!(bytes, to_vec(same_bytes).unwrap());
    let mut streamed = Vec::new();
    tsm::to_writer(&mut streamed, value).unwrap();
    assert_eq!(streamed, bytes);
    let mut serializer = tsm::Serializer::new(Vec::new());
    7_u8.serialize(&mut serializer).unwrap();
    value.serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner()[1..], bytes);
    assert_eq!(from_slice::<T>(&bytes).unwrap(), *value);
}

#[test]
fn sequences_of_unknown_length_are_those_of_known_length() {
    for count in [0_u32, 1, 15, 16, 40, 70_000] {
        let numbers: Vec<u32> = (0..count).collect();
        assert_read_back(&Left(numbers.clone()), &numbers);
    }
    let texts: Vec<String> = (0..300).map(|number| "x".repeat(number)).collect();
    assert_read_back(&Left(texts.clone()), &texts);
    let nested = vec![Left(vec![Left(vec![1_u8, 2]), Left(vec![])]), Left(vec![])];
    assert_read_back(
        &(Left(nested.clone()), 5_u64),
        &(vec![vec![vec![1_u8, 2], vec![]], vec![]], 5_u64),
    );
    assert_read_back(
        &(1_u8, Some(Left(vec![true])), nested),
        &(1_u8, Some(vec![true]), vec![vec![vec![1_u8, 2], vec![]], vec![]]),
    );
}

/// They look like what serde's `flatten` makes, which could not be read back.
#[test]
fn maps_of_unknown_length_are_refused() {
    for entries in [BTreeMap::new(), BTreeMap::from([(1_u8, true), (2, false)])] {
        let error = to_vec(&vec![Entries(entries.clone())]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnknownLength), "{error}");
        assert_eq!(error.path().to_string(), "[0]");
        let error = tsm::to_writer(io::sink(), &Entries(entries)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnknownLength), "{error}");
    }
}

/// What a stream gets, piece by piece.
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

#[test]
fn a_stream_buffers_the_uncounted_sequence_and_nothing_else() {
    let mut pieces = Pieces::default();
    let mut serializer = tsm::Serializer::new(&mut pieces);
    (1_u8, Left(vec![2_u8, 3]), vec![4_u8]).serialize(&mut serializer).unwrap();
    assert_eq!(pieces.0, [&[1][..], &[2, 0, 0, 0, 2, 3], &[1, 0, 0, 0], &[4]].map(<[u8]>::to_vec));

    let large = (vec![1_u64; 1 << 17], Left(vec![2_u8; 1000]), vec![3_u64; 1 << 17]);
    let ((), stats) = measure_value(|| tsm::to_writer(io::sink(), &large).unwrap());
    assert!(stats.peak < 1 << 15, "{stats:?}");
}

#[test]
fn after_an_error_the_next_value_is_written_anew() {
    struct Half;

    impl Serialize for Half {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut seq = to.serialize_seq(None)?;
            seq.serialize_element(&1_u8)?;
            Err(S::Error::custom("that is all"))
        }
    }

    let mut serializer = tsm::Serializer::new(Vec::new());
    assert_eq!(
        (9_u8, Half).serialize(&mut serializer).unwrap_err().to_string(),
        "that is all in [1]"
    );
    Left(vec![5_u8]).serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner(), [9, 1, 0, 0, 0, 5]);
}

#[test]
fn a_stream_whose_type_continues_after_a_sequence_of_unknown_length() {
    /// Fails after so many items of a sequence of unknown length.
    struct Half(u8);

    impl Serialize for Half {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut seq = to.serialize_seq(None)?;
            for item in 0..self.0 {
                seq.serialize_element(&item)?;
            }
            Err(S::Error::custom("that is all"))
        }
    }

    /// Ignores that, and continues.
    struct GoesOn(u8);

    impl Serialize for GoesOn {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut tuple = to.serialize_tuple(3)?;
            // The buffer begins after the place where the tuple continues.
            let _ = tuple.serialize_element(&(1_u8, Half(self.0)));
            tuple.serialize_element(&Left(vec![5_u8]))?;
            tuple.serialize_element("six")?;
            tuple.end()
        }
    }

    for items in [0, 1, 200] {
        let refusal = "the type ignored an error of a nested value; return that error from its `Serialize` or `Deserialize` implementation";
        assert_eq!(to_vec(&GoesOn(items)).unwrap_err().to_string(), refusal);
        let error = tsm::to_writer(Vec::new(), &GoesOn(items)).unwrap_err();
        assert_eq!(error.to_string(), refusal);
        let mut serializer = tsm::Serializer::new(Vec::new());
        assert!(GoesOn(items).serialize(&mut serializer).is_err());
        Left(vec![5_u8]).serialize(&mut serializer).unwrap();
        assert!(serializer.into_inner().ends_with(&[1, 0, 0, 0, 5]));
    }
}

#[test]
fn limits_and_errors_are_those_of_known_length() {
    let error = to_vec(&Left(vec![(); 4097])).unwrap_err();
    assert_eq!(fact(&error.to_string()), "more than 4096 items of zero bytes in [4096]");
    assert_eq!(to_vec(&Left(vec![(); 4096])).unwrap(), [0, 16, 0, 0]);
    let error = tsm::Options::new().max_depth(1).to_vec(&Left(vec![Left(vec![1_u8])])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nested deeper than 1 level in [0]; use `Options::max_depth` to allow more"
    );

    struct Half;

    impl Serialize for Half {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut seq = to.serialize_seq(None)?;
            seq.serialize_element(&1_u8)?;
            Err(S::Error::custom("that is all"))
        }
    }

    struct Swallows;

    impl Serialize for Swallows {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut seq = to.serialize_seq(None)?;
            let _ = seq.serialize_element(&Half);
            seq.end()
        }
    }

    let error = to_vec(&Swallows).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
}

/// A number of items in 7 bits each, and the items, as `solana_short_vec` has them.
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

impl<'de> Deserialize<'de> for ShortLen {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl<'de> Visitor<'de> for Bytes {
            type Value = ShortLen;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a short length")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<ShortLen, A::Error> {
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

        from.deserialize_tuple(3, Bytes)
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

#[test]
fn tuples_whose_types_determine_their_end() {
    assert_eq!(to_vec(&Short(vec![7_u16, 8])).unwrap(), [2, 7, 0, 8, 0]);
    for count in [0_u16, 1, 127, 128, 300, 16_384] {
        let short = Short((0..count).collect());
        let mut alone = Vec::new();
        short.serialize(&mut tsm::Serializer::new(&mut alone)).unwrap();
        assert_eq!(alone, to_vec(&short).unwrap());
        assert_read_back(&(1_u8, short.clone(), 2_u64), &(1_u8, short, 2_u64));
    }
    let texts = Short(vec!["a".to_owned(), String::new()]);
    assert_read_back(&vec![texts.clone(); 20], &vec![texts; 20]);
    let deep = vec![Short(vec![Short(vec![(1_u8, 2_u64)])]), Short(vec![])];
    assert_read_back(&deep.clone(), &deep);

    // A length alone does not show that it determines its end.
    let error = from_slice::<(ShortLen, u8)>(&[1, 2]).unwrap_err();
    assert_eq!(error.to_string(), "3 items, the type takes 1 in [0] at byte 0");
}

/// Items without bytes could be requested for ever.
#[test]
fn items_without_bytes_of_a_tuple_without_end() {
    #[derive(Debug)]
    struct Endless;

    impl<'de> Deserialize<'de> for Endless {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            struct Units;

            impl<'de> Visitor<'de> for Units {
                type Value = Endless;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("units")
                }

                fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Endless, A::Error> {
                    while items.next_element::<()>()?.is_some() {}
                    Ok(Endless)
                }
            }

            from.deserialize_tuple(usize::MAX, Units)
        }
    }

    let error = from_slice::<Endless>(&[]).unwrap_err();
    assert_eq!(error.to_string(), "more than 4096 items of zero bytes in [4096] at byte 0");
}
