//! Lazy values: `Raw`, `Lazy`, `List`.

use std::collections::BTreeMap;
use std::rc::Rc;

use fourfold::biniou::{
    self, Error, Lazy, List, Options, OwnedRaw, Raw, from_slice, to_vec,
    with::{Shared, Table},
};
use quickcheck::quickcheck;
use serde::{Deserialize, Serialize};

/// Kind, offset and path.
fn facts(error: &Error) -> (String, Option<usize>, String) {
    (error.kind().to_string(), error.offset(), error.path().to_string())
}

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
    hashes: Vec<(u8, u8, u8, u8)>,
    note: Option<Transaction>,
    by_name: BTreeMap<String, Cell>,
}

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
    hashes: List<'a, (u8, u8, u8, u8)>,
    note: Option<Lazy<'a, Transaction>>,
    by_name: Raw<'a>,
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
        hashes: vec![(1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3)],
        note: Some(transaction(2)),
        by_name: [("a".to_owned(), cell(1)), ("b".to_owned(), cell(2))].into(),
    }
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
    // Its bytes would be those of all.
    let error = to_vec(&some).unwrap_err();
    assert!(error.to_string().contains("collect the items"), "{error}");
    Ok(())
}

/// Whatever byte is changed: lazy reading finds it, and returns the same error as reading at once.
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
                    // Whether the bytes are a value at all is checked first, and then its type.
                    if whole.offset() == parts.offset()
                        && whole.path().to_string().ends_with(&parts.path().to_string())
                    {
                        alike += 1;
                        assert_eq!(whole.kind().to_string(), parts.kind().to_string(), "byte {at}");
                    }
                }
                // A lazy value is checked as a whole, also where its type would not read.
                (Ok(_), Err(_)) => {}
                (whole, parts) => panic!("byte {at}: {whole:?}, by parts {parts:?}"),
            }
        }
    }
    assert!(found > 500 && alike * 3 > found, "{alike} of {found}");
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
    // The path begins at the list.
    let (kind, offset, _) = facts(&expected);
    let expected = (kind, offset, "[2].lock".to_owned());
    assert_eq!(facts(&cells.get(2).unwrap().unwrap_err()), expected);
    // The next ones follow.
    let items: Vec<_> = cells.iter().collect();
    assert!(items[2].is_err() && items[3].is_ok());
    assert_eq!(facts(items[2].as_ref().unwrap_err()), expected);
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
    struct Row<'a> {
        #[serde(borrow)]
        cell: Lazy<'a, String>,
        number: u8,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Outer<'a> {
        #[serde(borrow)]
        choices: Vec<Choice<'a>>,
        map: BTreeMap<u8, Lazy<'a, String>>,
        pair: (u8, Lazy<'a, String>),
        list: Vec<Raw<'a>>,
        lazies: Vec<Lazy<'a, String>>,
        option: Option<Lazy<'a, String>>,
        table: Table<Vec<Row<'a>>>,
    }

    let text = Raw::of("part")?;
    let lazy = || text.lazy::<String>();
    let outer = Outer {
        choices: vec![
            Choice::One(lazy()),
            Choice::Two { inner: text.clone() },
            Choice::Three(1, text.clone()),
        ],
        map: [(1, lazy()), (2, lazy())].into(),
        pair: (1, lazy()),
        list: vec![text.clone(), text.clone()],
        lazies: vec![lazy(), lazy()],
        option: Some(lazy()),
        table: Table(vec![Row { cell: lazy(), number: 1 }, Row { cell: lazy(), number: 2 }]),
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
    let outer: Outer<'_> = from_slice(&damaged)?;
    let Outer { choices, map, pair, list, lazies, option, table } = &outer;
    let Choice::One(one) = &choices[0] else { panic!("{outer:?}") };
    let Choice::Two { inner: two } = &choices[1] else { panic!("{outer:?}") };
    let Choice::Three(_, three) = &choices[2] else { panic!("{outer:?}") };
    for (error, what) in [
        (one.get().unwrap_err(), "choices[0]"),
        (two.get::<String>().unwrap_err(), "choices[1].inner"),
        (three.get::<String>().unwrap_err(), "choices[2].1"),
        (map[&2].get().unwrap_err(), "map[1].value"),
        (pair.1.get().unwrap_err(), "pair[1]"),
        (list[1].get::<String>().unwrap_err(), "list[1]"),
        (lazies[1].get().unwrap_err(), "lazies[1]"),
        (option.as_ref().unwrap().get().unwrap_err(), "option"),
        (table.0[1].cell.get().unwrap_err(), "table[1].cell"),
    ] {
        // The path begins at the lazy value.
        assert_eq!(error.path(), "", "{what}");
        let offset = error.offset().unwrap();
        assert_eq!(&damaged[offset..offset + 4], b"\xffart", "{what}");
    }
    Ok(())
}

/// The tag of an ARRAY's items is stored once before them.
#[test]
fn items_have_their_tag() -> Result<(), Error> {
    let bytes = to_vec(&vec!["a", "b"])?;
    let items: Vec<Raw<'_>> = from_slice(&bytes)?;
    assert_eq!(items[1].bytes(), [18, 1, b'b']);
    assert_eq!(items[1].get::<&str>()?, "b");
    let items: Vec<Lazy<'_, &str>> = from_slice(&bytes)?;
    assert_eq!(*items[1].bytes(), [18, 1, b'b']);
    assert_eq!((items[1].get()?, items[1].offset()), ("b", 4));
    assert_eq!(items[1], from_slice(&[18, 1, b'b'])?);
    assert_eq!(to_vec(&items)?, bytes);
    // With another tag among them, each gets its own, as always.
    let (one, two) = (Raw::of("a")?, Raw::of(&7u8)?);
    assert_eq!(to_vec(&[one, two])?, to_vec(&("a", 7u8))?);
    // Lists in lists.
    let bytes = to_vec(&vec![vec![1u8, 2], vec![3, 4]])?;
    let lists: List<'_, List<'_, u8>> = from_slice(&bytes)?;
    assert_eq!(lists.get(1).unwrap()?.get(0).unwrap()?, 3);
    let lists: Vec<List<'_, u8>> = from_slice(&bytes)?;
    assert_eq!(lists[1].iter().collect::<Result<Vec<_>, _>>()?, [3, 4]);
    assert_eq!(to_vec(&lists)?, bytes);
    Ok(())
}

#[test]
fn rows_of_a_table_are_items() -> Result<(), Error> {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Row {
        name: String,
        number: u16,
    }
    let row = |number| Row { name: format!("row {number}"), number };
    let rows: Vec<Row> = (0..5).map(row).collect();
    let bytes = to_vec(&Table(rows.clone()))?;
    let list: List<'_, Row> = from_slice(&bytes)?;
    assert_eq!(list.iter().collect::<Result<Vec<_>, _>>()?, rows);
    assert_eq!(list.get(3).unwrap()?, row(3));
    assert_eq!(to_vec(&list)?, bytes);
    // A row has no bytes of its own.
    let error = from_slice::<Vec<Raw<'_>>>(&bytes).unwrap_err();
    assert!(error.to_string().contains("a row of a table"), "{error}");

    let mut damaged = bytes;
    let at = damaged.windows(5).position(|bytes| bytes == b"row 2").unwrap();
    damaged[at] = 0xff;
    let whole = from_slice::<Vec<Row>>(&damaged).unwrap_err();
    let list: List<'_, Row> = from_slice(&damaged)?;
    let items: Vec<_> = list.iter().collect();
    assert_eq!(facts(items[2].as_ref().unwrap_err()), facts(&whole));
    assert!(items.len() == 5 && items[3].is_ok());
    assert_eq!(facts(&list.get(2).unwrap().unwrap_err()), facts(&whole));
    Ok(())
}

/// The tag of an ARRAY's items is stored before the first one. A list has its offset, and a lazy item does not.
#[test]
fn an_error_of_a_shared_tag_has_the_offset_of_the_tag() -> Result<(), Error> {
    for bytes in [&[19, 1, 18, 0][..], &[19, 3, 18, 0, 1, 65, 1, 66]] {
        let whole = from_slice::<Vec<Vec<u8>>>(bytes).unwrap_err();
        let list: List<'_, Vec<u8>> = from_slice(bytes)?;
        assert_eq!(facts(&list.get(0).unwrap().unwrap_err()), facts(&whole));
        for item in [list.iter().last().unwrap(), list.get(list.len() - 1).unwrap()] {
            assert_eq!(item.unwrap_err().offset(), Some(2));
        }
    }
    let bytes = [19, 3, 18, 0, 1, 65, 1, 66];
    let list: List<'_, Lazy<'_, u8>> = from_slice(&bytes)?;
    let items: Vec<Lazy<'_, u8>> = from_slice(&bytes)?;
    for item in items.into_iter().chain([list.get(2).unwrap()?]) {
        let error = item.get().unwrap_err();
        assert_eq!(error.offset(), Some(item.offset()));
        assert_eq!(facts(&item.raw().get::<u8>().unwrap_err()), facts(&error));
    }
    Ok(())
}

#[test]
fn a_row_of_a_table_has_no_bytes_to_write() -> Result<(), Error> {
    let row = Raw::of(&BTreeMap::from([("x", 1u8)]))?;
    let error = to_vec(&Table(vec![row])).unwrap_err();
    let text = "a row of a table has no bytes of its own, so lazy values cannot be rows in [0]; remove the mark \
                `table`, or use the type of the rows";
    assert_eq!(error.to_string(), text);
    Ok(())
}

#[test]
fn lazy_values_can_be_the_whole_message() -> Result<(), Error> {
    let bytes = to_vec("text")?;
    let raw: Raw<'_> = from_slice(&bytes)?;
    assert_eq!((raw.bytes(), raw.offset()), (&*bytes, 0));
    assert_eq!(raw.get::<String>()?, "text");
    assert_eq!(raw, Raw::of("text")?);
    let owned: OwnedRaw = biniou::from_reader(&*bytes)?;
    assert_eq!(owned.get::<&str>()?, "text");
    assert_eq!(to_vec(&owned)?, bytes);
    // What is no value is refused at once.
    for (bytes, offset) in [(&b"\x12\x05ab"[..], 1), (&[9, 1], 0), (&[0, 2], 1), (&[18, 0, 0], 2)] {
        assert_eq!(from_slice::<Raw<'_>>(bytes).unwrap_err().offset(), Some(offset), "{bytes:?}");
    }
    Ok(())
}

#[test]
fn references_stay_in_their_lazy_value() -> Result<(), Error> {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Pair<'a>(#[serde(borrow)] Raw<'a>, #[serde(borrow)] Raw<'a>);

    let shared = Shared(Rc::new("shared".to_owned()));
    let both = (shared.clone(), shared.clone());
    let bytes = to_vec(&(both.clone(), 1u8))?;
    let (raw, _): (Raw<'_>, u8) = from_slice(&bytes)?;
    assert_eq!(raw.get::<(String, String)>()?, ("shared".into(), "shared".into()));
    assert_eq!(to_vec(&(raw, 1u8))?, bytes);

    let bytes = to_vec(&both)?;
    // Items are read by themselves.
    let error = from_slice::<List<'_, String>>(&bytes).unwrap_err();
    assert!(error.to_string().contains("read it as a `Vec`"), "{error}");
    assert_eq!(from_slice::<Vec<String>>(&bytes)?, ["shared", "shared"]);
    let alone = to_vec(&vec![Shared(Rc::new("a".to_owned())), Shared(Rc::new("b".to_owned()))])?;
    let list: List<'_, String> = from_slice(&alone)?;
    assert_eq!(list.iter().collect::<Result<Vec<_>, _>>()?, ["a", "b"]);

    // One that is shared itself is no list.
    assert!(from_slice::<List<'_, u8>>(&[26, 0, 19, 1, 16, 1]).is_err());
    assert_eq!(from_slice::<Lazy<'_, Vec<u8>>>(&[26, 0, 19, 1, 16, 1])?.get()?, [1]);

    let error = from_slice::<Pair<'_>>(&bytes).unwrap_err();
    assert!(error.to_string().contains("refers to a shared value outside of itself"), "{error}");
    assert_eq!(error.path(), "1");
    Ok(())
}

#[test]
fn other_formats_refuse_lazy_values() -> Result<(), Error> {
    let raw = Raw::of("text")?;
    let error = serde_json::to_string(&raw).unwrap_err();
    let reason = "raw bytes of biniou are written by `fourfold::biniou` only";
    assert!(error.to_string().starts_with(reason), "{error}");
    let error = serde_json::from_str::<Raw<'_>>("\"text\"").unwrap_err();
    let reason = "raw bytes of biniou are read by `fourfold::biniou` only";
    assert!(error.to_string().starts_with(reason), "{error}");
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
    for limit in 36..46 {
        let options = Options::new().max_depth(limit);
        let whole = options.from_slice::<Node>(&bytes);
        let mut lazy = options.from_slice::<LazyNode<'_>>(&bytes);
        while let Ok(LazyNode { next: Some(next) }) = &lazy {
            lazy = next.get();
        }
        assert_eq!(whole.is_ok(), lazy.is_ok(), "{limit}: {whole:?} {lazy:?}");
        if let (Err(whole), Err(lazy)) = (whole, lazy) {
            assert_eq!(
                (whole.kind().to_string(), whole.offset()),
                (lazy.kind().to_string(), lazy.offset())
            );
        }
        // What is written is as deep as what is read.
        let raw = Raw::of(&node)?;
        assert_eq!(options.to_vec(&raw).is_ok(), options.to_vec(&node).is_ok(), "{limit}");
    }
    Ok(())
}

quickcheck! {
    /// Any lazy value is read back, and is written unchanged.
    fn any_lazy_value_is_read_back(words: Vec<String>, numbers: Vec<u32>, option: Option<u64>) -> bool {
        #[derive(Serialize, Deserialize)]
        struct Whole { words: Vec<String>, numbers: Vec<u32>, option: Option<u64> }
        #[derive(Serialize, Deserialize)]
        struct Parts<'a> {
            #[serde(borrow)]
            words: List<'a, &'a str>,
            numbers: List<'a, u32>,
            option: Lazy<'a, Option<u64>>,
        }
        let bytes = to_vec(&Whole { words: words.clone(), numbers: numbers.clone(), option }).unwrap();
        let parts: Parts<'_> = from_slice(&bytes).unwrap();
        let some: Result<Vec<_>, _> = parts.words.iter().collect();
        let found: Result<Vec<_>, _> = parts.numbers.iter().collect();
        some.unwrap() == words
            && found.unwrap() == numbers
            && parts.option.get().unwrap() == option
            && to_vec(&parts).unwrap() == bytes
    }
}
