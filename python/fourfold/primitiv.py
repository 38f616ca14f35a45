"""primitiv's files: models as nested dicts of arrays.

>>> import numpy
>>> from fourfold import primitiv
>>> model = {"encoder": {"w": numpy.asfortranarray([[1, 2], [3, 4]], numpy.float32)}}
>>> data = primitiv.dumps(model)
>>> w = primitiv.loads(data)["encoder"]["w"]
>>> w
array([[1., 2.],
       [3., 4.]], dtype=float32)

Elements lie column-major, the first index fastest, as strides in bytes show:

>>> w.strides
(4, 8)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._fourfold import (
    primitiv_algorithm,
    primitiv_configs,
    primitiv_dumps as dumps,
    primitiv_load as load,
    primitiv_loads as loads,
    primitiv_save as save,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Batch",
    "Optimizer",
    "Parameter",
    "Shape",
    "dumps",
    "load",
    "loads",
    "save",
]


@dataclass(frozen=True)
class Shape:
    """A shape: sizes of the axes, the first of which is the fastest, and how many of them are in a batch.

    >>> loads(dumps(Shape((2, 3), batch=4)))
    Shape(dims=(2, 3), batch=4)
    """

    dims: tuple[int, ...]
    batch: int = 1


@dataclass(frozen=True, eq=False)
class Batch:
    """A tensor that is a batch: the last axis of its array is that of the batch."""

    array: NDArray[Any]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return _array_of(self.array, dtype, copy)


@dataclass(frozen=True, eq=False)
class Parameter:
    """A parameter with the statistics that an optimizer keeps of it, by name. `numpy.asarray` gives its value.

    In a model, a parameter without statistics is its array alone.
    """

    value: NDArray[Any]
    stats: dict[str | bytes, NDArray[Any] | Batch] = field(default_factory=dict)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return _array_of(self.value, dtype, copy)


def _array_of(array: NDArray[Any], dtype: Any, copy: bool | None) -> NDArray[Any]:
    same = dtype is None or dtype == array.dtype
    if not same and copy is False:
        raise ValueError(f"an array of {array.dtype} becomes one of {dtype} only by a copy")
    return array.copy() if same and copy else array if same else array.astype(dtype)


@dataclass(frozen=True)
class Optimizer:
    """The configs of an optimizer. Floats have 32 bits: a file has the nearest of each.

    >>> adam = Optimizer.of("Adam", {"Adam.alpha": 0.5})
    >>> adam.algorithm, adam.uint_configs, adam.float_configs["Adam.alpha"]
    ('Adam', {'Optimizer.epoch': 0}, 0.5)
    """

    uint_configs: dict[str | bytes, int]
    float_configs: dict[str | bytes, float]

    @classmethod
    def of(cls, algorithm: str, configs: dict[str, float] | None = None) -> Optimizer:
        """One of primitiv's own, `SGD`, `MomentumSGD`, `AdaGrad`, `RMSProp`, `AdaDelta` or `Adam`, with its
        defaults but for `configs`; `ValueError` for configs that it does not have."""
        uints, floats = primitiv_configs(algorithm)
        for name, value in (configs or {}).items():
            if name in uints:
                uints[name] = int(value)
            elif name in floats:
                floats[name] = value
            else:
                known = ", ".join(map(str, (*uints, *floats)))
                raise ValueError(f"{algorithm} has no config {name!r}, but {known}")
        return cls(uints, floats)

    @property
    def algorithm(self) -> str | None:
        """Which of primitiv's own it is, by the names of its configs; `None` if it is another."""
        return primitiv_algorithm(self)
