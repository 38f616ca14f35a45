"""Packages of SeetaFace: values, modules in them, and refused values."""

import io
import re

import numpy
import pytest
from conftest import FIXTURES, files, shown

import fourfold
from fourfold import sta, tsm

SMALL = FIXTURES / "sta" / "small.sta"


@pytest.mark.parametrize("path", files("sta", ".sta", ".csta"), ids=shown)
def test_packages_are_read_and_written(path):
    value = sta.load(path)
    assert repr(sta.loads(path.read_bytes())) == repr(value)
    with path.open("rb") as file:
        assert repr(sta.load(file)) == repr(value)
    assert sta.dumps(value) == path.read_bytes()


def test_the_types_of_values():
    assert sta.load(SMALL) == {
        "backbone": {"tsm": b"\x00\x01\xff"},
        "name": "s",
        "none": None,
        "ok": True,
        "sizes": [7, 0.5],
    }
    value = {"b": ("x", bytearray(b"y")), "a": "\udcff"}
    assert sta.loads(sta.dumps(value)) == {"b": ["x", b"y"], "a": "\udcff"}
    assert sta.dumps({"b": 1, "a": 2}) == sta.dumps({"a": 2, "b": 1})


def test_a_module_in_a_package_is_replaced(tmp_path):
    graph = tsm.ModuleBuilder()
    module = graph.build([], [graph.const("w", numpy.ones(2, "f4"))])
    path = tmp_path / "face.csta"
    sta.dump({"tsm": module.dumps()}, path)
    package = sta.load(path)
    changed = io.BytesIO()
    tsm.Module.loads(package["tsm"]).save(changed, tensors={"w": numpy.array([2, 3], "f4")})
    sta.dump({**package, "tsm": changed.getvalue()}, path)
    assert tsm.Module.loads(sta.load(path)["tsm"]).tensors["w"].tolist() == [2, 3]


DEEP = []
for _ in range(200):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ({"a": [1, 2**31]}, ValueError, "2147483648: a package has integers of 32 bits; write it as a float in a[1]"),
        ({"a": 1e-60}, ValueError, "1e-60 has no float of 32 bits in a"),
        ([1e39], ValueError, "1e+39 has no float of 32 bits in [0]"),
        ({1: 2}, TypeError, "a key is 1, not a str"),
        ({"a": {1, 2}}, TypeError, "set is not supported here (None, bool, int, float, str, bytes, list, dict) in a"),
        (DEEP, ValueError, "nested deeper than 128 levels"),
    ],
)
def test_other_values_are_refused(value, error, text):
    with pytest.raises(error, match=re.escape(text)):
        sta.dumps(value)


def test_damaged_packages_are_refused():
    with pytest.raises(fourfold.DecodeError, match="negative") as caught:
        sta.loads(SMALL.read_bytes()[:4] + b"\x05\xff\xff\xff\xff")
    assert caught.value.offset == 5
    with pytest.raises(fourfold.DecodeError, match="first bytes are .*, not 29 09 91 19"):
        sta.loads(b"\x00" * 8)


def test_other_functions_name_the_one_for_packages(tmp_path):
    assert fourfold.detect(SMALL) == fourfold.detect(SMALL.read_bytes()) == "sta"
    for read in (
        fourfold.open,
        fourfold.tensors,
        fourfold.verify,
        fourfold.explain,
        lambda path: fourfold.convert(path, tmp_path / "x.npz"),
    ):
        with pytest.raises(ValueError, match=r"small.sta: a package of SeetaFace; .*fourfold.sta.load\("):
            read(SMALL)
