"""How long Ctrl-C takes to be heard in the middle of long calls: `python python/bench/interrupts.py [MB]`."""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
import threading
import time
from typing import Any, Callable

import numpy

import fourfold
from fourfold import biniou, molecule, primitiv, tsm

PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)


def measure(name: str, work: Callable[[], Any]) -> None:
    """Prints the time of a call, the longest time from a signal in it to its handler, and from there to `except`.

    In the latter, Python frees the objects that were made until then.
    """
    start = time.perf_counter()
    work()
    whole = time.perf_counter() - start
    heard, left = 0.0, 0.0
    for part in PARTS:
        sent, handled = [0.0], [0.0]

        def fire() -> None:
            sent[0] = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)

        def handle(*_: object) -> None:
            handled[0] = time.perf_counter()
            raise KeyboardInterrupt

        signal.signal(signal.SIGINT, handle)

        timer = threading.Timer(whole * part, fire)
        try:
            timer.start()
            work()
            # The call was faster than the first one.
            timer.join()
            time.sleep(0.1)
        except KeyboardInterrupt:
            left = max(left, time.perf_counter() - handled[0])
            heard = max(heard, handled[0] - sent[0])
    print(f"{name:<32}{whole * 1000:7.0f} ms, heard after {heard * 1000:4.0f} ms, left {left * 1000:4.0f} ms later", flush=True)


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    array = numpy.ones((megabytes, 1 << 18), "f4")
    graph = tsm.ModuleBuilder()
    module = graph.build([], [graph.const("w", array)])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "w.safetensors")
        source = os.path.join(folder, "w.tsm")
        module.save(source)
        measure("Module.dumps", module.dumps)
        measure("Module.save, object", lambda: module.save(io.BytesIO()))
        copy = bytearray(module.dumps())
        measure("Module.loads", lambda: tsm.Module.loads(copy))
        measure("save, contiguous", lambda: fourfold.save({"w": array}, path))
        measure("save, transposed", lambda: fourfold.save({"w": array.T}, path))
        measure("convert to npz", lambda: fourfold.convert(source, os.path.join(folder, "w.npz")))
        measure("primitiv.dumps", lambda: primitiv.dumps({"w": array}))
        measure("tsm.dumps", lambda: tsm.dumps([array]))
    types = molecule.Schema.parse("vector Bytes <byte>; vector Items <Bytes>;")
    items = [b"x" * 8] * (megabytes << 16)
    data = types.dumps(items, "Items")
    measure("molecule.Schema.dumps", lambda: types.dumps(items, "Items"))
    measure(f"molecule.Schema.loads, {len(data) >> 20} MB", lambda: types.loads(data, "Items"))
    log = biniou.Schema.parse("type item = { a : int; b : string } type items = item list")
    records = [{"a": at, "b": "text"} for at in range(megabytes << 13)]
    data = log.dumps(records, "items")
    measure("biniou.Schema.dumps", lambda: log.dumps(records, "items"))
    measure(f"biniou.Schema.loads, {len(data) >> 20} MB", lambda: log.loads(data, "items"))
    measure(f"biniou.loads, {len(data) >> 20} MB", lambda: biniou.loads(data))
    del records
    numbers = biniou.Schema.parse("type numbers = int list")
    data = numbers.dumps(list(range(megabytes << 16)), "numbers")
    name = f"{len(data) >> 20} MB of int"
    measure(f"biniou.Schema.verify, {name}", lambda: numbers.verify(data, "numbers"))
    measure(f"biniou.Schema.loads, {name}", lambda: numbers.loads(data, "numbers"))
    measure(f"biniou.loads, {name}", lambda: biniou.loads(data))
    measure(f"biniou.loads_all, {name}", lambda: next(biniou.loads_all(data)))


if __name__ == "__main__":
    main()
