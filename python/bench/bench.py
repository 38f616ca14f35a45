"""Compares the speed of reading and writing with `safetensors` and `msgpack`.

    pip install './python[test]'
    python python/bench/bench.py                # prints a table
    python python/bench/bench.py --write docs/python-speed.md

Each figure is the best of several runs, with the files in the system's cache. `--quick` uses small files.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import pathlib
import platform
import tempfile
import time
from typing import Any, Callable

import msgpack  # type: ignore[import-untyped]
import numpy
import safetensors
import safetensors.numpy

import fourfold
from fourfold import biniou, primitiv, tsm

Case = tuple[str, str, Callable[[], Any]]


def best(works: list[Callable[[], Any]], seconds: float) -> list[float]:
    """The shortest time of a run of each, in seconds. They take turns, so that a slow moment of the machine slows all."""
    shortest = [math.inf] * len(works)
    spent = [0.0] * len(works)
    gc.collect()
    rounds = 0
    while rounds < 5 or min(spent) < seconds:
        for at, work in enumerate(works):
            if rounds < 5 or spent[at] < seconds:
                start = time.perf_counter()
                result = work()
                took = time.perf_counter() - start
                del result
                shortest[at] = min(shortest[at], took)
                spent[at] += took
        rounds += 1
    return shortest


def arrays_of(count: int, size: int) -> dict[str, Any]:
    """`count` tensors of `size` floats."""
    random = numpy.random.default_rng(1)
    return {f"w{at:05}": random.random((size,), numpy.float32) for at in range(count)}


def write(folder: pathlib.Path, arrays: dict[str, Any]) -> dict[str, str]:
    """Writes the same tensors in each container."""
    paths = {name: os.fspath(folder / f"t.{name}") for name in ("safetensors", "tsm", "model")}
    safetensors.numpy.save_file(arrays, paths["safetensors"])
    graph = tsm.ModuleBuilder()
    nodes = [graph.const(name, array) for name, array in arrays.items()]
    graph.build([], nodes).save(paths["tsm"])
    primitiv.save(arrays, paths["model"])
    return paths


def safetensors_names(path: str) -> Any:
    with safetensors.safe_open(path, "numpy") as file:
        return list(file.keys())


def msgpack_model(path: str) -> dict[str, Any]:
    """Reads a model of primitiv with msgpack alone."""
    with open(path, "rb") as file:
        unpacker = msgpack.Unpacker(file, raw=False, max_buffer_size=0)
        major, minor, kind, count = (unpacker.unpack() for _ in range(4))
        assert (major, minor, kind) == (0, 1, 0x300)
        model: dict[str, Any] = {}
        for _ in range(count):
            key = unpacker.unpack()
            dims, batch, data = unpacker.unpack(), unpacker.unpack(), unpacker.unpack()
            stats = unpacker.unpack()
            assert batch == 1 and stats == 0
            array = numpy.frombuffer(data, "<f4").reshape(dims or (), order="F")
            parent = model
            for name in key[:-1]:
                parent = parent.setdefault(name, {})
            parent[key[-1]] = array
        return model


def total(arrays: Any) -> float:
    """Sums every element."""
    return float(sum(array.sum() for array in arrays.values()))


def copies(arrays: Any) -> dict[str, Any]:
    return {name: numpy.array(array) for name, array in arrays.items()}


def tensor_cases(paths: dict[str, str]) -> list[tuple[str, list[Case]]]:
    st, module, model = paths["safetensors"], paths["tsm"], paths["model"]
    load_file = safetensors.numpy.load_file
    return [
        (
            "open, list the names",
            [
                ("safetensors", "load_file(f).keys()", lambda: list(load_file(st))),
                ("safetensors", "safe_open(f).keys()", lambda: safetensors_names(st)),
                ("fourfold, .safetensors", "tensors(f)", lambda: list(fourfold.tensors(st))),
                (
                    "fourfold, .tsm",
                    "Module.open(f).tensors",
                    lambda: list(tsm.Module.open(module).tensors),
                ),
            ],
        ),
        (
            "all as arrays",
            [
                ("safetensors", "load_file(f)", lambda: load_file(st)),
                ("fourfold, .safetensors", "dict(tensors(f))", lambda: dict(fourfold.tensors(st))),
                (
                    "fourfold, .tsm",
                    "dict(Module.open(f).tensors)",
                    lambda: dict(tsm.Module.open(module).tensors),
                ),
                ("fourfold, primitiv", "primitiv.load(f)", lambda: primitiv.load(model)),
            ],
        ),
        (
            "all as arrays, and their sum",
            [
                ("safetensors", "load_file(f)", lambda: total(load_file(st))),
                ("fourfold, .safetensors", "tensors(f)", lambda: total(fourfold.tensors(st))),
                (
                    "fourfold, .tsm",
                    "Module.open(f).tensors",
                    lambda: total(tsm.Module.open(module).tensors),
                ),
            ],
        ),
        (
            "all as copies in memory",
            [
                ("safetensors", "load_file(f)", lambda: load_file(st)),
                (
                    "fourfold, .safetensors",
                    "numpy.array of each",
                    lambda: copies(fourfold.tensors(st)),
                ),
                (
                    "fourfold, .tsm",
                    "numpy.array of each",
                    lambda: copies(tsm.Module.open(module).tensors),
                ),
            ],
        ),
        (
            "a model of primitiv",
            [
                ("msgpack", "Unpacker(f), numpy.frombuffer", lambda: msgpack_model(model)),
                ("fourfold, primitiv", "primitiv.load(f)", lambda: primitiv.load(model)),
            ],
        ),
    ]


def value_cases(count: int) -> list[tuple[str, list[Case]]]:
    """Reads and writes a log and lists of numbers in biniou, and the same values in msgpack."""
    folder = pathlib.Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "biniou"
    names = biniou.Dictionary.from_atd((folder / "schemas" / "log.atd").read_text())
    data = (folder / "data" / "log.logs-hundred.biniou").read_bytes()
    value = biniou.loads(data, names=names)
    packed = msgpack.packb(value)
    return [
        (
            "a log of 100 records, read",
            [
                ("msgpack", "unpackb(b)", lambda: msgpack.unpackb(packed)),
                ("fourfold, biniou", "loads(b)", lambda: biniou.loads(data, names=names)),
            ],
        ),
        (
            "a log of 100 records, written",
            [
                ("msgpack", "packb(value)", lambda: msgpack.packb(value)),
                ("fourfold, biniou", "dumps(value)", lambda: biniou.dumps(value)),
            ],
        ),
        *number_cases("integers below 100", [at % 100 for at in range(count)]),
        *number_cases("integers below 100,000", [at * 7 % 100_000 for at in range(count)]),
        *number_cases("floats", [at * 0.5 for at in range(count)]),
    ]


def number_cases(what: str, value: list[Any]) -> list[tuple[str, list[Case]]]:
    data, packed = biniou.dumps(value), msgpack.packb(value)
    return [
        (
            f"{len(value):,} {what}, read",
            [
                ("msgpack", "unpackb(b)", lambda: msgpack.unpackb(packed)),
                ("fourfold, biniou", "loads(b)", lambda: biniou.loads(data)),
            ],
        ),
        (
            f"{len(value):,} {what}, written",
            [
                ("msgpack", "packb(value)", lambda: msgpack.packb(value)),
                ("fourfold, biniou", "dumps(value)", lambda: biniou.dumps(value)),
            ],
        ),
    ]


def shown(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def table(groups: list[tuple[str, list[Case]]], seconds: float) -> list[str]:
    lines = ["| task | package | call | time | relative to the first |", "|---|---|---|--:|--:|"]
    for what, cases in groups:
        times = best([work for _, _, work in cases], seconds)
        for (package, call, _), took in zip(cases, times):
            lines.append(f"| {what} | {package} | `{call}` | {shown(took)} | {took / times[0]:.3g} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small files, short runs")
    parser.add_argument("--write", metavar="FILE", help="write docs/python-speed.md")
    arguments = parser.parse_args()
    seconds = 0.05 if arguments.quick else 1.0
    sizes = [
        ("16 tensors of 16 MiB", 16, 1 << 22),
        ("64 tensors of 1 MiB", 64, 1 << 18),
        ("2,000 tensors of 4 KiB", 2000, 1 << 10),
    ]
    if arguments.quick:
        sizes = [("4 tensors of 64 KiB", 4, 1 << 14), ("50 tensors of 4 KiB", 50, 1 << 10)]
    lines = []
    for title, count, size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            paths = write(pathlib.Path(folder), arrays_of(count, size))
            lines += [f"## {title}", "", *table(tensor_cases(paths), seconds), ""]
    count = 5_000 if arguments.quick else 5_000_000
    lines += ["## Values", "", *table(value_cases(count), seconds), ""]
    versions = ", ".join(
        f"{name} {version}"
        for name, version in (
            ("Python", platform.python_version()),
            ("NumPy", numpy.__version__),
            ("safetensors", safetensors.__version__),
            ("msgpack", ".".join(map(str, msgpack.version))),
        )
    )
    page = "\n".join([*HEAD, versions + ".", "", *lines])
    if arguments.write:
        pathlib.Path(arguments.write).write_text(page, encoding="utf-8")
    print(page)


HEAD = [
    "# Speed of the Python package",
    "",
    "Compared with `safetensors` and `msgpack`. Written by `python python/bench/bench.py --write docs/python-speed.md`.",
    "Each figure is the best of several runs, with files in the system's cache; the calls of a group take turns. The last",
    "column is the time divided by that of the first row of the group.",
    "",
    "Arrays of `fourfold` are views of the file's memory map; those of `load_file` are copies. So the sum and the copy of",
    "all elements are measured too. A tsm file stores names between tensors, so listing them reads through the file, while",
    "`safe_open` reads a header. With many small tensors, NumPy's objects take most of the time.",
    "",
]

if __name__ == "__main__":
    main()
