"""The exception for invalid bytes."""

from __future__ import annotations

__all__ = ["DecodeError"]


class DecodeError(ValueError):
    """The bytes are not valid in the format, or not of the requested type.

    >>> import fourfold
    >>> try:
    ...     fourfold.biniou.loads(bytes([20, 2, 1, 7, 0, 9]))
    ... except fourfold.DecodeError as error:
    ...     print(error)
    ...     print(error.offset, error.path, error.kind)
    bool is 9, neither 0 nor 1 in [1] at byte 5
    5 [1] InvalidBool
    """

    offset: int | None
    """The offset of the error in the input; `None` if it has none."""

    path: str
    """The path of the value with the error: `transactions[3].witness`. Empty for the root."""

    kind: str
    """The kind of the error, such as `UnexpectedEnd`."""

    category: str
    """The category of the error, for callers to branch on: `io`, `eof`, `syntax`, `data` or `limit`."""

    def __init__(
        self,
        text: str,
        offset: int | None = None,
        path: str = "",
        kind: str = "",
        category: str = "data",
    ) -> None:
        super().__init__(text)
        self.offset = offset
        self.path = path
        self.kind = kind
        self.category = category
