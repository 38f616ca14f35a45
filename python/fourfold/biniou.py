"""Reads and writes biniou, OCaml's binary JSON, with `loads` and `dumps` like those of `json`.

>>> from fourfold import biniou
>>> data = biniou.dumps({"name": "molecule", "size": 7})
>>> biniou.loads(data, names=["name", "size"])
{'name': 'molecule', 'size': 7}

With the types of an `.atd` file, `Schema` reads and writes records with all their names, options and variants.

biniou stores hashes of names. A field whose name is not in `names` is a `Hash`.

>>> biniou.loads(data, names=["name"])
{'name': 'molecule', Hash(0x4c53a0c1): 7}
"""

from __future__ import annotations

import operator
import struct
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping, TypeVar, Union

from ._fourfold import (
    BiniouSchema as Schema,
    Dictionary,
    Values,
    biniou_dump as dump,
    biniou_dump_all as dump_all,
    biniou_dumps as dumps,
    biniou_dumps_all as dumps_all,
    biniou_hash,
    biniou_load as load,
    biniou_load_all as load_all,
    biniou_loads as loads,
    biniou_loads_all as loads_all,
    biniou_tag,
)

__all__ = [
    "NONE",
    "Dictionary",
    "Float32",
    "Hash",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "NumVariant",
    "Overlong",
    "Record",
    "Reference",
    "Schema",
    "Shared",
    "Table",
    "Uvint",
    "Values",
    "Variant",
    "dump",
    "dump_all",
    "dumps",
    "dumps_all",
    "hash_of",
    "load",
    "load_all",
    "loads",
    "loads_all",
    "some",
]


_Self = TypeVar("_Self", bound="_Int")


class _Int(int):
    """An integer with a fixed width. It is equal to the plain `int` of the same number."""

    __slots__ = ()

    _least = 0
    _most = 0

    def __new__(cls: type[_Self], value: int) -> _Self:
        # Refuses text and floats: `int` would parse text and truncate floats.
        number = int.__new__(cls, operator.index(value))
        if not cls._least <= number <= cls._most:
            raise ValueError(f"{value} is not from {cls._least} to {cls._most}")
        return number

    def __repr__(self) -> str:
        return f"{type(self).__name__}({int(self)})"


class Int8(_Int):
    """An integer of one byte, from 0 to 255.

    >>> Int8(7), Int8(7) == 7
    (Int8(7), True)
    """

    __slots__ = ()
    _most = 0xFF


class Int16(_Int):
    """An integer of two bytes, from 0 to 65535."""

    __slots__ = ()
    _most = 0xFFFF


class Int32(_Int):
    """A signed integer of four bytes."""

    __slots__ = ()
    _least = -(2**31)
    _most = 2**31 - 1


class Int64(_Int):
    """A signed integer of eight bytes."""

    __slots__ = ()
    _least = -(2**63)
    _most = 2**63 - 1


class Uvint(_Int):
    """An unsigned integer of variable length, below 2**128. A plain `int` is written as a signed one."""

    __slots__ = ()
    _most = 2**128 - 1


class Hash(_Int):
    """The 31-bit hash of a name.

    >>> hash_of("size"), hash_of("size") == 0x4C53A0C1
    (Hash(0x4c53a0c1), True)
    """

    __slots__ = ()
    _most = 2**31 - 1

    def __repr__(self) -> str:
        return f"Hash({int(self):#010x})"


class Float32(float):
    """A float of four bytes, rounded to the nearest. A plain `float` has eight.

    >>> Float32(0.5), Float32(0.5) == 0.5
    (Float32(0.5), True)
    """

    __slots__ = ()

    def __new__(cls, value: float) -> Float32:
        try:
            packed = struct.pack("<f", value)
        except OverflowError:
            raise ValueError(f"{value} is out of the range of 32-bit floats") from None
        return float.__new__(cls, struct.unpack("<f", packed)[0])

    def __repr__(self) -> str:
        return f"Float32({float(self)!r})"


Key = Union[str, Hash]
"""A name, or its hash if the name is unknown."""


class _WithArgument:
    """A variant with at most one argument."""

    arguments: tuple[Any, ...]

    @property
    def has_argument(self) -> bool:
        """Whether there is an argument, which may be a unit (`None`)."""
        return bool(self.arguments)

    @property
    def argument(self) -> Any:
        """The argument; `None` if there is none."""
        return self.arguments[0] if self.arguments else None


@dataclass(frozen=True, init=False, repr=False)
class Variant(_WithArgument):
    """A variant of a sum type, with a name and an optional argument.

    >>> circle = Variant("Circle", 2.5)
    >>> circle, circle.argument, Variant("Point").has_argument
    (Variant('Circle', 2.5), 2.5, False)
    """

    name: Key
    arguments: tuple[Any, ...]

    def __init__(self, name: Key, *arguments: Any) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "arguments", _at_most_one(arguments))

    def __repr__(self) -> str:
        return f"Variant({', '.join(map(repr, (self.name, *self.arguments)))})"


@dataclass(frozen=True, init=False, repr=False)
class NumVariant(_WithArgument):
    """A variant with a number below 128 and an optional argument. OCaml's options have the number 0.

    >>> NONE, some("text")
    (NumVariant(0), NumVariant(0, 'text'))
    """

    number: int
    arguments: tuple[Any, ...]

    def __init__(self, number: int, *arguments: Any) -> None:
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "arguments", _at_most_one(arguments))

    def __repr__(self) -> str:
        return f"NumVariant({', '.join(map(repr, (self.number, *self.arguments)))})"


def _at_most_one(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(arguments) > 1:
        raise TypeError(f"a variant has at most one argument, not {len(arguments)}")
    return arguments


NONE = NumVariant(0)
"""OCaml's `None`. Python's `None` is a unit."""


def some(value: Any) -> NumVariant:
    """OCaml's `Some value`.

    >>> some(7).argument
    7
    """
    return NumVariant(0, value)


@dataclass(frozen=True)
class Record:
    """A record with a repeated name, which a `dict` cannot hold. Other records are a `dict`.

    >>> record = Record((("x", 1), ("x", 2)))
    >>> record["x"], len(record)
    (2, 2)
    """

    fields: tuple[tuple[Key, Any], ...]
    """Names and values, in the order of the bytes."""

    def __getitem__(self, name: Key) -> Any:
        """The last value with this name, which is the one OCaml reads."""
        for key, value in reversed(self.fields):
            if key == name:
                return value
        raise KeyError(name)

    def __len__(self) -> int:
        return len(self.fields)


@dataclass(frozen=True)
class Table:
    """Records with the same fields, one a row: a sequence of `dict`.

    >>> table = Table((("x", "svint"), ("y", "svint")), ((1, 2), (3, 4)))
    >>> table[1], len(table)
    ({'x': 3, 'y': 4}, 2)
    >>> Table.of([{"x": 1, "y": 2}, {"x": 3, "y": 4}]) == table
    True
    """

    columns: tuple[tuple[Key, str], ...]
    """The name of each column, and the tag of its cells: `svint`, `string`, `record`."""

    rows: tuple[tuple[Any, ...], ...]
    """The cells of each row."""

    @classmethod
    def of(cls, records: Iterable[Mapping[Key, Any]]) -> Table:
        """Makes a table of records, which must all have the same names."""
        rows = list(records)
        names = list(rows[0]) if rows else []
        for at, row in enumerate(rows):
            if list(row) != names:
                raise ValueError(f"row {at} has the names {list(row)}, not {names}")
        cells = tuple(tuple(row.values()) for row in rows)
        tags = [biniou_tag(cell) for cell in cells[0]] if cells else []
        return cls(tuple(zip(names, tags)), cells)

    def __getitem__(self, row: int) -> dict[Key, Any] | Record:
        """The record in a row: a `dict`, or a `Record` if a name is repeated."""
        # Refuses a slice: its rows would become one record.
        cells = self.rows[operator.index(row)]
        fields = tuple(zip((name for name, _ in self.columns), cells))
        record = dict(fields)
        return record if len(record) == len(fields) else Record(fields)

    def __iter__(self) -> Iterator[dict[Key, Any] | Record]:
        return (self[row] for row in range(len(self.rows)))

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Shared:
    """A value that references may refer to. Numbers count from 1, in the order in which values begin."""

    number: int
    value: Any


@dataclass(frozen=True)
class Reference:
    """A reference to the shared value with this number, which is earlier or encloses it."""

    number: int


@dataclass(frozen=True)
class Overlong:
    """A value whose length, count or number is encoded in more bytes than needed."""

    extra: tuple[int, int]
    """The number of extra bytes of the first number and of the second."""

    value: Any


def hash_of(name: str) -> Hash:
    """The hash of a name.

    >>> hash_of("name")
    Hash(0x48ff724b)
    """
    return Hash(biniou_hash(name))
