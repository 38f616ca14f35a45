"""Makes models, and compares them with what they are after TenniS.

`back.py make FOLDER` writes models that tools of the ONNX world make; `back.py compare FOLDER` runs each beside the
model of the same name in FOLDER/back, with the same inputs.
"""

import pathlib
import sys
import warnings

import numpy
import onnx
import onnx.version_converter
import onnxruntime

import exporters
import networks
import specials

warnings.simplefilter("ignore")
onnxruntime.set_default_logger_severity(4)


def make(folder):
    """The models of ONNX's own tests, of PyTorch, of scikit-learn, and networks as exporters write them."""
    from onnx.backend.test.case.node import collect_testcases

    for case in collect_testcases(None):
        own = all(node.domain in ("", "ai.onnx") for node in case.model.graph.node)
        if own and "_expanded" not in case.name:
            onnx.save(case.model, folder / f"{case.name}.onnx")
    # PyTorch wrote these in opset 6, which is converted as the error of `import` says.
    for path in sorted(pathlib.Path(onnx.__file__).parent.glob("backend/test/data/pytorch-*/*/model.onnx")):
        onnx.save(onnx.version_converter.convert_version(onnx.load(path), 17), folder / f"torch_{path.parent.name}.onnx")
    for module in [networks, exporters, specials]:
        for name, model in module.all_models():
            onnx.save(model, folder / f"net_{name}.onnx")


def session(path):
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def inputs_of(model, random):
    """Random inputs; free sizes are 2."""
    tensors = {tensor.name for tensor in model.graph.initializer}
    inputs = {}
    for value in model.graph.input:
        if value.name in tensors:
            continue
        tensor = value.type.tensor_type
        shape = [size.dim_value if size.HasField("dim_value") else 2 for size in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if dtype == bool:
            inputs[value.name] = random.integers(0, 2, shape).astype(bool)
        elif numpy.issubdtype(dtype, numpy.integer):
            inputs[value.name] = random.integers(0, 2, shape).astype(dtype)
        else:
            inputs[value.name] = random.normal(size=shape).astype(dtype)
    return inputs


def compare(found, expected, what):
    assert found.dtype == expected.dtype, f"{what} has type {found.dtype}, not {expected.dtype}"
    assert found.shape == expected.shape, f"{what} has shape {found.shape}, not {expected.shape}"
    if expected.dtype.kind == "f":
        numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=3e-5, err_msg=what)
    else:
        numpy.testing.assert_array_equal(found, expected, err_msg=what)


def check(original, back):
    model = onnx.load(original)
    try:
        before = session(original)
    except Exception:
        # Newer than this onnxruntime, or a type that it does not compute.
        return False
    inputs = inputs_of(model, numpy.random.default_rng(len(original.stem)))
    try:
        expected = before.run(None, inputs)
    except Exception:
        # Random inputs are not always possible, as indices and sizes.
        return False
    after = session(back)
    names = [output.name for output in after.get_outputs()]
    # Outputs that are constants have names of their own.
    kept = [name.removesuffix("/output") for name in names]
    assert kept == [output.name for output in before.get_outputs()], f"outputs are {names}"
    used = {value.name for value in after.get_inputs()}
    found = after.run(None, {name: value for name, value in inputs.items() if name in used})
    for name, one, other in zip(names, found, expected):
        compare(one, other, name)
    return True


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if command == "make":
        return make(folder)
    failed, equal, skipped = [], 0, []
    for back in sorted((folder / "back").glob("*.onnx")):
        try:
            if check(folder / back.name, back):
                equal += 1
            else:
                assert not back.stem.startswith("net_"), "onnxruntime does not run the original"
                skipped.append(back.stem)
        except Exception as error:
            failed.append(f"{back.stem}: {' '.join(str(error).split())[:300]}")
    print(f"{equal} models are equal after TenniS; onnxruntime does not run {len(skipped)} of the originals")
    sys.exit("\n".join(failed) or 0)


main()
