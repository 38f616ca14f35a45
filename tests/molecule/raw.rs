//! Lazy values: `Raw`, `Lazy`, `List`.

use fourfold::Category;
use fourfold::molecule::{
    self, Error, Lazy, List, Options, OwnedRaw, Raw, from_slice, to_vec,
    with::{DynVec, FixVec, Struct},
};
use serde::{Deserialize, Serialize};

use crate::support::lazy::{assert_alike, facts};

/// Empty slots have the same offset, and are distinguished although other types have the size of a lazy value.
#[test]
fn empty_slots_are_distinguished() -> Result<(), Error> {
    #[derive(Deserialize)]
    #[serde(from = "Lazy<'_, u32>")]
    struct Failed(String, [u8; 3]);

    impl From<Lazy<'_, u32>> for Failed {
        fn from(lazy: Lazy<'_, u32>) -> Self {
            Failed(lazy.get().unwrap_err().to_string(), [0; 3])
        }
    }

    #[derive(Deserialize)]
    struct Holder<T> {
        #[serde(rename = "a")]
        _a: Option<T>,
        b: Failed,
    }

    fn text<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<String, Error> {
        let holder: Holder<T> = from_slice(bytes)?;
        assert_eq!(holder.b.1, [0; 3]);
        Ok(holder.b.0)
    }

    let bytes = to_vec(&(None::<u32>, None::<u32>))?;
    let expected = text::<u32>(&bytes)?;
    assert!(expected.ends_with(" at byte 12"), "{expected}");
    assert_eq!(text::<([u8; 32], [u8; 31])>(&bytes)?, expected);
    assert_eq!(text::<([u8; 32], [u8; 32])>(&bytes)?, expected);
    assert_eq!(text::<([u8; 32], [u8; 32], [u8; 23])>(&bytes)?, expected);
    Ok(())
}

/// The content of an adjacently tagged enum.
#[test]
fn lazy_values_in_adjacently_tagged_enums() -> Result<(), Error> {
    #[derive(Serialize, Deserialize, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent<'a> {
        A {
            #[serde(borrow)]
            x: Lazy<'a, String>,
            y: String,
        },
        B(u32),
    }

    let text = Raw::of("part")?;
    let mut bytes = to_vec(&Adjacent::A { x: text.lazy(), y: "y".into() })?;
    let at = bytes.windows(4).position(|bytes| bytes == b"part").unwrap();
    bytes[at] = 0xff;
    match from_slice(&bytes)? {
        Adjacent::A { x, y } => {
            assert_eq!(y, "y");
            assert_eq!(x.get().unwrap_err().to_string(), format!("invalid utf-8 at byte {at}"));
        }
        Adjacent::B(number) => panic!("{number}"),
    }
    Ok(())
}

/// A list ends at an offset that goes back, so that no byte is read twice.
#[test]
fn items_that_overlap_end_the_list() -> Result<(), Error> {
    let words = ["one", "two", "three", "four"].map(String::from).to_vec();
    let mut bytes = to_vec(&words)?;
    let (start, end) = (20u32, u32::try_from(bytes.len()).unwrap());
    for (slot, offset) in [start, end, start, end].into_iter().enumerate() {
        bytes[4 + 4 * slot..][..4].copy_from_slice(&offset.to_le_bytes());
    }
    let list: List<'_, Raw<'_>> = from_slice(&bytes)?;
    let items: Vec<_> = list.iter().map(|item| item.map(|item| item.bytes().len())).collect();
    assert_eq!(items.len(), 2);
    assert_eq!(*items[0].as_ref().unwrap(), bytes.len() - 20);
    assert_eq!(items[1].as_ref().unwrap_err().offset(), Some(12));
    assert_eq!(list.iter().size_hint(), (4, Some(4)));
    assert_eq!(list.get(2).unwrap()?.bytes().len(), bytes.len() - 20);
    Ok(())
}

#[test]
fn lazy_values_can_be_the_whole_message_or_empty() -> Result<(), Error> {
    let bytes = to_vec("text")?;
    let raw: Raw<'_> = from_slice(&bytes)?;
    assert_eq!((raw.bytes(), raw.offset()), (&*bytes, 0));
    assert_eq!(raw.get::<String>()?, "text");
    assert_eq!(raw, Raw::of("text")?);
    assert_eq!(to_vec(&raw)?, bytes);
    let owned: OwnedRaw = molecule::from_reader(&*bytes)?;
    assert_eq!(owned.get::<&str>()?, "text");
    assert_eq!(to_vec(&owned)?, bytes);

    // A slot without bytes is an absent option.
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Holder<'a> {
        #[serde(borrow)]
        option: Lazy<'a, Option<u32>>,
        last: u8,
    }
    let bytes = to_vec(&(None::<u32>, 1u8))?;
    let holder: Holder<'_> = from_slice(&bytes)?;
    assert_eq!(holder.option.get()?, None);
    assert_eq!(to_vec(&holder)?, bytes);
    Ok(())
}

#[test]
fn structs_in_a_fixvec_are_packed() -> Result<(), Error> {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Point {
        x: u8,
        y: u16,
    }
    let points = FixVec(vec![Point { x: 1, y: 2 }, Point { x: 3, y: 4 }]);
    let bytes = to_vec(&points)?;
    let list: List<'_, Point> = from_slice(&bytes)?;
    assert_eq!(list.iter().collect::<Result<Vec<_>, _>>()?, points.0);
    let list: List<'_, Struct<(u8, u16)>> = from_slice(&bytes)?;
    assert_eq!(list.get(1).unwrap()?, Struct((3, 4)));
    let list: List<'_, (u8, u8)> = from_slice(&bytes)?;
    let error = list.get(1).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "1 trailing byte in [1] at byte 9");
    let list: List<'_, String> = from_slice(&bytes)?;
    assert_eq!(list.get(0).unwrap().unwrap_err().offset(), Some(4));
    Ok(())
}

#[test]
fn empty_lists_keep_their_kind() -> Result<(), Error> {
    for bytes in [to_vec(&Vec::<u8>::new())?, to_vec(&DynVec(Vec::<String>::new()))?] {
        let list: List<'_, String> = from_slice(&bytes)?;
        assert!(list.is_empty() && list.iter().next().is_none());
        assert_eq!(to_vec(&list)?, bytes);
    }
    Ok(())
}

#[test]
fn errors_in_headers_of_lists_have_path_and_offset() {
    type Holder<'a> = (List<'a, String>, u8);
    let cases: &[(&[u8], &str)] = &[
        (b"", "input ends early: 4 bytes needed, 0 left at byte 0"),
        (&[4, 0], "input ends early: 4 bytes needed, 2 left at byte 0"),
        (&[8, 0, 0, 0, 6, 0, 0, 0], "offset 6 is not a multiple of 4 at byte 4"),
        (&[3, 0, 0, 0, 1, 2], "full size 3 differs from the 6 bytes given at byte 0"),
        (&[2, 0, 0, 0, 1, 2, 3], "2 items cannot fill 3 bytes evenly at byte 0"),
    ];
    for (bytes, text) in cases {
        let error = from_slice::<List<'_, String>>(bytes).unwrap_err();
        assert_eq!(error.to_string(), *text, "{bytes:?}");
    }
    let bytes = [17, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0, 9, 0, 0, 0, 1];
    let error = from_slice::<Holder<'_>>(&bytes).unwrap_err();
    assert_eq!((error.path().to_string(), error.offset()), ("[0]".into(), Some(12)), "{error}");
}

/// A dynvec of fixed items is refused, when all or one of them are read.
#[test]
fn fixed_items_of_a_dynvec_are_refused() -> Result<(), Error> {
    let bytes = to_vec(&vec![Raw::of(&7u32)?, Raw::of(&8u32)?])?;
    let list: List<'_, u32> = from_slice(&bytes)?;
    let whole = from_slice::<Vec<u32>>(&bytes).unwrap_err();
    assert_eq!(facts(&list.get(0).unwrap().unwrap_err()), facts(&whole));
    let list: List<'_, Raw<'_>> = from_slice(&bytes)?;
    assert_eq!(list.get(1).unwrap()?.get::<u32>()?, 8);
    Ok(())
}

/// Offsets are checked when an item is read.
#[test]
fn hostile_offsets_are_refused_item_by_item() -> Result<(), Error> {
    let words = ["one", "two", "three"].map(String::from).to_vec();
    let bytes = to_vec(&words)?;
    // Backwards: the second item begins in the header.
    let mut backwards = bytes.clone();
    backwards[8..12].copy_from_slice(&3u32.to_le_bytes());
    let list: List<'_, &str> = from_slice(&backwards)?;
    assert_eq!(list.len(), 3);
    let error = list.get(0).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "offset 3 is before the previous offset 16 at byte 8");
    assert_eq!(list.get(1).unwrap().unwrap_err().offset(), Some(8));
    assert_eq!(list.get(2).unwrap()?, "three");
    // The offset leads into the second item, not into the header.
    let mut backwards = bytes.clone();
    backwards[12..16].copy_from_slice(&3u32.to_le_bytes());
    let list: List<'_, &str> = from_slice(&backwards)?;
    let whole = from_slice::<Vec<&str>>(&backwards).unwrap_err();
    assert_eq!(whole.to_string(), "offset 3 is before the previous offset 23 at byte 12");
    for index in [1, 2] {
        assert_eq!(facts(&list.get(index).unwrap().unwrap_err()), facts(&whole), "{index}");
    }
    // Far beyond.
    let mut bytes = bytes;
    bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let list: List<'_, &str> = from_slice(&bytes)?;
    assert_eq!(list.get(0).unwrap().unwrap_err().offset(), Some(8));
    assert_eq!(list.get(2).unwrap()?, "three");
    Ok(())
}

#[test]
fn lazy_values_are_refused_in_packed_values() -> Result<(), Error> {
    let raw = Raw::of(&7u32)?;
    let error = to_vec(&Struct((1u8, raw.clone()))).unwrap_err();
    assert!(error.to_string().contains("a lazy value"), "{error}");
    let error = from_slice::<Struct<(u8, Raw<'_>)>>(&[1, 2, 3, 4, 5]).unwrap_err();
    assert!(error.to_string().contains("a lazy value"), "{error}");
    let error = to_vec(&FixVec(raw.clone())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the mark `fixvec` fits sequences, maps, text and bytes, not a lazy value; remove the mark"
    );
    let error = from_slice::<FixVec<Raw<'_>>>(&[0, 0, 0, 0]).unwrap_err();
    assert!(error.to_string().contains("a lazy value"), "{error}");
    let error = Options::new().allow_trailing(true).from_slice::<Raw<'_>>(&[1]).unwrap_err();
    assert!(error.to_string().contains("a lazy value"), "{error}");
    Ok(())
}

/// `strict` and `compatible` apply to lazy values.
#[test]
fn lazy_values_are_read_with_the_options_of_the_message() -> Result<(), Error> {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Holder<'a> {
        #[serde(borrow)]
        part: Raw<'a>,
    }
    let newer = Holder { part: Raw::of(&("a", "b", "c"))? };
    let bytes = to_vec(&newer)?;
    let plain: Holder<'_> = from_slice(&bytes)?;
    let error = plain.part.get::<(&str, &str)>().unwrap_err();
    assert_eq!(error.category(), Category::Data, "{error}");
    let compatible: Holder<'_> = Options::new().compatible(true).from_slice(&bytes)?;
    assert_eq!(compatible.part.get::<(&str, &str)>()?, ("a", "b"));
    let strict: Holder<'_> = Options::new().strict(true).from_slice(&bytes)?;
    assert!(strict.part.get::<(&str, &str, &str)>().is_err());
    Ok(())
}

/// Lazy values in a record have their offset in the stream, and end with its frame.
#[test]
fn lazy_values_in_records_have_their_offset_in_the_stream() -> Result<(), Error> {
    use fourfold::molecule::Records;

    type Eager = (u8, String);
    type Parts<'a> = (u8, Lazy<'a, String>);

    let mut bytes = to_vec(&(7u8, "text"))?.repeat(2);
    if let Some(last) = bytes.last_mut() {
        *last = 0xff;
    }
    let whole = Records::<_, Eager>::from_slice(&bytes).find_map(Result::err).unwrap();
    let parts: Vec<_> = Records::<_, Parts<'_>>::from_slice(&bytes).collect::<Result<_, _>>()?;
    assert_eq!(parts[0].1.offset() + bytes.len() / 2, parts[1].1.offset());
    assert_alike(&parts[1].1.get().unwrap_err(), &whole);
    let read = Records::<_, (u8, OwnedRaw)>::from_reader(&*bytes).nth(1).unwrap()?;
    assert_alike(&read.1.get::<String>().unwrap_err(), &whole);

    let size = std::num::NonZeroUsize::new(3).unwrap();
    let whole = Records::<_, u32>::from_slice(&[1, 2, 3]).of_size(size).next().unwrap();
    let part = Records::<_, Lazy<'_, u32>>::from_slice(&[1, 2, 3]).of_size(size).next().unwrap()?;
    assert_eq!(facts(&part.get().unwrap_err()), facts(&whole.unwrap_err()));

    // After the first record, as in a field, the error is that the count does not fit.
    let size = std::num::NonZeroUsize::new(5).unwrap();
    let records = Records::<_, Vec<u8>>::from_slice(&[9, 0, 0, 0, 1, 9, 0, 0, 0, 1]).of_size(size);
    let kinds = records.map(|record| record.unwrap_err().kind().to_string()).collect::<Vec<_>>();
    let first = "field or item ends early: 9 bytes needed, 1 left";
    assert_eq!(kinds, [first, "9 items cannot fill 1 byte evenly"]);
    Ok(())
}
