//! Errors that were fixed, each with its smallest input.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fourfold::Kind as _;
use fourfold::primitiv::with::{Named, Owned, named, owned};
use fourfold::primitiv::{
    self, CommonKind, Configs, ErrorKind, File, Key, Model, Optimizer, Options, Parameter,
    Serializer, Tensor, from_reader, from_slice, take_from_slice, to_vec,
};
use serde::{Deserialize, Deserializer, Serialize};

use crate::support::alloc::measure_value;
use crate::support::stubborn::Lenient;
use crate::vectors::FIXTURES;

const LENIENT: Options = Options::new().lenient(true);

fn parameter(value: f32) -> Parameter<'static> {
    Parameter::new(Tensor::scalar(value)).unwrap()
}

fn model(keys: &[&[&str]]) -> Model<'static> {
    let mut model = Model::new();
    for key in keys {
        let key = Key::new(key.iter().map(ToString::to_string));
        model.insert(key, parameter(1.0)).unwrap();
    }
    model
}

/// The bytes of a model whose entries are in this order.
fn in_order(keys: &[&[&str]]) -> Vec<u8> {
    let mut bytes = vec![0xce];
    bytes.extend(u32::try_from(keys.len()).unwrap().to_be_bytes());
    for key in keys {
        bytes.extend(&to_vec(&model(&[*key])).unwrap()[5..]);
    }
    bytes
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Checkpoint<'a> {
    epoch: u32,
    #[serde(borrow)]
    model: Model<'a>,
    #[serde(borrow)]
    tensors: Vec<Tensor<'a>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct OwnedCheckpoint {
    epoch: u32,
    #[serde(with = "owned")]
    model: Model<'static>,
    tensors: Vec<Owned<Tensor<'static>>>,
}

/// Derived types may contain borrowed and owned documents.
#[test]
fn documents_in_derived_types() {
    let model = model(&[&["a", "w"], &["b"]]);
    let tensors = vec![Tensor::scalar(2.0)];
    let checkpoint = Checkpoint { epoch: 3, model: model.clone(), tensors };
    let bytes = to_vec(&checkpoint).unwrap();
    assert_eq!(from_slice::<Checkpoint<'_>>(&bytes).unwrap(), checkpoint);
    let owned: OwnedCheckpoint = from_reader(&bytes[..]).unwrap();
    assert_eq!((owned.epoch, &owned.model), (3, &model));
    assert_eq!(to_vec(&owned).unwrap(), bytes);
}

#[test]
fn documents_from_readers() {
    let model = model(&[&["w"]]);
    let bytes = model.to_file_bytes().unwrap();
    assert_eq!(bytes, File::from(model.clone()).to_vec().unwrap());
    assert_eq!(File::from_reader(&bytes[..]).unwrap(), File::from(model.clone()));
    assert_eq!(Model::from_reader(&bytes[..]).unwrap(), model);
    assert_eq!(Model::from_slice(&bytes).unwrap(), model);
    assert!(matches!(
        Optimizer::from_slice(&bytes).unwrap_err().kind(),
        ErrorKind::OtherData { found: 0x300, expected: 0x400 }
    ));
    let few = Options::new().max_input(10);
    let error = File::from_reader_with(&bytes[..], &few).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::InputLimit { limit: 10 })));
    let longer = [&bytes[..], &[0]].concat();
    let trailing = Options::new().allow_trailing(true);
    assert!(File::from_reader(&longer[..]).is_err());
    assert!(File::from_reader_with(&longer[..], &trailing).is_ok());
}

/// A file is not read as an empty model with trailing bytes.
#[test]
fn files_read_as_models() {
    for document in ["saved/m_flat20.model", "saved/p_mat2x3.param", "saved/z_xor_adam.model"] {
        let bytes = FIXTURES.bytes(document);
        for options in [Options::new(), Options::new().allow_trailing(true), LENIENT] {
            let error = options.from_slice::<Model<'_>>(&bytes).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::FileHeader { .. }), "{error}");
            assert_eq!(error.offset(), Some(0));
            assert!(options.take_from_slice::<Model<'_>>(&bytes).is_err());
            assert!(options.from_slice::<Owned<Model<'static>>>(&bytes).is_err());
        }
    }
    // Within another value, it is an empty model.
    let value = (Model::new(), 1u32, 0x300u32);
    let bytes = to_vec(&value).unwrap();
    let back: (Model<'_>, u32, u32) = from_slice(&bytes).unwrap();
    assert_eq!(back, value);
    assert_eq!(take_from_slice::<Model<'_>>(&[0xce, 0, 0, 0, 0, 1]).unwrap().1, [1]);
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Skipping {
    #[serde(skip)]
    #[allow(dead_code)]
    A,
    B(u32),
    C(u32),
    D {
        x: bool,
        y: u32,
    },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename = "named.Skipping", tag = "t", content = "c")]
enum NamedSkipping {
    #[serde(skip)]
    #[allow(dead_code)]
    A,
    B(u32),
    C(u32),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Field {
    #[serde(with = "named")]
    event: Skipping,
    after: u32,
}

/// The fix for enums with skipped variants also works for adjacently tagged enums.
#[test]
fn named_adjacent_tags() {
    assert_eq!(to_vec(&Named(Skipping::B(7))).unwrap(), [0xa1, b'B', 0xce, 0, 0, 0, 7]);
    for value in [Skipping::B(7), Skipping::C(7), Skipping::D { x: true, y: 9 }] {
        let bytes = to_vec(&Named(value.clone())).unwrap();
        assert_eq!(from_slice::<Named<Skipping>>(&bytes).unwrap(), Named(value.clone()));
        let field = Field { event: value, after: 1 };
        assert_eq!(from_slice::<Field>(&to_vec(&field).unwrap()).unwrap(), field);
    }
    for value in [NamedSkipping::B(7), NamedSkipping::C(7)] {
        let bytes = to_vec(&value).unwrap();
        assert_eq!(from_slice::<NamedSkipping>(&bytes).unwrap(), value);
        let many = vec![Some(value.clone()), None];
        let bytes = to_vec(&many).unwrap();
        assert_eq!(from_slice::<Vec<Option<NamedSkipping>>>(&bytes).unwrap(), many);
    }

    #[derive(Serialize, Deserialize, Debug)]
    struct Point {
        x: u32,
        y: u32,
    }

    #[derive(Serialize, Deserialize, Debug)]
    struct Nothing {}

    let text = |error: primitiv::Error| error.to_string();
    let written = to_vec(&Named(Point { x: 1, y: 2 })).map_err(text);
    assert_eq!(written.unwrap_err(), "the mark `named` fits enums, not u32 in x; remove the mark");
    let read = from_slice::<Named<Point>>(&[0; 10]).map_err(text);
    assert_eq!(
        read.unwrap_err(),
        "the mark `named` fits enums, not an integer in x at byte 0; remove the mark"
    );
    assert!(to_vec(&Named(Nothing {})).is_err());
    assert!(from_slice::<Named<Nothing>>(&[0xc0]).is_err());
}

/// The minimum sizes of items are those of `lenient`.
#[test]
fn small_lenient_files() {
    let tensor = [0x90, 1, 0xa4, 0, 0, 0, 0x3f];
    let file = [&[0, 1, 0xcd, 3, 0, 1, 0x91, 0xa0], &tensor[..], &[0]].concat();
    assert!(LENIENT.from_slice::<File<'_>>(&file).is_ok());
    let stats = [&[0, 1, 0xcd, 2, 0], &tensor[..], &[1, 0xa0], &tensor].concat();
    assert!(LENIENT.from_slice::<File<'_>>(&stats).is_ok());
}

/// Long keys take memory in proportion.
#[test]
fn long_keys() {
    let names: Vec<String> = (0..2000).map(|part| part.to_string()).collect();
    let mut model = Model::new();
    let key = Key::new(names.iter().map(String::as_str));
    let parameter = parameter(1.0);
    let (_, stats) = measure_value(|| model.insert(key, parameter).unwrap());
    assert!(stats.total < 500_000, "{stats:?}");
    let ((), stats) = measure_value(|| {
        let moved = model.root().to_model().unwrap();
        assert_eq!(moved, model);
    });
    assert!(stats.total < 1_000_000, "{stats:?}");
    let shorter = Key::new(names[..1999].iter().map(String::as_str));
    assert!(model.insert(shorter, Parameter::new(Tensor::scalar(1.0)).unwrap()).is_err());
    let bytes = to_vec(&model).unwrap();
    assert_eq!(from_slice::<Model<'_>>(&bytes).unwrap(), model);

    // A key of empty segments takes the memory of its segments.
    let parts = vec![""; 5000];
    let bytes = to_vec(&self::model(&[&parts])).unwrap();
    let (_, stats) = measure_value(|| from_slice::<Model<'_>>(&bytes).unwrap());
    assert!(stats.peak < 33 * bytes.len(), "{stats:?}");
    // No memory is reserved for segments that are missing.
    let mut cut = bytes[..1000].to_vec();
    cut[5..8].copy_from_slice(&[0xdc, 0x03, 0x00]);
    cut.truncate(700);
    let (_, stats) = measure_value(|| from_slice::<Model<'_>>(&cut).unwrap_err());
    assert!(stats.total < 20_000, "{stats:?}");
}

/// A lookup in an unsorted model needs only the key.
#[test]
fn lookups_in_unsorted_models() {
    let names: Vec<String> = (0..2000).rev().map(|name| format!("{name:04}")).collect();
    let keys: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
    let keys: Vec<&[&str]> = keys.iter().map(|key| &key[..]).collect();
    let bytes = in_order(&keys);
    let read: Model<'_> = from_slice(&bytes).unwrap();
    let owned = read.clone().into_owned();
    for model in [&read, &owned] {
        let (found, stats) = measure_value(|| {
            assert_eq!(model.len(), 2000);
            model.get(["1234"])
        });
        assert!(found.is_some() && stats.total < 1000, "{stats:?}");
        assert_eq!(to_vec(model).unwrap(), bytes);
    }
    assert!(owned.sorted().iter().map(|entry| entry.key()).is_sorted());

    // Entries after the removed ones are found.
    let mut changed = owned;
    for name in &names[..1000] {
        assert!(changed.remove([name]).is_some());
        assert!(changed.get([name]).is_none());
    }
    for name in &names[1000..] {
        assert!(changed.get([name]).is_some());
    }
    assert_eq!(changed.len(), 1000);
    for name in &names[1000..] {
        assert!(changed.remove([name]).is_some());
    }
    // The model is empty, so new entries are sorted again.
    changed.insert("b", parameter(1.0)).unwrap();
    changed.insert("a", parameter(1.0)).unwrap();
    assert_eq!(to_vec(&changed).unwrap(), in_order(&[&["a"], &["b"]]));
}

/// The first conflict in the file is reported, also with repeated keys.
#[test]
fn first_conflict() {
    let text =
        |keys: &[&[&str]]| from_slice::<Model<'_>>(&in_order(keys)).unwrap_err().path().to_string();
    assert_eq!(text(&[&["z", "y"], &["z"], &["a"], &["a", "b"]]), "parameters[1].key");
    assert_eq!(text(&[&["b"], &["a"], &["a", "b"], &["a"]]), "parameters[2].key");
    assert_eq!(text(&[&["a"], &["a"], &["b"], &["b", "c", "d"]]), "parameters[3].key");
}

/// If a name is repeated, the last one counts, at the position of the first. A linear search for each of the names would
/// not end.
#[test]
fn equal_names_among_many_configs_are_found_directly() {
    const NAMES: u32 = 200_000;

    let names: Vec<String> = (0..2 * NAMES).map(|name| (name % NAMES).to_string()).collect();
    let configs: Configs<'_, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let found = configs.entries().iter().map(|(name, value)| (name.to_string(), *value));
    let wanted = (0..NAMES).map(|name| (name.to_string(), NAMES + name));
    assert!(found.eq(wanted), "the values of the second round, in the order of the first");
    assert_eq!((configs.get("0"), configs.get("199999")), (Some(NAMES), Some(2 * NAMES - 1)));
}

#[test]
fn ignored_errors_are_returned() {
    fn abandoned<T: std::fmt::Debug>(result: primitiv::Result<T>, offset: usize) {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
        assert_eq!(error.offset(), Some(offset));
    }

    let bytes = [0x92, 0xca, 0xce, 0, 0, 0, 7];
    abandoned(from_slice::<Vec<Lenient<u32>>>(&bytes), 1);
    abandoned(from_slice::<Lenient<u32>>(&[0xc0]), 0);
    abandoned(from_slice::<Lenient<String>>(&[0xa1, 0xff]), 1);
    abandoned(from_slice::<Lenient<bool>>(&[0xc0]), 0);
    abandoned(from_slice::<Lenient<Option<bool>>>(&[0xa0]), 0);
    abandoned(from_slice::<Lenient<Shape>>(&[0xce, 0, 0, 0, 9]), 0);
    abandoned(from_slice::<(Lenient<primitiv::Shape>, Lenient<bool>)>(&[0xc0, 0xc3]), 0);

    // A search for each document in the rest of the input would be quadratic.
    let count = 1000u16;
    let bytes = [&[0xdc][..], &count.to_be_bytes(), &to_vec(&Model::new()).unwrap()].concat();
    let bytes = [&bytes[..], &[0xce, 0, 0, 3, 0xe7], &[0x91, 0xa0].repeat(20_000)].concat();
    let (result, stats) = measure_value(|| from_slice::<Vec<Lenient<Model<'_>>>>(&bytes));
    abandoned(result.map(|models| models.len()), 16);
    assert!(stats.total < 20 * 40_000, "{stats:?}");

    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    enum Shape {
        Dot,
        Line(u32),
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Bytes<'a> {
    #[serde(borrow)]
    bytes: Cow<'a, [u8]>,
    after: bool,
}

/// Bytes that serde writes as a sequence and reads as bytes.
#[test]
fn listed_bytes() {
    for bytes in [&[][..], &[0, 255], &[7; 300]] {
        let value = Bytes { bytes: bytes.into(), after: true };
        assert_eq!(from_slice::<Bytes<'_>>(&to_vec(&value).unwrap()).unwrap(), value);
    }
    let error = from_slice::<Bytes<'_>>(&[0x91, 0xce, 0, 0, 1, 0, 0xc3]).unwrap_err();
    assert_eq!(error.to_string(), "integer 256 is not a byte in bytes[0] at byte 1");
    let error = from_slice::<Bytes<'_>>(&[0xdd, 0xff, 0xff, 0xff, 0xff, 0xc3]).unwrap_err();
    assert!(error.is_eof());
    // As documented, serde cannot borrow them.
    assert!(from_slice::<&[u8]>(&to_vec(&&b"x"[..]).unwrap()).is_err());
}

/// Reads only an `i64`.
#[derive(Debug, PartialEq)]
struct Narrow(i64);

impl<'de> Deserialize<'de> for Narrow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl serde::de::Visitor<'_> for Visitor {
            type Value = Narrow;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an i64")
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Narrow, E> {
                Ok(Narrow(number))
            }
        }

        deserializer.deserialize_i64(Visitor)
    }
}

#[test]
fn lenient_reads_what_strict_reads() {
    let bytes = to_vec(&5i64).unwrap();
    assert_eq!(from_slice::<Narrow>(&bytes).unwrap(), Narrow(5));
    assert_eq!(LENIENT.from_slice::<Narrow>(&bytes).unwrap(), Narrow(5));
    assert_eq!(LENIENT.from_slice::<u128>(&to_vec(&5u128).unwrap()).unwrap(), 5);
}

/// An error leaves no state for the next value.
#[test]
fn serializers_after_errors() {
    let mut serializer = Serializer::new(Vec::new());
    for _ in 0..200 {
        assert!(Named(Some(Some(1u32))).serialize(&mut serializer).is_err());
        assert!(Some(vec![Named(1u32)]).serialize(&mut serializer).is_err());
        let other =
            File { version: primitiv::Version { major: 9, minor: 9 }, ..File::from(model(&[])) };
        assert!(Some(other).serialize(&mut serializer).is_err());
    }
    let value = (None::<u32>, vec![serde_bytes::ByteBuf::from([1])], BTreeMap::from([(1u8, "x")]));
    let mut fresh = Serializer::new(Vec::new());
    value.serialize(&mut fresh).unwrap();
    value.serialize(&mut serializer).unwrap();
    assert!(serializer.into_inner().ends_with(&fresh.into_inner()));
}

#[cfg(feature = "ndarray")]
#[test]
fn batches_as_arrays() {
    let bytes = FIXTURES.bytes("saved/t_batch4_2x3.tensor");
    let batch = Tensor::from_slice(&bytes).unwrap();
    assert_eq!(Tensor::from_array_of_batch(&batch.view()).unwrap(), batch);
    assert_ne!(Tensor::from_array(&batch.view()).unwrap(), batch);
    let empty = ndarray::Array2::zeros((2, 0));
    assert_eq!(Tensor::from_array_of_batch(&empty).unwrap_err().to_string(), "batch is 0");
}

#[test]
fn keys_are_converted_from_many_types() {
    let mut model = Model::new();
    model.insert("w", parameter(1.0)).unwrap();
    model.insert(String::from("x"), parameter(1.0)).unwrap();
    let parts: &[&str; 2] = &["a", "w"];
    model.insert(parts, parameter(1.0)).unwrap();
    model.insert(&["a", "x"][..], parameter(1.0)).unwrap();
    model.insert("a.b", parameter(1.0)).unwrap();
    assert!(model.get(["a.b"]).is_some() && model.get(["a", "b"]).is_none());
    assert!(model.get(parts).is_some());
    assert_eq!(model.len(), 5);
}

/// An error that shows a name is one line.
#[test]
fn errors_with_names_are_one_line() {
    assert_eq!(Key::new(["a\nb", "é\u{202e}"]).to_string(), r"a\u{a}b.é\u{202e}");
}

/// Errors of serde quote the input, which may contain line breaks or escape sequences of terminals.
#[test]
fn an_error_is_one_line() {
    #[derive(Deserialize, Debug)]
    #[serde(tag = "kind", content = "value")]
    enum Adjacent {
        #[allow(dead_code, reason = "only read")]
        Number(u32),
    }
    let error = from_slice::<Adjacent>(b"\xa3a\n\x1b\x07").unwrap_err();
    assert_eq!(
        error.to_string(),
        r"unknown variant `a\n\u{1b}`, expected `Number` in kind at byte 0"
    );
    let Some(CommonKind::Message(text)) = error.kind().common() else { panic!("{error:?}") };
    assert!(text.contains("a\n\x1b"), "{text}");
}
