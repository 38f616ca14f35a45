"""Reads and writes packages of SeetaFace (`.sta`, `.csta`), which contain modules of TenniS.

A package is a value such as that of JSON: dicts, lists, text, numbers, bools and `None`, with the bytes of modules in it.

>>> from fourfold import sta
>>> data = sta.dumps({"name": "face", "sizes": [7, 0.5], "tsm": b"the bytes of a module"})
>>> sta.loads(data)["sizes"]
[7, 0.5]

`tsm.Module.loads(package["tsm"])` is the module in such a package, and `module.dumps()` are the bytes to put in its place. Integers and
floats have 32 bits: floats are rounded, and those that would be 0 or infinite are refused. Text that is not UTF-8 has
surrogates, as in names of files (`surrogateescape`).
"""

from __future__ import annotations

from ._fourfold import (
    sta_dump as dump,
    sta_dumps as dumps,
    sta_load as load,
    sta_loads as loads,
)

__all__ = ["dump", "dumps", "load", "loads"]
