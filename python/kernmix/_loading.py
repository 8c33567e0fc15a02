"""Loads the extension module, once."""

import contextlib
import os
from collections.abc import Iterator

import numpy  # noqa: F401  its BLAS reads the environment before it is changed below


@contextlib.contextmanager
def _one_blas_thread() -> Iterator[None]:
    """OpenBLAS starts its threads when it is loaded: the one of kernmix, which calls it from threads of its own, none."""
    name = "OPENBLAS_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


with _one_blas_thread():
    from kernmix import _core

for _error in (_core.ParameterError, _core.DataError, _core.ResourceError):
    _error.__module__ = "kernmix"
