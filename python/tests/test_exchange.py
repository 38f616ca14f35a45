"""Modules of TenniS converted to models of ONNX, and back."""

import ast
import io
import re
from pathlib import Path

import fourfold
import numpy
import pytest

FIXTURES = Path(__file__).parents[2] / "tests/fixtures"
RUNS = FIXTURES / "tsm-runs"


def test_a_module_becomes_a_model(tmp_path):
    source = RUNS / "nets/mlp-1.tsm"
    target = tmp_path / "model.onnx"
    fourfold.convert(source, target)
    file = io.BytesIO()
    fourfold.convert(source.read_bytes(), file, to="onnx")
    assert file.getvalue() == target.read_bytes()
    assert b"fourfold-onnx" in target.read_bytes()[:100]


def test_shapes_of_inputs_are_given(tmp_path):
    source = FIXTURES / "tsm/good/minimal.tsm"
    target = tmp_path / "model.onnx"
    with pytest.raises(ValueError, match="its shape is unknown.*; give the input's shape") as caught:
        fourfold.convert(source, target)
    assert not target.exists()
    _, example = str(caught.value).splitlines()[0].split("examples here): inputs=")
    assert ast.literal_eval(example) == {"x": (1, 3, 224, 224)}
    fourfold.convert(source, target, inputs=ast.literal_eval(example))
    target.unlink()
    fourfold.convert(source, target, inputs={"x": (2, 3)})
    assert target.exists()
    with pytest.raises(ValueError, match="`inputs` are shapes for graphs"):
        fourfold.convert(source, tmp_path / "x.npz", inputs={"x": (2, 3)})
    with pytest.raises(ValueError, match="are for tensors"):
        fourfold.convert(source, target, raw=True)


@pytest.mark.parametrize(
    ("inputs", "error", "text"),
    [
        (["2x3"], TypeError, "inputs are a dict of shapes by name, such as {'x': (1, 3)}, not 'list'"),
        ({"x": "2x3"}, TypeError, "x: '2x3' is no shape; use a tuple of int"),
        ({"x": (2, 3.5)}, TypeError, "x: (2, 3.5) is no shape"),
        ({1: (2, 3)}, TypeError, "names of inputs are str, not 1"),
        ({"x": (2, -2)}, ValueError, "x: (2, -2) has a size that is neither -1 nor"),
        ({"x": (2, 2**31)}, ValueError, "has a size that is neither -1 nor from 0 to 2147483647"),
        ({"q": (2, 3)}, ValueError, "the module has no such input; its inputs: x"),
    ],
)
def test_wrong_shapes_of_inputs_are_refused(tmp_path, inputs, error, text):
    source = FIXTURES / "tsm/good/minimal.tsm"
    with pytest.raises(error, match=re.escape(text)):
        fourfold.convert(source, tmp_path / "model.onnx", inputs=inputs)
    with pytest.raises(error, match=re.escape(text)):
        fourfold.tsm.Module.open(source).shapes(inputs)


def test_tensors_are_not_written_as_onnx(tmp_path):
    target = tmp_path / "model.onnx"
    with pytest.raises(ValueError, match="use safetensors or npz"):
        fourfold.save({"w": [1.0]}, target)
    with pytest.raises(ValueError, match="converted from its file: fourfold.convert"):
        fourfold.tsm.Module.open(FIXTURES / "tsm/good/minimal.tsm").convert(target)
    tensors = "tsm, primitiv, safetensors, npz, npy"
    refused = f"'bogus' is not a container; use one of {tensors}"
    with pytest.raises(ValueError, match=f"{refused}, onnx$"):
        fourfold.convert(FIXTURES / "tsm/good/minimal.tsm", target, to="bogus")
    with pytest.raises(ValueError, match=f"{refused}$"):
        fourfold.save({"w": [1.0]}, io.BytesIO(), to="bogus")
    with pytest.raises(ValueError, match=f"pass `to`, one of {tensors}$"):
        fourfold.save({"w": [1.0]}, io.BytesIO())
    npz = io.BytesIO()
    fourfold.save({"w": numpy.ones(1)}, npz, to="npz")
    with pytest.raises(ValueError, match="'bogus' is not a container; use one of npz$"):
        fourfold.save({}, io.BytesIO(), to="bogus", like=npz.getvalue())


def test_all_nodes_that_cannot_be_converted_are_listed(tmp_path):
    with pytest.raises(ValueError, match="nodes cannot be converted to ONNX; give sizes [^\\n]*\\nnode ") as caught:
        fourfold.convert(FIXTURES / "tsm/good/wide.tsm", tmp_path / "model.onnx")
    assert len(str(caught.value).splitlines()) > 40


def test_other_files_are_damaged_modules(tmp_path):
    with pytest.raises(fourfold.DecodeError):
        fourfold.convert(FIXTURES / "tsm/good/tensor_f32.t", tmp_path / "model.onnx")


def test_a_model_becomes_a_module(tmp_path):
    model = tmp_path / "model.onnx"
    module = tmp_path / "module.tsm"
    fourfold.convert(RUNS / "nets/mlp-1.tsm", model)
    fourfold.convert(model, module)
    assert fourfold.detect(module) == "tsm"
    with fourfold.tsm.Module.open(module) as opened:
        name, shape = opened.inputs[0].name, opened.shapes()[opened.inputs[0].name].shape
    fourfold.convert(model, module, inputs={name: (5, *shape[1:])})
    with fourfold.tsm.Module.open(module) as opened:
        assert opened.shapes()[name].shape == (5, *shape[1:])
    with pytest.raises(ValueError, match="the model has no such input; its inputs: "):
        fourfold.convert(model, module, inputs={"q": (1,)})
    fourfold.convert(model, module)
    file = io.BytesIO()
    fourfold.convert(model.read_bytes(), file, to="tsm")
    assert file.getvalue() == module.read_bytes()
    with fourfold.tsm.Module.open(module) as opened:
        operators = {node.name: node.op for node in opened}
    assert (operators["l0.b"], operators["l0.act"], operators["p"]) == ("add_bias", "tanh", "softmax")
    with pytest.raises(ValueError, match="are for tensors"):
        fourfold.convert(model, module, raw=True)


def message(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def test_weights_beside_the_source_are_not_overwritten(tmp_path):
    entries = (message(1, key) + message(2, value) for key, value in [(b"location", b"weights.tsm")])
    tensor = b"\x08\x01\x10\x01" + message(8, b"w") + b"".join(message(13, entry) for entry in entries)
    graph = message(5, tensor + b"\x70\x01") + message(2, b"g")
    source, weights = tmp_path / "model.onnx", tmp_path / "weights.tsm"
    source.write_bytes(b"\x08\x08" + message(7, graph) + message(8, b"\x10\x11"))
    weights.write_bytes(b"\0\0\x80\x3f")
    (tmp_path / "link.npz").symlink_to(weights)
    for target, to in [(weights, None), (weights, "npz"), (tmp_path / "link.npz", None)]:
        with pytest.raises(ValueError, match="this is the file that is read .*write another and rename it"):
            fourfold.convert(source, target, to=to)
        assert weights.read_bytes() == b"\0\0\x80\x3f"
    for to in ["npz", "tsm", "onnx"]:
        with pytest.raises(ValueError, match="this is the file that is read"):
            fourfold.convert(str(source), source, to=to)
    fourfold.convert(source, tmp_path / "other.npz")
    assert fourfold.tensors(tmp_path / "other.npz")["w"].tolist() == [1]


def test_all_nodes_of_a_model_that_cannot_be_converted_are_listed(tmp_path):
    node = message(1, b"x") + message(2, b"y") + message(4, b"Unheard")
    model = b"\x08\x08" + message(7, message(1, node) + message(2, b"g"))
    model += message(8, b"\x10\x11")  # version 17 of the operators
    with pytest.raises(ValueError, match='cannot be converted to TenniS\nnode "y" \\(Unheard\\): '):
        fourfold.convert(model, tmp_path / "module.tsm")
