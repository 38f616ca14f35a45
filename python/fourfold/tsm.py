"""Reads and writes tsm, the format of TenniS: modules and tensor files.

>>> import numpy
>>> from fourfold import tsm
>>> data = tsm.dumps([numpy.arange(6, dtype=numpy.int16).reshape(2, 3)])
>>> tsm.loads(data)[0]
array([[0, 1, 2],
       [3, 4, 5]], dtype=int16)
"""

from __future__ import annotations

from ._fourfold import (
    Module,
    ModuleBuilder,
    Node,
    NodeId,
    NodeShape,
    dtypes,
    tsm_dump as dump,
    tsm_dumps as dumps,
    tsm_load as load,
    tsm_loads as loads,
)

__all__ = [
    "Module",
    "ModuleBuilder",
    "Node",
    "NodeId",
    "NodeShape",
    "dtypes",
    "dump",
    "dumps",
    "load",
    "loads",
]
