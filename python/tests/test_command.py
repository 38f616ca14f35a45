"""Python and the command read all fixtures as the same values."""

import json
import os
import struct

import numpy
import pytest
from command_form import (
    loads,
    of_biniou_file,
    of_module,
    of_primitiv,
    tsm_field,
)
from conftest import FIXTURES, files, shown

import fourfold
from fourfold import biniou, molecule, primitiv, tsm

NAMES = {dtype: name for name, dtype in tsm.dtypes().items()}


def same(ours, text):
    theirs = loads(text)
    # The text distinguishes NaN and -0.0.
    assert json.dumps(ours) == json.dumps(theirs)


@pytest.mark.parametrize("path", files("biniou", ".biniou"), ids=shown)
def test_biniou(path, run):
    code, text = run("dump", "--json", "--full", "--format", "biniou", path)
    if code != 0:
        with pytest.raises(fourfold.DecodeError):
            for _ in biniou.load_all(path):
                pass
        return
    same(of_biniou_file(biniou.load_all(path)), text)
    # Written back byte for byte.
    values = biniou.load_all(path)
    chunks = values.framing == "chunks"
    assert biniou.dumps_all(values, chunks=chunks) == path.read_bytes()


@pytest.mark.parametrize("path", files("tsm", ".tsm", ".t"), ids=shown)
def test_tsm(path, run):
    code, text = run("dump", "--json", "--full", "--format", "tsm", path)
    if code != 0:
        with pytest.raises(fourfold.DecodeError) as caught:
            fourfold.open(path, format="tsm")
        assert str(caught.value)
        return
    opened = fourfold.open(path, format="tsm")
    theirs = loads(text)
    if isinstance(opened, tsm.Module):
        theirs.pop("header", None)
        assert json.dumps(of_module(opened, NAMES)) == json.dumps(theirs)
        assert opened.dumps() == path.read_bytes()
        return
    arrays = tsm.load(path)
    # The command shows text of one dim as text.
    fields = [array_or_text(array) for array in arrays]
    ours = fields[0] if len(fields) == 1 else fields
    assert json.dumps(ours) == json.dumps(theirs["tensor"])
    assert tsm.dumps(arrays) == path.read_bytes()


def array_or_text(array):
    if NAMES[array.dtype] == "char8" and array.ndim == 1:
        try:
            return array.tobytes().decode()
        except UnicodeDecodeError:
            pass
    return tsm_field(array, NAMES)


def without_spelling(part):
    """Drops widths of lengths and trailing 1s of dims, which Python objects do not have."""
    if isinstance(part, list):
        return [without_spelling(item) for item in part]
    if not isinstance(part, dict):
        return part
    if len(part) == 1 and next(iter(part)).startswith("$str"):
        return without_spelling(next(iter(part.values())))
    kept = {
        name: without_spelling(item) for name, item in part.items() if not name.endswith("_width")
    }
    while kept.get("dims") and kept["dims"][-1] == 1:
        kept["dims"].pop()
    return kept


def float32_bits(part):
    """Replaces floats by their bits: either of two equally near decimals may be written."""
    if isinstance(part, float):
        return struct.pack(">f", part).hex()
    if isinstance(part, list):
        return [float32_bits(item) for item in part]
    if isinstance(part, dict):
        return {name: float32_bits(item) for name, item in part.items()}
    return part


# Of equal names, primitiv and the package use one; the command shows both.
REPEATED_NAMES = {"k_duplicate_config.optimizer", "k_duplicate_key.model", "k_duplicate_stat.param"}


@pytest.mark.parametrize(
    "path", files("primitiv", ".param", ".model", ".tensor", ".optimizer", ".shape"), ids=shown
)
def test_primitiv(path, run):
    code, text = run("dump", "--json", "--full", "--format", "primitiv", path)
    if code != 0:
        with pytest.raises(fourfold.DecodeError):
            primitiv.load(path)
        return
    content = primitiv.load(path)
    written = primitiv.dumps(content)
    assert primitiv.dumps(primitiv.loads(written)) == written
    if path.name in REPEATED_NAMES:
        return
    ours = {"fourfold": "primitiv", **of_primitiv(content)}
    theirs = without_spelling(loads(text))
    if "parameters" in theirs:
        for one in (ours, theirs):
            one["parameters"].sort(key=lambda entry: json.dumps(entry["key"]))
    assert json.dumps(float32_bits(ours)) == json.dumps(float32_bits(theirs))
    if run("verify", "--canonical", "--format", "primitiv", path)[0] == 0:
        assert written == path.read_bytes()


def molecule_form(value, ty):
    """The command's JSON, in which integers of more than 53 bits are text."""
    if isinstance(value, dict):
        return {name: molecule_form(field, f"{ty}.{name}") for name, field in value.items()}
    if isinstance(value, list):
        return [molecule_form(item, ty) for item in value]
    if isinstance(value, molecule.Union):
        return {"type": value.type, "value": molecule_form(value.value, value.type)}
    if isinstance(value, int) and abs(value) >= 2**53:
        return str(value)
    return f"0x{value.hex()}" if isinstance(value, bytes) else value


def without_ids(part):
    if isinstance(part, list):
        return [without_ids(item) for item in part]
    if isinstance(part, dict):
        dropped = {"id"} if set(part) == {"type", "id", "value"} else set()
        return {name: without_ids(item) for name, item in part.items() if name not in dropped}
    return part


@pytest.mark.parametrize(
    "path", files("molecule/blocks", ".bin") + files("molecule/genesis", ".bin"), ids=shown
)
def test_molecule_blocks(path, run):
    schema_path = next((FIXTURES / "molecule").rglob("blockchain.mol"))
    name = "BlockV1" if "v1" in path.name else "Block"
    code, text = run("dump", "--json", "--full", "--schema", schema_path, "--type", name, path)
    assert code == 0
    schema = molecule.Schema(schema_path)
    value = schema.load(path, name)
    theirs = without_ids(loads(text)["value"])
    ours = molecule_form(value, name)
    assert json.dumps(ours) == json.dumps(theirs)
    assert schema.dumps(value, name) == path.read_bytes()
    schema.verify(path.read_bytes(), name)


def test_detection(run):
    for path in files("biniou", ".biniou") + files("tsm", ".tsm", ".t"):
        code, text = run("detect", "--json", path)
        if code != 0:
            continue
        detected = loads(text.splitlines()[0])
        try:
            found = fourfold.detect(path)
        except ValueError:
            continue
        assert found in json.dumps(detected)


def test_explanations(run):
    paths = files("biniou/data", ".biniou") + files("tsm", ".tsm", ".t")
    for path in paths:
        code, text = run("explain", "--json", path)
        assert code in (0, 1, 2)
        if not text:
            assert code != 0
            with pytest.raises(ValueError):
                fourfold.explain(path)
            continue
        theirs = [json.loads(line) for line in text.splitlines()]
        ours = [
            {
                "start": row.start,
                "end": row.end,
                "path": row.path,
                "what": row.what,
                "value": row.value,
                "error": row.error,
            }
            for row in fourfold.explain(os.fspath(path))
        ]
        assert len(ours) == len(theirs)
        for our, their in zip(ours, theirs):
            # In a pipe, the command prints long values in full.
            start = our["value"].split("…")[0]
            if len(start) >= 64 and their["value"].startswith(start):
                their["value"] = our["value"]
            assert our == their


def test_html_reports(run, tmp_path):
    path = files("biniou/data", ".biniou")[0]
    out = tmp_path / "report.html"
    assert run("explain", "--html", "-o", out, path)[0] == 0
    html = fourfold.explain(os.fspath(path)).html()
    # Only the name of the file differs.
    assert len(html) == len(out.read_text())


def test_conversions(run, tmp_path):
    for path in files("tsm", ".tsm") + files("primitiv/saved", ".model", ".param"):
        theirs, ours = tmp_path / "theirs.safetensors", tmp_path / "ours.safetensors"
        code, _ = run("convert", path, theirs)
        if code != 0:
            with pytest.raises(ValueError):
                fourfold.convert(path, ours)
            continue
        fourfold.convert(path, ours)
        assert ours.read_bytes() == theirs.read_bytes()
        for name, array in fourfold.tensors(ours).items():
            numpy.testing.assert_array_equal(array, fourfold.tensors(theirs)[name])
