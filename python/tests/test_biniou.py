"""biniou: refused values, streams, and names."""

import collections
import copy
import io
import itertools
import json
import pathlib
import signal
import subprocess
import sys
import threading
import tracemalloc
from decimal import Decimal

import numpy
import pytest
from conftest import FIXTURES, files, shown

import fourfold
from fourfold import DecodeError, biniou

LOG = FIXTURES / "biniou" / "data" / "log.log_list-three.biniou"
ATD = FIXTURES / "biniou" / "schemas" / "log.atd"


@pytest.mark.parametrize("path", files("biniou/data", ".biniou"), ids=shown)
def test_round_trip(path):
    data = path.read_bytes()
    value = biniou.loads(data)
    assert biniou.dumps(value) == data
    assert biniou.loads(bytearray(data)) == value
    assert biniou.loads(memoryview(data)) == value
    assert biniou.loads(numpy.frombuffer(data, "u1")) == value
    assert biniou.load(path) == biniou.load(str(path)) == biniou.load(io.BytesIO(data)) == value
    with path.open("rb") as file:
        assert biniou.load(file) == value


@pytest.mark.parametrize("data", [None, 7, "text", ["x"], object()])
def test_refuses_what_is_not_bytes(data):
    with pytest.raises(TypeError, match="bytes-like"):
        biniou.loads(data)


def test_reads_and_writes_files(tmp_path):
    path = tmp_path / "value.biniou"
    for target in (path, str(path)):
        biniou.dump({"x": 1}, target)
        assert path.read_bytes() == biniou.dumps({"x": 1})
    with path.open("wb") as file:
        biniou.dump([1], file)
    assert path.read_bytes() == biniou.dumps([1])
    with pytest.raises(TypeError):
        biniou.dump(1, 7)
    with pytest.raises(TypeError, match="'rb'"):
        biniou.load(io.StringIO("text"))
    with pytest.raises(FileNotFoundError) as caught:
        biniou.load(tmp_path / "nothing")
    assert caught.value.filename == str(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        biniou.dump(1, tmp_path)


class Slow(io.RawIOBase):
    """An unbuffered file that takes three bytes at a time, up to a capacity."""

    def __init__(self, capacity: int):
        self.taken = b""
        self.capacity = capacity

    def write(self, data):
        part = bytes(data[: min(3, self.capacity - len(self.taken))])
        self.taken += part
        return len(part) or None


def test_writes_to_an_unbuffered_file():
    data = biniou.dumps("x" * 100)
    file = Slow(len(data))
    biniou.dump("x" * 100, file)
    assert file.taken == data
    with pytest.raises(BlockingIOError):
        biniou.dump("x" * 100, Slow(50))


class Port(biniou.Int16):
    """A user's subclass of a class with an integer width."""


REFUSED = [
    (Port(3), TypeError, "Int32 and Int64 themselves"),
    ([biniou.hash_of("x")], TypeError, "Int32 and Int64 themselves"),
    (object(), TypeError, "object is not supported here"),
    ({"a": [1, {"b": 1j}]}, TypeError, r"in a\[1\]\.b$"),
    ([1, "x"], ValueError, r"a list of svint has an item of string in \[1\]; use a tuple"),
    ([1, biniou.Int8(1)], ValueError, r"has an item of int8 in \[1\]; use a tuple"),
    ({"a": 2**127}, ValueError, r"does not fit in 128 bits in a$"),
    (-(2**127) - 1, ValueError, r"does not fit in 128 bits$"),
    ({1: 2}, TypeError, "names are str"),
    ({"x": 1, biniou.hash_of("x"): 2}, ValueError, "two names of a record have the hash"),
    ("\ud800", ValueError, "surrogate"),
    ({"\ud800": 1}, ValueError, "surrogate"),
    (biniou.NumVariant(128), ValueError, "number of a NumVariant is 128, at most 127"),
    (biniou.NumVariant(300), ValueError, "number of a NumVariant is out of range$"),
    ({"a": (biniou.NumVariant(-1),)}, ValueError, r"out of range in a\[0\]$"),
    (biniou.Shared(-1, 1), ValueError, "number of a Shared is out of range"),
    (biniou.Reference(2**70), ValueError, "number of a Reference is out of range"),
    (biniou.Overlong((-1, 0), 1), ValueError, "extra of an Overlong is out of range"),
    (biniou.Reference(1), ValueError, "Shared value that begins before it"),
    (biniou.Table((("x", "int9"),), ()), ValueError, "no tag"),
    (biniou.Table((("x", "int8"),), ((1,),)), ValueError, r"a column of int8 has a cell of svint in \[0\].x$"),
]


@pytest.mark.parametrize("value, error, text", REFUSED, ids=lambda part: repr(part)[:40])
def test_refuses_values_without_a_biniou_form(value, error, text):
    with pytest.raises(error, match=text):
        biniou.dumps(value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: biniou.Int8(256),
        lambda: biniou.Int8(-1),
        lambda: biniou.Int32(2**31),
        lambda: biniou.Int64(2**63),
        lambda: biniou.Uvint(-1),
        lambda: biniou.Hash(2**31),
        lambda: biniou.Float32(1e300),
        lambda: biniou.Table.of([{"x": 1}, {"y": 1}]),
    ],
)
def test_classes_check_their_range(make):
    with pytest.raises(ValueError):
        make()


def test_integer_classes_accept_only_integers():
    assert biniou.Int8(numpy.uint8(7)) == 7
    for value in (2.9, "7", b"7", None):
        with pytest.raises(TypeError):
            biniou.Int8(value)


def test_a_table_has_no_slices():
    table = biniou.Table((("x", "svint"), ("y", "svint")), ((1, 2), (3, 4)))
    assert table[-1] == table[numpy.int64(1)] == {"x": 3, "y": 4}
    with pytest.raises(TypeError):
        table[0:2]


def test_an_ordered_dict_keeps_its_order():
    record = collections.OrderedDict(x=1, y=2)
    record.move_to_end("x")
    assert biniou.dumps(record) == biniou.dumps({"y": 2, "x": 1})


class Changes:
    """A number whose `__index__` adds a name to a dict."""

    def __init__(self, of: dict):
        self.of = of

    def __index__(self) -> int:
        self.of[f"more{len(self.of)}"] = 1
        return 7


def test_a_dict_may_change_during_a_write():
    record = {"y": 1}
    record["x"] = Changes(record)
    assert biniou.dumps(record) == biniou.dumps({"y": 1, "x": 7})
    assert len(record) == 3


def test_repeated_names_at_each_level():
    """The work is linear in the depth."""
    name = (0x80000001).to_bytes(4, "big")
    data = b"\x18\x00"
    for _ in range(100):
        data = b"\x15\x02" + name + b"\x18\x00" + name + data
    value = biniou.loads(data)
    assert biniou.dumps(value) == data
    assert value.fields[0] == (biniou.Hash(1), None)


def test_integers_at_their_limits():
    for number in (0, 2**31, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**127 - 1, -(2**127)):
        assert biniou.loads(biniou.dumps(number)) == number
    for number in (0, 2**64, 2**128 - 1):
        again = biniou.loads(biniou.dumps(biniou.Uvint(number)))
        assert again == number and type(again) is biniou.Uvint
    assert biniou.loads(biniou.dumps(numpy.int64(-5))) == -5
    assert biniou.loads(biniou.dumps(numpy.float64(0.5))) == 0.5


def test_floats_keep_their_bits():
    wide = ("7ff8000000000001", "7ff0000000000001", "fff0000000000000", "8000000000000000")
    narrow = ("7fc00001", "7f800001", "ffbfffff", "7f800000", "80000000", "00000001", "7f7fffff")
    for digits in ["0c" + digits for digits in wide] + ["0b" + digits for digits in narrow]:
        data = bytes.fromhex(digits)
        assert biniou.dumps(biniou.loads(data)) == data


def test_classes_are_values():
    for value in (biniou.Int8(7), biniou.Float32(0.1), biniou.Variant("A", 1), biniou.some(2)):
        assert copy.deepcopy(value) == copy.copy(value) == value
        assert len({value, copy.copy(value)}) == 1
    assert biniou.Variant("A") != biniou.Variant("A", None)
    with pytest.raises(TypeError):
        biniou.Variant("A", 1, 2)
    assert biniou.Float32(0.1) == numpy.float32(0.1)
    with pytest.raises(AttributeError):
        biniou.Variant("A").name = "B"


def test_tables():
    rows = [{"x": biniou.Int8(1), "y": "a"}, {"x": biniou.Int8(2), "y": "b"}]
    table = biniou.Table.of(rows)
    again = biniou.loads(biniou.dumps(table), names=["x", "y"])
    assert again == table and list(again) == rows and again[1]["y"] == "b"
    assert biniou.Table.of([]) == biniou.loads(biniou.dumps(biniou.Table((), ())))


def test_names():
    wanted = biniou.load(LOG, names=ATD)
    assert wanted[0]["code"] == 301
    words = list(wanted[0]) + list(wanted[0]["address"])
    text = ATD.read_text()
    dictionaries = (
        words,
        biniou.Dictionary(words),
        biniou.Dictionary.from_words("\n".join(words)),
        biniou.Dictionary.from_atd(text),
    )
    for names in dictionaries:
        assert biniou.load(LOG, names=names) == wanted
    bare = biniou.load(LOG)
    assert bare[0][biniou.hash_of("code")] == 301
    assert biniou.dumps(wanted) == biniou.dumps(bare) == LOG.read_bytes()
    with pytest.raises(TypeError):
        biniou.loads(b"", names=[1])
    with pytest.raises(TypeError):
        biniou.Dictionary("x")
    with pytest.raises(ValueError, match="line"):
        biniou.Dictionary.from_atd("type t = {")
    with pytest.raises(FileNotFoundError):
        biniou.loads(b"\x00\x01", names=pathlib.Path("nothing.atd"))


def test_streams(tmp_path):
    values = [{"x": 1}, "two", None, [3.5]]
    for chunks in (False, True):
        data = biniou.dumps_all(iter(values), chunks=chunks)
        stream = biniou.loads_all(data, names=["x"])
        assert stream.framing == ("chunks" if chunks else "values")
        assert iter(stream) is stream
        assert list(stream) == values
        assert list(stream) == []
        path = tmp_path / "stream"
        biniou.dump_all(values, path, chunks=chunks)
        assert path.read_bytes() == data
        with biniou.load_all(path, names=["x"]) as stream:
            assert next(stream) == {"x": 1}
            assert "at byte" in repr(stream)
        with pytest.raises(ValueError, match="closed"):
            next(stream)
    with pytest.raises(DecodeError):
        list(biniou.loads_all(b""))


def test_an_error_in_a_stream_has_the_offset_in_the_file():
    good = biniou.dumps([1, 2])
    stream = biniou.loads_all(good + good + b"\x00\x07")
    assert [next(stream), next(stream)] == [[1, 2]] * 2
    with pytest.raises(DecodeError) as caught:
        next(stream)
    assert caught.value.offset == 2 * len(good) + 1
    assert list(stream) == []
    values = [[1], (True, False)]
    data = bytearray(biniou.dumps_all(values, chunks=True))
    assert data[-2] == 0
    data[-2] = 9
    stream = biniou.loads_all(data)
    assert next(stream) == [1]
    with pytest.raises(DecodeError) as caught:
        next(stream)
    assert caught.value.offset == len(data) - 2 and caught.value.path == "[1][1]"


def test_streams_are_lazy(tmp_path):
    path = tmp_path / "many"
    biniou.dump_all(("x" * 1000 for _ in range(2000)), path)
    stream = biniou.load_all(path)
    assert next(stream) == "x" * 1000
    # Only the first value has been read.
    assert repr(stream).startswith("<fourfold.biniou.Values at byte 1003 of")


def test_one_thread_at_a_time():
    stream = biniou.loads_all(biniou.dumps_all(range(2000)))
    taken, errors = [], []

    def take():
        while True:
            try:
                taken.append(next(stream))
            except StopIteration:
                return
            except RuntimeError as error:
                errors.append(error)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(2000))


def test_hostile_input():
    deep = b"\x13\x01" * 100_000 + b"\x00\x01"
    with pytest.raises(DecodeError) as caught:
        biniou.loads(deep)
    assert caught.value.kind == "DepthLimit" and caught.value.category == "limit"
    # A count without items.
    for head in (b"\x13", b"\x14", b"\x15", b"\x19"):
        with pytest.raises(DecodeError):
            biniou.loads(head + b"\xff\xff\xff\xff\x0f\x03")
    value = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="nested deeper"):
        biniou.dumps(value)
    cycle = {}
    cycle["x"] = cycle
    with pytest.raises(ValueError, match="nested deeper"):
        biniou.dumps(cycle)
    for path in files("biniou", ".biniou"):
        data = path.read_bytes()[:4000]
        for at in range(0, len(data), max(1, len(data) // 20)):
            for changed in (data[:at], data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]):
                try:
                    biniou.dumps(biniou.loads(changed))
                except DecodeError as error:
                    assert error.offset is None or 0 <= error.offset <= len(changed)


@pytest.mark.parametrize(
    "value, again",
    [
        ([1, 2.5], [1.0, 2.5]),
        ([2.5, 1], [2.5, 1.0]),
        ([0.5, 2**53, -(2**53)], [0.5, 2.0**53, -(2.0**53)]),
        ([1, numpy.float32(0.5), 2.5], [1.0, 0.5, 2.5]),
        ([numpy.int8(1), numpy.float64(0.5), biniou.Float32(1.5)], [1.0, 0.5, 1.5]),
        ([[1, 2], [1, 2.5]], [[1, 2], [1.0, 2.5]]),
        ([1, 2**100, 0.5], [1.0, 2.0**100, 0.5]),
    ],
    ids=str,
)
def test_lists_of_integers_and_floats(value, again):
    read = biniou.loads(biniou.dumps(value))
    assert read == again and json.dumps(read) == json.dumps(again)


@pytest.mark.parametrize("value", [[0.5, 2**53 + 1], [2**1100, 0.5], [0.5, -(2**127) + 1]], ids=str)
def test_integers_that_no_float_is_equal_to(value):
    with pytest.raises(ValueError, match=r"no float is equal to in \[[01]\]; use a tuple|128 bits"):
        biniou.dumps(value)
    if max(map(abs, value)) < 2**127:
        assert biniou.loads(biniou.dumps(tuple(value))) == tuple(value)


def test_bools_are_no_numbers_of_a_list():
    for value in ([1, True], [0.5, False], [1, 0.5, True]):
        with pytest.raises(ValueError, match="use a tuple"):
            biniou.dumps(value)


def test_default():
    value = {"a": [{1, 2}, {3}], "b": 1 + 2j, "c": numpy.array([1j])}
    default = {set: sorted, complex: lambda it: (it.real, it.imag), numpy.ndarray: str}
    data = biniou.dumps(value, default=lambda it: default[type(it)](it))
    assert biniou.loads(data, names=list("abc")) == {"a": [[1, 2], [3]], "b": (1.0, 2.0), "c": "[0.+1.j]"}
    assert biniou.dumps_all([value], default=lambda _: 0) == biniou.dumps(value, default=lambda _: 0)
    file = io.BytesIO()
    biniou.dump({1}, file, default=list)
    biniou.dump_all([{2}], file, default=list)
    assert list(biniou.loads_all(file.getvalue())) == [[1], [2]]
    with pytest.raises(ZeroDivisionError):
        biniou.dumps(object(), default=lambda _: 1 / 0)
    with pytest.raises(ValueError, match="nested deeper than 128 levels"):
        biniou.dumps(object(), default=lambda it: it)
    # What is supported is not converted, nor is what is around an object that is not.
    assert biniou.dumps(biniou.some({1}), default=list) == biniou.dumps(biniou.some([1]))
    with pytest.raises(ValueError, match=r"use a tuple"):
        biniou.dumps([1, "x"], default=str)


def test_object_hook():
    value = {"a": {"b": 1}, "c": [{"b": 2}]}
    data = biniou.dumps(value)
    hook = lambda it: sorted(it.items())  # noqa: E731
    wanted = json.loads(json.dumps(value), object_hook=hook)
    for read in (biniou.loads, lambda *a, **k: next(biniou.loads_all(*a, **k))):
        found = read(data, names=list("abc"), object_hook=hook)
        assert json.dumps(found) == json.dumps(wanted)
    assert biniou.load(io.BytesIO(data), object_hook=len) == 2
    assert list(biniou.load_all(io.BytesIO(data), object_hook=len)) == [2]
    with pytest.raises(ZeroDivisionError):
        biniou.loads(data, object_hook=lambda _: 1 / 0)


def test_lists_that_change_while_they_are_written():
    changing = []
    changing.extend([1, {0}, 3])

    def shrink(_):
        changing.clear()
        return 2

    with pytest.raises(ValueError, match="changed its length"):
        biniou.dumps(changing, default=shrink)


def test_damaged_bytes_are_read_as_the_command_reads_them():
    """What Python reads is what `verify` accepts, and has the same bytes again."""
    random = numpy.random.default_rng(5)
    whole = biniou.dumps(
        (
            {"a": [1, -(2**70)], "b": biniou.Shared(1, (biniou.Reference(1), "x"))},
            biniou.Table((("x", "int8"), ("y", "array")), ((biniou.Int8(1), [True]),)),
            biniou.Variant("A", biniou.some(biniou.Overlong((2, 0), "long"))),
            ([0.5], [biniou.Float32(0.5)], [biniou.Int16(1)], [None]),
            biniou.Overlong((1, 1), biniou.Table((), ((),))),
        )
    )
    accepted = 0
    for _ in range(4000):
        data = bytearray(whole)
        for at in random.integers(0, len(data), random.integers(1, 4)):
            data[at] = random.choice([0, 1, 2, 128, 129, 255, random.integers(256)])
        try:
            value = biniou.loads(data)
        except fourfold.DecodeError as error:
            assert error.offset is not None
            if error.kind != "TrailingBytes":
                with pytest.raises(fourfold.DecodeError):
                    fourfold.verify(data, format="biniou")
            continue
        accepted += 1
        assert biniou.dumps(value) == data
    assert 100 < accepted < 3900


def test_memory_is_not_that_of_a_claimed_count():
    """Nested arrays that each claim as many items as there are bytes."""
    head = b"\x13\xff\xff\xff\x03"
    data = head * 100 + bytes(2**22)
    tracemalloc.start()
    with pytest.raises(fourfold.DecodeError):
        biniou.loads(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * len(data)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_signals_are_handled_during_a_call():
    """`list.append` runs no code of Python, so that the handler does not run before it."""
    events = []
    value = ({}, list(range(3_000_000)), {})
    data = biniou.dumps(value)
    before = signal.signal(signal.SIGALRM, lambda *_: events.append("signal"))
    signal.setitimer(signal.ITIMER_REAL, 1e-3, 1e-3)
    try:
        biniou.loads(data, object_hook=events.append)
        read, events[:] = list(events), []
        value = (Ellipsis, value[1], NotImplemented)
        biniou.dumps(value, default=events.append)
        written = list(events)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    for found, first, last in ((read, {}, {}), (written, Ellipsis, NotImplemented)):
        start, end = found.index(first), len(found) - 1 - found[::-1].index(last)
        assert "signal" in found[start:end]


LISTS = """
import gc, signal
from fourfold import biniou
data = biniou.dumps([7] * 3_000_000)
seen = []
def look(*_):
    seen.extend(it[-1] for it in gc.get_objects() if type(it) is list and len(it) == 3_000_000)
signal.signal(signal.SIGALRM, look)
signal.setitimer(signal.ITIMER_REAL, 1e-3, 1e-3)
value = biniou.loads(data)
signal.setitimer(signal.ITIMER_REAL, 0)
assert set(seen) <= {7} and value == [7] * 3_000_000
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_no_list_is_seen_without_its_items():
    """A handler that saw one would end the process."""
    subprocess.run([sys.executable, "-c", LISTS], check=True)


@pytest.mark.parametrize("value", list(itertools.permutations([1, 0.5, Decimal("2.5"), Decimal("7")])), ids=str)
def test_default_converts_numbers_of_a_mixed_list_once(value):
    calls = []

    def default(it):
        calls.append(it)
        return int(it) if it == 7 else float(it)

    assert biniou.loads(biniou.dumps(list(value), default=default)) == [float(it) for it in value]
    assert calls == [it for it in value if isinstance(it, Decimal)]


def test_default_determines_the_numbers_of_a_mixed_list():
    value = [Decimal("1"), 1.5, numpy.float32(0.5)]
    assert biniou.loads(biniou.dumps(value, default=lambda _: 7)) == [7.0, 1.5, 0.5]
    with pytest.raises(ValueError, match=r"no float is equal to in \[1\]"):
        biniou.dumps([1, Decimal("1"), 2.5], default=lambda _: 2**53 + 1)
    with pytest.raises(ValueError, match="use a tuple"):
        biniou.dumps([biniou.Overlong((1, 0), 5), 2.5])


def test_index_is_that_of_the_type():
    class Odd:
        pass

    odd = Odd()
    odd.__index__ = lambda: 5
    for value in (odd, int):
        with pytest.raises(TypeError, match="is not supported here"):
            biniou.dumps(value)


NESTED = """
from fourfold import biniou, molecule
def nest(depth, value):
    return value if depth == 0 else [nest(depth - 1, value)]
def fails(call, *errors):
    try:
        call()
    except errors as error:
        assert "nested deeper than 128 levels" in str(error), error
        return
    raise AssertionError("no error")

def plain(it):
    return biniou.dumps(nest(10, it), default=plain)
fails(lambda: plain(object()), RecursionError, ValueError)

atd = biniou.Schema.parse("type t = t list type r = { x : int } type deep = [ Leaf of r | Node of deep ]")
def typed(it):
    return atd.dumps(nest(10, it), "t", default=typed)
fails(lambda: typed(object()), RecursionError, ValueError)

mol = molecule.Schema.parse("vector Bytes <byte>; vector A <Bytes>; vector B <A>; table C { x: B, }")
def wide(it):
    return mol.dumps({"x": [[it]]}, "C", default=wide)
fails(lambda: wide(object()), RecursionError, ValueError)

data = biniou.dumps(nest(10, {}))
def read(_):
    return biniou.loads(data, object_hook=read)
fails(lambda: read({}), RecursionError)

whole = atd.dumps(["Node", ["Node", ["Leaf", {"x": 1}]]], "deep")
def read_typed(_):
    return atd.loads(whole, "deep", object_hook=read_typed)
fails(lambda: read_typed({}), RecursionError)

table = mol.dumps({"x": [[b""]]}, "C")
def read_table(_):
    return mol.loads(table, "C", object_hook=read_table)
fails(lambda: read_table({}), RecursionError)

# After all these, each has all levels again, and a call in another has those that are left.
assert biniou.loads(biniou.dumps(nest(128, 1))) == nest(128, 1)
inner = biniou.dumps(nest(64, 1))
assert biniou.dumps({1}, default=lambda it: inner) == biniou.dumps(inner)
assert biniou.loads(data, object_hook=lambda _: biniou.loads(inner)) == nest(74, 1)
"""


def test_nested_calls_share_the_depth_limit():
    """Without it, they would overflow the stack."""
    subprocess.run([sys.executable, "-c", NESTED], check=True)


@pytest.mark.parametrize("schema", [None, biniou.Schema.parse("type r = { x : int }")], ids=["plain", "schema"])
@pytest.mark.parametrize("chunks", [False, True])
@pytest.mark.parametrize("source", [io.BytesIO, bytes])
def test_an_exception_of_object_hook_does_not_end_the_values(schema, chunks, source):
    def hook(it):
        if it["x"] == 2:
            raise DecodeError("two", None, "", "", "data")
        return it["x"]

    values = [{"x": at} for at in range(1, 5)]
    data = source(biniou.dumps_all(values, chunks=chunks))
    names = () if schema is None else ("r",)
    of = schema or biniou
    read = of.load_all if source is io.BytesIO else of.loads_all
    options = {} if schema else {"names": ["x"]}
    found = read(data, *names, chunks=chunks, object_hook=hook, **options)
    assert next(found) == 1
    with pytest.raises(DecodeError, match="two"):
        next(found)
    assert list(found) == [3, 4]


def test_a_closed_iterator_has_no_framing():
    values = biniou.loads_all(b"\x00\x01")
    values.close()
    with pytest.raises(ValueError, match="closed"):
        values.framing
