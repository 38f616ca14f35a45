"""Tests the documentation: examples, docstrings, and each row of the tables."""

import contextlib
import doctest
import importlib
import io
import os
import re

import numpy
import pytest
from conftest import ROOT

import fourfold
from fourfold import biniou, molecule, tsm

README = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
MODULES = ["", "errors", "arrays", "biniou", "files", "molecule", "primitiv", "tsm", "_fourfold"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(f"fourfold.{name}".rstrip("."))
    result = doctest.testmod(module)
    assert result.failed == 0
    if name not in ("files", "_fourfold"):
        assert result.attempted > 0


def test_all_public_names_have_a_docstring():
    for name in MODULES:
        module = importlib.import_module(f"fourfold.{name}".rstrip("."))
        assert module.__doc__
        for word in getattr(module, "__all__", []):
            value = getattr(module, word)
            if callable(value):
                assert value.__doc__, (name, word)
            for member, attribute in vars(value).items() if isinstance(value, type) else ():
                if not member.startswith("_") and callable(attribute):
                    assert attribute.__doc__, (name, word, member)


def test_readme(tmp_path, monkeypatch):
    os.symlink(ROOT / "tests", tmp_path / "tests")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```(python|text)\n(.*?)```", README, re.DOTALL)
    assert len(blocks) >= 10
    names = {}
    for (kind, code), (answer, text) in zip(blocks[::2], blocks[1::2]):
        assert (kind, answer) == ("python", "text")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == text
        assert len(code.strip().splitlines()) <= 14


def test_readme_of_the_project(tmp_path, monkeypatch):
    """The example changes a weight of a file that is there."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert code in (ROOT / "README.zh.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    graph = tsm.ModuleBuilder()
    graph.build([], [graph.const("w", numpy.ones(2, "f4"))]).save("model.tsm")
    exec(code, {})
    for name in ("model.tsm", "model.safetensors"):
        wanted = 2 if name == "model.tsm" else 1
        assert fourfold.tensors(name)["w"].tolist() == [wanted, wanted]


def rows(heading, columns):
    """The cells of the table under a heading."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells and all(len(row) == columns for row in cells), cells
    return [[cell.strip("`") for cell in row] for row in cells]


def same(one, two):
    assert one == two
    assert type(one) is type(two)
    if isinstance(one, (list, tuple)):
        for pair in zip(one, two):
            same(*pair)


@pytest.mark.parametrize("what, source, digits", rows("biniou", 3))
def test_biniou_row(what, source, digits):
    value = eval(source, vars(biniou).copy())
    data = bytes.fromhex(digits)
    assert biniou.dumps(value) == data
    same(biniou.loads(data, names=["x", "Red", "Gray"]), value)
    assert eval(repr(value), vars(biniou).copy()) == value
    if not isinstance(value, (list, dict)) and "[" not in source:
        assert hash(value) == hash(biniou.loads(data, names=["x", "Red", "Gray"]))


@pytest.mark.parametrize("what, declaration, source, digits", rows("biniou with a schema", 4))
def test_biniou_schema_row(what, declaration, source, digits):
    schema = biniou.Schema.parse(declaration)
    name = schema.types[-1]
    value = eval(source)
    data = bytes.fromhex(digits)
    assert schema.dumps(value, name) == data
    same(schema.loads(data, name), value)


@pytest.mark.parametrize("what, declaration, source, digits", rows("Molecule", 4))
def test_molecule_row(what, declaration, source, digits):
    schema = molecule.Schema.parse(declaration)
    name = schema.types[-1]
    value = eval(source, vars(molecule).copy())
    data = bytes.fromhex(digits)
    assert schema.dumps(value, name) == data
    same(schema.loads(data, name), value)


@pytest.mark.parametrize("theirs, ours", rows("Element types", 2))
def test_dtype_row(theirs, ours):
    known = tsm.dtypes()
    theirs = theirs.replace("`", "").split()
    ours = [ours] if ours.startswith("[") else ours.replace("`", "").split()
    assert len(theirs) == len(ours)
    for name, source in zip(theirs, ours):
        wanted = numpy.dtype(eval(source) if source.startswith("[") else source)
        assert known[name] == wanted
        size = wanted.itemsize * 6
        array = numpy.frombuffer(bytes(range(size)), wanted) if size else numpy.empty(6, "V0")
        if wanted == bool:
            array = numpy.array([True, False] * 3)
        if wanted == "U1":
            array = numpy.array(list("abcdéx"))
        for shaped in (array.reshape(2, 3), array.reshape(3, 2).T, array, array[:1].reshape(())):
            data = tsm.dumps(shaped)
            assert data[4] == list(known).index(name)
            again = tsm.loads(data)[0]
            assert again.dtype == wanted and again.shape == shaped.shape
            assert again.tobytes() == shaped.tobytes()


def test_dtypes_are_distinct():
    assert len({str(dtype.descr) + str(dtype) for dtype in tsm.dtypes().values()}) == 33
