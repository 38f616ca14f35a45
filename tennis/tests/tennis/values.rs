//! Shapes that are computed from values.

use fourfold::tsm::{DType, ModuleBuilder, NodeId, Tensor};
use fourfold_tennis::{
    AutoPad, Format, Input, Operator as Op, PadType, PaddingMethod, PoolType, Shapes,
};

type Graph = ModuleBuilder<'static>;

fn ints(graph: &mut Graph, values: &[i32]) -> NodeId {
    graph.constant("ints", Tensor::list(values).unwrap())
}

/// The shape of what `make` makes of an input of that shape.
fn shape(input: &str, make: impl FnOnce(&mut Graph, NodeId) -> NodeId) -> String {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let y = make(&mut graph, x);
    let module = graph.build([x], [y]).unwrap();
    let shapes = Shapes::infer(&module, &[input.parse::<Input>().unwrap()]).unwrap();
    shapes.node(y.index()).unwrap().output().unwrap().to_string()
}

#[test]
fn a_shape_is_gathered_concatenated_and_reshaped_to() {
    let reshaped = |input: &str| {
        shape(input, |graph, x| {
            let sizes = graph.op("_shape", "shape", [x]).node();
            let first = ints(graph, &[0]);
            let batch = Op::Gather { axis: 0 }.add_to(graph, "batch", [sizes, first]).unwrap();
            let rest = ints(graph, &[-1]);
            let target = Op::Concat { dim: 0 }.add_to(graph, "target", [batch, rest]).unwrap();
            graph.op("_reshape_v2", "y", [x, target]).node()
        })
    };
    assert_eq!(reshaped("2x3x4x5"), "float32 [2, 60]");
    // What the computed size is depends on the batch.
    assert_eq!(reshaped("?x3x4x5"), "float32 [?, ?]");
}

#[test]
fn sizes_are_computed_with() {
    let doubled = shape("1x3x10x12", |graph, x| {
        let sizes = graph.op("_shape", "shape", [x]).node();
        let [begin, end] = [&[2], &[4]].map(|values| values.to_vec());
        let slice = Op::StridedSlice {
            begin,
            end,
            stride: None,
            begin_mask: 0,
            end_mask: 0,
            ellipsis_mask: 0,
            new_axis_mask: 0,
            shrink_axis_mask: 0,
        };
        let image = slice.add_to(graph, "image", [sizes]).unwrap();
        let float = graph.op("to_float", "float", [image]).node();
        let scale = graph.constant("scale", Tensor::from_values(&[1.75f32], &[]).unwrap());
        let scaled = graph.op("mul", "scaled", [float, scale]).node();
        let floor = graph.op("floor", "floor", [scaled]).node();
        let cast = Op::Cast { dtype: DType::Int32 }.add_to(graph, "cast", [floor]).unwrap();
        let kept = ints(graph, &[-1, -1]);
        let target = Op::Concat { dim: 0 }.add_to(graph, "target", [kept, cast]).unwrap();
        graph.op("_resize2d", "y", [x, target]).node()
    });
    assert_eq!(doubled, "float32 [1, 3, 17, 21]");

    let counted = shape("5x7", |graph, x| {
        let sizes = graph.op("_shape", "shape", [x]).node();
        let last = ints(graph, &[1]);
        let limit = Op::Gather { axis: 0 }.add_to(graph, "limit", [sizes, last]).unwrap();
        let [start, step] = [0, 2].map(|value| ints(graph, &[value]));
        let range = graph.op("range", "range", [start, limit, step]).node();
        Op::Gather { axis: 1 }.add_to(graph, "y", [x, range]).unwrap()
    });
    assert_eq!(counted, "float32 [5, 4]");

    // Integers wrap in TenniS, so that a size beyond int32 is unknown.
    let beyond = shape("5x7", |graph, x| {
        let sizes = graph.op("_shape", "shape", [x]).node();
        let large = ints(graph, &[i32::MAX, 2]);
        let product = graph.op("mul", "product", [sizes, large]).node();
        graph.op("constant_of_shape", "y", [product]).node()
    });
    assert_eq!(beyond, "float32 [?, 14]");
}

/// The size of an image that is padded and pooled.
fn pooled(format: Format, side: i32, kernel: i32, stride: i32, padding: &Op) -> String {
    let four = |size: i32| match format {
        Format::Nchw => [1, 1, size, size],
        Format::Nhwc => [1, size, size, 1],
    };
    let input = match format {
        Format::Nchw => format!("1x3x{side}x{side}"),
        Format::Nhwc => format!("1x{side}x{side}x3"),
    };
    shape(&input, |graph, x| {
        let [kernel, stride] = [kernel, stride].map(|size| ints(graph, &four(size)));
        let padding = padding.add_to(graph, "padding", [x, kernel, stride]).unwrap();
        let pooling = Op::Pooling2dV2 { format, kind: PoolType::Max, padding_type: PadType::Black };
        pooling.add_to(graph, "y", [x, padding, kernel, stride]).unwrap()
    })
}

#[test]
fn padding_of_pooling_is_computed_as_each_framework_has_it() {
    let given = |size: i32| [[0; 2], [0; 2], [size; 2], [size; 2]];
    let onnx = |auto_pad, padding| Op::OnnxPooling2dPadding { auto_pad, padding };
    let dragon = |ceil, auto_pad, padding| Op::DragonPooling2dPadding { ceil, auto_pad, padding };
    let mx = |valid| Op::MxPooling2dPadding { valid, format: Format::Nchw, padding: given(0) };
    let side = |side, kernel, stride, padding: &Op| {
        let found = pooled(Format::Nchw, side, kernel, stride, padding);
        let size = found.rsplit(", ").next().unwrap().trim_end_matches(']').to_owned();
        assert_eq!(found, format!("float32 [1, 3, {size}, {size}]"));
        size.parse::<i32>().unwrap()
    };
    // Sizes of images that are no multiple of the stride: rounded down, except by MXNet's "full" and Caffe.
    for (image, down, up) in [(8, 3, 4), (9, 4, 4), (10, 4, 5)] {
        assert_eq!(side(image, 3, 2, &onnx(AutoPad::NotSet, given(0))), down);
        assert_eq!(side(image, 3, 2, &onnx(AutoPad::Valid, given(0))), down);
        assert_eq!(side(image, 3, 2, &mx(1)), down);
        assert_eq!(side(image, 3, 2, &mx(0)), up);
        assert_eq!(side(image, 3, 2, &dragon(true, AutoPad::Valid, given(0))), up);
        assert_eq!(side(image, 3, 2, &dragon(false, AutoPad::NotSet, given(0))), down);
    }
    assert_eq!(side(8, 3, 2, &onnx(AutoPad::NotSet, given(1))), 4);
    // As many as the image divided by the stride.
    for auto_pad in [AutoPad::SameUpper, AutoPad::SameLower] {
        for (image, same) in [(7, 4), (8, 4), (9, 5)] {
            assert_eq!(side(image, 3, 2, &onnx(auto_pad, given(0))), same);
            assert_eq!(side(image, 3, 2, &dragon(true, auto_pad, given(0))), same);
        }
    }
    for (padding_method, expected) in [(PaddingMethod::Same, 4), (PaddingMethod::Valid, 3)] {
        for format in [Format::Nchw, Format::Nhwc] {
            let padding = Op::TfPooling2dPadding { format, padding_method, padding: [[0; 2]; 4] };
            let found = pooled(format, 8, 3, 2, &padding);
            assert!(found.contains(&format!("{expected}, {expected}")), "{found}");
        }
    }
}

#[test]
fn padding_of_convolutions_is_computed() {
    let convolved = |image: i32, padding: Op| {
        let found = shape(&format!("1x3x{image}x{image}"), |graph, x| {
            let zeros = Tensor::from_values(&[0f32; 4 * 3 * 9], &[4, 3, 3, 3]).unwrap();
            let w = graph.constant("w", zeros);
            let padding = padding.add_to(graph, "padding", [x, w]).unwrap();
            let conv = Op::Conv2dV2 {
                format: Format::Nchw,
                padding_value: 0.0,
                stride: [1, 1, 2, 2],
                dilation: [1, 1, 2, 2],
                kernel_packed: false,
            };
            conv.add_to(graph, "y", [x, padding, w]).unwrap()
        });
        found.rsplit(", ").next().unwrap().trim_end_matches(']').parse::<i32>().unwrap()
    };
    let (format, stride, dilation) = (Format::Nchw, [1, 1, 2, 2], [1, 1, 2, 2]);
    let padding = [[0; 2]; 4];
    // The kernel takes 5 pixels.
    for (image, same, valid) in [(8, 4, 2), (9, 5, 3)] {
        for (padding_method, expected) in
            [(PaddingMethod::Same, same), (PaddingMethod::Valid, valid)]
        {
            let tf = Op::TfConv2dPadding { format, stride, dilation, padding_method, padding };
            assert_eq!(convolved(image, tf), expected);
        }
        for padding_method in [AutoPad::Valid, AutoPad::NotSet] {
            let dragon =
                Op::DragonConv2dPadding { format, stride, dilation, padding_method, padding };
            assert_eq!(convolved(image, dragon), valid);
        }
    }
}

#[test]
fn quotients_by_zero_are_unknown() {
    let divided = |by: f32| {
        shape("2x3", |graph, x| {
            let [six, by] =
                [6.0, by].map(|value| graph.constant("float", Tensor::list(&[value]).unwrap()));
            let quotient = graph.op("div", "quotient", [six, by]).node();
            let cast = Op::Cast { dtype: DType::Int64 };
            let size = cast.add_to(graph, "size", [quotient]).unwrap();
            graph.op("_reshape_v2", "y", [x, size]).node()
        })
    };
    assert_eq!(divided(1.0), "float32 [6]");
    assert_eq!(divided(0.0), "float32 [?]");
}
