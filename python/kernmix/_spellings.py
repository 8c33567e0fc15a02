"""Words that look alike and are different, as the command line tool finds them."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable, Iterable

from ._warnings import KernmixWarning, level_of_caller

_MOST = 1000
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")


def _without(text: str, leave_out: Callable[[str], bool]) -> str:
    return "".join(c for c in text if not leave_out(c))


_FOLDINGS: dict[str, Callable[[str], str]] = {
    "letters that are one character or two": lambda text: unicodedata.normalize("NFD", text),
    "a no-break space": lambda text: _without(text, lambda c: c.isspace() and ord(c) > 0x7F),
    "a zero-width character": lambda text: _without(text, _INVISIBLE.__contains__),
    "case or blanks": lambda text: _without(text, lambda c: c.isspace() and ord(c) <= 0x7F).lower(),
}
_ORDER = ["case or blanks", "a no-break space", "a zero-width character", "letters that are one character or two"]


def _look(text: str, leave_out: str = "") -> str:
    """The same for words that look alike, apart from one kind of difference."""
    for kind, fold in _FOLDINGS.items():
        text = text if kind == leave_out else fold(text)
    return text


def warn_of_look_alikes(words: Iterable[str], what: str, many: str, one: str) -> None:
    """Warns of the first two of some words, such as "labels" of "classes", that look alike."""
    different = sorted(set(words))
    if len(different) > _MOST:
        return
    seen: dict[str, str] = {}
    for word in different:
        other = seen.setdefault(_look(word), word)
        if other == word:
            continue
        differ = " and ".join(kind for kind in _ORDER if _look(other, kind) != _look(word, kind))
        warnings.warn(
            KernmixWarning(
                f"The {what} {other!r} and {word!r} differ only in {differ} and are different {many}; write them alike "
                f"if they are one {one}."
            ),
            stacklevel=level_of_caller(),
        )
        return
