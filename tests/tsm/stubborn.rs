//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use std::num::NonZeroU8;

use crate::support::stubborn::{Length, Map, Told, answers, stubborn_types};
use fourfold::Fault;
use fourfold::tsm::{Deserializer, ErrorKind, from_slice};
use serde::Deserialize;

/// So many items of no bytes are believed.
const MOST_EMPTY_ITEMS: usize = 4096;

stubborn_types!(tsm, 4 * MOST_EMPTY_ITEMS);

/// Behind an entry whose key cannot be read nobody knows where the next one is.
#[test]
fn entries_that_cannot_be_read_are_told() {
    // Three entries, of which the second's key is none.
    let bytes = [3, 0, 0, 0, 1, 7, 2, 8, 1, 9];
    for outcome in [from_slice::<Map<bool, u8>>(&bytes), {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::deserialize(&mut deserializer).and_then(|map| deserializer.end().map(|()| map))
    }] {
        let error = outcome.unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::ExtraItems { .. } | ErrorKind::Fault(Fault::Abandoned)
            ),
            "{error}"
        );
    }
    let (_, got) = answers(|| {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::<bool, u8>::deserialize(&mut deserializer)
    });
    assert_eq!((got.parts, got.errors), (1, 1));
}

/// Who makes a value of an error's text gets that of the decoder, also where most values are read
/// without it.
#[test]
fn the_text_of_an_error_as_a_value() {
    let length = Length("invalid value: integer `0`, expected a nonzero u8".len());
    type Item = (Told<NonZeroU8, Length>, u64);
    for count in [1_u8, 40] {
        let mut bytes = vec![count, 0, 0, 0];
        (0..count).for_each(|index| bytes.extend([index % 2, index, 0, 0, 0, 0, 0, 0, 0]));
        let items: Vec<Item> = from_slice(&bytes).unwrap();
        for ((index, (told, number)), expected) in items.iter().enumerate().zip(0_u64..) {
            assert_eq!(*number, expected);
            match NonZeroU8::new(u8::try_from(index % 2).unwrap()) {
                Some(one) => assert_eq!(*told, Told::Good(one)),
                None => assert_eq!(*told, Told::Bad(length)),
            }
        }
    }
    assert_eq!(from_slice::<Told<NonZeroU8, Length>>(&[0]).unwrap(), Told::Bad(length));
}
