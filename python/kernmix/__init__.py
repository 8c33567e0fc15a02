"""Certified multiple kernel learning."""

from ._core import DataError, ParameterError, ResourceError, __version__

__all__ = ["DataError", "ParameterError", "ResourceError", "__version__"]
