"""Checks models and runs them: `runs.py MODELS RUNS`, where RUNS has the inputs and outputs that TenniS had."""

import pathlib
import sys

import numpy
import onnx
import onnxruntime

onnxruntime.set_default_logger_severity(3)


def run(session, inputs):
    names = [value.name for value in session.get_inputs()]
    assert len(names) == len(inputs), f"{len(names)} inputs, not {len(inputs)}"
    return session.run(None, dict(zip(names, inputs)))


def compare(found, expected, what):
    assert found.shape == expected.shape, f"{what} has shape {found.shape}, not {expected.shape}"
    assert found.dtype == expected.dtype, f"{what} has type {found.dtype}, not {expected.dtype}"
    if expected.dtype.kind == "f":
        numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=what)
    else:
        numpy.testing.assert_array_equal(found, expected, err_msg=what)


def checked(path):
    """A session of a model without errors."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def check(path, recorded):
    session = checked(path)

    def values(kind):
        count = sum(name.startswith(kind) for name in recorded.files)
        return [recorded[f"{kind}{index}"] for index in range(count)]

    inputs, outputs = values("in"), values("out")
    results = run(session, inputs)
    assert len(results) == len(outputs), f"{len(results)} outputs, not {len(outputs)}"
    for index, (found, expected) in enumerate(zip(results, outputs)):
        compare(found, expected, f"output {index}")

    # Twice the batch gives twice the outputs.
    free = [value.shape and isinstance(value.shape[0], str) for value in session.get_inputs()]
    if not any(free):
        return False
    twice = [numpy.concatenate([x, x]) if is_free else x for x, is_free in zip(inputs, free)]
    for index, (found, expected) in enumerate(zip(run(session, twice), outputs)):
        if expected.shape and found.shape[0] == 2 * expected.shape[0]:
            for half in numpy.split(found, 2):
                compare(half, expected, f"output {index} of twice the batch")
    return True


def main():
    models, runs = map(pathlib.Path, sys.argv[1:])
    failed, batches = [], 0
    paths = sorted(models.glob("*.onnx"))
    for path in paths:
        recorded = next(runs.glob(f"*/{path.stem}.npz"))
        try:
            batches += check(path, numpy.load(recorded))
        except Exception as error:
            failed.append(f"{path.stem}: {' '.join(str(error).split())[:400]}")
    print(f"{len(paths) - len(failed)} of {len(paths)} models, {batches} of them with two batches")
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
