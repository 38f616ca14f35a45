"""Opens, detects, explains, converts and writes files of all formats."""

from __future__ import annotations

import builtins
import html
import os
from typing import IO, TYPE_CHECKING, Any, Iterable, Mapping, Protocol, Union, cast

from . import biniou, molecule, primitiv, tsm
from ._fourfold import (
    Explanation,
    Row,
    convert,
    detect,
    entries_of,
    explain,
    save,
    schema_of,
    tensors,
    verify,
)
from .arrays import Tensors

if TYPE_CHECKING:
    from collections.abc import ItemsView, KeysView, ValuesView

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Buffer

    from ._fourfold import Entries

__all__ = [
    "Explanation",
    "PrimitivFile",
    "Row",
    "TensorFile",
    "convert",
    "detect",
    "explain",
    "open",
    "save",
    "tensors",
    "verify",
]

PathLike = Union[str, "os.PathLike[str]"]


class _Writer(Protocol):
    def write(self, data: bytes, /) -> Any: ...


def _closed() -> ValueError:
    return ValueError("the file is closed; open it again")


class _Closed:
    """Replaces the entries of a closed file."""

    def __getattr__(self, name: str) -> Any:
        raise _closed()

    def __len__(self) -> int:
        raise _closed()

    def __contains__(self, name: object) -> bool:
        raise _closed()


class TensorFile(Tensors):
    """An open file of tensors: safetensors, npz, npy, ONNX, or a TenniS tensor file.

    Tensors without a name are named `value`, `value[1]` and so on.
    """

    __slots__ = ()

    @property
    def format(self) -> str:
        """The format of the file: `safetensors`, `npz`, `npy`, `onnx` or `tsm`."""
        return self._entries.container()

    @property
    def tensors(self) -> Tensors:
        """All tensors by name: the file itself, as other files have them."""
        self._raise_if_closed()
        return self

    def keys(self) -> KeysView[str]:
        """The names, in the order of the file."""
        self._raise_if_closed()
        return super().keys()

    def values(self) -> ValuesView[NDArray[Any]]:
        """The arrays, in the order of the file."""
        self._raise_if_closed()
        return super().values()

    def items(self) -> ItemsView[str, NDArray[Any]]:
        """The names and arrays, in the order of the file."""
        self._raise_if_closed()
        return super().items()

    def save(
        self,
        path: PathLike | _Writer,
        *,
        tensors: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        """Writes the file to a path, which may be its own, or to an object with `write`.

        `tensors` are arrays that replace those of the same names, with the same types and shapes.
        """
        self._entries.save(path, tensors)

    def close(self) -> None:
        """Closes the file. Arrays that were made of it keep its memory map."""
        self._entries = cast("Entries", _Closed())

    def _raise_if_closed(self) -> None:
        if isinstance(self._entries, _Closed):
            raise _closed()

    def __enter__(self) -> TensorFile:
        self._raise_if_closed()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if isinstance(self._entries, _Closed):
            return "<fourfold.TensorFile: closed>"
        return super().__repr__()

    def _repr_html_(self) -> str:
        if isinstance(self._entries, _Closed):
            return html.escape(repr(self))
        return super()._repr_html_()


class PrimitivFile:
    """An open primitiv file: a path, an open file, or its bytes."""

    format = "primitiv"

    def __init__(self, path: PathLike | IO[bytes] | Buffer) -> None:
        self._source = _loaded(path)
        self.path: PathLike | None = None
        """The path; `None` for an open file or bytes."""
        self._content: Any
        self._is_closed = False
        if isinstance(self._source, bytes):
            self._content = primitiv.loads(self._source)
        else:
            self.path = self._source
            self._content = primitiv.load(self._source)

    @property
    def content(self) -> Any:
        """The result of `primitiv.load`: a model as nested dicts, an array, an optimizer."""
        if self._is_closed:
            raise _closed()
        return self._content

    @property
    def tensors(self) -> Tensors:
        """All tensors by name, with the names of nested models joined by dots."""
        if self._is_closed:
            raise _closed()
        return tensors(self._source)

    def save(
        self,
        path: PathLike | _Writer,
        *,
        tensors: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        """Writes the file to a path, which may be its own, or to an object with `write`.

        `tensors` are arrays that replace those of the same names, with the same shapes.
        """
        self.tensors._entries.save(path, tensors)

    def __enter__(self) -> PrimitivFile:
        if self._is_closed:
            raise _closed()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file. Arrays that were made of it keep its memory map."""
        self._is_closed, self._content, self._source = True, None, b""

    def __repr__(self) -> str:
        if self._is_closed:
            return "<fourfold.PrimitivFile: closed>"
        name = "" if self.path is None else f" {os.fspath(self.path)!r}"
        return f"<fourfold.PrimitivFile{name}>"


def open(
    path: PathLike | IO[bytes] | Buffer,
    *,
    format: str | None = None,
    names: biniou.Dictionary | Iterable[str] | PathLike | None = None,
    schema: molecule.Schema | biniou.Schema | PathLike | None = None,
    type: str | None = None,
) -> tsm.Module | TensorFile | PrimitivFile | biniou.Values | molecule.Records:
    """Opens a file of any format, and returns the object of its format.

    | `format` | object |
    |---|---|
    | `tsm` | `tsm.Module`, or `TensorFile` for a file of tensors |
    | `primitiv` | `PrimitivFile` |
    | `safetensors`, `npz`, `npy`, `onnx` | `TensorFile` |
    | `biniou` | `biniou.Values`: an iterator of values; uses `schema` or `names` |
    | `molecule` | `molecule.Records`: an iterator of values; needs `schema` |

    The file of a path is memory-mapped. An open file is read to its end, except with `format="biniou"`, which reads
    values as they come. `schema` is a `Schema` of `molecule` or `biniou`, the path of a `.mol` or `.atd` file, or its text;
    without `type`, the first type that fits is used.

    All have `format` and `close`, and are context managers. A closed file raises `ValueError`.
    """
    if schema is not None:
        known = schema_of(schema)
        of_schema = "biniou" if isinstance(known, biniou.Schema) else "molecule"
        if format not in (None, of_schema):
            raise ValueError(
                f"the schema is for {of_schema}, but the requested format is {format}"
            )
        if isinstance(known, biniou.Schema) and type is not None and hasattr(path, "read1"):
            return known.load_all(cast("IO[bytes]", path), type)
        source = _loaded(path)
        type = known.select(source) if type is None else type
        if isinstance(source, bytes):
            return known.loads_all(source, type)
        return known.load_all(source, type)
    if format == "biniou" and hasattr(path, "read1"):
        return biniou.load_all(cast("IO[bytes]", path), names=names)
    source = _loaded(path)
    found = format or detect(source)
    if found == "biniou":
        if isinstance(source, bytes):
            return biniou.loads_all(source, names=names)
        return biniou.load_all(source, names=names)
    if found == "primitiv":
        return PrimitivFile(source)
    if found == "molecule":
        raise ValueError("Molecule needs a schema: pass schema=")
    if found == "tsm" and tsm.Module.is_module(source):
        return tsm.Module.open(source)
    # `entries_of` refuses a package.
    if found not in ("tsm", "safetensors", "npz", "npy", "onnx", "sta"):
        raise ValueError(
            f"{found!r} is not a format; use one of molecule, biniou, tsm, primitiv, safetensors, npz, npy, onnx"
        )
    return TensorFile(entries_of(source))


def _loaded(source: Any) -> PathLike | bytes:
    """A path itself, or the bytes of an open file or of a buffer."""
    if isinstance(source, (str, os.PathLike)):
        return source
    try:
        # A mapped file has both: all its bytes, and `read` from a position.
        return bytes(memoryview(source))
    except TypeError:
        pass
    if not hasattr(source, "read"):
        found = builtins.type(source).__name__
        raise TypeError(
            f"a path, a file that is open for reading, or its bytes are required, not {found!r}"
        )
    data = source.read()
    if isinstance(data, str):
        raise TypeError("the file is open for text; open it with mode 'rb'")
    return bytes(data)
