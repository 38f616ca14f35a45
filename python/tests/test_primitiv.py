"""primitiv: models, optimizers, and refused values."""

import io

import numpy
import pytest
from conftest import files, shown

import fourfold
from fourfold import DecodeError, primitiv


def matrix(rows=2, columns=3):
    return numpy.arange(rows * columns, dtype="f4").reshape(rows, columns)


def test_models_round_trip(tmp_path):
    stats = {"Adam.m1": matrix(), "Adam.m2": matrix() + 1}
    model = {
        "b": numpy.ones(3, "f4"),
        "encoder": {"w": matrix(), "lstm": {"u": primitiv.Parameter(matrix(), stats)}},
    }
    data = primitiv.dumps(model)
    path = tmp_path / "model"
    primitiv.save(model, path)
    assert path.read_bytes() == data
    for again in (primitiv.loads(data), primitiv.load(path), primitiv.load(io.BytesIO(data))):
        assert list(again) == ["b", "encoder"] and list(again["encoder"]) == ["lstm", "w"]
        u = again["encoder"]["lstm"]["u"]
        assert isinstance(u, primitiv.Parameter) and list(u.stats) == list(stats)
        assert numpy.array_equal(u, matrix()) and numpy.array_equal(
            u.stats["Adam.m2"], matrix() + 1
        )
        assert numpy.asarray(u) is u.value and numpy.asarray(u, "f8").dtype == "f8"
        w = again["encoder"]["w"]
        assert numpy.array_equal(w, matrix()) and w.flags.f_contiguous and w.strides == (4, 8)
        assert not w.flags.writeable
        assert primitiv.dumps(again) == data
    opened = fourfold.open(path)
    assert opened.format == "primitiv" and "PrimitivFile" in repr(opened)
    with opened as file:
        assert list(file.content) == ["b", "encoder"]
        assert file.tensors["encoder.w"].shape == (2, 3)
    assert repr(file) == "<fourfold.PrimitivFile: closed>"


@pytest.mark.parametrize("order", "CF")
def test_accepts_both_memory_orders(order):
    for array in (
        numpy.asarray(matrix(), order=order),
        numpy.asarray(matrix(4, 6), order=order)[::2, ::-1],
        numpy.asarray(matrix(), ">f4"),
    ):
        again = primitiv.loads(primitiv.dumps(array))
        assert numpy.array_equal(again, array) and again.dtype == "<f4"
    first = primitiv.dumps(numpy.array([[1, 2], [3, 4]], "f4"))
    assert numpy.frombuffer(first[-16:], "<f4").tolist() == [1, 3, 2, 4]


def test_shapes_and_batches():
    assert primitiv.loads(primitiv.dumps(primitiv.Shape((2, 3), 4))) == primitiv.Shape((2, 3), 4)
    batch = primitiv.Batch(matrix().reshape(1, 2, 3))
    again = primitiv.loads(primitiv.dumps(batch))
    assert isinstance(again, primitiv.Batch) and again.array.shape == (1, 2, 3)
    assert numpy.array_equal(again, batch.array)
    # primitiv ignores trailing 1s of dims.
    assert primitiv.loads(primitiv.dumps(numpy.ones((2, 1), "f4"))).shape == (2,)
    assert primitiv.loads(primitiv.dumps(numpy.float32(7) * numpy.ones((), "f4"))).shape == ()


def test_optimizers(tmp_path):
    adam = primitiv.Optimizer.of("Adam", {"Adam.alpha": 0.25, "Optimizer.epoch": 3})
    path = tmp_path / "adam"
    primitiv.save(adam, path)
    again = primitiv.load(path)
    assert again.algorithm == "Adam" and again.uint_configs == {"Optimizer.epoch": 3}
    assert again.float_configs["Adam.alpha"] == 0.25
    assert again.float_configs["Adam.beta1"] == numpy.float32(0.9)
    assert primitiv.Optimizer({}, {}).algorithm is None
    for name in ("SGD", "MomentumSGD", "AdaGrad", "RMSProp", "AdaDelta", "Adam"):
        assert primitiv.Optimizer.of(name).algorithm == name
    with pytest.raises(ValueError, match='no optimizer "Eve"; use one of SGD'):
        primitiv.Optimizer.of("Eve")
    with pytest.raises(ValueError, match="no config 'eta'"):
        primitiv.Optimizer.of("Adam", {"eta": 1})


REFUSED = [
    ({"a": matrix().astype("f8")}, TypeError, r"float64: primitiv has only float32 in a; convert it by \.astype\('float32'\)$"),
    ({"a": numpy.int8(1)}, TypeError, r"int8 of NumPy: primitiv has only float32 in a; .*\('float32'\)$"),
    ({"a": {"b": [1]}}, TypeError, r"list is not supported here.* in a\.b; convert it by numpy\.array\(it, 'float32'\)$"),
    ({"a": {}}, ValueError, "must have parameters in a$"),
    ({1: matrix()}, TypeError, "names are str"),
    ({"a": matrix(), b"a": matrix()}, ValueError, "as str and as bytes"),
    ({"\ud800": matrix()}, ValueError, "surrogate"),
    (numpy.zeros((2, 0), "f4"), ValueError, "dim is 0"),
    (numpy.zeros((2,) * 9, "f4"), ValueError, "9 dims"),
    (7, TypeError, "int is not supported"),
    (primitiv.Parameter(primitiv.Batch(matrix())), ValueError, "batch"),
    (primitiv.Optimizer({"a": -1}, {}), ValueError, "unsigned 32-bit integer in a$"),
    (primitiv.Optimizer({}, {"a": 1e300}), ValueError, "out of the 32-bit range in a$"),
    (primitiv.Optimizer({}, {"a": "x"}), TypeError, "in a$"),
    (primitiv.Shape((0,)), ValueError, "dim is 0"),
    (primitiv.Optimizer({"a": 1, b"a": 2}, {}), ValueError, "as str and as bytes in a$"),
    (primitiv.Optimizer({}, {"a": 1.0, b"a": 2.0}), ValueError, "as str and as bytes in a$"),
    (
        primitiv.Parameter(matrix(), {"m": matrix(), b"m": matrix()}),
        ValueError,
        "as str and as bytes in m$",
    ),
]


@pytest.mark.parametrize("value, error, text", REFUSED)
def test_refuses_values_that_primitiv_cannot_store(value, error, text):
    with pytest.raises(error, match=text):
        primitiv.dumps(value)


def test_files_without_tensors():
    """Their bytes are valid."""
    for value in (primitiv.Optimizer.of("Adam"), primitiv.Shape((2,))):
        data = primitiv.dumps(value)
        for read in (lambda: fourfold.open(data).tensors, lambda: fourfold.tensors(data)):
            with pytest.raises(ValueError, match="a file of type (Optimizer|Shape) contains no tensors") as raised:
                read()
            assert raised.type is ValueError


def test_names_that_are_not_utf8_are_bytes():
    model = {b"\xff": matrix(), "a": {b"\xfe": matrix()}}
    again = primitiv.loads(primitiv.dumps(model))
    assert set(again) == {b"\xff", "a"} and list(again["a"]) == [b"\xfe"]


class Changes:
    """A number whose `__index__` adds a name to a dict."""

    def __init__(self, of: dict):
        self.of = of

    def __index__(self) -> int:
        self.of[f"more{len(self.of)}"] = 1
        return 7


def test_a_dict_may_change_during_a_write():
    configs = {"b": 1}
    configs["a"] = Changes(configs)
    data = primitiv.dumps(primitiv.Optimizer(configs, {}))
    assert primitiv.loads(data).uint_configs == {"a": 7, "b": 1}


def test_configs_keep_the_bits_of_floats():
    data = primitiv.dumps(primitiv.Optimizer({}, {"a": float("inf")}))
    for digits in ("7f800001", "ffc00001", "ff800000", "80000000"):
        changed = data.replace(bytes.fromhex("7f800000"), bytes.fromhex(digits))
        assert primitiv.dumps(primitiv.loads(changed)) == changed


def test_many_names():
    """The work is linear in the number of names."""
    configs = {str(number): number for number in range(100_000)}
    data = primitiv.dumps(primitiv.Optimizer(configs, {}))
    assert primitiv.loads(data).uint_configs == configs


def test_hostile_input():
    nested = model = {}
    for _ in range(100_000):
        nested["a"] = {}
        nested = nested["a"]
    with pytest.raises(ValueError, match="nested deeper"):
        primitiv.dumps(model)
    # Frees the dicts without a deep recursion.
    while model:
        model = model.pop("a", {})
    for path in files("primitiv", ".param", ".model", ".tensor", ".optimizer", ".shape"):
        data = path.read_bytes()[:1000]
        for at in range(0, len(data), 23):
            for changed in (data[:at], data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]):
                try:
                    primitiv.loads(changed)
                except DecodeError as error:
                    assert error.offset is None or 0 <= error.offset <= len(changed)


@pytest.mark.parametrize(
    "path", files("primitiv/saved", ".param", ".model", ".optimizer"), ids=shown
)
def test_rewrites_the_files_of_primitiv_byte_for_byte(path):
    data = path.read_bytes()
    assert primitiv.dumps(primitiv.load(path)) == data
    assert primitiv.dumps(primitiv.loads(data)) == data


@pytest.mark.parametrize("dims", [(2**32,), (-1,), (2**70,)])
def test_refuses_sizes_out_of_range(dims):
    with pytest.raises(ValueError, match="a size is out of range"):
        primitiv.dumps(primitiv.Shape(dims))
