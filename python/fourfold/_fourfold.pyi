"""The functions and classes that the package's modules re-export."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, Protocol, Union, final, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray
from typing_extensions import Buffer

from .arrays import Tensors
from .primitiv import Optimizer

__all__ = [
    "BiniouSchema",
    "Dictionary",
    "Entries",
    "Explanation",
    "Module",
    "ModuleBuilder",
    "Node",
    "NodeId",
    "NodeShape",
    "Records",
    "Row",
    "Schema",
    "Values",
    "__version__",
    "biniou_dump",
    "biniou_dump_all",
    "biniou_dumps",
    "biniou_dumps_all",
    "biniou_hash",
    "biniou_load",
    "biniou_load_all",
    "biniou_loads",
    "biniou_loads_all",
    "biniou_tag",
    "convert",
    "detect",
    "dtypes",
    "entries_of",
    "explain",
    "primitiv_algorithm",
    "primitiv_configs",
    "primitiv_dumps",
    "primitiv_load",
    "primitiv_loads",
    "primitiv_save",
    "save",
    "schema_of",
    "sta_dump",
    "sta_dumps",
    "sta_load",
    "sta_loads",
    "tensors",
    "tsm_dump",
    "tsm_dumps",
    "tsm_load",
    "tsm_loads",
    "verify",
]

__version__: str

class _Reader(Protocol):
    def read(self) -> bytes: ...

class _Writer(Protocol):
    def write(self, data: bytes, /) -> Any: ...

_Path = Union[str, os.PathLike[str]]
_Buffer = Union[Buffer, NDArray[Any]]
_Source = Union[_Path, _Reader]
_Target = Union[_Path, _Writer]
_Names = Union[Dictionary, Iterable[str], _Path, None]
_Schema = Union[Schema, BiniouSchema, _Path, None]
_Hook = Callable[[dict[Any, Any]], Any]
_Default = Callable[[Any], Any]
_Tensors = Mapping[str, ArrayLike]
_Text = Union[str, bytes]
_Param = Union[bool, int, float, str, bytes, NDArray[Any], numpy.generic, Sequence[Any]]

def biniou_loads(
    data: _Buffer, *, names: _Names = None, object_hook: _Hook | None = None
) -> Any:
    """Reads one value, which must take all bytes of `data`.

    `names` is a `Dictionary`, a list of words, or an `.atd` file or a list of words, one a line: its path or its text.
    Fields and variants whose names are not in it have a `Hash` instead. `object_hook` is called with each dict, innermost
    first; what it returns takes the place of the dict.
    """
def biniou_load(fp: _Source, *, names: _Names = None, object_hook: _Hook | None = None) -> Any:
    """Reads the value of a file: a path, or an object whose `read` returns bytes."""
def biniou_loads_all(
    data: _Buffer,
    *,
    names: _Names = None,
    chunks: bool | None = None,
    object_hook: _Hook | None = None,
) -> Values:
    """Iterates over the values of `data`. Each is read when the iterator reaches it.

    The values are concatenated, or each is in a chunk, as OCaml's `Bi_stream` writes them: `chunks` says which, or else
    the bytes do.
    """
def biniou_load_all(
    fp: _Source,
    *,
    names: _Names = None,
    chunks: bool | None = None,
    object_hook: _Hook | None = None,
) -> Values:
    """Iterates over the values of a file. The file of a path is memory-mapped and read lazily. An open file, such as a
    pipe, is read as its bytes come: a value is returned as soon as its last byte is there.

    The values are concatenated, or each is in a chunk: `chunks` says which. Without `chunks`, an open file whose first
    byte is that of a chunk, or of an int8 or a bool, is read to its end first.
    """
def biniou_dumps(obj: Any, *, default: _Default | None = None) -> bytes:
    """The bytes of a value.

    `default` is called with an object that is not supported; what it returns is written in its place.
    """
def biniou_dump(obj: Any, fp: _Target, *, default: _Default | None = None) -> None:
    """Writes a value to a path, or to an object with `write`. `default` is that of `dumps`."""
def biniou_dumps_all(
    objects: Iterable[Any], *, chunks: bool = False, default: _Default | None = None
) -> bytes:
    """The bytes of several values, concatenated; with `chunks`, each in a chunk, as OCaml's `Bi_stream` writes
    them. `default` is that of `dumps`.
    """
def biniou_dump_all(
    objects: Iterable[Any],
    fp: _Target,
    *,
    chunks: bool = False,
    default: _Default | None = None,
) -> None:
    """Writes several values to a path, or to an object with `write`. `default` is that of `dumps`."""
def biniou_hash(name: str) -> int:
    """The hash of a name, as a number."""
def biniou_tag(value: Any) -> str:
    """The name of the tag that a value is written with."""
def primitiv_loads(data: _Buffer) -> Any:
    """Reads the bytes of a file."""
def primitiv_load(fp: _Source) -> Any:
    """Reads a file: a path, or an object whose `read` returns bytes.

    A model is a dict of parameters by name; nested models are nested dicts. Arrays are column-major, read-only
    and in the file's memory map.
    """
def primitiv_dumps(obj: Any) -> bytes:
    """The bytes of a file with `obj`."""
def primitiv_save(obj: Any, fp: _Target) -> None:
    """Writes a file with `obj`: to a path, through a temporary file that replaces it, or to an object with `write`."""
def primitiv_configs(
    algorithm: str,
) -> tuple[dict[str | bytes, int], dict[str | bytes, float]]:
    """The default integer and float configs of one of primitiv's optimizers."""
def primitiv_algorithm(optimizer: Optimizer) -> str | None:
    """The name of the algorithm with these configs, if it is one of primitiv's."""
def sta_loads(data: _Buffer) -> Any:
    """Reads the bytes of a package."""
def sta_load(fp: _Source) -> Any:
    """Reads a package: a path, or an object whose `read` returns bytes."""
def sta_dumps(obj: Any) -> bytes:
    """The bytes of a package, with the keys of dicts in the order in which OpenRoleZoo writes them."""
def sta_dump(obj: Any, fp: _Target) -> None:
    """Writes a package: to a path, through a temporary file that replaces it, or to an object with `write`."""
def tsm_loads(data: _Buffer) -> list[NDArray[Any]]:
    """Reads the arrays of a tensor file's bytes."""
def tsm_load(fp: _Source) -> list[NDArray[Any]]:
    """Reads the arrays of a tensor file: a path, which is memory-mapped, or an object whose `read` returns bytes."""
def tsm_dumps(arrays: NDArray[Any] | Iterable[ArrayLike]) -> bytes:
    """The bytes of a tensor file with one array or several."""
def tsm_dump(arrays: NDArray[Any] | Iterable[ArrayLike], fp: _Target) -> None:
    """Writes a tensor file: to a path, through a temporary file that replaces it, or to an object with `write`."""
def dtypes() -> dict[str, numpy.dtype[Any]]:
    """The NumPy dtypes of TenniS's element types, by TenniS's names."""
def detect(source: _Source | _Buffer) -> str:
    """Detects the format of a path, an open file or bytes: `molecule`, `biniou`, `tsm` or `primitiv`; `safetensors`,
    `npz`, `npy` or `onnx`, whose tensors can be read; `sta`, a package of SeetaFace.

    The bytes determine the format; if they are ambiguous, the name of the file does. `ValueError` if neither
    does. Molecule is rarely detected, since its bytes do not describe themselves.
    """
def verify(
    source: _Source | _Buffer,
    *,
    format: str | None = None,
    names: _Names = None,
    schema: _Schema = None,
    type: str | None = None,
) -> list[str]:
    """Reads a path, an open file or bytes completely. Raises `DecodeError` for invalid bytes, and returns warnings about
    valid but suspicious ones. The arguments are those of `explain`. Of safetensors, npz, npy and ONNX, everything but the
    elements of tensors is read.

    With `schema` and without `type`, the first type that fits is used, with a warning if there are several.
    """
def explain(
    source: _Source | _Buffer,
    *,
    format: str | None = None,
    names: _Names = None,
    schema: _Schema = None,
    type: str | None = None,
    limit: int = 100_000,
) -> Explanation:
    """Explains each byte of a path, an open file or bytes, including invalid bytes and their errors.

    `names` is that of `fourfold.biniou.loads`. Molecule needs `schema`, since its bytes do not describe themselves: a
    `molecule.Schema`, the path of a `.mol` or `.atd` file, or its text. Without `type`, the first type that fits is used,
    and `note` describes how it was selected. A large file is explained up to `limit` rows.

    >>> import fourfold
    >>> rows = fourfold.explain(fourfold.biniou.dumps([1, 2]))
    >>> rows[1].what, rows[1].start, rows[1].end, rows[1].value
    ('count of items', 1, 2, '2')
    """
def schema_of(schema: Schema | BiniouSchema | _Path) -> Schema | BiniouSchema:
    """The object of a schema that is given as an object, a path or a text."""
def tensors(path: _Source | _Buffer, *, all: bool = False) -> Tensors:
    """The tensors of a tsm, primitiv, safetensors, npz, npy or ONNX file: a path, an open file or bytes. Its bytes or else its
    name determine the format.

    Returns a read-only mapping of names to arrays. The arrays are in the file's memory map, except for those of a
    compressed npz. With `all`, it includes the attributes of a module's operators.

    Tensors that have no array, such as those of text, are not in the mapping: a `UserWarning` names them, and `unread`
    has the reasons.
    """
def entries_of(path: _Source | _Buffer) -> Entries:
    """The entries of a file, for `fourfold.open`."""
def convert(
    source: _Source | _Buffer,
    target: _Target,
    *,
    to: str | None = None,
    like: _Source | _Buffer | None = None,
    all: bool = False,
    raw: bool = False,
    inputs: Mapping[str, Sequence[int]] | None = None,
) -> None:
    """Converts the tensors of a file to another container: tsm, primitiv, safetensors, npz or npy; or a graph to
    ONNX or tsm. The name of `target` determines it, or `to`, with these names in lower case: `to="onnx"`. Both files are
    paths or open files.

    `like` is the original tsm or primitiv file, from which everything but the tensors is copied; it is required for
    a tsm module. With `all`, attributes of a module's operators are written too. With `raw`, elements that npz and npy
    lack, such as bfloat16, are written as the numbers of their bits, although these are other values. A `UserWarning`
    reports safetensors metadata that the container cannot store.

    With a name that ends with `.onnx`, or `to="onnx"`, a TenniS module is converted to a model of ONNX that computes the
    same, and a model becomes a module with a name that ends with `.tsm`, without `like`. `inputs` are shapes in place of
    those that the source stores, as in `Module.shapes`: `{"x": (1, 3, 224, 224)}`, with -1 for an unknown size. A
    `ValueError` lists all nodes that have no exact counterpart.
    """
def save(
    tensors: _Tensors,
    path: _Target,
    *,
    like: _Source | _Buffer | None = None,
    to: str | None = None,
    raw: bool = False,
) -> None:
    """Writes arrays by name to a tsm, primitiv, safetensors, npz or npy file: a path, or an object with `write`.

    `like` is a file of the same container, whose tensors are replaced by the arrays of the same names, types and
    shapes. Its other tensors, and everything else in it, are kept. It may be the file that is written. It is required for
    a tsm module.

    Without `like`, the file has these tensors only. The name of `path` or `to` determines the container. `raw` is that
    of `convert`.

    >>> import io, numpy, fourfold
    >>> file = io.BytesIO()
    >>> fourfold.save({"w": numpy.ones(2, "float32")}, file, to="npz")
    >>> other = io.BytesIO()
    >>> fourfold.save({"w": numpy.zeros(2, "float32")}, other, like=file.getvalue())
    >>> fourfold.tensors(other.getvalue())["w"]
    array([0., 0.], dtype=float32)
    """

@final
class Dictionary:
    """Names for the hashes in bytes.

    >>> from fourfold.biniou import Dictionary
    >>> names = Dictionary(["name", "size"])
    >>> names, "size" in names, list(names)
    (Dictionary(2 names), True, ['name', 'size'])

    Two names with the same hash are refused.
    """
    def __new__(cls, words: Iterable[str] | None = None) -> Dictionary: ...
    @staticmethod
    def from_words(text: str) -> Dictionary:
        """Reads names from a text, one a line."""
    @staticmethod
    def from_atd(text: str) -> Dictionary:
        """Reads the names of fields and variants from the text of an `.atd` file."""
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __reduce__(self) -> tuple[type[Dictionary], tuple[list[str]]]: ...

@final
class Values:
    """An iterator over the values of a file.

    The first invalid value raises `DecodeError` and ends the iterator, and so does an exception of the file's `read` in the
    middle of the values. After an exception of `object_hook`, the next call
    returns the next value. As with generators, only one thread
    may call `next` at a time.
    """
    @property
    def format(self) -> str:
        """The format of the values."""
    @property
    def framing(self) -> str:
        """`values` if the values are concatenated, or `chunks`."""
    def __iter__(self) -> Values: ...
    def __next__(self) -> Any: ...
    def close(self) -> None:
        """Closes the file: there is no next value."""
    def __enter__(self) -> Values: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Schema:
    """The types that a `.mol` file declares, and those it imports: `Schema("blockchain.mol")`.

    >>> from fourfold.molecule import Schema
    >>> schema = Schema.parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }")
    >>> data = schema.dumps({"id": 7, "name": b"mol"}, "Entry")
    >>> schema.loads(data, "Entry")
    {'id': 7, 'name': b'mol'}
    >>> schema
    Schema('Bytes', 'Entry')

    Molecule's bytes do not describe themselves, so each call needs the name of a type.
    """
    def __new__(cls, path: _Path) -> Schema: ...
    @staticmethod
    def parse(text: str) -> Schema:
        """Reads a schema from a text, without imports."""
    def select(self, source: _Source | _Buffer) -> str:
        """The type of a path, an open file or bytes: the first type of the schema that fits. Raises `DecodeError` with the error of the
        type that fits best if none does.
        """
    @property
    def types(self) -> list[str]:
        """The names of all declared types."""
    def loads(
        self,
        data: _Buffer,
        type: str,
        *,
        compatible: bool = False,
        object_hook: _Hook | None = None,
    ) -> Any:
        """Reads one value of the given type, which must take all bytes of `data`.

        With `compatible`, tables may have more fields than the schema: `$extra` lists the bytes of each.

        `object_hook` is called with each dict, innermost first; what it returns takes the place of the dict.
        """
    def load(
        self,
        fp: _Source,
        type: str,
        *,
        compatible: bool = False,
        object_hook: _Hook | None = None,
    ) -> Any:
        """Reads the value of a file: a path, or an object whose `read` returns bytes."""
    def loads_all(
        self, data: _Buffer, type: str, *, object_hook: _Hook | None = None
    ) -> Records:
        """Iterates over the values of `data`: concatenated tables or dynvecs, or one value of another type."""
    def load_all(
        self, fp: _Source, type: str, *, object_hook: _Hook | None = None
    ) -> Records:
        """Iterates over the values of a file. A path is memory-mapped and read lazily."""
    def dumps(self, obj: Any, type: str, *, default: _Default | None = None) -> bytes:
        """The bytes of a value of the given type.

        Option fields may be omitted. `default` is called with an object whose type does not fit; what it returns is written in its
        place.
        """
    def dump(
        self, obj: Any, fp: _Target, type: str, *, default: _Default | None = None
    ) -> None:
        """Writes a value to a path, or to an object with `write`. `default` is that of `dumps`."""
    def verify(self, data: _Buffer, type: str, *, compatible: bool = False) -> None:
        """Checks that `data` is a value of the given type, including nested values; raises `DecodeError` if not."""
    def __contains__(self, type: str, /) -> bool: ...
    def __reduce__(self) -> tuple[type[Schema], tuple[str]]: ...

@final
class BiniouSchema:
    """The types that an `.atd` file defines, and those that it takes from others: `Schema("log.atd")`.

    >>> from fourfold.biniou import Schema
    >>> schema = Schema.parse('''
    ...     type color = [ Red | Gray of int ]
    ...     type shape = { id : int; color : color; ?label : string option }
    ... ''')
    >>> data = schema.dumps({"id": 7, "color": ["Gray", 5]}, "shape")
    >>> schema.loads(data, "shape")
    {'id': 7, 'color': ['Gray', 5], 'label': None}
    >>> schema
    Schema('color', 'shape')

    Values have the form of atdgen's JSON: records are dicts, and a variant is its name, or a list of its name and
    argument. An option is `None` or its value, and an `int64` is an `int`. Fields that the type does not have are skipped.
    """
    def __new__(cls, path: _Path) -> BiniouSchema: ...
    @staticmethod
    def parse(text: str) -> BiniouSchema:
        """Reads a schema from a text."""
    def select(self, source: _Source | _Buffer) -> str:
        """The type of a path, an open file or bytes: the first type of the schema that fits. Raises `DecodeError` with the error of the
        type that fits best if none does.
        """
    @property
    def types(self) -> list[str]:
        """The names of all defined types that have no parameters."""
    def loads(self, data: _Buffer, type: str, *, object_hook: _Hook | None = None) -> Any:
        """Reads one value of the given type, which must take all bytes of `data`.

        `object_hook` is called with each dict, innermost first; what it returns takes the place of the dict.
        """
    def load(self, fp: _Source, type: str, *, object_hook: _Hook | None = None) -> Any:
        """Reads the value of a file: a path, or an object whose `read` returns bytes."""
    def loads_all(
        self,
        data: _Buffer,
        type: str,
        *,
        chunks: bool | None = None,
        object_hook: _Hook | None = None,
    ) -> Values:
        """Iterates over the values of `data`, all of the given type. `chunks` is that of `biniou.loads_all`."""
    def load_all(
        self,
        fp: _Source,
        type: str,
        *,
        chunks: bool | None = None,
        object_hook: _Hook | None = None,
    ) -> Values:
        """Iterates over the values of a file, all of the given type. `fp` and `chunks` are those of `biniou.load_all`."""
    def dumps(self, obj: Any, type: str, *, default: _Default | None = None) -> bytes:
        """The bytes of a value of the given type, as atdgen writes them.

        Options and fields with a default may be omitted. `default` is called with an object whose type does not fit; what
        it returns is written in its place.
        """
    def dump(
        self, obj: Any, fp: _Target, type: str, *, default: _Default | None = None
    ) -> None:
        """Writes a value to a path, or to an object with `write`. `default` is that of `dumps`."""
    def dumps_all(
        self,
        objects: Iterable[Any],
        type: str,
        *,
        chunks: bool = False,
        default: _Default | None = None,
    ) -> bytes:
        """The bytes of several values of the given type, concatenated; with `chunks`, each in a chunk."""
    def dump_all(
        self,
        objects: Iterable[Any],
        fp: _Target,
        type: str,
        *,
        chunks: bool = False,
        default: _Default | None = None,
    ) -> None:
        """Writes several values of the given type to a path, or to an object with `write`."""
    def verify(self, data: _Buffer, type: str) -> None:
        """Checks that `data` is a value of the given type, including nested values; raises `DecodeError` if not."""
    def __contains__(self, type: str, /) -> bool: ...
    def __reduce__(self) -> tuple[type[BiniouSchema], tuple[str]]: ...

@final
class Records:
    """An iterator over the values of a file.

    An invalid record raises `DecodeError`; the next call returns the record after it, if the start of that record
    is known.
    """
    @property
    def format(self) -> str:
        """The format of the values."""
    def __iter__(self) -> Records: ...
    def __next__(self) -> Any: ...
    def close(self) -> None:
        """Closes the file: there is no next value."""
    def __enter__(self) -> Records: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Entries:
    """Tensors by name. An array is made when it is looked up."""
    def names(self) -> list[str]:
        """The names, in the order of the file."""
    def array(self, name: str) -> NDArray[Any]:
        """The array with a name; `KeyError` if there is none, `ValueError` if it cannot be read."""
    def about(self) -> list[tuple[str, str, list[int]]]:
        """The name, element type and shape of each."""
    def notes(self) -> dict[str, str]:
        """The file's metadata, as safetensors has it."""
    def unread(self) -> dict[str, str]:
        """The names of tensors that cannot be read, with the reasons."""
    def container(self) -> str:
        """The name of the container."""
    def save(self, target: _Target, tensors: _Tensors | None) -> None:
        """Writes the file with other arrays: to a path, or to an object with `write`."""
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Module:
    """A TenniS module: a graph of operators and its tensors.

    `Module.open` memory-maps a file: only used tensors are read, and arrays keep the map. Do not change or
    truncate the file while arrays use it; replace it by a rename, as `save` does.
    """
    @staticmethod
    def open(path: _Source | _Buffer) -> Module:
        """Opens a `.tsm` file: a path, which is memory-mapped, or an open file, which is read to its end."""
    @staticmethod
    def is_module(path: _Source | _Buffer) -> bool:
        """Whether a file is a module and not a tensor file."""
    @staticmethod
    def loads(data: _Buffer) -> Module:
        """Reads the bytes of a `.tsm` file."""
    @property
    def format(self) -> str:
        """The format of the file."""
    @property
    def nodes(self) -> list[Node]:
        """All nodes, in the order of the file."""
    @property
    def inputs(self) -> list[Node]:
        """The nodes that are inputs, in the order of the arguments."""
    @property
    def outputs(self) -> list[Node]:
        """The nodes whose outputs are the module's, in their order."""
    @property
    def operators(self) -> dict[str, int]:
        """The count of each operator, the most frequent first."""
    @property
    def tensors(self) -> Tensors:
        """The tensors of `<const>` nodes: a read-only mapping of names to arrays, without a copy."""
    def check(self) -> list[str]:
        """Errors for which TenniS refuses the module, and warnings, each as a text."""
    def shapes(self, inputs: Mapping[str, Sequence[int]] | None = None) -> dict[_Text, NodeShape]:
        """The shape and type of every node's output by the node's name, and what the node costs, as TenniS computes them.

        `inputs` are shapes of inputs by name, with -1 for an unknown size; other inputs have those that the module
        stores. `ValueError` if TenniS would refuse them.

        >>> from fourfold.tsm import ModuleBuilder
        >>> graph = ModuleBuilder()
        >>> x = graph.param("x", shape=[-1, 3, 4], dtype="float32")
        >>> module = graph.build([x], [graph.op("flatten", "flat", [x])])
        >>> module.shapes()["flat"]
        <fourfold.tsm.NodeShape: float32 [?, 12]>
        >>> module.shapes({"x": (2, 3, 5)})["flat"].shape
        (2, 15)
        """
    def dumps(self) -> bytes:
        """The bytes of the `.tsm` file."""
    def save(self, path: _Target, *, tensors: _Tensors | None = None) -> None:
        """Writes the `.tsm` file: to a path, tensor by tensor, through a temporary file that replaces it, or to an object
        with `write`. The path may be that of the open module.

        `tensors` are arrays that replace those of the same names in `module.tensors`, with the same types and shapes.
        The module itself remains unchanged.

        >>> import io, numpy
        >>> from fourfold.tsm import Module, ModuleBuilder
        >>> graph = ModuleBuilder()
        >>> module = graph.build([], [graph.const("w", numpy.ones(2, numpy.float32))])
        >>> file = io.BytesIO()
        >>> module.save(file, tensors={"w": 2 * module.tensors["w"]})
        >>> Module.loads(file.getvalue()).tensors["w"]
        array([2., 2.], dtype=float32)
        """
    def convert(
        self,
        path: _Target,
        *,
        to: str | None = None,
        like: _Source | _Buffer | None = None,
        all: bool = False,
        raw: bool = False,
    ) -> None:
        """Converts the tensors to safetensors, npz, npy, tsm or primitiv. See `fourfold.convert`."""
    def svg(self) -> str:
        """A picture of the graph, as SVG."""
    def close(self) -> None:
        """Closes the module. Existing arrays and nodes keep the file open."""
    def _repr_svg_(self) -> str | None: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Callable[[type[Module]], Module], tuple[type[Module]]]: ...
    def __getitem__(self, name: str, /) -> Node: ...
    def __iter__(self) -> Iterator[Node]: ...
    def __len__(self) -> int: ...
    def __enter__(self) -> Module: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Node:
    """A node: an operator, an input (`<param>`) or a tensor (`<const>`)."""
    @property
    def index(self) -> int:
        """The index of the node in the module."""
    @property
    def op(self) -> _Text | None:
        """The operator: `conv2d`, `<param>`, `<const>`. `bytes` if it is not UTF-8."""
    @property
    def name(self) -> _Text | None:
        """The name. `bytes` if it is not UTF-8."""
    @property
    def inputs(self) -> list[Node]:
        """The nodes of its arguments, in order."""
    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of its output, with -1 for an unknown size; `None` if not stored."""
    @property
    def dtype(self) -> numpy.dtype[Any] | None:
        """The element type of its output; `None` if not stored."""
    @property
    def params(self) -> dict[_Text, NDArray[Any] | str | list[NDArray[Any]]]:
        """Its params by name: an array, `str` for text, or a list of arrays if there are several. Of equal names, the
        first counts.
        """
    @property
    def param_list(self) -> list[tuple[_Text, NDArray[Any] | str | list[NDArray[Any]]]]:
        """Its params as pairs, in the order of the file; names may repeat."""
    @property
    def value(self) -> NDArray[Any] | str | list[NDArray[Any]] | None:
        """The tensor of a `<const>` node; `None` for other nodes."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> NoReturn: ...

@final
class NodeShape:
    """The shape and type of a node's output, and what the node costs."""
    def __new__(
        cls,
        shape: Sequence[int] | None,
        dtype: DTypeLike | None,
        multiply_adds: int | None = None,
        parameters: int = 0,
        unknown: str | None = None,
    ) -> NodeShape: ...
    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape, with -1 for an unknown size; `None` if it is unknown. Of several outputs, that of the first."""
    @property
    def dtype(self) -> numpy.dtype[Any] | None:
        """The element type; `None` if it is unknown."""
    @property
    def multiply_adds(self) -> int | None:
        """The products that the node adds up: those of convolutions, products of matrices and LSTMs. `None` if unknown."""
    @property
    def parameters(self) -> int:
        """The count of elements of the tensors that are its inputs."""
    @property
    def unknown(self) -> str | None:
        """Why the shape is unknown."""
    def __reduce__(
        self,
    ) -> tuple[type[NodeShape], tuple[tuple[int, ...] | None, str | None, int | None, int, str | None]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class NodeId:
    """A node of a `ModuleBuilder`, for use as an input of other nodes."""
    @property
    def index(self) -> int:
        """The index of the node in the module."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> NoReturn: ...

@final
class ModuleBuilder:
    """Builds a module node by node. A name that a node has already is a `ValueError`.

    >>> import numpy
    >>> from fourfold.tsm import ModuleBuilder
    >>> graph = ModuleBuilder()
    >>> x = graph.param("x", shape=[1, 3], dtype="float32")
    >>> w = graph.const("w", numpy.ones((3, 2), numpy.float32))
    >>> dense = graph.op("inner_prod", "dense", [x, w], transpose=False)
    >>> module = graph.build([x], [dense])
    >>> module
    <fourfold.tsm.Module: 3 nodes, 1 input, 1 output>
    >>> module.tensors["w"].shape
    (3, 2)
    """
    def __new__(cls) -> ModuleBuilder: ...
    @staticmethod
    def from_module(module: Module) -> ModuleBuilder:
        """Begins with the nodes of a module, to change them or to add others. `build()` makes the same bytes again.

        >>> graph = ModuleBuilder()
        >>> x = graph.param("x")
        >>> module = graph.build([x], [graph.op("relu", "y", [x])])
        >>> graph = ModuleBuilder.from_module(module)
        >>> prob = graph.op("softmax", "prob", [graph["y"]], dim=1)
        >>> graph.build(outputs=[prob])
        <fourfold.tsm.Module: 3 nodes, 1 input, 1 output>
        """
    @property
    def nodes(self) -> list[NodeId]:
        """All nodes, in the order of the module."""
    def __getitem__(self, name: _Text, /) -> NodeId: ...
    def set(self, node: NodeId, **params: _Param) -> None:
        """Sets params of a node; their values are those that `const` accepts. That of a `<const>` is `value`."""
    def param(
        self,
        name: str,
        *,
        shape: Sequence[int] | None = None,
        dtype: DTypeLike | str | None = None,
    ) -> NodeId:
        """Adds an input. In its shape, -1 is an unknown size."""
    def const(self, name: str, value: _Param) -> NodeId:
        """Adds a tensor: an array, a number, a list of numbers, text, or a list of arrays.

        A number becomes a tensor of one element: `int` an int32, `float` a float64. For other types, use NumPy
        scalars such as `numpy.float32(1)`.
        """
    def op(self, op: str, name: str, inputs: Sequence[NodeId], **params: _Param) -> NodeId:
        """Adds an operator, with its name and inputs. `params` are its attributes; their values are those that `const`
        accepts.
        """
    def build(
        self,
        inputs: Sequence[NodeId] | None = None,
        outputs: Sequence[NodeId] | None = None,
    ) -> Module:
        """Builds the module. `inputs` and `outputs` are by default those of the module of `from_module`.

        Raises `ValueError` for an earlier error, or for a module that TenniS refuses.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class Row:
    """One entry of an explanation: a range of bytes and its meaning."""
    def __new__(
        cls,
        start: int,
        end: int,
        path: str,
        what: str,
        value: str,
        error: str | None = None,
    ) -> Row: ...
    def __reduce__(self) -> tuple[type[Row], tuple[int, int, str, str, str, str | None]]: ...
    @property
    def start(self) -> int:
        """Offset of the first byte."""
    @property
    def end(self) -> int:
        """Offset after the last byte."""
    @property
    def path(self) -> str:
        """Path of the value that the bytes belong to."""
    @property
    def what(self) -> str:
        """What the bytes are, in the format's terms."""
    @property
    def value(self) -> str:
        """The value of the bytes; may be empty."""
    @property
    def error(self) -> str | None:
        """The error in the bytes, if there is one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Explanation:
    """An explanation of the bytes of a file: a sequence of rows, which Jupyter shows as a table."""
    @property
    def format(self) -> str:
        """The format of the file."""
    @property
    def note(self) -> str | None:
        """How the type of the file was selected if `type` was not given, or why the rows are without types."""
    @property
    def errors(self) -> list[Row]:
        """All rows with an error."""
    @property
    def is_complete(self) -> bool:
        """Whether these are all rows: `limit` was not reached."""
    def data(self, row: Row) -> bytes:
        """The bytes of a row."""
    def html(self) -> str:
        """The report of `fourfold explain --html`: a single HTML file with the bytes and a tree of the values."""
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Row]: ...
    @overload
    def __getitem__(self, index: int, /) -> Row: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Row]: ...
    def __reduce__(self) -> NoReturn: ...
