//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use crate::support::stubborn::{Map, answers, stubborn_types};
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
