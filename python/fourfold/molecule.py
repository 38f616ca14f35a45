"""Reads and writes Molecule, the format of Nervos CKB, with a schema.

>>> from fourfold import molecule
>>> schema = molecule.Schema.parse('''
...     array Uint64 [byte; 8];
...     vector Bytes <byte>;
...     option BytesOpt (Bytes);
...     table Cell { capacity: Uint64, data: BytesOpt, }
... ''')
>>> data = schema.dumps({"capacity": 6_100_000_000, "data": None}, "Cell")
>>> data.hex()
'140000000c00000014000000009d966b01000000'
>>> schema.loads(data, "Cell")
{'capacity': 6100000000, 'data': None}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._fourfold import Records, Schema

__all__ = ["Records", "Schema", "Union"]


@dataclass(frozen=True, repr=False)
class Union:
    """A value of a union: the name of the chosen item type, and its value.

    >>> Union("Bytes", b"mol")
    Union('Bytes', b'mol')
    """

    type: str
    value: Any

    def __repr__(self) -> str:
        return f"Union({self.type!r}, {self.value!r})"
