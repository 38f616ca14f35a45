//! Errors that were fixed, each with its smallest input.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::support::alloc::measure_value;
use crate::support::fact;
use crate::support::visits::visits;
use fourfold::Category;
use fourfold::molecule::with::{FixVec, Struct, Table, structure, table};
use fourfold::molecule::{Deserializer, Error, ErrorKind, Options, from_slice, to_vec};
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct,
};
use serde::{Deserialize, Serialize, Serializer};

/// A packed pair whose sixteen bytes are also the header of a table of two fields.
const LOOKALIKE: (u64, u64) = (16 | 12 << 32, 12 | 7 << 32);

fn text<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "accepted".into(),
        Err(error) => error.to_string(),
    }
}

/// Reads `T`; on an error, returns its default.
fn or_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: serde::Deserializer<'de>,
{
    Ok(T::deserialize(deserializer).unwrap_or_default())
}

#[test]
fn content_of_a_tag_is_not_read_as_any_map() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Tagged {
        Json(serde_json::Value),
        Maybe(Option<u8>),
        Empty {},
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Pair {
        tagged: Tagged,
        json: serde_json::Value,
    }

    let bytes = to_vec(&Tagged::Json(serde_json::Value::Null)).unwrap();
    assert!(from_slice::<Tagged>(&bytes).is_err());
    let bytes = to_vec(&Tagged::Empty {}).unwrap();
    assert_eq!(from_slice::<Tagged>(&bytes).unwrap(), Tagged::Empty {});
    let error = from_slice::<Tagged>(&[12, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "table has 1 field, the type has more at byte 4");
    let error = from_slice::<Tagged>(&[12, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "table has 1 field, the type has more at byte 4");
    let pair = Pair { tagged: Tagged::Maybe(None), json: serde_json::Value::Null };
    assert!(from_slice::<Pair>(&to_vec(&pair).unwrap()).is_err());
}

#[test]
fn identifiers_are_text_unless_they_are_tags() {
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(field_identifier, rename_all = "lowercase")]
    enum Key {
        A,
        #[serde(rename = "")]
        Empty,
    }

    let bytes = to_vec(&["", "a"].map(String::from).to_vec()).unwrap();
    assert_eq!(from_slice::<Vec<Key>>(&bytes).unwrap(), [Key::Empty, Key::A]);
}

#[test]
fn a_table_mark_undoes_a_struct_mark() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "struct.Packed")]
    struct Packed {
        a: u8,
        b: u16,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Holder {
        #[serde(with = "table")]
        table: Packed,
        n: u8,
    }

    let holder = Holder { table: Packed { a: 1, b: 2 }, n: 3 };
    assert_eq!(from_slice::<Holder>(&to_vec(&holder).unwrap()).unwrap(), holder);
}

#[test]
fn marks_that_contradict_each_other_are_refused() {
    let refused = |place: &str| {
        format!(
            "the mark `struct` does not fit a value with another mark{place}; remove one of the two \
             marks"
        )
    };
    assert_eq!(text(to_vec(&Struct(Table((1u8, 2u8))))), refused(""));
    assert_eq!(text(to_vec(&vec![Struct(Table((1u8, 2u8)))])), refused(" in [0]"));
    assert_eq!(text(to_vec(&(Struct(FixVec([1u8])), 1u8))), refused(" in [0]"));
    let error = from_slice::<Struct<Table<(u8, u8)>>>(&[1, 2]);
    assert_eq!(text(error), refused(" at byte 0"));
}

#[test]
fn a_struct_mark_applies_within_an_option_in_a_sequence() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Point {
        x: u8,
        y: u16,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Field {
        #[serde(with = "structure")]
        point: Option<Point>,
    }

    let points = vec![Struct(Some(Point { x: 1, y: 2 })), Struct(None)];
    let bytes = to_vec(&points).unwrap();
    assert_eq!(bytes, [15, 0, 0, 0, 12, 0, 0, 0, 15, 0, 0, 0, 1, 2, 0]);
    assert_eq!(from_slice::<Vec<Struct<Option<Point>>>>(&bytes).unwrap(), points);
    let pair = (1u8, Struct(Some(Point { x: 1, y: 2 })));
    assert_eq!(from_slice::<(u8, Struct<Option<Point>>)>(&to_vec(&pair).unwrap()).unwrap(), pair);
    let field = Field { point: Some(Point { x: 1, y: 2 }) };
    assert_eq!(from_slice::<Field>(&to_vec(&field).unwrap()).unwrap(), field);
}

/// Invalid calls of a `Serialize` written by hand.
enum Odd {
    TupleStruct { name: &'static str, announced: usize, given: usize },
    Tuple { announced: usize, given: usize },
    KeyOnly,
    Announces(usize),
}

impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Odd::TupleStruct { name, announced, given } => {
                let mut tuple = serializer.serialize_tuple_struct(name, announced)?;
                (0..given).try_for_each(|_| tuple.serialize_field(&1u8))?;
                tuple.end()
            }
            Odd::Tuple { announced, given } => {
                let mut tuple = serializer.serialize_tuple(announced)?;
                (0..given).try_for_each(|_| tuple.serialize_element(&1u8))?;
                tuple.end()
            }
            Odd::KeyOnly => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_key(&1u8)?;
                map.end()
            }
            Odd::Announces(count) => {
                let mut seq = serializer.serialize_seq(Some(count))?;
                seq.serialize_element("x")?;
                seq.end()
            }
        }
    }
}

#[test]
fn wrong_lengths_are_refused() {
    for name in ["struct.Odd", "Odd"] {
        for (announced, given) in [(2, 3), (2, 1)] {
            let odd = Odd::TupleStruct { name, announced, given };
            let expected = format!("{announced} items announced and {given} given");
            assert_eq!(fact(&text(to_vec(&odd))), expected);
        }
    }
    for (announced, given) in [(0, 1), (2, 0), (2, 3)] {
        let expected = format!("{announced} items announced and {given} given");
        assert_eq!(fact(&text(to_vec(&Odd::Tuple { announced, given }))), expected);
    }
    assert_eq!(fact(&text(to_vec(&Odd::KeyOnly))), "1 item announced and 0 given");
}

#[test]
fn an_announced_count_takes_no_memory() {
    let stats = crate::support::alloc::measure(|| {
        let refused = text(to_vec(&Odd::Announces(1 << 29)));
        assert!(fact(&refused).ends_with("items announced and 1 given"), "{refused}");
    });
    assert!(stats.peak < 16 << 20, "{stats:?}");
}

#[test]
fn packed_values_that_contain_a_table_header_are_written() {
    type Document = (Vec<(u64, u64)>, (u8, (u64, u64)), Table<(u8, String)>, (u8, String));
    let document: Document =
        (vec![LOOKALIKE], (1, LOOKALIKE), Table((2, "marked".into())), (3, "mixed".into()));
    assert_eq!(from_slice::<Document>(&to_vec(&document).unwrap()).unwrap(), document);
    // Where a table is allowed, it is refused.
    assert!(to_vec(&LOOKALIKE).is_err());
    assert!(to_vec(&(Some(LOOKALIKE), 3u8)).is_err());
    assert!(to_vec(&(LOOKALIKE, "makes a table of the tuple around it")).is_err());
    assert!(to_vec(&BTreeMap::from([(1u8, LOOKALIKE)])).is_err());
}

/// A value of any depth, of which serde does not show the type.
struct Nest(usize, bool);

impl Serialize for Nest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Nest(depth, tuple) = *self;
        let inner = Nest(depth.saturating_sub(1), tuple);
        match (depth, tuple) {
            (0, _) => serializer.serialize_u8(1),
            (_, false) => serializer.serialize_newtype_struct("Nest", &inner),
            (_, true) => {
                let mut seq = serializer.serialize_tuple(1)?;
                seq.serialize_element(&inner)?;
                seq.end()
            }
        }
    }
}

#[test]
fn depth_is_limited_in_values_that_are_only_inspected() {
    for tuple in [false, true] {
        let deep = to_vec(&vec![Nest(1_000_000, tuple)]).unwrap_err();
        assert_eq!(deep.category(), Category::Limit, "{deep}");
        assert!(to_vec(&vec![Nest(100, tuple)]).is_ok());
    }
}

#[test]
fn only_truncated_input_is_an_eof_error() {
    let dynvec = to_vec(&vec!["ab".to_owned()]).unwrap();
    for extra in 1..6 {
        let longer = [&dynvec[..], &vec![0; extra]].concat();
        let error = from_slice::<Vec<String>>(&longer).unwrap_err();
        assert!(!error.is_eof(), "{error}");
    }
    for cut in 0..dynvec.len() {
        let error = from_slice::<Vec<String>>(&dynvec[..cut]).unwrap_err();
        assert!(error.is_eof() || cut >= 4, "{error}");
    }
    // A field of a whole table that is too short for its type.
    let error = from_slice::<Table<(u32,)>>(&[11, 0, 0, 0, 8, 0, 0, 0, 1, 2, 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field or item ends early: 4 bytes needed, 3 left in [0] at byte 8"
    );
    assert_eq!(error.category(), Category::Syntax);
    // A table whose full size is too small for an offset.
    for full_size in 5u8..8 {
        let mut bytes = vec![0; usize::from(full_size)];
        bytes[0] = full_size;
        assert!(!from_slice::<()>(&bytes).unwrap_err().is_eof());
        assert!(!from_slice::<Table<(u8, u8)>>(&bytes).unwrap_err().is_eof());
    }
    // A union around a table that is cut.
    let union = to_vec(&Some(Ok::<(u8, String), u8>((1, "x".into())))).unwrap();
    let error = from_slice::<Option<Result<Table<(u8, String)>, u8>>>(&union[..12]).unwrap_err();
    assert!(error.is_eof(), "{error}");
}

#[test]
fn an_empty_marked_struct_is_refused_in_both_directions() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "struct.Empty")]
    struct Empty {}

    let refused = |place: &str| {
        format!(
            "a struct without fields takes zero bytes, which molecule does not have{place}; remove the mark `struct` or `fixvec` from it or around it: then it is a table"
        )
    };
    assert_eq!(text(to_vec(&Empty {})), refused(""));
    assert_eq!(text(from_slice::<Empty>(&[])), refused(" at byte 0"));
    assert_eq!(text(from_slice::<(u8, Empty)>(&[1])), refused(" in [1] at byte 1"));
}

#[test]
fn a_list_without_its_type_name_is_refused() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "union.Cell-7")]
    enum Bare {
        Cell(u8),
    }

    let refused = "the mark `union.Cell-7` begins with `Cell-7`, not with the type's name";
    assert!(text(to_vec(&Bare::Cell(1))).starts_with(refused));
}

/// An iterator that can be iterated once.
struct Once(RefCell<Option<Vec<u8>>>);

impl Serialize for Once {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.take() {
            Some(items) => serializer.collect_seq(items),
            None => Err(serde::ser::Error::custom("already written")),
        }
    }
}

/// The layout of a sequence or tuple is determined by the items that were written.
#[test]
fn values_that_can_be_serialized_once_are_written() {
    let once = || Once(RefCell::new(Some(vec![1, 2])));

    #[derive(Serialize)]
    struct Holder {
        once: Once,
    }

    assert!(to_vec(&Holder { once: once() }).is_ok());
    assert!(to_vec(&once()).is_ok());
    let bytes = [2, 0, 0, 0, 1, 2];
    assert_eq!(to_vec(&vec![once()]).unwrap()[8..], bytes);
    assert_eq!(to_vec(&(7u8, once())).unwrap()[13..], bytes);
    assert_eq!(to_vec(&[once(), once()]).unwrap()[12..], [bytes, bytes].concat());
}

/// Tuples longer than the input do not allocate their length.
#[test]
fn tuples_longer_than_the_input_allocate_nothing() {
    use fourfold::molecule::with::Array;

    let error = from_slice::<Array<u64, 1024>>(&[1; 9]).unwrap_err();
    let mut exact = fourfold::molecule::Deserializer::from_slice(&[1; 9]);
    let other = Array::<u64, 1024>::deserialize(&mut exact).unwrap_err();
    assert_eq!(error.to_string(), other.to_string());
}

/// A byte in nested tuples and newtypes, in turn.
struct Nested(usize);

impl Serialize for Nested {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_u8(7),
            depth if depth % 2 == 0 => {
                let mut tuple = serializer.serialize_tuple(1)?;
                tuple.serialize_element(&Nested(depth - 1))?;
                tuple.end()
            }
            depth => serializer.serialize_newtype_struct("Nested", &Nested(depth - 1)),
        }
    }
}

/// A fixed size is detected at any depth within the depth limit.
#[test]
fn fixed_values_are_fixed_at_any_depth() {
    assert_eq!(to_vec(&(Nested(200), 1u8)).unwrap(), [7, 1]);
    assert_eq!(to_vec(&[Nested(200), Nested(200)]).unwrap(), [7, 7]);
    assert_eq!(to_vec(&vec![Nested(200), Nested(200)]).unwrap(), [2, 0, 0, 0, 7, 7]);
    for (most, depth) in [(3, 4), (3, 6), (20, 38), (20, 40), (200, 380)] {
        let options = Options::new().max_depth(most);
        // One more level around it.
        let written = options.to_vec(&(Nested(depth), 1u8));
        match depth / 2 < usize::from(most) {
            true => assert_eq!(written.unwrap(), [7, 1], "{depth}"),
            false => assert_eq!(written.unwrap_err().category(), Category::Limit, "{depth}"),
        }
    }
}

/// Four bytes for the first calls of `serialize`, then one.
struct Fickle(Cell<usize>);

impl Serialize for Fickle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let looks = self.0.get();
        self.0.set(looks.saturating_sub(1));
        match looks {
            0 => serializer.serialize_u8(1),
            _ => serializer.serialize_u32(2),
        }
    }
}

#[test]
fn items_that_change_their_size_are_refused() {
    for looks in 0..12 {
        let fickle = |looks| Fickle(Cell::new(looks));
        match to_vec(&vec![fickle(looks), fickle(0), fickle(0)]) {
            Ok(bytes) => assert!(matches!(bytes.len(), 7 | 16), "{looks} {bytes:?}"),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::UnlikeItems { .. }), "{looks} {error}");
            }
        }
    }
}

/// An iterator that returns items after its end.
struct Intermittent<T>(Vec<Option<T>>);

impl<T: Serialize + Clone> Serialize for Intermittent<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = self.0.iter().cloned();
        serializer.collect_seq(std::iter::from_fn(|| items.next().flatten()))
    }
}

#[test]
fn iterators_are_not_called_after_their_end() {
    assert_eq!(to_vec(&Intermittent(vec![None, Some(9u8)])).unwrap(), [0; 4]);
    let bytes = Intermittent(vec![Some(1u8), Some(2), None, Some(9)]);
    assert_eq!(to_vec(&bytes).unwrap(), [2, 0, 0, 0, 1, 2]);
    let pairs = Intermittent(vec![Some((1u8, 2u8)), Some((3, 4)), None, Some((9, 9))]);
    assert_eq!(to_vec(&pairs).unwrap(), [2, 0, 0, 0, 1, 2, 3, 4]);
    let texts = Intermittent(vec![Some("a"), None, Some("b")]);
    assert_eq!(to_vec(&texts).unwrap(), to_vec(&["a"].as_slice()).unwrap());
}

/// A marked struct that continues after the error of a skipped field.
struct Heedless;

impl Serialize for Heedless {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("struct.Heedless", 2)?;
        fields.serialize_field("first", &1u8)?;
        let _ = fields.skip_field("second");
        fields.end()
    }
}

#[test]
fn skipped_fields_that_are_refused_stay_refused() {
    assert_ne!(text(to_vec(&Heedless)), "accepted");
    assert_ne!(text(to_vec(&vec![Heedless, Heedless, Heedless])), "accepted");
    assert_ne!(text(to_vec(&vec![(Heedless, "a"); 3])), "accepted");
}

impl Clone for Heedless {
    fn clone(&self) -> Self {
        Heedless
    }
}

/// A tuple that announces more items than it has.
struct Boastful(usize);

impl Serialize for Boastful {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0)?;
        tuple.serialize_element("text")?;
        tuple.end()
    }
}

#[test]
fn announced_lengths_reserve_no_memory() {
    for announced in [2, 1 << 20, 1 << 28, usize::MAX >> 1, usize::MAX] {
        let (written, stats) = measure_value(|| to_vec(&Boastful(announced)));
        assert!(written.is_err(), "{announced}");
        // The maximum that is reserved at once, and half of it in addition.
        assert!(stats.peak < 8 << 20, "{announced} {stats:?}");
    }
}

#[test]
fn keys_without_values_are_refused() {
    struct Keys;

    impl Serialize for Keys {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_key(&1u8)?;
            map.serialize_key(&2u8)?;
            map.serialize_value(&3u8)?;
            map.end()
        }
    }

    for error in [to_vec(&Keys).unwrap_err(), to_vec(&FixVec(Keys)).unwrap_err()] {
        assert!(matches!(error.kind(), ErrorKind::Length { .. }), "{error}");
    }
    assert!(to_vec(&vec![Keys, Keys, Keys]).is_err());
}

/// Reads with a `Deserializer`, which has no fast path and never begins again.
fn by_deserializer<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    let mut deserializer = Deserializer::from_slice(bytes);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end().map(|()| value)
}

#[test]
fn a_deserializer_returns_ignored_errors_at_its_end() {
    #[derive(Serialize, Deserialize, Debug, PartialEq, Default)]
    #[serde(untagged)]
    enum Any {
        Number(u8),
        #[default]
        Nothing,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Untyped {
        #[serde(deserialize_with = "or_default")]
        any: Any,
    }

    let bytes = to_vec(&Untyped { any: Any::Number(1) }).unwrap();
    let expected = text(from_slice::<Untyped>(&bytes));
    assert!(expected.starts_with("molecule does not describe itself"), "{expected}");
    assert!(expected.ends_with("`fourfold::molecule::with::Any(value)` elsewhere"), "{expected}");
    assert_eq!(text(by_deserializer::<Untyped>(&bytes)), expected);
}

/// Reads one byte, and a second one after a 1.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Uneven(Vec<u8>);

impl<'de> Deserialize<'de> for Uneven {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl<'de> serde::de::Visitor<'de> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a byte or two")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut bytes: A,
            ) -> Result<Vec<u8>, A::Error> {
                let mut read = Vec::new();
                while let Some(byte) = bytes.next_element()? {
                    read.push(byte);
                    if byte != 1 {
                        break;
                    }
                }
                Ok(read)
            }
        }

        deserializer.deserialize_tuple(2, Bytes).map(Uneven)
    }
}

#[test]
fn items_of_a_fixvec_are_of_one_size() {
    let even: Vec<Uneven> = from_slice(&[2, 0, 0, 0, 1, 3, 1, 4]).unwrap();
    assert_eq!(even, [Uneven(vec![1, 3]), Uneven(vec![1, 4])]);
    // They take one byte and two.
    let uneven = [2, 0, 0, 0, 2, 1, 1];
    assert_eq!(
        text(from_slice::<Vec<Uneven>>(&uneven)),
        "2 items cannot fill 3 bytes evenly at byte 0"
    );
    // One byte and three.
    let uneven = [3, 0, 0, 0, 2, 1, 1, 1, 2, 2];
    let expected = "items of one sequence are not all alike: item 1 differs from those before in [1] at byte 5; use `#[serde(with = \"fourfold::molecule::with::any\")]` on the field that holds the whole value, or `fourfold::molecule::with::Any(value)` elsewhere";
    assert_eq!(text(from_slice::<Vec<Uneven>>(&uneven)), expected);
    assert_eq!(text(by_deserializer::<Vec<Uneven>>(&uneven)), expected);
}

#[test]
fn entries_of_a_fixvec_are_of_one_size() {
    type Entries = FixVec<BTreeMap<Uneven, Uneven>>;
    let even = [2, 0, 0, 0, 2, 1, 3, 4, 1, 5];
    assert_eq!(text(from_slice::<Entries>(&even)), "accepted");
    assert_eq!(
        text(from_slice::<Entries>(&[2, 0, 0, 0, 2, 1, 3, 4, 5])),
        "2 items cannot fill 5 bytes evenly at byte 0"
    );
    // Two bytes, four and three.
    let uneven = [3, 0, 0, 0, 2, 2, 1, 1, 1, 1, 1, 3, 2];
    let error = from_slice::<Entries>(&uneven).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnlikeItems { index: 1 }), "{error}");
    assert_eq!((error.offset(), error.path().to_string()), (Some(6), "[1]".to_owned()));
    assert_eq!(text(by_deserializer::<Entries>(&uneven)), error.to_string());
}

#[test]
fn a_newtype_that_is_too_deep_before_a_tuple_has_its_offset() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Outer(Inner);

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Inner(u32);

    let shallow = Options::new().max_depth(1);
    // The first number is not the length of the message; then it is.
    for first in [7, 8] {
        let pair = (Outer(Inner(first)), 0u32);
        let bytes = to_vec(&pair).unwrap();
        assert_eq!(from_slice::<(Outer, u32)>(&bytes).unwrap(), pair);
        let expected =
            "nested deeper than 1 level in [0] at byte 0; use `Options::max_depth` to allow more";
        assert_eq!(text(shallow.from_slice::<(Outer, u32)>(&bytes)), expected);
        assert_eq!(
            text(shallow.to_vec(&pair)),
            "nested deeper than 1 level in [0]; use `Options::max_depth` to allow more"
        );
    }
}

/// A vector at the innermost level is a level, and so are its items.
#[test]
fn vectors_inside_nine_tables_count() {
    type Eight = ((((((((u8,),),),),),),),);

    macro_rules! nested {
        ($($name:ident($inner:ty))*) => {$(
            #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
            struct $name {
                a: $inner,
            }
        )*};
    }
    nested! {
        S1(Vec<Eight>) S2(S1) S3(S2) S4(S3) S5(S4) S6(S5) S7(S6) S8(S7) S9(S8)
    }

    let item = |items: Vec<Eight>| {
        let a = S3 { a: S2 { a: S1 { a: items } } };
        S9 { a: S8 { a: S7 { a: S6 { a: S5 { a: S4 { a } } } } } }
    };
    let mut items = vec![item(vec![]); 60];
    items.push(item(vec![((((((((1,),),),),),),),)]));
    for max_depth in 16..24 {
        let options = Options::new().max_depth(max_depth);
        match options.to_vec(&items) {
            Ok(bytes) => assert_eq!(options.from_slice::<Vec<S9>>(&bytes).unwrap(), items),
            Err(error) => assert_eq!(error.category(), Category::Limit, "{error}"),
        }
    }
}

/// Memory grows by half, also if each vector announces its size.
#[test]
fn long_vectors_in_a_vector_move_little() {
    let vectors = vec![vec![7u64; 1000]; 300];
    let (bytes, stats) = measure_value(|| to_vec(&vectors).unwrap());
    assert!(stats.count < 40, "{stats:?}");
    assert!(stats.peak <= bytes.len() + bytes.len() / 2 + 4096, "{stats:?}");
}

/// `size_hint` is the number of remaining items.
#[test]
fn size_hints_are_the_remaining_items() {
    #[derive(Debug, PartialEq)]
    struct Hints(Vec<Option<usize>>);

    visits! { Hints, "items", deserialize_seq():
        visit_seq |items| {
            let mut hints = vec![items.size_hint()];
            while items.next_element::<String>()?.is_some() {
                hints.push(items.size_hint());
            }
            Ok(Hints(hints))
        }
    }

    let bytes = to_vec(&["a", "b", "c"].as_slice()).unwrap();
    let expected = Hints(vec![Some(3), Some(2), Some(1), Some(0)]);
    assert_eq!(from_slice::<Hints>(&bytes).unwrap(), expected);
}

/// Text that can be printed only once, like that of some iterator adapters.
struct Printed(Cell<bool>);

impl Printed {
    fn new() -> Self {
        Printed(Cell::new(false))
    }
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        assert!(!self.0.replace(true), "printed twice");
        f.write_str("once")
    }
}

impl Serialize for Printed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[test]
fn text_is_printed_once() {
    #[derive(Serialize)]
    struct Line {
        text: Printed,
        rest: String,
    }

    let once = || "once".to_owned();
    let bytes = to_vec(&vec![Printed::new(), Printed::new(), Printed::new()]).unwrap();
    assert_eq!(from_slice::<Vec<String>>(&bytes).unwrap(), [once(), once(), once()]);
    let bytes = to_vec(&(Printed::new(), 1_u8)).unwrap();
    assert_eq!(from_slice::<(String, u8)>(&bytes).unwrap(), (once(), 1));
    let lines = (0..40).map(|at| Line { text: Printed::new(), rest: "x".repeat(at * at) });
    let bytes = to_vec(&lines.collect::<Vec<_>>()).unwrap();
    let read: Vec<(String, String)> = from_slice(&bytes).unwrap();
    assert!(read.iter().all(|(text, _)| *text == "once"), "{read:?}");
}

#[test]
fn empty_vectors_that_announce_items_under_a_mark() {
    struct Announces(usize);

    impl Serialize for Announces {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            struct Hint(usize);

            impl Iterator for Hint {
                type Item = u8;

                fn next(&mut self) -> Option<u8> {
                    None
                }

                fn size_hint(&self) -> (usize, Option<usize>) {
                    (self.0, Some(self.0))
                }
            }
            serializer.collect_seq(Hint(self.0))
        }
    }

    #[derive(Serialize)]
    #[serde(rename = "dynvec.Empty")]
    struct Empty(Announces);

    assert_eq!(to_vec(&Empty(Announces(0))).unwrap(), [4, 0, 0, 0]);
    let alone = to_vec(&Empty(Announces(3))).unwrap_err();
    let after = to_vec(&[0, 0, 3].map(|count| ("text", Empty(Announces(count)))).as_slice());
    let after = after.unwrap_err();
    assert_eq!(after.kind().to_string(), alone.kind().to_string());
    assert_eq!(after.path(), "[2][1]");
}

/// A small message with the header of a table is read as a table, also for a type whose later items depend on the first.
#[test]
fn a_tuple_whose_items_depend_on_the_first() {
    #[derive(Debug, PartialEq)]
    enum Chosen<'a> {
        Text(&'a str),
        Other(u32, [u8; 20]),
    }

    visits! { Chosen<'de>, "a tag and what it chooses", deserialize_tuple(2):
        visit_seq |seq| {
            Ok(match seq.next_element()?.unwrap() {
                1 => Chosen::Text(seq.next_element()?.unwrap()),
                tag => Chosen::Other(tag, seq.next_element()?.unwrap()),
            })
        }
    }

    let table = to_vec(&(1u32, "abcd")).unwrap();
    assert_eq!(from_slice::<Chosen<'_>>(&table).unwrap(), Chosen::Text("abcd"));
    let packed = to_vec(&(2u32, [7u8; 20])).unwrap();
    assert_eq!(from_slice::<Chosen<'_>>(&packed).unwrap(), Chosen::Other(2, [7; 20]));
}

/// The error of a damaged table is that of the table, not that of reading it as a packed tuple.
#[test]
fn errors_of_a_tuple_that_is_a_table() {
    let mut bytes = to_vec(&(true, "hi")).unwrap();
    let (flag, end) = (12, bytes.len());
    bytes[flag] = 2;
    let read = |bytes: &[u8]| text(from_slice::<(bool, String)>(bytes));
    assert_eq!(read(&bytes), "bool is 2, neither 0 nor 1 in [0] at byte 12");
    bytes[flag] = 1;
    bytes[flag + 1] = 3;
    assert!(read(&bytes).ends_with("in [1] at byte 17"), "{}", read(&bytes));

    let mut rows = to_vec(&vec![(true, "hi"), (false, "ho")]).unwrap();
    let last = rows.len() - 6;
    rows[last] += 1;
    let error = text(from_slice::<Vec<(bool, String)>>(&rows));
    assert!(error.contains("in [1][1] at byte"), "{error}");

    // A table of three fields for a type with one.
    #[derive(Debug)]
    struct First;
    visits! { First, "three", deserialize_tuple(3):
        visit_seq |seq| {
            seq.next_element::<u64>()?;
            Ok(First)
        }
    }
    let three = to_vec(&(7_u64, "a", "b")).unwrap();
    let exactly = text(First::deserialize(&mut Deserializer::from_slice(&three)));
    assert_eq!(text(from_slice::<First>(&three)), exactly);
    assert_eq!(end, 19);

    // A valid table that is too deep.
    let deep = to_vec(&(true, (vec![1_u8], "a"), 5_i32)).unwrap();
    let error = Options::new().max_depth(1).from_slice::<(bool, (Vec<u8>, String), i32)>(&deep);
    let error = text(error);
    assert!(error.starts_with("nested deeper than 1 level"), "{error}");
}

/// An error of a type has the path and offset of its value, by each way of reading.
#[test]
fn errors_of_types_have_path_and_offset() {
    type Number = std::num::NonZeroU16;
    let error = Number::deserialize(&mut Deserializer::from_slice(&[0, 0]));
    assert_eq!(text(error), text(from_slice::<Number>(&[0, 0])));
    assert!(text(from_slice::<Number>(&[0, 0])).ends_with("at byte 0"));
}

/// Announces another number of bytes than it has.
struct Announced {
    announced: usize,
    given: usize,
}

impl Serialize for Announced {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_tuple(self.announced)?;
        for _ in 0..self.given {
            items.serialize_element(&1_u8)?;
        }
        items.end()
    }
}

#[test]
fn arrays_of_bytes_longer_than_announced() {
    #[derive(Serialize)]
    #[serde(rename = "struct.Holder")]
    struct Holder {
        bytes: Announced,
    }

    for (announced, given) in [(3, 4), (3, 33), (32, 33), (3, 64), (33, 65)] {
        let refusal = format!("{announced} items announced and {given} given");
        assert!(text(to_vec(&Announced { announced, given })).starts_with(&refusal));
        let holder = Holder { bytes: Announced { announced, given } };
        assert!(text(to_vec(&holder)).starts_with(&refusal));
    }
}

#[test]
fn arrays_after_fields_of_a_struct_in_a_tuple() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "struct.Inner")]
    struct Inner {
        number: u32,
        bytes: [u8; 3],
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename = "struct.Outer")]
    struct Outer {
        before: [[u64; 16]; 2],
        tuple: (u8, u8, Inner),
    }

    let tuple = (1, 2, Inner { number: 0x0403_0201, bytes: [5, 6, 7] });
    let outer = Outer { before: [[9; 16]; 2], tuple };
    let bytes = to_vec(&outer).unwrap();
    assert_eq!(bytes[256..], [1, 2, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(from_slice::<Outer>(&bytes).unwrap(), outer);
}

#[test]
fn items_that_ignore_an_error_are_refused_in_long_lists() {
    /// A struct of one number, which continues after an error.
    struct GoesOn(bool);

    impl Serialize for GoesOn {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_tuple_struct("struct.GoesOn", 1)?;
            if self.0 {
                let _ = fields.serialize_field("dynamic");
            }
            fields.serialize_field(&7_u32)?;
            fields.end()
        }
    }

    for len in [2, 31, 32, 33, 34, 100] {
        let list: Vec<GoesOn> = (0..len).map(|index| GoesOn(index == len / 2)).collect();
        let refusal = "the type ignored an error of a nested value; return that error from its `Serialize` or `Deserialize` implementation";
        assert_eq!(text(to_vec(&list)), refusal, "{len}");
        assert_eq!(text(to_vec(&FixVec(list))), refusal, "{len}");
    }
}

/// Types with and without padding, for which there are different code paths, report the same trailing bytes.
#[test]
fn items_longer_than_their_type() {
    let bytes = [2, 0, 0, 0, 1, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 9];
    let trailing = "2 trailing bytes at byte 14";
    assert_eq!(text(from_slice::<Vec<[u8; 5]>>(&bytes)), trailing);
    assert_eq!(text(from_slice::<Vec<(u8, u32)>>(&bytes)), trailing);
    let bytes = [&[28, 0, 0, 0, 8, 0, 0, 0][..], &[4, 0, 0, 0], &[1; 16]].concat();
    assert_eq!(
        text(from_slice::<Vec<Vec<(u8, u16)>>>(&bytes)),
        "4 trailing bytes in [0] at byte 24"
    );
}
