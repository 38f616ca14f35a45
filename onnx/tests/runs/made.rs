//! Modules of operators and params that TenniS has not run. What they compute is in `made.py`.

use std::fs;

use fourfold::tsm::{DType, Element, IntoPacked, Module, ModuleBuilder, NodeId, Tensor};
use fourfold_onnx::{Options, export};

/// One operator with inputs `in0`, `in1` and so on.
struct Case {
    name: &'static str,
    graph: ModuleBuilder<'static>,
    inputs: Vec<NodeId>,
    all: Vec<NodeId>,
    params: Vec<(&'static str, Tensor<'static>)>,
}

fn case(name: &'static str) -> Case {
    let graph = ModuleBuilder::new();
    Case { name, graph, inputs: Vec::new(), all: Vec::new(), params: Vec::new() }
}

fn tensor<T: Element>(values: &[T], shape: &[i32]) -> Tensor<'static> {
    Tensor::from_values(values, shape).unwrap()
}

impl Case {
    fn input(mut self, shape: &[i32], dtype: DType) -> Self {
        let node = self.graph.param(&format!("in{}", self.inputs.len()));
        self.graph.at(node).shape(shape).dtype(dtype);
        self.inputs.push(node);
        self.all.push(node);
        self
    }

    fn x(self, shape: &[i32]) -> Self {
        self.input(shape, DType::Float32)
    }

    fn constant(mut self, values: &[i32], shape: &[i32]) -> Self {
        let name = format!("constant{}", self.all.len());
        let node = self.graph.constant(&name, tensor(values, shape));
        self.all.push(node);
        self
    }

    fn set(mut self, name: &'static str, value: impl IntoPacked<'static>) -> Self {
        self.params.push((name, set(value)));
        self
    }

    /// The module, whose operator is the name without its number.
    fn of(self, op: &str, outputs: usize) -> (&'static str, Module<'static>) {
        let Case { name, mut graph, inputs, all, params } = self;
        let node = graph.op(op, "y", all);
        let y = params.into_iter().fold(node, |node, (name, value)| node.set(name, value)).node();
        let outputs = match outputs {
            1 => vec![y],
            _ => (0..i32::try_from(outputs).unwrap())
                .map(|at| graph.op("_field", &format!("y{at}"), [y]).set("offset", at).node())
                .collect(),
        };
        (name, graph.build(inputs, outputs).unwrap())
    }
}

fn set(value: impl IntoPacked<'static>) -> Tensor<'static> {
    value.into_packed().unwrap().fields.remove(0)
}

fn conv(case: Case, padding: [i32; 4]) -> Case {
    let [top, bottom, left, right] = padding;
    case.set("format", "NCHW")
        .set("padding", tensor(&[0, 0, 0, 0, top, bottom, left, right], &[4, 2]))
        .set("stride", &[1i32, 1, 2, 1][..])
        .set("dilation", &[1i32, 1, 1, 2][..])
}

const INT: DType = DType::Int32;

/// All modules, by their names in `made.py`.
pub(super) fn cases() -> Vec<(&'static str, Module<'static>)> {
    let pads = |top: i32, left: i32| [0, 0, 0, 0, top, 0, left, 1];
    let mut cases = vec![
        case("mod-1").input(&[2, 3], INT).input(&[2, 3], INT).of("mod", 1),
        case("mod-2").input(&[1], INT).input(&[2, 3], INT).of("mod", 1),
        case("erf-1").x(&[3, 4]).of("erf", 1),
        case("reduce_mean-1")
            .input(&[300], DType::UInt8)
            .set("dims", &[0i32][..])
            .of("reduce_mean", 1),
        case("reduce_sum-1").input(&[2], INT).set("dims", 0).of("reduce_sum", 1),
        case("where-1").input(&[3], DType::Boolean).x(&[2, 3]).x(&[2, 3]).of("where", 1),
        case("where-2")
            .input(&[3], DType::Boolean)
            .input(&[3], DType::UInt64)
            .input(&[3], DType::UInt64)
            .of("where", 1),
        case("copy-1").x(&[3, 4]).of("_copy", 1),
        case("slice-1")
            .x(&[3, 4, 5])
            .set("begin", &[1i32, 0, 2][..])
            .set("size", &[2i32, -1, 1][..])
            .of("slice", 1),
        case("slice_v2-1")
            .x(&[3, 4, 5])
            .constant(&[1, 0, 2], &[3])
            .constant(&[2, -1, 1], &[3])
            .of("slice_v2", 1),
        case("split-1").x(&[6, 2]).constant(&[1, 2, 3], &[3]).set("axis", 0).of("split", 3),
        case("tile_v2-1").x(&[2, 3]).constant(&[2, 1, 3], &[3]).of("tile_v2", 1),
        case("max-1").x(&[2, 3, 4]).set("dim", -2).set("keep_dims", 0).of("max", 1),
        case("norm_image-1").x(&[2, 3, 4, 4]).set("epsilon", 0.5f32).of("norm_image", 1),
        case("prewhiten-1").x(&[5]).of("prewhiten", 1),
        case("crop_to-1")
            .x(&[1, 2, 5, 6])
            .x(&[1, 2, 3, 8])
            .set("offset", &[1i32, -1][..])
            .of("crop_to", 1),
        case("dimshuffle-1")
            .x(&[2, 4])
            .set("dim", 1)
            .set("shuffle", &[3i32, 1, 1, 0, 2][..])
            .of("_dimshuffle", 1),
        case("divided-1")
            .x(&[1, 2, 5, 8])
            .set("size", &[4i32, 4][..])
            .set("padding_value", 2.0f32)
            .of("divided", 1),
        case("gather_elements-1")
            .x(&[2, 3, 4])
            .input(&[2, 1, 4], INT)
            .set("axis", 1)
            .of("gather_elements", 1),
        case("gatherv2-1").x(&[3, 4, 2]).input(&[5, 2], INT).of("gatherv2", 1),
        case("scatter_nd-1").x(&[4, 3]).input(&[2, 1], INT).x(&[2, 3]).of("scatter_nd", 1),
        case("resize_nearest_neighbor-1")
            .x(&[1, 2, 4, 5])
            .constant(&[6, 3], &[2])
            .set("dim", 2)
            .of("resize_nearest_neighbor", 1),
        case("space_to_batch4d-1")
            .x(&[2, 3, 3, 4])
            .set("padding", tensor(&[1i32, 0, 0, 2], &[2, 2]))
            .set("block_shape", &[2i32, 3][..])
            .of("space_to_batch4d", 1),
        case("batch_to_space4d-1")
            .x(&[12, 3, 2, 2])
            .set("crop", tensor(&[1i32, 0, 0, 2], &[2, 2]))
            .set("block_shape", &[2i32, 3][..])
            .of("batch_to_space4d", 1),
        case("argmax-1").x(&[6, 5]).set("dim", 1).of("argmax", 1),
        case("relu_max-1").input(&[6], DType::Int16).set("max", 2.7f32).of("relu_max", 1),
        case("relu_max-5").input(&[4], DType::Int16).set("max", 70000.0f32).of("relu_max", 1),
        case("relu_max-2").x(&[6]).set("max", -0.5f32).of("relu_max", 1),
        case("topkv2-1").x(&[2, -1]).set("number", 4).of("topkv2", 2),
        case("l2_norm-1").x(&[2, 1, 3]).set("dim", 1).of("l2_norm", 1),
        case("range-1").input(&[], INT).input(&[], INT).input(&[], INT).of("range", 1),
        case("resize2d-1")
            .x(&[1, 5, 6, 2])
            .constant(&[-1, 9, 4, -1], &[4])
            .set("type", 1)
            .of("_resize2d", 1),
        case("resize2d-2")
            .x(&[1, 2, 5, 6])
            .constant(&[1, 2, 9, 4], &[4])
            .set("type", 0)
            .of("_resize2d", 1),
        case("sample2d-1").x(&[1, 2, 5, 6]).set("scale", 1.5f32).set("type", 0).of("sample2d", 1),
        case("sample2d-2").x(&[1, 2, 9, 8]).set("scale", 0.75f32).set("type", 1).of("sample2d", 1),
        case("slice_v3-1")
            .x(&[6, 5])
            .constant(&[4, -1], &[2])
            .constant(&[-6, 0], &[2])
            .constant(&[0, 1], &[2])
            .constant(&[-2, -1], &[2])
            .of("slice_v3", 1),
        case("strided_slice-1")
            .x(&[3, 4, 5, 6])
            .set("begin", &[0i32, 1, 0, -4][..])
            .set("end", &[1i32, 2, 0, -1][..])
            .set("stride", &[1i32, 1, 1, 2][..])
            .set("new_axis_mask", 1)
            .set("shrink_axis_mask", 2)
            .set("ellipsis_mask", 4)
            .of("strided_slice", 1),
        case("flatten-1").x(&[2, 3]).set("dim", 3).of("flatten", 1),
        case("pad-1")
            .x(&[3, 4])
            .constant(&[-1, 2, 0, -1], &[2, 2])
            .set("padding_value", 1.5f32)
            .of("pad", 1),
        case("leaky_relu-1").input(&[6], DType::Int16).set("scale", 2.7f32).of("leaky_relu", 1),
        case("add-1").input(&[3], DType::UInt8).input(&[3], DType::UInt16).of("add", 1),
        case("softmax-1").x(&[3, 3]).set("dim", 1).set("smooth", false).of("softmax", 1),
        case("softmax-2").x(&[3, 1]).set("dim", -1).set("smooth", false).of("softmax", 1),
        case("div-1").input(&[4], INT).input(&[4], INT).of("div", 1),
        case("div-2").input(&[3], DType::UInt16).input(&[1], DType::UInt16).of("div", 1),
        case("div-3").input(&[3], DType::Int64).input(&[3], DType::Int64).of("div", 1),
        case("batch_norm-1").x(&[2, 3, 2]).x(&[3]).x(&[3]).set("dim", 1).of("batch_norm", 1),
        case("sample2d-3")
            .input(&[1, 1, 3, 3], DType::Int16)
            .set("scale", 1.5f32)
            .set("type", 2)
            .of("sample2d", 1),
        case("cast-1").x(&[8]).set("dtype", i32::from(DType::Boolean.code())).of("_cast", 1),
        case("pack-1").x(&[2, 3]).x(&[4]).of("_pack", 2),
        case("force_color-1").x(&[2, 3, 1]).of("force_color", 1),
        case("force_gray-1").x(&[2, 3, 4, 3]).of("force_gray", 1),
        case("force_gray-2").x(&[2, 3, 2]).set("scale", &[0.25f32, 0.5][..]).of("force_gray", 1),
        case("nhwc_center_crop2d-1")
            .x(&[1, 7, 4, 3])
            .set("size", &[5i32, 4][..])
            .of("_nhwc_center_crop2d", 1),
        case("nhwc_scale_resize2d-1")
            .x(&[1, 5, 7, 3])
            .set("size", &[8i32][..])
            .of("_nhwc_scale_resize2d", 1),
        case("nhwc_letterbox-1")
            .x(&[1, 5, 8, 3])
            .set("size", &[6i32, 7][..])
            .set("outer_value", 0.5f32)
            .of("_nhwc_letterbox", 1),
        case("nhwc_letterbox-2")
            .input(&[1, 4, 8, 3], INT)
            .set("size", &[6i32][..])
            .set("type", 2)
            .set("outer_value", -2.5f32)
            .of("_nhwc_letterbox", 1),
        boxes(case("non_max_suppression_v3-1"), "xyxy"),
        boxes(case("non_max_suppression_v3-2"), "xywh"),
        case("prior_box-1")
            .x(&[1, 8, 2, 3])
            .x(&[1, 3, 40, 50])
            .set("min_size", &[10.5f32, 20.0][..])
            .set("max_size", &[30.0f32, 41.0][..])
            .set("aspect_ratio", &[2.0f32, 3.0][..])
            .set("clip", true)
            .set("variance", &[0.1f32, 0.1, 0.2, 0.2][..])
            .of("prior_box", 1),
        case("prior_box-2")
            .x(&[1, 8, 3, 2])
            .set("min_size", &[10.0f32][..])
            .set("max_size", Tensor::from_values::<f32>(&[], &[0]).unwrap())
            .set("aspect_ratio", &[0.5f32][..])
            .set("flip", false)
            .set("img_size", 30)
            .set("step", 9.5f32)
            .of("prior_box", 1),
        case("roi_align-1")
            .x(&[2, 3, 6, 7])
            .x(&[4, 5])
            .set("pool_h", 3)
            .set("pool_w", 2)
            .set("spatial_scale", 0.5f32)
            .of("roi_align", 1),
        case("yolo-1")
            .x(&[2, 14, 2, 3])
            .set("classes", 2)
            .set("mask", &[1i32, 2][..])
            .set("anchors", &[1.5f32, 2.5, 3.5, 4.5][..])
            .of("yolo", 4),
        case("quantize-1").x(&[1, 3, 5]).set("quantize_scale", &[0.5f32][..]).of("quantize", 1),
        case("quantize-2").x(&[2, 6]).set("quantize_scale", &[0.5f32, 2.0][..]).of("quantize", 1),
        case("quantize-3")
            .input(&[1, -1], DType::Float64)
            .set("quantize_scale", &[0.5f32][..])
            .of("quantize", 1),
        conv(
            case("conv2d_quantized-1")
                .input(&[2, 3, 6, 7], DType::Int8)
                .input(&[4, 3, 3, 3], DType::Int8),
            [1, 0, 2, 1],
        )
        .set("padding_value", -7.0f32)
        .set("dequantize_scales", &[0.5f32, 0.01, 3.0, -1.0][..])
        .of("conv2d_quantized", 1),
        case("shape_index_patch-1")
            .x(&[2, 3, 8, 9])
            .x(&[2, 6, 1, 1])
            .set("origin_patch", &[15i32, 10][..])
            .set("origin", &[40i32, 30][..])
            .of("shape_index_patch", 1),
    ];
    let weights = |case: Case, depthwise: bool| {
        if depthwise { case.x(&[1, 2, 3, 3]) } else { case.x(&[4, 2, 3, 3]) }
    };
    let names = [
        ("conv2d-1", "conv2d", false),
        ("depthwise_conv2d-1", "depthwise_conv2d", true),
        ("transpose_conv2d-1", "transpose_conv2d", false),
    ];
    for (name, op, depthwise) in names {
        let x = if op == "transpose_conv2d" { [1, 4, 5, 6] } else { [1, 2, 7, 8] };
        let case = conv(weights(case(name).x(&x), depthwise), [1, 0, 2, 1]);
        // TenniS does not use it in the transposed convolution.
        cases.push(case.set("padding_value", 0.5f32).of(op, 1));
    }
    for (name, op, depthwise) in [
        ("conv2d_v2-1", "conv2d_v2", false),
        ("depthwise_conv2d_v2-1", "depthwise_conv2d_v2", true),
    ] {
        let case = weights(case(name).x(&[1, 2, 7, 8]).constant(&pads(1, 2), &[4, 2]), depthwise);
        let case = case.set("format", "NCHW").set("stride", &[1i32, 1, 2, 1][..]);
        cases.push(case.set("dilation", &[1i32, 1, 1, 2][..]).of(op, 1));
    }
    let winograd =
        case("conv2d_winograd-1").x(&[1, 2, 7, 8]).x(&[4, 2, 3, 3]).set("format", "NCHW");
    cases.push(winograd.set("padding", tensor(&pads(1, 2), &[4, 2])).of("conv2d_winograd", 1));
    let winograd = case("conv2d_winograd_v2-1").x(&[1, 2, 7, 8]).constant(&pads(1, 2), &[4, 2]);
    cases.push(winograd.x(&[4, 2, 3, 3]).set("format", "NCHW").of("conv2d_winograd_v2", 1));
    cases.push(("pooling2d_v2-1", pooling(&[-1, 2, 8, 9])));
    cases.push(("pooling2d_v2-2", pooling(&[-1, 2, -1, -1])));
    for (name, op, param, value) in [
        ("onnx_pooling2d_padding-1", "_onnx_pooling2d_padding", "auto_pad", set("NOTSET")),
        ("tf_pooling2d_padding-1", "_tf_pooling2d_padding", "padding_method", set("SAME")),
        ("mx_pooling2d_padding-1", "_mx_pooling2d_padding", "valid", set(1)),
        ("dragon_pooling2d_padding-1", "_dragon_pooling2d_padding", "auto_pad", set("VALID")),
        ("tf_conv2d_padding-1", "_tf_conv2d_padding", "padding_method", set("SAME")),
        ("dragon_conv2d_padding-1", "_dragon_conv2d_padding", "padding_method", set("VALID")),
    ] {
        let case = case(name).x(&[1, 2, 8, 9]);
        let windows = &[1i32, 1, 2, 2][..];
        let case = match op.contains("conv2d") {
            true => case.x(&[4, 2, 3, 3]).set("stride", windows).set("dilation", &[1i32; 4][..]),
            false => case.constant(&[1, 1, 3, 3], &[4]).constant(windows, &[4]),
        };
        let given = tensor(&[0i32, 0, 0, 0, 0, 0, 1, 1], &[4, 2]);
        let case = match name {
            // TenniS refuses the param here.
            "onnx_pooling2d_padding-1" | "dragon_pooling2d_padding-1" => case,
            _ => case.set("format", "NCHW"),
        };
        cases.push(case.set("padding", given).set(param, value).of(op, 1));
    }
    cases
}

/// Boxes that do not overlap.
fn boxes(case: Case, mode: &'static str) -> (&'static str, Module<'static>) {
    let case = case.x(&[6, 4]).x(&[6]).set("max_output_size", 5).set("iou_threshold", 0.4f32);
    case.set("score_threshold", 0.2f32).set("mode", mode).of("non_max_suppression_v3", 1)
}

/// Pooling with padding that is computed from sizes, as converters of TenniS write it.
fn pooling(shape: &[i32]) -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("in0");
    graph.at(x).shape(shape);
    let ksize = graph.constant("ksize", tensor(&[1i32, 1, 3, 3], &[4]));
    let stride = graph.constant("stride", tensor(&[1i32, 1, 2, 2], &[4]));
    let given = tensor(&[0i32, 0, 0, 0, 0, 0, 1, 1], &[4, 2]);
    let padding = graph.op("_onnx_pooling2d_padding", "padding", [x, ksize, stride]);
    let padding = padding.set("auto_pad", "NOTSET").set("padding", given).node();
    let y = graph.op("pooling2d_v2", "y", [x, padding, ksize, stride]).set("format", "NCHW");
    let y = y.set("type", 0).node();
    graph.build([x], [y]).unwrap()
}

#[test]
fn onnxruntime_computes_what_the_source_of_tennis_says() {
    let folder = tempfile::tempdir().unwrap();
    for (name, module) in cases() {
        let model =
            export(&module, &Options::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
        fs::write(folder.path().join(format!("{name}.onnx")), model.to_bytes().unwrap()).unwrap();
    }
    super::script("made.py", &[folder.path()]);
}
