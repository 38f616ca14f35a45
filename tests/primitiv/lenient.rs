//! What other MessagePack writers emit: refused, and accepted under `lenient`.

use fourfold::primitiv::{Data, File, Options, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::fact;
use crate::vectors::FIXTURES;

const LENIENT: Options = Options::new().lenient(true);

#[track_caller]
fn only_lenient<T: DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8], value: T) {
    let error = from_slice::<T>(bytes).unwrap_err();
    assert_eq!(error.category(), fourfold::Category::Syntax, "{error}");
    assert_eq!(LENIENT.from_slice::<T>(bytes).unwrap(), value);
}

#[test]
fn integers_of_any_width() {
    only_lenient(&[7], 7u32);
    only_lenient(&[0xcc, 200], 200u8);
    only_lenient(&[0xcd, 1, 0], 256u16);
    only_lenient(&[0xcf, 0, 0, 0, 0, 0, 0, 0, 7], 7u32);
    only_lenient(&[0xd0, 7], 7u64);
    only_lenient(&[0xd1, 0xff, 0xfe], -2i64);
    only_lenient(&[0xd2, 0, 0, 0, 7], 7u32);
    only_lenient(&[0xd3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], -2i8);
    only_lenient(&[0xff], -1i32);
    only_lenient(&[0xce, 0, 0, 0, 7], 7i16);
    only_lenient(&[0xff], -1i128);
    only_lenient(&[0xff, 7], (-1i8, 7u128));
    assert!(LENIENT.from_slice::<u8>(&[0xcd, 1, 0]).is_err());
    assert!(LENIENT.from_slice::<u32>(&[0xff]).is_err());
}

/// The index of a variant is a uint32, also where it is the tag of an adjacently tagged enum.
#[test]
fn tags_of_any_width() {
    #[derive(serde::Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Record { a: u8 },
        Number(u32),
    }
    only_lenient(&[0x00, 9], Adjacent::Record { a: 9 });
    only_lenient(&[0xcc, 1, 0xce, 0, 0, 0, 7], Adjacent::Number(7));
    only_lenient(&[0xd3, 0, 0, 0, 0, 0, 0, 0, 1, 7], Adjacent::Number(7));
    assert_eq!(
        from_slice::<Adjacent>(&[0xce, 0, 0, 0, 1, 0xce, 0, 0, 0, 7]).unwrap(),
        Adjacent::Number(7)
    );
    let error = LENIENT.from_slice::<Adjacent>(&[0x02]).unwrap_err();
    assert_eq!(error.to_string(), "unknown variant index 2 in t at byte 0");
    let error = LENIENT.from_slice::<Adjacent>(&[0xff]).unwrap_err();
    assert_eq!(error.to_string(), "integer -1 does not fit uint32 in t at byte 0");
}

#[test]
fn floats_of_the_other_width() {
    only_lenient(&[0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0], 0.5f32);
    only_lenient(&[0xca, 0x3f, 0, 0, 0], 0.5f64);
    let error = LENIENT.from_slice::<f32>(&to_vec(&0.1f64).unwrap()).unwrap_err();
    assert_eq!(fact(&error.to_string()), "float64 0.1 has no equal float32 at byte 0");
}

#[test]
fn text_for_bytes() {
    only_lenient(&[0xa1, b'x'], serde_bytes::ByteBuf::from(b"x"));
    only_lenient(&[0xc4, 1, b'x'], String::from("x"));
}

#[test]
fn deserialize_any_reads_all_kinds() {
    let bytes = [0x82, 0xa1, b'a', 0x93, 1, 0xc0, 0xc3, 0xa1, b'b', 0xca, 0x3f, 0, 0, 0];
    let value: Value = LENIENT.from_slice(&bytes).unwrap();
    assert_eq!(value["a"], json!([1, null, true]));
    let error = from_slice::<Value>(&bytes).unwrap_err();
    assert!(error.to_string().contains("Options::lenient"), "{error}");
    for bad in [&[0xc1][..], &[0xd4, 0, 2], &[0xc7, 0, 0], &[0x91]] {
        assert!(LENIENT.from_slice::<Value>(bad).is_err(), "{bad:x?}");
    }
}

#[test]
fn documents() {
    let names = [
        "e_batch_fixint.param",
        "e_config_float64.optimizer",
        "e_config_uint_as_fixint.optimizer",
        "e_data_str.param",
        "e_dim_fixint.param",
        "e_dim_int32.param",
        "e_dim_uint64.param",
        "e_stat_count_fixint.param",
        "e_stat_name_bin.param",
        "h_type_uint16.param",
        "h_version_fixint.param",
    ];
    let mut accepted = Vec::new();
    for name in FIXTURES.names("crafted", "json") {
        let bytes = FIXTURES.bytes(&format!("crafted/{name}"));
        match (File::from_slice(&bytes), LENIENT.from_slice::<File<'_>>(&bytes)) {
            (Ok(file), lenient) => assert_eq!(lenient.unwrap(), file),
            (Err(_), Ok(file)) => {
                // Written as primitiv reads it.
                let written = file.to_vec().unwrap();
                assert_eq!(File::from_slice(&written).unwrap(), file);
                accepted.push(name);
            }
            (Err(_), Err(error)) => assert!(!error.to_string().is_empty()),
        }
    }
    assert_eq!(accepted, names);
    let bytes = FIXTURES.bytes("crafted/e_dim_fixint.param");
    let Data::Parameter(parameter) = LENIENT.from_slice::<File<'_>>(&bytes).unwrap().data else {
        panic!()
    };
    assert_eq!(parameter.value().to_column_major(), [1.0, 2.0]);
}
