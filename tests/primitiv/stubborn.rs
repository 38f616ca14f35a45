//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use crate::support::stubborn::{Map, answers, stubborn_types};
use fourfold::Fault;
use fourfold::primitiv::{Deserializer, ErrorKind, from_slice};
use serde::Deserialize;

stubborn_types!(primitiv, 16);

/// Behind an entry whose key cannot be read nobody knows where the next one is.
#[test]
fn entries_that_cannot_be_read_are_told() {
    // Three entries, of which the second's key is none.
    let bytes = [0x83, 0xc3, 0xc2, 0xc0, 0xc2, 0xc3, 0xc2];
    for outcome in [from_slice::<Map<bool, bool>>(&bytes), {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::deserialize(&mut deserializer).and_then(|map| deserializer.end().map(|()| map))
    }] {
        let error = outcome.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Fault(Fault::Abandoned)), "{error}");
        assert_eq!(error.offset(), Some(3), "{error}");
    }
    let (_, got) = answers(|| {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::<bool, bool>::deserialize(&mut deserializer)
    });
    assert_eq!((got.parts, got.errors), (1, 1));
}
