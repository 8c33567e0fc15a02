"""Names of samples: the index of a data frame or of a series.

An index that only counts the rows from 0 holds no names, and neither do arrays.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import refuse_masked
from ._containers import checked_sparse, native, refuse_containers

_BY_POSITION = "give arrays, as .to_numpy() makes them, to match rows by their position"


def names_of(labels: Any) -> list[Hashable] | None:
    """Labels of rows or columns as names; None where they count, or where `labels` is no index."""
    if labels is None or not hasattr(labels, "get_indexer") or _counts(labels):
        return None
    return list(labels)


def _counts(labels: Any) -> bool:
    """Is it an index 0, 1, ...? One that counts backwards, or a part of the rows, tells their order."""
    return type(labels).__name__ == "RangeIndex" and labels.start == 0 and labels.step == 1


def sample_names(table: Any) -> list[Hashable] | None:
    """The names of the rows of a table, a series or a GramStack; None without names."""
    table = native(table)
    if hasattr(table, "row_names"):
        return table.row_names
    return names_of(getattr(table, "index", None))


def aligned_rows(tables: Mapping[str, Any]) -> dict[str, NDArray[np.intp] | None]:
    """For each table the rows in the order of the first one that has names; None: as they are.

    Raises ValueError where names differ, or occur twice in another order.
    """
    names = {name: sample_names(table) for name, table in tables.items()}
    if all(own is None for own in names.values()):
        return dict.fromkeys(tables)
    for name, table in tables.items():  # a shuffled RangeIndex is an index of whole numbers
        if names[name] is None and _counts(getattr(table, "index", None)):
            counted = list(table.index)
            others = (other for other in names.values() if other is not None)
            if any(_same_set(counted, other) for other in others):
                names[name] = counted
    first = next(name for name, own in names.items() if own is not None)
    return {
        name: None if own is None else places(names[first], own, f"'{name}'", f"'{first}'")
        for name, own in names.items()
    }


def places(wanted: Sequence[Hashable], own: Sequence[Hashable], what: str, reference: str) -> NDArray[np.intp] | None:
    """Where `own` has the names `wanted`, in that order; None where both are the same.

    Raises ValueError where the sets differ, or a name occurs twice.
    """
    if list(wanted) == list(own):
        return None
    place = {name: i for i, name in enumerate(own)}
    if len(place) < len(own) or len(set(wanted)) < len(wanted):
        raise ValueError(
            f"{what} and {reference} name samples in another order, and some names occur twice: make the names "
            f"unique, or {_BY_POSITION}"
        )
    missing = [name for name in wanted if name not in place]
    extra = [name for name in own if name not in set(wanted)]
    if missing or extra:
        raise ValueError(
            f"{what} and {reference} are of other samples: {_shown(missing, reference, what)}"
            f"{' and ' if missing and extra else ''}{_shown(extra, what, reference)}; take the samples that both "
            f"have, or {_BY_POSITION}"
        )
    return np.array([place[name] for name in wanted], dtype=np.intp)


def check_same_samples(X: Any, **others: Any) -> None:
    """Raises ValueError where y or another series names its samples otherwise than X does, or hides some by a mask."""
    X = native(X)
    for name, other in others.items():
        refuse_containers(other, name)
        refuse_masked(other, name)
        checked_sparse(other, name)
        other = native(other)
        own, theirs = _names_of_both(X, other)
        if own is None or theirs is None or own == theirs:
            continue
        if set(theirs) < set(own):
            missing = next(label for label in own if label not in set(theirs))
            raise ValueError(
                f"the index of {name} lacks {len(own) - len(theirs)} samples of X, {missing!r}, for example: take the "
                f"others alone, X.loc[{name}.index] of a table, K.loc[{name}.index, {name}.index] of a matrix"
            )
        order = "the same samples in another order" if _same_set(own, theirs) else "other samples than X"
        raise ValueError(
            f"the index of {name} names {order}: bring it into the order of X, as {name}.loc[X.index] does, or "
            f"{_BY_POSITION}"
        )


def _names_of_both(X: Any, other: Any) -> tuple[list[Hashable] | None, list[Hashable] | None]:
    """A RangeIndex names samples beside an index of the same whole numbers, which is a shuffled one."""
    own, theirs = sample_names(X), sample_names(other)
    for counts, named in ((X, theirs), (other, own)):
        if named is None or not _counts(getattr(counts, "index", None)):
            continue
        counted = list(counts.index)
        if _same_set(counted, named):
            return (counted, named) if counts is X else (named, counted)
    return own, theirs


def in_order(y: Any, names: Sequence[str] | None) -> Any:
    """y with its columns in the order of `names`, those of the targets of training, if both have names.

    Raises ValueError for a frame with other columns.
    """
    y = native(y)
    labels = getattr(y, "columns", None)
    if labels is None or not names or len(names) < 2 or _counts(labels):
        return y
    own = [str(label) for label in getattr(y, "column_names", labels)]
    if own == list(names):
        return y
    if not _same_set(own, names):
        if all(name.isdecimal() for name in names):  # training had no names
            return y
        missing = next((name for name in names if name not in own), None)
        raise ValueError(
            f"y has the columns {', '.join(own[:5])}, and training had {', '.join(names[:5])}"
            + (f": there is no column {missing!r}" if missing else "")
        )
    if hasattr(y, "iloc"):
        return y.iloc[:, [own.index(name) for name in names]]
    return y.select(list(names))


def _same_set(a: Sequence[Hashable], b: Sequence[Hashable]) -> bool:
    return len(a) == len(b) and set(a) == set(b)


def _shown(names: Sequence[Hashable], has: str, lacks: str) -> str:
    if not names:
        return ""
    first = ", ".join(repr(name) for name in names[:3])
    return f"{has} has {first}{', ...' if len(names) > 3 else ''}, which {lacks} lacks"
