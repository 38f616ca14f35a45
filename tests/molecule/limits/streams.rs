//! Streams that are endless, slow, interrupted or failing.

use crate::support::format::Molecule;
use crate::support::streams::{
    assert_endless_stops, assert_exact_limit, assert_failing_streams, assert_slow_streams,
};
use crate::support::zoo::Record;
use fourfold::molecule::to_writer;

#[test]
fn endless_readers_are_refused() {
    assert_endless_stops::<Molecule, Vec<u8>>(&[0]);
    assert_endless_stops::<Molecule, Vec<u8>>(&[0xff]);
    assert_endless_stops::<Molecule, String>(b" ");
    assert_endless_stops::<Molecule, Option<u8>>(&[1]);
    assert_endless_stops::<Molecule, ()>(&[4]);
    assert_endless_stops::<Molecule, Record>(&[0]);
    assert_endless_stops::<Molecule, Vec<String>>(&[0xff]);
}

#[test]
fn the_limit_of_input_is_exact() {
    assert_exact_limit::<Molecule>();
}

#[test]
fn slow_and_interrupted_streams() {
    let values: Vec<(u32, String)> = (0..500).map(|n| (n, n.to_string())).collect();
    assert_slow_streams::<Molecule, _>(&values);
}

#[test]
fn failing_streams() {
    assert_failing_streams::<Molecule>(&[0, 1, 4, 100]);
    // Nothing is written of a value that is refused.
    let mut written = Vec::new();
    assert!(to_writer(&mut written, &(1_u8, Some(None::<u8>))).is_err());
    assert!(written.is_empty(), "{written:?} of a refused value");
}
