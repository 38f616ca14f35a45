//! Documents built by hand: order, replacement, nesting, memory orders, and errors.

use fourfold::Memory;
use fourfold::primitiv::{
    Data, File, Key, Model, Name, Parameter, Shape, Tensor, Version, from_slice, to_vec,
};

use crate::support::alloc::measure_value;
use crate::support::fact;
use crate::vectors::FIXTURES;

fn parameter(value: f32) -> Parameter<'static> {
    Parameter::new(Tensor::scalar(value)).unwrap()
}

fn text<T>(result: fourfold::primitiv::Result<T>) -> String {
    result.map(drop).unwrap_err().to_string()
}

fn keys(model: &Model<'_>) -> Vec<String> {
    model.entries().iter().map(|entry| entry.key().to_string()).collect()
}

#[test]
fn a_model_built_by_hand_is_written_as_primitiv_does() {
    for name in ["m_flat20", "m_names", "m_nested_0_to_4"] {
        let bytes = FIXTURES.bytes(&format!("saved/{name}.model"));
        let Data::Model(read) = File::from_slice(&bytes).unwrap().data else { panic!() };
        let mut built = Model::new();
        for entry in read.entries().iter().rev() {
            built.insert(entry.key().clone(), entry.parameter().clone()).unwrap();
        }
        assert_eq!(built, read);
        assert_eq!(File::from(built).to_vec().unwrap(), bytes, "{name}");
    }
}

#[test]
fn changes() {
    let mut model = Model::new();
    for (value, key) in [(0.0, vec!["m"]), (1.0, vec!["a", "x"]), (2.0, vec!["z"])] {
        assert_eq!(model.insert(key, parameter(value)).unwrap(), None);
    }
    assert_eq!(model.insert(["m"], parameter(3.0)).unwrap(), Some(parameter(0.0)));
    assert_eq!((model.len(), model.get(["m"])), (3, Some(&parameter(3.0))));
    assert_eq!(text(model.insert(["a"], parameter(0.0))), "a is a parameter and a submodel");
    assert_eq!(
        text(model.insert(["m", "x", "y"], parameter(0.0))),
        "m is a parameter and a submodel"
    );
    assert_eq!(text(model.insert(Vec::<&str>::new(), parameter(0.0))), "key is empty");
    assert_eq!(model.insert(["a", "w"], parameter(4.0)).unwrap(), None);
    let inner = model.get_mut(["a", "w"]).unwrap();
    inner.replace_value(Tensor::scalar(5.0)).unwrap();
    assert_eq!(inner.insert_stat("s", Tensor::scalar(6.0)), None);
    assert_eq!(inner.insert_stat("s", Tensor::scalar(7.0)), Some(Tensor::scalar(6.0)));
    assert_eq!(model.remove(["m"]), Some(parameter(3.0)));
    assert_eq!(model.remove(["m"]), None);
    assert_eq!(model.insert(["m", "x"], parameter(8.0)).unwrap(), None);

    let bytes = to_vec(&model).unwrap();
    let read: Model<'_> = from_slice(&bytes).unwrap();
    assert_eq!(keys(&read), ["a.w", "a.x", "m.x", "z"]);
    assert_eq!(read, model);
    assert_eq!(read.get(["a", "w"]).unwrap().stat("s"), Some(&Tensor::scalar(7.0)));
    assert_eq!(to_vec(&read.clone().into_owned()).unwrap(), bytes);
    let a = read.root().submodel("a").unwrap().to_model().unwrap();
    assert_eq!(keys(&a), ["w", "x"]);
}

#[test]
fn a_model_keeps_the_order_of_its_file() {
    let bytes = FIXTURES.bytes("crafted/k_unsorted.model");
    let Data::Model(mut model) = File::from_slice(&bytes).unwrap().data else { panic!() };
    let before = keys(&model);
    assert!(!before.is_sorted());
    for entry in model.clone().entries() {
        assert_eq!(model.get(entry.key().parts()), Some(entry.parameter()));
    }
    model.insert(["0"], parameter(9.0)).unwrap();
    let written = to_vec(&model).unwrap();
    let read: Model<'_> = from_slice(&written).unwrap();
    assert_eq!(keys(&read)[..before.len()], before);
    assert_eq!(read.get(["0"]), Some(&parameter(9.0)));

    // If a key is repeated, the last entry counts, and removing it removes all.
    let bytes = FIXTURES.bytes("crafted/k_duplicate_key.model");
    let Data::Model(mut model) = File::from_slice(&bytes).unwrap().data else { panic!() };
    assert_eq!((model.entries().len(), model.len()), (2, 1));
    assert_eq!(model.get(["a"]).unwrap().value().to_column_major(), [2.0, 3.0]);
    assert!(model.insert(["a"], parameter(1.0)).unwrap().is_some());
    assert_eq!(model.get(["a"]), Some(&parameter(1.0)));
    assert_eq!(model.remove(["a"]), Some(parameter(1.0)));
    assert!(model.is_empty());
}

/// A key that is a prefix of another one is a conflict at any position.
#[test]
fn conflicts_are_found_in_any_order() {
    let one = |key: &[&str]| {
        let mut model = Model::new();
        model.insert(key.to_vec(), parameter(1.0)).unwrap();
        to_vec(&model).unwrap()[5..].to_vec()
    };
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let entries = [one(&["a"]), one(&["a", "b", "c"]), one(&["a!"])];
        let mut bytes = vec![0xce, 0, 0, 0, 3];
        bytes.extend(order.iter().flat_map(|place| entries[*place].clone()));
        let error = from_slice::<Model<'_>>(&bytes).unwrap_err();
        let later = order.iter().rposition(|place| *place < 2).unwrap();
        let at: usize = 5 + order[..later].iter().map(|place| entries[*place].len()).sum::<usize>();
        let wanted =
            format!("a is a parameter and a submodel in parameters[{later}].key at byte {at}");
        assert_eq!(error.to_string(), wanted);
    }
}

#[test]
fn names_are_bytes() {
    let bytes = FIXTURES.bytes("saved/m_name_not_utf8.model");
    let Data::Model(model) = File::from_slice(&bytes).unwrap().data else { panic!() };
    let name = model.entries()[0].key().name().unwrap();
    assert_eq!((name.as_str(), name.as_bytes()), (None, &[0xff, 0xfe, 0x80][..]));
    assert_eq!(name.to_string(), r"\xff\xfe\x80");
    assert!(model.get([&[0xff, 0xfe, 0x80][..]]).is_some());
    assert_ne!(Key::new(["a.b"]), Key::new(["a", "b"]));
    assert_eq!(Name::from("a"), *"a");
    assert!(Key::new(["a"]) < Key::new(["a", "b"]) && Key::new(["a", "b"]) < Key::new(["a!"]));
}

#[test]
fn memory_orders() {
    let shape = Shape::new(&[2, 3, 4]).unwrap().with_batch(2).unwrap();
    let rows: Vec<f32> = (0..48u8).map(f32::from).collect();
    let tensor = Tensor::from_row_major(shape, &rows).unwrap();
    assert_eq!(tensor.to_row_major(), rows);
    let columns = tensor.to_column_major();
    assert_eq!(columns[..4], [0.0, 12.0, 4.0, 16.0]);
    assert_eq!(columns[24], 24.0);
    assert_eq!(Tensor::from_column_major(shape, &columns).unwrap(), tensor);
    assert_eq!(tensor.column_major(), columns);
    for (i, j, k, batch) in [(0, 0, 0, 0), (1, 2, 3, 0), (1, 0, 2, 1), (0, 1, 3, 1)] {
        let at = |n: u32| usize::try_from(n).unwrap();
        let row = at(batch) * 24 + at(i) * 12 + at(j) * 4 + at(k);
        assert_eq!(tensor.at(&[i, j, k], batch), Some(rows[row]));
    }
    assert_eq!((tensor.at(&[2, 0, 0], 0), tensor.at(&[0], 2)), (None, None));
    assert_eq!(tensor.at(&[1, 2, 3, 0], 0), tensor.at(&[1, 2, 3], 0));
    assert_eq!(tensor.at(&[0, 0, 0, 1], 0), None);

    // Only misaligned data is copied.
    let padded = [&[0][..], tensor.data()].concat();
    let views = [0, 1].map(|from| Tensor::new(shape, &padded[from..][..192]).unwrap());
    assert!(views.iter().any(|tensor| tensor.as_column_major().is_none()));
    assert_eq!(views[1].column_major(), columns);

    assert_eq!(Tensor::scalar(2.5).to_row_major(), [2.5]);
    let bits = FIXTURES.bytes("saved/t_specials_4x6.tensor");
    let Data::Tensor(specials) = File::from_slice(&bits).unwrap().data else { panic!() };
    let again = Tensor::from_column_major(*specials.shape(), &specials.to_column_major()).unwrap();
    assert_eq!(again, specials);
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays() {
    use ndarray::{Array3, arr0, arr2};

    let bytes = FIXTURES.bytes("saved/p_mat2x3.param");
    let Data::Parameter(parameter) = File::from_slice(&bytes).unwrap().data else { panic!() };
    let view = parameter.value().view();
    assert_eq!(view.shape(), [2, 3]);
    assert_eq!(view.strides(), [1, 2]);
    assert_eq!(view, arr2(&[[0.0, 10.0, 20.0], [1.0, 11.0, 21.0]]).into_dyn());
    let bytes = FIXTURES.bytes("saved/t_batch4_2x3.tensor");
    let Data::Tensor(batch) = File::from_slice(&bytes).unwrap().data else { panic!() };
    assert_eq!(batch.view().shape(), [2, 3, 4]);
    assert_eq!(batch.view()[[1, 2, 3]], batch.at(&[1, 2], 3).unwrap());

    let array = arr2(&[[0.0, 10.0, 20.0], [1.0, 11.0, 21.0]]);
    assert_eq!(Tensor::from_array(&array).unwrap(), *parameter.value());
    assert_eq!(Tensor::from_array(&array.t()).unwrap().view(), array.t().into_dyn());
    assert_eq!(Tensor::from_array(&arr0(1.5)).unwrap(), Tensor::scalar(1.5));
    assert_eq!(text(Tensor::from_array(&Array3::zeros((1, 0, 2)))), "dim is 0");
    assert_eq!(Tensor::scalar(1.5).view().ndim(), 0);
}

#[test]
fn invalid_documents_cannot_be_built() {
    assert_eq!(text(Shape::new(&[1; 9])), "shape has 9 dims, more than 8");
    assert_eq!(text(Shape::new(&[2, 0])), "dim is 0");
    assert_eq!(text(Shape::new(&[1 << 16, 1 << 16])), "dims and batch multiply beyond 32 bits");
    let shape = Shape::new(&[1 << 16, 1 << 15]).unwrap();
    assert_eq!(text(shape.with_batch(2)), "dims and batch multiply beyond 32 bits");
    assert_eq!(text(shape.with_batch(0)), "batch is 0");
    let refused = "data has 4 bytes, the shape [65536,32768]x1 has 8589934592";
    assert_eq!(text(Tensor::new(shape, vec![0; 4])), refused);
    assert_eq!(text(Tensor::from_row_major(shape, &[0.0])), refused);
    assert_eq!(text(Tensor::from_column_major(shape, &[0.0])), refused);

    let batch = Shape::scalar().with_batch(2).unwrap();
    let batch = Tensor::from_column_major(batch, &[1.0, 2.0]).unwrap();
    assert_eq!(text(Parameter::new(batch.clone())), "batch of a parameter's value is 2, not 1");
    let mut parameter = parameter(1.0);
    assert!(parameter.replace_value(batch.clone()).is_err());
    assert_eq!(parameter.insert_stat("s", batch), None);
    assert_eq!(from_slice::<Parameter<'_>>(&to_vec(&parameter).unwrap()).unwrap(), parameter);

    let file = File { version: Version { major: 0, minor: 2 }, ..File::from(parameter) };
    assert_eq!(text(file.to_vec()), "file version 0.2 is not 0.1");
    assert_eq!(text(to_vec(&file)), "file version 0.2 is not 0.1");
    let error = Model::try_from(file).unwrap_err();
    assert_eq!(fact(&error.to_string()), "data type is 0x200, 0x300 was requested at byte 10");
}

/// Tensors borrow: reading a large one takes little memory.
#[test]
fn data_is_borrowed() {
    let shape = Shape::new(&[1000, 250]).unwrap();
    let tensor = Tensor::new(shape, Memory::from(vec![7; 1_000_000])).unwrap();
    let bytes = File::from(Parameter::new(tensor).unwrap()).to_vec().unwrap();
    let (file, stats) = measure_value(|| File::from_slice(&bytes).unwrap());
    assert!(stats.total < 1000, "{stats:?}");
    let (_, stats) = measure_value(|| file.to_writer(std::io::sink()).unwrap());
    assert!(stats.total < 1000, "{stats:?}");
}

/// A canonical file is written with the same bytes and content. Files of primitiv are canonical.
#[test]
fn canonical_files_are_unchanged() {
    let mut count = 0;
    for name in FIXTURES.names("saved", "model") {
        let bytes = FIXTURES.bytes(&format!("saved/{name}.model"));
        assert!(File::sniff(&bytes), "{name}");
        let file = File::from_slice(&bytes).unwrap();
        let canonical = file.to_canonical().unwrap();
        let written = canonical.to_vec().unwrap();
        let again = File::from_slice(&written).unwrap();
        assert_eq!(again.to_canonical().unwrap().to_vec().unwrap(), written, "{name}");
        let (Data::Model(old), Data::Model(new)) = (&file.data, &again.data) else { panic!() };
        let of = |model: &Model<'_>| -> Vec<String> {
            model.sorted().iter().map(|entry| format!("{:?}", entry.parameter())).collect()
        };
        assert_eq!((of(old), old.len()), (of(new), new.len()), "{name}");
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn longer_spellings_are_not_canonical() {
    // A shape without dims, with the headers str8 and array16 instead of one byte.
    let bytes = File::from(Shape::new(&[3, 1]).unwrap()).to_vec().unwrap();
    let mut long = bytes.clone();
    let at = long.iter().rposition(|byte| *byte & 0xf0 == 0x90).unwrap();
    let count = long[at] & 0x0f;
    long.splice(at..=at, [0xdc, 0, count]);
    let file = File::from_slice(&long).unwrap();
    assert_eq!(file.to_vec().unwrap(), long);
    assert_eq!(file.to_canonical().unwrap().to_vec().unwrap(), bytes);
}

#[test]
fn files_are_detected_by_their_beginning() {
    for (begin, is_it) in [
        (&[0xce, 0, 0, 0, 0, 0xce, 0, 0, 0, 1, 0xce, 0, 0, 3, 0][..], true),
        // Another version, and another type.
        (&[0xce, 0, 0, 0, 9, 0xce, 0, 0, 0, 9, 0xce, 0, 0, 9, 9], true),
        (&[0xce, 0, 0, 1, 0, 0xce, 0, 0, 0, 1, 0xce, 0, 0, 3, 0], false),
        (&[0xce, 0, 0, 0, 0, 0xcd, 0, 0, 0, 1, 0xce, 0, 0, 3, 0], false),
        (&[0xce, 0, 0, 0, 0, 0xce, 0, 0, 0, 1, 0xce, 0], false),
        (&[], false),
    ] {
        assert_eq!(File::sniff(begin), is_it, "{begin:02x?}");
    }
}
