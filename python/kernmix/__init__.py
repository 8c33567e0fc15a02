"""Certified multiple kernel learning."""

from . import _loading  # noqa: F401  first
from ._core import DataError, ParameterError, ResourceError, __version__

__all__ = ["DataError", "ParameterError", "ResourceError", "__version__"]
