//! Bytes of other MessagePack writers: refused, and accepted with `lenient`.

use fourfold::Category;
use fourfold::primitiv::{Data, File, Options, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::models;
use crate::round_trip::{Hex, assert_reason};
use crate::strict;
use crate::support::erased::TestType;
use crate::support::fact;
use crate::support::random;
use crate::vectors::FIXTURES;

const LENIENT: Options = Options::new().lenient(true);

#[track_caller]
fn only_lenient<T: DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8], value: T) {
    let error = from_slice::<T>(bytes).unwrap_err();
    assert_eq!(error.category(), Category::Syntax, "{error}");
    assert_eq!(LENIENT.from_slice::<T>(bytes).unwrap(), value);
}

/// Numbers of 128 bits, and concatenated values.
#[test]
fn wide_and_mixed_integers() {
    only_lenient(&[0xff], -1i128);
    only_lenient(&[0xff, 7], (-1i8, 7u128));
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
fn floats_without_an_equal_one() {
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
                // It is written in primitiv's encoding.
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

/// All encodings in MessagePack of a number of at most 64 bits.
fn encodings(number: i128) -> Vec<Vec<u8>> {
    let bytes = number.to_be_bytes();
    let mut all = Vec::new();
    for (marker, width) in [(0xcc, 1), (0xcd, 2), (0xce, 4), (0xcf, 8)] {
        if number >= 0 && number < 1 << (8 * width) {
            all.push([&[marker], &bytes[16 - width..]].concat());
        }
    }
    for (marker, width) in [(0xd0, 1), (0xd1, 2), (0xd2, 4), (0xd3, 8)] {
        if (-(1_i128 << (8 * width - 1))..1 << (8 * width - 1)).contains(&number) {
            all.push([&[marker], &bytes[16 - width..]].concat());
        }
    }
    if (-32..128).contains(&number) {
        all.push(vec![bytes[15]]);
    }
    all
}

/// Strict reading accepts one encoding of each number, lenient reading all.
#[test]
fn lenient_reading_takes_any_integer() {
    fn each<T>(number: i128)
    where
        T: TestType + Clone + TryFrom<i128>,
    {
        let wanted = T::try_from(number).ok();
        let own = wanted.as_ref().map(|value| to_vec(value).unwrap());
        for bytes in encodings(number) {
            let read = from_slice::<T>(&bytes);
            match &own {
                Some(own) if *own == bytes => assert_eq!(&read.unwrap(), wanted.as_ref().unwrap()),
                _ => {
                    let error = read.unwrap_err();
                    assert_reason(&error, &number);
                    assert_eq!(error.offset(), Some(0), "{number} as {}: {error}", Hex(&bytes));
                }
            }
            let read = LENIENT.from_slice::<T>(&bytes);
            match &wanted {
                Some(wanted) => {
                    let read =
                        read.unwrap_or_else(|error| panic!("{number} as {}: {error}", Hex(&bytes)));
                    assert_eq!(&read, wanted, "{}", Hex(&bytes));
                    let list = [&[0x92], &bytes[..], &bytes].concat();
                    let read: Vec<T> = LENIENT.from_slice(&list).unwrap();
                    assert_eq!(read, vec![wanted.clone(); 2], "{}", Hex(&list));
                }
                None => {
                    let name = std::any::type_name::<T>();
                    let error = read.expect_err(&format!("{number} as {name}"));
                    assert_reason(&error, &number);
                    assert_eq!(error.category(), Category::Data, "{error}");
                    assert_eq!(error.offset(), Some(0), "{error}");
                }
            }
        }
    }
    let mut numbers = vec![0, 1, -1, 31, 32, -32, -33];
    for bits in [7, 8, 15, 16, 31, 32, 63] {
        numbers.extend([(1_i128 << bits) - 1, 1 << bits, -(1_i128 << bits), -(1_i128 << bits) - 1]);
    }
    numbers.push(u64::MAX.into());
    for number in numbers {
        each::<u8>(number);
        each::<u16>(number);
        each::<u32>(number);
        each::<u64>(number);
        each::<usize>(number);
        each::<i8>(number);
        each::<i16>(number);
        each::<i32>(number);
        each::<i64>(number);
        each::<isize>(number);
    }
}

/// Files of other writers have the shortest encoding of each number.
#[test]
fn lenient_reading_takes_files_of_other_writers() {
    fn put(bytes: &mut Vec<u8>, number: u32) {
        let shortest = encodings(number.into()).into_iter().min_by_key(Vec::len);
        bytes.extend(shortest.unwrap());
    }
    fn put_tensor(bytes: &mut Vec<u8>, tensor: &strict::Tensor) {
        bytes.push(0x90 + u8::try_from(tensor.shape.dims.len()).unwrap());
        tensor.shape.dims.iter().for_each(|&dim| put(bytes, dim));
        put(bytes, tensor.shape.batch);
        bytes.push(0xc6);
        bytes.extend(u32::try_from(tensor.data.len()).unwrap().to_be_bytes());
        bytes.extend(&tensor.data);
    }
    random::check("other writers", 300, models::parameter, |_, parameter| {
        let mut bytes = Vec::new();
        [0, 1, 0x200].into_iter().for_each(|number| put(&mut bytes, number));
        put_tensor(&mut bytes, &parameter.value);
        put(&mut bytes, parameter.stats.len().try_into().unwrap());
        for (name, tensor) in &parameter.stats {
            strict::put_str(&mut bytes, name);
            put_tensor(&mut bytes, tensor);
        }
        let tree = strict::Data::Parameter(parameter);
        let error = File::from_slice(&bytes).unwrap_err();
        assert_eq!(error.offset(), Some(0), "{error}");
        let file: File<'_> = LENIENT.from_slice(&bytes).unwrap();
        assert_eq!(models::tree(&file.data), tree);
        assert!(file == models::build_file(&tree));
        // Files are written in primitiv's widths.
        let written = file.to_vec().unwrap();
        let (read, rest) = strict::read(&written, 0x200).unwrap();
        assert_eq!((read, rest.len()), (tree, 0), "{}", Hex(&written));
    });
}

#[test]
fn lenient_reading_takes_exact_floats() {
    for value in [0.0, -0.0, 1.5, f32::MAX, f32::MIN_POSITIVE, 1e-45, f32::INFINITY, -2.0] {
        let wide = to_vec(&f64::from(value)).unwrap();
        assert_eq!(LENIENT.from_slice::<f32>(&wide).unwrap().to_bits(), value.to_bits());
        assert!(from_slice::<f32>(&wide).is_err());
        let narrow = to_vec(&value).unwrap();
        assert_eq!(LENIENT.from_slice::<f64>(&narrow).unwrap(), f64::from(value));
        assert!(from_slice::<f64>(&narrow).is_err());
    }
    for value in [0.1, f64::MAX, 1e-50, f64::from(f32::MAX) * 2.0, 1.0 + f64::EPSILON] {
        let bytes = to_vec(&(7_u32, value)).unwrap();
        let error = LENIENT.from_slice::<(u32, f32)>(&bytes).unwrap_err();
        assert_reason(&error, &value);
        assert_eq!(error.offset(), Some(5), "{error}");
        assert_eq!(error.path().to_string(), "[1]", "{error}");
    }
}
