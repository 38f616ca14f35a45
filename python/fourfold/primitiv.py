"""Reads and writes primitiv files: models as nested dicts of arrays.

>>> import numpy
>>> from fourfold import primitiv
>>> model = {"encoder": {"w": numpy.asfortranarray([[1, 2], [3, 4]], numpy.float32)}}
>>> data = primitiv.dumps(model)
>>> w = primitiv.loads(data)["encoder"]["w"]
>>> w
array([[1., 2.],
       [3., 4.]], dtype=float32)

Elements are column-major, with the first index the fastest, as the strides show:

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
    """A shape: the sizes of the axes, the first of which is the fastest, and the batch size.

    >>> loads(dumps(Shape((2, 3), batch=4)))
    Shape(dims=(2, 3), batch=4)
    """

    dims: tuple[int, ...]
    batch: int = 1


@dataclass(frozen=True, eq=False)
class Batch:
    """A batched tensor. The last axis of its array is the batch."""

    array: NDArray[Any]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return _array_of(self.array, dtype, copy)


@dataclass(frozen=True, eq=False)
class Parameter:
    """A parameter with the statistics of an optimizer, by name. `numpy.asarray` returns its value.

    In a model, a parameter without statistics is a plain array.
    """

    value: NDArray[Any]
    stats: dict[str | bytes, NDArray[Any] | Batch] = field(default_factory=dict)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return _array_of(self.value, dtype, copy)


def _array_of(array: NDArray[Any], dtype: Any, copy: bool | None) -> NDArray[Any]:
    same = dtype is None or dtype == array.dtype
    if not same and copy is False:
        raise ValueError(f"an array of {array.dtype} cannot become {dtype} without a copy")
    return array.copy() if same and copy else array if same else array.astype(dtype)


@dataclass(frozen=True)
class Optimizer:
    """The configs of an optimizer. A file stores floats rounded to 32 bits.

    >>> adam = Optimizer.of("Adam", {"Adam.alpha": 0.5})
    >>> adam.algorithm, adam.uint_configs, adam.float_configs["Adam.alpha"]
    ('Adam', {'Optimizer.epoch': 0}, 0.5)
    """

    uint_configs: dict[str | bytes, int]
    float_configs: dict[str | bytes, float]

    @classmethod
    def of(cls, algorithm: str, configs: dict[str, float] | None = None) -> Optimizer:
        """Makes one of primitiv's optimizers, `SGD`, `MomentumSGD`, `AdaGrad`, `RMSProp`, `AdaDelta` or `Adam`,
        with its defaults, replaced by `configs`. Raises `ValueError` for a config that it does not have."""
        uints, floats = primitiv_configs(algorithm)
        for name, value in (configs or {}).items():
            if name in uints:
                uints[name] = int(value)
            elif name in floats:
                floats[name] = value
            else:
                known = ", ".join(map(str, (*uints, *floats)))
                raise ValueError(f"{algorithm} has no config {name!r}; use one of {known}")
        return cls(uints, floats)

    @property
    def algorithm(self) -> str | None:
        """The name of primitiv's optimizer with these configs; `None` for other configs."""
        return primitiv_algorithm(self)
