"""What is wrong with bytes."""

from __future__ import annotations

__all__ = ["DecodeError"]


class DecodeError(ValueError):
    """Bytes are not in the format, or not of the type that was asked for.

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
    """Which byte is wrong, counted from the start of the input; `None` if it is none in particular."""

    path: str
    """In which part it is: `transactions[3].witness`. Empty for the whole."""

    kind: str
    """The name of what is wrong, such as `UnexpectedEnd`."""

    category: str
    """What a caller branches on: `io`, `eof`, `syntax`, `data` or `limit`."""

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
