"""Molecule: refused values, records, and schemas."""

import functools
import io
import json

import numpy
import pytest
from conftest import FIXTURES

from fourfold import DecodeError, molecule

SCHEMAS = sorted((FIXTURES / "molecule" / "schemas").glob("*.mol"))
BLOCKCHAIN = FIXTURES / "molecule" / "schemas" / "blockchain.mol"
LOG = molecule.Schema.parse(
    """
    array Uint64 [byte; 8];
    vector Bytes <byte>;
    option BytesOpt (Bytes);
    union Note { Bytes, Uint64, }
    table Entry { id: Uint64, tags: Tags, note: NoteOpt, }
    option NoteOpt (Note);
    vector Tags <Bytes>;
    struct Pair { x: byte, y: Uint64, }
    """
)
ENTRY = {"id": 7, "tags": [b"a", b""], "note": molecule.Union("Uint64", 2**64 - 1)}


@functools.lru_cache(maxsize=None)
def schema_of(name):
    """The schema and the type of `lab.Event`."""
    file, ty = name.split(".")
    return molecule.Schema(FIXTURES / "molecule" / "schemas" / f"{file}.mol"), ty


def same_value(ours, theirs):
    """Compares with the JSON of fixtures, in which bytes and wide integers are text."""
    if isinstance(ours, molecule.Union):
        assert theirs["type"] == ours.type
        same_value(ours.value, theirs["value"])
    elif isinstance(ours, dict):
        assert list(ours) == list(theirs)
        for name, part in ours.items():
            same_value(part, theirs[name])
    elif isinstance(ours, list):
        assert len(ours) == len(theirs)
        for pair in zip(ours, theirs):
            same_value(*pair)
    elif isinstance(ours, bytes):
        assert f"0x{ours.hex()}" == theirs
    elif isinstance(theirs, int):
        assert ours == theirs
    elif isinstance(ours, int):
        number = int.from_bytes(bytes.fromhex(theirs.removeprefix("0x")), "little")
        size = 4 * (len(theirs) - 2)
        assert number in (ours, ours + (1 << size))
    else:
        assert ours is None and theirs is None


VALUES = sorted((FIXTURES / "molecule" / "values").glob("*.json"))


@pytest.mark.parametrize(
    "path", [FIXTURES / "molecule" / "vectors.json", *VALUES], ids=lambda path: path.name
)
def test_reads_and_writes_fixtures(path):
    """Values and bytes equal those of moleculec's generated code."""
    vectors = json.loads(path.read_text())
    assert vectors
    for vector in vectors:
        if "hex" not in vector:
            continue
        schema, name = schema_of(vector["type"])
        data = bytes.fromhex(vector["hex"].removeprefix("0x"))
        value = schema.loads(data, name)
        assert schema.dumps(value, name) == data
        if VALUES[0].parent == path.parent:
            same_value(value, vector["value"])


def test_refuses_the_damaged_fixtures_that_generated_code_refuses():
    counted = {True: 0, False: 0}
    for path in sorted((FIXTURES / "molecule" / "bad").glob("*.txt")):
        schema, name = schema_of(path.stem)
        for line in path.read_text().splitlines():
            if line.startswith("#"):
                continue
            verdict, compatible, _, digits = line.split()
            data = bytes.fromhex(digits.replace("-", ""))
            for expected, options in ((verdict, {}), (compatible, {"compatible": True})):
                is_good = expected == "ok"
                try:
                    schema.verify(data, name, **options)
                    assert is_good, (path.name, line)
                    schema.loads(data, name, **options)
                except DecodeError as error:
                    assert not is_good, (path.name, line, error)
                    assert error.offset is None or error.offset <= len(data)
                except ValueError as error:
                    # Extra bytes of an empty table, which no object can hold.
                    assert is_good and "without fields" in str(error)
                counted[is_good] += 1
    assert min(counted.values()) > 500


def test_round_trip():
    data = LOG.dumps(ENTRY, "Entry")
    assert LOG.loads(data, "Entry") == ENTRY
    assert LOG.loads(memoryview(data), "Entry") == LOG.load(io.BytesIO(data), "Entry") == ENTRY
    short = {"id": 7, "tags": ()}
    assert LOG.loads(LOG.dumps(short, "Entry"), "Entry") == {"id": 7, "tags": [], "note": None}
    note = molecule.Union("Bytes", b"x")
    assert {note, molecule.Union("Bytes", b"x")} == {note}
    assert "Entry" in LOG and "Nothing" not in LOG


def test_integers_may_be_given_as_bytes():
    data = LOG.dumps(bytes(8), "Uint64")
    assert data == bytes(8) and LOG.loads(data, "Uint64") == 0


REFUSED = [
    ("Entry", [], TypeError, "Entry takes dict"),
    ("Entry", {"tags": []}, ValueError, "the object lacks the field .id. of Entry$"),
    ("Entry", {**ENTRY, "ids": 1}, ValueError, "no field .ids."),
    ("Entry", {**ENTRY, 7: 1}, ValueError, "no field 7"),
    ("Entry", {**ENTRY, "id": 2**64}, ValueError, "out of range for Uint64 in id$"),
    ("Entry", {**ENTRY, "id": -1}, ValueError, "in id$"),
    ("Entry", {**ENTRY, "id": "x"}, TypeError, "in id$"),
    ("Entry", {**ENTRY, "id": b"x"}, ValueError, "1 bytes, but Uint64 has 8 in id$"),
    ("Entry", {**ENTRY, "tags": [b"", 7]}, TypeError, r"in tags\[1\]$"),
    ("Entry", {**ENTRY, "tags": b"xy"}, TypeError, "in tags$"),
    ("Entry", {**ENTRY, "note": b"xy"}, TypeError, "in note$"),
    ("Entry", {**ENTRY, "note": molecule.Union("Pair", 1)}, ValueError, "in note$"),
    ("Entry", {**ENTRY, "note": molecule.Union("Bytes", 1)}, TypeError, r"in note\.value$"),
    ("Pair", {"x": 256, "y": 1}, ValueError, "from 0 to 255 in x$"),
    ("Pair", {"x": "1", "y": 1}, TypeError, "in x$"),
]


@pytest.mark.parametrize("name, value, error, text", REFUSED)
def test_refuses_values_that_do_not_match_the_type(name, value, error, text):
    with pytest.raises(error, match=text):
        LOG.dumps(value, name)


def test_errors_have_offset_and_path():
    data = bytearray(LOG.dumps(ENTRY, "Entry"))
    with pytest.raises(DecodeError) as caught:
        LOG.loads(data[:-1], "Entry")
    assert caught.value.category == "eof" and caught.value.offset == 0
    data[28] = 200
    with pytest.raises(DecodeError) as caught:
        LOG.loads(data, "Entry")
    assert caught.value.path.startswith("tags")
    with pytest.raises(ValueError, match="the schema has no type"):
        LOG.loads(data, "Nothing")
    with pytest.raises(ValueError, match="did you mean `Entry`"):
        LOG.loads(data, "Entri")


def test_integers_of_any_width():
    schema = molecule.Schema.parse("""
        array Uint256 [byte; 32];
        array Int64 [byte; 8];
        array Balance [byte; 5]; // fourfold: signed number
    """)
    for name, bits, least in [("Uint256", 256, 0), ("Int64", 64, -(2**63)), ("Balance", 40, -(2**39))]:
        for value in [least, 0, 2**53 - 1, 2**53, least + 2**bits - 1]:
            if least <= value < least + 2**bits:
                data = value.to_bytes(bits // 8, "little", signed=value < 0)
                assert schema.dumps(value, name) == data and schema.loads(data, name) == value
        for value in [least - 1, least + 2**bits]:
            with pytest.raises(ValueError, match=f"integer out of range for {name}"):
                schema.dumps(value, name)
    assert schema.dumps(True, "Int64") == bytes([1]) + bytes(7)


def test_integers_of_numpy():
    schema = molecule.Schema.parse(
        "array Uint32 [byte; 4]; array Two [byte; 2]; struct P { x: Uint32, y: byte, }"
    )
    plain = schema.dumps({"x": 5, "y": 7}, "P")
    assert schema.dumps({"x": numpy.uint32(5), "y": numpy.int8(7)}, "P") == plain
    for wrong in [{"x": numpy.int64(-1), "y": 0}, {"x": 0, "y": numpy.int16(256)}]:
        with pytest.raises(ValueError):
            schema.dumps(wrong, "P")
    with pytest.raises(TypeError):
        schema.dumps({"x": 5, "y": numpy.float32(7)}, "P")


def test_compatible():
    older = molecule.Schema.parse("table Entry { id: byte, }")
    newer = molecule.Schema.parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }")
    data = newer.dumps({"id": 7, "name": b"x"}, "Entry")
    with pytest.raises(DecodeError):
        older.loads(data, "Entry")
    value = older.loads(data, "Entry", compatible=True)
    assert value == {"id": 7, "$extra": [b"\x01\x00\x00\x00x"]}
    assert older.dumps(value, "Entry") == data
    older.verify(data, "Entry", compatible=True)


def test_records(tmp_path):
    entries = [{**ENTRY, "id": number} for number in range(5)]
    path = tmp_path / "log"
    path.write_bytes(b"".join(LOG.dumps(entry, "Entry") for entry in entries))
    with LOG.load_all(path, "Entry") as records:
        assert next(records) == entries[0]
        assert list(records) == entries[1:]
    one = LOG.dumps(ENTRY, "Entry")
    assert list(LOG.loads_all(one, "Entry")) == [ENTRY]
    # The record after an invalid one is read.
    wrong = bytearray(one)
    wrong[4] = 1
    records = LOG.loads_all(one + bytes(wrong) + one, "Entry")
    assert next(records) == ENTRY
    with pytest.raises(DecodeError) as caught:
        next(records)
    assert caught.value.offset == len(one) + 4
    assert next(records) == ENTRY
    with pytest.raises(StopIteration):
        next(records)


def test_schemas(tmp_path):
    for path in SCHEMAS:
        schema = molecule.Schema(path)
        assert schema.types
    with pytest.raises(ValueError, match="line 1, column"):
        molecule.Schema.parse("table Entry { id: Uint32 }")
    with pytest.raises(FileNotFoundError):
        molecule.Schema(tmp_path / "nothing.mol")


def test_hostile_input():
    with pytest.raises(DecodeError):
        LOG.loads(b"\xff\xff\xff\xff" * 4, "Tags")


def test_default_and_object_hook():
    schema = molecule.Schema.parse(
        "array Uint32 [byte; 4]; vector Bytes <byte>; option BytesOpt (Bytes);"
        "table Inner { data: BytesOpt, } vector Inners <Inner>; table Outer { id: Uint32, all: Inners, }"
    )
    value = {"id": "7", "all": [{"data": "ab"}, {"data": None}]}
    default = {str: lambda it: int(it) if it.isdigit() else it.encode()}
    data = schema.dumps(value, "Outer", default=lambda it: default[type(it)](it))
    plain = {"id": 7, "all": [{"data": b"ab"}, {"data": None}]}
    assert data == schema.dumps(plain, "Outer")
    file = io.BytesIO()
    schema.dump(value, file, "Outer", default=lambda it: default[type(it)](it))
    assert file.getvalue() == data
    calls = []
    with pytest.raises(ValueError, match=r"nested deeper than 128 levels in all\[0\].data$"):
        schema.dumps(value, "Outer", default=lambda it: calls.append(it) or (7 if it == "7" else it))
    assert calls[:2] == ["7", "ab"] and set(calls[1:]) == {"ab"}
    # What it returns takes the place of the option, until it fits.
    chain = {"7": 7, "ab": "x", "x": None}
    last = schema.dumps(value, "Outer", default=chain.get)
    assert schema.loads(last, "Outer") == {"id": 7, "all": [{"data": None}, {"data": None}]}
    for read in (
        schema.loads(data, "Outer", object_hook=lambda it: list(it.values())),
        schema.load(io.BytesIO(data), "Outer", object_hook=lambda it: list(it.values())),
        next(schema.loads_all(data, "Outer", object_hook=lambda it: list(it.values()))),
        next(schema.load_all(io.BytesIO(data), "Outer", object_hook=lambda it: list(it.values()))),
    ):
        assert read == [7, [[b"ab"], [None]]]


def test_only_tables_have_extra_fields():
    schema = molecule.Schema.parse("struct Point { x: byte, }")
    with pytest.raises(ValueError, match=r"the schema's Point has no field '\$extra'"):
        schema.dumps({"x": 1, "$extra": []}, "Point")


def test_values_of_more_than_a_mebibyte():
    schema = molecule.Schema.parse("vector Bytes <byte>; vector Items <Bytes>;")
    items = [b"x" * 8] * (1 << 16)
    data = schema.dumps(items, "Items")
    assert len(data) == 4 + len(items) * 16
    schema.verify(data, "Items")
    assert schema.loads(data, "Items") == items
    assert list(schema.loads_all(data * 2, "Items")) == [items, items]
    # The count of the last item.
    damaged = data[:-12] + b"\7" + data[-11:]
    for read in (schema.loads, schema.verify, lambda data, name: next(schema.loads_all(data, name))):
        with pytest.raises(DecodeError) as caught:
            read(damaged, "Items")
        assert (caught.value.path, caught.value.offset) == (f"[{len(items) - 1}]", len(data) - 1)
    records = schema.loads_all(data + damaged + data, "Items")
    assert next(records) == items
    with pytest.raises(DecodeError) as caught:
        next(records)
    assert caught.value.offset == 2 * len(data) - 1
    assert next(records) == items
