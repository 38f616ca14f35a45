"""A mapping of tensor names to NumPy arrays."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterator, Mapping

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._fourfold import Entries

__all__ = ["Tensors"]

_MOST_SHOWN = 10
_MOST_ROWS = 200


class Tensors(Mapping[str, "NDArray[Any]"]):
    """A read-only mapping of names to arrays, in the order of the file.

    An array is made when it is looked up. It is a read-only view of the file's memory map, which it keeps open.
    `numpy.array(array)` makes a writable copy.

    `repr` and `about` show shapes and types without making arrays:

    >>> import numpy, fourfold
    >>> graph = fourfold.tsm.ModuleBuilder()
    >>> w = graph.const("w", numpy.zeros((2, 3), numpy.float32))
    >>> tensors = graph.build([], [w]).tensors
    >>> tensors
    Tensors('w': float32 [2, 3])
    >>> tensors["w"].shape, list(tensors)
    ((2, 3), ['w'])
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Entries) -> None:
        self._entries = entries

    def __getitem__(self, name: str) -> NDArray[Any]:
        # No tensor has a name with a surrogate.
        try:
            return self._entries.array(name)
        except (TypeError, UnicodeEncodeError):
            if name in self:
                raise
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries.names())

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and name in self._entries
        except UnicodeEncodeError:
            return False

    def __getstate__(self) -> tuple[None, dict[str, Entries]]:
        """The state of a copy. Without this method, old protocols refuse `__slots__` before the entries say what to do."""
        return None, {"_entries": self._entries}

    # Comparing arrays returns no truth value, so mappings are compared by identity.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def notes(self) -> dict[str, str]:
        """The metadata of the file, which safetensors files have."""
        return self._entries.notes()

    @property
    def unread(self) -> dict[str, str]:
        """Tensors that cannot be read, which are not in the mapping: their names, with the reasons."""
        return self._entries.unread()

    def about(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The type and shape of each tensor: `{"w": ("float32", (2, 3))}`."""
        return {name: (dtype, tuple(shape)) for name, dtype, shape in self._entries.about()}

    def _repr_html_(self) -> str:
        """A table for Jupyter, without making arrays."""
        about = self._entries.about()
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{dtype}</td><td>{shape}</td></tr>"
            for name, dtype, shape in about[:_MOST_ROWS]
        )
        more = f"<p>{len(about) - _MOST_ROWS} more</p>" if len(about) > _MOST_ROWS else ""
        head = "<thead><tr><th>name</th><th>type</th><th>shape</th></tr></thead>"
        unread = "".join(
            f"<p>not read: {html.escape(name)}: {html.escape(reason)}</p>"
            for name, reason in list(self.unread.items())[:_MOST_SHOWN]
        )
        return f"<table>{head}<tbody>{rows}</tbody></table>{more}{unread}"

    def __repr__(self) -> str:
        about = self._entries.about()
        shown = [f"{name!r}: {dtype} {shape}" for name, dtype, shape in about[:_MOST_SHOWN]]
        more = [f"{len(about) - _MOST_SHOWN} more"] if len(about) > _MOST_SHOWN else []
        unread = [f"{len(self.unread)} not read"] if self.unread else []
        return f"{type(self).__name__}({', '.join(shown + more + unread)})"
