//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use crate::support::stubborn::{Map, Three, answers, stubborn_types};
use fourfold::Fault;
use fourfold::biniou::{ErrorKind, from_slice};

stubborn_types!(biniou, 16);

/// Behind an entry without an end nobody knows where the next one is.
#[test]
fn entries_without_an_end_are_told() {
    // An ARRAY of two TUPLEs of two; the second's count has no end.
    let bytes = [19, 2, 20, 2, 16, 1, 24, 0, 0x80];
    assert_eq!(ends::<Map<u8, ()>>(&bytes), [false, false]);
    let (error, got) = answers(|| from_slice::<Map<u8, ()>>(&bytes).unwrap_err());
    assert!(matches!(error.kind(), ErrorKind::Fault(Fault::UnexpectedEnd { .. })), "{error}");
    assert!(error.offset() >= Some(8), "{error}");
    assert!((1..=2).contains(&got.errors), "{got:?}");
    // One of one cell has an end, and is passed over.
    let bytes = [19, 2, 20, 1, 16, 1, 2, 16, 2, 0, 1];
    let (error, got) = answers(|| from_slice::<Map<u8, bool>>(&bytes).map(drop));
    error.unwrap();
    assert!(got.errors >= 1, "{got:?}");
}

/// A RECORD of more fields than there are bytes for.
#[test]
fn fields_that_are_not_there_are_told() {
    let field = |name: u8| [0x80, 0, 0, name, 0, 1];
    let bytes = [&[21, 2][..], &field(b'a'), &field(b'b')[..5]].concat();
    assert_eq!(ends::<Three<bool>>(&bytes), [false, false]);
    let whole = [&[21, 2][..], &field(b'a'), &field(b'b')].concat();
    assert_eq!(ends::<Three<bool>>(&whole), [true, true]);
}
