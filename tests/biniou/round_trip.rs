//! No third outcome, over the zoo: what is written reads back equal, or it is refused.

pub(crate) mod shared;
pub(crate) mod unlike;

use crate::support::fact;
use crate::support::format::{Biniou, assert_read_alike, assert_written_alike};
use crate::support::random;
use crate::support::random::Dice;
use crate::support::zoo;
use crate::writing::WITHOUT_WINDOWS;
use fourfold::biniou::{
    self, Dictionary, Error, Options, StreamDeserializer, Value, from_reader, from_slice,
    from_value, take_from_slice, to_value, to_vec, to_writer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::fmt::{self, Debug};

/// Values per type.
const CASES: usize = if cfg!(debug_assertions) { 100 } else { 2000 };

pub(crate) trait Document:
    Serialize + DeserializeOwned + PartialEq + Debug + 'static
{
}
impl<T: Serialize + DeserializeOwned + PartialEq + Debug + 'static> Document for T {}

/// What the writer owes a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Owed {
    Bytes,
    Refusal,
    /// Either is fine, as long as what is written reads back equal.
    Either,
}

/// Every error has a reason.
pub(crate) fn assert_reason(error: &Error, about: &dyn Debug) {
    let (kind, text) = (error.kind().to_string(), error.to_string());
    assert!(!kind.trim().is_empty(), "no reason: {about:?}");
    assert!(text.contains(kind.as_str()), "{text} does not say {kind}: {about:?}");
    assert_eq!(text.lines().count(), 1, "{text}");
    if let Some(offset) = error.offset() {
        assert!(fact(&text).ends_with(&format!("at byte {offset}")), "{text}");
    }
}

/// What is written reads back equal, by every way in, and is written the same again.
///
/// The bytes, if there are any.
#[track_caller]
pub(crate) fn assert_outcome<T: Document>(name: &str, value: &T, owed: Owed) -> Option<Vec<u8>> {
    let bytes = match to_vec(value) {
        Err(error) => {
            assert_reason(&error, value);
            assert_ne!(owed, Owed::Bytes, "{name} {value:?} is refused: {error}");
            let written = to_writer(Vec::new(), value);
            assert!(written.is_err(), "only to_vec refuses {name} {value:?}");
            assert!(to_value(value).is_err(), "only to_vec refuses {name} {value:?}");
            assert!(WITHOUT_WINDOWS.to_vec(value).is_err(), "{name} {value:?}");
            return None;
        }
        Ok(bytes) => bytes,
    };
    let shown = Hex(&bytes);
    assert_ne!(owed, Owed::Refusal, "{name} {value:?} is written: {shown}");

    // Equal hash tables are written alike as long as they are not moved.
    assert_written_alike::<Biniou, T>(name, value, &bytes);

    // Deep values are refused there.
    if let Ok(plain) = WITHOUT_WINDOWS.to_vec(value) {
        assert_eq!(plain, bytes, "{name} {value:?} without windows");
    }

    let back: T = from_slice(&bytes)
        .unwrap_or_else(|error| panic!("{name} {value:?} as {shown} is not read: {error}"));
    assert_eq!(&back, value, "{name} through {shown}");
    if !name.contains("Hash") {
        let again = to_vec(&back).unwrap();
        assert_eq!(Hex(&again), shown, "{name} {value:?} written again");
    }
    assert_all_readers(name, value, &bytes);
    assert_tree(name, value, &bytes);
    Some(bytes)
}

/// Every reading function returns the value.
fn assert_all_readers<T: Document>(name: &str, value: &T, bytes: &[u8]) {
    let shown = Hex(bytes);
    assert_read_alike::<Biniou, T>(name, value, bytes);

    let three = [bytes; 3].concat();
    let (read, rest) = take_from_slice::<T>(&three).unwrap();
    assert_eq!(&read, value, "take_from_slice of {name} {shown}");
    assert_eq!(rest.len(), 2 * bytes.len(), "take_from_slice of {name} {shown}");
    let error = from_slice::<T>(&three).unwrap_err();
    assert_eq!(error.offset(), Some(bytes.len()), "{name} {shown}: {error}");
    let lax = Options::new().allow_trailing(true);
    assert_eq!(&lax.from_slice::<T>(&three).unwrap(), value, "{name} {shown}");

    let mut slice = StreamDeserializer::<_, T>::from_slice(&three);
    let mut reader = StreamDeserializer::<_, T>::from_reader(three.as_slice());
    for count in 1..=3 {
        assert_eq!(&slice.next().unwrap().unwrap(), value, "stream of {name} {shown}");
        assert_eq!(&reader.next().unwrap().unwrap(), value, "stream of {name} {shown}");
        assert_eq!(slice.offset(), count * bytes.len(), "stream of {name} {shown}");
        assert_eq!(reader.offset(), count * bytes.len(), "stream of {name} {shown}");
    }
    assert!(slice.next().is_none() && reader.next().is_none(), "stream of {name} {shown}");
}

/// The tree of the value is that of the bytes, and is equal for both.
fn assert_tree<T: Document>(name: &str, value: &T, bytes: &[u8]) {
    let shown = Hex(bytes);
    let tree: Value = from_slice(bytes)
        .unwrap_or_else(|error| panic!("{name} {value:?} as {shown} is no Value: {error}"));
    assert_eq!(Hex(&to_vec(&tree).unwrap()), shown, "Value of {name} {value:?}: {tree:?}");
    let read: T = from_value(&tree).unwrap();
    assert_eq!(&read, value, "from_value of {name} {tree:?}");
    assert_eq!(to_value(value).unwrap(), tree, "to_value of {name} {value:?}");
    assert_eq!(to_value(&tree).unwrap(), tree, "to_value of the Value of {name}");
    assert_eq!(from_value::<Value>(&tree).unwrap(), tree, "from_value of the Value of {name}");
    let three = [bytes; 3].concat();
    let trees: biniou::Result<Vec<Value>> = StreamDeserializer::from_slice(&three).collect();
    assert_eq!(trees.unwrap(), [tree.clone(), tree.clone(), tree], "stream of {name} {shown}");
}

/// The bytes of every value that serde shows in full.
fn visible<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
    random::check(name, CASES, make, |_, value| {
        let owed = match (&value as &dyn Any).downcast_ref() {
            Some(zoo::SkippedVariant::Hidden) => Owed::Refusal,
            _ => Owed::Bytes,
        };
        assert_outcome(name, &value, owed);
    });
}

/// Whether a reader needs the names of the hashes.
fn needs_names(value: &dyn Any) -> bool {
    fn on<T: 'static>(value: &dyn Any, needs: impl FnOnce(&T) -> bool) -> Option<bool> {
        value.downcast_ref().map(needs)
    }
    let record = |item: &zoo::Untagged| matches!(item, zoo::Untagged::Record { .. });
    on(value, record)
        .or_else(|| on(value, |v: &zoo::UntaggedItems| v.items.iter().any(record)))
        .or_else(|| on(value, |_: &zoo::Internal| true))
        .or_else(|| on(value, |_: &zoo::FlattenNested| true))
        // With `arbitrary_precision`, a number is a struct with one field.
        .or_else(|| on(value, |v: &serde_json::Value| v.is_number()))
        .unwrap_or(false)
}

/// Types that drop something on one side, which no format can restore: they are read back as
/// from any other format, if they do.
fn is_torn(value: &dyn Any) -> bool {
    value.is::<zoo::ReadOnly>() || value.is::<zoo::WriteOnly>() || value.is::<zoo::TupleSkipsIf>()
}

/// A map is an ARRAY of TUPLEs, and a type that takes whatever comes takes it for that.
fn is_map(value: &dyn Any) -> bool {
    value.downcast_ref().is_some_and(serde_json::Value::is_object)
}

fn unseen<T: Document>(name: &str, make: fn(&mut Dice) -> T) {
    let words = "kind value id name key points x y a b $serde_json::private::Number";
    let names = Dictionary::from_words(&words.replace(' ', "\n")).unwrap();
    let named = Options::new().names(names);
    random::check(name, CASES, make, |_, value| {
        let bytes = to_vec(&value).unwrap();
        let shown = Hex(&bytes);
        let tree: Value = from_slice(&bytes).unwrap();
        assert_eq!(Hex(&to_vec(&tree).unwrap()), shown, "Value of {name} {value:?}");
        if is_map(&value) {
            return;
        }
        let read: biniou::Result<T> = from_slice(&bytes);
        match &read {
            Ok(back) if is_torn(&value) => {
                let json = serde_json::to_string(&value).unwrap();
                let other: T = serde_json::from_str(&json).unwrap();
                assert_eq!(back, &other, "{name} {value:?} through {shown}");
            }
            Ok(back) => assert_eq!(back, &value, "{name} through {shown}"),
            Err(error) => {
                assert_reason(error, &value);
                let known = !is_torn(&value) && !needs_names(&value);
                assert!(!known, "{name} {value:?} through {shown}: {error}");
            }
        }
        let other: biniou::Result<T> = from_reader(bytes.as_slice());
        assert_eq!(read.ok(), other.ok(), "{name} {shown}");
        if needs_names(&value) {
            let read: T = named
                .from_slice(&bytes)
                .unwrap_or_else(|error| panic!("{name} {value:?} as {shown}, with names: {error}"));
            assert_eq!(read, value, "{name} {shown} with names");
        }
    });
}

/// One test per type.
macro_rules! outcomes {
    ($($word:ident $name:ident = $make:expr;)*) => {$(
        #[test]
        #[allow(non_snake_case, reason = "the name of a type")]
        fn $name() {
            #[allow(unused_imports, reason = "not every generator is by hand")]
            use crate::support::{random::value, zoo::*};
            $word::<zoo::$name>(stringify!($name), $make);
        }
    )*};
}

mod types {
    use super::{unseen, visible};
    use crate::support::zoo::{self, for_each_zoo_type};

    for_each_zoo_type!(outcomes);
}

/// Bytes as hex, for messages and comparisons that are read by people.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes ", self.0.len())?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Debug for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Floats are read back bit by bit, whether they are numbers or not.
#[test]
fn floats_keep_their_bits() {
    for bits in [0, 1 << 31, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff, 0x7f80_0000, 1] {
        let float = f32::from_bits(bits);
        let bytes = to_vec(&float).unwrap();
        assert_eq!(bytes, [&[11], &bits.to_be_bytes()[..]].concat());
        assert_eq!(from_slice::<f32>(&bytes).unwrap().to_bits(), bits);
        assert_eq!(to_vec(&from_slice::<Value>(&bytes).unwrap()).unwrap(), bytes);
    }
    for bits in [0, 1 << 63, 0x7ff8 << 48, 0x7ff0_0000_0000_0001, u64::MAX, 1] {
        let float = f64::from_bits(bits);
        let bytes = to_vec(&float).unwrap();
        assert_eq!(bytes, [&[12], &bits.to_be_bytes()[..]].concat());
        assert_eq!(from_slice::<f64>(&bytes).unwrap().to_bits(), bits);
        assert_eq!(to_vec(&from_slice::<Value>(&bytes).unwrap()).unwrap(), bytes);
    }
}

/// A name and its hash are one thing in biniou. Two names with one hash are two in Rust.
#[test]
fn names_with_one_hash() {
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Both {
        azdwbie: u8,
        c7diagq: u8,
    }
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    #[allow(non_camel_case_types, reason = "names with one hash")]
    enum Either {
        azdwbie(u8),
        c7diagq(u8),
    }
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Far {
        azdwbie: u8,
        inner: Near,
    }
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Near {
        c7diagq: u8,
    }
    assert_outcome("struct", &Both { azdwbie: 1, c7diagq: 2 }, Owed::Refusal);
    assert_outcome(
        "rows",
        &biniou::with::Table(vec![Both { azdwbie: 1, c7diagq: 2 }]),
        Owed::Refusal,
    );
    assert_outcome("apart", &Far { azdwbie: 1, inner: Near { c7diagq: 2 } }, Owed::Bytes);
    // Strings are no names.
    let map =
        std::collections::BTreeMap::from([("azdwbie".to_owned(), 1), ("c7diagq".to_owned(), 2)]);
    assert_outcome("map", &map, Owed::Bytes);

    // The writer sees one variant, the reader all of them.
    for value in [Either::azdwbie(1), Either::c7diagq(1)] {
        let bytes = to_vec(&value).unwrap();
        let error = from_slice::<Either>(&bytes).unwrap_err();
        assert_reason(&error, &value);
        assert!(error.to_string().contains("azdwbie"), "{error}");
        assert!(error.to_string().contains("c7diagq"), "{error}");
    }
}
