"""Modules of TenniS converted to models of ONNX, and back."""

import io
from pathlib import Path

import fourfold
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
    with pytest.raises(ValueError, match="its shape is unknown"):
        fourfold.convert(source, target)
    assert not target.exists()
    fourfold.convert(source, target, inputs=["2x3"])
    assert target.exists()
    with pytest.raises(ValueError, match="is no size of a dim"):
        fourfold.convert(source, target, inputs=["a"])
    with pytest.raises(ValueError, match="`inputs` is for models of ONNX"):
        fourfold.convert(source, tmp_path / "x.npz", inputs=["2x3"])
    with pytest.raises(ValueError, match="are for tensors"):
        fourfold.convert(source, target, raw=True)


def test_all_nodes_that_cannot_be_converted_are_listed(tmp_path):
    with pytest.raises(ValueError, match="nodes cannot be converted to ONNX\\nnode ") as caught:
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
    file = io.BytesIO()
    fourfold.convert(model.read_bytes(), file, to="tsm")
    assert file.getvalue() == module.read_bytes()
    with fourfold.tsm.Module.open(module) as opened:
        operators = {node.name: node.op for node in opened}
    assert (operators["l0.b"], operators["l0.act"], operators["p"]) == ("add_bias", "tanh", "softmax")
    with pytest.raises(ValueError, match="are for tensors"):
        fourfold.convert(model, module, raw=True)


def test_all_nodes_of_a_model_that_cannot_be_converted_are_listed(tmp_path):
    model = tmp_path / "model.onnx"
    fourfold.convert(RUNS / "ops/argmax-1.tsm", model)
    with pytest.raises(ValueError, match="cannot be converted to TenniS\\n"):
        fourfold.convert(model, tmp_path / "module.tsm")
