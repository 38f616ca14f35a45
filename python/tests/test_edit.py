"""Models that are changed and written again."""

import io
import os

import numpy
import pytest
from conftest import FIXTURES, files, shown

import fourfold
from fourfold import primitiv, tsm

MODEL = FIXTURES / "primitiv" / "saved" / "m_names.model"
STATS = FIXTURES / "primitiv" / "saved" / "z_xor_adam.model"


@pytest.fixture
def path(tmp_path):
    """A module of two tensors and an operator with an attribute."""
    graph = tsm.ModuleBuilder()
    x = graph.param("x", shape=[-1, 3], dtype="float32")
    w = graph.const("w", numpy.arange(6, dtype="f4").reshape(3, 2))
    b = graph.const("b", numpy.arange(2, dtype="i8"))
    y = graph.op("inner_prod", "y", [x, w, b], scale=numpy.float32(0.5))
    graph.build([x], [y]).save(tmp_path / "module.tsm")
    return tmp_path / "module.tsm"


def test_saves_a_module_with_other_tensors(path, tmp_path):
    module = tsm.Module.open(path)
    new = tmp_path / "new.tsm"
    module.save(new, tensors={"w": module.tensors["w"] + 1})
    changed = tsm.Module.open(new)
    assert changed.tensors["w"].tolist() == [[1, 2], [3, 4], [5, 6]]
    assert changed.tensors["b"].tolist() == [0, 1]
    assert changed["y"].params["scale"] == 0.5 and changed.inputs[0].name == "x"
    assert module.tensors["w"].tolist() == [[0, 1], [2, 3], [4, 5]]
    # Any order in memory, and the attributes of operators.
    column = numpy.asfortranarray(module.tensors["w"] * 2)
    module.save(new, tensors={"w": column, "y/scale": numpy.ones(1, "f4")})
    assert tsm.Module.open(new).tensors["w"].tolist() == [[0, 2], [4, 6], [8, 10]]
    assert tsm.Module.open(new)["y"].params["scale"] == 1
    for nothing in ({}, dict(module.tensors), module.tensors):
        module.save(new, tensors=nothing)
        assert new.read_bytes() == path.read_bytes()


def test_a_mapped_module_is_saved_over_its_own_file(path):
    module = tsm.Module.open(path)
    old = module.tensors["w"]
    module.save(path, tensors={"w": old * 2})
    assert old.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert tsm.Module.open(path).tensors["w"].tolist() == [[0, 2], [4, 6], [8, 10]]
    module.save(path)
    assert tsm.Module.open(path).tensors["w"].tolist() == old.tolist()


REFUSED = [
    ({"v": numpy.zeros((3, 2), "f4")}, ValueError, "^v: no such tensor in the file"),
    ({"w": numpy.zeros((2, 3), "f4")}, ValueError, r"^w: shape \[2, 3\], .* has \[3, 2\]$"),
    ({"w": numpy.zeros((3, 2))}, TypeError, r"^w: elements of float64, .*numpy\.asarray\(it, 'float32'\)$"),
    ({"b": numpy.zeros(2, "i4")}, TypeError, "^b: elements of int32, where the file has int64"),
    ({"w": [[1.5, 2]] * 3}, TypeError, "^w: elements of float64"),
    ({"w": object()}, TypeError, "^w: elements of object"),
    ({1: numpy.zeros(2)}, TypeError, "names of tensors are str, not 'int'"),
    ({"\ud800": numpy.zeros(2)}, ValueError, "surrogate"),
    ([numpy.zeros(2)], TypeError, "a dict of arrays by name, not 'list'"),
]


@pytest.mark.parametrize("tensors, error, text", REFUSED)
def test_refuses_tensors_that_do_not_fit(tensors, error, text, path, tmp_path):
    new = tmp_path / "new.tsm"
    with pytest.raises(error, match=text):
        tsm.Module.open(path).save(new, tensors=tensors)
    with pytest.raises(error, match=text):
        fourfold.save(tensors, new, like=path)
    assert not new.exists()


def test_save_writes_the_container_of_like(path, tmp_path):
    module = tsm.Module.open(path)
    stems = {"tsm": path}
    for name in ("safetensors", "npz"):
        stems[name] = tmp_path / f"w.{name}"
        module.convert(stems[name])
    for name, like in stems.items():
        new = tmp_path / f"new.{name}"
        fourfold.save({"w": numpy.ones((3, 2), "f4")}, new, like=like)
        found = fourfold.tensors(new)
        assert sorted(found) == ["b", "w"] and found["w"].sum() == 6
        assert found["b"].tolist() == [0, 1]
        assert fourfold.tensors(like)["w"].sum() == 15
        file = io.BytesIO()
        fourfold.save({}, file, like=io.BytesIO(like.read_bytes()))
        assert fourfold.tensors(file.getvalue())["w"].sum() == 15
        fourfold.save(dict(found), like, like=like)
        assert fourfold.tensors(like)["w"].sum() == 6
    with pytest.raises(ValueError, match="npz, and `like` is tsm"):
        fourfold.save({}, tmp_path / "x.npz", like=path)
    with pytest.raises(ValueError, match="pass the module to fill as like="):
        fourfold.save({"w": numpy.ones(2)}, tmp_path / "x.tsm")


def test_save_keeps_the_notes_of_safetensors(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "w.safetensors"
    safetensors.save_file({"w": numpy.zeros(2, "f2")}, path, metadata={"made": "here"})
    fourfold.save({"w": numpy.ones(2, "f2")}, path, like=path)
    assert fourfold.tensors(path).notes == {"made": "here"}
    assert fourfold.tensors(path)["w"].tolist() == [1, 1]


@pytest.mark.parametrize("name", ["x.safetensors", "x.npz", "x.npy", "x.t", "x.model"])
def test_save_makes_a_new_file(name, tmp_path):
    path = tmp_path / name
    array = numpy.arange(6, dtype="f4").reshape(2, 3)
    fourfold.save({"a": array.T}, path)
    (found,) = fourfold.tensors(path).values()
    assert found.dtype == array.dtype and found.tolist() == array.T.tolist()
    file = io.BytesIO()
    fourfold.save({"a": array}, file, to=fourfold.detect(path))
    assert len(fourfold.tensors(file.getvalue())) == 1


def test_save_refuses_elements_that_no_container_has(tmp_path):
    for array in (numpy.zeros(2, "O"), numpy.zeros(2, "U3"), numpy.zeros(2, "M8[s]")):
        with pytest.raises(TypeError, match="^w: elements of .* cannot be stored"):
            fourfold.save({"w": array}, tmp_path / "x.npz")
    with pytest.raises(TypeError, match="^w: primitiv has no float64"):
        fourfold.save({"w": numpy.zeros(2)}, tmp_path / "x.model")
    with pytest.raises(ValueError, match="pass `to`"):
        fourfold.save({"w": numpy.zeros(2)}, tmp_path / "x")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["x.npz", "x.npy"])
@pytest.mark.parametrize("array", [numpy.array(["a"]), numpy.array([b"a"]), numpy.zeros(1, "V4")])
def test_save_refuses_elements_that_would_become_numbers(name, array, tmp_path):
    with pytest.raises(ValueError, match="^w: np[yz] has no .*; pass raw=True to write the numbers"):
        fourfold.save({"w": array}, tmp_path / name)
    assert os.listdir(tmp_path) == []
    fourfold.save({"w": array}, tmp_path / name, raw=True)
    (found,) = fourfold.tensors(tmp_path / name).values()
    assert found.tobytes() == array.tobytes()


@pytest.mark.parametrize("name", ["x.npz", "x.safetensors", "x.model"])
def test_a_module_is_not_saved_under_the_name_of_another_format(name, path, tmp_path):
    with pytest.raises(ValueError, match="`save` writes tsm; use `convert` for "):
        tsm.Module.open(path).save(tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["float4_e2m1fn", "float6_e2m3fn", "float8_e5m2"])
def test_small_floats_are_packed_again(name, tmp_path):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    if not hasattr(ml_dtypes, name):
        pytest.skip(f"ml_dtypes has no {name}")
    path = tmp_path / "w.safetensors"
    array = numpy.array([[0.5, 1, 1.5, 2]], "f4").astype(getattr(ml_dtypes, name))
    fourfold.save({"w": array}, path)
    fourfold.save({"w": array[:, ::-1]}, path, like=path)
    assert fourfold.tensors(path)["w"].astype("f4").tolist() == [[2, 1.5, 1, 0.5]]
    if name != "float8_e5m2":
        with pytest.raises(ValueError, match="^w: 1 elements of . bits do not fill their last byte"):
            fourfold.save({"w": array[:, :1]}, path)


@pytest.mark.parametrize("path", [MODEL, STATS], ids=shown)
def test_models_of_primitiv_are_edited(path, tmp_path):
    new = tmp_path / "new.model"
    with fourfold.open(path) as file:
        names = list(file.tensors)
        name, old = names[-1], file.tensors[names[-1]]
        file.save(new)
        assert new.read_bytes() == path.read_bytes()
        file.save(new, tensors={name: old + 1})
        with pytest.raises(ValueError, match="^v: no such tensor"):
            file.save(new, tensors={"v": old})
    found = fourfold.tensors(new)
    assert list(found) == names
    assert found[name].tobytes() == (old + 1).tobytes()
    assert found[names[0]].tobytes() == fourfold.tensors(path)[names[0]].tobytes()
    fourfold.save({name: old}, new, like=new)
    assert new.read_bytes() == path.read_bytes()


def test_a_model_of_dicts_is_edited(tmp_path):
    path = tmp_path / "a.model"
    primitiv.save({"encoder": {"w": numpy.ones((2, 3), "f4")}}, path)
    model = primitiv.load(path)
    model["encoder"]["w"] = model["encoder"]["w"] * 2
    primitiv.save(model, path)
    assert primitiv.load(path)["encoder"]["w"].sum() == 12


def test_tensor_files_are_edited(tmp_path):
    path = tmp_path / "a.t"
    tsm.dump([numpy.zeros(2, "i2"), numpy.zeros(3)], path)
    with fourfold.open(path) as file:
        file.save(path, tensors={"value[1]": numpy.ones(3)})
        assert file["value[1]"].sum() == 0
    assert tsm.load(path)[1].sum() == 3


@pytest.mark.parametrize("path", files("tsm/good", ".tsm"), ids=shown)
def test_a_builder_makes_the_same_bytes_again(path):
    module = tsm.Module.open(path)
    graph = tsm.ModuleBuilder.from_module(module)
    assert [node.index for node in graph.nodes] == [node.index for node in module.nodes]
    for node in module.nodes:
        if node.name is not None:
            assert graph[node.name].index == [one.name for one in module.nodes].index(node.name)
    assert graph.build().dumps() == path.read_bytes() == module.dumps()


def test_a_builder_keeps_forward_references():
    module = tsm.Module.open(FIXTURES / "tsm" / "good" / "forward_refs.tsm")
    assert any(one.index > node.index for node in module for one in node.inputs)
    graph = tsm.ModuleBuilder.from_module(module)
    late = graph.op("relu", "late", [graph[module.outputs[0].name]])
    changed = graph.build(outputs=[late])
    assert [node.inputs == [] for node in changed][:-1] == [node.inputs == [] for node in module]
    assert changed.outputs[0].inputs[0].name == module.outputs[0].name
    assert [node.name for node in changed.inputs] == [node.name for node in module.inputs]


def test_a_builder_finds_names_that_are_bytes():
    graph = tsm.ModuleBuilder()
    w = graph.const("WW", numpy.ones(2, "f4"))
    data = graph.build([], [w]).dumps().replace(b"WW", b"\xff\xfe")
    graph = tsm.ModuleBuilder.from_module(tsm.Module.loads(data))
    for name in ("WW", "\ud800", b"\xff"):
        with pytest.raises(KeyError):
            graph[name]
    with pytest.raises(TypeError):
        graph[1]
    graph.set(graph[b"\xff\xfe"], value=numpy.zeros(3, "f4"))
    module = graph.build()
    assert module.nodes[0].value.tolist() == [0, 0, 0] and module.nodes[0].name == b"\xff\xfe"
    file = io.BytesIO()
    module.save(file, tensors={r"\xff\xfe": numpy.ones(3, "f4")})
    assert tsm.Module.loads(file.getvalue()).nodes[0].value.sum() == 3


def test_a_builder_refuses_a_name_that_is_taken():
    graph = tsm.ModuleBuilder()
    x = graph.param("x")
    for add in (
        lambda: graph.param("x"),
        lambda: graph.const("x", 1),
        lambda: graph.op("relu", "x", [x]),
    ):
        with pytest.raises(ValueError, match=r'a node is called "x" already; use another name, or .*set\(graph\["x"\]'):
            add()
    graph.op("relu", "y", [x])
    assert len(graph.nodes) == 2
    module = tsm.Module.open(FIXTURES / "tsm" / "odd" / "duplicate_node_name.tsm")
    graph = tsm.ModuleBuilder.from_module(module)
    with pytest.raises(ValueError, match="already"):
        graph.const(module.nodes[0].name, 1)
    # Its own repeated names stay.
    assert graph.build().dumps() == module.dumps()


def test_a_builder_needs_inputs_and_outputs():
    graph = tsm.ModuleBuilder()
    x = graph.param("x")
    with pytest.raises(TypeError, match="outputs are required"):
        graph.build([x])
    with pytest.raises(ValueError, match="another ModuleBuilder"):
        graph.set(tsm.ModuleBuilder().param("x"), dim=1)
    with pytest.raises(ValueError, match="in #op"):
        graph.set(x, **{"#op": "relu"})
    with pytest.raises(TypeError):
        tsm.ModuleBuilder.from_module(b"")
    assert len(graph.build([x], [x])) == 1
