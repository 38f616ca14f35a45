//! Reading records on all cores returns the records of one thread, in the same order.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use fourfold::molecule::{self, Error, List, RecordWriter, Records};
use quickcheck::{Gen, QuickCheck};
use rayon::iter::ParallelIterator;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::support::alloc::measure;

/// The number of records in a window.
const WINDOW: usize = 1 << 13;

/// Asserts that both ways return the same: all records, those after the first, filtered ones, and with an early end.
#[track_caller]
fn assert_same<T: DeserializeOwned + PartialEq + Send>(bytes: &[u8], size: Option<NonZeroUsize>) {
    let text = |record: Result<T, Error>| record.map_err(|error| error.to_string());
    let mut records = Records::<_, T>::from_slice(bytes);
    if let Some(size) = size {
        records = records.of_size(size);
    }
    for _ in 0..2 {
        let one_by_one: Vec<_> = records.clone().map(text).collect();
        let at_once: Vec<_> = records.par_iter().map(text).collect();
        assert!(one_by_one == at_once);
        assert_eq!(records.par_iter().count(), one_by_one.len());
        let good: Vec<_> = records.par_iter().filter_map(Result::ok).collect();
        assert!(records.clone().filter_map(Result::ok).eq(good));
        let all: Result<Vec<T>, _> = records.par_iter().collect();
        assert_eq!(all.is_ok(), one_by_one.iter().all(Result::is_ok));
        let found = records.par_iter().filter_map(Result::err).find_first(|_| true);
        let first = records.clone().find_map(Result::err);
        assert_eq!(found.map(|error| error.to_string()), first.map(|error| error.to_string()));
        records.next();
    }
}

/// Tables of a number and sometimes a text, and the offset of each.
fn tables(count: usize) -> (Vec<u8>, Vec<usize>) {
    let mut writer = RecordWriter::new(Vec::new());
    let text = |index| if index % 1000 == 7 { "x".repeat(index % 5000) } else { String::new() };
    let starts = (0..count)
        .map(|index| writer.write(&(u8::from(index % 2 == 0), text(index))).unwrap().start)
        .collect();
    (writer.into_inner(), starts)
}

type Pair = (bool, String);

#[test]
fn few_records_and_none() {
    assert_same::<Pair>(&[], None);
    assert_same::<Pair>(&tables(1).0, None);
    assert_same::<Pair>(&tables(100).0, None);
}

#[test]
fn many_windows() {
    for count in [WINDOW - 1, WINDOW, WINDOW + 1, 4 * WINDOW + 17] {
        assert_same::<Pair>(&tables(count).0, None);
    }
}

/// An error in a record, in several, at the end of a window; and one that ends the stream.
#[test]
fn damaged_records_in_many_windows() {
    let (whole, starts) = tables(3 * WINDOW);
    for at in [0, WINDOW - 1, WINDOW, 3 * WINDOW - 1] {
        let mut bytes = whole.clone();
        // The bool.
        bytes[starts[at] + 12] = 2;
        assert_same::<Pair>(&bytes, None);
        // The full size.
        bytes[starts[at]..starts[at] + 4].fill(0);
        assert_same::<Pair>(&bytes, None);
        bytes.truncate(starts[at] + 3);
        assert_same::<Pair>(&bytes, None);
    }
}

#[test]
fn records_of_one_size() {
    let size = NonZeroUsize::new(3);
    let bytes: Vec<u8> =
        (0..3 * WINDOW).flat_map(|index| [7, 7, u8::from(index % 99 == 0)]).collect();
    assert_same::<(u16, bool)>(&bytes, size);
    assert_same::<(u16, bool)>(&[], size);
    let mut bytes = bytes;
    bytes[3 * WINDOW + 2] = 9;
    bytes.pop();
    assert_same::<(u16, bool)>(&bytes, size);
    let records = Records::<_, (u16, bool)>::from_slice(&bytes).of_size(size.unwrap());
    assert_eq!(records.par_iter().opt_len(), Some(3 * WINDOW));
    // An incomplete record is one error.
    let mut records = Records::<_, (u16, bool)>::from_slice(&bytes[..2]).of_size(size.unwrap());
    assert_eq!(records.par_iter().count(), 1);
    records.next();
    assert_eq!(records.par_iter().count(), 0);
}

/// Windows are limited in bytes, too.
#[test]
fn long_records() {
    let mut writer = RecordWriter::new(Vec::new());
    for index in 0..20u8 {
        writer.write(&(index % 3, "x".repeat(3 << 20))).unwrap();
    }
    assert_same::<Pair>(&writer.into_inner(), None);
}

/// If the consumer ends early, later records are neither read nor searched.
#[test]
fn records_far_ahead_are_not_read() {
    static READ: AtomicUsize = AtomicUsize::new(0);

    struct Counted;

    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            READ.fetch_add(1, Ordering::Relaxed);
            <()>::deserialize(deserializer).map(|()| Counted)
        }
    }

    let bytes = [4, 0, 0, 0].repeat(200 * WINDOW);
    let records = Records::<_, Counted>::from_slice(&bytes);
    assert!(records.par_iter().find_any(Result::is_ok).is_some());
    assert!(READ.swap(0, Ordering::Relaxed) <= WINDOW);
    assert!(records.par_iter().find_first(Result::is_ok).is_some());
    assert!(READ.swap(0, Ordering::Relaxed) <= WINDOW);
    let far = AtomicUsize::new(0);
    let found = records.par_iter().map(|_| far.fetch_add(1, Ordering::Relaxed));
    assert!(found.find_first(|index| *index > 150 * WINDOW).is_some());
    assert!(far.into_inner() <= 152 * WINDOW);
}

/// Memory is bounded by the window.
#[test]
fn memory_does_not_grow_with_the_file() {
    let bytes = [4, 0, 0, 0].repeat(100 * WINDOW);
    let records = Records::<_, ()>::from_slice(&bytes);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let stats = one_thread.install(|| measure(|| assert!(records.par_iter().all(|it| it.is_ok()))));
    assert!(stats.peak < 1 << 20 && stats.peak >= WINDOW, "{stats:?}");
}

#[test]
fn any_bytes_read_as_by_one_thread() {
    fn property(count: u16, damage: Vec<(usize, u8)>) -> bool {
        let mut bytes = tables(usize::from(count) % (2 * WINDOW)).0;
        for (at, byte) in damage {
            let at = at.checked_rem(bytes.len()).unwrap_or_default();
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
        }
        assert_same::<Pair>(&bytes, None);
        assert_same::<Pair>(&bytes, NonZeroUsize::new(usize::from(count) + 1));
        true
    }
    QuickCheck::new()
        .rng(Gen::new(20))
        .tests(8)
        .quickcheck(property as fn(u16, Vec<(usize, u8)>) -> bool);
}

/// The items of a list are those of one thread, also if offsets run backwards.
#[test]
fn items_of_lists_are_those_of_one_thread() {
    let bytes = molecule::to_vec(&["aa", "bb", "cc", "dd"].map(String::from).to_vec()).unwrap();
    let text = |item: Result<String, Error>| item.map_err(|error| error.to_string());
    for (at, offset) in (4..20).step_by(4).flat_map(|at| (0..60).map(move |offset| (at, offset))) {
        let mut bytes = bytes.clone();
        bytes[at] = offset;
        let Ok(list) = molecule::from_slice::<List<'_, String>>(&bytes) else { continue };
        for start in 0..=list.len() {
            for end in start..=list.len() {
                let some = list.get(start..end).unwrap();
                let one_by_one: Vec<_> = some.iter().map(text).collect();
                let at_once: Vec<_> = some.par_iter().map(text).collect();
                assert_eq!(one_by_one, at_once, "{start}..{end} with {offset} at {at}");
            }
        }
    }
}
