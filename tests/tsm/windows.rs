//! Items and texts of every length: readers have several code paths by the remaining length, with the same results.

use fourfold::tsm::{from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Order {
    number: u64,
    price: f32,
    limit: Option<f32>,
    sell: bool,
}

/// Larger than 64 bytes.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Basket {
    orders: [Order; 4],
    open: bool,
}

/// An item of variable size.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Note<'a> {
    order: Order,
    text: &'a str,
}

fn order(number: u64) -> Order {
    let limit = (number % 3 == 0).then_some(0.5);
    Order { number, price: 1.5, limit, sell: number % 2 == 0 }
}

fn basket(number: u64) -> Basket {
    Basket { orders: [0, 1, 2, 3].map(|part| order(number + part)), open: number % 2 == 0 }
}

/// Reads any number of items, complete, truncated, and with an invalid last byte of each item.
fn every_count<T>(item: impl Fn(u64) -> T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    type Rest = [[u64; 10]; 4];

    for count in 0..30 {
        let items: Vec<T> = (0..count).map(&item).collect();
        let bytes = to_vec(&items).unwrap();
        assert_eq!(from_slice::<Vec<T>>(&bytes).unwrap(), items);
        // With bytes after them, another code path reads the items.
        let followed = to_vec(&(&items, Rest::default())).unwrap();
        assert_eq!(from_slice::<(Vec<T>, Rest)>(&followed).unwrap().0, items);

        let mut end = 4;
        for (index, item) in items.iter().enumerate() {
            end += to_vec(item).unwrap().len();
            for message in [&bytes, &followed] {
                let mut wrong = message.clone();
                // The last byte of each item is a bool.
                wrong[end - 1] = 2;
                let error = match message.len() == bytes.len() {
                    true => from_slice::<Vec<T>>(&wrong).unwrap_err(),
                    false => from_slice::<(Vec<T>, Rest)>(&wrong).unwrap_err(),
                };
                assert_eq!(error.offset(), Some(end - 1), "{error}");
                assert!(error.path().to_string().contains(&format!("[{index}]")), "{error}");
            }
            let error = from_slice::<Vec<T>>(&bytes[..end - 1]).unwrap_err();
            assert!(error.is_eof(), "{error}");
            assert_eq!(error.offset(), Some(end - 1), "{error}");
        }
    }
}

#[test]
fn items_of_one_size() {
    every_count(order);
}

#[test]
fn large_items() {
    every_count(basket);
}

#[test]
fn items_with_text() {
    for count in 0..30 {
        let notes: Vec<_> = (0..count).map(|n| Note { order: order(n), text: "note" }).collect();
        let bytes = to_vec(&notes).unwrap();
        assert_eq!(from_slice::<Vec<Note<'_>>>(&bytes).unwrap(), notes);
        let texts = vec!["short"; notes.len()];
        let bytes = to_vec(&texts).unwrap();
        assert_eq!(from_slice::<Vec<&str>>(&bytes).unwrap(), texts);
    }
}

#[test]
fn texts() {
    for len in 0..140 {
        let ascii = vec![b'a'; len];
        check(&ascii);
        for at in 0..len {
            for part in [&[0x80][..], &[0xff], &[0xc3, 0xa9], &[0xf0, 0x9f, 0xa6, 0x80]] {
                let mut bytes = ascii.clone();
                let end = (at + part.len()).min(len);
                bytes[at..end].copy_from_slice(&part[..end - at]);
                check(&bytes);
            }
        }
    }
}

/// Reads these bytes as text, as the standard library does.
fn check(bytes: &[u8]) {
    let count = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let message = [&count, bytes].concat();
    match (from_slice::<&str>(&message), std::str::from_utf8(bytes)) {
        (Ok(read), Ok(text)) => assert_eq!(read, text),
        (Err(error), Err(reason)) => assert_eq!(error.offset(), Some(4 + reason.valid_up_to())),
        (read, text) => panic!("{read:?} and {text:?}"),
    }
}
