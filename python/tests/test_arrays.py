"""Lifetime of arrays, read-only memory, memory use, and threads."""

import gc
import os
import subprocess
import sys
import threading
import time

import numpy
import pytest
from conftest import FIXTURES

import fourfold
from fourfold import biniou, molecule, primitiv, tsm


@pytest.fixture
def path(tmp_path):
    """A module of one large tensor."""
    graph = tsm.ModuleBuilder()
    w = graph.const("w", numpy.arange(1 << 18, dtype=numpy.float32))
    path = tmp_path / "module.tsm"
    graph.build([], [w]).save(path)
    return path


def test_arrays_keep_the_file(path):
    module = tsm.Module.open(path)
    array = module.tensors["w"]
    part = array[10:20]
    with module:
        pass
    del module, array
    path.unlink()
    gc.collect()
    junk = [bytes(1 << 20) for _ in range(64)]
    assert part.tolist() == list(range(10, 20))
    del junk


def test_all_arrays_are_in_the_memory_map(path, tmp_path):
    other = tmp_path / "w.safetensors"
    fourfold.convert(path, other)
    model = tmp_path / "w.model"
    primitiv.save({"w": numpy.arange(1 << 18, dtype="f4")}, model)
    for array in (
        tsm.Module.open(path).tensors["w"],
        tsm.Module.open(path)["w"].value,
        fourfold.tensors(path)["w"],
        fourfold.tensors(other)["w"],
        primitiv.load(model)["w"],
    ):
        assert address_in_map(array), array.base
        gc.collect()
        assert array.sum(dtype="f8") == sum(range(1 << 18))


def address_in_map(array):
    """Whether the array is in a file's memory map; true if the system has no /proc."""
    address = array.__array_interface__["data"][0]
    try:
        maps = open("/proc/self/maps").read().splitlines()
    except OSError:
        return True
    for line in maps:
        span, *_, name = (
            line.split(maxsplit=5) if len(line.split(maxsplit=5)) == 6 else (line.split()[0], "")
        )
        start, end = (int(part, 16) for part in span.split("-"))
        if start <= address < end:
            return name.startswith("/") and ".so" not in name
    return False


def test_arrays_are_read_only(path):
    array = tsm.Module.open(path).tensors["w"]
    with pytest.raises(ValueError):
        array[0] = 1
    with pytest.raises(ValueError):
        array.flags.writeable = True
    with pytest.raises(ValueError):
        array.view("u1").flags.writeable = True
    copy = numpy.array(array)
    copy[0] = 7
    assert array[0] == 0


def test_arrays_survive_a_replaced_file(path):
    array = tsm.Module.open(path).tensors["w"]
    graph = tsm.ModuleBuilder()
    graph.build([], [graph.const("w", numpy.zeros(4, "f4"))]).save(path)
    assert array[7] == 7
    assert tsm.Module.open(path).tensors["w"].tolist() == [0] * 4


def test_arrays_may_be_unaligned():
    for length in range(1, 9):
        graph = tsm.ModuleBuilder()
        node = graph.const("n" * length, numpy.arange(5, dtype="f8"))
        array = tsm.Module.loads(graph.build([], [node]).dumps()).tensors["n" * length]
        assert array.tolist() == [0, 1, 2, 3, 4]
        assert numpy.require(array, requirements="A").flags.aligned


GIBIBYTE = """
import resource, sys
import fourfold, numpy
from fourfold import tsm, primitiv

def grown():
    with open("/proc/self/status") as status:
        return {line.split()[0]: int(line.split()[1]) for line in status if line.startswith("Rss")}

kind, path = sys.argv[1:]
before = grown()
if kind == "tsm":
    module = tsm.Module.open(path)
    names = list(module.tensors)
    array = module.tensors[names[-1]]
else:
    model = primitiv.load(path)
    array = model["w15"]
assert array[-1] == 7, array[-1]
after = grown()
print(sum(after.values()) - sum(before.values()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self")
@pytest.mark.parametrize("kind", ["tsm", "primitiv"])
def test_opening_a_gibibyte_takes_little_memory(kind, tmp_path):
    """Opening takes less than 20 MB for a file of any size."""
    path = tmp_path / "large"
    write_gibibyte(kind, path)
    assert path.stat().st_size > 1 << 30
    done = subprocess.run(
        [sys.executable, "-c", GIBIBYTE, kind, path], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 20_000, "kilobytes"


def write_gibibyte(kind, path):
    """Writes a sparse file: 16 tensors of 64 MiB, each ending with 7."""
    size = 1 << 24
    if kind == "tsm":
        graph = tsm.ModuleBuilder()
        nodes = [graph.const(f"w{at}", numpy.zeros(1, "f4")) for at in range(16)]
        small = graph.build([], nodes).dumps()
        mark = (1).to_bytes(4, "little") * 2 + bytes(4)
        large = (1).to_bytes(4, "little") + size.to_bytes(4, "little")
    else:
        model = {f"w{at:02}": numpy.zeros(2, "f4") for at in range(16)}
        small = primitiv.dumps(model)
        mark = b"\x91\xce\x00\x00\x00\x02\xce\x00\x00\x00\x01\xc4\x08" + bytes(8)
        large = (
            b"\x91\xce"
            + size.to_bytes(4, "big")
            + b"\xce\x00\x00\x00\x01\xc6"
            + (4 * size).to_bytes(4, "big")
        )
    pieces = small.split(mark)
    assert len(pieces) == 17
    with path.open("wb") as file:
        for at, piece in enumerate(pieces):
            if at:
                file.write(large)
                file.seek(4 * size - 4, 1)
                file.write(numpy.array([7], "<f4").tobytes())
            file.write(piece)


def rss():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


LOOPS = {
    "biniou": lambda: biniou.loads(b"\x15\x01\x80\x00\x00\x78\x11\x02", names=NAMES),
    "biniou bytes": lambda: biniou.dumps({"x": 1}),
    "biniou error": lambda: refused(biniou.loads, b"\x00\x09"),
    "molecule": lambda: SCHEMA.loads(ENTRY, "Entry"),
    "molecule bytes": lambda: SCHEMA.dumps(VALUE, "Entry"),
    "tensors": lambda: TENSORS["w"],
    "node": lambda: MODULE.nodes[0].params,
    "primitiv": lambda: primitiv.loads(MODEL),
}
NAMES = biniou.Dictionary(["x"])
SCHEMA = molecule.Schema.parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }")
VALUE = {"id": 7, "name": b"x"}
ENTRY = SCHEMA.dumps(VALUE, "Entry")
MODEL = primitiv.dumps({"a": {"b": numpy.ones(3, "f4")}})
_graph = tsm.ModuleBuilder()
MODULE = _graph.build([], [_graph.const("w", numpy.zeros(3, "f4"))])
TENSORS = MODULE.tensors


def refused(read, data):
    with pytest.raises(fourfold.DecodeError):
        read(data)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self")
@pytest.mark.parametrize("name", LOOPS)
def test_calls_do_not_leak(name):
    """Many calls leave no references and no memory."""
    once = LOOPS[name]
    count = 1_000_000 if name in ("biniou", "biniou bytes", "tensors") else 50_000
    watched = [
        None,
        True,
        7,
        "x",
        b"x",
        dict,
        list,
        numpy.ndarray,
        biniou.Hash,
        fourfold.DecodeError,
    ]
    for _ in range(5_000):
        once()
    gc.collect()
    references = [sys.getrefcount(one) for one in watched]
    blocks, memory = sys.getallocatedblocks(), rss()
    for _ in range(count):
        once()
    gc.collect()
    # Other threads and pytest make a few objects of their own.
    assert abs(sys.getallocatedblocks() - blocks) < 1_000
    for before, one in zip(references, watched):
        assert abs(sys.getrefcount(one) - before) < 1_000, one
    assert rss() - memory < 4_000, "kilobytes"


def ticks_during(work):
    """How often this thread runs, at most once a millisecond, while another one works."""
    took = []

    def run():
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)

    thread = threading.Thread(target=run)
    thread.start()
    ticks = 0
    while not took:
        ticks += 1
        time.sleep(0.001)
    thread.join()
    return ticks, took[0]


WORKS = {
    "verify": lambda data: fourfold.verify(data, format="biniou"),
    "explain": lambda data: fourfold.explain(data, format="biniou", limit=len(data)),
    # Invalid at the end, so that no objects are made: making them needs the interpreter.
    "loads": lambda data: refused(biniou.loads, b"\x14\x02" + data + b"\xff"),
}


@pytest.mark.parametrize("name", WORKS)
def test_other_threads_run_during_a_read(name):
    """A read releases the interpreter, so another thread runs meanwhile."""
    work = WORKS[name]
    for exponent in range(14, 24):
        items = 1 << exponent
        data = b"\x13" + vint(items) + b"\x14" + b"\x02\x11\x02\x00\x01" * items
        ticks, took = ticks_during(lambda: work(data))
        if took > 0.2:
            break
    assert took > 0.2, "the work was too short to measure"
    assert ticks > took / 0.001 / 10, (ticks, took)


def vint(number):
    """The bytes of a vint."""
    data = b""
    while number > 0x7F:
        data += bytes([number & 0x7F | 0x80])
        number >>= 7
    return data + bytes([number])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a path")
@pytest.mark.parametrize(
    "read, path",
    [
        (biniou.load, "biniou/data/log.log_list-three.biniou"),
        (biniou.load_all, "biniou/data/log.log_list-three.biniou"),
        (tsm.Module.open, "tsm/good/packed.tsm"),
        (fourfold.tensors, "tsm/good/packed.tsm"),
        (lambda path: BLOCK.load(path, "Block"), "molecule/genesis/mainnet.bin"),
    ],
)
def test_opening_a_pipe_releases_the_interpreter(read, path, tmp_path):
    """This process writes the other end of the pipe, so a blocked open must release the interpreter."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = (FIXTURES / path).read_bytes()
    thread = threading.Thread(target=lambda: pipe.write_bytes(data))
    thread.start()
    opened = read(pipe)
    thread.join()
    assert opened is not None


BLOCK = molecule.Schema(FIXTURES / "molecule" / "schemas" / "blockchain.mol")


def test_threads_share_a_module():
    module = tsm.Module.open(FIXTURES / "tsm" / "good" / "packed.tsm")
    wanted = [repr(node.params) for node in module.nodes]
    found = []

    def look():
        for _ in range(50):
            found.append([repr(node.params) for node in module.nodes])

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one == wanted for one in found) and len(found) == 200


def test_a_module_may_be_closed_during_a_read(tmp_path):
    graph = tsm.ModuleBuilder()
    w = graph.const("w", numpy.zeros(1 << 22, numpy.float32))
    graph.build([], [w]).save(tmp_path / "w.tsm")
    for _ in range(5):
        module = tsm.Module.open(tmp_path / "w.tsm")
        begun, read = threading.Event(), []

        def reader():
            begun.set()
            read.append(len(module.dumps()))

        thread = threading.Thread(target=reader)
        thread.start()
        begun.wait()
        module.close()
        thread.join()
        # `dumps` finished, or raised because the module was closed.
        assert read in ([], [(tmp_path / "w.tsm").stat().st_size])
        with pytest.raises(ValueError, match="closed"):
            module.dumps()
