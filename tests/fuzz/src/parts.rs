//! Properties of values that are read alone: `Raw`, `Lazy`, `List` and `at` have the same results as reading the whole
//! message.

use std::fmt::{Debug, Display};

use fourfold::Error;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::draws::Draws;
use crate::support::fixture::hex;
use crate::support::random::once;
use crate::support::zoo::{
    ArrayText, Bool, Buffer, Carrier, F64, Key, MapText, Nest, OptionText, Outcome, Point, Record,
    Scalars, Shape, Suit, Text, TupleFixed, U8, U32, Unit, VecPair, VecText, VecU8,
};
use crate::zoo::{Format, assert_reason};

/// Calls a macro with the types of lazy values, each after a word: whether its values are `one` object of MessagePack
/// or `several`.
macro_rules! for_each_part {
    ($callback:ident) => {
        $callback! {
            several ArrayText, one Bool, one Buffer, several Carrier, one F64, several Key, one MapText,
            one Nest, one OptionText, several Outcome, several Point, several Record, several Scalars,
            several Shape, one Suit, one Text, several TupleFixed, one U8, one U32, one Unit,
            several VecPair, one VecText, one VecU8
        }
    };
}

/// A value with other fields before and after it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Holder<T> {
    pub(crate) before: u8,
    pub(crate) value: T,
    pub(crate) after: String,
}

/// How a format reads lazy values.
pub(crate) trait Parts: Format {
    /// Whether a lazy value has to be one object.
    const ONE_OBJECT: bool = false;

    /// Whether lazy values may be refused with this error when they are found, though the whole message can be read:
    /// for rules that apply to lazy values alone.
    fn is_of_parts(refused: &Error<Self::Kind>) -> bool;

    /// Whether an error is about the position of an item, which is reported for another item if all of them are read.
    fn is_of_place(_refused: &Error<Self::Kind>) -> bool {
        false
    }

    /// Whether errors in the items of a list are found in the same order as when it is read at once.
    fn in_order(_list: &[u8], _refused: &Error<Self::Kind>) -> bool {
        true
    }

    /// Reads the sequence, as a message or a field, in another form that lists have.
    fn other_form<T: Part>(_: &[u8], _is_field: bool) -> Option<ReadResult<Vec<T>, Self>> {
        None
    }

    /// Writes that other form.
    fn write_other_form<T: Part>(_: Vec<T>) -> Option<Vec<u8>> {
        None
    }

    /// Reads the value in a `W` at a path of names or of numbers, with each function of the format.
    fn at<'p, W: Part, T: Part>(
        _: &[u8],
        _names: Option<&'p str>,
        _numbers: &'p str,
    ) -> Vec<(&'p str, ReadResult<T, Self>)> {
        Vec::new()
    }
}

/// The result of reading.
pub(crate) type ReadResult<T, F> = Result<T, Error<<F as Format>::Kind>>;

/// Types of lazy values.
pub(crate) trait Part: Serialize + DeserializeOwned + Debug {}

impl<T: Serialize + DeserializeOwned + Debug> Part for T {}

/// A value, compared so that NaN equals NaN; or kind, offset and path of the error.
pub(crate) fn outcome_text<T: Debug, K: fourfold::Kind>(read: &Result<T, Error<K>>) -> String {
    match read {
        Ok(value) => format!("{value:?}"),
        Err(refused) => error(refused),
    }
}

/// Whether two results for a value have the same value, or the same error at the same place. The path of a lazy
/// value's error begins at the lazy value.
fn are_alike<F: Parts, T: Debug>(part: &ReadResult<T, F>, expected: &ReadResult<T, F>) -> bool {
    match (part, expected) {
        (Err(part), Err(expected)) => {
            let steps: Vec<_> = part.path().segments().collect();
            let others: Vec<_> = expected.path().segments().collect();
            (part.kind().to_string(), part.offset())
                == (expected.kind().to_string(), expected.offset())
                && (others.ends_with(&steps) || steps.ends_with(&others))
        }
        _ => outcome_text(part) == outcome_text(expected),
    }
}

fn error<K: fourfold::Kind>(error: &Error<K>) -> String {
    format!("{} at {:?} in {}", error.kind(), error.offset(), error.path())
}

/// A message and what it is read as, for reports.
#[derive(Clone, Copy)]
struct Case<'a> {
    name: &'a str,
    /// Whether values of the type are several objects.
    is_several: bool,
    message: &'a [u8],
}

impl Display for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.name, hex(self.message))
    }
}

impl Case<'_> {
    /// Lazy values that cannot be found: the whole message is refused as well, except for rules that apply to lazy
    /// values alone.
    fn refused<F: Parts, T: Debug>(self, error: &Error<F::Kind>, whole: &ReadResult<T, F>) {
        assert_reason(error, self.message);
        if whole.is_ok() {
            let is_of_parts = self.may_be_cut::<F>() || F::is_of_parts(error);
            assert!(is_of_parts, "{self}: {error}, and the whole is read");
        }
    }

    /// Whether a lazy value may be only some of the objects of a value.
    fn may_be_cut<F: Parts>(self) -> bool {
        F::ONE_OBJECT && self.is_several
    }

    /// Asserts that a value that is read on demand has the same result as in the whole message.
    fn lazy<F: Parts, T: Debug>(self, part: &ReadResult<T, F>, whole: &ReadResult<T, F>) {
        match part {
            Err(error) if self.may_be_cut::<F>() => assert_reason(error, self.message),
            _ => self.assert_alike::<F, _>(part, whole),
        }
    }

    /// Asserts that the items of a list, up to the first error, are the items or the error of the whole.
    fn list<F: Parts, T: Debug>(
        self,
        list: &[u8],
        items: &ReadResult<Vec<T>, F>,
        whole: &ReadResult<Vec<T>, F>,
        other: Option<&ReadResult<Vec<T>, F>>,
    ) {
        match (items, whole, other) {
            (Err(error), ..) if self.may_be_cut::<F>() => assert_reason(error, self.message),
            (Err(error), Err(whole), _)
                if !F::in_order(list, error) || !F::in_order(list, whole) =>
            {
                assert_reason(error, self.message);
            }
            // The bytes determine the form of a list, which may differ from that of the type without a mark.
            (Ok(items), Err(_), Some(_)) if items.is_empty() => {}
            (_, Err(_), Some(other)) if other.is_ok() || are_alike::<F, _>(items, other) => {
                self.assert_alike::<F, _>(items, other);
            }
            _ => self.assert_alike::<F, _>(items, whole),
        }
    }

    /// Asserts that each path to a value has the same result, which is that of the whole message if it can be read.
    fn at<F: Parts, W: Part, T: Part>(
        self,
        is_read: bool,
        (names, numbers): (&str, &str),
        expected: &ReadResult<T, F>,
    ) {
        for (path, part) in F::at::<W, T>(self.message, is_read.then_some(names), numbers) {
            // Their paths have the same steps with other names.
            match (&part, expected) {
                (Err(error), Err(expected))
                    if F::is_of_place(error) && F::is_of_place(expected) =>
                {
                    assert_reason(error, self.message);
                }
                (Err(error), Err(expected)) if path != names => {
                    assert_eq!(error.kind().to_string(), expected.kind().to_string(), "{self}");
                    assert_eq!(error.offset(), expected.offset(), "{path} {self}");
                }
                _ => self.assert_alike::<F, _>(&part, expected),
            }
        }
    }

    /// Asserts that two results have the same value, or the same error at the same place.
    fn assert_alike<F: Parts, T: Debug>(
        self,
        part: &ReadResult<T, F>,
        expected: &ReadResult<T, F>,
    ) {
        let alike = are_alike::<F, _>(part, expected);
        assert!(alike, "{} and {}: {self}", outcome_text(part), outcome_text(expected));
    }
}

/// Some indices below `count`.
fn some_of(count: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(1 + count / 8).chain(count.checked_sub(1))
}

macro_rules! readers {
    ($($word:ident $type:ident),*) => {
        &[$(|message| each::<$type>(stringify!($word), stringify!($type), message)),*]
    };
}

macro_rules! writers {
    ($($word:ident $type:ident),*) => {
        &[$(of::<$type>),*]
    };
}

/// The same code for each format, except for the module path.
macro_rules! formats {
    ($($format:ident $name:ident;)*) => {$(
        pub(crate) mod $format {
            use fourfold::$format::{Lazy, List, OwnedRaw, Raw, from_reader, from_slice, to_vec};

            use super::*;
            use crate::$format::$name;

            #[derive(Serialize, Deserialize)]
            struct LazyHolder<'a, T> {
                before: u8,
                #[serde(borrow)]
                value: Lazy<'a, T>,
                after: String,
            }

            #[derive(Serialize, Deserialize)]
            struct ListHolder<'a, T> {
                before: u8,
                #[serde(borrow)]
                value: List<'a, T>,
                after: String,
            }

            /// Reads a message as a type, as a sequence of it, and as a struct that contains one of them.
            fn each<T: Part>(word: &str, name: &str, message: &[u8]) {
                let case = Case { name, is_several: word == "several", message };
                lazy::<T>(case);
                lazy_field::<T>(case);
                list::<T>(case);
                list_field::<T>(case);
            }

            fn lazy<T: Part>(case: Case<'_>) {
                let message = case.message;
                let whole = from_slice::<T>(message);
                let read = $name::BOUND.hold(case.name, message, || from_slice::<Lazy<'_, T>>(message));
                let lazy = match read {
                    Ok(lazy) => lazy,
                    Err(error) => return case.refused::<$name, _>(&error, &whole),
                };
                case.lazy::<$name, _>(&lazy.get(), &whole);
                assert_eq!((&*lazy.bytes(), lazy.offset()), (message, 0), "{case}");
                let (raw, owned) = (lazy.raw(), from_reader::<_, OwnedRaw>(message).unwrap());
                assert_eq!(outcome_text(&raw.get::<T>()), outcome_text(&lazy.get()), "{case}");
                assert_eq!(outcome_text(&owned.get::<T>()), outcome_text(&lazy.get()), "{case}");
                // Written again, it is the same bytes.
                let written = [to_vec(&lazy), to_vec(&raw), to_vec(&owned), to_vec(&Raw::from(owned))];
                for written in written {
                    assert_eq!(hex(&written.unwrap()), hex(message), "{case}");
                }
            }

            fn lazy_field<T: Part>(case: Case<'_>) {
                let message = case.message;
                let whole = from_slice::<Holder<T>>(message).map(|holder| holder.value);
                let holder = match from_slice::<LazyHolder<'_, T>>(message) {
                    Ok(holder) => holder,
                    Err(error) => return case.refused::<$name, _>(&error, &whole),
                };
                let part = holder.value.get();
                case.lazy::<$name, _>(&part, &whole);
                if whole.is_ok() {
                    case.at::<$name, Holder<T>, _>(true, ("value", "1"), &part);
                }
                let written = to_vec(&holder).unwrap();
                let again: LazyHolder<'_, T> = from_slice(&written).unwrap();
                assert_eq!(holder.value.bytes(), again.value.bytes(), "{case}");
                assert_eq!(hex(&to_vec(&again).unwrap()), hex(&written), "{case}");
            }

            fn list<T: Part>(case: Case<'_>) {
                let message = case.message;
                let whole = from_slice::<Vec<T>>(message);
                let list = match from_slice::<List<'_, T>>(message) {
                    Ok(list) => list,
                    Err(error) => return case.refused::<$name, _>(&error, &whole),
                };
                let other = $name::other_form::<T>(message, false);
                items(case, &list, &whole, other.as_ref());
                for index in some_of(list.len()) {
                    let path = format!("[{index}]");
                    let item = list.get(index).unwrap();
                    case.at::<$name, Vec<T>, _>(whole.is_ok(), (&path, &path), &item);
                }
                assert_eq!((&*list.bytes(), list.offset()), (message, 0), "{case}");
                assert_eq!(hex(&to_vec(&list).unwrap()), hex(message), "{case}");
                assert_eq!(Raw::from(&list).bytes(), message, "{case}");
            }

            fn list_field<T: Part>(case: Case<'_>) {
                let message = case.message;
                let whole = from_slice::<Holder<Vec<T>>>(message).map(|holder| holder.value);
                let holder = match from_slice::<ListHolder<'_, T>>(message) {
                    Ok(holder) => holder,
                    Err(error) => return case.refused::<$name, _>(&error, &whole),
                };
                let list = &holder.value;
                let other = $name::other_form::<T>(message, true);
                items(case, list, &whole, other.as_ref());
                for index in some_of(list.len()) {
                    let (names, numbers) = (format!("value[{index}]"), format!("1[{index}]"));
                    let item = list.get(index).unwrap();
                    case.at::<$name, Holder<Vec<T>>, _>(whole.is_ok(), (&names, &numbers), &item);
                }
                let written = to_vec(&holder).unwrap();
                let again: ListHolder<'_, T> = from_slice(&written).unwrap();
                assert_eq!(list.bytes(), again.value.bytes(), "{case}");
                assert_eq!(hex(&to_vec(&again).unwrap()), hex(&written), "{case}");
            }

            /// The items of a list in order, by their numbers and by ranges.
            fn items<T: Part>(
                case: Case<'_>,
                list: &List<'_, T>,
                whole: &ReadResult<Vec<T>, $name>,
                other: Option<&ReadResult<Vec<T>, $name>>,
            ) {
                let count = list.len();
                let message = case.message;
                let looked = || list.iter().filter(Result::is_err).count();
                $name::BOUND.hold(case.name, message, looked);
                case.list::<$name, _>(&list.bytes(), &list.iter().collect(), whole, other);
                let all: Vec<_> = list.iter().collect();
                assert!(all.len() <= count, "{case}");
                // The iterator ends early only after an error.
                assert!(all.len() == count || all.last().is_some_and(Result::is_err), "{case}");
                assert!(list.get(count).is_none() && list.get(count + 1..).is_none(), "{case}");
                for index in some_of(all.len()) {
                    let (item, from) = (list.get(index).unwrap(), list.get(index..).unwrap());
                    assert_eq!(outcome_text(&item), outcome_text(&all[index]), "item {index}, {case}");
                    assert_eq!(outcome_text(&from.iter().next().unwrap()), outcome_text(&item), "{case}");
                    assert_eq!(from.len(), count - index, "{case}");
                }
            }

            /// The encoding of values of the type of that number, in each form.
            pub(crate) fn written(number: u8, input: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
                fn of<T: Part>(input: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
                    let mut draws = Draws::new(input);
                    let mut draw = || once::<T>(&mut draws, 12, false).ok();
                    let (Some(one), Some(a), Some(b), Some(c)) = (draw(), draw(), draw(), draw())
                    else {
                        return Vec::new();
                    };
                    let items = vec![a, b, c];
                    let list = to_vec(&items).ok();
                    let holder = Holder { before: 1, value: items, after: "after".into() };
                    let lists = to_vec(&holder).ok();
                    let other = $name::write_other_form(holder.value);
                    let other = other.filter(|other| list.as_ref() != Some(other));
                    let field = to_vec(&Holder { before: 1, value: one, after: "after".into() }).ok();
                    let written =
                        [("field", field), ("list", list), ("list-field", lists), ("other", other)];
                    written.into_iter().filter_map(|(form, made)| Some((form, made?))).collect()
                }
                let table: &[fn(&[u8]) -> Vec<(&'static str, Vec<u8>)>] = for_each_part!(writers);
                table[usize::from(number) % table.len()](input)
            }

            /// Reads lazy values of the type that the first byte selects.
            pub(crate) fn read(input: &[u8]) {
                let table: &[fn(&[u8])] = for_each_part!(readers);
                if let Some((&number, message)) = input.split_first() {
                    table[usize::from(number) % table.len()](message);
                }
            }
        }
    )*};
}

formats! {
    biniou Biniou;
    molecule Molecule;
    primitiv Primitiv;
}

macro_rules! number {
    ($($word:ident $type:ident),*) => {
        [$(stringify!($type)),*].len()
    };
}

pub(crate) fn count() -> usize {
    for_each_part!(number)
}
