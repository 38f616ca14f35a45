"""Networks as exporters write them."""

import numpy
from onnx import TensorProto, helper, numpy_helper


class Network:
    """A graph node by node, with random weights."""

    def __init__(self, shape, opset=17):
        self.random = numpy.random.default_rng(7)
        self.nodes, self.tensors, self.opset = [], [], opset
        self.input = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)

    def tensor(self, value):
        name = f"t{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(numpy.asarray(value), name))
        return name

    def weight(self, *shape):
        return self.tensor(self.random.normal(size=shape, scale=0.3).astype(numpy.float32))

    def ints(self, *values):
        return self.tensor(numpy.array(values, numpy.int64))

    def node(self, op, *inputs, **attributes):
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=name, **attributes))
        return name

    def norm(self, x, channels):
        variance = self.tensor(self.random.uniform(0.5, 2, channels).astype(numpy.float32))
        scale, bias, mean = (self.weight(channels) for _ in range(3))
        return self.node("BatchNormalization", x, scale, bias, mean, variance)

    def conv(self, x, out, channels, size=3, **attributes):
        attributes.setdefault("pads", [size // 2] * 4)
        group = attributes.get("group", 1)
        w = self.weight(out, channels // group, size, size)
        return self.node("Conv", x, w, self.weight(out), kernel_shape=[size, size], **attributes)

    def model(self, *outputs, kind=TensorProto.FLOAT):
        values = [helper.make_tensor_value_info(name, kind, None) for name in outputs]
        graph = helper.make_graph(self.nodes, "network", [self.input], values, self.tensors)
        opset = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opset, ir_version=8)


def residual(batch):
    net = Network([batch, 3, 16, 16])
    x = net.node("Relu", net.norm(net.conv("x", 8, 3, strides=[2, 2]), 8))
    y = net.node("Relu", net.norm(net.conv(x, 8, 8), 8))
    x = net.node("Relu", net.node("Add", net.norm(net.conv(y, 8, 8), 8), x))
    x = net.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    x = net.node("Flatten", net.node("GlobalAveragePool", x))
    x = net.node("Gemm", x, net.weight(5, 8), net.weight(5), transB=1)
    return net.model(net.node("Softmax", x))


def mobile():
    net = Network([None, 4, 9, 9])
    low, high = (net.tensor(numpy.float32(value)) for value in (0, 6))
    x = net.node("Clip", net.conv("x", 12, 4, 1), low, high)
    x = net.node("Clip", net.conv(x, 12, 12, group=12), low, high)
    x = net.node("HardSwish", net.conv(x, 4, 12, 1))
    return net.model(net.node("Add", x, "x"))


def unet(mode):
    net = Network([1, 3, 8, 8])
    first = net.node("LeakyRelu", net.conv("x", 4, 3), alpha=0.1)
    down = net.node("AveragePool", first, kernel_shape=[2, 2], strides=[2, 2])
    deep = net.node("PRelu", net.conv(down, 6, 4), net.weight(6, 1, 1))
    scales = net.tensor(numpy.array([1, 1, 2, 2], numpy.float32))
    up = net.node("Resize", deep, "", scales, **mode)
    joined = net.node("Concat", first, up, axis=1)
    return net.model(net.node("Sigmoid", net.conv(joined, 1, 10, 1)))


def transposed():
    net = Network([1, 4, 5, 5])
    w = net.weight(4, 3, 3, 3)
    attributes = {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]}
    return net.model(net.node("ConvTranspose", "x", w, net.weight(3), **attributes))


def grouped():
    net = Network([2, 6, 7, 7])
    return net.model(net.conv("x", 9, 6, group=3, dilations=[2, 2]))


def attention(batch):
    net = Network([batch, 6, 8])
    heads = []
    for _ in range(3):
        x = net.node("Add", net.node("MatMul", "x", net.weight(8, 8)), net.weight(8))
        x = net.node("Reshape", x, net.ints(0, 6, 2, 4))
        heads.append(net.node("Transpose", x, perm=[0, 2, 1, 3]))
    query, key, value = heads
    scores = net.node("MatMul", query, net.node("Transpose", key, perm=[0, 1, 3, 2]))
    scores = net.node("Div", scores, net.tensor(numpy.float32(2)))
    x = net.node("MatMul", net.node("Softmax", scores, axis=-1), value)
    x = net.node("Reshape", net.node("Transpose", x, perm=[0, 2, 1, 3]), net.ints(0, 6, 8))
    x = net.node("Add", net.node("MatMul", x, net.weight(8, 8)), "x")
    return net.model(net.node("LayerNormalization", x, net.weight(8), net.weight(8)))


def perceptron():
    net = Network([None, 7])
    for size, wider in [(7, 9), (9, 9), (9, 4)]:
        x = net.node("Gemm", "x" if size == 7 else x, net.weight(size, wider), net.weight(wider))
        x = net.node("Tanh", x)
    return net.model(net.node("Clip", x, net.tensor(numpy.float32(-0.5)), net.tensor(numpy.float32(0.5))))


def reshaped(opset):
    """`x.view(x.size(0), -1)` of PyTorch."""
    net = Network([2, 3, 4, 5], opset)
    size = net.node("Gather", net.node("Shape", "x"), net.tensor(numpy.int64(0)), axis=0)
    if opset < 13:
        size = net.node("Unsqueeze", size, axes=[0])
    else:
        size = net.node("Unsqueeze", size, net.ints(0))
    shape = net.node("Concat", size, net.ints(-1), axis=0)
    return net.model(net.node("Reshape", "x", shape))


def old_softmax():
    net = Network([2, 3, 4], 11)
    return net.model(net.node("Softmax", "x", axis=1))


def pieces():
    net = Network([2, 6, 5])
    net.nodes.append(helper.make_node("Split", ["x"], ["a", "b"], axis=1))
    net.nodes.append(helper.make_node("Split", ["x", net.ints(1, 5)], ["c", "d"], axis=1))
    x = net.node("Concat", "b", "a", "d", "c", axis=1)
    x = net.node("Slice", x, net.ints(-1, 1), net.ints(-100, 4), net.ints(1, 2), net.ints(-2, 1))
    x = net.node("Pad", x, net.ints(1, 0, 1, 0, 1, 2))
    return net.model(net.node("ReduceMean", x, axes=[0, 2], keepdims=0))


def learned():
    """Networks of scikit-learn, if it is there."""
    try:
        from skl2onnx import to_onnx
        from sklearn.neural_network import MLPRegressor
    except ImportError:
        return
    random = numpy.random.default_rng(3)
    x = random.normal(size=(40, 5)).astype(numpy.float32)
    for activation in ["relu", "tanh", "logistic", "identity"]:
        regressor = MLPRegressor(hidden_layer_sizes=(6, 4), activation=activation, max_iter=20, random_state=1)
        yield f"mlp_{activation}", to_onnx(regressor.fit(x, x[:, 0]), x[:1])


def all_models():
    """Names and models."""
    linear = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}
    nearest = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return [
        ("residual", residual(2)),
        ("residual_free", residual(None)),
        ("mobile", mobile()),
        ("unet_linear", unet(linear)),
        ("unet_nearest", unet(nearest)),
        ("transposed", transposed()),
        ("grouped", grouped()),
        ("attention", attention(2)),
        ("attention_free", attention(None)),
        ("perceptron", perceptron()),
        ("reshaped_11", reshaped(11)),
        ("reshaped_17", reshaped(17)),
        ("old_softmax", old_softmax()),
        ("pieces", pieces()),
        *learned(),
    ]
