//! Messages with lazy values: the same code for each format in which structs have bytes of their own.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::support::lazy::{assert_alike, is_inside};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Cell {
    capacity: u64,
    lock: String,
    data: Option<Vec<u8>>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Transaction {
    version: u32,
    cells: Vec<Cell>,
    witness: String,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Block {
    number: u64,
    transactions: Vec<Transaction>,
    hashes: Vec<u32>,
    note: Option<Transaction>,
    by_name: BTreeMap<String, Cell>,
}

fn cell(capacity: u64) -> Cell {
    Cell { capacity, lock: format!("lock {capacity}"), data: Some(vec![1, 2, 3]) }
}

fn transaction(version: u32) -> Transaction {
    let cells = (0..u64::from(version)).map(cell).collect();
    Transaction { version, cells, witness: format!("witness {version}") }
}

fn block() -> Block {
    Block {
        number: 7,
        transactions: (1..5).map(transaction).collect(),
        hashes: vec![1, 2, 3],
        note: Some(transaction(2)),
        by_name: [("a".to_owned(), cell(1)), ("b".to_owned(), cell(2))].into(),
    }
}

/// The same code for each format, except for the module path.
macro_rules! raw {
    ($($format:ident)*) => {$(
        mod $format {
            use fourfold::$format::{Error, Lazy, List, Options, Raw, from_slice, to_vec};

            use super::*;

            const IS_MOLECULE: bool = matches!(stringify!($format).as_bytes(), b"molecule");

            #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
            struct LazyTransaction<'a> {
                version: u32,
                #[serde(borrow)]
                cells: List<'a, Cell>,
                witness: Lazy<'a, &'a str>,
            }

            #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
            struct LazyBlock<'a> {
                number: u64,
                #[serde(borrow)]
                transactions: List<'a, LazyTransaction<'a>>,
                hashes: List<'a, u32>,
                note: Option<Lazy<'a, Transaction>>,
                by_name: Raw<'a>,
            }

            #[test]
            fn a_message_is_read_value_by_value() -> Result<(), Error> {
                let block = block();
                let bytes = to_vec(&block)?;
                let lazy: LazyBlock<'_> = from_slice(&bytes)?;
                assert_eq!(lazy.transactions.len(), 4);
                for (lazy, transaction) in lazy.transactions.iter().zip(&block.transactions) {
                    let lazy = lazy?;
                    assert_eq!(lazy.version, transaction.version);
                    assert_eq!(lazy.cells.iter().collect::<Result<Vec<_>, _>>()?, transaction.cells);
                    assert_eq!(lazy.witness.get()?, transaction.witness);
                }
                assert_eq!(lazy.hashes.iter().collect::<Result<Vec<_>, _>>()?, block.hashes);
                assert_eq!(lazy.note.as_ref().unwrap().get()?, transaction(2));
                assert_eq!(lazy.by_name.get::<BTreeMap<String, Cell>>()?, block.by_name);
                assert_eq!(to_vec(&lazy)?, bytes);
                Ok(())
            }

            /// Borrowed values outlive the lazy values that they were read from.
            #[test]
            fn what_is_read_borrows_from_the_input() -> Result<(), Error> {
                fn witness(bytes: &[u8]) -> Result<&str, Error> {
                    let block: LazyBlock<'_> = from_slice(bytes)?;
                    block.transactions.get(2).unwrap()?.witness.get()
                }
                assert_eq!(witness(&to_vec(&block())?)?, "witness 3");
                Ok(())
            }

            #[test]
            fn lists_have_ranges() -> Result<(), Error> {
                let bytes = to_vec(&block())?;
                let lazy: LazyBlock<'_> = from_slice(&bytes)?;
                let some = lazy.transactions.get(1..3).unwrap();
                assert_eq!(some.len(), 2);
                assert_eq!(some.get(1).unwrap()?.version, 3);
                assert!(some.get(2).is_none());
                assert_eq!(some.get(1..).unwrap().get(0).unwrap()?.version, 3);
                assert!(lazy.transactions.get(3..5).is_none());
                assert!(lazy.transactions.get(4..4).unwrap().is_empty());
                assert_eq!(lazy.transactions.get(..).unwrap(), lazy.transactions);
                assert_eq!(lazy.transactions.iter().size_hint(), (4, Some(4)));
                // The bytes of a range would be those of the whole list.
                let error = to_vec(&some).unwrap_err();
                assert!(error.to_string().contains("collect the items"), "{error}");
                Ok(())
            }

            /// For each changed byte, reading on demand returns the same error as reading at once.
            #[test]
            fn damage_is_found_when_it_is_read_with_the_same_error() -> Result<(), Error> {
                let bytes = to_vec(&block())?;
                let (mut found, mut alike) = (0, 0);
                for at in 0..bytes.len() {
                    for change in [0x01, 0x80, 0xff] {
                        let mut damaged = bytes.clone();
                        damaged[at] ^= change;
                        match (from_slice::<Block>(&damaged), all_values(&damaged)) {
                            (Ok(whole), Ok(parts)) => assert_eq!(whole, parts),
                            (Err(whole), Err(parts)) => {
                                found += 1;
                                // A header with two errors may be read from either side. In biniou, whether the bytes are a
                                // value at all is checked first, and then its type.
                                if whole.offset() == parts.offset() && (IS_MOLECULE || is_inside(&parts, &whole)) {
                                    alike += 1;
                                    assert_alike(&parts, &whole);
                                }
                            }
                            // A lazy value is checked completely, also the parts that its type does not read.
                            (Ok(_), Err(_)) if !IS_MOLECULE => {}
                            (whole, parts) => panic!("byte {at}: {whole:?}, by parts {parts:?}"),
                        }
                    }
                }
                assert!(found > 500 && alike * 10 > found * if IS_MOLECULE { 9 } else { 3 }, "{alike} of {found}");
                Ok(())
            }

            fn all_values(bytes: &[u8]) -> Result<Block, Error> {
                let lazy: LazyBlock<'_> = from_slice(bytes)?;
                let mut transactions = Vec::new();
                for transaction in &lazy.transactions {
                    let LazyTransaction { version, cells, witness } = transaction?;
                    let cells = cells.iter().collect::<Result<_, _>>()?;
                    transactions.push(Transaction { version, cells, witness: witness.get()?.to_owned() });
                }
                Ok(Block {
                    number: lazy.number,
                    transactions,
                    hashes: lazy.hashes.iter().collect::<Result<_, _>>()?,
                    note: lazy.note.map(|note| note.get()).transpose()?,
                    by_name: lazy.by_name.get()?,
                })
            }

            #[test]
            fn errors_have_their_place_in_the_whole_message() -> Result<(), Error> {
                let bytes = to_vec(&block())?;
                let text = b"lock 2";
                // In the last transaction, since it is the last but the note's.
                let at = bytes.windows(text.len()).rposition(|bytes| bytes == text);
                let at = bytes[..at.unwrap()].windows(text.len()).rposition(|bytes| bytes == text).unwrap();
                let mut damaged = bytes.clone();
                damaged[at] = 0xff;

                let expected = from_slice::<Block>(&damaged).unwrap_err();
                assert_eq!(expected.path(), "transactions[3].cells[2].lock");
                let lazy: LazyBlock<'_> = from_slice(&damaged)?;
                let cells = lazy.transactions.get(3).unwrap()?.cells;
                assert_eq!(cells.get(1).unwrap()?, cell(1));
                let error = cells.get(2).unwrap().unwrap_err();
                assert_eq!(error.path(), "[2].lock");
                assert_alike(&error, &expected);
                // Later items can be read.
                let items: Vec<_> = cells.iter().collect();
                assert!(items[2].is_err() && items[3].is_ok());
                assert_alike(items[2].as_ref().unwrap_err(), &expected);
                Ok(())
            }

            /// Lazy values of each compound kind.
            #[test]
            fn lazy_values_may_be_anywhere() -> Result<(), Error> {
                #[derive(Serialize, Deserialize, Debug, PartialEq)]
                enum Choice<'a> {
                    #[serde(borrow)]
                    One(Lazy<'a, String>),
                    Two {
                        #[serde(borrow)]
                        inner: Raw<'a>,
                    },
                    Three(u8, #[serde(borrow)] Raw<'a>),
                }

                #[derive(Serialize, Deserialize, Debug, PartialEq)]
                struct Inner<'a> {
                    #[serde(borrow)]
                    part: Lazy<'a, String>,
                }

                #[derive(Serialize, Deserialize, Debug, PartialEq)]
                struct Outer<'a> {
                    #[serde(borrow)]
                    inner: Inner<'a>,
                    choices: Vec<Choice<'a>>,
                    map: BTreeMap<u8, Lazy<'a, String>>,
                    pair: (u8, Lazy<'a, String>),
                    first: (Lazy<'a, String>, u8),
                    list: Vec<Raw<'a>>,
                    lazies: Vec<Lazy<'a, String>>,
                    option: Option<Lazy<'a, String>>,
                }

                let text = Raw::of("part")?;
                let lazy = || text.lazy::<String>();
                let outer = Outer {
                    inner: Inner { part: lazy() },
                    choices: vec![
                        Choice::One(lazy()),
                        Choice::Two { inner: text.clone() },
                        Choice::Three(1, text.clone()),
                    ],
                    map: [(1, lazy()), (2, lazy())].into(),
                    pair: (1, lazy()),
                    first: (lazy(), 1),
                    list: vec![text.clone(), text.clone()],
                    lazies: vec![lazy(), lazy()],
                    option: Some(lazy()),
                };
                let bytes = to_vec(&outer)?;
                assert_eq!(from_slice::<Outer<'_>>(&bytes)?, outer);
                assert_eq!(to_vec(&from_slice::<Outer<'_>>(&bytes)?)?, bytes);

                let mut damaged = bytes;
                for at in 0..damaged.len() {
                    if damaged[at..].starts_with(b"part") {
                        damaged[at] = 0xff;
                    }
                }
                let mut offsets = BTreeSet::new();
                let outer: Outer<'_> = from_slice(&damaged)?;
                let Outer { inner, choices, map, pair, first, list, lazies, option } = &outer;
                let Choice::One(one) = &choices[0] else { panic!("{outer:?}") };
                let Choice::Two { inner: two } = &choices[1] else { panic!("{outer:?}") };
                let Choice::Three(_, three) = &choices[2] else { panic!("{outer:?}") };
                for (error, what) in [
                    (inner.part.get().unwrap_err(), "inner.part"),
                    (one.get().unwrap_err(), "choices[0]"),
                    (two.get::<String>().unwrap_err(), "choices[1].inner"),
                    (three.get::<String>().unwrap_err(), "choices[2].1"),
                    (map[&2].get().unwrap_err(), "map[1].value"),
                    (pair.1.get().unwrap_err(), "pair[1]"),
                    (list[1].get::<String>().unwrap_err(), "list[1]"),
                    (lazies[1].get().unwrap_err(), "lazies[1]"),
                    (option.as_ref().unwrap().get().unwrap_err(), "option"),
                    (first.0.get().unwrap_err(), "first[0]"),
                ] {
                    // The path begins at the lazy value.
                    assert_eq!(error.path(), "", "{what}");
                    let offset = error.offset().unwrap();
                    assert_eq!(&damaged[offset..offset + 4], b"\xffart", "{what}");
                    assert!(offsets.insert(offset), "{what}");
                }
                Ok(())
            }

            /// The depth of a lazy value continues that of the message.
            #[test]
            fn lazy_values_nest_as_deep_as_the_message() -> Result<(), Error> {
                #[derive(Serialize, Deserialize, Debug, PartialEq)]
                struct Node {
                    next: Option<Box<Node>>,
                }
                #[derive(Serialize, Deserialize, Debug, PartialEq)]
                struct LazyNode<'a> {
                    #[serde(borrow)]
                    next: Option<Lazy<'a, LazyNode<'a>>>,
                }
                let mut node = Node { next: None };
                for _ in 0..20 {
                    node = Node { next: Some(Box::new(node)) };
                }
                let bytes = to_vec(&node)?;
                for limit in 15..46 {
                    let options = Options::new().max_depth(limit);
                    let whole = options.from_slice::<Node>(&bytes);
                    let mut lazy = options.from_slice::<LazyNode<'_>>(&bytes);
                    while let Ok(LazyNode { next: Some(next) }) = &lazy {
                        lazy = next.get();
                    }
                    assert_eq!(whole.is_ok(), lazy.is_ok(), "{limit}: {whole:?} {lazy:?}");
                    if let (Err(whole), Err(lazy)) = (whole, lazy) {
                        assert_eq!(whole.offset(), lazy.offset());
                        assert_eq!(whole.kind().to_string(), lazy.kind().to_string());
                    }
                    // Molecule writes the bytes of a lazy value as they are, biniou as deep as they are read.
                    if !IS_MOLECULE {
                        let raw = Raw::of(&node)?;
                        let is_written = options.to_vec(&node).is_ok();
                        assert_eq!(options.to_vec(&raw).is_ok(), is_written, "{limit}");
                    }
                }
                Ok(())
            }
        }
    )*};
}

raw! { biniou molecule }
