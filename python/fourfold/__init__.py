"""Read and write the files of Molecule, biniou, TenniS and primitiv, byte for byte."""

from . import biniou, molecule, primitiv, sta, tsm
from ._fourfold import __version__
from .arrays import Tensors
from .errors import DecodeError
from .files import (
    Explanation,
    PrimitivFile,
    Row,
    TensorFile,
    convert,
    detect,
    explain,
    open,
    save,
    tensors,
    verify,
)

__all__ = [
    "DecodeError",
    "Explanation",
    "PrimitivFile",
    "Row",
    "TensorFile",
    "Tensors",
    "__version__",
    "biniou",
    "convert",
    "detect",
    "explain",
    "molecule",
    "open",
    "primitiv",
    "save",
    "sta",
    "tensors",
    "tsm",
    "verify",
]
