"""Networks in the words of PyTorch, TensorFlow (tf2onnx), Keras and Paddle: what these write around the operators."""

import numpy
from onnx import TensorProto, helper, numpy_helper

from networks import Network


def squeeze_excite(net, x, channels, gate):
    """Channels by what a small network makes of their means."""
    mean = net.node("GlobalAveragePool", x)
    less = net.node("Relu", net.conv(mean, channels // 2, channels, 1))
    return net.node("Mul", x, net.node(gate, net.conv(less, channels, channels // 2, 1)))


def mobile_v3():
    net = Network(["batch", 3, 16, 16])
    x = net.node("HardSwish", net.norm(net.conv("x", 8, 3, strides=[2, 2]), 8))
    y = net.node("HardSwish", net.conv(x, 8, 8, 5, group=8))
    gate = net.node("HardSigmoid", net.conv(net.node("GlobalAveragePool", y), 8, 8, 1), alpha=1 / 6, beta=0.5)
    x = net.node("Add", net.conv(net.node("Mul", y, gate), 8, 8, 1), x)
    x = net.node("Flatten", net.node("GlobalAveragePool", x), axis=1)
    return net.model(net.node("Gemm", x, net.weight(5, 8), net.weight(5), transB=1))


def old_hard_swish():
    """x * relu6(x + 3) / 6, before ONNX had HardSwish."""
    net = Network(["batch", 4, 5, 5], 11)
    numbers = [net.tensor(numpy.float32(value)) for value in (3, 0, 6, 6)]
    cut = net.node("Clip", net.node("Add", "x", numbers[0]), numbers[1], numbers[2])
    return net.model(net.node("Div", net.node("Mul", "x", cut), numbers[3]))


def google(batch, size):
    """The start and the end of GoogLeNet, whose dropout has a mask that no node uses."""
    net = Network([batch, 3, 9, 7], 9)
    x = net.node("LRN", net.conv("x", 8, 3), size=size, alpha=0.02, beta=0.6, bias=1.5)
    net.nodes.append(helper.make_node("Dropout", [net.node("GlobalAveragePool", x)], ["kept", "mask"], ratio=0.4))
    return net.model(net.node("Gemm", net.node("Flatten", "kept"), net.weight(5, 8), net.weight(5), transB=1))


def faces(p):
    """The end of a network for faces as MXNet writes it; one row is all 0."""
    net = Network(["batch", 6], 12)
    rows = net.node("Mul", "x", net.tensor(numpy.array([[1] * 6, [0] * 6], numpy.float32)))
    return net.model(net.node("LpNormalization", rows, axis=1, p=p))


def efficient():
    net = Network(["batch", 3, 16, 16])
    x = net.conv("x", 8, 3)
    x = net.node("Mul", x, net.node("Sigmoid", x))
    x = squeeze_excite(net, x, 8, "Sigmoid")
    mean = net.node("ReduceMean", x, axes=[2, 3], keepdims=1)
    return net.model(net.node("Mul", x, net.node("Sigmoid", mean)))


def yolo(opset, size):
    """A head of YOLOv5: boxes of two scales, from a grid."""
    net = Network([1, 6, size, size], opset)
    scales = net.tensor(numpy.array([1, 1, 2, 2], numpy.float32))
    nearest = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    small = net.node("MaxPool", "x", kernel_shape=[2, 2], strides=[2, 2])
    pooled = [small]
    for _ in range(3):
        pooled.append(net.node("MaxPool", pooled[-1], kernel_shape=[5, 5], strides=[1, 1], pads=[2, 2, 2, 2]))
    small = net.conv(net.node("Concat", *pooled, axis=1), 6, 24, 1)
    regions = net.tensor(numpy.zeros(0, numpy.float32))
    large = net.node("Concat", net.node("Resize", small, regions, scales, **nearest), "x", axis=1)
    boxes = []
    for x, channels, cells in [(small, 6, size // 2), (large, 12, size)]:
        x = net.node("Reshape", net.conv(x, 3 * 7, channels, 1), net.ints(1, 3, 7, cells, cells))
        x = net.node("Sigmoid", net.node("Transpose", x, perm=[0, 1, 3, 4, 2]))
        if opset < 13:
            parts = [f"{x}_{index}" for index in range(3)]
            net.nodes.append(helper.make_node("Split", [x], parts, axis=4, split=[2, 2, 3]))
            xy, wh, score = parts
        else:
            ends = [0, 2, 4, 7]
            xy, wh, score = (net.node("Slice", x, net.ints(start), net.ints(end), net.ints(4), net.ints(1))
                             for start, end in zip(ends, ends[1:]))
        grid = net.weight(1, 3, cells, cells, 2)
        two = net.tensor(numpy.float32(2))
        xy = net.node("Mul", net.node("Add", net.node("Mul", xy, two), grid), net.tensor(numpy.float32(8)))
        wh = net.node("Mul", net.node("Pow", net.node("Mul", wh, two), two), net.weight(1, 3, 1, 1, 2))
        boxes.append(net.node("Reshape", net.node("Concat", xy, wh, score, axis=4), net.ints(1, -1, 7)))
    return net.model(net.node("Concat", *boxes, axis=1))


def sizes_of(net, x, dims):
    """The sizes of dims, as PyTorch traces `x.size(dim)`: each with one dim."""
    picked = [net.node("Gather", net.node("Shape", x), net.tensor(numpy.int64(dim)), axis=0) for dim in dims]
    return [net.node("Unsqueeze", size, net.ints(0)) for size in picked]


def normal(net, x, size, opset):
    """LayerNorm as PyTorch writes it before opset 17."""
    axes = [net.ints(-1)] if opset >= 18 else []
    attributes = {} if opset >= 18 else {"axes": [-1]}
    mean = net.node("ReduceMean", x, *axes, **attributes)
    centered = net.node("Sub", x, mean)
    squares = net.node("Pow", centered, net.tensor(numpy.float32(2)))
    variance = net.node("ReduceMean", squares, *axes, **attributes)
    deviation = net.node("Sqrt", net.node("Add", variance, net.tensor(numpy.float32(1e-5))))
    x = net.node("Div", centered, deviation)
    return net.node("Add", net.node("Mul", x, net.weight(size)), net.weight(size))


def bert(batch, length, opset, mask):
    """A layer of BERT: embeddings, attention with a mask, and a feed-forward network with Gelu."""
    net = Network([batch, length], opset)
    net.input = helper.make_tensor_value_info("x", TensorProto.INT64, [batch, length])
    words = net.node("Gather", net.weight(10, 8), "x")
    # Positions as PyTorch slices them by the length of the input.
    positions = net.tensor(numpy.arange(6, dtype=numpy.int64)[None])
    length_of = sizes_of(net, "x", [1])[0]
    used = net.node("Slice", positions, net.ints(0), length_of, net.ints(1), net.ints(1))
    x = net.node("Add", words, net.node("Gather", net.weight(6, 8), used))
    x = normal(net, x, 8, opset)
    heads = []
    for perm in [[0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]]:
        head = net.node("Add", net.weight(8), net.node("MatMul", x, net.weight(8, 8)))
        shape = net.node("Concat", *sizes_of(net, head, [0, 1]), net.ints(2), net.ints(4), axis=0)
        heads.append(net.node("Transpose", net.node("Reshape", head, shape), perm=perm))
    query, key, value = heads
    scores = net.node("Div", net.node("MatMul", query, key), net.tensor(numpy.float32(2)))
    if mask == "add":
        # (1 - mask) * -10000, where the mask is what is no 0.
        kept = net.node("Cast", net.node("Unsqueeze", net.node("Unsqueeze", "x", net.ints(1)), net.ints(2)), to=1)
        hidden = net.node("Sub", net.tensor(numpy.float32(1)), kept)
        scores = net.node("Add", scores, net.node("Mul", hidden, net.tensor(numpy.float32(-10000))))
    if mask == "where":
        hidden = net.node("Equal", net.node("Unsqueeze", "x", net.ints(1, 2)), net.tensor(numpy.int64(0)))
        hidden = net.node("Expand", hidden, net.node("Shape", scores))
        scores = net.node("Where", hidden, net.tensor(numpy.float32(-1e30)), scores)
    x = net.node("Transpose", net.node("MatMul", net.node("Softmax", scores, axis=3), value), perm=[0, 2, 1, 3])
    shape = net.node("Concat", *sizes_of(net, x, [0, 1]), net.ints(8), axis=0)
    x = net.node("MatMul", net.node("Reshape", x, shape), net.weight(8, 8))
    x = normal(net, x, 8, opset)
    inner = net.node("MatMul", x, net.weight(8, 16))
    gate = net.node("Erf", net.node("Div", inner, net.tensor(numpy.float32(2**0.5))))
    gate = net.node("Mul", inner, net.node("Add", gate, net.tensor(numpy.float32(1))))
    x = net.node("MatMul", net.node("Mul", gate, net.tensor(numpy.float32(0.5))), net.weight(16, 8))
    first = net.node("Gather", x, net.tensor(numpy.int64(0)), axis=1)
    return net.model(net.node("Tanh", net.node("Gemm", first, net.weight(8, 8), net.weight(8), transB=1)))


def torch_resize(batch, how):
    """`interpolate` of PyTorch to the size of another value, or by a factor."""
    net = Network([batch, 3, 8, 8])
    deep = net.conv(net.node("MaxPool", "x", kernel_shape=[2, 2], strides=[2, 2]), 4, 3)
    if how == "size":
        wanted = net.node("Concat", *sizes_of(net, "x", [2, 3]), axis=0)
    else:
        sizes = []
        for size in sizes_of(net, deep, [2, 3]):
            size = net.node("Mul", net.node("Cast", size, to=1), net.tensor(numpy.array([2], numpy.float32)))
            sizes.append(net.node("Cast", net.node("Floor", size), to=7))
        wanted = net.node("Concat", *sizes, axis=0)
    kept = net.node("Slice", net.node("Shape", deep), net.ints(0), net.ints(2), net.ints(0))
    sizes = net.node("Concat", kept, wanted, axis=0)
    linear = {"mode": "linear", "coordinate_transformation_mode": "pytorch_half_pixel"}
    up = net.node("Resize", deep, "", "", sizes, cubic_coeff_a=-0.75, nearest_mode="floor", **linear)
    return net.model(net.conv(net.node("Concat", up, "x", axis=1), 2, 7, 1))


def tf_resize(batch, mode):
    """`UpSampling2D` of Keras by tf2onnx: NHWC, with sizes computed from the shape."""
    net = Network([batch, 4, 5, 3])
    x = net.node("Transpose", "x", perm=[0, 3, 1, 2])
    x = net.node("Relu", net.conv(x, 3, 3))
    sizes = net.node("Cast", net.node("Shape", "x"), to=6)
    sizes = net.node("Slice", sizes, net.ints(1), net.ints(3), net.ints(0))
    sizes = net.node("Cast", net.node("Mul", sizes, net.tensor(numpy.array([2, 2], numpy.int32))), to=7)
    kept = net.node("Slice", net.node("Shape", x), net.ints(0), net.ints(2), net.ints(0))
    sizes = net.node("Concat", kept, sizes, axis=0)
    modes = {
        "linear": {"mode": "linear", "coordinate_transformation_mode": "half_pixel"},
        "nearest": {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
        "half": {"mode": "nearest", "coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_ceil"},
    }
    x = net.node("Resize", x, "", "", sizes, **modes[mode])
    return net.model(net.node("Transpose", x, perm=[0, 2, 3, 1]))


def tf_classifier(batch):
    """Keras's Conv2D, BatchNormalization, ReLU6, pooling and Dense, as tf2onnx writes them."""
    net = Network([batch, 9, 9, 3], 13)
    x = net.node("Transpose", "x", perm=[0, 3, 1, 2])
    x = net.node("Pad", x, net.ints(0, 0, 0, 0, 0, 0, 1, 1), net.tensor(numpy.float32(0)))
    x = net.conv(x, 4, 3, strides=[2, 2], pads=[0, 0, 0, 0])
    low, high = (net.tensor(numpy.float32(value)) for value in (0, 6))
    x = net.node("Clip", net.norm(x, 4), low, high)
    w = net.weight(4, 1, 3, 3)
    x = net.node("Conv", x, w, group=4, auto_pad="SAME_UPPER", strides=[1, 1], dilations=[1, 1], kernel_shape=[3, 3])
    x = net.node("AveragePool", x, auto_pad="SAME_UPPER", strides=[2, 2], kernel_shape=[2, 2])
    x = net.node("Transpose", x, perm=[0, 2, 3, 1])
    x = net.node("Reshape", x, net.ints(-1, 16))
    x = net.node("Add", net.node("MatMul", x, net.weight(16, 5)), net.weight(5))
    return net.model(net.node("Softmax", x, axis=-1))


def tf_mean(batch):
    """GlobalAveragePooling2D by its mean, and a shape of Flatten that is computed."""
    net = Network([batch, 4, 4, 3], 13)
    x = net.node("Transpose", "x", perm=[0, 3, 1, 2])
    mean = net.node("ReduceMean", x, axes=[2, 3], keepdims=0)
    size = net.node("Cast", net.node("Shape", mean), to=6)
    size = net.node("Slice", size, net.ints(0), net.ints(1), net.ints(0))
    size = net.node("Squeeze", size, net.ints(0))
    size = net.node("Unsqueeze", size, net.ints(0))
    one = net.tensor(numpy.array([3], numpy.int32))
    shape = net.node("Cast", net.node("Concat", size, one, axis=0), to=7)
    return net.model(net.node("Reshape", mean, shape))


def text_lstm(direction, state, batch):
    """A classifier of texts by PyTorch: an embedding, an LSTM, and its last output."""
    net = Network([5, batch], 17)
    net.input = helper.make_tensor_value_info("x", TensorProto.INT64, [5, batch])
    both = 2 if direction == "bidirectional" else 1
    x = net.node("Gather", net.weight(10, 4), "x")
    inputs = [x, net.weight(both, 12, 4), net.weight(both, 12, 3), net.weight(both, 24)]
    if state == "computed":
        sizes = sizes_of(net, x, [1])[0]
        shape = net.node("Concat", net.ints(both), sizes, net.ints(3), axis=0)
        zeros = net.node("ConstantOfShape", shape)
        inputs += ["", zeros, zeros]
    if state == "expand":
        sizes = sizes_of(net, x, [1])[0]
        shape = net.node("Concat", net.ints(both), sizes, net.ints(3), axis=0)
        zeros = net.node("Expand", net.tensor(numpy.zeros((both, 1, 3), numpy.float32)), shape)
        inputs += ["", zeros, zeros]
    if state == "constant":
        inputs += ["", net.weight(both, batch, 3), net.weight(both, batch, 3)]
    net.nodes.append(helper.make_node("LSTM", inputs, ["y", "h", "c"], hidden_size=3, direction=direction))
    y = net.node("Transpose", "y", perm=[0, 2, 1, 3])
    y = net.node("Reshape", y, net.ints(0, 0, -1))
    last = net.node("Gather", y, net.tensor(numpy.int64(-1)), axis=0)
    label = net.node("Gemm", last, net.weight(2, 3 * both), net.weight(2), transB=1)
    hidden = net.node("Concat", *(net.node("Gather", "h", net.tensor(numpy.int64(at)), axis=0) for at in range(both)), axis=1)
    return net.model(label, hidden, "c")


def group_norm(batch):
    """GroupNorm of PyTorch: InstanceNormalization of groups, in their shape."""
    net = Network([batch, 6, 4, 5])
    x = net.node("Reshape", "x", net.ints(0, 3, -1))
    ones, zeros = (net.tensor(numpy.full(3, value, numpy.float32)) for value in (1, 0))
    x = net.node("InstanceNormalization", x, ones, zeros)
    x = net.node("Reshape", x, net.node("Shape", "x"))
    return net.model(net.node("Add", net.node("Mul", x, net.weight(6, 1, 1)), net.weight(6, 1, 1)))


def new_group_norm(opset):
    net = Network([2, 6, 4, 5], opset)
    count = 6 if opset >= 21 else 3
    return net.model(net.node("GroupNormalization", "x", net.weight(count), net.weight(count), num_groups=3))


def new_operators():
    """Operators of newer opsets."""
    net = Network([2, 6, 4, 5], 20)
    x = net.node("Gelu", "x", approximate="tanh")
    x = net.node("Mish", net.node("Gelu", x))
    x = net.node("ReduceSum", x, net.ints(1, -1), keepdims=0)
    x = net.node("ReduceMax", x, net.ints(1), keepdims=1)
    return net.model(net.node("LayerNormalization", x, net.weight(1), net.weight(1)))


def shuffled(batch):
    """The channel shuffle of ShuffleNet."""
    net = Network([batch, 6, 4, 5])
    net.nodes.append(helper.make_node("Split", ["x", net.ints(3, 3)], ["a", "b"], axis=1))
    x = net.node("Concat", "a", net.node("Relu", net.conv("b", 3, 3)), axis=1)
    sizes = sizes_of(net, x, [0])[0]
    shape = net.node("Concat", sizes, net.ints(2, 3, 4, 5), axis=0)
    x = net.node("Transpose", net.node("Reshape", x, shape), perm=[0, 2, 1, 3, 4])
    back = net.node("Concat", sizes, net.ints(6, 4, 5), axis=0)
    return net.model(net.node("Reshape", x, back))


def padded():
    """`F.pad` of PyTorch, whose pads are computed of constants."""
    net = Network([1, 2, 4, 5])
    # [left, right, top, bottom] and zeros after them, in pairs from the last dim on, then transposed.
    pads = net.node("Constant", value_ints=[1, 2, 0, 1])
    zeros = net.node("ConstantOfShape", net.ints(4), value=numpy_helper.from_array(numpy.array([0], numpy.int64)))
    pairs = net.node("Reshape", net.node("Concat", pads, zeros, axis=0), net.ints(-1, 2))
    pairs = net.node("Slice", pairs, net.ints(-1), net.ints(-(2**63) + 1), net.ints(0), net.ints(-1))
    flat = net.node("Reshape", net.node("Transpose", pairs, perm=[1, 0]), net.ints(-1))
    return net.model(net.node("Pad", "x", net.node("Cast", flat, to=7), net.tensor(numpy.float32(0.5)), mode="constant"))


def einsum(equation, *shapes):
    net = Network([2, 3, 4])
    return net.model(net.node("Einsum", "x", *(net.weight(*shape) for shape in shapes), equation=equation))


def branches(condition):
    """`If` whose condition is a constant, as PyTorch leaves it after Squeeze."""
    net = Network([2, 3])
    out = [helper.make_tensor_value_info("r", TensorProto.FLOAT, None)]
    yes = helper.make_graph([helper.make_node("Relu", ["x"], ["r"])], "yes", [], out)
    no = helper.make_graph([helper.make_node("Neg", ["x"], ["n"]), helper.make_node("Exp", ["n"], ["r"])], "no", [], out)
    chosen = net.tensor(numpy.array(condition))
    return net.model(net.node("Tanh", net.node("If", chosen, then_branch=yes, else_branch=no)))


def constants():
    """Constants of all kinds of attributes."""
    net = Network([2, 3])
    x = net.node("Mul", "x", net.node("Constant", value_float=2.5))
    x = net.node("Add", x, net.node("Constant", value_floats=[1.0, 2.0, 3.0]))
    axis = net.node("Constant", value_int=1)
    x = net.node("Gather", x, axis, axis=1)
    x = net.node("Unsqueeze", x, net.node("Constant", value_ints=[0]))
    x = net.node("Dropout", x)
    return net.model(net.node("Identity", x))


def clipped(kind):
    """Bounds and extrema of integers."""
    net = Network([2, 5])
    net.input = helper.make_tensor_value_info("x", kind, [2, 5])
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    low, high = (net.tensor(numpy.array(value, dtype)) for value in (0, 1))
    x = net.node("Min", net.node("Max", "x", low), high)
    x = net.node("Clip", x, low, high)
    return net.model(net.node("Cast", net.node("Add", x, net.node("Clip", "x", low)), to=1))


def selected(batch):
    """The largest class and its score, as classifiers end."""
    net = Network([batch, 6])
    x = net.node("Softmax", "x", axis=1)
    net.nodes.append(helper.make_node("TopK", [x, net.ints(2)], ["v", "i"], axis=-1))
    net.nodes.append(helper.make_node("ArgMax", [x], ["best"], axis=1, keepdims=0))
    chosen = net.node("Cast", net.node("Greater", x, net.tensor(numpy.float32(0.2))), to=1)
    return net.model("v", chosen)


def regressor(batch):
    """Means and deviations of inputs, as Keras's Normalization layer has them."""
    net = Network([batch, 4])
    x = net.node("Div", net.node("Sub", "x", net.weight(1, 4)), net.tensor(numpy.array([[1, 2, 3, 4]], numpy.float32)))
    x = net.node("Elu", net.node("Gemm", x, net.weight(4, 6), net.weight(6)), alpha=0.7)
    x = net.node("Selu", net.node("Gemm", x, net.weight(6, 6), net.weight(6)))
    x = net.node("Softplus", net.node("Celu", x, alpha=2.0))
    return net.model(net.node("Softsign", x))


def transposed(size=5, **attributes):
    net = Network([1, 4, size, size])
    group = attributes.get("group", 1)
    w = net.weight(4, 6 // group, 3, 3)
    return net.model(net.node("ConvTranspose", "x", w, net.weight(6), **attributes))


def masked(batch):
    """A mask of tokens as PyTorch's newer exporters write it, with shapes where 0 is a size."""
    net = Network([batch, 6], 18)
    truth = net.node("Cast", "x", to=9)
    turned = net.node("Transpose", net.node("Transpose", truth, perm=[1, 0]), perm=[1, 0])
    same = net.node("Equal", turned, net.tensor(numpy.array([False])))
    chosen = net.node("Where", net.node("Or", same, net.node("Not", truth)), net.weight(6), "x")
    shape = net.node("Concat", *sizes_of(net, "x", [0]), net.ints(2, 3), axis=0)
    x = net.node("Reshape", chosen, shape, allowzero=1)
    mean = net.node("ReduceMean", x, net.ints(1, 2), keepdims=1)
    rooted = net.node("Reciprocal", net.node("Sqrt", net.node("Abs", mean)))
    return net.model(net.node("Concat", net.node("Unsqueeze", x, net.ints(1)), net.node("Unsqueeze", net.node("Mul", x, rooted), net.ints(1)), axis=1))


def pooled(size, ceil_mode=1, **attributes):
    net = Network([1, 2, size, size])
    large = net.node("MaxPool", "x", ceil_mode=ceil_mode, **attributes)
    return net.model(large, net.node("AveragePool", "x", ceil_mode=ceil_mode, **attributes))


def corners(size):
    """`Upsample(align_corners=True)` of PyTorch, and other places of pixels."""
    net = Network([None, 2, 5, 4], 18)
    outputs = []
    places = ["align_corners", "asymmetric", "half_pixel", "pytorch_half_pixel"]
    for place in places:
        for mode in [{"mode": "linear"}, {"mode": "cubic"}, *({"mode": "nearest", "nearest_mode": rounding} for rounding in
                     ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])]:
            scales = net.tensor(numpy.array(size, numpy.float32))
            outputs.append(net.node("Resize", "x", "", scales, coordinate_transformation_mode=place, **mode))
    return net.model(*outputs)


def mirrored(mode):
    """`ReflectionPad2d` and others of PyTorch."""
    net = Network([1, 2, 4, 5], 19)
    return net.model(net.node("Pad", "x", net.ints(0, 0, 3, 1, 0, 0, 0, 4), mode=mode))


def remainder():
    """`x % 3` of PyTorch, which has the sign of the divisor."""
    net = Network([2, 7])
    outputs = []
    for kind, dtype in [(TensorProto.INT32, numpy.int32), (TensorProto.INT64, numpy.int64)]:
        x = net.node("Cast", net.node("Mul", "x", net.tensor(numpy.float32(100))), to=kind)
        for divisor in (dtype(3), numpy.array([[1 << 30]], dtype)):
            outputs.append(net.node("Cast", net.node("Mod", x, net.tensor(divisor)), to=1))
    return net.model(*outputs)


def divided():
    """`chunk` of PyTorch, whose last part is smaller."""
    net = Network([2, 7], 18)
    net.nodes.append(helper.make_node("Split", ["x"], ["a", "b", "c"], axis=1, num_outputs=3))
    return net.model("a", "b", "c")


def own_activations():
    """An LSTM with the activations that it has anyway."""
    net = Network([5, 2, 4])
    w, r = net.weight(2, 12, 4), net.weight(2, 12, 3)
    names = ["Sigmoid", "Tanh", "Tanh"] * 2
    return net.model(net.node("LSTM", "x", w, r, hidden_size=3, direction="bidirectional", activations=names))


def resized(opset, size, **attributes):
    """`Resize` of TensorFlow's and PyTorch's exporters in old and new versions, where pixels are rounded otherwise."""
    net = Network([1, 2, 3, 5], opset)
    scales = net.tensor(numpy.array([1, 1, *size], numpy.float32))
    return net.model(net.node("Resize", "x", *([] if opset < 11 else [""]), scales, **attributes))


def indexed():
    net = Network([3, 4, 5])
    x = net.node("GatherND", "x", net.tensor(numpy.array([[0, 1], [2, 3]], numpy.int64)))
    y = net.node("ScatterND", x, net.tensor(numpy.array([[1]], numpy.int64)), net.weight(1, 5))
    return net.model(net.node("GatherElements", y, net.tensor(numpy.array([[0], [4]], numpy.int64)), axis=1))


def shapes_of_images(batch, size):
    """`x.view(b, c, -1)`, `flatten(2)` and `permute` of a vision transformer."""
    net = Network([batch, 3, size, size])
    x = net.conv("x", 8, 3, 4, strides=[4, 4], pads=[0, 0, 0, 0])
    shape = net.node("Slice", net.node("Shape", x), net.ints(0), net.ints(2), net.ints(0))
    x = net.node("Reshape", x, net.node("Concat", shape, net.ints(-1), axis=0))
    x = net.node("Transpose", x, perm=[0, 2, 1])
    begin = net.weight(1, 1, 8)
    sizes = net.node("Concat", *sizes_of(net, x, [0]), net.ints(-1), net.ints(-1), axis=0)
    ones = net.node("ConstantOfShape", net.ints(3), value=numpy_helper.from_array(numpy.array([1], numpy.int64)))
    minus = net.node("Mul", ones, net.tensor(numpy.array(-1, numpy.int64)))
    sizes = net.node("Where", net.node("Equal", sizes, minus), ones, sizes)
    x = net.node("Concat", net.node("Expand", begin, sizes), x, axis=1)
    x = net.node("LayerNormalization", x, net.weight(8), net.weight(8), axis=-1)
    return net.model(net.node("Gather", x, net.tensor(numpy.int64(0)), axis=1))


def all_models():
    """Names and models."""
    models = {
        "mobile_v3": mobile_v3(),
        "old_hard_swish": old_hard_swish(),
        "efficient": efficient(),
        "faces_1": faces(1),
        "faces_2": faces(2),
        "yolo_11": yolo(11, 8),
        "yolo_17": yolo(17, 8),
        "padded": padded(),
        "constants": constants(),
        "indexed": indexed(),
        "new_operators": new_operators(),
        "group_norm_18": new_group_norm(18),
        "group_norm_21": new_group_norm(21),
    }
    for batch, name in [(1, "one"), ("batch", "free")]:
        models |= {
            f"bert_{name}": bert(batch, 5, 14, None),
            f"bert_add_{name}": bert(batch, 5, 18, "add"),
            f"bert_where_{name}": bert(batch, 5, 14, "where"),
            f"torch_size_{name}": torch_resize(batch, "size"),
            f"torch_factor_{name}": torch_resize(batch, "factor"),
            f"tf_classifier_{name}": tf_classifier(batch),
            f"tf_mean_{name}": tf_mean(batch),
            f"group_norm_{name}": group_norm(batch),
            f"shuffled_{name}": shuffled(batch),
            f"selected_{name}": selected(batch),
            f"regressor_{name}": regressor(batch),
            f"masked_{name}": masked(batch),
            f"google_{name}": google(batch, 5),
            f"google_short_{name}": google(batch, 3),
            f"vision_{name}": shapes_of_images(batch, 8),
        }
        for mode in ["linear", "nearest", "half"]:
            models[f"tf_{mode}_{name}"] = tf_resize(batch, mode)
        for direction in ["forward", "reverse", "bidirectional"]:
            models[f"lstm_{direction}_{name}"] = text_lstm(direction, None, batch)
            models[f"lstm_computed_{direction}_{name}"] = text_lstm(direction, "computed", batch)
            models[f"lstm_expand_{direction}_{name}"] = text_lstm(direction, "expand", batch)
    for direction in ["forward", "reverse", "bidirectional"]:
        models[f"lstm_constant_{direction}"] = text_lstm(direction, "constant", 2)
    models["bert_long"] = bert(2, None, 17, None)
    for number, (equation, *shapes) in enumerate([
        ("bij,bjk->bik", (2, 4, 5)), ("bij,jk->bik", (4, 5)), ("bid,bjd->bij", (2, 6, 4)),
("bij->bji",), ("bij->bi",), ("bhi,bhj->bij", (2, 3, 5)),
    ]):
        models[f"einsum_{number}"] = einsum(equation, *shapes)
    models["if_true"], models["if_false"] = branches(True), branches(False)
    for kind in [TensorProto.INT32, TensorProto.INT64, TensorProto.FLOAT, TensorProto.DOUBLE]:
        models[f"clipped_{kind}"] = clipped(kind)
    for number, attributes in enumerate([
        {"group": 2}, {"group": 2, "strides": [2, 2], "pads": [1, 1, 1, 1]},
        {"strides": [2, 2], "output_padding": [1, 1]},
        {"strides": [2, 2], "output_padding": [1, 1], "pads": [1, 1, 1, 1]},
        {"strides": [2, 2], "output_shape": [10, 10]},
        {"strides": [2, 2], "output_shape": [12, 11]},
        {"strides": [2, 2], "auto_pad": "SAME_UPPER"},
        {"strides": [2, 2], "auto_pad": "SAME_LOWER"},
        {"strides": [2, 2], "auto_pad": "VALID"},
        {"dilations": [2, 2], "group": 2},
    ]):
        models[f"transposed_{number}"] = transposed(**attributes)
    models["remainder"] = remainder()
    models["divided"], models["own_activations"] = divided(), own_activations()
    for mode in ["reflect", "edge", "wrap"]:
        models[f"mirrored_{mode}"] = mirrored(mode)
    models["transposed_free"] = transposed("size", strides=[2, 2], auto_pad="SAME_UPPER")
    floor = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    # 1/41 as a float, by 41, is less than 1.
    models["nearest_41"] = resized(13, [41, 47], **floor)
    models["nearest_10"], models["nearest_less_10"] = resized(10, [2, 1.7]), resized(10, [0.5, 0.7])
    for mode in ["linear", "cubic", "nearest"]:
        symmetric = {"coordinate_transformation_mode": "half_pixel_symmetric", "mode": mode}
        models[f"symmetric_{mode}"] = resized(19, [1.7, 0.7], **symmetric)
    models["corners_up"], models["corners_odd"] = corners([1, 1, 2, 3]), corners([1, 1, 1.7, 0.6])
    models["pooled_free"] = pooled("size", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=0)
    models["pooled_same"] = pooled("size", kernel_shape=[3, 2], strides=[2, 2], auto_pad="SAME_LOWER", ceil_mode=0)
    for size in [5, 6, 7, 8]:
        models[f"pooled_{size}"] = pooled(size, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
        models[f"pooled_far_{size}"] = pooled(size, kernel_shape=[2, 3], strides=[3, 3], pads=[1, 1, 0, 2])
    return models.items()
