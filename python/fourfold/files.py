"""Opens, detects, explains and converts files of all formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, Union

from . import biniou, molecule, primitiv, tsm
from ._fourfold import Explanation, Row, convert, detect, explain, tensors, verify
from .arrays import Tensors

__all__ = [
    "Explanation",
    "PrimitivFile",
    "Row",
    "convert",
    "detect",
    "explain",
    "open",
    "tensors",
    "verify",
]

PathLike = Union[str, "os.PathLike[str]"]


class PrimitivFile:
    """An open primitiv file."""

    format = "primitiv"

    def __init__(self, path: PathLike) -> None:
        self.path = path
        self.content: Any = primitiv.load(path)
        """The result of `primitiv.load`: a model as nested dicts, an array, an optimizer."""

    @property
    def tensors(self) -> Tensors:
        """All tensors by name, with the names of nested models joined by dots."""
        return tensors(self.path)

    def __enter__(self) -> PrimitivFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self.content = None

    def __repr__(self) -> str:
        return f"<fourfold.PrimitivFile {os.fspath(self.path)!r}>"


class TensorFile(Tensors):
    """An open TenniS tensor file. Its tensors are named `value`, `value[1]` and so on."""

    __slots__ = ()
    format = "tsm"

    def __enter__(self) -> TensorFile:
        return self

    def __exit__(self, *exception: object) -> None:
        pass


def open(
    path: PathLike,
    *,
    format: str | None = None,
    names: biniou.Dictionary | Iterable[str] | PathLike | None = None,
    schema: molecule.Schema | None = None,
    type: str | None = None,
) -> tsm.Module | TensorFile | PrimitivFile | biniou.Values | molecule.Records:
    """Opens a file of any format, memory-mapped, and returns the object of its format.

    | `format` | object |
    |---|---|
    | `tsm` | `tsm.Module`, or `TensorFile` for a file of tensors |
    | `primitiv` | `PrimitivFile` |
    | `biniou` | `biniou.Values`: an iterator of values; uses `names` |
    | `molecule` | `molecule.Records`: an iterator of values; needs `schema`; the default of `type` is the first that fits |

    All have `format`, and are context managers.
    """
    if schema is not None:
        return schema.load_all(path, type or schema.select(path))
    found = format or detect(path)
    if found == "biniou":
        return biniou.load_all(path, names=names)
    if found == "primitiv":
        return PrimitivFile(path)
    if found == "molecule":
        raise ValueError("Molecule needs a schema: pass schema=molecule.Schema(path)")
    if found != "tsm":
        raise ValueError(f"{found!r} is not a format; use one of molecule, biniou, tsm, primitiv")
    if tsm.Module.is_module(path):
        return tsm.Module.open(path)
    return TensorFile(tensors(path)._entries)
