//! Attributes of convolutions and of images in another size.

use fourfold_onnx::{Attribute, DataType, Model, Tensor, import};

use super::refused::{model, node, value};

/// A transposed convolution of 2 channels to 3, with a kernel of 3 by 3 and strides of 2.
fn transposed(attributes: &[Attribute]) -> Model {
    let attributes = [&[Attribute::ints("strides", [2, 2])], attributes].concat();
    let mut model = model(vec![node("ConvTranspose", &["x", "w"], &["y"], &attributes)], &["y"]);
    let graph = model.graph.as_mut().unwrap();
    graph.input = vec![value("x", Some(&[1, 2, 4, 5]))];
    graph.initializer.push(Tensor {
        name: "w".into(),
        dims: vec![2, 3, 3, 3],
        data_type: DataType::Float.number(),
        raw_data: Some(vec![0; 216].into()),
        ..Tensor::default()
    });
    model
}

fn bytes(model: &Model) -> Vec<u8> {
    import(model, None).unwrap().to_vec().unwrap()
}

fn refused(model: &Model) -> String {
    import(model, None).unwrap_err().to_string()
}

#[test]
fn output_shape_may_have_batch_and_channels() {
    let shape = |sizes: &[i64]| transposed(&[Attribute::ints("output_shape", sizes)]);
    let image = bytes(&shape(&[9, 10]));
    assert_eq!(bytes(&shape(&[1, 3, 9, 10])), image);
    assert_ne!(bytes(&shape(&[9, 11])), image);
    for sizes in [&[2, 3, 9, 10][..], &[1, 2, 9, 10], &[3, 9, 10], &[9]] {
        let text = refused(&shape(sizes));
        let end = format!("output_shape is {sizes:?}; 2 sizes of the image are expected");
        assert!(text.ends_with(&end), "{text}");
    }
}

#[test]
fn output_padding_is_of_all_sides() {
    for more in [&[1][..], &[1, -1], &[0, 0, 0, 0]] {
        let text = refused(&transposed(&[Attribute::ints("output_padding", more)]));
        let end = format!("output_padding is {more:?}; 2 sizes of at least 0 are expected");
        assert!(text.ends_with(&end), "{text}");
    }
}

#[test]
fn strides_beyond_the_kernel_are_refused_with_auto_pad() {
    let same = Attribute::string("auto_pad", "SAME_UPPER");
    let mut model = transposed(&[same]);
    import(&model, None).unwrap();
    model.graph.as_mut().unwrap().node[0].attribute[0] = Attribute::ints("strides", [4, 4]);
    let text = refused(&model);
    assert!(text.ends_with("(auto_pad); give pads in place of it"), "{text}");
}

#[test]
fn an_image_that_is_cropped_is_refused_in_the_same_size() {
    let crop = [
        Attribute::string("mode", "linear"),
        Attribute::string("coordinate_transformation_mode", "tf_crop_and_resize"),
    ];
    let mut model = model(vec![node("Resize", &["x", "r", "s"], &["y"], &crop)], &["y"]);
    for (name, numbers) in [("r", &[0.0_f32, 0.5, 1.0, 1.0][..]), ("s", &[1.0, 1.0])] {
        model.graph.as_mut().unwrap().initializer.push(Tensor {
            name: name.into(),
            dims: vec![i64::try_from(numbers.len()).unwrap()],
            data_type: DataType::Float.number(),
            float_data: numbers.to_vec(),
            ..Tensor::default()
        });
    }
    let text = refused(&model);
    assert!(text.contains("does not have tf_crop_and_resize"), "{text}");
}

#[test]
fn pads_that_tennis_has_not_are_refused() {
    let padded = |shape: &[i64], pads: &[i64], mode: &str| {
        let mode = [Attribute::string("mode", mode.to_owned())];
        let mut model = model(vec![node("Pad", &["x", "p"], &["y"], &mode)], &["y"]);
        let graph = model.graph.as_mut().unwrap();
        graph.input = vec![value("x", Some(shape))];
        graph.initializer.push(Tensor {
            name: "p".into(),
            dims: vec![i64::try_from(pads.len()).unwrap()],
            data_type: DataType::Int64.number(),
            int64_data: pads.to_vec(),
            ..Tensor::default()
        });
        model
    };
    let text = refused(&padded(&[2, 2, 3, 3], &[-1, 0, 0, 0, 0, 0, 0, 0], "constant"));
    assert!(
        text.ends_with(
            "it cuts the batch of 4 dims, where TenniS writes beyond its memory; cut it by Slice"
        ),
        "{text}"
    );
    for (pads, mode) in [([4, 0], "reflect"), ([0, 5], "wrap"), ([-1, 0], "edge")] {
        let text = refused(&padded(&[4], &pads, mode));
        let end = format!(
            "it pads a dim of 4 by {} and {} in mode {mode}, which reaches beyond it",
            pads[0], pads[1]
        );
        assert!(text.ends_with(&end), "{text}");
    }
    import(&padded(&[4], &[3, 9], "edge"), None).unwrap();
    let text = refused(&padded(&[4], &[1 << 30, 0], "edge"));
    assert!(text.contains("weights and indices of images have more than"), "{text}");
    let text = refused(&padded(&[4], &[1, 0], "other"));
    assert!(text.ends_with("mode is \"other\""), "{text}");
}

#[test]
fn integers_are_not_mixed() {
    let linear = [Attribute::string("mode", "linear")];
    let cast = node("Cast", &["x"], &["i"], &[Attribute::int("to", 6)]);
    let mut model = model(vec![cast, node("Resize", &["i", "", "s"], &["y"], &linear)], &["y"]);
    model.graph.as_mut().unwrap().initializer.push(Tensor {
        name: "s".into(),
        dims: vec![2],
        data_type: DataType::Float.number(),
        float_data: vec![2.0, 2.0],
        ..Tensor::default()
    });
    let text = refused(&model);
    assert!(text.ends_with("cast its input to float"), "{text}");
}

/// An image resized to sizes that are given.
fn resized(shape: &[i64], sizes: &[i64], attributes: &[Attribute]) -> Model {
    let mut model = model(vec![node("Resize", &["x", "", "", "s"], &["y"], attributes)], &["y"]);
    let graph = model.graph.as_mut().unwrap();
    graph.input = vec![value("x", Some(shape))];
    let bytes = sizes.iter().flat_map(|size| size.to_le_bytes()).collect::<Vec<u8>>();
    graph.initializer.push(Tensor {
        name: "s".into(),
        dims: vec![4],
        data_type: DataType::Int64.number(),
        raw_data: Some(bytes.into()),
        ..Tensor::default()
    });
    model
}

#[test]
fn lines_of_one_pixel_are_mixed_by_constants() {
    let linear = [Attribute::string("mode", "linear")];
    let is_own = |shape: &[i64], sizes: &[i64]| {
        let module = import(&resized(shape, sizes, &linear), None).unwrap();
        module.graph.nodes.iter().any(|node| node.op() == Some("_resize2d"))
    };
    assert!(is_own(&[1, 3, 4, 4], &[1, 3, 8, 8]));
    assert!(is_own(&[1, 1, 4, 4], &[1, 1, 8, 8]));
    // TenniS mixes each pixel with the next one, and there is none.
    assert!(!is_own(&[1, 3, 1, 4], &[1, 3, 2, 8]));
    assert!(!is_own(&[1, 3, 1, 4], &[1, 3, 1, 8]));
    assert!(!is_own(&[1, 1, 4, 4], &[1, 1, 8, 4]));
    // Of unknown sizes, none may be such a line.
    assert!(is_own(&[1, 3, -1, -1], &[1, 3, 8, 8]));
    assert!(is_own(&[1, 3, -1, 4], &[1, 3, 8, 4]));
    for (shape, sizes) in [
        ([1, 1, -1, 4], [1, 1, 8, 4]),
        ([1, -1, -1, 4], [1, -1, 8, 4]),
        ([-1, 3, 1, 1], [1, 3, 16, 16]),
        ([-1, 3, -1, 1], [-1, 3, 16, 16]),
    ] {
        let text = refused(&resized(&shape, &sizes, &linear));
        assert!(text.contains("TenniS reads beyond a line of one pixel"), "{text}");
    }
}
