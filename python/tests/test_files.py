"""`fourfold.open`, `detect`, `verify` and `explain`."""

import io
import pathlib
import signal
from functools import partial
from itertools import starmap

import numpy
import pytest
from conftest import FIXTURES

import fourfold
from fourfold import DecodeError, biniou, molecule, primitiv, tsm

GENESIS = FIXTURES / "molecule" / "genesis" / "mainnet.bin"
LOG = FIXTURES / "biniou" / "data" / "log.log_list-three.biniou"
ATD = FIXTURES / "biniou" / "schemas" / "log.atd"
SCHEMA = molecule.Schema(FIXTURES / "molecule" / "schemas" / "blockchain.mol")


def test_open():
    with fourfold.open(LOG, names=ATD) as values:
        assert values.format == "biniou" and next(values)[0]["code"] == 301
    with fourfold.open(str(GENESIS), schema=SCHEMA, type="Block") as values:
        assert values.format == "molecule"
        assert next(values)["header"]["raw"]["number"] == 0
    with fourfold.open(GENESIS, schema=SCHEMA) as values:
        assert next(values)["header"]["raw"]["number"] == 0
    with pytest.raises(ValueError, match="needs a schema"):
        fourfold.open(GENESIS, format="molecule")
    with pytest.raises(ValueError, match="is not a format"):
        fourfold.open(LOG, format="json")
    with pytest.raises(FileNotFoundError):
        fourfold.open("nothing")


def test_the_first_type_that_fits_is_used_without_a_type(tmp_path):
    schema = molecule.Schema.parse("array Id [byte; 4]; option Maybe (Id); vector Items <Id>;")
    path = tmp_path / "id"
    path.write_bytes(b"\1\2\3\4")
    note = "read as Id, the first of 2 types that fit: Id, Maybe"
    assert schema.select(path) == "Id"
    assert fourfold.verify(path, schema=schema) == [note]
    assert fourfold.explain(path, schema=schema).note == note
    with fourfold.open(path, schema=schema) as values:
        assert list(values) == [b"\1\2\3\4"]
    assert fourfold.explain(path, schema=schema, type="Id").note is None

    # Two items of four bytes, of which the last byte is missing.
    cut = b"\2\0\0\0" + b"\xff" * 7
    for refused in (fourfold.verify, lambda data, schema: schema.select(data)):
        with pytest.raises(DecodeError, match="no type of the schema fits, and") as caught:
            refused(cut, schema=schema)
        assert caught.value.offset is not None and "--" not in str(caught.value)
    rows = fourfold.explain(cut, schema=schema)
    assert rows.format == "molecule" and len(rows) > 0
    assert rows.note is not None and rows.note.startswith("no type of the schema fits; ")


def test_detect():
    assert fourfold.detect(LOG) == fourfold.detect(LOG.read_bytes()) == "biniou"
    with pytest.raises(ValueError):
        fourfold.detect(b"")


def test_files_of_tensors_are_verified_and_not_explained(tmp_path):
    file, schema = tmp_path / "one.safetensors", "array Whole [byte; {}];"
    fourfold.save({"w": numpy.ones(3, numpy.float32)}, file)
    schema = schema.format(file.stat().st_size)
    assert fourfold.verify(file) == []
    with pytest.raises(ValueError, match=r"safetensors cannot be explained .* fourfold.tensors"):
        fourfold.explain(file)
    other = "the schema is for molecule, and this file can be read as safetensors"
    for read in (fourfold.open, fourfold.verify, fourfold.explain):
        with pytest.raises(DecodeError, match=f"{other}; read it without a schema$"):
            read(file, schema=schema)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(DecodeError):
        fourfold.verify(file)


def test_verify():
    assert fourfold.verify(LOG) == []
    assert fourfold.verify(GENESIS, schema=SCHEMA, type="Block") == []
    data = bytearray(GENESIS.read_bytes())
    data[4] = 1
    with pytest.raises(DecodeError) as caught:
        fourfold.verify(data, schema=SCHEMA, type="Block")
    assert caught.value.offset == 4
    with pytest.raises(DecodeError) as caught:
        fourfold.verify(LOG.read_bytes()[:-1], format="biniou")
    assert caught.value.category == "eof"
    with pytest.raises(ValueError, match="schema"):
        fourfold.verify(GENESIS, format="molecule")


def test_explain():
    rows = fourfold.explain(LOG, names=ATD)
    assert rows.format == "biniou" and rows.is_complete and not rows.errors
    assert [row.start for row in rows] == sorted(row.start for row in rows)
    assert rows[0].start == 0 and rows[-1].end == LOG.stat().st_size
    assert rows[1:3] == [rows[1], rows[2]] and rows[::-1][0] == rows[-1]
    request = next(row for row in rows if row.value == '"PATCH /img/splash.jpg HTTP/1.1"')
    assert request.path == "[1].request"
    assert rows.data(request) == b"PATCH /img/splash.jpg HTTP/1.1"
    assert "[1].request" in repr(request) and "117 rows" in repr(rows)
    assert len({rows[0], rows[0], rows[1]}) == 2
    with pytest.raises(IndexError):
        rows[117]
    with pytest.raises(IndexError):
        rows[-118]
    few = fourfold.explain(LOG, limit=5)
    assert len(few) == 5 and not few.is_complete and "and more" in repr(few)


def test_explain_with_a_schema():
    rows = fourfold.explain(GENESIS, schema=SCHEMA, type="Block")
    assert any(row.path == "header.raw.timestamp" for row in rows)
    assert "<html" in rows.html() and "header" in rows._repr_html_()
    with pytest.raises(ValueError):
        fourfold.explain(GENESIS, schema=SCHEMA, type="Nothing")


def test_html_is_escaped():
    data = biniou.dumps("<script>alert(1)</script>")
    html = fourfold.explain(data, format="biniou")._repr_html_()
    assert "<script" not in html and "&lt;script" in html


def test_explain_reads_damaged_bytes():
    data = LOG.read_bytes()
    for at in range(0, len(data), 7):
        changed = data[:at] + bytes([data[at] ^ 0x80]) + data[at + 1 :]
        rows = fourfold.explain(changed, format="biniou")
        assert rows[-1].end <= len(changed) and isinstance(rows._repr_html_(), str)


def test_the_package_does_not_use_pickle():
    """So no file can run code."""
    folder = pathlib.Path(fourfold.__file__).parent
    for source in folder.glob("*.py"):
        assert "pickle" not in source.read_text()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Files that take much longer to read or write than the timer below."""
    folder = tmp_path_factory.mktemp("large")
    arrays = {name: numpy.ones((4096, 4096), numpy.float32) for name in ("v", "w")}
    fourfold.save(arrays, folder / "a.safetensors")
    numpy.savez_compressed(folder / "a.npz", **arrays)
    graph = tsm.ModuleBuilder()
    graph.build([], [graph.const(name, array) for name, array in arrays.items()]).save(folder / "a.tsm")
    graph = tsm.ModuleBuilder()
    nodes = [graph.const(f"c{at}", numpy.ones(1)) for at in range(60_000)]
    graph.build([], nodes).save(folder / "nodes.tsm")
    biniou.dump(numpy.arange(10_000_000), folder / "a.biniou")
    return folder


# Functions without code of Python, which handlers would run in.
LARGE = {
    "verify": lambda at, to: partial(fourfold.verify, at / "a.biniou"),
    "select": lambda at, to: partial(biniou.Schema.parse("type t = int list").select, at / "a.biniou"),
    "Module.open": lambda at, to: partial(tsm.Module.open, at / "nodes.tsm"),
    "Module.save": lambda at, to: partial(tsm.Module.open(at / "a.tsm").save, to / "a.tsm"),
    "Module.dumps": lambda at, to: tsm.Module.open(at / "a.tsm").dumps,
    "convert": lambda at, to: partial(fourfold.convert, at / "a.safetensors", to / "a.npz"),
    "convert, unpacked": lambda at, to: partial(fourfold.convert, at / "a.npz", to / "a.safetensors"),
    "convert to a file": lambda at, to: partial(fourfold.convert, at / "a.npz", io.BytesIO(), to="npz"),
    "save": lambda at, to: partial(fourfold.save, dict(fourfold.tensors(at / "a.safetensors")), to / "a.npz"),
    "save like": lambda at, to: partial(fourfold.save, {}, to / "a.npz", like=at / "a.npz"),
    "primitiv.save": lambda at, to: partial(primitiv.save, dict(fourfold.tensors(at / "a.tsm")), to / "a.model"),
    "tsm.dumps": lambda at, to: partial(tsm.dumps, list(fourfold.tensors(at / "a.tsm").values())),
    "tsm.loads": lambda at, to: partial(tsm.loads, tsm.dumps(list(fourfold.tensors(at / "a.tsm").values()))),
    "html": lambda at, to: fourfold.explain(at / "nodes.tsm", limit=1).html,
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
@pytest.mark.parametrize("made", LARGE.values(), ids=LARGE.keys())
def test_signals_are_handled_during_long_calls(made, large, tmp_path):
    """A handler that raises ends the call, and the old file is kept."""

    class Stopped(Exception):
        pass

    def stop(*_):
        raise Stopped

    targets = [tmp_path / name for name in ("a.npz", "a.safetensors", "a.tsm", "a.model")]
    for target in targets:
        target.write_bytes(b"old")
    call, returned = made(large, tmp_path), []
    before = signal.signal(signal.SIGALRM, stop)
    try:
        with pytest.raises(Stopped):
            signal.setitimer(signal.ITIMER_REAL, 5e-3)
            returned.extend(starmap(call, [()]))
            signal.pause()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert returned == []
    assert sorted(tmp_path.iterdir()) == sorted(targets)
    assert {target.read_bytes() for target in targets} == {b"old"}


def test_large_files_are_read_like_small_ones(tmp_path):
    """Those are read in a thread."""
    values = numpy.arange(2_000_000)
    (tmp_path / "a").write_bytes(biniou.dumps(values))
    assert fourfold.verify(tmp_path / "a") == []
    assert fourfold.explain(tmp_path / "a", limit=3)[1].value == "2000000"
    (tmp_path / "b").write_bytes((tmp_path / "a").read_bytes()[:-1] + b"\xff")
    with pytest.raises(DecodeError) as caught:
        fourfold.verify(tmp_path / "b")
    assert caught.value.path == "[1999999]"
    numpy.savez_compressed(tmp_path / "c.npz", w=values)
    numpy.savez(tmp_path / "d.npz", w=values)
    for name in ("c.npz", "d.npz"):
        assert (fourfold.tensors(tmp_path / name)["w"] == values).all()


def test_a_requested_format_is_that_of_the_schema():
    data = LOG.read_bytes()
    text = "schema is for molecule, but the requested format is biniou"
    for use in (fourfold.verify, fourfold.explain, fourfold.open):
        with pytest.raises(ValueError, match=text):
            use(data, format="biniou", schema=SCHEMA)
    module = FIXTURES / "tsm" / "good" / "packed.tsm"
    assert fourfold.explain(module, schema=SCHEMA).format == "tsm"
    rows = fourfold.explain(module, format="molecule", schema=SCHEMA)
    assert rows.format == "molecule" and "no type of the schema fits" in rows.note
    with fourfold.open(LOG, format="biniou", schema=ATD) as values:
        assert next(values)[0]["code"] == 301
