"""NumPy scalars and arrays instead of numbers, bytes, text and lists."""

import subprocess
import sys
import types

import ml_dtypes
import numpy
import pytest

import fourfold
from fourfold import biniou, molecule, primitiv, tsm

PLAIN = [
    (numpy.bool_(True), True),
    (numpy.int8(-5), -5),
    (numpy.int16(-300), -300),
    (numpy.int32(2**31 - 1), 2**31 - 1),
    (numpy.int64(-(2**63)), -(2**63)),
    (numpy.uint8(255), 255),
    (numpy.uint16(65535), 65535),
    (numpy.uint32(2**32 - 1), 2**32 - 1),
    (numpy.uint64(2**64 - 1), 2**64 - 1),
    (numpy.float16(0.1), float(numpy.float16(0.1))),
    (numpy.float32(0.1), biniou.Float32(0.1)),
    (numpy.float64(0.1), 0.1),
    (numpy.str_("text"), "text"),
    (numpy.bytes_(b"\xff"), b"\xff"),
    (numpy.array(7), 7),
    (numpy.array(True), True),
    (numpy.array(0.5, ">f4"), biniou.Float32(0.5)),
    (numpy.array("text"), "text"),
    (numpy.arange(3), [0, 1, 2]),
    (numpy.arange(6, dtype="u1"), [0, 1, 2, 3, 4, 5]),
    (numpy.arange(6, dtype=">i2"), [0, 1, 2, 3, 4, 5]),
    (numpy.arange(-6, 0, dtype=">i8")[::-2], [-1, -3, -5]),
    (numpy.arange(6).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
    (numpy.arange(6).reshape(2, 3).T, [[0, 3], [1, 4], [2, 5]]),
    (numpy.asfortranarray(numpy.ones((2, 1, 2), "f4")), [[[biniou.Float32(1)] * 2]] * 2),
    (numpy.broadcast_to(numpy.int8(3), (2, 2)), [[3, 3], [3, 3]]),
    (numpy.array([True, False]), [True, False]),
    (numpy.array([1.5, -0.0]), [1.5, -0.0]),
    (numpy.array([1.5, 65504], "f2"), [1.5, 65504.0]),
    (numpy.array(["a", "bcd"]), ["a", "bcd"]),
    (numpy.array([b"a", b"\xff"]), [b"a", b"\xff"]),
    (numpy.array([{"x": 1}, {"x": numpy.int8(2)}], "O"), [{"x": 1}, {"x": 2}]),
    (numpy.zeros((2, 0)), [[], []]),
    ([numpy.int64(1), 2, numpy.uint8(3)], [1, 2, 3]),
    ([numpy.float32(1), numpy.float32(2)], [biniou.Float32(1), biniou.Float32(2)]),
    ([numpy.bool_(True), False], [True, False]),
    ([numpy.float64(1), numpy.float16(2), 3.0], [1.0, 2.0, 3.0]),
    ([numpy.arange(2), [5]], [[0, 1], [5]]),
    ((numpy.str_("x"), numpy.float32(1)), ("x", biniou.Float32(1))),
    ({numpy.str_("x"): numpy.float32(1)}, {"x": biniou.Float32(1)}),
]


@pytest.mark.parametrize("value, plain", PLAIN, ids=lambda part: repr(part)[:40])
def test_biniou_writes_numpy_like_plain_objects(value, plain):
    assert biniou.dumps(value) == biniou.dumps(plain)
    assert biniou.dumps({"a": (value,)}) == biniou.dumps({"a": (plain,)})


def test_biniou_writes_read_only_arrays():
    array = numpy.frombuffer(bytes(range(8)), ">u4")
    assert not array.flags.writeable
    assert biniou.dumps(array) == biniou.dumps([0x00010203, 0x04050607])


def test_floats_keep_their_bits():
    for bits in (0x7FC00000, 0xFFC00001, 0x7F800001, 0x7F800000, 0x80000000, 1):
        array = numpy.array([bits], ">u4").view(">f4")
        expected = b"\x0b" + bits.to_bytes(4, "big")
        assert biniou.dumps(array[0]) == expected
        assert biniou.dumps(array) == b"\x13\x01" + expected
    for bits in (0x7FF8000000000000, 0xFFF8000000000001, 0x7FF0000000000001):
        array = numpy.array([bits], "u8").view("f8")
        assert biniou.dumps(array) == b"\x13\x01\x0c" + bits.to_bytes(8, "big")


class Masked:
    """An object with the attributes of a masked array."""

    dtype, shape, mask = numpy.dtype("i8"), (1,), [True]

    def tobytes(self):
        return bytes(8)


class Short(numpy.ndarray):
    """An array whose `tobytes` does not match its shape."""

    def tobytes(self, order="C"):
        return b""


TIMES = numpy.array(["2026-01-01"], "M8[s]")

REFUSED = [
    (TIMES, TypeError, r"an array of datetime64\[s\] .* in a\[0\]; .*\.astype\('int64'\)$"),
    (TIMES[0], TypeError, r"datetime64\[s\] of NumPy .* in a\[0\]; .*\.astype\('int64'\)$"),
    (numpy.timedelta64(5, "s"), TypeError, r"timedelta64\[s\] .* in a\[0\]; .*'int64'"),
    (numpy.complex64(1j), TypeError, r"complex64 .* in a\[0\]; take its \.real and \.imag$"),
    (numpy.longdouble(1), TypeError, r"float128 .* in a\[0\]; .*\.astype\('float64'\)$"),
    (numpy.ones(2, "g"), TypeError, r"float128 .* in a\[0\]; .*\.astype\('float64'\)$"),
    (numpy.void(b"ab"), TypeError, r"\|V2 .* in a\[0\]; .*\.tobytes\(\)$"),
    (numpy.zeros(2, "i4,f4"), TypeError, r"'f0'.* in a\[0\]; .*\.tolist\(\)$"),
    (numpy.zeros(2, ml_dtypes.bfloat16), TypeError, r"bfloat16 .*; .*\.astype\('float32'\)$"),
    (numpy.ma.array([1, 2], mask=[0, 1]), TypeError, r"masked .* in a\[0\]; .*\.filled"),
    (numpy.ma.masked, TypeError, "masked array"),
    (Masked(), TypeError, r"masked .* in a\[0\]"),
    (numpy.zeros(2, "i4").view(Short), ValueError, "wrong number of bytes"),
    ([numpy.int8(1), numpy.bool_(1)], ValueError, r"a list of svint has an item of bool in a\[0\]\[1\]; "),
    (numpy.array([1, "x"], "O"), ValueError, r"svint has an item of string in a\[0\]\[1\]; "),
    (numpy.array([object()], "O"), TypeError, r"object is not supported here .* in a\[0\]\[0\]$"),
    (numpy.array([2**127], "O"), ValueError, r"does not fit in 128 bits in a\[0\]\[0\]$"),
    (numpy.float32, TypeError, r"type is not supported here .* in a\[0\]$"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value, error, text", REFUSED, ids=lambda part: repr(part)[:40])
def test_biniou_refuses_unsupported_types(value, error, text):
    if "float128" in text and numpy.dtype("g").itemsize != 16:
        pytest.skip("long double has another size here")
    with pytest.raises(error, match=text):
        biniou.dumps({"a": (value,)})


def test_hints_work():
    """Applying the hint of each error makes the write succeed."""
    for value in (
        TIMES.astype("int64"),
        TIMES[0].astype("int64"),
        numpy.complex64(1j).imag,
        numpy.ones(2, "g").astype("float64"),
        numpy.void(b"ab").tobytes(),
        numpy.zeros(2, "i4,f4").tolist(),
        numpy.zeros(2, ml_dtypes.bfloat16).astype("float32"),
        numpy.ma.array([1, 2], mask=[0, 1]).filled(0),
    ):
        biniou.dumps(value)


def test_an_array_that_contains_itself_is_refused():
    array = numpy.empty(1, "O")
    array[0] = array
    with pytest.raises(ValueError, match="nested deeper"):
        biniou.dumps(array)
    deep = numpy.zeros((1,) * 30)
    for _ in range(90):
        deep = [deep]
    biniou.dumps(deep)
    for _ in range(10):
        deep = [deep]
    with pytest.raises(ValueError, match="nested deeper"):
        biniou.dumps(deep)


def test_all_functions_of_biniou_accept_numpy(tmp_path):
    path = tmp_path / "x.biniou"
    biniou.dump({"x": numpy.arange(2)}, path)
    assert biniou.load(path, names=["x"]) == {"x": [0, 1]}
    assert biniou.dumps_all(numpy.arange(2)) == biniou.dumps_all([0, 1])
    table = biniou.Table.of([{"x": numpy.float32(1)}, {"x": biniou.Float32(2)}])
    assert biniou.loads(biniou.dumps(table), names=["x"]).columns == (("x", "float32"),)
    for value in (biniou.some(numpy.int8(1)), biniou.Variant("A", numpy.arange(2))):
        biniou.dumps(value)
    assert biniou.dumps(biniou.NumVariant(numpy.int8(0))) == biniou.dumps(biniou.NONE)
    assert biniou.dumps(biniou.Int8(numpy.uint8(7))) == b"\x01\x07"


SCHEMA = molecule.Schema.parse("""
    array Byte4 [byte; 4]; array Uint16 [byte; 2]; array Uint32 [byte; 4]; array Int16 [byte; 2];
    array Uint128 [byte; 16]; array Two [Uint16; 2]; array Words [Byte4; 2];
    vector Bytes <byte>; vector BytesVec <Bytes>; vector Uint16s <Uint16>; vector Byte4s <Byte4>;
    vector Rows <Uint16s>;
    option Note (Bytes); struct Point { x: byte, y: Int16, }
    table T { v: Bytes, n: Uint32, p: Point, note: Note, list: Uint16s, }
""")

TYPED = [
    ("Bytes", numpy.frombuffer(b"ab", "u1"), b"ab"),
    ("Bytes", numpy.arange(6, dtype="u1")[::-2], bytes([5, 3, 1])),
    ("Bytes", numpy.bytes_(b"ab"), b"ab"),
    ("Bytes", numpy.void(b"a\0"), b"a\0"),
    ("Byte4", numpy.arange(4, dtype="u1"), bytes(range(4))),
    ("Byte4", numpy.void(b"abc\0"), b"abc\0"),
    ("Uint32", numpy.uint32(2**32 - 1), 2**32 - 1),
    ("Uint32", numpy.array(7, ">i8"), 7),
    ("Uint32", numpy.arange(4, dtype="u1"), bytes(range(4))),
    ("Uint32", numpy.bool_(True), True),
    ("Int16", numpy.int64(-2), -2),
    ("Uint128", numpy.uint64(2**64 - 1), 2**64 - 1),
    ("Point", {"x": numpy.uint8(255), "y": numpy.int8(-1)}, {"x": 255, "y": -1}),
    ("Point", {"x": numpy.bool_(True), "y": numpy.array(3)}, {"x": 1, "y": 3}),
    ("Uint16s", numpy.arange(3), [0, 1, 2]),
    ("Uint16s", numpy.arange(6, dtype=">u2")[1::2], [1, 3, 5]),
    ("Uint16s", [numpy.int8(1), 2], [1, 2]),
    ("Uint16s", numpy.array([1, 2], "O"), [1, 2]),
    ("Uint16s", numpy.zeros(0, "u2"), []),
    ("Two", numpy.array([1, 2], "u8"), [1, 2]),
    ("Rows", numpy.arange(4, dtype="i4").reshape(2, 2), [[0, 1], [2, 3]]),
    ("Rows", [numpy.arange(2), [7]], [[0, 1], [7]]),
    ("Byte4s", numpy.arange(8, dtype="u1").reshape(2, 4), [bytes(range(4)), bytes(range(4, 8))]),
    ("Byte4s", numpy.array([b"abc\0", b"defg"], "V4"), [b"abc\0", b"defg"]),
    ("Words", numpy.array([b"abcd", b"defg"]), [b"abcd", b"defg"]),
    ("BytesVec", numpy.array([b"a", b"bc"]), [b"a", b"bc"]),
    ("BytesVec", [numpy.arange(2, dtype="u1"), b"x"], [b"\0\1", b"x"]),
    ("Note", numpy.arange(2, dtype="u1"), b"\0\1"),
]


@pytest.mark.parametrize("name, value, plain", TYPED, ids=lambda part: repr(part)[:40])
def test_molecule_writes_numpy_like_plain_objects(name, value, plain):
    assert SCHEMA.dumps(value, name) == SCHEMA.dumps(plain, name)


INTEGERS = r"; convert it by \.astype\('int64'\)$"

WRONG = [
    ("Uint32", numpy.int64(-1), ValueError, "out of range for Uint32$"),
    ("Uint32", numpy.uint64(2**40), ValueError, "out of range for Uint32$"),
    ("Uint32", numpy.float64(1), TypeError, f"float64 of NumPy .* Uint32 takes int.{INTEGERS}"),
    ("Uint32", TIMES[0], TypeError, rf"datetime64\[s\] of NumPy .*{INTEGERS}"),
    ("Uint32", numpy.arange(2), TypeError, r"an array of int64 .* Uint32 takes int\)"),
    ("Uint32", numpy.arange(3, dtype="u1"), ValueError, "3 bytes, but Uint32 has 4"),
    ("Point", {"x": numpy.int64(256), "y": 1}, ValueError, "from 0 to 255 in x$"),
    ("Point", {"x": numpy.arange(3), "y": 1}, TypeError, r"an array of int64 .* in x"),
    ("Point", {"x": numpy.str_("1"), "y": 1}, TypeError, "in x$"),
    ("Point", numpy.zeros(1, "u1,i2")[0], TypeError, r"takes dict\); .*dict\(zip\("),
    ("Bytes", numpy.arange(3), TypeError, r"an array of int64 .*; .*\.astype\('uint8'\)$"),
    ("Bytes", numpy.zeros((2, 2), "u1"), TypeError, r"uint8 .*; .*\.tobytes\(\)$"),
    ("Bytes", numpy.int8(1), TypeError, r"int8 of NumPy .* Bytes takes bytes"),
    ("Uint16s", numpy.ones(2), TypeError, f"float64 .* Uint16s takes list.{INTEGERS}"),
    ("Uint16s", TIMES, TypeError, rf"datetime64\[s\] .*{INTEGERS}"),
    ("Uint16s", numpy.int8(1), TypeError, "takes list"),
    ("Uint16s", numpy.array([1, 2**16]), ValueError, r"out of range for Uint16 in \[1\]$"),
    ("Uint16s", numpy.ma.array([1, 2], mask=[0, 1]), TypeError, r"masked.*\.filled"),
    ("Two", numpy.arange(3), ValueError, "3 items, but Two has 2"),
    ("Rows", [numpy.arange(2), numpy.array(["x"])], TypeError, r"<U1 .* in \[1\]"),
    ("Byte4s", numpy.array([b"abc\0", b"defg"]), ValueError, r"3 bytes.* in \[0\]$"),
]


@pytest.mark.parametrize("name, value, error, text", WRONG, ids=lambda part: repr(part)[:40])
def test_molecule_refuses_unsupported_types(name, value, error, text):
    with pytest.raises(error, match=text):
        SCHEMA.dumps(value, name)


def test_molecule_fields_accept_numpy(tmp_path):
    value = {
        "v": numpy.frombuffer(b"ab", "u1"),
        "n": numpy.uint32(7),
        "p": {"x": numpy.uint8(1), "y": numpy.int16(-1)},
        "list": numpy.arange(3),
    }
    plain = {"v": b"ab", "n": 7, "p": {"x": 1, "y": -1}, "list": [0, 1, 2]}
    SCHEMA.dump(value, tmp_path / "t.bin", "T")
    assert (tmp_path / "t.bin").read_bytes() == SCHEMA.dumps(plain, "T")
    for name, part, path in (("v", numpy.ones(2), "v"), ("list", numpy.array([1, -1]), r"list\[1\]")):
        with pytest.raises((TypeError, ValueError), match=rf" in {path}(;|$)"):
            SCHEMA.dumps({**value, name: part}, "T")


def test_primitiv_accepts_arrays_of_any_layout():
    plain = numpy.asfortranarray(numpy.arange(6, dtype="f4").reshape(2, 3))
    frozen = plain.copy()
    frozen.flags.writeable = False
    wide = numpy.zeros((4, 6), "f4")
    wide[::2, ::2] = plain
    for array in (plain.astype(">f4"), numpy.ascontiguousarray(plain), frozen, wide[::2, ::2]):
        assert primitiv.dumps({"w": array}) == primitiv.dumps({"w": plain})
    assert primitiv.dumps(numpy.float32(2)) == primitiv.dumps(numpy.array(2, "f4"))
    plain = primitiv.Optimizer({"a": 1, "b": 2}, {"c": 0.5, "d": 0.5, "e": 1})
    value = primitiv.Optimizer(
        {"a": numpy.bool_(True), "b": numpy.int64(2)},
        {"c": numpy.float16(0.5), "d": numpy.float64(0.5), "e": numpy.int8(1)},
    )
    assert primitiv.dumps(value) == primitiv.dumps(plain)
    nan = numpy.array([numpy.nan], "f4")
    assert numpy.isnan(primitiv.loads(primitiv.dumps(nan))).all()


@pytest.mark.parametrize(
    "value, error, text",
    [
        (numpy.ones(2), TypeError, r"float64: .* in a; convert it by .astype\('float32'\)$"),
        (numpy.ones(2, "f2"), TypeError, r"float16: .* in a; convert it by .astype\('float32'\)$"),
        (numpy.float64(1), TypeError, r"float64 of NumPy: .* in a; convert it by .astype\('float32'\)$"),
        (numpy.arange(2), TypeError, r"int64: .* in a; convert it by .astype\('float32'\)$"),
        (TIMES, TypeError, r"datetime64\[s\]: .* in a; .*astype\('float32'\)$"),
        (numpy.array([1j]), TypeError, r"complex128: .* in a; use \.real\.astype"),
        (numpy.array([1, None]), TypeError, r"object: .* in a; .*astype\('float32'\)$"),
        (numpy.array(["1"]), TypeError, r"<U1: .* in a; .*astype\('float32'\)$"),
        (numpy.zeros(1, "i4,f4"), TypeError, r"'f0'.*: .* in a$"),
        (numpy.ma.array([1, 2], "f4", mask=[0, 1]), TypeError, r"masked .* in a; .*\.filled"),
        ([numpy.float32(1)], TypeError, r"list is not .* in a; .*numpy\.array\(it, 'float32'\)$"),
    ],
    ids=repr,
)
def test_primitiv_refuses_other_types(value, error, text):
    with pytest.raises(error, match=text):
        primitiv.dumps({"a": value})


def built(value):
    graph = tsm.ModuleBuilder()
    return graph.build([], [graph.const("c", value)])["c"].value


def test_tsm_params_accept_numpy():
    assert built(numpy.str_("张量")) == "张量"
    assert built(numpy.bytes_(b"\xff")).tobytes() == b"\xff"
    assert built([numpy.str_("a"), "b"]) == ["a", "b"]
    for scalars in (
        [numpy.int64(1), numpy.int64(2)],
        [numpy.float32(1)],
        (numpy.bool_(True), numpy.bool_(False)),
        [numpy.float16(1), numpy.float16(2)],
    ):
        array = built(scalars)
        assert array.dtype == scalars[0].dtype and array.tolist() == [x.item() for x in scalars]
    first, second = built([numpy.int64(1), numpy.float32(2)])
    assert (first.dtype, second.dtype) == ("i8", "f4")
    strided = numpy.arange(12, dtype=">i4").reshape(3, 4)[::2, ::-2]
    assert built(strided).tolist() == strided.tolist()
    assert tsm.dumps([numpy.float32(1)]) == tsm.dumps(numpy.array(1, "f4"))


@pytest.mark.parametrize(
    "value, text",
    [
        (TIMES, r"datetime64\[s\] in a; .*\.astype\('int64'\)$"),
        (numpy.ones(1, "g"), r"float128 in a; .*\.astype\('float64'\)$"),
        (numpy.array(["xy"]), r"<U2 in a; text is"),
        (numpy.zeros(1, "i4,f4"), r"'f0'.* in a$"),
        (numpy.array([None]), r"object in a; .*\.astype\("),
        (numpy.ones(1, ml_dtypes.bfloat16), r"bfloat16 in a; .*\.astype\('float32'\)$"),
        (numpy.ma.array([1], mask=[1]), r"masked array is not supported here in a; .*\.filled"),
        ([numpy.int64(1), TIMES], r"datetime64\[s\] in a\[1\]; "),
        ([TIMES[0], TIMES[0]], r"datetime64\[s\] in a; "),
    ],
    ids=repr,
)
def test_tsm_refuses_unsupported_types(value, text):
    if "float128" in text and numpy.dtype("g").itemsize != 16:
        pytest.skip("long double has another size here")
    with pytest.raises(TypeError, match=text):
        tsm.ModuleBuilder().const("a", value)


def test_errors_in_a_list_of_arrays_have_the_index():
    with pytest.raises(TypeError, match=r"no elements of datetime64\[s\] in \[1\]; "):
        tsm.dumps([numpy.ones(1), TIMES])
    with pytest.raises(ValueError, match=r"inhomogeneous .* in \[1\]$"):
        tsm.dumps([numpy.ones(1), [[1], [1, 2]]])
    with pytest.raises(TypeError, match="a list of arrays"):
        tsm.dumps(numpy.str_("text"))
    text = numpy.frombuffer("text".encode(), "S1")
    assert tsm.loads(tsm.dumps(text))[0].tobytes() == b"text"


def test_biniou_and_molecule_do_not_import_numpy():
    script = """
import sys
sys.modules["numpy"] = None
from fourfold import biniou, molecule
schema = molecule.Schema.parse("array Uint16 [byte; 2]; vector A <Uint16>; vector B <byte>;")
assert schema.dumps([1, 2], "A") and schema.dumps(memoryview(b"ab"), "B")
assert biniou.loads(biniou.dumps({"x": [1, 2]}), names=["x"]) == {"x": [1, 2]}
for value in (object(), 1j, [range(2)]):
    try:
        biniou.dumps(value)
    except TypeError as error:
        assert "is not supported here" in str(error), error
    else:
        raise AssertionError(value)
del sys.modules["numpy"]
biniou.dumps([1.5])
assert "numpy" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("have", [None, types.SimpleNamespace()], ids=["missing", "old"])
def test_missing_types_of_ml_dtypes(have, tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    head = b'{"w":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}}'
    path.write_bytes(len(head).to_bytes(8, "little") + head + b"\x21")
    monkeypatch.setitem(sys.modules, "ml_dtypes", have)
    with pytest.raises(ImportError, match=r"pip install 'ml_dtypes>=0\.5'$"):
        fourfold.tensors(path)["w"]


def test_wrong_types_are_type_errors_in_all_formats():
    schema = molecule.Schema.parse("array Uint32 [byte; 4]; vector V <Uint32>; table T { v: V, }")
    typed = biniou.Schema.parse("type v = int list  type t = { v : v }")
    writers = [
        lambda it: biniou.dumps({"v": it}),
        lambda it: typed.dumps({"v": it}, "t"),
        lambda it: schema.dumps({"v": it}, "T"),
        lambda it: primitiv.dumps({"v": it}),
        lambda it: tsm.dumps([it]),
    ]
    wrong = [numpy.longdouble(1), TIMES, numpy.zeros(2, "i4,f4"), numpy.ma.array([1], mask=[1]), object()]
    for value in wrong:
        for write in writers:
            with pytest.raises(TypeError):
                write(value)
    # A wrong element of a list of arrays is named by its place.
    for write in writers[1:3]:
        with pytest.raises(TypeError, match=r"in v\[1\](\[0\])?"):
            write([1, numpy.ones(2, int)])
