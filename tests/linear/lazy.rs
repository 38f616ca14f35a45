//! Lazy values and lists: reading on demand is linear.

use fourfold::{biniou, molecule, primitiv};
use serde::{Deserialize, Serialize};

use super::{Counted, cost, linear, measure_value};

macro_rules! lists {
    ($($format:ident)*) => {$(
        mod $format {
            use fourfold::$format::{List, from_slice, to_vec};

            use super::*;

            fn texts(count: usize) -> Vec<u8> {
                to_vec(&vec!["a text of some length, not short".to_owned(); count]).unwrap()
            }

            /// Each item is read once.
            #[test]
            fn items() {
                linear(concat!(stringify!($format), " items of a list"), |count| {
                    let bytes = texts(count);
                    let cost = cost(bytes.len(), || {
                        let list: List<'_, Counted<&str>> = from_slice(&bytes).unwrap();
                        assert_eq!(list.iter().filter(Result::is_ok).count(), count);
                    });
                    assert_eq!(cost.steps, count);
                    assert_eq!(cost.memory.count, 0, "{:?}", cost.memory);
                    cost
                });
            }

            /// Items of another type are read once, too.
            #[test]
            fn items_that_cannot_be_read() {
                linear(concat!(stringify!($format), " bad items of a list"), |count| {
                    let bytes = texts(count);
                    cost(bytes.len(), || {
                        let list: List<'_, Counted<(u8, bool)>> = from_slice(&bytes).unwrap();
                        assert_eq!(list.iter().filter(Result::is_err).count(), count);
                    })
                });
            }

            /// Skipping a list allocates nothing and reads no item.
            #[test]
            fn skipped() {
                linear(concat!(stringify!($format), " list that is not read"), |count| {
                    let bytes = texts(count);
                    let cost = cost(bytes.len(), || {
                        let list: List<'_, Counted<String>> = from_slice(&bytes).unwrap();
                        assert_eq!(list.len(), count);
                    });
                    assert_eq!(cost.steps, 0);
                    assert!(cost.memory.count < 16, "{:?}", cost.memory);
                    cost
                });
            }
        }
    )*};
}

/// Tests for each format.
mod each {
    use super::{Counted, cost, linear};

    lists! { biniou molecule primitiv }
}

#[derive(Serialize)]
struct Node {
    payload: String,
    next: Option<Box<Node>>,
}

/// A chain of `depth` nodes around a text.
fn chain(depth: usize, payload: &str) -> Node {
    let last = Node { payload: payload.to_owned(), next: None };
    (0..depth).fold(last, |node, _| Node { payload: String::new(), next: Some(Box::new(node)) })
}

/// Each level is read alone, without its nested levels.
#[test]
fn lazy_values_in_lazy_values() {
    #[derive(Deserialize)]
    struct LazyNode<'a> {
        #[serde(borrow)]
        payload: molecule::Lazy<'a, Counted<String>>,
        next: Option<molecule::Lazy<'a, LazyNode<'a>>>,
    }
    for depth in [1, 10, 100] {
        let bytes = molecule::to_vec(&chain(depth, &"x".repeat(1 << 20))).unwrap();
        let cost = cost(bytes.len(), || {
            let mut node: LazyNode<'_> = molecule::from_slice(&bytes).unwrap();
            let mut levels = 0;
            while let Some(next) = &node.next {
                node = next.get().unwrap();
                levels += 1;
            }
            assert_eq!(levels, depth);
            node.payload.raw().bytes().len()
        });
        // The steps of each path are kept, and not the bytes.
        assert!(cost.memory.peak < 64 << 10, "{depth}: {:?}", cost.memory);
        assert!(cost.memory.total < 1 << 20, "{depth}: {:?}", cost.memory);
        assert_eq!(cost.steps, 0);
    }
}

/// Hostile counts reserve no memory.
#[test]
fn many_items_of_nothing() {
    // 2^30 rows without columns, as TABLE; more are refused than may be.
    let rows = [&[25][..], &[0x80, 0x80, 0x80, 0x80, 0x04], &[0]].concat();
    let (error, memory) =
        measure_value(|| biniou::from_slice::<biniou::List<'_, ()>>(&rows).unwrap_err());
    assert!(error.to_string().contains("1073741824"), "{error}");
    assert!(memory.total < 4096, "{memory:?}");
    // 2^30 units of one byte each.
    let units = [&[19][..], &[0x80, 0x80, 0x80, 0x80, 0x04], &[24], &[0; 64]].concat();
    let (error, memory) =
        measure_value(|| biniou::from_slice::<biniou::List<'_, ()>>(&units).unwrap_err());
    assert!(error.offset().is_some_and(|offset| offset < units.len()), "{error}");
    assert!(memory.total < 4096, "{memory:?}");
    // A fixvec of 2^30 items in 64 bytes, and a dynvec whose header is longer than it.
    let fixvec = [&(1u32 << 30).to_le_bytes()[..], &[0; 64]].concat();
    let dynvec = [&68u32.to_le_bytes()[..], &(1u32 << 30).to_le_bytes(), &[0; 60]].concat();
    for bytes in [fixvec, dynvec] {
        let (error, memory) =
            measure_value(|| molecule::from_slice::<molecule::List<'_, ()>>(&bytes).unwrap_err());
        assert!(error.offset().is_some(), "{error}");
        assert!(memory.total < 4096, "{memory:?}");
    }
    // An array of 2^30 objects in 64 bytes.
    let array = [&[0xdd, 0x40, 0, 0, 0][..], &[0xc0; 64]].concat();
    let (error, memory) =
        measure_value(|| primitiv::from_slice::<primitiv::List<'_, ()>>(&array).unwrap_err());
    assert!(error.is_eof(), "{error}");
    assert!(memory.total < 4096, "{memory:?}");
}

/// Offsets that go back and forth, so that each item is the whole list, also in nested lists.
#[test]
fn items_that_overlap_in_each_other() {
    fn overlapping(count: usize, body: &[u8]) -> Vec<u8> {
        let header = 4 * (count + 1);
        let (start, end) = (header, header + body.len());
        let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let offsets = (0..count).flat_map(|at| number(if at % 2 == 0 { start } else { end }));
        number(end).into_iter().chain(offsets).chain(body.iter().copied()).collect()
    }
    type Lists<'a> = molecule::List<'a, molecule::List<'a, molecule::List<'a, Counted<&'a str>>>>;
    linear("molecule lists that overlap in lists", |count| {
        let text = molecule::to_vec("one text for all").unwrap();
        let bytes = (0..3).fold(text, |body, _| overlapping(count / 3, &body));
        let cost = cost(bytes.len(), || {
            let lists: Lists<'_> = molecule::from_slice(&bytes).unwrap();
            let mut items = 0;
            for lists in lists.iter().flatten() {
                for list in lists.iter().flatten() {
                    items += list.iter().flatten().count();
                }
            }
            assert_eq!(items, 1);
        });
        assert_eq!(cost.steps, 1);
        cost
    });
}

/// Overlapping items are read as often as they are requested, and at most as many as there are offsets.
#[test]
fn items_that_overlap() {
    linear("molecule items that overlap", |count| {
        // Each item begins where the last one does, and ends where the next one begins: only the last has bytes.
        let header = 4 * (count + 1);
        let item = molecule::to_vec("one text for all").unwrap();
        let full_size = u32::try_from(header + item.len()).unwrap();
        let start = u32::try_from(header).unwrap();
        let mut bytes = full_size.to_le_bytes().to_vec();
        bytes.extend((0..count).flat_map(|_| start.to_le_bytes()));
        bytes.extend(&item);
        let cost = cost(bytes.len(), || {
            let list: molecule::List<'_, Option<Counted<&str>>> =
                molecule::from_slice(&bytes).unwrap();
            assert_eq!(list.iter().filter(|item| matches!(item, Ok(Some(_)))).count(), 1);
            assert_eq!(list.iter().filter(|item| matches!(item, Ok(None))).count(), count - 1);
        });
        assert_eq!(cost.steps, 2);
        cost
    });
}
