"""Tests values of the types of an `.atd` file."""

import io
import json
import math
import signal
import struct
from fractions import Fraction

import numpy
import pytest
from conftest import FIXTURES, files, shown

import fourfold
from fourfold import biniou

TEXT = """
type color = [ Red | Gray of int ]
type shape = {
  id : int;
  color : color;
  ?label : string option;
  ~n : int;
  pair : (int * string);
  size : float option;
  words : (string * int) list <json repr="object">;
  table : point list <biniou repr="table">;
}
type point = { x : int <biniou repr="int8">; ?y : int option }
type tree = [ Leaf | Node of (tree * tree) ]
type twice = int option option
type large = int <ocaml repr="int64"> <biniou repr="int64">
"""
SCHEMA = biniou.Schema.parse(TEXT)
SHAPE = {
    "id": -5,
    "color": ["Gray", 7],
    "label": None,
    "pair": [1, "x"],
    "size": 0.5,
    "words": {"a": 1, "b": 2},
    "table": [{"x": 1, "y": None}, {"x": 2, "y": 3}],
}


def like_json(value, schema_json):
    """Whether a value is that of atdgen's JSON, which omits options of fields, and has an int64 as text."""
    if isinstance(value, dict):
        there = {name: part for name, part in value.items() if part is not None}
        return there.keys() == schema_json.keys() and all(
            like_json(part, schema_json[name]) for name, part in there.items()
        )
    if isinstance(value, list):
        return len(value) == len(schema_json) and all(map(like_json, value, schema_json))
    return value == schema_json or isinstance(schema_json, str) and str(value) == schema_json


@pytest.mark.parametrize("path", files("biniou/data", ".biniou"), ids=shown)
def test_files_of_ocaml(path):
    module, rest = path.name.split(".")[:2]
    name = rest.split("-")[0]
    schema = biniou.Schema(FIXTURES / "biniou" / "schemas" / f"{module}.atd")
    value = schema.load(path, name)
    assert like_json(value, json.loads(path.with_suffix(".json").read_text()))
    assert schema.dumps(value, name) == path.read_bytes()
    assert schema.select(path) == name
    schema.verify(path.read_bytes(), name)
    damaged = path.read_bytes()[:-1]
    for read in (schema.loads, schema.verify, lambda *it: list(schema.loads_all(*it))):
        with pytest.raises(fourfold.DecodeError) as raised:
            read(damaged, name)
        assert raised.value.offset is not None


def test_values_of_all_shapes():
    data = SCHEMA.dumps(SHAPE, "shape")
    assert SCHEMA.loads(data, "shape") == SHAPE
    names = biniou.Dictionary.from_atd(TEXT)
    plain = biniou.loads(data, names=names)
    assert plain["color"] == biniou.Variant("Gray", 7)
    assert isinstance(plain["table"], biniou.Table)
    given = {**SHAPE, "pair": (numpy.int64(1), numpy.str_("x")), "size": numpy.float32(0.5)}
    del given["label"]
    assert SCHEMA.dumps(given, "shape") == data
    deep = "Leaf"
    for _ in range(40):
        deep = ["Node", [deep, "Leaf"]]
    assert SCHEMA.loads(SCHEMA.dumps(deep, "tree"), "tree") == deep


def test_repeated_keys_stay_a_list():
    schema = biniou.Schema.parse('type t = (string * int) list <json repr="object">')
    pairs = [["a", 1], ["a", 2]]
    data = schema.dumps(pairs, "t")
    assert schema.loads(data, "t") == pairs


def test_none_in_an_option_is_refused():
    with pytest.raises(ValueError, match="read it by biniou.loads"):
        SCHEMA.loads(biniou.dumps(biniou.some(biniou.NONE)), "twice")
    assert SCHEMA.loads(biniou.dumps(biniou.some(biniou.some(5))), "twice") == 5
    assert biniou.loads(biniou.dumps(biniou.some(biniou.NONE))) == biniou.some(biniou.NONE)


@pytest.mark.parametrize(
    "change, error, text",
    [
        ({"id": "x"}, TypeError, "in id"),
        ({"id": True}, TypeError, "in id"),
        ({"id": 1.0}, TypeError, "in id"),
        ({"id": None}, TypeError, "in id"),
        ({"id": 2**62}, ValueError, "in id"),
        ({"id": 2**80}, ValueError, "in id"),
        ({"color": "Grey"}, ValueError, "unknown variant `Grey`"),
        ({"color": "Gray"}, ValueError, "without its argument in color"),
        ({"color": ["Gray"]}, ValueError, "in color"),
        ({"color": ["Gray", 1, 2]}, ValueError, "in color"),
        ({"color": ["Gray", "x"]}, TypeError, r"in color\[1\]"),
        ({"color": [7]}, TypeError, r"in color\[0\]"),
        ({"label": b"x"}, None, None),
        ({"label": "\ud800"}, ValueError, "surrogate"),
        ({"pair": [1]}, ValueError, "a list of 2 in pair"),
        ({"pair": [1, "x", 2]}, ValueError, "a list of 2 in pair"),
        ({"pair": "xy"}, TypeError, "in pair"),
        ({"size": "x"}, TypeError, "in size"),
        ({"words": {1: 1}}, TypeError, "in words"),
        ({"words": {"a": "b"}}, TypeError, "in words.a"),
        ({"table": [{"x": 256}]}, ValueError, r"in table\[0\].x"),
        ({"nothing": 1}, ValueError, "unknown field `nothing`"),
        ({5: 1}, TypeError, "names are str"),
    ],
    ids=str,
)
def test_refused_values(change, error, text):
    value = {**SHAPE, **change}
    if error is None:
        assert SCHEMA.loads(SCHEMA.dumps(value, "shape"), "shape")["label"] == "x"
        return
    with pytest.raises(error, match=text):
        SCHEMA.dumps(value, "shape")


@pytest.mark.parametrize(
    "type, value, text",
    [
        ("large", 2**63, "integer `9223372036854775808`"),
        ("large", -(2**5000), "integer of 5001 bits"),
        ("color", "Gray", "variant `Gray` without its argument"),
        ("color", ["Red", 1], "variant `Red` with an argument, which it does not have"),
    ],
)
def test_refused_values_are_named(type, value, text):
    with pytest.raises(ValueError, match=text):
        SCHEMA.dumps(value, type)


def test_refused_types():
    value = dict(SHAPE)
    del value["color"]
    with pytest.raises(ValueError, match="missing field `color`"):
        SCHEMA.dumps(value, "shape")
    for call in (
        lambda: SCHEMA.dumps(5, "shap"),
        lambda: SCHEMA.loads(b"", "shap"),
        lambda: SCHEMA.load_all(io.BytesIO(b""), "shap"),
    ):
        with pytest.raises(ValueError, match="did you mean `shape`"):
            call()
    with pytest.raises(ValueError, match="line 1, column 10"):
        biniou.Schema("type t = nothing\n")
    assert "shape" in SCHEMA and "shap" not in SCHEMA
    assert repr(SCHEMA) == "Schema('color', 'shape', 'point', 'tree', ...)"


@pytest.mark.parametrize("chunks", [False, True])
def test_several_values(chunks, tmp_path):
    values = [-1, 5, 2**62]
    data = SCHEMA.dumps_all(values, "large", chunks=chunks)
    assert data == biniou.dumps_all(map(biniou.Int64, values), chunks=chunks)
    SCHEMA.dump_all(values, tmp_path / "a", "large", chunks=chunks)
    SCHEMA.dump(values[0], tmp_path / "b", "large")
    assert (tmp_path / "b").read_bytes() == SCHEMA.dumps(values[0], "large")
    for read in (
        SCHEMA.loads_all(data, "large"),
        SCHEMA.load_all(tmp_path / "a", "large"),
        SCHEMA.load_all(io.BytesIO(data), "large", chunks=chunks),
        SCHEMA.load_all(io.BufferedReader(io.BytesIO(data)), "large"),
    ):
        assert list(read) == values


@pytest.mark.parametrize("chunks", [False, True])
def test_errors_of_later_values(chunks):
    """The offset counts from the start of the file, and the path begins with the number of a chunk."""
    data = SCHEMA.dumps_all([7], "large", chunks=chunks)
    data = data[: len(data) - chunks] + biniou.dumps_all(["x"], chunks=chunks)
    values = SCHEMA.loads_all(data, "large", chunks=chunks)
    assert next(values) == 7
    with pytest.raises(fourfold.DecodeError) as raised:
        next(values)
    assert raised.value.offset == (27 if chunks else 9)
    assert raised.value.path == ("[1]" if chunks else "")
    assert list(values) == []


def test_default_and_object_hook():
    calls = []

    def default(it):
        calls.append(it)
        return float(it) if isinstance(it, Fraction) else sorted(it)

    value = {**SHAPE, "size": Fraction(1, 2), "pair": {1: 1}, "table": []}
    with pytest.raises(ValueError, match="a list of 2 in pair"):
        SCHEMA.dumps(value, "shape", default=default)
    data = SCHEMA.dumps({**value, "pair": [1, "x"]}, "shape", default=default)
    assert SCHEMA.loads(data, "shape")["size"] == 0.5
    assert calls == [{1: 1}, Fraction(1, 2)]
    with pytest.raises(ValueError, match="nested deeper than 128 levels in size$"):
        SCHEMA.dumps({**SHAPE, "size": "x"}, "shape", default=lambda it: it)
    data = SCHEMA.dumps(SHAPE, "shape")
    read = SCHEMA.loads(data, "shape", object_hook=lambda it: sorted(it.items()))
    assert dict(read)["table"] == [[("x", 1), ("y", None)], [("x", 2), ("y", 3)]]
    assert dict(read)["words"] == [("a", 1), ("b", 2)]
    assert next(SCHEMA.loads_all(data, "shape", object_hook=len)) == 7
    assert next(SCHEMA.load_all(io.BytesIO(data), "shape", object_hook=len)) == 7
    assert SCHEMA.load(io.BytesIO(data), "shape", object_hook=len) == 7
    file = io.BytesIO()
    SCHEMA.dump(Fraction(1), file, "large", default=int)
    SCHEMA.dump_all([Fraction(1)], file, "large", default=int)
    assert file.getvalue() == SCHEMA.dumps_all([Fraction(1)] * 2, "large", default=int)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_signals_are_handled_while_values_are_written():
    """`list.append` runs no code of Python, so that the handler does not run before it."""
    schema = biniou.Schema.parse("type t = (unit * float list * unit)")
    value, events = (Ellipsis, [0.5] * 2_000_000, NotImplemented), []
    before = signal.signal(signal.SIGALRM, lambda *_: events.append("signal"))
    signal.setitimer(signal.ITIMER_REAL, 1e-3, 1e-3)
    try:
        schema.dumps(value, "t", default=events.append)
        written = list(events)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert "signal" in written[written.index(Ellipsis) : written.index(NotImplemented)]


OPTIONS = biniou.Schema.parse(
    "type r = { ?a : int option; ~b <ocaml default=\"1\"> : int; c : int option; d : int nullable; e : int option option }"
)


@pytest.mark.parametrize("name", list("acde"))
def test_default_converts_the_whole_of_an_option(name):
    value = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
    chain = {Fraction(1): "x", "x": None, Fraction(2): "y", "y": 6}
    for start, end in ((Fraction(1), None), (Fraction(2), 6)):
        data = OPTIONS.dumps({**value, name: start}, "r", default=chain.get)
        assert data == OPTIONS.dumps({**value, name: end}, "r")


NUMBERS = biniou.Schema.parse("type f = float type s = float <biniou repr=\"float32\">")


@pytest.mark.parametrize("name", ["f", "s"])
def test_integers_of_float_types_are_exact(name):
    for number in (0, -7, 2**53, -(2**70), numpy.int8(3)):
        assert NUMBERS.loads(NUMBERS.dumps(number, name), name) == number
    for number in (2**53 + 1, -(2**64) - 1, 10**400):
        with pytest.raises(ValueError, match="an integer that no float is equal to"):
            NUMBERS.dumps(number, name)
    assert NUMBERS.loads(NUMBERS.dumps(2**1000, "f"), "f") == 2**1000


def test_infinite_numbers_and_nan_of_32_bits():
    for number in (math.inf, -math.inf):
        assert NUMBERS.loads(NUMBERS.dumps(number, "s"), "s") == number
    (nan,) = struct.unpack(">d", b"\x7f\xf4\0\0\x20\0\0\0")
    assert NUMBERS.dumps(nan, "s") == b"\x0b\x7f\xa0\0\1"
    with pytest.raises(ValueError, match="expected a number"):
        NUMBERS.dumps(1e300, "s")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_strings_are_bytes_of_any_kind(kind):
    schema = biniou.Schema.parse("type s = string")
    for data in (b"ab", b"\xff", b""):
        assert schema.dumps(kind(data), "s") == biniou.dumps(kind(data)) == b"\x12" + bytes([len(data)]) + data
    with pytest.raises(TypeError, match="list is not supported here .expected text or bytes."):
        schema.dumps([1], "s")


def test_names_with_a_surrogate():
    for value in ({**SHAPE, "\ud800": 1}, {**SHAPE, "color": ["\ud800", 1]}):
        with pytest.raises(ValueError, match="text with a surrogate, which UTF-8 cannot encode"):
            SCHEMA.dumps(value, "shape")


def test_integers_of_64_bits_are_refused_in_words_of_python():
    schema = biniou.Schema.parse('type n = int <ocaml repr="int64"> <biniou repr="int64"> type r = { n : n } type u = unit')
    too_large = r"integer `18446744073709551616`, expected an integer of 64 bits in n$"
    with pytest.raises(ValueError, match=too_large):
        schema.dumps({"n": 2**64}, "r")
    for value, name, expected in [("5", "n", "an integer of 64 bits"), (5, "r", "a dict with a key for each field"), (5, "u", "None")]:
        with pytest.raises(TypeError, match=f"{type(value).__name__} is not supported here .expected {expected}.$"):
            schema.dumps(value, name)


def test_values_of_more_than_a_mebibyte():
    schema, numbers = biniou.Schema.parse("type n = int list"), list(range(1 << 19))
    data = schema.dumps(numbers, "n")
    assert len(data) > 1 << 20
    schema.verify(data, "n")
    assert schema.loads(data, "n") == numbers
    assert list(schema.loads_all(data * 2, "n")) == [numbers, numbers]
    (chunk,) = schema.loads_all(schema.dumps_all([numbers], "n", chunks=True), "n", chunks=True)
    assert chunk == numbers
    for read in (schema.loads, schema.verify, lambda data, _: biniou.loads(data)):
        with pytest.raises(fourfold.DecodeError) as caught:
            read(data[:-1], "n")
        assert (caught.value.category, caught.value.path) == ("eof", f"[{len(numbers) - 1}]")
    values = schema.loads_all(data + data[:-1], "n")
    assert next(values) == numbers
    with pytest.raises(fourfold.DecodeError) as caught:
        next(values)
    assert caught.value.offset >= 2 * len(data) - 4
