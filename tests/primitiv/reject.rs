//! Invalid documents: the exact error with offset and path.

use fourfold::primitiv::{File, from_slice};

use crate::support::fact;
use crate::vectors::FIXTURES;

fn error_of(bytes: &[u8]) -> String {
    File::from_slice(bytes).map(|file| format!("{file:?}")).map_err(|e| e.to_string()).unwrap_err()
}

#[test]
fn crafted() {
    #[rustfmt::skip]
    let cases = [
        ("e_batch_fixint.param", "marker 0x01 is not uint32 (0xce) in value.shape.batch at byte 21"),
        ("e_config_float64.optimizer", "marker 0xcb is not float32 (0xca) in float_configs[0].value at byte 46"),
        ("e_config_nil.optimizer", "marker 0xc0 is not a map in uint_configs at byte 15"),
        ("e_config_uint_as_fixint.optimizer", "marker 0x03 is not uint32 (0xce) in uint_configs[0].value at byte 32"),
        ("e_data_array_of_float.param", "marker 0x92 is not bin in value.data at byte 26"),
        ("e_data_str.param", "marker 0xa8 is not bin in value.data at byte 26"),
        ("e_dim_fixint.param", "marker 0x02 is not uint32 (0xce) in value.shape.dims[0] at byte 16"),
        ("e_key_single_str.model", "marker 0xa1 is not an array in parameters[0].key at byte 20"),
        ("e_stat_count_fixint.param", "marker 0x00 is not uint32 (0xce) in stats at byte 36"),
        ("e_stat_name_bin.param", "marker 0xc4 is not str in stats[0].name at byte 41"),
        ("h_empty_file.param", "input ends early: 1 byte needed, 0 left in version at byte 0"),
        ("h_only.param", "input ends early: 1 byte needed, 0 left in value.shape.dims at byte 15"),
        ("h_type_unknown_0x500.param", "unknown data type 0x500 in data_type at byte 10"),
        ("h_version_0_0.param", "file version 0.0 is not 0.1 in version at byte 5"),
        ("h_version_1_0.param", "file version 1.0 is not 0.1 in version at byte 0"),
        ("k_empty_array.model", "key is empty in parameters[0].key at byte 20"),
        ("k_param_and_submodel.model", "a is a parameter and a submodel in parameters[1].key at byte 40"),
        ("s_9_dims.param", "shape has 9 dims, more than 8 in value.shape.dims at byte 15"),
        ("s_batch_0.param", "batch is 0 in value.shape.batch at byte 21"),
        ("s_batch_2.param", "batch of a parameter's value is 2, not 1 in value.shape.batch at byte 21"),
        ("s_batch_2.model", "batch of a parameter's value is 2, not 1 in parameters[0].value.shape.batch at byte 29"),
        ("s_dim_zero_2.param", "dim is 0 in value.shape.dims[1] at byte 21"),
        ("s_long_data.param", "data has 12 bytes, the shape [2]x1 has 8 in value.data at byte 26"),
        ("s_volume_wraps_to_2.param", "dims and batch multiply beyond 32 bits in value.shape at byte 15"),
        ("x_count_too_large.model", "input ends early: 1 byte needed, 0 left in parameters[1].key at byte 40"),
        ("x_huge_bin32_length.param", "data has 4294967295 bytes, the shape [2]x1 has 8 in value.data at byte 26"),
        ("x_huge_dims_array.param", "shape has 4294967295 dims, more than 8 in value.shape.dims at byte 15"),
        ("x_huge_key_array.model", "count 4294967295 needs 4294967295 bytes or more, 19 left in parameters[0].key at byte 20"),
        ("x_huge_map_count.optimizer", "count 4294967295 needs 8589934590 bytes or more, 21 left in uint_configs at byte 15"),
        ("x_huge_param_count.model", "count 4294967295 needs 42949672950 bytes or more, 20 left in parameters at byte 15"),
        ("x_trailing.model", "1 trailing byte at byte 40"),
    ];
    let found = cases.map(|(name, _)| error_of(&FIXTURES.bytes(&format!("crafted/{name}"))));
    let wanted = cases.map(|(_, text)| text.to_owned());
    for ((found, wanted), (name, _)) in found.iter().zip(&wanted).zip(cases) {
        assert_eq!(fact(found), wanted, "{name}");
    }
}

/// Errors of values that no document has.
#[test]
fn plain_values() {
    #[derive(serde::Deserialize, Debug)]
    #[serde(tag = "kind", content = "value")]
    enum Adjacent {
        #[allow(dead_code, reason = "only read")]
        Number(u32),
    }

    let error = from_slice::<Option<u8>>(&[0xd4, 0, 2]).unwrap_err();
    assert_eq!(error.to_string(), "marker 0xd4 is not a value at byte 0");
    let error = from_slice::<Adjacent>(&[0xce, 0, 0, 0, 9]).unwrap_err();
    assert_eq!(error.to_string(), "unknown variant index 9 in kind at byte 0");
    let error = from_slice::<Option<u32>>(&[0xd4, 0, 1, 0xce, 0, 0, 0, 1]).unwrap_err();
    assert_eq!(error.to_string(), "marker 0xce is not nil after `Some` at byte 3");
    let error = from_slice::<Vec<u32>>(&[0xdd, 0xff, 0xff, 0xff, 0xff]).unwrap_err();
    let text = "count 4294967295 needs 4294967295 bytes or more, 0 left at byte 0";
    assert_eq!(error.to_string(), text);
}

/// Every level claims all remaining bytes; memory is reserved for them once.
#[test]
fn nested_counts_reserve_memory_once() {
    #[derive(serde::Deserialize, Debug)]
    #[allow(dead_code)]
    struct Nest(Vec<Nest>);
    let mut bytes = [0xdd, 0, 0, 0x9c, 0x40].repeat(100);
    bytes.resize(50_000, 0x90);
    let read = || from_slice::<Nest>(&bytes).map(drop);
    let (result, stats) = crate::support::alloc::measure_value(read);
    result.unwrap_err();
    assert!(stats.peak < 128 * bytes.len(), "{stats:?}");
}
