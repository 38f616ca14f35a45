"""tsm: modules, tensors, builders, and refused values."""

import io
import json
import pathlib
import tracemalloc
import warnings

import numpy
import pytest
from conftest import FIXTURES, files, shown

import fourfold
from fourfold import DecodeError, tsm

PACKED = FIXTURES / "tsm" / "good" / "packed.tsm"


def dense(**params):
    """A module with one layer."""
    graph = tsm.ModuleBuilder()
    x = graph.param("x", shape=[-1, 3], dtype="float32")
    w = graph.const("w", numpy.arange(6, dtype=numpy.float32).reshape(3, 2))
    y = graph.op("inner_prod", "y", [x, w], **params)
    return graph.build([x], [y])


def test_reads_a_module():
    module = dense(transpose=False)
    assert module.format == "tsm" and len(module) == 3
    assert repr(module) == "<fourfold.tsm.Module: 3 nodes, 1 input, 1 output>"
    assert [node.name for node in module.nodes] == ["x", "w", "y"]
    assert module.operators == {"inner_prod": 1}
    assert module.check() == []
    x, w, y = module.nodes
    assert module.inputs == [x] and module.outputs == [y] and y.inputs == [x, w]
    assert (x.op, x.shape, x.dtype) == ("<param>", (-1, 3), numpy.float32)
    assert (w.op, w.value.tolist(), x.value) == ("<const>", [[0, 1], [2, 3], [4, 5]], None)
    assert list(y.params) == ["#op", "#name", "transpose"] and y.params["#op"] == "inner_prod"
    assert repr(y) == "<Node 2: 'inner_prod' 'y'>" and y.index == 2
    assert len({x, w, y, module["y"]}) == 3 and module["y"] == y and y != "y"
    assert module["y"] != dense()["y"]
    with pytest.raises(KeyError):
        module["z"]


def test_a_module_is_a_collection_of_nodes():
    module = dense()
    assert list(module) == module.nodes and module["y"] in list(module)
    assert "y" in module and "z" not in module and 5 not in module and None not in module
    for names in (module, module.tensors):
        assert "\ud800" not in names and "é" not in names
        for name in ["\ud800", "z"]:
            with pytest.raises(KeyError):
                names[name]
    assert module.tensors.get(5) is None
    assert module.tensors == module.tensors and module.tensors != dense().tensors
    assert len({module.tensors, dense().tensors}) == 2


def test_refuses_nodes_of_another_builder():
    one, two = tsm.ModuleBuilder(), tsm.ModuleBuilder()
    x, other = one.param("x"), two.param("x")
    assert x == x and x != other and len({x, other}) == 2
    for use in [
        lambda: two.op("relu", "y", [x]),
        lambda: two.build([x], [other]),
        lambda: two.build([other], [x]),
    ]:
        with pytest.raises(ValueError, match="node 0 belongs to another ModuleBuilder"):
            use()
    assert len(two.build([other], [other])) == 1


def test_refuses_op_and_name_as_params():
    graph = tsm.ModuleBuilder()
    x = graph.param("x")
    with pytest.raises(ValueError, match="first two arguments of op in #op"):
        graph.op("relu", "y", [x], **{"#op": "sigmoid"})


def test_tensors_are_a_mapping():
    module = dense()
    tensors = module.tensors
    assert module.tensors is tensors
    assert isinstance(tensors, fourfold.Tensors)
    assert list(tensors) == ["w"] and len(tensors) == 1 and "w" in tensors and 7 not in tensors
    assert tensors.get("v") is None and tensors.about() == {"w": ("float32", (3, 2))}
    assert dict(tensors)["w"].sum() == 15
    with pytest.raises(KeyError):
        tensors["v"]
    with pytest.raises(TypeError):
        tensors["w"] = 1


def test_round_trip(tmp_path):
    module = dense(transpose=True)
    data = module.dumps()
    path = tmp_path / "module.tsm"
    for target in (path, str(path)):
        module.save(target)
        assert path.read_bytes() == data
    assert tsm.Module.loads(data).dumps() == tsm.Module.open(path).dumps() == data
    assert tsm.Module.loads(bytearray(data)).tensors["w"].shape == (3, 2)
    with pytest.raises(FileNotFoundError):
        tsm.Module.open(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError):
        module.save(tmp_path / "no" / "folder")


@pytest.mark.parametrize("path", files("tsm/good", ".tsm"), ids=shown)
def test_a_rebuilt_module_is_equal(path):
    module = tsm.Module.open(path)
    graph = tsm.ModuleBuilder()
    made = {}
    pending = list(module.nodes)
    for node in pending:
        if isinstance(node.op, bytes) or isinstance(node.name, bytes):
            return
        if any(one.index not in made for one in node.inputs):
            return
        params = {
            name: value for name, value in node.params.items() if name not in ("#op", "#name")
        }
        inputs = [made[one.index] for one in node.inputs]
        made[node.index] = graph.op(node.op, node.name, inputs, **params)
    built = graph.build(
        [made[node.index] for node in module.inputs], [made[node.index] for node in module.outputs]
    )
    for one, other in zip(built.nodes, module.nodes):
        assert (one.op, one.name, one.shape, one.dtype) == (
            other.op,
            other.name,
            other.shape,
            other.dtype,
        )
        for name, value in other.params.items():
            same_value(one.params[name], value)


def same_value(one, other):
    if isinstance(other, list):
        assert len(one) == len(other)
        for pair in zip(one, other):
            same_value(*pair)
    elif isinstance(other, str):
        assert one == other
    else:
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes()


PARAMS = [
    (True, "bool", (1,)),
    (7, "int32", (1,)),
    (0.5, "float64", (1,)),
    (numpy.float32(0.5), "float32", (1,)),
    (numpy.int64(2**40), "int64", (1,)),
    ([1, 2], "int32", (2,)),
    ([1.5], "float64", (1,)),
    ((True, False), "bool", (2,)),
    ([], "int32", (0,)),
    (numpy.float16(1), "float16", (1,)),
    (numpy.zeros((), "i2"), "int16", ()),
    (numpy.zeros((2, 0, 3), ">u4"), "uint32", (2, 0, 3)),
    (numpy.zeros((4, 4), "c8")[::2, 1:], "complex64", (2, 3)),
]


@pytest.mark.parametrize("value, dtype, shape", PARAMS, ids=repr)
def test_types_of_params(value, dtype, shape):
    graph = tsm.ModuleBuilder()
    graph_node = graph.const("c", value)
    array = graph.build([], [graph_node])["c"].value
    assert array.dtype == tsm.dtypes()[dtype] and array.shape == shape
    assert numpy.array_equal(array.reshape(-1), numpy.asarray(value).reshape(-1))


def test_text_and_lists():
    graph = tsm.ModuleBuilder()
    a = graph.const("a", "张量")
    b = graph.const("b", [numpy.ones(2, "f4"), "text", numpy.zeros(3, "i8")])
    c = graph.const("c", b"\xff")
    y = graph.op("pack", "y", [a, b, c])
    module = graph.build([], [y])
    assert module["a"].value == "张量"
    first, text, last = module["b"].value
    assert (first.tolist(), text, last.dtype) == ([1, 1], "text", "i8")
    assert module["c"].value.tobytes() == b"\xff"


REFUSED = [
    (object(), TypeError, "object is not supported here.* in bad$"),
    ({"x": 1}, TypeError, "dict is not supported"),
    (2**31, ValueError, "use numpy.int64 .* in bad$"),
    ([1, 2**31], ValueError, r"in bad\[1\]$"),
    ([1, "x"], TypeError, r"int is not supported.* in bad\[0\]$"),
    (numpy.zeros(2, "O"), TypeError, "no elements of object"),
    (numpy.zeros(2, "f16"), TypeError, "no elements of"),
    (numpy.zeros(2, "U2"), TypeError, "no elements of"),
    (numpy.zeros((1,) * 8, "f4"), ValueError, "8 dims"),
]


@pytest.mark.parametrize("value, error, text", REFUSED)
def test_refuses_unsupported_params(value, error, text):
    graph = tsm.ModuleBuilder()
    with pytest.raises(error, match=text):
        node = graph.const("good", 1)
        graph.op("relu", "y", [node], bad=value)


def test_refuses_what_tennis_refuses():
    graph = tsm.ModuleBuilder()
    x = graph.param("x")
    with pytest.raises(ValueError):
        graph.build([], [x])
    with pytest.raises(ValueError, match="has been built"):
        graph.param("y")
    graph = tsm.ModuleBuilder()
    graph.param("a name that is much longer than 31 bytes", dtype=numpy.int8)
    long = graph.op("relu", "y", [], **{"a name that is much longer than 31 bytes": 1})
    with pytest.raises(ValueError):
        graph.build([], [long])
    with pytest.raises(TypeError):
        tsm.ModuleBuilder().param("x", dtype="object")


def test_tensor_files(tmp_path):
    arrays = [numpy.arange(6, dtype="i2").reshape(2, 3), numpy.ones((), "f8")]
    data = tsm.dumps(arrays)
    path = tmp_path / "arrays.t"
    tsm.dump(arrays, path)
    assert path.read_bytes() == data
    for loaded in (tsm.loads(data), tsm.load(path), tsm.load(io.BytesIO(data))):
        assert all(numpy.array_equal(*pair) for pair in zip(loaded, arrays))
        assert not loaded[0].flags.writeable
    assert len(tsm.loads(tsm.dumps(arrays[0]))) == 1
    with fourfold.open(path, format="tsm") as opened:
        assert list(opened) == ["value", "value[1]"] and opened.format == "tsm"
    with pytest.raises(TypeError):
        tsm.dumps("text")


@pytest.mark.parametrize("arrays", ["a", b"ab", bytearray(b"ab"), {"w": numpy.ones(2)}])
def test_refuses_what_is_not_a_list_of_arrays(arrays):
    """Iterating these would make arrays of letters, numbers or names."""
    with pytest.raises(TypeError, match="a list of arrays"):
        tsm.dumps(arrays)


BUILT = [
    (lambda graph: graph.op("relu", "y", graph["x"]), r"such as \[graph\['x'\]\], not 'NodeId'"),
    (lambda graph: graph.op("relu", "y", ["x"]), r"such as \[graph\['x'\]\], not 'str'"),
    (lambda graph: graph.build(graph["x"], []), "a list of nodes is required"),
    (lambda graph: graph.param("y", shape="12"), r"y: '12' is no shape; use a tuple of int, such as \(1, 3\)"),
    (lambda graph: graph.param("y", shape=[1, "a"]), r"y: \[1, 'a'\] is no shape"),
    (lambda graph: graph.from_module(PACKED), r"not 'PosixPath'; open a file by Module.open\(path\)"),
    (lambda graph: tsm.NodeShape("12", None), "shape: '12' is no shape"),
]


@pytest.mark.parametrize("use, text", BUILT)
def test_wrong_types_are_refused_in_the_words_of_python(use, text):
    graph = tsm.ModuleBuilder()
    graph.param("x")
    with pytest.raises(TypeError, match=text):
        use(graph)


def test_a_closed_module():
    with tsm.Module.open(PACKED) as module:
        nodes, tensors = module.nodes, module.tensors
    with pytest.raises(ValueError, match="closed"):
        module.nodes
    assert repr(module) == "<fourfold.tsm.Module: closed>"
    assert nodes[0].name and list(tensors.values())


def test_draws_the_graph():
    svg = dense().svg()
    assert svg.startswith("<svg") and "inner_prod" in svg
    assert dense()._repr_svg_() == svg


def test_shapes():
    graph = tsm.ModuleBuilder()
    x = graph.param("x", shape=[-1, 3], dtype="float32")
    w = graph.const("w", numpy.ones((3, 2), "f4"))
    dense = graph.op("inner_prod", "dense", [x, w], transpose=False)
    best = graph.op("argmax", "best", [dense], dim=1)
    other = graph.op("unheard_of", "other", [dense])
    module = graph.build([x], [best, other])
    shapes = module.shapes()
    assert list(shapes) == ["x", "w", "dense", "best", "other"]
    assert shapes["dense"].shape == (-1, 2) and shapes["dense"].dtype == numpy.float32
    assert shapes["dense"].multiply_adds is None and shapes["dense"].parameters == 6
    assert shapes["best"].shape == (-1,) and shapes["best"].dtype == numpy.int32
    assert shapes["other"].shape is None and shapes["other"].dtype is None
    assert shapes["other"].unknown == "TenniS has no such operator"
    assert repr(shapes["dense"]) == "<fourfold.tsm.NodeShape: float32 [?, 2]>"
    known = module.shapes({"x": [5, 3]})["dense"]
    assert known.shape == (5, 2) and known.multiply_adds == 30 and known.unknown is None
    with pytest.raises(ValueError, match="a has 4 columns, and b 3 rows; inputs: float32 .5, 4., float32 .3, 2."):
        module.shapes({"x": [5, 4]})
    with pytest.raises(ValueError, match='input "y".* no such input; its inputs: x'):
        module.shapes({"y": [5, 3]})


def test_conversion(tmp_path):
    module = dense(transpose=False)
    original = tmp_path / "module.tsm"
    module.save(original)
    for name in ("w.safetensors", "w.npz", "w.npy"):
        path = tmp_path / name
        module.convert(path)
        (array,) = fourfold.tensors(path).values()
        assert array.tolist() == [[0, 1], [2, 3], [4, 5]]
        if name == "w.npy":
            # npy stores no name, which `like` needs.
            continue
        again = tmp_path / "again.tsm"
        fourfold.convert(path, again, like=original)
        assert again.read_bytes() == original.read_bytes()
    with pytest.raises(ValueError, match="pass the module to fill as like="):
        fourfold.convert(tmp_path / "w.npz", tmp_path / "new.tsm")
    with pytest.raises(ValueError, match="pass `to`"):
        module.convert(tmp_path / "w.bin")
    module.convert(tmp_path / "w.bin", to="npz")
    with pytest.raises(ValueError, match="is not a container"):
        module.convert(tmp_path / "w.bin", to="zip")
    with numpy.load(tmp_path / "w.npz") as theirs:
        assert theirs["w"].shape == (3, 2)


def test_bfloat16(tmp_path):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    safetensors = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "b.safetensors"
    arrays = {
        "b": numpy.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16),
        "f": numpy.ones(3, "f4"),
    }
    safetensors.save_file(arrays, path, metadata={"made": "here"})
    tensors = fourfold.tensors(path)
    assert tensors["b"].dtype == ml_dtypes.bfloat16
    assert tensors["b"].astype("f4").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tensors.notes == {"made": "here"}
    assert not tensors["b"].flags.writeable
    with pytest.raises(TypeError, match="bfloat16"):
        tsm.dumps(tensors["b"])


@pytest.mark.parametrize(
    ("name", "spelled", "data", "values"),
    [
        # The first element has the lowest bits.
        ("F4", "float4_e2m1fn", b"\x21\xf3", [0.5, 1, 1.5, -6]),
        ("F6_E2M3", "float6_e2m3fn", b"\x48\x00\x80", [1, 0.125, 0, -0.0]),
        ("F6_E3M2", "float6_e3m2fn", b"\x0c\x00\x7c", [1, 0, 0, 28]),
        ("F8_E8M0", "float8_e8m0fnu", b"\x7f\x80\x7e\x81", [1, 2, 0.5, 4]),
    ],
)
def test_small_floats(tmp_path, name, spelled, data, values):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    if not hasattr(ml_dtypes, spelled):
        pytest.skip(f"ml_dtypes has no {spelled}")
    entry = {"dtype": name, "shape": [2, 2], "data_offsets": [0, len(data)]}
    header = json.dumps({"w": entry}).encode()
    path = tmp_path / "w.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + data)
    array = fourfold.tensors(path)["w"]
    assert array.dtype == getattr(ml_dtypes, spelled)
    assert array.shape == (2, 2)
    assert array.astype("f4").ravel().tolist() == values
    assert not array.flags.writeable


@pytest.mark.parametrize("name, bits", [("F4", 4), ("F6_E2M3", 6)])
def test_large_arrays_of_small_floats(tmp_path, name, bits):
    """They are unpacked by pieces: memory is that of the array, not of its bits."""
    pytest.importorskip("ml_dtypes")
    count = 2_000_008
    data = numpy.random.default_rng(3).bytes(count * bits // 8)
    entry = {"dtype": name, "shape": [count], "data_offsets": [0, len(data)]}
    header = json.dumps({"w": entry}).encode()
    path = tmp_path / "w.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + data)
    tensors = fourfold.tensors(path)
    tracemalloc.start()
    array = tensors["w"]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < count
    each = numpy.unpackbits(numpy.frombuffer(data, "u1"), bitorder="little").reshape(-1, bits)
    assert (array.view("u1") == numpy.packbits(each, axis=1, bitorder="little")[:, 0]).all()


@pytest.mark.parametrize(
    "name, loss",
    [
        ("bfloat16", "as uint16, 1.0 would become 16256"),
        ("float8_e4m3fn", "as uint8, 1.0 would become 56"),
        ("float8_e5m2", "as uint8, 1.0 would become 60"),
    ],
)
def test_other_numbers_need_raw(name, loss, tmp_path):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    path, npz = tmp_path / "w.safetensors", tmp_path / "w.npz"
    array = numpy.ones(2, getattr(ml_dtypes, name))
    fourfold.save({"w": array}, path)
    assert fourfold.tensors(path)["w"].dtype == array.dtype
    text = f"npz has no {name}: {loss}, in w; pass raw=True to write them anyway$"
    for write in (
        lambda **raw: fourfold.convert(path, npz, **raw),
        lambda **raw: fourfold.save({"w": array}, npz, **raw),
    ):
        with pytest.raises(ValueError, match=text) as caught:
            write()
        assert not isinstance(caught.value, DecodeError) and not npz.exists()
        write(raw=True)
        with numpy.load(npz) as theirs:
            assert theirs["w"].tolist() == [int(loss.split()[-1])] * 2
        npz.unlink()
    graph = tsm.ModuleBuilder()
    fixed = graph.const("w", numpy.ones(2, "i1").view(tsm.dtypes()["sink8q1"]))
    module = graph.build([], [fixed])
    with pytest.raises(ValueError, match="no sink8q1: as int8, 0.5 would become 1, in w"):
        module.convert(npz)
    module.convert(npz, raw=True)
    module.convert(path)
    assert fourfold.tensors(path)["w"].dtype == tsm.dtypes()["sink8q1"]


def test_notes_of_safetensors(tmp_path):
    """npz keeps the metadata; other containers warn."""
    safetensors = pytest.importorskip("safetensors.numpy")
    path, npz, back = (tmp_path / name for name in ("a.safetensors", "a.npz", "b.safetensors"))
    notes = {"made": "here", "作者": "我"}
    safetensors.save_file({"x": numpy.ones(2, "f4")}, path, metadata=notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fourfold.convert(path, npz)
        fourfold.convert(npz, back)
        fourfold.convert(npz, tmp_path / "c.npz")
    assert notes.items() <= fourfold.tensors(back).notes.items()
    assert dict(numpy.load(npz))["x"].tolist() == [1, 1]
    for name in ("a.npy", "a.model"):
        for source in (path, npz):
            with pytest.warns(UserWarning, match="2 notes of `__metadata__` left out"):
                fourfold.convert(source, tmp_path / name)
            assert fourfold.tensors(tmp_path / name)
    safetensors.save_file({"x": numpy.ones(2, "f4")}, path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fourfold.convert(path, tmp_path / "a.npy")


def test_hostile_input():
    for path in files("tsm", ".tsm", ".t"):
        data = path.read_bytes()[:2000]
        for at in range(0, len(data), 37):
            for changed in (data[:at], data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]):
                for read in (tsm.Module.loads, tsm.loads):
                    try:
                        read(changed)
                    except DecodeError as error:
                        assert error.offset is None or 0 <= error.offset <= len(changed)


def test_paths(tmp_path):
    data = dense().dumps()
    for name in ("plain", "张量 file", "with.dots.tsm"):
        path = pathlib.Path(tmp_path) / name
        path.write_bytes(data)
        assert fourfold.detect(path) == "tsm"
        assert fourfold.open(path).dumps() == data
        assert fourfold.verify(path) == []
