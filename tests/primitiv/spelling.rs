//! Documents built with the widths, trailing 1s and repetitions that files may have.

use fourfold::primitiv::{
    Configs, ErrorKind, File, Key, Model, Name, Optimizer, Parameter, Shape, Tensor, Width, to_vec,
};
use std::collections::{BTreeSet, HashSet};

const WIDTHS: [Width; 4] = [Width::Shortest, Width::Eight, Width::Sixteen, Width::ThirtyTwo];

#[test]
fn widths_are_written_and_read_back() {
    for width in WIDTHS {
        let shape = Shape::new(&[2]).unwrap().with_width(width).with_written_dims(3);
        let tensor = Tensor::from_column_major(shape, &[1.0, 2.0]).unwrap().with_width(width);
        let key = Key::new([Name::from("a").with_width(width)]).with_width(width);
        let model = Model::from_entries([(key, Parameter::new(tensor).unwrap())]).unwrap();
        let bytes = File::from(model).to_vec().unwrap();

        let model = Model::try_from(File::from_slice(&bytes).unwrap()).unwrap();
        let [entry] = model.entries() else { panic!("{model:?}") };
        let tensor = entry.parameter().value();
        assert_eq!(tensor.shape().written_dims(), [2, 1, 1]);
        assert_eq!(tensor.shape().dims(), [2]);
        // Arrays have no 8-bit length, and bin has no shorter one.
        let least = |width| if width == Width::Eight { Width::Sixteen } else { width };
        assert_eq!((tensor.shape().width(), entry.key().width()), (least(width), least(width)));
        assert_eq!(entry.key().parts().first().map(Name::width), Some(width));
        let bin = if width == Width::Eight { Width::Shortest } else { width };
        assert_eq!(tensor.width(), bin);
        assert_eq!(File::from(model).to_vec().unwrap(), bytes);
    }
}

/// How a name or a key is encoded in a file is not part of its identity.
#[test]
fn widths_are_not_part_of_a_keys_identity() {
    let spelled =
        |width| Key::new([Name::from("a").with_width(width), Name::from("b")]).with_width(width);
    assert_eq!(HashSet::from(WIDTHS.map(spelled)).len(), 1);
    assert_eq!(BTreeSet::from(WIDTHS.map(spelled)).len(), 1);
    let names = WIDTHS.map(|width| Name::from("a").with_width(width));
    assert_eq!(HashSet::from(names).len(), 1);

    // Keys are ordered by segments as bytes, shorter keys first; a key of one segment is not special.
    let keys = [&["a"][..], &["a", "b"], &["a", "b", "c"], &["ab"], &["b"]];
    let keys = keys.map(|parts| Key::new(parts.iter().copied()));
    assert!(keys.is_sorted() && keys.iter().collect::<HashSet<_>>().len() == keys.len());
    assert_eq!(format!("{:?}", keys[1]), r#"["a", "b"]"#);
    let bytes = Key::new([Name::from(vec![0xff, b'a'])]);
    assert_eq!(format!("{bytes:?}"), r#"[b"\xffa"]"#);
}

#[test]
fn lengths_that_do_not_fit_a_width_are_written_wider() {
    let configs =
        (0..300u32).map(|at| (Name::from(format!("{at:0300}")).with_width(Width::Eight), at));
    let uint_configs = Configs::from_entries(configs.collect()).with_width(Width::Eight);
    let optimizer = Optimizer { uint_configs, ..Optimizer::default() };
    let bytes = to_vec(&optimizer).unwrap();
    assert_eq!(bytes.get(..6), Some(&[0xde, 1, 44, 0xda, 1, 44][..]));
}

#[test]
fn dims_are_written_at_least_as_they_are_and_at_most_eight() {
    let shape = Shape::new(&[2, 3]).unwrap();
    assert_eq!(shape.with_written_dims(0).written_dims(), [2, 3]);
    assert_eq!(shape.with_written_dims(99).written_dims(), [2, 3, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn entries_may_repeat_but_not_contain_one_another() {
    let scalar = |value| Parameter::new(Tensor::scalar(value)).unwrap();
    let model = Model::from_entries(
        [("b", 1.0), ("a", 2.0), ("b", 3.0)].map(|(name, value)| (Key::from(name), scalar(value))),
    );
    let model = model.unwrap();
    assert_eq!((model.entries().len(), model.len()), (3, 2));
    assert_eq!(model.get(["b"]).and_then(|b| b.value().at(&[], 0)), Some(3.0));
    let bytes = File::from(model.clone()).to_vec().unwrap();
    assert_eq!(Model::try_from(File::from_slice(&bytes).unwrap()).unwrap(), model);

    let conflict = [(Key::from("a"), scalar(1.0)), (Key::new(["a", "b"]), scalar(2.0))];
    let error = Model::from_entries(conflict).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::KeyConflict { name } if name == "a"));
    let empty = [(Key::new::<Name<'_>>([]), scalar(1.0))];
    let error = Model::from_entries(empty).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::EmptyKey));
}
