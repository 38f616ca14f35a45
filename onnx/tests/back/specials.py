"""Operators of numbers at the ends of their types: infinite ones, no numbers, the least and the largest."""

import numpy
from onnx import TensorProto, helper

from networks import Network

FLOATS = [numpy.inf, -numpy.inf, 0, -0.0, 1e30, -1e30, 3e38, 89, 100, -100, 1e-30, -1e-30, 0.5, -2.5]


def special(op, dtype=numpy.float32, opset=20, others=(), scale=None, **attributes):
    """An operator of numbers at the ends of their type."""
    net = Network([1], opset)
    if numpy.issubdtype(dtype, numpy.integer):
        ends = numpy.iinfo(dtype)
        values = [ends.min, ends.min + 1, 0, 1, 7, ends.max - 1, ends.max]
    else:
        values = FLOATS if scale is None else [3 * scale, 0, -4 * scale]
    x = net.tensor(numpy.array(values, dtype))
    others = [net.tensor(numpy.array(other, dtype)) for other in others]
    y = net.node(op, x, *others, **attributes)
    kind = TensorProto.INT64 if op.startswith("Arg") else helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype))
    return net.model(y, kind=kind)


def compared(dtype):
    """Comparisons and truth values, of numbers and of what is no number."""
    net = Network([1], 17)
    values = [0, 1, 2, 1, 0, 2] if numpy.issubdtype(dtype, numpy.integer) else [0, numpy.inf, numpy.nan, 1, -1, -numpy.inf]
    x = net.tensor(numpy.array(values, dtype))
    y = net.tensor(numpy.array([[value] for value in values], dtype))
    found = []
    for op in ["Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"]:
        truth = net.node(op, x, y)
        found.append(truth)
        found.append(net.node("Not", truth))
    found.append(net.node("And", found[1], found[4]))
    found.append(net.node("Or", found[1], found[4]))
    found.append(net.node("And", found[1], net.node("Less", x, net.tensor(numpy.array(1, dtype)))))
    return net.model(*(net.node("Cast", truth, to=1) for truth in found))


def all_models():
    """Names and models."""
    for dtype in [numpy.int32, numpy.uint8, numpy.float32, numpy.float64]:
        yield f"compared_{dtype.__name__}", compared(dtype)
    for op in ["Elu", "Selu", "Celu", "HardSwish", "HardSigmoid", "Softplus", "Softsign", "Mish", "Gelu", "Relu",
               "Sigmoid", "Tanh", "Erf", "Exp", "Abs", "Neg", "LeakyRelu", "Ceil", "Floor"]:
        yield op.lower(), special(op)
    for p in [1, 2]:
        for dtype, size in [(numpy.float64, 1e-50), (numpy.float32, 1e-10)]:
            yield f"normal_{p}_{dtype.__name__}", special("LpNormalization", dtype, 22, scale=size, p=p)
    yield "elu_alpha", special("Elu", alpha=0.3)
    yield "celu_alpha", special("Celu", alpha=2.5)
    yield "prelu", special("PRelu", others=[[0.25] * len(FLOATS)])
    yield "gelu_tanh", special("Gelu", approximate="tanh")
    for op in ["Min", "Max"]:
        for dtype in [numpy.int32, numpy.int64, numpy.uint32, numpy.uint64, numpy.float32, numpy.float64]:
            yield f"{op.lower()}_{dtype.__name__}", special(op, dtype, others=[3])
    for dtype in [numpy.int8, numpy.int32, numpy.int64, numpy.uint8, numpy.uint32, numpy.float32]:
        yield f"clip_{dtype.__name__}", special("Clip", dtype, others=[2, 9])
        if dtype != numpy.float32:
            # Of floats, onnxruntime has the largest number in place of infinity.
            yield f"lower_{dtype.__name__}", special("Clip", dtype, others=[2])
    for op in ["ReduceMin", "ReduceMax", "ArgMin", "ArgMax"]:
        for dtype in [numpy.int32, numpy.int64, numpy.float32]:
            yield f"{op.lower()}_{dtype.__name__}", special(op, dtype, keepdims=0)
    for dtype in [numpy.uint16, numpy.uint32, numpy.uint64]:
        yield f"div_{dtype.__name__}", special("Div", dtype, others=[3])
    yield "mean_int32", special("ReduceMean", numpy.int32)
    yield "add_int32", special("Add", numpy.int32, others=[[1, 2, 3, 4, 5, -6, -7]])
