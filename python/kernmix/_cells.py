"""Columns of data frames that hold no numbers: what they hold, and what makes numbers of them."""

from __future__ import annotations

import datetime
import re
from typing import Any, NamedTuple

import narwhals as nw

_NUMBER = r"[-+\u2212]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
_PATTERNS = {
    "numbers as text": _NUMBER,
    "percentages": rf"({_NUMBER}|[-+]?\d+,\d+) ?%",
    "dates as text": r"\d{4}-\d{1,2}-\d{1,2}([ T].*)?|\d{1,2}/\d{1,2}/\d{2,4}( .*)?",
    "dates as text, day first": r"\d{1,2}\.\d{1,2}\.\d{2,4}( .*)?",
    "numbers with thousands separators": r"[-+]?\d{1,3}((,\d{3})*\.\d+|(,\d{3}){2,}|,\d{3})?",
    "numbers with decimal commas": r"[-+]?\d+(,\d+)?",
    "numbers with decimal commas and thousands separators": r"[-+]?\d{1,3}(\.\d{3})*(,\d+)?",
}
_EITHER = re.compile(r"[-+]?\d{1,3}(,\d{3})?")  # 12,500 may be 12.5

_TEXT = '.astype("string")'
_COMMA = '.str.replace(",", ".", regex=False)'
_SINCE = 'pandas.Timestamp("2000-01-01")).dt.days'
# What pandas makes of the column {c}.
_EXPRESSIONS = {
    "numbers as text": f'pandas.to_numeric({{c}}{_TEXT}.str.replace("\\u2212", "-", regex=False))',
    "percentages": f'{{c}}{_TEXT}.str.rstrip("% "){_COMMA}.astype("Float64")',
    "dates as text": f"(pandas.to_datetime({{c}}) - {_SINCE}",
    "dates as text, day first": f"(pandas.to_datetime({{c}}, dayfirst=True) - {_SINCE}",
    "numbers with thousands separators": f'{{c}}{_TEXT}.str.replace(",", "", regex=False).astype("Float64")',
    "numbers with decimal commas": f'{{c}}{_TEXT}{_COMMA}.astype("Float64")',
    "numbers with decimal commas and thousands separators": (
        f'{{c}}{_TEXT}.str.replace(".", "", regex=False){_COMMA}.astype("Float64")'
    ),
    "dates": f"({{c}}.dt.tz_localize(None) - {_SINCE}",
    "date objects": f"(pandas.to_datetime({{c}}) - {_SINCE}",
    "periods": f"({{c}}.dt.to_timestamp() - {_SINCE}",
    "durations": "{c}.dt.total_seconds()",
    "times": f"pandas.to_timedelta({{c}}{_TEXT}).dt.total_seconds()",
    "numbers and other texts": 'pandas.to_numeric({c}, errors="coerce")',
}


class FrameColumn(NamedTuple):
    """A column of a data frame."""

    label: Any
    values: list[Any]  # those that are not missing
    dtype: Any
    pandas: bool


def problem_of(column: FrameColumn, *, categorical: bool) -> str:
    """What the column holds, and a remedy: a statement of pandas for the frame X in backticks, or a parameter.

    `categorical`: the estimator is being fitted and has this parameter.
    """
    kind = _kind_of(column)
    example = f", such as {column.values[0]!s:.40}" if column.values else ""
    start = f"column '{column.label}' of X holds {kind or 'words'}{example}"
    drop = f"`X = X.drop(columns=[{column.label!r}])`" if column.pandas else "leave it out"
    if kind == "":
        return f"{start}: {_remedy_of_words(column, drop, categorical)}"
    if kind not in _EXPRESSIONS:
        return f"{start}: {drop}, or make columns of numbers of it"
    if not column.pandas:
        return f"{start}: turn it into numbers, or leave it out"
    remedy = f"`{_statement(column.label, kind)}`"
    if kind == "numbers with thousands separators" and all(_EITHER.fullmatch(str(v)) for v in column.values):
        comma = _statement(column.label, "numbers with decimal commas")
        return f"{start}, or with decimal commas: {remedy}, or `{comma}`"
    if kind == "numbers and other texts":
        return f'{start}: {remedy} makes the others missing, which missing="mean" fills; or {drop}'
    return f"{start}: {remedy}, or {drop}"


def _statement(label: Any, kind: str) -> str:
    return f"X[{label!r}] = {_EXPRESSIONS[kind].format(c=f'X[{label!r}]')}"


def _remedy_of_words(column: FrameColumn, drop: str, categorical: bool) -> str:
    different = len({str(value) for value in column.values})
    if different < 2 or 2 * different > len(column.values):
        return drop
    if categorical:
        return f"categorical=[{str(column.label)!r}] makes indicators of its {different} different words; or {drop}"
    if column.pandas:
        return f"`X = pandas.get_dummies(X, columns=[{column.label!r}], dtype=float)`, or {drop}"
    return "make indicators of its words, or leave it out"


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
            return kind
    numbers = sum(re.fullmatch(_NUMBER, text) is not None for text in texts)
    return "numbers and other texts" if 2 * numbers > len(texts) else ""


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def numbers_of(values: list[Any], is_missing: Any) -> list[float] | None:
    """The values of an untyped column as numbers, NaN where they are missing; None if they are no numbers."""
    numbers = []
    for value in values:
        missing = is_missing(value)
        if not missing and (isinstance(value, str) or not _is_number(value)):
            return None
        numbers.append(float("nan") if missing else float(value))
    return numbers
