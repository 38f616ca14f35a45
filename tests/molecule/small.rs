//! `molecule::small`: lazy values, values without allocations, messages that are loaded in pieces. `corpus.rs` and
//! `deserializer.rs` test which messages it accepts.

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

use fourfold::molecule::small::{self, Array, DynVec, FixVec, Lazy, Refused, Source};
use fourfold::molecule::with::{self, dynvec, fixvec};
use fourfold::molecule::{List, Segment, from_slice, to_vec};
use serde::{Deserialize, Deserializer, Serialize};

use crate::damage::messages;
use crate::round_trip::Type;
use crate::support::random::Dice;
use crate::support::{alloc, random};

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Heir {
    hash: [u8; 32],
    since: u64,
    note: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Owned {
    owner: [u8; 32],
    #[serde(with = "dynvec")]
    heirs: Vec<Heir>,
    #[serde(with = "fixvec")]
    pairs: Vec<[u16; 2]>,
    rule: Rule,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(rename = "union.Rule.Limit-3.Free-7")]
enum Rule {
    Limit(u64, String),
    Free,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct BorrowedHeir<'a> {
    #[serde(borrow)]
    hash: Array<'a, 32>,
    since: u64,
    note: Option<&'a str>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Borrowed<'a> {
    #[serde(borrow)]
    owner: Array<'a, 32>,
    #[serde(borrow)]
    heirs: DynVec<'a, BorrowedHeir<'a>>,
    #[serde(borrow)]
    pairs: FixVec<'a, [u16; 2]>,
    #[serde(borrow)]
    rule: Lazy<'a, Rule>,
}

impl Borrowed<'_> {
    /// Whether all lazy values can be read.
    fn check(&self) -> small::Result<()> {
        self.heirs.check()?;
        self.pairs.check()?;
        self.rule.get().map(drop)
    }
}

fn owned(dice: &mut Dice) -> Owned {
    let heir = |dice: &mut Dice| Heir {
        hash: [random::value(dice); 32],
        since: random::value(dice),
        note: random::value(dice),
    };
    Owned {
        owner: [random::value(dice); 32],
        heirs: (0..dice.below(4)).map(|_| heir(dice)).collect(),
        pairs: random::value(dice),
        rule: match dice.one_in(2) {
            true => Rule::Free,
            false => Rule::Limit(random::value(dice), random::value(dice)),
        },
    }
}

#[test]
fn borrowed_values_have_the_bytes_of_owned_ones() {
    random::check("vaults", 200, owned, |_, value| {
        let bytes = to_vec(&value).unwrap();
        assert_eq!(small::from_slice::<Owned>(&bytes).unwrap(), value);
        for borrowed in [small::from_slice::<Borrowed<'_>>(&bytes).ok(), from_slice(&bytes).ok()] {
            let borrowed = borrowed.unwrap();
            assert_eq!(to_vec(&borrowed).unwrap(), bytes);
            assert_eq!(borrowed.check(), Ok(()));
            assert_eq!(*borrowed.owner, value.owner);
            assert_eq!(borrowed.rule.get().as_ref(), Ok(&value.rule));
            assert_eq!(
                (borrowed.heirs.len(), borrowed.pairs.len()),
                (value.heirs.len(), value.pairs.len())
            );
            assert_eq!(
                (borrowed.heirs.is_empty(), borrowed.heirs.iter().len()),
                (value.heirs.is_empty(), value.heirs.len())
            );
            for (index, heir) in value.heirs.iter().enumerate() {
                let read = borrowed.heirs.get(index).unwrap().unwrap();
                assert_eq!(
                    (*read.hash, read.since, read.note),
                    (heir.hash, heir.since, heir.note.as_deref())
                );
            }
            assert!(borrowed.heirs.get(value.heirs.len()).is_none());
            assert!(borrowed.pairs.get(value.pairs.len()).is_none());
            assert_eq!(
                borrowed.pairs.iter().collect::<small::Result<Vec<_>>>().unwrap(),
                value.pairs
            );
            let backwards: Vec<_> = borrowed.pairs.iter().rev().map(Result::unwrap).collect();
            assert_eq!(backwards, value.pairs.iter().rev().copied().collect::<Vec<_>>());
            let (mut sinces, mut pairs) = (Vec::new(), Vec::new());
            for heir in borrowed.heirs {
                sinces.push(heir.unwrap().since);
            }
            assert_eq!(sinces, value.heirs.iter().map(|heir| heir.since).collect::<Vec<_>>());
            for pair in &borrowed.pairs {
                pairs.push(pair.unwrap());
            }
            assert_eq!(pairs, value.pairs);
            let since =
                |heir: Option<small::Result<BorrowedHeir<'_>>>| heir.map(|it| it.unwrap().since);
            assert_eq!(since(borrowed.heirs.first()), value.heirs.first().map(|it| it.since));
            assert_eq!(since(borrowed.heirs.last()), value.heirs.last().map(|it| it.since));
            assert_eq!(borrowed.pairs.first(), value.pairs.first().copied().map(Ok));
            assert_eq!(borrowed.pairs.last(), value.pairs.last().copied().map(Ok));
            assert_eq!(borrowed.pairs.into_iter().nth(1), value.pairs.get(1).copied().map(Ok));
        }
    });
}

/// All lazy values can be read exactly if the whole message can be read.
#[test]
fn damage_is_found_by_lazy_and_full_reading() {
    let mut messages = messages(&Type::new("vaults", owned)).unwrap();
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20_000 {
        let message = messages.next();
        let whole = from_slice::<Owned>(&message).is_ok();
        let parts = small::from_slice::<Borrowed<'_>>(&message).and_then(|value| value.check());
        assert_eq!(whole, parts.is_ok(), "{message:?}");
        assert_eq!(whole, small::from_slice::<Owned>(&message).is_ok(), "{message:?}");
        match whole {
            true => good += 1,
            false => bad += 1,
        }
    }
    assert!(good > 500 && bad > 5000, "{good} and {bad}");
}

/// A type that uses an error's text makes `from_slice` read exactly, but not in other threads.
#[test]
fn threads_are_independent() {
    struct Curious;

    impl<'de> Deserialize<'de> for Curious {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            match bool::deserialize(deserializer) {
                Err(error) if error.to_string().is_empty() => Err(error),
                _ => Ok(Curious),
            }
        }
    }

    let bytes = to_vec(&vec!["text"; 200]).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                drop(from_slice::<Curious>(&[7]));
            }
        });
        let all = (0..5000).all(|_| small::from_slice::<Vec<&str>>(&bytes).is_ok());
        done.store(true, Ordering::Relaxed);
        assert!(all);
    });
}

/// An option that a user's function reads is `None` in an empty slot, without a second reading.
#[test]
fn options_with_functions_are_read_once() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Witness {
        #[serde(with = "serde_bytes")]
        lock: Option<Vec<u8>>,
        #[serde(with = "serde_bytes")]
        output: Option<Vec<u8>>,
    }

    for lock in [None, Some(vec![]), Some(vec![7])] {
        let witness = Witness { lock, output: None };
        let bytes = to_vec(&witness).unwrap();
        assert_eq!(small::from_slice::<Witness>(&bytes), Ok(witness));
    }
}

#[test]
fn lazy_values_at_any_depth() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Outer<'a>(u8, #[serde(borrow)] Inner<'a>, Vec<String>);
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Inner<'a> {
        name: &'a str,
        #[serde(borrow)]
        key: Option<Array<'a, 3>>,
    }

    for key in [None, Some(Array(b"abc"))] {
        let value = Outer(1, Inner { name: "n", key }, vec!["w".into()]);
        let bytes = to_vec(&value).unwrap();
        assert_eq!(
            small::from_slice(&bytes),
            Ok(Outer(1, Inner { name: "n", key }, vec!["w".into()]))
        );
        assert_eq!(from_slice::<Outer<'_>>(&bytes).unwrap(), value);
    }
}

#[test]
fn refused_values_have_a_reason_in_from_slice() {
    fn reason<'a, T: Deserialize<'a> + Debug>(bytes: &'a [u8]) -> String {
        assert_eq!(small::from_slice::<T>(bytes).map(drop), Err(Refused));
        from_slice::<T>(bytes).unwrap_err().to_string()
    }

    let bytes = to_vec(&([7u8; 31], "name")).unwrap();
    type Short<'a> = (Array<'a, 32>, &'a str);
    assert_eq!(reason::<Short<'_>>(&bytes), "32 bytes expected, 31 found in [0] at byte 12");
    let bytes = to_vec(&("fixvec", 1u8)).unwrap();
    type NoDynvec<'a> = (DynVec<'a, String>, u8);
    assert_eq!(
        reason::<NoDynvec<'_>>(&bytes),
        "the bytes are those of no dynvec in [0] at byte 12"
    );
    let bytes = to_vec(&(with::Table((7u16,)), 1u8)).unwrap();
    type NoFixvec<'a> = (FixVec<'a, u32>, u8);
    assert_eq!(
        reason::<NoFixvec<'_>>(&bytes),
        "the bytes are those of no fixvec in [0] at byte 12"
    );
    assert_eq!(Refused.to_string(), "refused; `molecule::from_slice` returns the reason");
}

#[test]
fn vectors_read_only_their_own_bytes() {
    assert_eq!(DynVec::<String>::of(&[4, 0, 0, 0]).map(|list| list.len()), Ok(0));
    assert_eq!(FixVec::<u8>::of(&[0; 4]).map(|list| list.len()), Ok(0));
    for bad in
        [&[][..], &[0; 4], &[5, 0, 0, 0], &[8, 0, 0, 0, 9, 0, 0, 0], &[8, 0, 0, 0, 4, 0, 0, 0]]
    {
        assert_eq!(DynVec::<String>::of(bad).map(drop), Err(Refused), "{bad:?}");
    }
    for bad in [&[][..], &[1, 0, 0, 0], &[2, 0, 0, 0, 1, 1, 1], &[0, 0, 0, 0, 1], &[255; 4]] {
        assert_eq!(FixVec::<u8>::of(bad).map(drop), Err(Refused), "{bad:?}");
    }
    // An item of another size, and offsets that run backwards or out of the vector.
    let items = to_vec(&with::FixVec(vec![1u32])).unwrap();
    assert_eq!(FixVec::<u16>::of(&items).unwrap().get(0), Some(Err(Refused)));
    let items = to_vec(&vec!["a", "b", "c"]).unwrap();
    for (at, offset) in [(8, 15), (8, 30), (12, 200), (12, 20)] {
        let mut bad = items.clone();
        bad[at] = offset;
        assert_eq!(DynVec::<&str>::of(&bad).unwrap().check(), Err(Refused), "{at} {offset}");
        assert!(from_slice::<Vec<&str>>(&bad).is_err());
    }
    // Fixed-size items of a dynvec are refused.
    let numbers = [12, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0];
    assert_eq!(DynVec::<u32>::of(&numbers).unwrap().get(0), Some(Err(Refused)));
}

/// Items of a fixvec have a fixed size, also for types that request dynamic values.
#[test]
fn dynamic_items_of_fixvecs_are_refused() {
    let (word, pair) = ([1, 0, 0, 0, 7, 0, 0, 0], [1, 0, 0, 0, 7, 0]);
    assert_eq!(FixVec::<Option<u32>>::of(&word).unwrap().check(), Err(Refused));
    assert_eq!(FixVec::<Option<(u8, u8)>>::of(&pair).unwrap().check(), Err(Refused));
    assert_eq!(FixVec::<serde::de::IgnoredAny>::of(&pair).unwrap().check(), Err(Refused));
    assert_eq!(FixVec::<&str>::of(&word).unwrap().check(), Err(Refused));
    assert_eq!(FixVec::<(u8, u8)>::of(&pair).unwrap().get(0), Some(Ok((7, 0))));
    let list: List<'_, Option<u32>> = from_slice(&word).unwrap();
    let error = list.get(0).unwrap().unwrap_err().to_string();
    assert!(error.starts_with("an option is dynamic where "), "{error}");
}

/// Nested lazy values count towards the depth of the message.
#[test]
fn depth_counts_through_lazy_values() {
    #[derive(Deserialize)]
    struct Nest<'a> {
        _id: u8,
        #[serde(borrow)]
        next: Option<Lazy<'a, Nest<'a>>>,
    }
    #[derive(Deserialize)]
    struct Plain {
        next: Option<Box<Plain>>,
    }

    let number = |number: u32| number.to_le_bytes();
    let size = |header: usize, inner: &[u8]| number(u32::try_from(header + inner.len()).unwrap());
    let step = |inner: &[u8]| {
        let header = [size(13, inner), number(12), number(13)].concat();
        [&header[..], &[7], inner].concat()
    };
    let mut bytes = Vec::new();
    for _ in 0..1000 {
        bytes = step(&bytes);
    }
    let mut levels = 0;
    let mut nest: small::Result<Nest<'_>> = small::from_slice(&bytes);
    while let Ok(Nest { next: Some(next), .. }) = nest {
        levels += 1;
        nest = next.get();
    }
    assert!(nest.is_err() && levels == 128, "{levels} levels");

    // A table of one field has the bytes of a dynvec of one item.
    let around = |inner: &[u8]| [&size(8, inner)[..], &number(8), inner].concat();
    let mut plain = vec![];
    for _ in 0..127 {
        plain = around(&plain);
    }
    let list = around(&plain);
    assert!(DynVec::<Plain>::of(&list).unwrap().check().is_ok());
    assert!(from_slice::<with::DynVec<Vec<Plain>>>(&list).is_ok());
    let plain = around(&plain);
    assert!(from_slice::<Plain>(&plain).is_ok_and(|plain| plain.next.is_some()));
    let list = around(&plain);
    assert_eq!(DynVec::<Plain>::of(&list).unwrap().check(), Err(Refused));
    assert!(from_slice::<with::DynVec<Vec<Plain>>>(&list).is_err());
}

/// A source that records what was loaded from it.
fn source<'a>(
    bytes: &'a [u8],
    loaded: &'a RefCell<Vec<usize>>,
) -> Source<impl FnMut(usize, &mut [u8]) -> Option<usize> + 'a> {
    Source::new(move |offset, buffer: &mut [u8]| {
        let rest = bytes.get(offset..)?;
        let size = rest.len().min(buffer.len());
        buffer[..size].copy_from_slice(&rest[..size]);
        loaded.borrow_mut().push(size);
        Some(rest.len())
    })
}

#[test]
fn one_field_is_read_without_loading_the_rest() {
    let witness =
        to_vec(&(vec![7u8; 500_000], vec!["one", "two"], vec![[1u16, 2], [3, 4]])).unwrap();
    let loaded = RefCell::default();
    let mut buffer = [0; 32];
    let memory = alloc::measure(|| {
        let mut source = source(&witness, &loaded);
        let path = [Segment::Slot(1), Segment::Index(1)];
        assert_eq!(source.at::<&str>(&path, &mut buffer), Ok("two"));
    });
    let (calls, bytes) = (loaded.borrow().len(), loaded.borrow().iter().sum::<usize>());
    assert!(calls <= 6 && bytes <= 39, "{calls} calls, {bytes} bytes");
    // Only the test's list of loaded ranges takes memory.
    assert!(memory.peak < 500, "{} bytes", memory.peak);

    let mut source = source(&witness, &loaded);
    let pair = source.at::<[u16; 2]>(&[Segment::Slot(2), Segment::Index(1)], &mut buffer);
    assert_eq!((source.size(), pair), (Ok(witness.len()), Ok([3, 4])));
    let found = source.find(&[Segment::Slot(1), Segment::Index(0)]).unwrap();
    assert_eq!(source.load(found, &mut buffer), Ok(&b"\x03\0\0\0one"[..]));
    assert_eq!(source.load(0..40, &mut buffer), Err(Refused));
    for nowhere in [
        &[Segment::Slot(3)][..],
        &[Segment::Index(3)],
        &[Segment::Slot(1), Segment::Index(2)],
        &[Segment::Slot(2), Segment::Index(2)],
        &[Segment::Field("lock".into())],
        &[Segment::Slot(usize::MAX)],
        &[Segment::Index(usize::MAX)],
        &[Segment::Slot(2), Segment::Index(usize::MAX / 2)],
    ] {
        assert_eq!(source.find(nowhere), Err(Refused), "{nowhere:?}");
    }
}

/// A message nested in the bytes of another, such as the lock of a witness.
#[test]
fn nested_messages_are_loaded_in_pieces() {
    let claim = to_vec(&(7u32, 1u64 << 40, vec![1u8; 10_000])).unwrap();
    let witness = to_vec(&(Some(claim), None::<String>, "output")).unwrap();
    let (loaded, mut buffer) = (RefCell::default(), [0; 16]);
    let mut outer = source(&witness, &loaded);
    let mut inner = outer.inner(&[Segment::Slot(0)]).unwrap();
    assert_eq!(inner.at(&[Segment::Slot(1)], &mut buffer), Ok(1u64 << 40));
    assert_eq!(inner.at(&[Segment::Slot(0)], &mut buffer), Ok(7u32));
    assert_eq!(inner.find(&[Segment::Slot(3)]), Err(Refused));
    assert_eq!(inner.load(10_000..10_016, &mut buffer).map(<[u8]>::len), Ok(16));
    // The bytes after the nested message do not belong to it.
    let size = inner.size().unwrap();
    assert_eq!(inner.load(size - 8..size + 8, &mut buffer), Err(Refused));
    assert_eq!(inner.load(size + 8..size + 16, &mut buffer), Err(Refused));
    drop(inner);
    for none in [1, 3] {
        assert!(outer.inner(&[Segment::Slot(none)]).is_err());
    }
    assert!(loaded.borrow().iter().sum::<usize>() < 200);

    let mut bad = witness.clone();
    bad[16] ^= 1;
    assert!(source(&bad, &loaded).inner(&[Segment::Slot(0)]).is_err());
}

/// The results are those of `molecule::at`, also for damaged bytes. A source that returns fewer bytes than it announced is
/// an error.
#[test]
fn sources_and_slices_have_the_same_results() {
    use fourfold::molecule::{Path, at};
    use serde::de::DeserializeOwned;

    fn same<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8], steps: &[Segment]) -> bool {
        let path: String = steps
            .iter()
            .map(|step| match step {
                Segment::Index(index) => format!("[{index}]"),
                step => format!(".{step:?}").replace("Slot(", "").replace(')', ""),
            })
            .collect();
        let path = Path::new(path.trim_start_matches('.')).unwrap();
        let (loaded, mut buffer) = (RefCell::default(), [0; 4096]);
        let part = source(bytes, &loaded).at::<T>(steps, &mut buffer);
        let whole = at::<T>(bytes, &path);
        assert_eq!(part.as_ref().ok(), whole.as_ref().ok(), "{path} of {bytes:?}");
        part.is_ok()
    }

    use Segment::{Index, Slot};
    let mut messages = messages(&Type::new("vaults", owned)).unwrap();
    let mut good = 0;
    for _ in 0..3000 {
        let message = messages.next();
        good += usize::from(same::<[u8; 32]>(&message, &[Slot(0)]));
        good += usize::from(same::<u64>(&message, &[Slot(1), Index(1), Slot(1)]));
        good += usize::from(same::<Option<String>>(&message, &[Slot(1), Index(0), Slot(2)]));
        good += usize::from(same::<[u16; 2]>(&message, &[Slot(2), Index(1)]));
        good += usize::from(same::<Rule>(&message, &[Slot(3)]));
    }
    assert!(good > 1000, "{good}");

    let bytes = to_vec(&(1u32, "text")).unwrap();
    for left in 0..bytes.len() {
        let mut calls = 0;
        let mut shrinking = Source::new(|offset: usize, buffer: &mut [u8]| {
            calls += 1;
            let bytes = if calls > 1 { &bytes[..left] } else { &bytes[..] };
            let rest = bytes.get(offset..)?;
            let size = rest.len().min(buffer.len());
            buffer[..size].copy_from_slice(&rest[..size]);
            Some(rest.len())
        });
        assert_eq!(shrinking.at::<&str>(&[Slot(1)], &mut [0; 9]), Err(Refused), "{left}");
    }
}
