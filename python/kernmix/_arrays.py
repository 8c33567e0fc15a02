"""Arrays as the library reads them, and files that arrays are mapped from."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from os import fspath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


def doubles(values: ArrayLike) -> NDArray[np.float64]:
    """`values` as float64, C-contiguous and aligned; a copy only where they are not. Complex numbers raise ValueError."""
    array = np.asarray(unmasked(values))
    if array.dtype.kind == "c":
        raise ValueError("complex numbers: give real ones, such as their real part")
    return within_doubles("an array", np.require, array, np.float64, ("C_CONTIGUOUS", "ALIGNED"))


def within_doubles(name: str, read: Callable[..., Any], *values: Any, **options: Any) -> Any:
    """read(*values, **options), which reads numbers. Raises ValueError for whole numbers that no double is near."""
    try:
        return read(*values, **options)
    except OverflowError:
        raise ValueError(f"{name} has a whole number beyond the range of doubles, 1.8e308") from None


def unmasked(values: Any) -> Any:
    """A masked array with NaN in the place of masked cells; other values as they are."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if not np.ma.is_masked(values):
        return values.data
    return values.astype(object if values.dtype.kind == "O" else np.float64).filled(np.nan)


def refuse_masked(values: Any, name: str) -> None:
    """Raises ValueError where cells of y, weights or groups are masked: nothing fills them."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        count = int(np.ma.count_masked(values))
        raise ValueError(f"{count} of {values.size} cells of {name} are masked: leave these samples out")


class Identity(NamedTuple):
    """What tells a file from one that took its place."""

    size: int
    mtime_ns: int
    head: str

    @classmethod
    def of(cls, path: str) -> Identity:
        """Of the file as it is now. Raises OSError."""
        with open(path, "rb") as file:
            head = hashlib.sha256(file.read(4096)).hexdigest()
            status = os.fstat(file.fileno())
        return cls(status.st_size, status.st_mtime_ns, head)


class MappedPlace(NamedTuple):
    """Where the numbers of a mapped matrix lie in their file."""

    file: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, matrix: NDArray[Any]) -> MappedPlace | None:
        """None where they lie in memory, or differ from those of the file."""
        whole: Any
        above: Any
        whole, above = None, matrix
        while isinstance(above, np.ndarray):
            whole = above if isinstance(above, np.memmap) else whole
            above = above.base
        if whole is None or whole.filename is None or whole.mode == "c":
            return None
        shift = matrix.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        return cls(fspath(whole.filename), whole.offset + shift, matrix.shape, matrix.strides, matrix.dtype)

    @property
    def bytes(self) -> int:
        """From the first number to the last."""
        return sum((n - 1) * step for n, step in zip(self.shape, self.strides, strict=True)) + self.dtype.itemsize

    def read(self) -> NDArray[Any]:
        """A copy of the numbers, read and not mapped. Raises ValueError where the file has become shorter."""
        if len(self.shape) == 1 and self.strides[0] > self.dtype.itemsize:
            return self._read_one_by_one()
        bytes_read = np.fromfile(self.file, np.uint8, self.bytes, offset=self.offset)
        self._require(bytes_read.size, self.bytes)
        return np.ndarray(self.shape, self.dtype, bytes_read, strides=self.strides)

    def _read_one_by_one(self) -> NDArray[Any]:
        """A column, without what lies between its numbers."""
        size, step = self.dtype.itemsize, self.strides[0]
        with open(self.file, "rb") as file:
            numbers = [os.pread(file.fileno(), size, self.offset + k * step) for k in range(self.shape[0])]
        read = b"".join(numbers)
        self._require(len(read), size * self.shape[0])
        return np.frombuffer(read, self.dtype)

    def _require(self, bytes_read: int, expected: int) -> None:
        if bytes_read < expected:
            raise ValueError(f"'{self.file}' has become shorter since it was mapped")
