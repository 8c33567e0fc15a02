"""Columns of data frames that hold no numbers: what they hold, and what makes numbers of them."""

from __future__ import annotations

import datetime
import re
from typing import Any, NamedTuple

import narwhals as nw

from ._arrays import within_doubles
from .recipes import named

_NUMBER = r"[-+\u2212]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
_ANY_NUMBER = r"[-+\u2212]?[.,]?\d(?:[\d.,' \u00a0\u2009\u202f\u2019]*\d)?[.,]?"  # in any notation
_CURRENCY = r"[$\u00a3\u00a5\u20ac\u20b9]"
_PATTERNS = {
    "numbers as text": _NUMBER,
    "percentages": rf"{_ANY_NUMBER} ?%",
    "amounts of money": rf"[-+]?{_CURRENCY} ?{_ANY_NUMBER}|{_ANY_NUMBER} ?{_CURRENCY}",
    "times": r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?",
    "dates": (r"(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3(\d{4}|\d{2}))([ T].*)?"),
    "numbers with thousands separators": r"[-+]?(0(\.\d+)?|[1-9]\d{0,2}((,\d{3})*\.\d+|(,\d{3}){2,}|,\d{3})?)",
    "numbers with decimal commas": r"[-+]?\d+(,\d+)?",
    "numbers with decimal commas and thousands separators": r"[-+]?\d{1,3}(\.\d{3})*(,\d+)?",
    "numbers in several notations": _ANY_NUMBER,
}
_RECIPES = {
    **dict.fromkeys(("percentages", "amounts of money"), "units"),
    **dict.fromkeys(("times", "durations"), "times"),
    **dict.fromkeys(("dates", "date objects", "periods"), "dates"),
    **dict.fromkeys(("numbers and other texts",), "missing"),
    **dict.fromkeys([kind for kind in _PATTERNS if kind.startswith("numbers ")], "numbers"),
}
_MISSING = ("", "na", "n/a", "nan", "null", "none")  # words for cells that are missing, in lower case
_EITHER = re.compile(r"[-+]?(0|[1-9]\d{0,2}(,\d{3})?)")  # 12,500 may be 12.5
_MONTHS = 12


class FrameColumn(NamedTuple):
    """A column of a data frame."""

    label: Any
    values: list[Any]  # those that are not missing
    dtype: Any


def refuse_repeated_names(frame: nw.DataFrame[Any]) -> None:
    """Raises ValueError where a row repeats the names of the columns, as where files were concatenated."""
    if not frame.columns or any(
        dtype.is_numeric() or dtype.is_temporal() or dtype == nw.Boolean for dtype in frame.schema.values()
    ):
        return
    rows = list(range(len(frame)))
    for name in frame.columns:
        if rows:
            values = frame.get_column(name).to_list()
            rows = [row for row in rows if isinstance(values[row], str) and values[row] == name]
    if rows:
        count = len(rows) - 1
        more = f", and {count} more row{'s do' if count > 1 else ' does'}" if count else ""
        raise ValueError(
            f"row {rows[0]} of X repeats the names of the columns{more}: remove repeated headers from the file that X "
            "was read from, and read it again"
        )


def problem_of(column: FrameColumn, *, categorical: bool) -> str:
    """What the column holds, and a remedy: a parameter, or the name of a recipe.

    `categorical`: the estimator is being fitted and has this parameter.
    """
    column, absent = _without_missing_words(column)
    kind = _kind_of(column)
    example = f", such as {_visible(' '.join(str(column.values[0]).split())):.40}" if column.values else ""
    if absent:
        example += f", and {', '.join(repr(word) for word in absent)} for missing cells"
    start = f"column '{_visible(str(column.label))}' of X holds {kind or 'words'}{example}{_doubt(kind, column.values)}"
    drop = "leave the column out"
    if kind == "":
        return f"{start}: {_remedy_of_words(column, drop, categorical)}"
    if kind not in _RECIPES:
        return f"{start}: {drop}, or make columns of numbers of it"
    recipe = named(_RECIPES[kind])
    if kind == "numbers and other texts":
        return f'{start}: {recipe} makes these texts missing, which missing="mean" fills; or {drop}'
    return f"{start}: {recipe} makes numbers of them; or {drop}"


def _visible(text: str) -> str:
    """The text with escapes for control characters, which would change what a terminal shows."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _doubt(kind: str, values: list[Any]) -> str:
    """What the cells leave open."""
    if kind == "numbers with thousands separators" and all(_EITHER.fullmatch(str(v).strip()) for v in values):
        return ", or with decimal commas"
    if kind != "dates" or not isinstance(values[0], str):
        return ""
    short = [re.match(r"(\d{1,2})[-/](\d{1,2})[-/]", value.strip()) for value in values]
    pairs = [(int(found[1]), int(found[2])) for found in short if found]
    orders = {first > second for first, second in pairs if max(first, second) > _MONTHS}
    if not pairs:
        return ""
    if len(orders) == 1:
        return f", with the {'day' if orders.pop() else 'month'} first"
    return ", whose order of day and month is not certain"


def _without_missing_words(column: FrameColumn) -> tuple[FrameColumn, list[str]]:
    """The other values of a column of texts, and the words in it that stand for missing cells.

    Words stay where they are among other words: there they may be names.
    """
    texts = [value for value in column.values if isinstance(value, str)]
    absent = sorted({text for text in texts if text.strip().lower() in _MISSING})
    rest = column._replace(values=[value for value in column.values if value not in absent])
    if len(texts) < len(column.values) or not absent or not rest.values or _kind_of(rest) == "":
        return column, []
    return rest, absent


def _remedy_of_words(column: FrameColumn, drop: str, categorical: bool) -> str:
    different = len({str(value) for value in column.values})
    if different < 2 or 2 * different > len(column.values):
        return drop
    if categorical:
        return f"categorical=[{str(column.label)!r}] makes indicators of its {different} different words; or {drop}"
    return f"{named('indicators')} makes indicators of its {different} different words; or {drop}"


def _kind_of(column: FrameColumn) -> str:
    """The kind of the values; "" for words."""
    values, dtype = column.values, column.dtype
    if dtype in (nw.Datetime,):
        return "dates"
    if dtype in (nw.Duration,):
        return "durations"
    first = values[0] if values else None
    if isinstance(first, datetime.time):
        return "times"
    if isinstance(first, datetime.date):
        return "date objects"
    if type(first).__name__ == "Period":
        return "periods"
    if not all(isinstance(value, str) for value in values):
        numbers = [not isinstance(value, str) and _is_number(value) for value in values]
        rest = [value for value, number in zip(values, numbers, strict=True) if not number]
        texts = all(isinstance(value, str) for value in rest)
        return "numbers and other texts" if any(numbers) and texts else f"objects of type {type(first).__name__}"
    texts = [value.strip() for value in values]
    for kind, pattern in _PATTERNS.items():
        if texts and all(re.fullmatch(pattern, text) for text in texts):
            return "times" if kind == "dates" and _are_times(texts) else kind
    numbers = sum(re.fullmatch(_NUMBER, text) is not None for text in texts)
    return "numbers and other texts" if 2 * numbers > len(texts) else ""


def _are_times(texts: list[str]) -> bool:
    """18.00.00 is a time: it has no month."""
    parts = [re.fullmatch(r"(\d{1,2})\.(\d{2})\.(\d{2})", text) for text in texts]
    numbers = [[int(number) for number in found.groups()] for found in parts if found]
    if len(numbers) < len(texts) or any(hour > 23 or max(rest) > 59 for hour, *rest in numbers):
        return False
    return any(day == 0 or not 0 < month <= _MONTHS for day, month, _ in numbers)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    except OverflowError:  # a whole number, which is refused where it is read
        return True
    return True


def numbers_of(values: list[Any], is_missing: Any) -> list[float] | None:
    """The values of an untyped column as numbers, NaN where they are missing; None if they are no numbers."""
    numbers = []
    for value in values:
        missing = is_missing(value)
        if not missing and (isinstance(value, str) or not _is_number(value)):
            return None
        numbers.append(float("nan") if missing else within_doubles("X", float, value))
    return numbers
