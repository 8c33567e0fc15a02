"""Views of named sets of columns, such as gene sets."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from . import _core
from ._warnings import KernmixWarning, level_of_caller
from .table import Table

Groups = Mapping[str, Iterable[str]] | str | PathLike[str]


def views_of_groups(groups: Groups, columns: Sequence[str], source: str = "X") -> tuple[dict[str, list[str]], Table]:
    """The names of the columns of each set, and the table of all sets: set, matched, named.

    Sets without a known name are left out; a KernmixWarning says so, and if fewer than half of the names are
    columns.

    Raises
    ------
    TypeError
        If the members of a set are not names.
    DataError
        A ValueError, for a file that is not GMT, and if no name is a column.
    """
    if isinstance(groups, (str, PathLike)):
        views, sizes, messages = _core.views_of_sets_in(groups, columns, source)
    elif not groups:
        raise ValueError("groups is empty: name at least one set of columns, or leave it None")
    else:
        sets = [(_name(name), _members(name, members)) for name, members in groups.items()]
        views, sizes, messages = _core.views_of_sets(sets, columns, source)
    for message in messages:
        warnings.warn(KernmixWarning(message), stacklevel=level_of_caller())
    names, matched, named = zip(*sizes, strict=True)
    return dict(views), Table({"set": names, "matched": matched, "named": named})


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"groups: the name of a set must be a text, got {name!r}")
    return name


def _members(name: str, members: Any) -> list[str]:
    if isinstance(members, str) or not isinstance(members, Iterable):
        raise TypeError(f"groups: the set '{name}' must be a list of names of columns, got {members!r:.60}")
    members = list(members)
    other = next((member for member in members if not isinstance(member, str)), None)
    if other is not None:
        raise TypeError(f"groups: the set '{name}' has {other!r:.60}, which is not the name of a column")
    return [str(member) for member in members]
