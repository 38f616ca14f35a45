"""Paths, open files and buffers, in each function that takes a file; schemas and names as paths, texts and objects."""

import array
import io
import mmap
import os
import pathlib
import subprocess
import sys
import threading

import numpy
import pytest
from conftest import FIXTURES

import fourfold
from fourfold import biniou, molecule, primitiv, tsm

PACKED = FIXTURES / "tsm" / "good" / "packed.tsm"
MODEL = FIXTURES / "primitiv" / "saved" / "m_names.model"
LOG = FIXTURES / "biniou" / "data" / "log.log_list-three.biniou"
ATD = FIXTURES / "biniou" / "schemas" / "log.atd"
BLOCK = FIXTURES / "molecule" / "genesis" / "mainnet.bin"
MOL = FIXTURES / "molecule" / "schemas" / "blockchain.mol"


class Reading:
    """A file that only reads all of it."""

    def __init__(self, path):
        self.path = path

    def read(self):
        return self.path.read_bytes()


def mapped(path):
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


PATHS = [pathlib.Path, str]
FILES = [lambda path: io.BytesIO(path.read_bytes()), lambda path: path.open("rb"), Reading]
BUFFERS = [
    pathlib.Path.read_bytes,
    lambda path: bytearray(path.read_bytes()),
    lambda path: memoryview(path.read_bytes()),
    lambda path: array.array("B", path.read_bytes()),
    lambda path: numpy.frombuffer(path.read_bytes(), "u1"),
    mapped,
]


@pytest.mark.parametrize("source", PATHS + FILES + BUFFERS)
def test_all_sources(source, tmp_path):
    for path, format in ((PACKED, "tsm"), (MODEL, "primitiv"), (LOG, "biniou")):
        assert fourfold.detect(source(path)) == format
        assert fourfold.verify(source(path)) == fourfold.verify(path)
        assert len(fourfold.explain(source(path))) == len(fourfold.explain(path))
        with fourfold.open(source(path)) as opened:
            assert opened.format == format
    assert list(fourfold.tensors(source(PACKED))) == list(fourfold.tensors(PACKED))
    with fourfold.open(source(MODEL)) as opened:
        assert list(opened.tensors) == list(fourfold.tensors(MODEL))
    assert next(iter(fourfold.open(source(LOG), format="biniou", names=ATD)))[0]["code"] == 301
    with fourfold.open(source(BLOCK), schema=MOL, type="Block") as values:
        assert next(values)["header"]["raw"]["number"] == 0
    assert tsm.Module.open(source(PACKED)).dumps() == PACKED.read_bytes()
    target = tmp_path / "w.npz"
    fourfold.convert(source(PACKED), target)
    assert list(fourfold.tensors(source(target))) == list(fourfold.tensors(PACKED))
    again = tmp_path / "again.tsm"
    fourfold.convert(target, again, like=source(PACKED))
    fourfold.save({}, again, like=source(PACKED))
    assert again.read_bytes() == PACKED.read_bytes()


def test_files_as_targets(tmp_path):
    module = tsm.Module.open(PACKED)
    for target in (io.BytesIO(), (tmp_path / "a.bin").open("w+b"), (tmp_path / "b.bin").open("w+b", 0)):
        module.save(target)
        target.seek(0)
        assert target.read() == PACKED.read_bytes()
        target.seek(0)
        target.truncate()
        fourfold.convert(PACKED, target, to="npz")
        target.seek(0)
        assert list(fourfold.tensors(target)) == list(module.tensors)
    with (tmp_path / "c.npz").open("wb") as target:
        module.convert(target)
    assert list(fourfold.tensors(tmp_path / "c.npz")) == list(module.tensors)
    with pytest.raises(ValueError, match="pass `to`"):
        module.convert(io.BytesIO())


@pytest.mark.parametrize(
    "read",
    [
        fourfold.open,
        fourfold.detect,
        fourfold.verify,
        fourfold.explain,
        fourfold.tensors,
        tsm.Module.open,
        lambda source: fourfold.convert(source, "x.npz"),
        lambda source: fourfold.save({}, "x.npz", like=source),
        lambda source: fourfold.open(source, schema=MOL, type="Block"),
    ],
)
def test_other_objects_are_refused(read, tmp_path):
    for wrong in (5, ["x"]):
        with pytest.raises(TypeError, match="a path, a file that is open for reading, or its bytes"):
            read(wrong)
    (tmp_path / "text").write_text("text")
    with (tmp_path / "text").open() as file, pytest.raises(TypeError, match="mode 'rb'"):
        read(file)
    for wrong in (lambda: tsm.Module.open(PACKED).save(5), lambda: fourfold.convert(PACKED, 5, to="npz")):
        with pytest.raises(TypeError, match="open for writing"):
            wrong()


@pytest.mark.parametrize("name", ["safetensors", "npz", "npy"])
def test_containers_are_opened(name, tmp_path):
    path = tmp_path / "file"
    fourfold.save({"w": numpy.arange(3, dtype="f4")}, path, to=name)
    assert fourfold.detect(path) == fourfold.detect(path.read_bytes()) == name
    for source in (path, str(path), path.read_bytes()):
        with fourfold.open(source) as file:
            assert file.format == name and isinstance(file, fourfold.TensorFile)
            assert file.tensors is file
            (array,) = file.values()
            assert array.tolist() == [0, 1, 2]
    with fourfold.open(path) as file:
        (key,) = file
        file.save(path, tensors={key: array + 1})
    assert fourfold.tensors(path)[key].tolist() == [1, 2, 3]


ONNX = FIXTURES.parent.parent / "onnx" / "tests" / "fixtures" / "small.onnx"


def test_onnx_is_opened(tmp_path):
    assert fourfold.detect(ONNX) == fourfold.detect(ONNX.read_bytes()) == "onnx"
    with fourfold.open(ONNX) as file:
        assert (file.format, list(file)) == ("onnx", ["w", "scale", "bias", "mean", "variance", "two"])
        assert file["w"].shape == (2, 3, 3, 3)
        with pytest.raises(ValueError, match="not written as ONNX"):
            file.save(tmp_path / "new.onnx")
    fourfold.convert(ONNX, tmp_path / "w.npz")
    assert (fourfold.tensors(tmp_path / "w.npz")["two"] == fourfold.tensors(ONNX)["two"]).all()


def message(number, data):
    """A field of Protocol Buffers."""
    return bytes([number << 3 | 2, len(data)]) + data


def test_tensors_that_cannot_be_read_are_named():
    words = b"\x08\x02\x10\x08" + message(6, b"a") + message(6, b"b") + message(8, b"words")
    w = b"\x08\x02\x10\x01" + message(8, b"w") + message(9, numpy.ones(2, "<f4").tobytes())
    model = b"\x08\x08" + message(7, message(2, b"g") + message(5, words) + message(5, w))
    reason = "elements are strings"
    for open_file in (fourfold.tensors, fourfold.open):
        with pytest.warns(UserWarning, match=f"1 tensor cannot be read: words: {reason}") as caught:
            tensors = open_file(model)
        assert caught[0].filename == __file__
        assert (list(tensors), list(tensors.unread)) == (["w"], ["words"])
        assert tensors["w"].tolist() == [1, 1]
        with pytest.raises(ValueError, match=f"cannot be read: words: {reason}"):
            tensors["words"]
        with pytest.raises(ValueError, match=f"cannot be read: words: {reason}"):
            tensors.get("words")
        with pytest.raises(KeyError):
            tensors["other"]
        assert "1 not read" in repr(tensors)
        assert f"words: {reason}" in tensors._repr_html_()
    with pytest.raises(ValueError, match=f"words: {reason}"):
        fourfold.convert(model, io.BytesIO(), to="npz")
    with pytest.raises(ValueError, match=f"cannot be read: words: {reason}"):
        fourfold.save({"words": [1, 2]}, io.BytesIO(), like=model)


def test_arrays_of_text_do_not_hide_the_others(tmp_path):
    path = tmp_path / "w.npz"
    numpy.savez(path, w=numpy.ones(2), words=numpy.array(["a"]))
    with pytest.warns(UserWarning, match="1 tensor cannot be read: words: "):
        tensors = fourfold.open(path)
    assert (list(tensors), list(tensors.unread)) == (["w"], ["words"])
    with pytest.raises(ValueError, match="cannot be read: words: "):
        tensors["words"]
    with pytest.raises(ValueError, match="words"):
        tensors.save(path, tensors={"w": numpy.zeros(2)})
    with numpy.load(path) as old:
        assert old["words"].tolist() == ["a"]


def test_types_that_a_container_lacks_are_type_errors():
    with pytest.raises(TypeError, match=r"^w: primitiv has no float64; .*numpy.asarray\(it, 'float32'\)$"):
        fourfold.save({"w": [1.0]}, io.BytesIO(), to="primitiv")
    file = io.BytesIO()
    fourfold.save({"w": numpy.asarray([1.0, 2.0], "float32")}, file, to="primitiv")
    assert fourfold.tensors(file.getvalue())["w"].tolist() == [1, 2]


def test_what_is_no_file_is_named(tmp_path):
    with pytest.raises(TypeError, match="open for reading is required, not 'bytes'; use `loads` for bytes"):
        biniou.load(b"\x18\x00")
    with pytest.raises(TypeError, match="open for reading is required, not 'int'$"):
        biniou.load(5)
    with pytest.raises(TypeError, match="open for writing is required, not 'NoneType'$"):
        biniou.dump(1, None)
    with pytest.raises(TypeError, match="open for writing is required, not 'NoneType'$"):
        fourfold.convert(MODEL, None)
    with pytest.raises(ValueError, match="^a file without a name: unknown container; pass `to`"):
        fourfold.save({"w": numpy.ones(2)}, io.BytesIO())


WRONG = [
    lambda path: fourfold.detect(b""),
    lambda path: fourfold.detect(bytes(range(60, 90)) * 9),
    lambda path: fourfold.detect(b'{"a": 1}'),
    lambda path: fourfold.detect(b"00112233445566778899aabbccddeeff" * 2),
    lambda path: fourfold.detect(ATD),
    lambda path: fourfold.detect(b"\x14\x00\x00"),
    lambda path: fourfold.open(BLOCK, format="molecule"),
    lambda path: fourfold.verify(BLOCK, format="molecule"),
    lambda path: fourfold.verify(b"", schema="array A [byte; 2]; array B [byte; 3];"),
    lambda path: fourfold.explain(b"\x93NUMPY" + bytes(99)),
    lambda path: fourfold.convert(MODEL, path / "x.tsm"),
    lambda path: fourfold.convert(MODEL, path / "x.t"),
    lambda path: fourfold.convert(MODEL, path / "x.npz", like=MODEL),
    lambda path: fourfold.tensors(LOG),
    lambda path: fourfold.tensors(b"PAR1" + bytes(99)),
]


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
def test_errors_name_no_flags(wrong, tmp_path):
    """What the command calls its options and subcommands does not help here."""
    with pytest.raises(ValueError) as caught:
        wrong(tmp_path)
    assert "--" not in str(caught.value) and "fourfold " not in str(caught.value)


def stream(values, pause, chunks=False):
    """A process that writes values one by one, and waits for a byte between them."""
    code = (
        "import sys\n"
        "from fourfold import biniou\n"
        f"for value in {values!r}:\n"
        f"    data = biniou.dumps_all([value], chunks={chunks})\n"
        f"    sys.stdout.buffer.write(data[:-1] if {chunks} else data)\n"
        "    sys.stdout.buffer.flush()\n"
        f"    {'sys.stdin.buffer.read(1)' if pause else ''}\n"
        f"sys.stdout.buffer.write({bytes(chunks)!r})\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


@pytest.mark.parametrize("chunks", [False, True])
@pytest.mark.parametrize("is_raw", [False, True])
def test_values_of_a_pipe_come_one_by_one(chunks, is_raw):
    wanted = ["first", "x" * 100_000, "last"]
    process = stream(wanted, True, chunks)
    pipe = process.stdout.raw if is_raw else process.stdout
    values = biniou.load_all(pipe, chunks=chunks)
    for value in wanted:
        # The process goes on when this value was read.
        assert next(values) == value
        process.stdin.write(b".")
        process.stdin.flush()
    assert list(values) == [] and values.framing == ("chunks" if chunks else "values")
    assert process.wait() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a path")
def test_values_of_a_pipe_with_a_path_come_one_by_one(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = threading.Event()

    def write():
        with path.open("wb", 0) as pipe:
            pipe.write(biniou.dumps("first"))
            assert read.wait(60)
            pipe.write(biniou.dumps("last"))

    thread = threading.Thread(target=write)
    thread.start()
    values = biniou.load_all(path)
    assert next(values) == "first"
    read.set()
    assert list(values) == ["last"]
    thread.join()


class Later(io.RawIOBase):
    """A file that has no bytes at every other read."""

    def __init__(self, data):
        self.data = io.BytesIO(data)
        self.is_ready = False

    def read(self, size=-1):
        self.is_ready = not self.is_ready
        return None if self.is_ready else self.data.read(min(size, 1))


def test_an_exception_before_the_first_value_is_not_the_end():
    values = biniou.load_all(Later(biniou.dumps("x")))
    with pytest.raises(BlockingIOError):
        assert values.framing
    assert values.framing == "values"

    values = biniou.load_all(Later(b""))
    with pytest.raises(BlockingIOError):
        assert values.framing
    with pytest.raises(BlockingIOError):
        next(values)


VALUES = [[1, "x"], {"x": 2.5}, b"\xff", "last"]


@pytest.mark.parametrize("first", [["y"], [biniou.Int8(7)], [True], []])
@pytest.mark.parametrize("chunks", [False, True])
def test_a_stream_has_the_values_of_its_bytes(first, chunks):
    values = first + VALUES
    data = biniou.dumps_all([tuple(v) if isinstance(v, list) else v for v in values], chunks=chunks)
    wanted = list(biniou.loads_all(data, names=["x"]))
    assert len(wanted) == len(values)
    for given in (None, chunks):
        assert list(biniou.load_all(io.BytesIO(data), names=["x"], chunks=given)) == wanted
        assert list(biniou.loads_all(data, names=["x"], chunks=given)) == wanted
        assert list(biniou.load_all(OneByOne(data), names=["x"], chunks=given)) == wanted


class OneByOne(io.RawIOBase):
    """A file that returns a byte for each read."""

    def __init__(self, data):
        self.data = io.BytesIO(data)

    def read(self, size=-1):
        return self.data.read(1 if size else 0)


@pytest.mark.parametrize("chunks", [False, True])
def test_errors_of_a_stream_are_those_of_its_bytes(chunks):
    data = bytearray(biniou.dumps_all(["a", (True, False)], chunks=chunks))
    for damaged in (data[:-1], data[:-3], data[: len(data) // 2], bytearray(), flipped(data)):
        errors = []
        for read in (
            lambda: biniou.loads_all(damaged, chunks=chunks),
            lambda: biniou.load_all(io.BytesIO(damaged), chunks=chunks),
            lambda: biniou.load_all(OneByOne(damaged), chunks=chunks),
        ):
            with pytest.raises(fourfold.DecodeError) as caught:
                list(read())
            errors.append((str(caught.value), caught.value.offset, caught.value.path))
        assert errors[0] == errors[1] == errors[2]


def flipped(data):
    """The same with a bool that is 9."""
    at = data.rindex(b"\x00\x01\x00\x00") + 1
    return data[:at] + b"\x09" + data[at + 1 :]


def test_exceptions_of_a_file_are_raised():
    class Failing(io.RawIOBase):
        def read(self, size=-1):
            raise KeyError("no more")

    class Blocking(io.RawIOBase):
        def read(self, size=-1):
            return None

    for file, error in ((Failing(), KeyError), (Blocking(), BlockingIOError)):
        values = biniou.load_all(file)
        for _ in range(2):
            with pytest.raises(error):
                next(values)


@pytest.mark.parametrize("chunks", [False, True])
def test_an_exception_of_read_comes_after_the_values_before_it(chunks):
    data = biniou.dumps_all(["a", "b"], chunks=chunks)
    for end in range(1, len(data)):
        own = KeyError("no more")

        class Failing(io.RawIOBase):
            pieces = [data[:end], own]

            def read(self, size=-1):
                piece = self.pieces.pop(0)
                if piece is own:
                    raise own
                return piece

        values, read = biniou.load_all(Failing(), chunks=chunks), []
        with pytest.raises(KeyError) as raised:
            for value in values:
                read.append(value)
        assert raised.value is own and list(values) == []
        ends = [len(biniou.dumps_all(["a", "b"][:count], chunks=chunks)) - chunks for count in (1, 2)]
        assert read == ["a", "b"][: sum(at <= end for at in ends)]


WORDS = ["date", "code", "size", "request", "host"]


@pytest.mark.parametrize(
    "names",
    [
        ATD,
        str(ATD),
        ATD.read_text(),
        WORDS,
        "\n".join(WORDS),
        biniou.Dictionary(WORDS),
        biniou.Dictionary.from_atd(ATD.read_text()),
    ],
    ids=type,
)
def test_names_as_path_text_and_object(names, tmp_path):
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    for given in (names, tmp_path / "words.txt"):
        data = LOG.read_bytes()
        for value in (
            biniou.load(LOG, names=given),
            biniou.loads(data, names=given),
            next(biniou.load_all(LOG, names=given)),
            next(biniou.loads_all(data, names=given)),
            next(fourfold.open(LOG, names=given)),
        ):
            assert value[0]["code"] == 301
        rows = fourfold.explain(LOG, names=given)
        assert any(row.path == "[1].request" for row in rows)
        assert fourfold.verify(LOG, names=given) == []


@pytest.mark.parametrize("schema", [MOL, str(MOL), molecule.Schema(MOL)], ids=type)
def test_schemas_as_path_and_object(schema):
    with fourfold.open(BLOCK, schema=schema, type="Block") as values:
        assert next(values)["header"]["raw"]["number"] == 0
    assert fourfold.verify(BLOCK, schema=schema, type="Block") == []
    rows = fourfold.explain(BLOCK, schema=schema, type="Block")
    assert any(row.path == "header.raw.timestamp" for row in rows)


def test_schemas_as_text():
    text = "array Uint32 [byte; 4]; table Entry { id: Uint32, }"
    data = molecule.Schema(text).dumps({"id": 7}, "Entry")
    assert molecule.Schema.parse(text).loads(data, "Entry") == {"id": 7}
    with fourfold.open(io.BytesIO(data), schema=text, type="Entry") as values:
        assert list(values) == [{"id": 7}]
    assert fourfold.verify(data, schema=text, type="Entry") == []
    assert any(row.path == "id" for row in fourfold.explain(data, schema=text, type="Entry"))
    with pytest.raises(ValueError, match="line 1, column 19"):
        fourfold.verify(data, schema="table Entry { id: Nothing, }", type="Entry")


@pytest.mark.parametrize("schema", [ATD, str(ATD), ATD.read_text(), biniou.Schema(ATD)], ids=type)
def test_schemas_of_biniou(schema):
    for source in (LOG, LOG.read_bytes(), io.BytesIO(LOG.read_bytes())):
        with fourfold.open(source, schema=schema, type="log_list") as values:
            assert next(values)[0]["code"] == 301
    assert next(fourfold.open(LOG, schema=schema)) == biniou.Schema(ATD).load(LOG, "log_list")
    assert fourfold.verify(LOG, schema=schema, type="log_list") == []
    rows = fourfold.explain(LOG, schema=schema, type="log_list")
    assert any(row.path == "[1].request" for row in rows)
    with pytest.raises(fourfold.DecodeError):
        fourfold.verify(biniou.dumps({"x": 1}), schema=schema, type="log_list")


def test_refused_schemas_and_names():
    for wrong in (5, b"table"):
        with pytest.raises(TypeError, match="not '(int|bytes)'"):
            fourfold.verify(BLOCK, schema=wrong, type="Block")
        for kind in (molecule.Schema, biniou.Schema):
            with pytest.raises(TypeError, match="not '(int|bytes)'"):
                kind(wrong)
    for read in (
        lambda: molecule.Schema("nothing.mol"),
        lambda: biniou.Schema("nothing.atd"),
        lambda: fourfold.verify(BLOCK, schema="nothing.mol"),
        lambda: fourfold.verify(LOG, schema="nothing.atd"),
        lambda: biniou.load(LOG, names="nothing"),
        lambda: biniou.load(LOG, names=pathlib.Path("nothing")),
    ):
        with pytest.raises(FileNotFoundError):
            read()


def test_paths_everywhere(tmp_path):
    """Every function that takes a path takes `pathlib.Path`."""
    path = tmp_path / "a"
    schema = molecule.Schema(MOL)
    biniou.dump("x", path)
    assert biniou.load(path) == "x"
    biniou.dump_all(["x", "y"], path)
    assert list(biniou.load_all(path)) == ["x", "y"]
    schema.dump({"tx_hash": bytes(32), "index": 1}, path, "OutPoint")
    assert schema.load(path, "OutPoint")["index"] == 1
    assert len(list(schema.load_all(path, "OutPoint"))) == 1
    tsm.dump([numpy.ones(2)], path)
    assert tsm.load(path)[0].sum() == 2
    primitiv.save({"w": numpy.ones(2, "f4")}, path)
    assert primitiv.load(path)["w"].sum() == 2


TYPED = """
import array, io, mmap, pathlib
import numpy
import fourfold
from fourfold import biniou, tsm

def read(data: bytes | bytearray | memoryview | mmap.mmap | array.array[int], file: io.BytesIO) -> None:
    biniou.loads(data)
    fourfold.detect(data)
    fourfold.tensors(file)
    fourfold.open(data).format
    fourfold.open(pathlib.Path("x"), schema="x.mol", type="X")
    fourfold.open(file, schema=biniou.Schema("x.atd"), type="x")
    module = tsm.Module.open(file)
    module.save(file, tensors={"w": numpy.ones(2)})
    fourfold.save({"w": numpy.ones(2)}, "x", like=file)
    fourfold.convert(file, file, to="npz", raw=True)
"""


def test_types_of_sources():
    api = pytest.importorskip("mypy.api")
    text, errors, code = api.run(["--strict", "--python-version=3.12", "-c", TYPED])
    assert code == 0, text + errors


SCHEMAS = [biniou.Schema, molecule.Schema, lambda it: fourfold.verify(b"", schema=it)]


@pytest.mark.parametrize("schema", SCHEMAS, ids=["atd", "mol", "any"])
def test_a_folder_is_no_schema(schema, tmp_path):
    folder = tmp_path / "x.atd"
    folder.mkdir()
    with pytest.raises(OSError) as raised:
        schema(folder)
    assert raised.value.filename == str(folder)
