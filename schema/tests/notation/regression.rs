//! Errors that were fixed, each with its smallest input.

use fourfold_schema::notation::{Notation, Tree};

use crate::support::alloc::measure_value;

/// A product with a factor 0 is 0, as for tensors.
#[test]
fn products_with_a_zero_are_zero() {
    let notation = Notation::parse("<int32*4:s><byte*(prod($s)):m>").unwrap();
    let shape = [i32::MAX, i32::MAX, i32::MAX, 0];
    let bytes: Vec<u8> = shape.iter().flat_map(|dim| dim.to_le_bytes()).collect();
    assert_eq!(notation.decode(&bytes).unwrap().get("m").and_then(Tree::as_bytes), Some(&[][..]));
}

/// No memory is reserved for fields after the end of the input.
#[test]
fn nested_wide_structures_take_little_memory() {
    let fields: String = (0..20_000).map(|n| format!("<byte*$n:f{n}>")).collect();
    let text = format!("list := <int8:n><list*$n:items>{fields}; <list>");
    let notation = Notation::parse(&text).unwrap();
    let bytes = [1; 100];
    let (result, stats) = measure_value(|| notation.decode(&bytes).map(drop));
    result.unwrap_err();
    assert!(stats.peak < 16 << 20, "{stats:?}");
}

/// Names are found by a map, not by a linear search.
#[test]
fn texts_with_many_fields_are_parsed_in_linear_time() {
    const COUNT: usize = 20_000;
    let counts: String = (0..COUNT).map(|n| format!("<byte:c{n}>")).collect();
    let arrays: String = (0..COUNT).map(|n| format!("<byte*$c{}:d{n}>", COUNT - 1 - n)).collect();
    let notation = Notation::parse(&format!("{counts}{arrays}")).unwrap();
    let tree = notation.decode(&[0; COUNT]).unwrap();
    assert_eq!(tree.get("d7").and_then(Tree::as_bytes), Some(&[][..]));
}
