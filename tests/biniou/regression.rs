//! Errors that were fixed, each with its smallest input.

#![allow(clippy::cast_possible_truncation, reason = "small numbers of tests")]

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::Arc;

use fourfold::biniou::with::{Char, Int8, Optional, Shared, Table};
use fourfold::biniou::{
    Deserializer, Dictionary, Error, ErrorKind, List, Options, Path, StreamDeserializer, Value, at,
    from_slice, take_from_slice, to_vec,
};
use fourfold::{Category, CommonKind};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer as _, Serialize, Serializer};

use crate::support::alloc::measure_value;
use crate::support::fact;
use crate::support::format::{Biniou, both_ways};
use crate::support::stubborn::{Lenient, Outcome};
use crate::support::visits::visits;

/// `count` references to one value whose bytes are `body`, as an ARRAY.
fn referred(body: &[u8], count: u8) -> Vec<u8> {
    let mut bytes = vec![19, count + 1, 26, 0];
    let definition = 3;
    bytes.extend_from_slice(body);
    for _ in 0..count {
        let distance = bytes.len() - definition;
        // Always two bytes.
        bytes.extend([(distance % 128) as u8 | 128, (distance / 128) as u8]);
    }
    bytes
}

/// Skipped and captured targets of references count towards the limit of expansion.
#[test]
fn expansion_counts_skipped_values() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Known {
        #[serde(default)]
        a: u8,
    }
    let units = |count: usize| {
        let mut bytes = vec![19, (count % 128) as u8 | 128, (count / 128) as u8, 24];
        bytes.resize(4 + count, 0);
        bytes
    };
    let field = [&[21, 1, 0x80, 0, 0, 1][..], &units(8000)].concat();
    let error = from_slice::<Vec<Known>>(&referred(&field, 100)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Expansion { .. }), "{error}");
    let cell = [&[20, 2, 16, 1][..], &units(8000)].concat();
    let error = from_slice::<Vec<(u8,)>>(&referred(&cell, 100)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Expansion { .. }), "{error}");
    let some = [&[22, 0x80][..], &units(8000)].concat();
    let bytes = referred(&some, 100);
    let read = || from_slice::<Vec<Option<Value>>>(&bytes).unwrap_err();
    let (error, stats) = measure_value(read);
    assert!(matches!(error.kind(), ErrorKind::Expansion { .. }), "{error}");
    assert!(stats.peak < 64 * 40 * bytes.len(), "{stats:?}");
}

#[test]
fn a_shared_tree() {
    both_ways::<Biniou, _>(&Shared(Rc::new(Value::Unit)));
    let tree = Shared(Rc::new(Value::Tuple(vec![Value::Unit])));
    both_ways::<Biniou, _>(&(tree.clone(), tree));
    // A reference into a tree, after the tree.
    let bytes = [20, 2, 26, 0, 16, 5, 26, 4];
    let (tree, number): (Value, u8) = from_slice(&bytes).unwrap();
    assert_eq!(tree, Value::Shared(1, Box::new(Value::Uvint(5))));
    assert_eq!(number, 5);
}

#[test]
fn an_option_within_shared_is_written_completely() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Field<T> {
        x: T,
    }
    both_ways::<Biniou, _>(&Field { x: Shared(Rc::new(Optional(None::<Option<u8>>))) });
    both_ways::<Biniou, _>(&Field { x: Shared(Rc::new(Optional(None::<u8>))) });
    both_ways::<Biniou, _>(&Field { x: Shared(Rc::new(Optional(Some(1u8)))) });
}

#[test]
fn empty_values_share_one_address() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Empties {
        #[serde(with = "fourfold::biniou::with::shared")]
        name: Arc<str>,
        #[serde(with = "fourfold::biniou::with::shared")]
        list: Arc<[u8]>,
    }
    both_ways::<Biniou, _>(&Empties { name: Arc::default(), list: Arc::default() });
    let array = Rc::new([1u8, 2, 3]);
    let slice: Rc<[u8]> = array.clone();
    both_ways::<Biniou, _>(&(Shared(slice), Shared(array)));
}

#[test]
fn shared_by_container_name() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "shared.Boxed")]
    struct Boxed(u8);
    struct Temporaries;
    impl Serialize for Temporaries {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq((0..3u8).map(Boxed))
        }
    }
    let back: Vec<Boxed> = from_slice(&to_vec(&Temporaries).unwrap()).unwrap();
    assert_eq!(back, [Boxed(0), Boxed(1), Boxed(2)]);
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Chain(Option<Box<Chain>>);

/// A reference has the depth of its target.
#[test]
fn a_reference_to_something_deep() {
    let deep = |levels| (0..levels).fold(Chain(None), |inner, _| Chain(Some(Box::new(inner))));
    for (height, place, is_written) in
        [(20, 30, true), (50, 60, true), (80, 80, false), (125, 3, false)]
    {
        let shared = Shared(Rc::new(deep(height)));
        let value = (shared.clone(), nest(&mut vec![shared.clone()], place));
        let written = to_vec(&value);
        assert_eq!(written.is_ok(), is_written, "{height} at {place}: {:?}", written.err());
        let Ok(bytes) = written else { continue };
        let (_, mut back) = from_slice::<(IgnoredAny, Nest)>(&bytes).unwrap();
        for _ in 0..place {
            let Nest::Deeper(inner) = back else { panic!("{height} at {place}: {back:?}") };
            back = *inner;
        }
        let Nest::Here(found) = back else { panic!("{height} at {place}: {back:?}") };
        assert_eq!(*found.0, deep(height), "{height} at {place}");
    }
    let (one, two) = (Shared(Rc::new(deep(80))), 80);
    assert!(to_vec(&(one.clone(), nest(&mut vec![one], two))).is_err());
}

#[derive(Serialize, Deserialize, Debug)]
enum Nest {
    Deeper(Box<Nest>),
    Here(Shared<Rc<Chain>>),
}

fn nest(shared: &mut Vec<Shared<Rc<Chain>>>, levels: usize) -> Nest {
    let here = Nest::Here(shared.pop().unwrap());
    (0..levels).fold(here, |inner, _| Nest::Deeper(Box::new(inner)))
}

#[test]
fn flattened_types() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Flat<T> {
        id: u8,
        #[serde(flatten)]
        rest: T,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Field<T> {
        x: T,
    }
    #[track_caller]
    fn refused<T: Serialize>(x: T) {
        let error = to_vec(&Flat { id: 1, rest: Field { x } }).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Common(CommonKind::Unsupported { .. })),
            "{error}"
        );
        assert!(error.to_string().contains("flattened"), "{error}");
    }
    refused(BTreeMap::<String, u8>::new());
    refused(1u128);
    refused(-1i128);
    refused(Char('x'));
    refused(Value::Unit);
    refused(vec![("a".to_string(), 1u8)]);
    refused(vec![(1u8, 2u8)]);
    both_ways::<Biniou, _>(&Flat { id: 1, rest: Field { x: vec![(1u8, 2u8, 3u8)] } });
    both_ways::<Biniou, _>(&Flat { id: 1, rest: Field { x: vec!["a".to_string()] } });
    both_ways::<Biniou, _>(&Flat { id: 1, rest: BTreeMap::from([("a".to_string(), 1u8)]) });
    // The next value is written normally.
    both_ways::<Biniou, _>(&(Flat { id: 1, rest: Field { x: 1u8 } }, 1u128));
}

#[test]
fn pairs_or_a_map() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Map(BTreeMap<String, i32>),
        List(Vec<(String, i32)>),
    }
    let bytes = to_vec(&Either::Map(BTreeMap::from([("a".to_string(), 1)]))).unwrap();
    let error = from_slice::<Either>(&bytes).unwrap_err();
    assert_eq!(fact(&error.to_string()), "a list of pairs could be a map at byte 1");
    from_slice::<serde_json::Value>(&to_vec(&serde_json::json!({"a": "b"})).unwrap()).unwrap_err();
    let list = serde_json::json!([["a"], ["b", "c", "d"]]);
    assert_eq!(from_slice::<serde_json::Value>(&to_vec(&list).unwrap()).unwrap(), list);
}

#[test]
fn rows_in_newtypes_are_as_deep_on_both_sides() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Row {
        a: u8,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct N<T>(T);
    type Six = N<N<N<N<N<N<Row>>>>>>;
    let table = Table(vec![N(N(N(N(N(N(Row { a: 1 }))))))]);
    let bytes = to_vec(&table).unwrap();
    let least = (0..12).find(|depth| Options::new().max_depth(*depth).to_vec(&table).is_ok());
    // Newtypes are levels, too, so the depth is more than that of the table and its row.
    let least = least.filter(|least| (3..10).contains(least)).unwrap();
    for depth in 0..12 {
        let options = Options::new().max_depth(depth);
        let written = options.to_vec(&table);
        let read = options.from_slice::<Table<Vec<Six>>>(&bytes);
        if depth < least {
            assert_eq!(written.unwrap_err().category(), Category::Limit, "{depth}");
            assert_eq!(read.unwrap_err().category(), Category::Limit, "{depth}");
        } else {
            assert_eq!(written.unwrap(), bytes, "{depth}");
            assert_eq!(read.unwrap(), table, "{depth}");
        }
    }
}

/// Types with the same name, whose fields have the same hash.
#[test]
fn hashes_collide_only_within_a_type() {
    mod one {
        #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
        pub(super) struct Same {
            pub(super) azdwbie: u8,
        }
    }
    mod two {
        #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
        pub(super) struct Same {
            pub(super) c7diagq: u8,
        }
    }
    both_ways::<Biniou, _>(&(
        one::Same { azdwbie: 1 },
        two::Same { c7diagq: 2 },
        one::Same { azdwbie: 3 },
    ));
    #[derive(Serialize)]
    struct Both {
        azdwbie: u8,
        other: String,
        c7diagq: u8,
    }
    let both = Both { azdwbie: 1, other: "x".into(), c7diagq: 2 };
    let error = to_vec(&both).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Collision { .. }), "{error}");
    assert!(to_vec(&Table(vec![both])).is_err());
}

/// After a type that replaces an error by a default, the next value is read correctly.
#[test]
fn an_error_that_a_type_ignores() {
    fn lenient<'de, D: serde::Deserializer<'de>, T: Deserialize<'de> + Default>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        Ok(T::deserialize(deserializer).unwrap_or_default())
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Pair(#[serde(deserialize_with = "lenient")] u8, u8);
    #[derive(Deserialize, Debug, PartialEq)]
    struct Fields {
        #[serde(deserialize_with = "lenient")]
        a: Vec<u8>,
        b: u8,
    }
    #[derive(Serialize)]
    struct Other {
        a: (u8, String, Vec<bool>),
        b: u8,
    }
    let bytes = to_vec(&("*xxxxxxxxxxxxxxx", 7u8)).unwrap();
    assert_eq!(from_slice::<Pair>(&bytes).unwrap(), Pair(0, 7));
    let other = || Other { a: (1, "two".into(), vec![true]), b: 9 };
    let fields = Fields { a: vec![], b: 9 };
    assert_eq!(from_slice::<Fields>(&to_vec(&other()).unwrap()).unwrap(), fields);
    let table = to_vec(&Table(vec![other(), other()])).unwrap();
    assert_eq!(from_slice::<Vec<Fields>>(&table).unwrap()[1], fields);
    let mut deserializer = Deserializer::from_slice(&bytes);
    assert_eq!(lenient::<_, u8>(&mut deserializer).unwrap(), 0);
}

/// A stream returns a value as soon as it is complete, and the stream's error with the next one.
#[test]
fn streams_return_complete_values_immediately() {
    struct Pieces(Vec<io::Result<Vec<u8>>>);
    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "read on without need");
            let piece = self.0.remove(0)?;
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }
    let pieces = Pieces(vec![Ok(vec![16, 1])]);
    let mut stream = StreamDeserializer::<_, u8>::from_reader(pieces);
    assert_eq!(stream.next().unwrap().unwrap(), 1);

    let reset = Err(io::ErrorKind::ConnectionReset.into());
    let interrupted = Err(io::ErrorKind::Interrupted.into());
    let pieces = Pieces(vec![Ok(vec![16, 1, 16]), interrupted, Ok(vec![2]), reset]);
    let mut stream = StreamDeserializer::<_, u8>::from_reader(pieces);
    assert_eq!(stream.next().unwrap().unwrap(), 1);
    assert_eq!(stream.next().unwrap().unwrap(), 2);
    assert_eq!(stream.next().unwrap().unwrap_err().category(), Category::Io);
    assert!(stream.next().is_none());
}

#[test]
fn streams_keep_the_limit_of_each_value() {
    let bytes = to_vec(&"x".repeat(5000)).unwrap();
    let options = Options::new().max_input(100);
    let stream = StreamDeserializer::<_, String>::from_reader(&*bytes);
    let error = stream.with_options(options.clone()).next().unwrap().unwrap_err();
    let other = options.from_reader::<_, String>(&*bytes).unwrap_err();
    assert_eq!(error.to_string(), other.to_string());
    assert_eq!(
        error.to_string(),
        "input is longer than 100 bytes at byte 100; use `Options::max_input` to allow more"
    );
}

/// Reading from a slice and from a reader returns the same error.
#[test]
fn streams_and_slices_agree() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Field {
        x: bool,
    }
    let texts = |bytes: &[u8]| {
        let slice = StreamDeserializer::<_, Field>::from_slice(bytes).next().unwrap();
        let reader = StreamDeserializer::<_, Field>::from_reader(bytes).next().unwrap();
        let text = |error: Error| error.to_string();
        (text(slice.unwrap_err()), text(reader.unwrap_err()))
    };
    for bytes in [
        &[21, 1, 0x80, 0, 0, 0x78, 0, 7][..],
        &[21, 2, 0x80, 0, 0, 0x78, 16, 7, 0x80, 0, 0, 0x79, 99, 0],
        &[21, 1, 0x80, 0, 0, 0x78, 0],
        &[21, 1, 0x80],
        &[99],
    ] {
        let (slice, reader) = texts(bytes);
        assert_eq!(slice, reader);
    }
}

/// The limit of expansion of a value does not depend on the bytes after it.
#[test]
fn expansion_is_limited_for_each_value() {
    let doubling = (0..13).fold(vec![19, 0], |inner: Vec<u8>, _| {
        let definition = [&[26, 0][..], &inner].concat();
        let distance = definition.len();
        let vint = [(distance % 128) as u8 | 128, (distance / 128) as u8];
        [&[20, 2][..], &definition, &[26], &vint].concat()
    });
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Nest(Vec<Nest>);
    let alone = from_slice::<Nest>(&doubling).is_ok();
    let followed = [&doubling[..], &vec![16; 8000]].concat();
    assert_eq!(take_from_slice::<Nest>(&followed).is_ok(), alone);
    let mut slice = StreamDeserializer::<_, Nest>::from_slice(&followed);
    assert_eq!(slice.next().unwrap().is_ok(), alone);
    let mut reader = StreamDeserializer::<_, Nest>::from_reader(&*followed);
    assert_eq!(reader.next().unwrap().is_ok(), alone);
}

#[test]
fn names_of_options_and_equal_fields() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Flat {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    #[derive(Serialize)]
    struct One {
        id: u8,
        x: u8,
    }
    let bytes = to_vec(&One { id: 1, x: 2 }).unwrap();
    // If a key is repeated, the last entry counts.
    let twice =
        [&[21, 3][..], &bytes[2..], &bytes[bytes.len() - 6..bytes.len() - 1], &[9]].concat();
    let named = Options::new().names(Dictionary::from_words("id\nx").unwrap());
    let flat: Flat = named.from_slice(&twice).unwrap();
    assert_eq!(flat, Flat { id: 1, rest: BTreeMap::from([("x".to_string(), 9)]) });
    let twice = [&[21, 4][..], &bytes[2..], &bytes[2..]].concat();
    let error = named.from_slice::<Flat>(&twice).unwrap_err();
    assert_eq!(error.kind().to_string(), "duplicate field `id`");
    let mut deserializer = Deserializer::from_slice(&bytes);
    deserializer.deserialize_ignored_any(IgnoredAny).unwrap();
}

/// Every level claims all remaining bytes; memory is reserved for them once.
#[test]
fn nested_counts_reserve_memory_once() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Nest(Vec<Nest>);
    let mut bytes = vec![19];
    for _ in 0..100 {
        // ARRAY of 40,000 ARRAYs of ..
        bytes.extend([0x80 | 64, 0x80 | 56, 2, 19]);
    }
    bytes.resize(50_000, 0);
    let (result, stats) = measure_value(|| from_slice::<Nest>(&bytes).map(drop));
    result.unwrap_err();
    assert!(stats.peak < 128 * bytes.len(), "{stats:?}");
}

/// Text in targets of references is counted once, by writers and readers.
#[test]
fn text_in_targets_of_references() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Inner {
        #[serde(with = "fourfold::biniou::with::shared")]
        s: Rc<String>,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Doc {
        #[serde(with = "fourfold::biniou::with::shared")]
        s: Rc<String>,
        d: Vec<Shared<Rc<Inner>>>,
    }
    let s = Rc::new("x".repeat(16_000));
    let inner = Rc::new(Inner { s: s.clone() });
    let doc = Doc { s, d: (0..700).map(|_| Shared(inner.clone())).collect() };
    both_ways::<Biniou, _>(&doc);
    let bytes = to_vec(&doc).unwrap();
    assert_eq!(Doc::deserialize(&mut Deserializer::from_slice(&bytes)).unwrap(), doc);
}

/// Rows that are inspected before they are read are counted once.
#[test]
fn rows_without_columns_are_counted_once() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Empty {}
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct HasRows {
        #[serde(with = "fourfold::biniou::with::table")]
        rows: Vec<Empty>,
    }
    let rows = HasRows { rows: (0..2000).map(|_| Empty {}).collect() };
    let bytes = to_vec(&rows).unwrap().repeat(2);
    let mut deserializer = Deserializer::from_slice(&bytes);
    assert_eq!(HasRows::deserialize(&mut deserializer).unwrap(), rows);
    assert_eq!(HasRows::deserialize(&mut deserializer).unwrap(), rows);
    deserializer.end().unwrap();
}

/// References to an earlier concatenated value are refused.
#[test]
fn no_references_into_the_value_before() {
    let mut deserializer = Deserializer::from_slice(&[26, 0, 16, 7, 26, 4]);
    assert_eq!(u8::deserialize(&mut deserializer).unwrap(), 7);
    let error = u8::deserialize(&mut deserializer).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Reference { .. }), "{error}");
}

#[test]
fn values_after_an_ignored_error_are_read() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct P {
        x: u8,
    }
    #[track_caller]
    fn nine<T: DeserializeOwned>(bytes: &[u8]) {
        let (_, nine): (T, u8) = from_slice(bytes).unwrap();
        assert_eq!(nine, 9);
    }
    let table = to_vec(&(Table(vec![P { x: 16 }, P { x: 5 }]), 9u8)).unwrap();
    nine::<Vec<Lenient<u8>>>(&table);
    nine::<Vec<Lenient<P>>>(&table);
    nine::<Vec<Lenient<Vec<u8>>>>(&table);
    nine::<Vec<Lenient<serde_json::Value>>>(&table);
    nine::<Vec<Lenient<Int8<P>>>>(&table);
    nine::<Lenient<Int8<bool>>>(&to_vec(&(true, 9u8)).unwrap());
    nine::<Lenient<Int8<Table<Vec<P>>>>>(&table);
    let mut deep = vec![20, 2];
    deep.extend([20, 1].repeat(100));
    deep.extend([26, 9, 16, 9]);
    nine::<Lenient<Value>>(&deep);
}

/// A visitor that continues after an error gets no other item, and the error is returned.
#[test]
fn visitors_that_continue_after_an_error() {
    #[derive(Debug)]
    struct Lossy;
    visits! { Lossy, "numbers among others", deserialize_any():
        visit_seq |items| {
            while items.next_element::<u8>().transpose().is_some() {}
            Ok(Lossy)
        }
        visit_map |map| {
            while map.next_key::<String>()?.is_some() {
                let _ = map.next_value::<u8>();
            }
            Ok(Lossy)
        }
    }
    #[derive(Serialize)]
    struct Fields {
        left: u8,
        x: &'static str,
        y: u8,
    }
    let fields = || Fields { left: 1, x: "hi", y: 2 };
    let named = Options::new().names(Dictionary::from_words("left\nx\ny").unwrap());
    let wrong = "found string, expected uvint, svint, int8 or int16";
    let refused = |bytes: &[u8], path: &str| {
        let error = named.from_slice::<(Lossy, u8)>(bytes).unwrap_err();
        assert_eq!(
            (error.kind().to_string().as_str(), error.path().to_string().as_str()),
            (wrong, path)
        );
    };
    refused(&to_vec(&(("five", 1u8, 2u8), 9u8)).unwrap(), "[0][0]");
    refused(&to_vec(&(fields(), 9u8)).unwrap(), "[0].x");
    let bytes = to_vec(&(Table(vec![fields(), fields()]), 9u8)).unwrap();
    let error = named.from_slice::<(Vec<Lossy>, u8)>(&bytes).unwrap_err();
    assert_eq!(error.path().to_string(), "[0][0].x");

    /// Reads only the first key.
    struct FirstKey(String);
    visits! { FirstKey, "a map", deserialize_map():
        visit_map |map| {
            Ok(FirstKey(map.next_key()?.unwrap_or_default()))
        }
    }
    let map = BTreeMap::from([("a", 1u8), ("b", 2)]);
    let (key, nine): (FirstKey, u8) = from_slice(&to_vec(&(map, 9u8)).unwrap()).unwrap();
    assert_eq!((key.0.as_str(), nine), ("a", 9));
}

/// References whose lengths depend on each other are corrected in one pass.
#[test]
fn references_that_lengthen_one_another() {
    let strings: Vec<Shared<Rc<String>>> =
        (0..20_000).map(|n| Shared(Rc::new("x".repeat(if n == 0 { 59 } else { 58 })))).collect();
    let pairs = strings.iter().zip(&strings[1..]).map(|(a, b)| (b.clone(), a.clone()));
    let bytes = to_vec(&pairs.collect::<Vec<_>>()).unwrap();
    let read: Vec<(String, String)> = from_slice(&bytes).unwrap();
    assert!(read.iter().zip(&strings).all(|(pair, string)| pair.1 == **string.0));
}

/// A count of rows without columns that no machine word holds was taken for a length that needs
/// no bytes; on 32 bits, so was any beyond those.
#[test]
fn rows_without_columns_beyond_a_machine_word() {
    let bytes = [&[25][..], &[0x80; 15], &[1, 0]].concat();
    let error = from_slice::<Value>(&bytes).unwrap_err();
    let rows = 1_u128 << 105;
    let text = format!("{rows} rows without columns are more than a reader accepts at byte 1");
    assert_eq!(error.to_string(), text);
    assert_eq!(error.category(), Category::Limit);
}

/// Records on a path are scanned before one of their fields is read. Rows without columns in them are counted once.
#[test]
fn rows_without_columns_count_once_on_a_path() {
    let table = |rows: [u8; 2]| [&[25][..], &rows, &[0]].concat();
    let field = |value: Vec<u8>| [&[21, 1, 0x80, 0, 0, 0x78][..], &value].concat();
    // A record with a table of 3000 rows; six records around one of 1000.
    let mut deep = table([0xe8, 7]);
    for _ in 0..6 {
        deep = field(deep);
    }
    for (bytes, text) in [(field(table([0xb8, 0x17])), "x"), (deep, "x.x.x.x.x.x")] {
        assert!(from_slice::<Value>(&bytes).is_ok());
        assert!(at::<Value>(&bytes, &Path::new(text).unwrap()).is_ok(), "{text}");
        assert!(at::<List<'_, ()>>(&bytes, &Path::new(text).unwrap()).is_ok(), "{text}");
        #[derive(Deserialize)]
        struct Empty {}
        let Empty {} = at(&bytes, &Path::new(&format!("{text}[0]")).unwrap()).unwrap();
    }
    // Skipped values count, inside and outside of the selected value.
    let rows = table([0xb8, 0x17]);
    let both = [&[20, 2][..], &rows, &rows].concat();
    let fields = [&[21, 2, 0x80, 0, 0, 0x79], &rows[..], &[0x80, 0, 0, 0x78], &rows].concat();
    for (bytes, text) in [(both, "[1]"), (fields, "x")] {
        let whole = from_slice::<Value>(&bytes).unwrap_err();
        let error = at::<Value>(&bytes, &Path::new(text).unwrap()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::EmptyRows { rows: 3000 }), "{error}");
        assert_eq!(error.offset(), whole.offset());
    }
}

/// The tag of an adjacently tagged enum is a variant, so text is refused.
#[test]
fn text_is_refused_as_a_tag() {
    #[derive(Deserialize, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Tagged {
        #[allow(dead_code)]
        A(u8),
    }
    let bytes = [21, 2, 0x80, 0, 0, 0x74, 18, 1, b'A', 0x80, 0, 0, 0x63, 16, 7];
    let mut thorough = fourfold::biniou::Deserializer::from_slice(&bytes);
    for error in
        [from_slice::<Tagged>(&bytes).unwrap_err(), Tagged::deserialize(&mut thorough).unwrap_err()]
    {
        assert_eq!(error.to_string(), "found string, expected variant in t at byte 6");
    }
}

/// A struct with the name of a variant, after an adjacently tagged enum.
#[test]
fn a_struct_after_a_tagged_enum_is_not_its_content() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Shape {
        Circle(u8),
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Circle {
        x: u64,
        y: u64,
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Drawing {
        shape: Shape,
        circle: Circle,
    }
    both_ways::<Biniou, _>(&Drawing { shape: Shape::Circle(1), circle: Circle { x: 2, y: 3 } });
}

/// Types that make a value of an error's text get the text of the real error, not of the first attempt.
#[test]
fn the_text_of_an_error_as_a_value() {
    let outcome: (Outcome<u8, String>, u8) = from_slice(&to_vec(&(300u16, 1u8)).unwrap()).unwrap();
    let text = "invalid value: integer `300`, expected u8";
    assert_eq!(outcome, (Outcome::Bad(text.to_owned()), 1));
    /// The same for an error that the type makes itself.
    #[derive(Debug, PartialEq)]
    struct Shown(String);
    impl<'de> Deserialize<'de> for Shown {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            u8::deserialize(deserializer)?;
            let error: D::Error = serde::de::Error::custom("odd");
            Ok(Shown(error.to_string()))
        }
    }
    assert_eq!(from_slice::<Shown>(&[16, 1]).unwrap(), Shown("odd".to_owned()));
}

/// A key type written by hand gets the names of unknown fields.
#[test]
fn unknown_fields_have_names() {
    #[derive(Debug, PartialEq)]
    struct Names(Vec<String>);
    visits! { Names, "a struct", deserialize_struct("Names", &["x"]):
        visit_map |map| {
            let mut names = Vec::new();
            while let Some(Key(name)) = map.next_key()? {
                names.push(name);
                map.next_value::<IgnoredAny>()?;
            }
            Ok(Names(names))
        }
    }
    struct Key(String);
    impl<'de> Deserialize<'de> for Key {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Text;
            impl serde::de::Visitor<'_> for Text {
                type Value = Key;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a name")
                }
                fn visit_str<E>(self, name: &str) -> Result<Key, E> {
                    Ok(Key(name.to_owned()))
                }
                fn visit_u64<E>(self, number: u64) -> Result<Key, E> {
                    Ok(Key(number.to_string()))
                }
            }
            deserializer.deserialize_identifier(Text)
        }
    }
    let bytes = [21, 2, 0x80, 0, 0, 0x78, 16, 1, 0x81, 0x23, 0xab, 0xcf, 16, 1];
    let names = from_slice::<Names>(&bytes).unwrap();
    assert_eq!(names.0, ["x", "#0123abcf"]);
    assert_eq!(Names::deserialize(&mut Deserializer::from_slice(&bytes)).unwrap(), names);
}

/// A variant's argument that is not read is skipped.
#[test]
fn arguments_that_are_not_read() {
    #[derive(Debug, PartialEq)]
    struct Kind(String);
    visits! { Kind, "an enum", deserialize_enum("Kind", &["A", "B"]):
        visit_enum |data| {
            data.variant().map(|(name, _)| Kind(name))
        }
    }
    #[derive(Serialize)]
    enum Both {
        A(u8),
        B,
    }
    let bytes = to_vec(&vec![(Both::A(7), 1u8), (Both::B, 2)]).unwrap();
    let kinds = vec![(Kind("A".to_owned()), 1u8), (Kind("B".to_owned()), 2)];
    assert_eq!(from_slice::<Vec<(Kind, u8)>>(&bytes).unwrap(), kinds);
    let mut thorough = Deserializer::from_slice(&bytes);
    assert_eq!(Vec::<(Kind, u8)>::deserialize(&mut thorough).unwrap(), kinds);
}

/// Items whose tags were made to have the same checksum as 116 bools: nothing is determined by a checksum.
#[test]
fn tags_are_compared_and_not_summed() {
    let bytes = include_bytes!("../regression/biniou-tags.bin");
    let error = from_slice::<Vec<[[bool; 29]; 4]>>(bytes).unwrap_err();
    assert_eq!(error.offset(), Some(6), "{error}");
    assert_eq!(error.path().to_string(), "[0][0][0]");
}

/// A field may have the empty name.
#[test]
fn a_field_without_a_name() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Collides {
        #[serde(rename = "")]
        first: String,
        #[serde(rename = "aguK3N7")]
        second: String,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Nameless {
        #[serde(rename = "")]
        first: String,
        second: String,
    }

    let value = Collides { first: String::new(), second: String::new() };
    let error = to_vec(&value).unwrap_err();
    assert!(error.to_string().contains("same hash"), "{error}");
    both_ways::<Biniou, _>(&Nameless { first: "a".into(), second: "b".into() });
    both_ways::<Biniou, _>(&vec![Nameless { first: "a".into(), second: "b".into() }]);
}

/// Requesting keys until there are none ends, also after errors.
#[test]
fn requesting_keys_ends() {
    #[derive(Debug, PartialEq)]
    struct RequestsMore(usize);

    visits! { RequestsMore, "entries", deserialize_map():
        visit_map |entries| {
            let mut refused = 0;
            loop {
                match entries.next_key::<u8>() {
                    Ok(None) => return Ok(RequestsMore(refused)),
                    Ok(Some(_)) => {
                        entries.next_value::<u8>()?;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }

    // A map of two texts to numbers.
    let bytes = [19, 2, 20, 2, 18, 1, b'k', 17, 2, 2, 18, 1, b'l', 17, 4];
    let exactly = RequestsMore::deserialize(&mut Deserializer::from_slice(&bytes));
    match (from_slice::<RequestsMore>(&bytes), exactly) {
        (Ok(quick), Ok(exact)) => assert_eq!(quick, exact),
        (quick, exact) => assert!(quick.is_err() && exact.is_err()),
    }
}

/// A variant that the type does not have is none of its own, whatever these are called.
#[test]
fn unknown_variants_have_no_name() {
    #[derive(Debug, Deserialize)]
    enum Token {
        #[serde(rename = "#")]
        Hash,
    }

    let error = from_slice::<Token>(&[23, 0, 0, 0, 1]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnknownVariant { hash: 1 }), "{error}");
    let bytes = [&[23][..], &fourfold::biniou::hash("#").to_be_bytes()].concat();
    assert!(matches!(from_slice::<Token>(&bytes).unwrap(), Token::Hash));
}

/// A value without bytes that its type does not read counts towards the limit.
#[test]
fn unread_values_without_bytes_are_counted() {
    fn nothing<'de, D: serde::Deserializer<'de>>(_: D) -> Result<u8, D::Error> {
        Ok(0)
    }

    #[derive(Serialize, Deserialize, Debug)]
    struct Pair(
        #[serde(deserialize_with = "nothing")] u8,
        #[serde(deserialize_with = "nothing")] u8,
    );

    let error = from_slice::<Pair>(&[20, 2, 17, 17]).unwrap_err();
    let mut exactly = Deserializer::from_slice(&[20, 2, 17, 17]);
    let exact = Pair::deserialize(&mut exactly).unwrap_err();
    assert_eq!(error.to_string(), exact.to_string());
}

/// A reference may lead to a value that is marked `any`: its error is where its bytes are.
#[cfg(feature = "any")]
#[test]
fn errors_of_any_in_a_target_of_a_reference() {
    let bytes = [20, 2, 26, 0, 18, 2, b'h', b'i', 26, 6];
    let error = from_slice::<(String, fourfold::biniou::with::Any<u8>)>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "no messagepack: bytes after the value in [1] at byte 6");
}

/// The error about borrowed bytes is only for visitors that refuse other bytes.
#[test]
fn a_list_of_numbers_as_bytes_of_another_length() {
    use serde_bytes::{ByteArray, Bytes};

    let numbers = to_vec(&[1u16, 2, 3].as_slice()).unwrap();
    let error = from_slice::<ByteArray<4>>(&numbers).unwrap_err();
    assert_eq!(error.to_string(), "invalid length 3, expected a byte array of length 4 at byte 0");
    let error = from_slice::<&Bytes>(&numbers).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Unsupported { .. })), "{error}");
}
