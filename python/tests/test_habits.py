"""What users expect of any package: names in `help`, a version, pickling, DLPack, closed files."""

import copy
import importlib
import inspect
import io
import pickle

import numpy
import pytest
from conftest import FIXTURES

import fourfold
from fourfold import biniou, molecule, primitiv, tsm

PACKED = FIXTURES / "tsm" / "good" / "packed.tsm"


def test_version():
    text = (FIXTURES.parents[1] / "python" / "pyproject.toml").read_text()
    assert f'version = "{fourfold.__version__}"' in text


@pytest.mark.parametrize("name", ["", ".biniou", ".molecule", ".primitiv", ".tsm"])
def test_functions_and_classes_have_the_names_that_users_write(name):
    module = importlib.import_module(f"fourfold{name}")
    for word in module.__all__:
        value = getattr(module, word)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert value.__name__ == word
            assert value.__module__ in (f"fourfold{name}", f"fourfold{name}.arrays", f"fourfold{name}.files", f"fourfold{name}.errors")
            assert "_fourfold" not in (inspect.getdoc(value) or "")
            assert pickle.loads(pickle.dumps(value)) is value


VALUES = [
    biniou.Int8(3),
    biniou.Uvint(2**100),
    biniou.Float32(0.5),
    biniou.hash_of("x"),
    biniou.Variant("A", 1),
    biniou.NONE,
    biniou.Record((("x", 1), ("x", 2))),
    biniou.Table((("x", "svint"),), ((1,),)),
    (biniou.Shared(1, 2), biniou.Reference(1)),
    biniou.Overlong((1, 0), "x"),
    molecule.Union("A", b"x"),
    primitiv.Shape((1, 2), 1),
    fourfold.explain(biniou.dumps([1, 2]))[1],
    tsm.NodeShape((-1, 3), "float32", 6, 2),
    tsm.NodeShape(None, None, None, 0, "why"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda it: type(it).__name__)
def test_values_are_pickled_and_copied(value):
    pickled = [pickle.loads(pickle.dumps(value, number)) for number in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*pickled, copy.copy(value), copy.deepcopy(value)):
        assert again == value and type(again) is type(value) and repr(again) == repr(value)


MOL = "array Uint24 [byte; 3]; // fourfold: number\nvector Bytes <byte>; table Entry { id: Uint24, name: Bytes, }"


def again(value):
    (first, *others) = [pickle.loads(pickle.dumps(value, number)) for number in range(pickle.HIGHEST_PROTOCOL + 1)]
    assert {type(other) for other in (first, *others)} == {type(value)}
    return first


def test_schemas_and_modules_are_pickled():
    schema, value = molecule.Schema(MOL), {"id": 7, "name": b"x"}
    assert again(schema).dumps(value, "Entry") == schema.dumps(value, "Entry")
    assert again(schema).types == schema.types
    blockchain = molecule.Schema(FIXTURES / "molecule" / "schemas" / "blockchain.mol")
    assert again(blockchain).types == blockchain.types
    log = biniou.Schema(FIXTURES / "biniou" / "schemas" / "log.atd")
    data = (FIXTURES / "biniou" / "data" / "log.log_list-three.biniou").read_bytes()
    assert again(log).loads(data, "log_list") == log.loads(data, "log_list")
    module = tsm.Module.open(PACKED)
    assert again(module).dumps() == module.dumps() == again(copy.deepcopy(module)).dumps()
    module.close()
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(module)


def test_what_cannot_be_pickled_says_what_to_do(tmp_path):
    (tmp_path / "a.atd").write_text('type t = { x : u } type u <ocaml from="B"> = abstract')
    (tmp_path / "b.atd").write_text("type u = int")
    schema = biniou.Schema(tmp_path / "a.atd")
    assert schema.loads(schema.dumps({"x": 1}, "t"), "t") == {"x": 1}
    protocols = [lambda it, at=at: pickle.dumps(it, at) for at in range(pickle.HIGHEST_PROTOCOL + 1)]
    for value, text in (
        (schema, "pickle the path of its file"),
        (fourfold.tensors(PACKED), r"pickle its path, or the arrays, dict\(tensors\)"),
        (fourfold.explain(biniou.dumps(1)), r"pickle its rows, list\(explanation\)"),
        (biniou.loads_all(b""), "pickle its path, or what it reads"),
        (molecule.Schema(MOL).loads_all(b"", "Entry"), "pickle its path, or what it reads"),
        (tsm.Module.open(PACKED).nodes[0], "pickle its module"),
        (tsm.ModuleBuilder(), "pickle the module that it builds"),
        (tsm.ModuleBuilder().param("x"), "pickle the module that is built"),
    ):
        for copied in (*protocols, copy.deepcopy):
            with pytest.raises(TypeError, match=text):
                copied(value)
    arrays = dict(fourfold.tensors(PACKED))
    assert list(again(arrays)) == list(arrays)


def test_errors_and_dictionaries_are_pickled():
    with pytest.raises(fourfold.DecodeError) as raised:
        biniou.loads(b"\x14\x01\x13")
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and vars(again) == vars(raised.value)
    assert again.offset is not None and again.kind
    names = pickle.loads(pickle.dumps(biniou.Dictionary(["b", "a"])))
    assert sorted(names) == ["a", "b"]


def test_tensors_in_a_notebook():
    graph = tsm.ModuleBuilder()
    nodes = [graph.const(f"<{at}>", numpy.zeros((2, at + 1), "f4")) for at in range(203)]
    html = graph.build([], nodes).tensors._repr_html_()
    assert "<td>&lt;0&gt;</td><td>float32</td><td>[2, 1]</td>" in html
    assert "<0>" not in html and html.count("<tr>") == 201 and "<p>3 more</p>" in html


def test_dlpack():
    graph = tsm.ModuleBuilder()
    w = graph.const("w", numpy.arange(6, dtype="f4").reshape(2, 3))
    array = graph.build([], [w]).tensors["w"]
    model = primitiv.loads(primitiv.dumps({"w": numpy.ones((2, 3), "f4")}))["w"]
    for view in (array, model):
        shared = numpy.from_dlpack(view)
        assert numpy.shares_memory(shared, view) and (shared == view).all()
        assert not shared.flags.writeable


def save(file):
    file.save(io.BytesIO())


@pytest.mark.parametrize("how", ["with", "close"])
def test_closed_files(how, tmp_path):
    """All raise the same error, and arrays that were made before stay."""
    fourfold.save({"w": numpy.ones(2, "f4")}, tmp_path / "w.npz")
    primitiv.save({"w": numpy.ones(2, "f4")}, tmp_path / "w.model")
    biniou.dump_all([1, 2], tmp_path / "w.biniou")
    schema = molecule.Schema("array A [byte; 2];\n")
    schema.dump(b"ab", tmp_path / "a", "A")
    opened = [
        (fourfold.open(PACKED), [len, iter, save, lambda it: it.nodes, lambda it: it.tensors]),
        (fourfold.open(tmp_path / "w.npz"), [len, list, save, lambda it: it["w"], lambda it: "w" in it, lambda it: it.about(), lambda it: it.notes, lambda it: it.format, lambda it: it.tensors, lambda it: it.keys(), lambda it: it.values(), lambda it: it.items()]),
        (fourfold.open(tmp_path / "w.model"), [save, lambda it: it.content, lambda it: it.tensors]),
        (fourfold.open(tmp_path / "w.biniou"), [next, list]),
        (biniou.load_all(io.BytesIO(b"\x18\x00")), [next, list]),
        (fourfold.open(tmp_path / "a", schema=schema, type="A"), [next, list]),
    ]  # fmt: skip
    arrays = [opened[1][0]["w"], opened[2][0].content["w"]]
    for file, uses in opened:
        if how == "with":
            with file as same:
                assert same is file
        else:
            file.close()
        file.close()
        for use in [*uses, lambda it: it.__enter__()]:
            with pytest.raises(ValueError, match="^the file is closed; open it again$"):
                use(file)
        assert repr(file).endswith("closed>")
    assert [array.tolist() for array in arrays] == [[1, 1]] * 2


def test_errors_name_the_call_of_python():
    for parse in (molecule.Schema, molecule.Schema.parse, lambda text: fourfold.verify(b"", schema=text)):
        with pytest.raises(ValueError, match=r"use molecule.Schema\('schema.mol'\)") as raised:
            parse("import foo; array A [byte; 2];")
        assert "from_file" not in str(raised.value)


@pytest.mark.parametrize("schema", [molecule.Schema("array A [byte; 2];\n"), biniou.Schema("type a = int\n")], ids=["mol", "atd"])
def test_a_type_that_the_schema_lacks_is_one_error(schema):
    for use in (
        lambda: schema.loads(b"", "nope"),
        lambda: schema.dumps(1, "nope"),
        lambda: schema.loads_all(b"", "nope"),
        lambda: fourfold.open(b"", schema=schema, type="nope"),
        lambda: fourfold.verify(b"", schema=schema, type="nope"),
        lambda: fourfold.explain(b"", schema=schema, type="nope"),
    ):
        with pytest.raises(ValueError, match="nope"):
            use()


def test_names_that_are_not_words():
    for names, text in (([3], "not of 'int'"), (3, "not 'int'")):
        for use in (biniou.Dictionary, lambda it: biniou.loads(b"\x18\0", names=it)):
            with pytest.raises(TypeError, match=f"names are a list of words, {text}"):
                use(names)


def test_a_file_that_is_open_for_text():
    for write in (
        lambda file: biniou.dump(1, file),
        lambda file: biniou.dump_all([1], file),
        lambda file: molecule.Schema("array A [byte; 2];\n").dump(b"ab", file, "A"),
        lambda file: fourfold.save({"w": numpy.ones(2, "f4")}, file, to="npz"),
        lambda file: primitiv.save({"w": numpy.ones(2, "f4")}, file),
        lambda file: tsm.Module.open(PACKED).save(file),
    ):
        with pytest.raises(TypeError, match="open it with mode 'wb'"):
            write(io.StringIO())
