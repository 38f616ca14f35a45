//! Streams that are endless, slow, interrupted or failing.

use crate::models;
use crate::round_trip::Hex;
use crate::support::format::Primitiv;
use crate::support::random;
use crate::support::streams::{
    Failing, Slow, assert_endless_stops, assert_exact_limit, assert_failing_streams,
    assert_slow_streams,
};
use crate::support::zoo::{Key, Nest, Record};
use fourfold::Category;
use fourfold::primitiv::to_writer;

#[test]
fn endless_readers_are_refused() {
    assert_endless_stops::<Primitiv, Vec<u8>>(&[0]);
    assert_endless_stops::<Primitiv, Vec<u8>>(&[0xdd, 0xff, 0xff, 0xff, 0xff]);
    assert_endless_stops::<Primitiv, String>(&[0xdb, 0xff, 0xff, 0xff, 0xff]);
    assert_endless_stops::<Primitiv, Option<u8>>(&[0xd4, 0, 1]);
    assert_endless_stops::<Primitiv, ()>(&[0xc0]);
    assert_endless_stops::<Primitiv, Nest>(&[0x91]);
    assert_endless_stops::<Primitiv, Record>(&[0xce, 0, 0, 0, 0]);
    assert_endless_stops::<Primitiv, u32>(&[0xce, 0, 0, 0, 1]);
}

#[test]
fn the_limit_of_input_is_exact() {
    assert_exact_limit::<Primitiv>();
}

const STEPS: [usize; 7] = [1, 2, 3, 7, 64, 4096, usize::MAX];

#[test]
fn slow_and_interrupted_streams() {
    let values: Vec<Key> = (0..500).map(|id| Key { id, name: id.to_string() }).collect();
    let error = assert_slow_streams::<Primitiv, _>(&values);
    assert!(error.is_eof(), "{error}");
}

#[test]
fn documents_to_slow_streams() {
    random::check("slow", 40, models::any, |_, tree| {
        let file = models::build_file(&tree);
        let bytes = file.to_vec().unwrap();
        for step in STEPS {
            let mut written = Slow::new(Vec::new(), step);
            file.to_writer(&mut written).unwrap();
            to_writer(&mut written, &file).unwrap();
            assert_eq!(Hex(&written.stream), Hex(&bytes.repeat(2)), "{step} bytes at a time");
        }
    });
}

#[test]
fn failing_streams() {
    assert_failing_streams::<Primitiv>(&[0, 1, 4, 100]);
    random::check("failing", 40, models::any, |_, tree| {
        let file = models::build_file(&tree);
        let len = file.to_vec().unwrap().len();
        for left in [0, 1, 14, 15, len - 1] {
            for full in [false, true] {
                let error = file.to_writer(Failing { left, full }).unwrap_err();
                assert_eq!(error.category(), Category::Io, "{error}");
                let error = to_writer(Failing { left, full }, &file).unwrap_err();
                assert_eq!(error.category(), Category::Io, "{error}");
            }
        }
        file.to_writer(Failing { left: len, full: false }).unwrap();
    });
}
