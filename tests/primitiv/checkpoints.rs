//! Typical uses of files: one copy in memory, options, dropping statistics, checking keys and shapes.

use std::io;

use fourfold::primitiv::{
    Data, ErrorKind, File, Key, Mismatch, Model, Optimizer, Options, Parameter, Shape, Tensor,
    from_slice, to_vec,
};

use crate::support::alloc::measure_value;

fn tensor(dims: &[u32], value: f32) -> Tensor<'static> {
    let shape = Shape::new(dims).unwrap();
    let count = usize::try_from(shape.volume()).unwrap();
    Tensor::from_column_major(shape, &vec![value; count]).unwrap()
}

/// Two parameters of 2 MiB, one with a statistic of as much.
fn model() -> Model<'static> {
    let mut model = Model::new();
    model.insert(["a"], Parameter::new(tensor(&[1 << 10, 1 << 9], 1.0)).unwrap()).unwrap();
    let mut parameter = Parameter::new(tensor(&[1 << 9, 1 << 10], 2.0)).unwrap();
    parameter.insert_stat("Adam.m1", tensor(&[1 << 19], 3.0));
    model.insert(["sub", "b"], parameter).unwrap();
    model
}

#[test]
fn a_file_is_in_memory_once_in_reading_and_writing() {
    let bytes = model().to_file_bytes().unwrap();
    let once = bytes.len() / 10 * 11;
    let (file, stats) = measure_value(|| File::from_reader(&bytes[..]).unwrap());
    assert!(stats.peak <= once, "{stats:?} for {}", bytes.len());
    let (read, stats) = measure_value(|| Model::from_reader(&bytes[..]).unwrap());
    assert!(stats.peak <= once, "{stats:?} for {}", bytes.len());
    assert_eq!(read, model());
    // A range of the source shares its memory.
    let value = read.get(["a"]).unwrap().value().clone();
    drop(read);
    assert_eq!(value, tensor(&[1 << 10, 1 << 9], 1.0));

    let most = 1 << 17;
    let ((), stats) = measure_value(|| file.to_writer(io::sink()).unwrap());
    assert!(stats.peak < most, "{stats:?}");
    let ((), stats) = measure_value(|| fourfold::primitiv::to_writer(io::sink(), &file).unwrap());
    assert!(stats.peak < most, "{stats:?}");
    let of_model = |file: &File<'_>| match &file.data {
        Data::Model(model) => model.to_file_bytes().unwrap(),
        _ => Vec::new(),
    };
    for copy in [|file: &File<'_>| file.to_vec().unwrap(), of_model] {
        let (copy, stats) = measure_value(|| copy(&file));
        assert!(stats.peak <= once, "{stats:?} for {}", bytes.len());
        assert_eq!(copy, bytes);
    }

    let parameter = Parameter::new(tensor(&[1 << 20], 4.0)).unwrap().to_file_bytes().unwrap();
    let tensor = tensor(&[1 << 20], 5.0).to_file_bytes().unwrap();
    let (_, stats) = measure_value(|| Parameter::from_reader(&parameter[..]).unwrap());
    assert!(stats.peak <= parameter.len() / 10 * 11, "{stats:?}");
    let (_, stats) = measure_value(|| Tensor::from_reader(&tensor[..]).unwrap());
    assert!(stats.peak <= tensor.len() / 10 * 11, "{stats:?}");
}

#[cfg(feature = "mmap")]
#[test]
fn writing_a_mapped_file_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.model"), folder.path().join("b.model"));
    model().write_to(&path).unwrap();
    let (opened, stats) = measure_value(|| Model::open(&path).unwrap());
    assert!(stats.peak < 1 << 17, "{stats:?}");
    let ((), stats) = measure_value(|| opened.write_to(&other).unwrap());
    assert!(stats.peak < 1 << 17, "{stats:?}");
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&other).unwrap());
}

/// With 0 as a fixint, and with a trailing byte.
#[test]
fn options_apply_to_every_document() {
    let lax = Options::new().allow_trailing(true).lenient(true).max_input(1 << 10);
    let mut model = Model::new();
    model.insert(["w"], Parameter::new(tensor(&[2], 1.0)).unwrap()).unwrap();
    let parameter = Parameter::new(tensor(&[2], 1.0)).unwrap();
    let odd = |mut bytes: Vec<u8>| {
        // The major version.
        bytes.splice(..5, [0]);
        bytes.push(7);
        bytes
    };

    macro_rules! documents {
        ($($type:ident $value:expr, $($open:ident)?;)*) => {$({
            let value = $value;
            let bytes = odd(value.to_file_bytes().unwrap());
            assert!($type::from_slice(&bytes).is_err());
            assert_eq!($type::from_slice_with(&bytes, &lax).unwrap(), value);
            assert!($type::from_reader(&bytes[..]).is_err());
            assert_eq!($type::from_reader_with(&bytes[..], &lax).unwrap(), value);
            let narrow = lax.clone().max_input(3);
            let error = $type::from_reader_with(&bytes[..], &narrow).unwrap_err();
            assert_eq!(error.to_string(), "input is longer than 3 bytes at byte 3; use `Options::max_input` to allow more");
            $(#[cfg(feature = "mmap")] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("document");
                std::fs::write(&path, &bytes).unwrap();
                assert!($type::open(&path).is_err());
                assert_eq!($type::$open(&path, &lax).unwrap(), value);
            })?
        })*};
    }

    documents! {
        Tensor tensor(&[2, 2], 0.5), ;
        Parameter parameter, open_with;
        Model model.clone(), open_with;
        Optimizer Optimizer::default(), open_with;
    }
    let bytes = odd(model.to_file_bytes().unwrap());
    assert!(File::from_slice(&bytes).is_err());
    assert_eq!(File::from_slice_with(&bytes, &lax).unwrap(), File::from(model));
    let error = Optimizer::from_slice_with(&bytes, &lax).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::OtherData { found: 0x300, expected: 0x400 }),
        "{error}"
    );
}

#[test]
fn statistics_are_dropped_in_one_call() {
    let mut small = Model::new();
    let mut parameter = Parameter::new(tensor(&[2], 1.0)).unwrap();
    let plain = parameter.clone();
    parameter.insert_stat("Adam.m1", tensor(&[2], 2.0));
    parameter.insert_stat("Adam.m2", tensor(&[2], 3.0));
    small.insert(["b"], parameter.clone()).unwrap();
    small.insert(["a"], plain.clone()).unwrap();
    let mut expected = Model::new();
    expected.insert(["b"], plain.clone()).unwrap();
    expected.insert(["a"], plain.clone()).unwrap();

    let mut cleared = small.clone();
    cleared.clear_stats();
    assert_eq!(cleared, expected);
    assert_eq!(to_vec(&cleared).unwrap(), to_vec(&expected).unwrap());
    for (data, expected) in [
        (File::from(small), File::from(expected)),
        (File::from(parameter), File::from(plain)),
        (File::from(tensor(&[2], 1.0)), File::from(tensor(&[2], 1.0))),
    ] {
        let mut file = data;
        file.clear_stats();
        assert_eq!(file, expected);
    }
    // Also in entries that repeat a key.
    let twice = Model::from_entries(["a", "a"].map(|key| {
        let mut parameter = Parameter::new(Tensor::scalar(1.0)).unwrap();
        parameter.insert_stat("m", Tensor::scalar(2.0));
        (Key::from(key), parameter)
    }));
    let mut twice = twice.unwrap();
    twice.clear_stats();
    assert!(twice.entries().iter().all(|entry| entry.parameter().stats().is_empty()));
}

#[test]
fn a_model_is_compared_with_what_is_expected() {
    let mut model = Model::new();
    for (key, dims) in [(&["b"][..], &[2][..]), (&["a", "w"], &[3, 4]), (&["a", "\u{1}"], &[])] {
        model.insert(key.to_vec(), Parameter::new(tensor(dims, 0.0)).unwrap()).unwrap();
    }
    let bytes = to_vec(&model).unwrap();
    let model: Model<'_> = from_slice(&bytes).unwrap();
    assert_eq!(model.check(model.shapes()), []);
    let keys: Vec<String> = model.shapes().map(|(key, _)| key.to_string()).collect();
    assert_eq!(keys, [r"a.\u{1}", "a.w", "b"]);

    let shape = |dims: &[u32]| Shape::new(dims).unwrap();
    let expected = [
        (Key::from(["b"]), shape(&[2, 1])),
        (Key::from(["c", "d"]), shape(&[5])),
        (Key::from(["a", "w"]), shape(&[4, 3])),
        // If a key is repeated, the last one counts.
        (Key::from(["c", "d"]), shape(&[6])),
    ];
    let found = model.check(expected);
    let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            r"a.\u{1} is not expected",
            "a.w is [3,4]x1, [4,3]x1 was expected",
            "c.d is missing, [6]x1 was expected",
        ]
    );
    assert!(
        matches!(&found[0], Mismatch::Extra { key, found } if key.parts().len() == 2 && *found == Shape::scalar())
    );
    assert_eq!(found[2].key(), &Key::from(["c", "d"]));
    assert_eq!(Model::new().check(model.shapes()).len(), 3);
    assert_eq!(model.check([("a", Shape::scalar())]).len(), 4);

    // The same for repeated keys in the file.
    let twice = Model::from_entries([
        (Key::from("a"), Parameter::new(tensor(&[2], 0.0)).unwrap()),
        (Key::from("a"), Parameter::new(tensor(&[3], 0.0)).unwrap()),
    ]);
    assert_eq!(twice.unwrap().check([("a", shape(&[3]))]), []);
}
