//! Shapes by the rule of each operator, as TenniS's source has it.

use std::collections::BTreeSet;

use fourfold::tsm::{DType, ModuleBuilder, Tensor};
use fourfold_tennis::{
    AutoPad, Direction, Format, Input, Operator as Op, Output, PadType, PaddingMethod, PoolType,
    ResizeType, Shapes, WinogradMode,
};

/// An input: a type and a shape, or a tensor of integers.
enum Arg {
    X(&'static str),
    Ints(&'static [i32]),
    Typed(DType, &'static str),
}

use Arg::{Ints, Typed, X};

/// The outputs, or why there are none.
fn infer(operator: &Op, args: &[Arg]) -> String {
    let mut graph = ModuleBuilder::new();
    let (mut nodes, mut given, mut params) = (Vec::new(), Vec::new(), Vec::new());
    for (at, arg) in args.iter().enumerate() {
        let name = format!("in{at}");
        let (dtype, shape) = match arg {
            Ints(values) => {
                // Padding is a pair for each of 4 dims.
                let shape = match values.len() {
                    8 => vec![4, 2],
                    count => vec![i32::try_from(count).unwrap()],
                };
                nodes.push(graph.constant(&name, Tensor::from_values(values, &shape).unwrap()));
                continue;
            }
            X(shape) => (DType::Float32, shape),
            Typed(dtype, shape) => (*dtype, shape),
        };
        let param = graph.param(&name);
        given.push(shape.parse::<Input>().unwrap().named(name).typed(dtype));
        params.push(param);
        nodes.push(param);
    }
    let node = operator.add_to(&mut graph, "it", nodes).unwrap();
    let module = graph.build(params, [node]).unwrap();
    match Shapes::infer(&module, &given) {
        Ok(shapes) => {
            let found = shapes.node(node.index()).unwrap();
            let outputs: Vec<_> = found.outputs.iter().map(Output::to_string).collect();
            match &found.unknown {
                Some(reason) => format!("{}: {reason}", outputs.join("; ")),
                None => outputs.join("; "),
            }
        }
        Err(error) => error.kind.to_string().split("; inputs").next().unwrap().to_owned(),
    }
}

const NONE: [[i32; 2]; 4] = [[0; 2]; 4];
const ONES: [i32; 4] = [1; 4];

fn image(height: [i32; 2], width: [i32; 2]) -> [[i32; 2]; 4] {
    [[0; 2], [0; 2], height, width]
}

fn conv2d(format: Format, padding: [[i32; 2]; 4], stride: [i32; 4], dilation: [i32; 4]) -> Op {
    Op::Conv2d { format, padding, padding_value: 0.0, stride, dilation, kernel_packed: false }
}

fn pooling(padding: [[i32; 2]; 4], ksize: [i32; 4], stride: [i32; 4]) -> Op {
    Op::Pooling2d {
        format: Format::Nchw,
        kind: PoolType::Max,
        padding,
        padding_type: PadType::Black,
        ksize,
        stride,
    }
}

fn strided(begin: &[i32], end: &[i32], stride: Option<&[i32]>, masks: [i32; 5]) -> Op {
    let [begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask] = masks;
    Op::StridedSlice {
        begin: begin.to_vec(),
        end: end.to_vec(),
        stride: stride.map(<[i32]>::to_vec),
        begin_mask,
        end_mask,
        ellipsis_mask,
        new_axis_mask,
        shrink_axis_mask,
    }
}

fn cases() -> Vec<(Op, Vec<Arg>, &'static str)> {
    use DType::{Boolean, Float64, Int8, Int32, Int64, UInt8};
    let same = [
        Op::Copy,
        Op::Abs,
        Op::Ceil,
        Op::Floor,
        Op::Erf,
        Op::Exp,
        Op::Sqrt,
        Op::Rsqrt,
        Op::Square,
        Op::Tanh,
        Op::Sigmoid,
        Op::Softplus,
        Op::Relu,
        Op::Prewhiten,
        Op::HardSigmoid { alpha: 0.2, beta: 0.5 },
        Op::LeakyRelu { scale: 0.1 },
        Op::NormImage { epsilon: 1e-5 },
        Op::Pow { y: 2.0 },
        Op::ReluMax { max: 6.0 },
        Op::L2Norm { dim: -1, epsilon: 1e-10 },
        Op::Softmax { dim: 1, smooth: true },
    ];
    let mut cases: Vec<_> =
        same.into_iter().map(|op| (op, vec![X("2x?x4")], "float32 [2, ?, 4]")).collect();
    cases.extend([
        (Op::Softmax { dim: 2, smooth: true }, vec![X("2x3")], "there is no dim 2 in 2 dims"),
        (Op::Relu, vec![X("2"), X("2")], "the count of inputs is 2, expected 1"),
        (Op::Quantize { quantize_scale: vec![1.0; 2] }, vec![X("2x3")], "int8 [2, 3]"),
        (
            Op::Quantize { quantize_scale: vec![1.0] },
            vec![X("2x3")],
            "there are 1 scales for 2 items",
        ),
        (Op::Cast { dtype: Int64 }, vec![X("2x3")], "int64 [2, 3]"),
        (Op::ToFloat, vec![Typed(UInt8, "2x3")], "float32 [2, 3]"),
        (Op::Add, vec![X("2x3x1"), X("3x4")], "float32 [2, 3, 4]"),
        (Op::Add, vec![X("2x3"), X("2x4")], "sizes 3 and 4 cannot be broadcast"),
        (Op::Sub, vec![X("?x1"), X("1x?")], "float32 [?, ?]"),
        (Op::Mul, vec![Typed(Int32, "2"), X("2")], "float32 [2]"),
        (Op::Mul, vec![Typed(Int64, "2"), X("2")], "float64 [2]"),
        (Op::Div, vec![Typed(Int8, "2"), Typed(UInt8, "2")], "int8 [2]"),
        (Op::Mod, vec![Typed(DType::UInt16, "2"), Typed(Int8, "2")], "int16 [2]"),
        (Op::Maximum, vec![Typed(Boolean, "2"), Typed(Float64, "()")], "float64 [2]"),
        (
            Op::Add,
            vec![Typed(DType::Complex64, "2"), X("2")],
            "complex64 and float32 have no common type",
        ),
        (Op::Equal, vec![X("2x1"), X("3")], "bool [2, 3]"),
        (Op::Where, vec![Typed(Boolean, "2x1"), X("3"), X("()")], "float32 [2, 3]"),
        (
            Op::Where,
            vec![X("2"), X("2"), Typed(Int32, "2")],
            "float32 and int32 are different types",
        ),
        (Op::ScatterNd, vec![X("4x5"), Ints(&[1]), X("5")], "float32 [4, 5]"),
        (
            Op::AddBias { format: Some(Format::Nhwc), dim: None },
            vec![X("2x8x8x3"), X("3")],
            "float32 [2, 8, 8, 3]",
        ),
        (
            Op::AddBias { format: None, dim: Some(1) },
            vec![X("2x8"), X("7")],
            "input 1 does not have the shape [8]",
        ),
        (
            Op::AddBias { format: None, dim: None },
            vec![X("2x8"), X("8")],
            "one of the params \"dim\" and \"format\" is needed",
        ),
        (Op::BatchNorm { dim: 1, epsilon: 1e-5 }, vec![X("2x3"), X("3"), X("3")], "float32 [2, 3]"),
        (
            Op::BatchScale { dim: 1 },
            vec![X("2x3"), X("3"), Typed(Float64, "3")],
            "float32 and float64 are different types",
        ),
        (
            Op::FusedBatchNorm { dim: 1, epsilon: 1e-5 },
            vec![X("2x3"), X("3"), X("3"), X("3"), X("3")],
            "float32 [2, 3]",
        ),
        (Op::Prelu { dim: 1 }, vec![X("2x3"), X("3")], "float32 [2, 3]"),
        (
            Op::Prelu { dim: -1 },
            vec![X("2x3"), X("3")],
            "dim is -1, and negative ones are refused here",
        ),
        // Shapes.
        (Op::Shape, vec![X("2x?")], "int32 [2]"),
        (Op::Dims, vec![X("2x3")], "int32 []"),
        (Op::Broadcast, vec![X("3x1"), Ints(&[2, 3, 4])], "float32 [2, 3, 4]"),
        (Op::Broadcast, vec![X("3"), Ints(&[0, 3])], "float32 [1, 3]"),
        (Op::Reshape { shape: vec![0, -1] }, vec![X("2x3x4")], "float32 [2, 12]"),
        (Op::Reshape { shape: vec![0, -1] }, vec![X("?x3x4")], "float32 [?, 12]"),
        (Op::Reshape { shape: vec![-1, 12] }, vec![X("?x3x4")], "float32 [?, 12]"),
        (Op::Reshape { shape: vec![5, -1] }, vec![X("2x3")], "6 elements cannot be divided by 5"),
        (Op::Reshape { shape: vec![-1, -1] }, vec![X("2x3")], "more than one size is negative"),
        (
            Op::Reshape { shape: vec![7] },
            vec![X("2x3")],
            "float32 [2, 3] cannot be reshaped to float32 [7]",
        ),
        (Op::ReshapeV2, vec![X("2x3x4"), Ints(&[0, -1])], "float32 [2, 12]"),
        (Op::ReshapeV2, vec![X("2x3x4"), Typed(Int32, "2")], "float32 [?, ?]"),
        (Op::Flatten { dim: 1 }, vec![X("2x3x4")], "float32 [2, 12]"),
        (Op::Flatten { dim: -1 }, vec![X("2x3x4")], "float32 [2, 3, 4]"),
        (Op::Flatten { dim: 2 }, vec![X("2")], "float32 [2, 1, 1]"),
        (Op::Flatten2d { dim: 2 }, vec![X("2x3x4")], "float32 [6, 4]"),
        (Op::Flatten2d { dim: 0 }, vec![X("2x3")], "float32 [1, 6]"),
        (Op::Flatten2d { dim: 9 }, vec![X("2x3")], "float32 [6, 1]"),
        (Op::Squeeze { axes: None }, vec![X("1x2x1")], "float32 [2]"),
        (Op::Squeeze { axes: Some(vec![0, -1]) }, vec![X("1x2x1")], "float32 [2]"),
        (Op::Squeeze { axes: Some(vec![1]) }, vec![X("1x2x1")], "the size of dim 1 is not 1"),
        (Op::Unsqueeze { axes: vec![0, 2] }, vec![X("2x3")], "float32 [1, 2, 1, 3]"),
        (Op::Unsqueeze { axes: vec![-1] }, vec![X("2x3")], "float32 [2, 3, 1]"),
        (
            Op::Expand { front: -1, end: -1, inverse: false },
            vec![X("2x3"), Ints(&[4])],
            "float32 [1, 1, 2, 3]",
        ),
        (
            Op::Expand { front: 1, end: -1, inverse: false },
            vec![X("2x3"), Ints(&[4])],
            "float32 [1, 2, 3, 1]",
        ),
        (
            Op::Expand { front: -1, end: -1, inverse: true },
            vec![X("2x3"), Ints(&[4])],
            "float32 [2, 3, 1, 1]",
        ),
        (
            Op::Expand { front: 0, end: 1, inverse: false },
            vec![X("2x3"), Ints(&[4])],
            "2 dims cannot be expanded to 4",
        ),
        (Op::Transpose { permute: Some(vec![0, 2, 1]) }, vec![X("2x3x4")], "float32 [2, 4, 3]"),
        (Op::Transpose { permute: Some(vec![1, 2, 0]) }, vec![X("3x4")], "float32 [3, 4, 1]"),
        (Op::Transpose { permute: None }, vec![X("2x3x4")], "float32 [2, 4, 4]"),
        (
            Op::Transpose { permute: Some(vec![0, 0]) },
            vec![X("3x4")],
            "0 in \"permute\" is no dim or comes twice",
        ),
        (Op::Dimshuffle { dim: 1, shuffle: vec![2, 0] }, vec![X("2x3")], "float32 [2, 2]"),
        (
            Op::Dimshuffle { dim: 1, shuffle: vec![3] },
            vec![X("2x3")],
            "there is no index 3 in dim 1",
        ),
        // Several inputs or outputs.
        (Op::Pack, vec![X("2"), Typed(Int32, "3")], "float32 [2]; int32 [3]"),
        (Op::Concat { dim: -1 }, vec![X("2x3"), X("2x4")], "float32 [2, 7]"),
        (Op::Concat { dim: 0 }, vec![X("2x3"), X("2x4")], "input 1 differs in a dim other than 0"),
        (Op::Stack { axis: 1 }, vec![X("2x3"), X("2x3")], "float32 [2, 2, 3]"),
        (
            Op::Chunk { chunks: 3, dim: 1 },
            vec![X("2x8")],
            "float32 [2, 3]; float32 [2, 3]; float32 [2, 2]",
        ),
        (
            Op::Chunk { chunks: 3, dim: 0 },
            vec![X("4x8")],
            "dim 0 of the size 4 cannot be divided into 3 chunks of 2",
        ),
        (Op::Split { axis: 0 }, vec![X("5x2"), Ints(&[2, 3])], "float32 [2, 2]; float32 [3, 2]"),
        (Op::Split { axis: 0 }, vec![X("5x2"), Ints(&[2, -1])], "a dim would have the size -1"),
        (Op::Topkv2 { number: 3, sorted: 1 }, vec![X("2x8")], "float32 [2, 3]; int32 [2, 3]"),
        (Op::Topkv2 { number: 9, sorted: 1 }, vec![X("2x8")], "float32 [2, 8]; int32 [2, 8]"),
        (Op::Tile { repeats: vec![2, 3] }, vec![X("4")], "float32 [2, 12]"),
        (Op::TileV2, vec![X("4x5"), Ints(&[3])], "float32 [4, 15]"),
        (Op::Gather { axis: 1 }, vec![X("2x3x4"), Typed(Int32, "5x6")], "float32 [2, 5, 6, 4]"),
        (Op::GatherElements { axis: 0 }, vec![X("2x3"), Typed(Int32, "1x3")], "float32 [1, 3]"),
        (Op::Gatherv2, vec![X("2x3x4"), Typed(Int32, "5x2")], "float32 [5, 4]"),
        (Op::Gatherv2, vec![X("2"), Typed(Int32, "5x2")], "indices have 2 numbers for 1 dims"),
        (
            Op::Pad { padding_value: 0.0 },
            vec![X("1x3x8x8"), Ints(&[0, 0, 0, 0, 1, 2, -3, 0])],
            "float32 [1, 3, 11, 5]",
        ),
        (
            Op::Pad { padding_value: 0.0 },
            vec![X("1x3x8x2"), Ints(&[0, 0, 0, 0, 1, 2, -3, 0])],
            "float32 [1, 3, 11, 1]",
        ),
        (Op::Pad { padding_value: 0.0 }, vec![X("1x3x0x2"), Ints(&[0; 8])], "float32 [1, 3, 0, 2]"),
        (Op::CropNd { shift: None }, vec![X("2x8"), Ints(&[-1, 5])], "float32 [2, 5]"),
        (Op::CropNd { shift: None }, vec![X("0x8"), Ints(&[-1, 5])], "float32 [1, 5]"),
        (
            Op::CropTo { axis: 2, offset: None },
            vec![X("1x3x8x8"), X("2x4x6x5")],
            "float32 [1, 3, 6, 5]",
        ),
        (Op::CropTo { axis: 1, offset: None }, vec![X("0x2"), X("3x1")], "float32 [1, 1]"),
        (Op::Limit { shape: vec![-1, 5] }, vec![X("2x3x8")], "float32 [2, 3, 5]"),
        (Op::Limit { shape: vec![-1, 5] }, vec![X("0x8")], "float32 [1, 5]"),
        (Op::Limit { shape: vec![-1, 5] }, vec![X("0x5")], "float32 [0, 5]"),
        (
            Op::Divided { size: vec![1, 4], padding_value: 0.0 },
            vec![X("2x3x9")],
            "float32 [2, 3, 12]",
        ),
        (Op::Divided { size: vec![3], padding_value: 0.0 }, vec![X("0x5")], "float32 [1, 6]"),
        (Op::ConstantOfShape { value: None }, vec![Ints(&[2, 3])], "float32 [2, 3]"),
        (
            Op::ConstantOfShape { value: Some(Tensor::scalar(1i32)) },
            vec![Typed(Int32, "2")],
            "int32 [?, ?]",
        ),
        (Op::Range, vec![Ints(&[1]), Ints(&[8]), Ints(&[3])], "int32 [3]"),
        (Op::Range, vec![Ints(&[8]), Ints(&[1]), Ints(&[-3])], "int32 [2]"),
        (Op::Range, vec![Ints(&[1]), Ints(&[8]), Ints(&[0])], "the step is 0"),
        (Op::Argmax { dim: -1 }, vec![X("2x3")], "int32 [2]"),
        (Op::Max { dim: 1, keep_dims: 1 }, vec![X("2x3")], "float32 [2, 1]"),
        (
            Op::ReduceMean { dims: vec![1, 2], keep_dims: false },
            vec![X("2x3x4x5")],
            "float32 [2, 5]",
        ),
        (
            Op::ReduceMean { dims: vec![0, 2], keep_dims: true },
            vec![X("2x3x4x5")],
            "dims 0 and 2 do not follow each other",
        ),
        (
            Op::ReduceMean { dims: vec![-1, 0], keep_dims: true },
            vec![X("2x3")],
            "dims [-1, 0] are [1, 0] of 2 dims, for which TenniS reads beyond the input",
        ),
        (Op::ReduceSum { dims: -2, keep_dims: true }, vec![X("2x3x4")], "float32 [2, 1, 4]"),
        // Slices.
        (Op::Slice { begin: vec![0, 1], size: vec![-1, 2] }, vec![X("2x3")], "float32 [2, 2]"),
        (
            Op::Slice { begin: vec![0, 3], size: vec![-1, 1] },
            vec![X("2x3")],
            "offset 3 is not in a dim of the size 3",
        ),
        (Op::SliceV2, vec![X("2x3"), Ints(&[0, 1]), Ints(&[2, 2])], "float32 [2, 2]"),
        (
            Op::SliceV3,
            vec![X("2x8"), Ints(&[1]), Ints(&[-1]), Ints(&[1]), Ints(&[2])],
            "float32 [2, 3]",
        ),
        (Op::SliceV3, vec![X("2x8"), Ints(&[0]), Ints(&[i32::MAX])], "float32 [2, 8]"),
        (
            Op::SliceV3,
            vec![X("2x8"), Ints(&[0]), Ints(&[0]), Ints(&[-1])],
            "axis -1 is negative, for which TenniS writes beyond its own lists; add 2 to it",
        ),
        (
            Op::SliceV3,
            vec![X("2x8"), Ints(&[7]), Ints(&[0]), Ints(&[1]), Ints(&[-2])],
            "float32 [2, 4]",
        ),
        (strided(&[0, 1], &[2, -1], None, [0; 5]), vec![X("2x5x6")], "float32 [2, 3, 6]"),
        (strided(&[0, 1], &[2, 2], None, [0, 0, 0, 0, 2]), vec![X("2x5x6")], "float32 [2, 6]"),
        (strided(&[0, 1], &[0, 4], None, [0, 0, 1, 0, 0]), vec![X("2x5x6")], "float32 [2, 5, 3]"),
        (strided(&[0, 1], &[1, 4], None, [0, 0, 0, 1, 0]), vec![X("5x6")], "float32 [1, 3, 6]"),
        (
            strided(&[0], &[1], None, [0, 0, 1, 1, 0]),
            vec![X("5")],
            "an item is an ellipsis and a new dim",
        ),
        (
            strided(&[0], &[1], None, [0, 0, 2, 0, 0]),
            vec![X("5x4x3")],
            "\"ellipsis_mask\" has an item that is not in \"begin\"",
        ),
        (strided(&[4], &[0], Some(&[-2]), [1, 1, 0, 0, 0]), vec![X("5")], "float32 [3]"),
        (
            strided(&[0, 1], &[2, 4], None, [0, 0, 0, 0, 2]),
            vec![X("2x5")],
            "item 1 has 3 elements, and its dim cannot be removed",
        ),
        // Matrices.
        (
            Op::Gemm { alpha: 1.0, beta: 1.0, trans_a: false, trans_b: true },
            vec![X("2x3"), X("4x3"), X("4")],
            "float32 [2, 4]",
        ),
        (
            Op::Gemm { alpha: 1.0, beta: 1.0, trans_a: false, trans_b: false },
            vec![X("2x3"), X("4x3"), X("4")],
            "a has 3 columns, and b 4 rows",
        ),
        (
            Op::InnerProd { transpose: false, kernel_packed: false },
            vec![X("2x3x4"), X("12x5")],
            "float32 [2, 5]",
        ),
        (Op::Matmul, vec![X("2x3x4"), X("4x5")], "float32 [2, 3, 5]"),
        (Op::Matmul, vec![X("1x1x3x4"), X("1x1x4x5")], "float32 [1, 1, 3, 5]"),
        (
            Op::Matmul,
            vec![X("1x2x3x4"), X("1x2x4x5")],
            "TenniS multiplies 4 dims only if the first two have the size 1",
        ),
        (
            Op::Lstm { direction: Direction::Bidirectional, hidden_size: 5 },
            vec![X("7x2x3"), X("2x20x3"), X("2x20x5")],
            "float32 [7, 2, 2, 5]; float32 [2, 2, 5]; float32 [2, 2, 5]",
        ),
        // Windows.
        (
            conv2d(Format::Nchw, image([1, 1], [0, 2]), [1, 1, 2, 1], [1, 1, 1, 2]),
            vec![X("1x3x8x8"), X("4x3x3x3")],
            "float32 [1, 4, 4, 6]",
        ),
        (
            conv2d(Format::Nchw, NONE, [1, 1, 2, 2], ONES),
            vec![X("?x3x2x2"), X("4x3x3x3")],
            "float32 [?, 4, 1, 1]",
        ),
        (
            conv2d(Format::Nchw, NONE, ONES, ONES),
            vec![X("1x3x8x8"), X("4x2x3x3")],
            "w takes 2 channels, x has 3",
        ),
        (
            conv2d(Format::Nchw, [[1, 0]; 4], ONES, ONES),
            vec![X("1x3x8x8"), X("4x3x3x3")],
            "dim 0 is padded, which is not an image's",
        ),
        (
            conv2d(Format::Nhwc, NONE, ONES, ONES),
            vec![X("1x8x6x8"), X("4x8x3x3")],
            "float32 [1, 1, 4, 4]",
        ),
        (
            Op::Conv2dQuantized {
                format: Format::Nchw,
                padding: NONE,
                padding_value: 0.0,
                stride: ONES,
                dilation: ONES,
                dequantize_scales: vec![1.0; 4],
            },
            vec![Typed(Int8, "1x3x8x8"), Typed(Int8, "4x3x3x3")],
            "float32 [1, 4, 6, 6]",
        ),
        (
            Op::Conv2dV2 {
                format: Format::Nchw,
                padding_value: 0.0,
                stride: ONES,
                dilation: ONES,
                kernel_packed: false,
            },
            vec![X("1x3x8x8"), Ints(&[0, 0, 0, 0, 1, 1, 1, 1]), X("4x3x3x3")],
            "float32 [1, 4, 8, 8]",
        ),
        (
            Op::Conv2dWinograd {
                format: Format::Nchw,
                padding: NONE,
                padding_value: 0.0,
                kernel_winograd_transformed: true,
            },
            vec![X("1x3x8x8"), X("4x3x8x8")],
            "float32 [1, 4, 6, 6]",
        ),
        (
            Op::Conv2dWinogradV2 {
                format: Format::Nchw,
                padding_value: 0.0,
                kernel_winograd_transformed: false,
            },
            vec![X("1x3x8x8"), Ints(&[0; 8]), X("4x3x3x3")],
            "float32 [1, 4, 6, 6]",
        ),
        (
            Op::DcnV2Forward {
                format: Format::Nchw,
                padding: NONE,
                deformable_groups: 1,
                stride: ONES,
                dilation: ONES,
            },
            vec![X("1x3x8x8"), X("4x3x3x3"), X("4"), X("1x18x6x6"), X("1x9x6x6")],
            "float32 [1, 4, 6, 6]",
        ),
        (
            Op::DepthwiseConv2d {
                format: Format::Nchw,
                padding: NONE,
                padding_value: 0.0,
                stride: ONES,
                dilation: ONES,
                kernel_packed: false,
            },
            vec![X("1x3x8x8"), X("1x3x3x3")],
            "float32 [1, 3, 6, 6]",
        ),
        (
            Op::DepthwiseConv2dV2 {
                format: Format::Nchw,
                padding_value: 0.0,
                stride: ONES,
                dilation: ONES,
                kernel_packed: false,
            },
            vec![X("1x3x8x8"), Ints(&[0; 8]), X("2x3x3x3")],
            "the first size of w is not 1",
        ),
        (
            Op::TransposeConv2d {
                format: Format::Nchw,
                padding: image([1, 1], [0, 0]),
                padding_value: 0.0,
                stride: [1, 1, 2, 2],
                dilation: ONES,
                kernel_packed: false,
            },
            vec![X("1x3x5x5"), X("3x4x3x3")],
            "float32 [1, 4, 9, 11]",
        ),
        (
            Op::WinogradTransformKernel { winograd_mode: WinogradMode::F23 },
            vec![X("4x3x3x3")],
            "float32 [4, 3, 4, 4]",
        ),
        (pooling(NONE, [1, 1, 3, 2], [1, 1, 2, 2]), vec![X("1x3x8x7")], "float32 [1, 3, 4, 4]"),
        (
            pooling(NONE, [1, 2, 3, 2], ONES),
            vec![X("1x3x8x8")],
            "the ksize in dim 1 is 2, expected 1",
        ),
        (
            Op::Pooling2dV2 {
                format: Format::Nchw,
                kind: PoolType::Max,
                padding_type: PadType::Black,
            },
            vec![X("1x3x8x8"), Ints(&[0; 8]), Ints(&[1, 1, 2, 2]), Ints(&[1, 1, 2, 2])],
            "float32 [1, 3, 4, 4]",
        ),
        (
            Op::GlobalPooling2d { format: Format::Nhwc, kind: PoolType::Avg },
            vec![X("2x8x8x3")],
            "float32 [2, 1, 1, 3]",
        ),
        (
            Op::DragonConv2dPadding {
                format: Format::Nchw,
                stride: ONES,
                dilation: ONES,
                padding_method: AutoPad::Same,
                padding: NONE,
            },
            vec![X("1x3x8x8"), X("4x3x3x3")],
            "int32 [4, 2]",
        ),
        (
            Op::TfConv2dPadding {
                format: Format::Nchw,
                stride: ONES,
                dilation: ONES,
                padding_method: PaddingMethod::Same,
                padding: NONE,
            },
            vec![X("1x3x8x8"), X("4x2x3x3")],
            "x and w have different counts of channels",
        ),
        (
            Op::MxPooling2dPadding { valid: 1, format: Format::Nchw, padding: NONE },
            vec![X("?x3x?x8"), Ints(&[1, 1, 3, 3]), Ints(&[1, 1, 2, 2])],
            "int32 [4, 2]",
        ),
        (
            Op::OnnxPooling2dPadding { auto_pad: AutoPad::Same, padding: NONE },
            vec![X("1x3x8x8"), Ints(&[1, 1, 3, 3]), Ints(&[1, 1, 2, 2])],
            "\"auto_pad\" is SAME, which is Dragon's",
        ),
        (
            Op::DragonPooling2dPadding { ceil: true, auto_pad: AutoPad::Valid, padding: NONE },
            vec![X("1x3x8x8"), Ints(&[1, 1, 3, 3]), Ints(&[1, 1, 0, 2])],
            "a stride is 0",
        ),
        (
            Op::TfPooling2dPadding {
                format: Format::Nhwc,
                padding_method: PaddingMethod::Valid,
                padding: NONE,
            },
            vec![X("1x8x8x3"), Ints(&[1, 3, 3, 1]), Ints(&[1, 2, 2, 1])],
            "int32 [4, 2]",
        ),
        // Images.
        (
            Op::AffineSample2d { kind: ResizeType::Linear, dim: -3, outer_value: None },
            vec![X("1x8x8x3"), Ints(&[4, 5]), X("3x3")],
            "float32 [1, 4, 5, 3]",
        ),
        (
            Op::Resize2d { kind: ResizeType::Linear },
            vec![X("1x3x8x8"), Ints(&[-1, -1, 16, 8])],
            "float32 [1, 3, 16, 8]",
        ),
        (
            Op::Resize2d { kind: ResizeType::Linear },
            vec![X("1x3x8x8"), Ints(&[1, 3, 16, 20])],
            "float32 [1, 3, 16, 20]",
        ),
        (
            Op::Resize2d { kind: ResizeType::Linear },
            vec![X("1x3x8x8"), Ints(&[-1, -1, 16, -1])],
            "only two dims that follow each other can be resized, not to float32 [1, 3, 16, 8]",
        ),
        (
            Op::Resize2d { kind: ResizeType::Linear },
            vec![X("1x3x8x8"), Ints(&[1, 6, 8, 16])],
            "only two dims that follow each other can be resized, not to float32 [1, 6, 8, 16]",
        ),
        (
            Op::ResizeNearestNeighbor { align_corners: 0, dim: 2 },
            vec![X("1x3x8x8"), Ints(&[4, 5])],
            "float32 [1, 3, 4, 5]",
        ),
        (
            Op::Sample2d { scale: 0.6, kind: ResizeType::Nearest, dim: -2 },
            vec![X("1x3x8x8")],
            "float32 [1, 3, 4, 4]",
        ),
        (
            Op::Sample2d { scale: 2.0, kind: ResizeType::Nearest, dim: -1 },
            vec![X("1x3x8x8")],
            "there is no dim after 3 in 4 dims",
        ),
        (
            Op::Sample2dV2 { kind: ResizeType::Hard },
            vec![X("1x3x8x8"), Ints(&[1, 1, 2, 3])],
            "float32 [1, 3, 16, 24]",
        ),
        (Op::NhwcCenterCrop2d { size: [5, 4] }, vec![X("1x8x8x3")], "float32 [1, 4, 5, 3]"),
        (
            Op::NhwcLetterbox { size: vec![5], kind: ResizeType::Linear, outer_value: 0.0 },
            vec![X("1x8x8x3")],
            "float32 [1, 5, 5, 3]",
        ),
        (
            Op::NhwcScaleResize2d { size: vec![5], kind: ResizeType::Linear },
            vec![X("1x8x12x3")],
            "float32 [1, 5, 7, 3]",
        ),
        (
            Op::NhwcScaleResize2d { size: vec![5, 6], kind: ResizeType::Linear },
            vec![X("1x8x12x3")],
            "float32 [1, 6, 5, 3]",
        ),
        (Op::ForceColor, vec![X("8x8x1")], "float32 [8, 8, 3]"),
        (Op::ForceGray { scale: None }, vec![X("8x8x3")], "float32 [8, 8, 1]"),
        (
            Op::SpaceToBatch4d { padding: [[1, 1], [0, 0]], block_shape: [2, 4] },
            vec![X("1x3x6x8")],
            "float32 [8, 3, 4, 2]",
        ),
        (
            Op::SpaceToBatch4d { padding: [[1, 0], [0, 0]], block_shape: [2, 4] },
            vec![X("1x3x6x8")],
            "7 cannot be divided by 2",
        ),
        (
            Op::BatchToSpace4d { crop: [[1, 1], [0, 0]], block_shape: [2, 4] },
            vec![X("8x3x4x2")],
            "float32 [1, 3, 6, 8]",
        ),
        (
            Op::ShapeIndexPatch { origin_patch: [4, 4], origin: [112, 112] },
            vec![X("1x3x56x112"), X("1x10x1x1")],
            "float32 [1, 3, 2, 5, 4]",
        ),
        // Detectors.
        (
            Op::PriorBox {
                min_size: vec![30.0],
                max_size: vec![60.0],
                aspect_ratio: vec![1.0, 2.0, 2.0],
                flip: true,
                clip: false,
                variance: None,
                offset: 0.5,
                img_w: None,
                img_h: None,
                img_size: None,
                step_w: None,
                step_h: None,
                step: None,
            },
            vec![X("1x3x2x5"), X("1x3x20x50")],
            "float32 [1, 2, 160]",
        ),
        (
            Op::DetectionOutput {
                num_classes: 3,
                share_location: true,
                background_label_id: 0,
                nms_threshold: 0.3,
                nms_top_k: 1000,
                nms_eta: 1.0,
                code_type: 1,
                variance_encoded_in_target: false,
                keep_top_k: -1,
                confidence_threshold: 0.01,
            },
            vec![X("1x160"), X("1x120"), X("1x2x160")],
            "float32 [1, 1, ?, 7]",
        ),
        (
            Op::NonMaxSuppressionV3 {
                max_output_size: 5,
                iou_threshold: 0.5,
                score_threshold: 0.5,
                mode: "xyxy".to_owned(),
            },
            vec![X("9x4"), X("9")],
            "int32 [5]",
        ),
        (
            Op::Proposal {
                strides: vec![4],
                ratios: vec![1.0],
                scales: vec![8.0],
                pre_nms_top_n: 6000,
                post_nms_top_n: 300,
                nms_thresh: 0.7,
                min_size: 16,
                min_level: 2,
                max_level: 3,
                canonical_scale: 224,
                canonical_level: 4,
            },
            vec![X("1x2x3"), X("1x2x3"), X("1x2x3")],
            "float32 [?, 5]; float32 [?, 5]",
        ),
        (
            Op::RoiAlign { pool_h: 7, pool_w: 6, spatial_scale: 1.0, sampling_ratio: 2 },
            vec![X("1x3x8x8"), X("9x5")],
            "float32 [9, 3, 7, 6]",
        ),
        (
            Op::Yolo { classes: 2, mask: vec![0, 1], anchors: vec![1.0; 4] },
            vec![X("1x14x4x4")],
            "float32 [1, 14, 4, 4]; int32 []; int32 [2]; float32 [4]",
        ),
        (
            Op::Yolo { classes: 2, mask: vec![0, 1], anchors: vec![1.0; 4] },
            vec![X("1x13x4x4")],
            "x has 13 channels, expected 14",
        ),
        (
            Op::YoloPoster { thresh: 0.5, nms: 0.5 },
            vec![X("2x8x8x3"), X("2x14x4x4")],
            "float32 [?, 6]; float32 [?, 6]",
        ),
    ]);
    cases
}

#[test]
fn each_operator_has_the_shape_that_tennis_computes() {
    let mut seen = BTreeSet::from(["<param>", "<const>", "<var>", "_field"]);
    for (operator, args, expected) in cases() {
        assert_eq!(infer(&operator, &args), expected, "{operator:?}");
        seen.insert(operator.name());
    }
    let missing: Vec<_> = Op::NAMES.iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
