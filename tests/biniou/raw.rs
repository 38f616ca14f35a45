//! Lazy values: `Raw`, `Lazy`, `List`.

use std::collections::BTreeMap;
use std::rc::Rc;

use fourfold::biniou::{
    self, Error, Lazy, List, OwnedRaw, Raw, from_slice, to_vec,
    with::{Shared, Table},
};
use serde::{Deserialize, Serialize};

use crate::support::lazy::facts;

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
    // With an item of another tag, each item has its own tag.
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
    // Bytes that are not a value are refused immediately.
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
    // Items are read alone.
    let error = from_slice::<List<'_, String>>(&bytes).unwrap_err();
    assert!(error.to_string().contains("read it as a `Vec`"), "{error}");
    assert_eq!(from_slice::<Vec<String>>(&bytes)?, ["shared", "shared"]);
    let alone = to_vec(&vec![Shared(Rc::new("a".to_owned())), Shared(Rc::new("b".to_owned()))])?;
    let list: List<'_, String> = from_slice(&alone)?;
    assert_eq!(list.iter().collect::<Result<Vec<_>, _>>()?, ["a", "b"]);

    // A shared list is refused.
    assert!(from_slice::<List<'_, u8>>(&[26, 0, 19, 1, 16, 1]).is_err());
    assert_eq!(from_slice::<Lazy<'_, Vec<u8>>>(&[26, 0, 19, 1, 16, 1])?.get()?, [1]);

    let error = from_slice::<Pair<'_>>(&bytes).unwrap_err();
    assert!(error.to_string().contains("refers to a shared value outside of itself"), "{error}");
    assert_eq!(error.path(), "1");
    Ok(())
}
