"""Converts objects of the package to the JSON of `fourfold dump --json`."""

import itertools
import json
import math
import struct

import numpy

from fourfold import biniou, primitiv


def loads(text):
    """Parses the command's JSON; a repeated key is an error."""

    def fields(pairs):
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)

    return json.loads(text, object_pairs_hook=fields)


def shown_float(number, bits):
    """The JSON of a float: a number, `inf`, `nan`, or `nan:` with its bits."""
    if math.isfinite(number):
        return number
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    quiet = {"7e00", "7fc00000", "7ff8000000000000"}
    return "nan" if bits in quiet else f"nan:{bits}"


def float32(number):
    number = numpy.float32(number)
    bits = struct.pack(">I", int(number.view(numpy.uint32))).hex()
    # The shortest digits that give this float; ties go to even.
    digits = (f"{float(number):.{count}g}" for count in range(1, 10))
    with numpy.errstate(over="ignore"):
        fitting = (float(text) for text in digits if numpy.float32(text) == number)
        shortest = next(fitting, float(number))
    return shown_float(math.copysign(shortest, number), bits)


def float64(number):
    return shown_float(float(number), struct.pack(">d", number).hex())


WIDTHS = {
    biniou.Int8: "$int8",
    biniou.Int16: "$int16",
    biniou.Int32: "$int32",
    biniou.Int64: "$int64",
    biniou.Uvint: "$uvint",
    biniou.Float32: "$float32",
}


def key(name):
    if isinstance(name, biniou.Hash):
        return f"#{int(name):08x}"
    return f"${name}" if name.startswith(("$", "#")) else name


def number(value):
    return float32(value) if isinstance(value, biniou.Float32) else int(value)


def of_biniou(value):
    """The JSON of a biniou value."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind in WIDTHS:
        return {WIDTHS[kind]: number(value)}
    if kind is float:
        shown = float64(value)
        return shown if isinstance(shown, float) else {"$float64": shown}
    if kind is bytes:
        return {"$hex": value.hex()}
    if kind is list:
        if value and type(value[0]) in WIDTHS:
            return {WIDTHS[type(value[0])]: [number(item) for item in value]}
        return [of_biniou(item) for item in value]
    if kind is tuple:
        return {"$tuple": [of_biniou(item) for item in value]}
    if kind is dict:
        return {key(name): of_biniou(field) for name, field in value.items()}
    if kind is biniou.Record:
        return {"$record": [[key(name), of_biniou(field)] for name, field in value.fields]}
    if kind is biniou.Table:
        return {"$table": [of_biniou(row) for row in value]}
    if kind is biniou.Variant:
        name = key(value.name)
        if not value.has_argument:
            return {"$variant": name}
        return {"$variant": [name, of_biniou(value.argument)]}
    if kind is biniou.NumVariant:
        if not value.has_argument:
            return {"$num_variant": value.number}
        return {"$num_variant": [value.number, of_biniou(value.argument)]}
    if kind is biniou.Shared:
        return {"$shared": [value.number, of_biniou(value.value)]}
    if kind is biniou.Reference:
        return {"$reference": value.number}
    assert kind is biniou.Overlong, kind
    return {"$overlong": [list(value.extra), of_biniou(value.value)]}


def of_biniou_file(values):
    """The JSON of a biniou file."""
    shown = [of_biniou(value) for value in values]
    if values.framing == "chunks":
        content = {"chunks": [{"value": value} for value in shown]}
    elif len(shown) == 1:
        content = {"value": shown[0]}
    else:
        content = {"values": shown}
    return {"fourfold": "biniou", **content}


def element(dtype, item):
    """The JSON of an element; `dtype` is TenniS's name of its type."""
    if dtype in ("float16", "float32"):
        wide = numpy.float32(item)
        if dtype == "float16" and numpy.isnan(item):
            return shown_float(float("nan"), struct.pack(">H", int(item.view("u2"))).hex())
        return float32(wide)
    if dtype == "float64":
        return float64(item)
    if dtype == "complex32":
        return [element("float16", item["real"]), element("float16", item["imag"])]
    if dtype == "complex64":
        return [element("float32", item.real), element("float32", item.imag)]
    if dtype == "complex128":
        return [element("float64", item.real), element("float64", item.imag)]
    if dtype == "bool":
        byte = int(item.view("u1"))
        return bool(byte) if byte < 2 else byte
    if dtype.startswith("sink"):
        return int.from_bytes(item.tobytes(), "little", signed=True)
    signed = dtype.startswith("int")
    return int.from_bytes(item.tobytes(), "little", signed=signed)


def tsm_field(array, names):
    """The JSON of a tensor of a module."""
    if isinstance(array, str):
        return array
    dtype = names[array.dtype]
    items = array.reshape(-1) if dtype != "void" else []
    if dtype == "char8" or dtype == "char32" or dtype.startswith("unknown"):
        size = array.dtype.itemsize
        raw = array.tobytes()
        items = [numpy.frombuffer(raw[at : at + size], "u1") for at in range(0, len(raw), size)]
    data = [element(dtype, item) for item in items]
    return {"dtype": dtype, "shape": list(array.shape), "data": data}


def tsm_value(value, names):
    if isinstance(value, list):
        return [tsm_field(field, names) for field in value]
    return tsm_field(value, names)


def tsm_pairs(node, names):
    pairs = [
        (name if isinstance(name, str) else {"$hex": name.hex()}, tsm_value(value, names))
        for name, value in node.param_list
    ]
    if all(isinstance(name, str) for name, _ in pairs) and len({n for n, _ in pairs}) == len(pairs):
        return dict(pairs)
    return [list(pair) for pair in pairs]


def of_module(module, names):
    """The JSON of a module without its header."""
    return {
        "fourfold": "tsm",
        "inputs": [node.index for node in module.inputs],
        "outputs": [node.index for node in module.outputs],
        "graph": [
            {
                "bubble": tsm_pairs(node, names),
                "inputs": [one.index for one in node.inputs],
            }
            for node in module.nodes
        ],
    }


def primitiv_name(name):
    return name if isinstance(name, str) else {"$hex": name.hex()}


def primitiv_tensor(tensor):
    batch = 1
    array = tensor
    if isinstance(tensor, primitiv.Batch):
        array = tensor.array
        batch = array.shape[-1]
    dims = list(array.shape if batch == 1 else array.shape[:-1])
    shape = {"dims": dims} if batch == 1 else {"dims": dims, "batch": batch}
    data = [float32(item) for item in numpy.asarray(array).ravel(order="F")]
    return {"shape": shape, "data": data}


def primitiv_parameter(parameter):
    if not isinstance(parameter, primitiv.Parameter):
        return {"value": primitiv_tensor(parameter)}
    shown = {"value": primitiv_tensor(parameter.value)}
    if parameter.stats:
        shown["stats"] = [
            {"name": primitiv_name(name), "value": primitiv_tensor(value)}
            for name, value in parameter.stats.items()
        ]
    return shown


def primitiv_parameters(model, prefix=()):
    parameters = (
        primitiv_parameters(value, (*prefix, name))
        if isinstance(value, dict)
        else [{"key": [primitiv_name(one) for one in (*prefix, name)], **primitiv_parameter(value)}]
        for name, value in model.items()
    )
    return list(itertools.chain.from_iterable(parameters))


def of_primitiv(content):
    """The JSON of a primitiv file."""
    if isinstance(content, dict):
        return {"type": "model", "parameters": primitiv_parameters(content)}
    if isinstance(content, primitiv.Shape):
        shape = {"dims": list(content.dims)}
        return {"type": "shape", **shape, **({"batch": content.batch} if content.batch > 1 else {})}
    if isinstance(content, primitiv.Parameter):
        return {"type": "parameter", **primitiv_parameter(content)}
    if isinstance(content, primitiv.Optimizer):
        return {
            "type": "optimizer",
            "uint_configs": content.uint_configs,
            "float_configs": {
                name: float32(value) for name, value in content.float_configs.items()
            },
        }
    return {"type": "tensor", **primitiv_tensor(content)}


def of_molecule(value):
    """The JSON of a Molecule value without unions."""
    if isinstance(value, dict):
        return {name: of_molecule(field) for name, field in value.items()}
    if isinstance(value, list):
        return [of_molecule(item) for item in value]
    return f"0x{value.hex()}" if isinstance(value, bytes) else value
