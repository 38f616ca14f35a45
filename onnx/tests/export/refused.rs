//! What cannot be converted.

use fourfold::tsm::{DType, Module, ModuleBuilder, Tensor};
use fourfold_onnx::{Options, Remedy, export};
use fourfold_tennis::{Format, Operator as Op, PadType, PoolType, ResizeType};

use super::{error, module};

#[test]
fn all_nodes_are_listed() {
    let unknown = module(&[1, 3, 4, 4], |graph, x| {
        let a = graph.op("identity", "a", [x]).node();
        let b = graph.op("softmax", "b\nc", [a]).node();
        vec![graph.op("relu", "d", [b]).node()]
    });
    assert_eq!(
        error(&unknown),
        "2 nodes cannot be converted\n  \
         node \"a\" (identity): the CPU backend of TenniS 1.3.0 has no such operator\n  \
         node \"b\\nc\" (softmax): no param \"dim\"; set it to an integer"
    );
    let refused = module(&[4, 4, 3, 3], |graph, x| {
        let a = graph.op("winograd_transform_kernel", "a", [x]);
        let a = a.set("winograd_mode", "winograd_f23").node();
        let b = graph.op("_transpose", "b", [x]).node();
        // Examined, although what is before it is refused.
        let c = graph.op("relu", "c", [a]).node();
        let d = graph.op("_transpose", "d", [c]).node();
        vec![b, d]
    });
    assert_eq!(
        error(&refused),
        "3 nodes cannot be converted\n  \
         node \"b\" (_transpose): it has no param permute, and TenniS takes the last dim twice\n  \
         node \"a\" (winograd_transform_kernel): its weights are in an order of TenniS's own; \
         convert the module from before compiling\n  \
         node \"d\" (_transpose): it has no param permute, and TenniS takes the last dim twice"
    );
}

#[track_caller]
fn refused(module: &Module<'_>, reason: &str) {
    let error = error(module);
    assert!(error.contains(reason), "{error}");
    assert_eq!(error.lines().count(), 2, "{error}");
}

#[test]
fn sizes_that_are_unknown_are_named() {
    let pool = |shape: &[i32], kind: i32, padding_type: i32| {
        module(shape, |graph, x| {
            let padding = Tensor::from_values(&[0i32; 8], &[4, 2]).unwrap();
            let node = graph.op("pooling2d", "y", [x]).set("format", "NCHW").set("type", kind);
            let node = node.set("padding", padding).set("padding_type", padding_type);
            let node = node.set("ksize", &[1i32, 1, 3, 3][..]).set("stride", &[1i32, 1, 2, 2][..]);
            vec![node.node()]
        })
    };
    super::graph(&pool(&[-1, 3, 8, 8], 1, 3));
    super::graph(&pool(&[-1, 3, -1, -1], 0, 0));
    refused(
        &pool(&[-1, 3, -1, -1], 1, 3),
        "it rounds depends on sizes that are unknown; give the input's shape",
    );
    refused(&pool(&[1, 3, 8, 8], 0, 1), "does not pad with copies");

    let mut shapeless = ModuleBuilder::new();
    let x = shapeless.param("x");
    let y = shapeless.op("relu", "y", [x]).node();
    let shapeless = shapeless.build([x], [y]).unwrap();
    let error = export(&shapeless, &Options::new()).unwrap_err();
    assert_eq!(error.nodes[0].remedy, Some(Remedy::Shapes));
    assert_eq!(error.examples, ["x=1x3x224x224".parse().unwrap()]);
    export(&shapeless, &Options::new().inputs(error.examples)).unwrap();
}

/// A product with rows of 3, of an input whose shape is unknown.
#[test]
fn examples_that_do_not_fit_are_left_out() {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let w = graph.constant("w", Tensor::from_values(&[0.0f32; 6], &[3, 2]).unwrap());
    let y = graph.op("inner_prod", "y", [x, w]).node();
    let module = graph.build([x], [y]).unwrap();
    let error = export(&module, &Options::new()).unwrap_err();
    assert_eq!((error.nodes[0].remedy, error.examples), (Some(Remedy::Shapes), Vec::new()));

    // All nodes that TenniS refuses are listed.
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    graph.at(x).shape(&[1, 4]);
    let w = graph.constant("w", Tensor::from_values(&[0.0f32; 6], &[3, 2]).unwrap());
    let [y, z] = ["y", "z"].map(|name| graph.op("inner_prod", name, [x, w]).node());
    let after = graph.op("relu", "after", [y]).node();
    let module = graph.build([x], [after, z]).unwrap();
    let error = export(&module, &Options::new()).unwrap_err();
    let names: Vec<&str> = error.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["y", "z"]);
}

#[test]
fn filters_and_detectors_are_refused_where_they_differ() {
    let gray = |dtype, shape: &[i32]| {
        module(shape, |graph, x| {
            graph.at(x).dtype(dtype);
            vec![graph.op("force_gray", "y", [x]).node()]
        })
    };
    refused(&gray(DType::UInt8, &[4, 4, 3]), "cast its input to float");
    refused(&gray(DType::Float32, &[4, 4, 4]), "it has 4 channels, but 3 weights");
    let color = module(&[4, 4, 2], |graph, x| vec![graph.op("force_color", "y", [x]).node()]);
    refused(&color, "it has 2 channels, TenniS takes 1 or 3");

    let priors = |shape: &[i32]| {
        module(shape, |graph, x| {
            let node = graph.op("prior_box", "y", [x]).set("min_size", &[10.0f32][..]);
            let node = node.set("max_size", &[20.0f32][..]).set("aspect_ratio", &[2.0f32][..]);
            vec![node.set("img_size", 300).node()]
        })
    };
    super::graph(&priors(&[1, 8, 38, 38]));
    refused(&priors(&[1, 8, 4096, 4096]), "it takes 536870912 of the 1048576 elements");
    refused(&priors(&[1, 8, -1, 38]), "the size of dim 2 of its input is unknown");
}

#[test]
fn layouts_that_tennis_does_not_compute_are_refused() {
    let module = module(&[1, 4, 4, 3], |graph, x| {
        vec![graph.op("global_pooling2d", "y", [x]).set("format", "NHWC").set("type", 0).node()]
    });
    refused(&module, "TenniS computes it for NCHW only");
}

#[test]
fn what_tennis_leaves_unset_is_refused() {
    let double = module(&[2, 3], |graph, x| {
        graph.at(x).dtype(DType::Float64);
        let w = graph.constant("w", Tensor::from_values(&[1.0f64; 3], &[3, 1]).unwrap());
        vec![graph.op("matmul", "y", [x, w]).node()]
    });
    refused(&double, "for float64, TenniS computes nothing");

    let input = module(&[3, 3], |graph, x| {
        let c = graph.constant("c", Tensor::from_values(&[1.0f32; 3], &[3]).unwrap());
        vec![graph.op("gemm", "y", [x, x, c]).set("transB", true).node()]
    });
    refused(&input, "TenniS does not transpose its b, which is no constant");

    let cut = module(&[1, 1, 4, 4], |graph, x| {
        let padding = Tensor::from_values(&[0i32, 0, 0, 0, -1, 0, 0, 0], &[4, 2]).unwrap();
        let w = graph.constant("w", Tensor::from_values(&[1.0f32; 9], &[1, 1, 3, 3]).unwrap());
        let node = graph.op("conv2d_winograd", "y", [x, w]).set("format", "NCHW");
        vec![node.set("padding", padding).node()]
    });
    refused(&cut, "its padding is negative, for which TenniS reads other elements");

    let depthwise = module(&[1, 1, 4, 4], |graph, x| {
        let padding = Tensor::from_values(&[0i32, 0, 0, 0, -1, 0, 0, 0], &[4, 2]).unwrap();
        let w = graph.constant("w", Tensor::from_values(&[1.0f32; 9], &[1, 1, 3, 3]).unwrap());
        let node = graph.op("depthwise_conv2d", "y", [x, w]).set("format", "NCHW");
        let node = node.set("padding", padding).set("stride", &[1i32; 4][..]);
        vec![node.set("dilation", &[1i32; 4][..]).node()]
    });
    refused(&depthwise, "its padding is negative, for which TenniS reads other elements");

    let outside = module(&[2, 2, 1, 3], |graph, x| {
        let pads = Tensor::from_values(&[0i32, 0, 0, 0, -1, 1, 0, 0], &[4, 2]).unwrap();
        let pads = graph.constant("pads", pads);
        vec![graph.op("pad", "y", [x, pads]).node()]
    });
    refused(&outside, "it cuts all of dim 2");

    let negative = module(&[3, 2], |graph, x| {
        let at = graph.constant("at", Tensor::from_values(&[0i32, -1], &[2]).unwrap());
        vec![graph.op("gather", "y", [x, at]).set("axis", -2).node()]
    });
    refused(
        &negative,
        "its index -1 is from the end in ONNX, and reads beyond the input in TenniS",
    );

    let empty = module(&[2, 0], |graph, x| vec![graph.op("max", "y", [x]).set("dim", 1).node()]);
    refused(&empty, "it is the largest one of no elements");

    let mut graph = ModuleBuilder::new();
    let [a, b] = ["a", "b"].map(|name| graph.param(name));
    graph.at(a).shape(&[1]).dtype(DType::Int32);
    graph.at(b).shape(&[-1]).dtype(DType::Int32);
    let y = graph.op("mod", "y", [a, b]).node();
    refused(&graph.build([a, b], [y]).unwrap(), "TenniS may exchange these");
}

#[test]
fn modules_without_outputs_are_refused() {
    refused(&module(&[2], |_, _| Vec::new()), "the module has no outputs");
    refused(&ModuleBuilder::new().build([], []).unwrap(), "the module has no outputs");
}

#[test]
fn cycles_and_indices_beyond_the_nodes_are_refused() {
    let mut cycle = module(&[2], |graph, x| vec![graph.op("relu", "y", [x]).node()]);
    cycle.graph.nodes[1].inputs = vec![1];
    refused(&cycle, "node \"y\" (relu): it is in a cycle");

    let mut beyond = module(&[2], |graph, x| vec![graph.op("relu", "y", [x]).node()]);
    beyond.graph.nodes[1].inputs = vec![7];
    refused(&beyond, "node \"node 7\" (): there are 2 nodes");

    let mut unlisted = module(&[2], |graph, x| vec![graph.op("relu", "y", [x]).node()]);
    unlisted.inputs.clear();
    assert!(error(&unlisted).contains("it is not among the inputs of the module"));
}

/// An input of a node: of a type and shape, or a tensor.
enum Arg {
    X(DType, &'static [i32]),
    Ints(&'static [i64], &'static [i32]),
}

use Arg::{Ints, X};

const FLOAT: DType = DType::Float32;
const DOUBLE: DType = DType::Float64;
const INT: DType = DType::Int32;

/// A module of one operator.
fn of(operator: &Op, args: &[Arg]) -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let (mut params, mut nodes) = (Vec::new(), Vec::new());
    for (at, arg) in args.iter().enumerate() {
        nodes.push(match arg {
            Ints(values, shape) => {
                graph.constant(&format!("in{at}"), Tensor::from_values(values, shape).unwrap())
            }
            X(dtype, shape) => {
                let param = graph.param(&format!("in{at}"));
                graph.at(param).shape(shape).dtype(*dtype);
                params.push(param);
                param
            }
        });
    }
    let y = operator.add_to(&mut graph, "y", nodes).unwrap();
    graph.build(params, [y]).unwrap()
}

#[track_caller]
fn reason(operator: &Op, args: &[Arg], reason: &str) {
    refused(&of(operator, args), reason);
}

#[test]
fn padding_cuts_nothing_off_a_batch() {
    let pad = Op::Pad { padding_value: 0.0 };
    let x = || X(FLOAT, &[3, 2, 4, 4]);
    let before = Ints(&[-1, 0, 0, 0, 0, 0, 0, 0], &[4, 2]);
    let after = Ints(&[1, -1, 0, 0, 0, 0, 1, 1], &[4, 2]);
    reason(
        &pad,
        &[x(), before],
        "it pads the batch of 4 dims by -1 and 0, and TenniS cuts nothing off there: it writes \
         beyond its memory; cut the batch by slice",
    );
    reason(&pad, &[x(), after], "it pads the batch of 4 dims by 1 and -1");
    let crop = Op::CropNd { shift: None };
    reason(&crop, &[x(), Ints(&[1, 2, 4, 4], &[4])], "it pads the batch of 4 dims by -1 and -1");
    // Of other dims, and of other counts of dims, it cuts what it should.
    super::graph(&of(&pad, &[x(), Ints(&[1, 0, -1, 0, 0, -1, 0, 0], &[4, 2])]));
    super::graph(&of(&pad, &[X(FLOAT, &[3, 2, 4]), Ints(&[-1, 0, 0, 0, 0, 0], &[3, 2])]));
}

#[test]
fn means_are_of_dims_that_follow_each_other() {
    let mean = |dims: &[i32]| Op::ReduceMean { dims: dims.to_vec(), keep_dims: true };
    reason(
        &mean(&[-1, 0]),
        &[X(FLOAT, &[2, 3, 4])],
        "dims [-1, 0] are [2, 0] of 3 dims, for which TenniS reads beyond the input",
    );
    reason(&mean(&[-1, 0]), &[X(INT, &[2])], "dims [-1, 0] are [0, 0] of 1 dims");
    reason(&mean(&[-2, 0]), &[X(FLOAT, &[2, 3])], "dims -2 and 0 do not follow each other");
    reason(&mean(&[0]), &[X(INT, &[0, 3])], "each mean is of no elements");
    reason(&mean(&[0]), &[X(FLOAT, &[0, 3])], "each mean is of no elements");
    super::graph(&of(&mean(&[-2, -1]), &[X(FLOAT, &[2, 3, 4])]));
}

#[test]
fn doubles_that_onnxruntime_does_not_compute_are_refused() {
    let padding = [[0; 2]; 4];
    let (format, ones) = (Format::Nchw, [1; 4]);
    let pool = Op::Pooling2d {
        format,
        kind: PoolType::Avg,
        padding,
        padding_type: PadType::Black,
        ksize: [1, 1, 2, 2],
        stride: ones,
    };
    let conv = Op::Conv2d {
        format,
        padding,
        padding_value: 0.0,
        stride: ones,
        dilation: ones,
        kernel_packed: false,
    };
    let x = || X(DOUBLE, &[1, 2, 4, 4]);
    for (operator, args, op) in [
        (Op::Erf, vec![x()], "Erf"),
        (pool, vec![x()], "AveragePool"),
        (conv, vec![x(), X(DOUBLE, &[3, 2, 2, 2])], "Conv"),
    ] {
        let expected = format!("onnxruntime has no {op} for float64; cast its inputs to float32");
        reason(&operator, &args, &expected);
    }
}

#[test]
fn reasons_for_types_are_those_of_the_source() {
    let cut = |op: &str| {
        format!(
            "for int32, TenniS cuts the fraction off at each step, and ONNX has no {op}; \
             cast its input to float32"
        )
    };
    let x = || X(INT, &[2, 3]);
    let numbers = || X(INT, &[3]);
    let softmax = |smooth: bool| Op::Softmax { dim: 1, smooth };
    let norm = Op::BatchNorm { dim: 1, epsilon: 0.0 };
    let fused = Op::FusedBatchNorm { dim: 1, epsilon: 0.0 };
    let five = vec![x(), numbers(), numbers(), numbers(), numbers()];
    reason(&softmax(true), &[x()], &cut("Softmax"));
    reason(&softmax(false), &[x()], &cut("Softmax"));
    reason(&Op::L2Norm { dim: 1, epsilon: 0.0 }, &[x()], &cut("LpNormalization"));
    reason(&norm, &[x(), numbers(), numbers()], &cut("BatchNormalization"));
    reason(&fused, &five, &cut("BatchNormalization"));
    reason(&Op::Sigmoid, &[x()], &cut("Sigmoid"));
    reason(&Op::Softplus, &[x()], "for int32, TenniS takes the first element for all");
    reason(&Op::Tanh, &[x()], "TenniS does not compute it for int32; cast its input to float32");
    let bools = || X(DType::Boolean, &[2]);
    reason(&Op::Add, &[bools(), bools()], "TenniS does not compute it for bool");
    reason(&Op::Mod, &[X(FLOAT, &[2]), numbers()], "sizes 2 and 3 cannot be broadcast");
    reason(&Op::Mod, &[X(FLOAT, &[3]), numbers()], "TenniS has remainders of integers only");
    let unsigned = || X(DType::UInt64, &[2]);
    reason(&Op::Div, &[unsigned(), unsigned()], "its divisor may be 0");
}

#[test]
fn layouts_of_types_that_tennis_does_not_move_are_refused() {
    let (bools, halves) = (|shape| X(DType::Boolean, shape), |shape| X(DType::Float16, shape));
    let not = |dtype: &str| {
        format!("TenniS does not compute it for {dtype}; cast its input to float32 before")
    };
    let transpose = Op::Transpose { permute: Some(vec![1, 0]) };
    let slice = Op::Slice { begin: vec![0, 0], size: vec![1, 1] };
    let blocks = Op::SpaceToBatch4d { padding: [[0; 2]; 2], block_shape: [2, 2] };
    let split = || Ints(&[1, 2], &[2]);
    for operator in [transpose, slice, Op::Tile { repeats: vec![1, 2] }] {
        reason(&operator, &[bools(&[2, 3])], &not("bool"));
        reason(&operator, &[halves(&[2, 3])], &not("float16"));
    }
    reason(&blocks, &[bools(&[1, 1, 2, 2])], &not("bool"));
    let pixels = Op::BatchToSpace4d { crop: [[0; 2]; 2], block_shape: [2, 2] };
    reason(&pixels, &[bools(&[4, 1, 1, 1])], &not("bool"));
    reason(&Op::Split { axis: 1 }, &[halves(&[2, 3]), split()], &not("float16"));
    let at = || Ints(&[0, 1], &[2, 1]);
    reason(&Op::GatherElements { axis: 1 }, &[bools(&[2, 3]), at()], &not("bool"));
}

#[test]
fn kernels_of_integers_larger_than_their_input_are_refused() {
    let quantized = Op::Conv2dQuantized {
        format: Format::Nchw,
        padding: [[0; 2]; 4],
        padding_value: 0.0,
        stride: [1, 1, 2, 2],
        dilation: [1; 4],
        dequantize_scales: vec![1.0],
    };
    reason(
        &quantized,
        &[X(DType::Int8, &[1, 1, 2, 4]), X(DType::Int8, &[1, 1, 3, 3])],
        "its kernel is larger than its padded input",
    );
}

#[test]
fn what_is_missing_is_named() {
    let stated = |set: fn(&mut ModuleBuilder<'static>, fourfold::tsm::NodeId)| {
        module(&[-1, 2], |graph, x| {
            let y = graph.op("squeeze", "y", [x]).node();
            set(graph, y);
            vec![y]
        })
    };
    let unknown = "sizes of input 0 that may be 1 are unknown";
    refused(
        &stated(|_, _| {}),
        &format!("its shape is unknown: {unknown}; give the input's shape"),
    );
    refused(
        &stated(|graph, y| _ = graph.at(y).shape(&[3, 2])),
        &format!("its type is unknown: {unknown}; state it in #dtype"),
    );
    // Shapes do not help where the operator itself is refused.
    let refused_anyway = module(&[2], |graph, x| vec![graph.op("<var>", "y", [x]).node()]);
    refused(&refused_anyway, "TenniS does not run it");
}

#[test]
fn slices_that_onnx_begins_elsewhere_are_refused() {
    let slice = |begin: i32, mask: i32, stride: i32| Op::StridedSlice {
        begin: vec![begin],
        end: vec![-9],
        stride: Some(vec![stride]),
        begin_mask: 0,
        end_mask: 0,
        ellipsis_mask: 0,
        new_axis_mask: mask,
        shrink_axis_mask: 0,
    };
    // If all sizes were known, these would be constants without elements.
    let x = || [X(FLOAT, &[4, -1])];
    reason(
        &slice(-5, 0, -1),
        &x(),
        "it slices backwards from -5, before all of 4 elements: nothing in TenniS, the first one \
         in ONNX",
    );
    reason(&slice(1, 1, 1), &x(), "item 0 slices a new dim: TenniS does this, others ignore it");
}

#[test]
fn parts_that_are_not_the_whole_are_refused() {
    reason(
        &Op::Split { axis: 0 },
        &[X(FLOAT, &[3]), Ints(&[1, 1], &[2])],
        "its sizes are 2 in all, dim 0 of its input has 3",
    );
}

#[test]
fn images_of_any_size_take_few_weights() {
    let resize = |kind: ResizeType| Op::Resize2d { kind };
    let x = || X(FLOAT, &[1, 1, 4, 4]);
    reason(
        &resize(ResizeType::Cubic),
        &[x(), Ints(&[-1, -1, 1 << 20, 4], &[4])],
        "it resizes 4 pixels to 1048576: it takes 4194304 of the 1048576 elements that constants of \
         a model may have in all; give the input a smaller shape",
    );
    reason(
        &resize(ResizeType::Nearest),
        &[x(), Ints(&[-1, -1, 4, 2_147_483_647], &[4])],
        "it resizes 4 pixels to 2147483647: it takes 2147483647 of",
    );
    reason(
        &Op::Sample2d { scale: 1e6, kind: ResizeType::Linear, dim: 2 },
        &[x()],
        "it resizes 4 pixels to 4000000: it takes 16000000 of",
    );
    let outside =
        Op::NhwcLetterbox { size: vec![2000, 2000], kind: ResizeType::Nearest, outer_value: 1.0 };
    reason(&outside, &[X(FLOAT, &[1, 4, 4, 1])], "it takes 4000000 of the 1048576 elements");
    // In all: each of the two has less.
    let twice = module(&[1, 1, 512, 1], |graph, x| {
        let sizes = Tensor::from_values(&[-1, -1, 1024, 1], &[4]).unwrap();
        let sizes = graph.constant("sizes", sizes);
        let first = graph.op("_resize2d", "first", [x, sizes]).set("type", 0).node();
        let second = graph.op("_resize2d", "second", [x, sizes]).set("type", 0).node();
        vec![first, second]
    });
    refused(&twice, "node \"second\" (_resize2d): it resizes 512 pixels to 1024");
}

#[test]
fn pixels_beyond_memory_are_refused() {
    let affine = |kind| Op::AffineSample2d { kind, dim: 1, outer_value: None };
    let matrix = || X(FLOAT, &[3, 3]);
    let args = |shape| [X(FLOAT, shape), Ints(&[5, 5], &[2]), matrix()];
    reason(
        &affine(ResizeType::Linear),
        &args(&[1, 1, 4, 3]),
        "its image is 1 by 4: TenniS mixes 2 by 2 pixels, and reads beyond it",
    );
    reason(&affine(ResizeType::Cubic), &args(&[1, 4, 3, 3]), "TenniS mixes 4 by 4 pixels");
    reason(&affine(ResizeType::Hard), &args(&[1, 4, -1, 3]), "the size of dim 2 of its input");
    let sizes = [X(FLOAT, &[1, 4, 4, 3]), Ints(&[1 << 20, 5], &[2]), matrix()];
    reason(&affine(ResizeType::Hard), &sizes, "it takes 1048581 of the 1048576 elements");

    let vector = [X(FLOAT, &[1, 4, 4, 3]), Ints(&[5, 5], &[2]), X(FLOAT, &[9])];
    reason(&affine(ResizeType::Hard), &vector, "its matrix does not have the shape [3, 3]");
    reason(&affine(ResizeType::Hard), &args(&[-1, 4, 4, 0]), "its input has no elements");
    let large = args(&[1, 1 << 16, 1 << 16, 1]);
    reason(&affine(ResizeType::Hard), &large, "more pixels than int32 counts");

    let convolution = |padding: [[i32; 2]; 4], groups| Op::DcnV2Forward {
        format: Format::Nchw,
        padding,
        deformable_groups: groups,
        stride: [1; 4],
        dilation: [1; 4],
    };
    let even = [[0, 0], [0, 0], [1, 1], [1, 1]];
    let args = |offsets: &'static [i32], x: &'static [i32]| {
        [
            X(FLOAT, x),
            X(FLOAT, &[4, 2, 3, 3]),
            X(FLOAT, &[4]),
            X(FLOAT, offsets),
            X(FLOAT, &[1, 9, 5, 6]),
        ]
    };
    super::graph(&of(&convolution(even, 1), &args(&[1, 18, 5, 6], &[1, 2, 5, 6])));
    reason(
        &convolution(even, 1),
        &args(&[1, 18, 5, 5], &[1, 2, 5, 6]),
        "[18, 5, 5] offsets for each image, expected [18, 5, 6]",
    );
    reason(
        &convolution(even, 3),
        &args(&[1, 18, 5, 6], &[1, 2, 5, 6]),
        "2 channels are not 3 groups",
    );
    reason(
        &convolution(even, 1),
        &args(&[1, 18, 5, 6], &[1, 3, 5, 6]),
        "x has 3 channels, its kernel 2",
    );
    reason(
        &convolution([[0, 0], [0, 0], [1, 1], [2, 0]], 1),
        &args(&[1, 18, 5, 6], &[1, 2, 5, 6]),
        "TenniS has the same padding before and after",
    );
}

#[test]
fn maps_of_other_sizes_are_refused() {
    let boxes = |channels: i32, mask: &[i32], thresh: f32, nms: f32| {
        module(&[1, channels, 2, 3], |graph, x| {
            let map = graph.op("yolo", "map", [x]).set("classes", 2).set("mask", mask);
            let map = map.set("anchors", &[1.0f32, 2.0, 3.0, 4.0][..]).node();
            let all = graph.op("yolo_poster", "y", [x, map]).set("thresh", thresh);
            vec![all.set("nms", nms).node()]
        })
    };
    super::graph(&boxes(14, &[0, 1], 0.5, 0.5));
    refused(&boxes(7, &[2], 0.5, 0.5), "its mask is 2, of 2 anchors");
    refused(&boxes(7, &[1], -0.5, 0.5), "its thresh is -0.5, with which TenniS returns");
    refused(&boxes(7, &[1], 0.5, -0.5), "its nms is -0.5, below 0 no box is left beside another");
    let packed = |channels: i32| {
        module(&[1, channels, 2, 3], |graph, x| {
            let classes = graph.constant("classes", Tensor::from_values(&[2], &[1]).unwrap());
            let mask = graph.constant("mask", Tensor::from_values(&[0], &[1]).unwrap());
            let anchors = Tensor::from_values(&[1.0f32, 2.0], &[2]).unwrap();
            let anchors = graph.constant("anchors", anchors);
            let map = graph.op("_pack", "map", [x, classes, mask, anchors]).node();
            let all = graph.op("yolo_poster", "y", [x, map]).set("thresh", 0.5f32);
            vec![all.set("nms", 0.5f32).node()]
        })
    };
    super::graph(&packed(7));
    refused(&packed(8), "a map has 8 channels, and 7 numbers of boxes");
    let negative = module(&[1, 7, 2, 3], |graph, x| {
        let map = graph.op("yolo", "map", [x]).set("classes", 2).set("mask", &[0i32][..]);
        let map = map.set("anchors", &[1.0f32, -2.0][..]).node();
        let node = graph.op("yolo_poster", "y", [x, map]).set("thresh", 0.5f32);
        vec![node.set("nms", 0.5f32).node()]
    });
    refused(&negative, "its anchor 0 is [1.0, -2.0], whose boxes ONNX turns around");
    refused(&boxes(14, &[0, 0], 0.5, f32::NAN), "its nms is NaN");
    let other = module(&[1, 7, 2, 3], |graph, x| {
        let node = graph.op("yolo_poster", "y", [x, x, x]).set("thresh", 0.5f32);
        vec![node.set("nms", 0.5f32).node()]
    });
    refused(&other, "input 1 has 1 tensors, 4 are used");
}

#[test]
fn boxes_that_onnx_overlaps_otherwise_are_refused() {
    const MOST: i32 = i32::MAX - 3;
    let found = |set: fn(&mut Op)| {
        let mut found = Op::DetectionOutput {
            num_classes: 2,
            share_location: true,
            background_label_id: 0,
            nms_threshold: 0.5,
            nms_top_k: 10,
            nms_eta: 1.0,
            code_type: 2,
            variance_encoded_in_target: false,
            keep_top_k: 5,
            confidence_threshold: 0.5,
        };
        set(&mut found);
        let scores = match found {
            Op::DetectionOutput { num_classes: MOST, .. } => X(FLOAT, &[1, -1]),
            _ => X(FLOAT, &[1, 6]),
        };
        of(&found, &[X(FLOAT, &[1, 12]), scores, X(FLOAT, &[1, 2, 12])])
    };
    macro_rules! with {
        ($name:ident = $value:expr) => {
            found(|op| {
                if let Op::DetectionOutput { $name, .. } = op {
                    *$name = $value;
                }
            })
        };
    }
    super::graph(&with!(keep_top_k = 5));
    refused(&with!(code_type = 1), "its code_type is 1; corners may be exchanged");
    super::graph(&with!(nms_eta = 0.9));
    refused(&with!(nms_eta = 1.5), "its nms_eta is 1.5, TenniS takes more than 0, and at most 1");
    refused(&with!(nms_threshold = -1.0), "its nms_threshold is -1, TenniS takes at least 0");
    refused(&with!(background_label_id = -1), "which TenniS takes for all classes");
    refused(&with!(num_classes = MOST), "it takes 2147483644 of the 1048576 elements");
    refused(&with!(keep_top_k = 0), "it has no classes, or keeps no boxes");
}

#[test]
fn integers_beyond_int32_are_refused() {
    let pad = Op::Pad { padding_value: 0.0 };
    let padding = Ints(&[1 << 32, 0], &[1, 2]);
    reason(
        &pad,
        &[X(FLOAT, &[3]), padding],
        "its padding: TenniS takes 4294967296 for an integer of 32 bits",
    );
}

#[test]
fn sizes_of_any_product_are_counted() {
    let whiten = Op::Prewhiten;
    reason(&whiten, &[X(FLOAT, &[1, i32::MAX, i32::MAX, i32::MAX])], "more elements than int64");
    let mean = Op::ReduceMean { dims: vec![0, 1, 2], keep_dims: true };
    reason(&mean, &[X(INT, &[i32::MAX, i32::MAX, i32::MAX])], "more than int32 counts");
    // Of an input, nothing is made by its size.
    let numbers = || X(FLOAT, &[i32::MAX]);
    let norm = Op::BatchNorm { dim: 1, epsilon: 0.0 };
    super::graph(&of(&norm, &[X(FLOAT, &[1, i32::MAX]), numbers(), numbers()]));
}
