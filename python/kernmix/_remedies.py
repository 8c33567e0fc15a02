"""Statements that make numbers of columns of a data frame X, in the library of the frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_TEXT = '.astype("string")'
_COMMA = '.str.replace(",", ".", regex=False)'
_SINCE = 'pandas.Timestamp("2000-01-01")).dt.days'
# What pandas makes of the column {c}.
_PANDAS = {
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

_STRING = ".cast(polars.String).str.strip_chars()"
_NUMBER = ".cast(polars.Float64)"
_POINT = '.str.replace(",", ".", literal=True)'
_DAYS = "polars.date(2000, 1, 1)).dt.total_days()"
# What polars makes of the column {c}.
_POLARS = {
    "numbers as text": f'{{c}}{_STRING}.str.replace("\\u2212", "-", literal=True){_NUMBER}',
    "percentages": f'{{c}}{_STRING}.str.strip_chars_end("% "){_POINT}{_NUMBER}',
    "dates as text": f'({{c}}{_STRING}.str.extract("^([^ T]+)").str.to_date("{{format}}") - {_DAYS}',
    "dates as text, day first": f'({{c}}{_STRING}.str.extract("^([^ T]+)").str.to_date("{{format}}") - {_DAYS}',
    "numbers with thousands separators": f'{{c}}{_STRING}.str.replace_all(",", "", literal=True){_NUMBER}',
    "numbers with decimal commas": f"{{c}}{_STRING}{_POINT}{_NUMBER}",
    "numbers with decimal commas and thousands separators": (
        f'{{c}}{_STRING}.str.replace_all(".", "", literal=True){_POINT}{_NUMBER}'
    ),
    "dates": f"({{c}}.dt.date() - {_DAYS}",
    "date objects": f"({{c}} - {_DAYS}",
    "durations": "{c}.dt.total_microseconds() / 1e6",
    "times": "{c}.cast(polars.Int64) / 1e9",
    "numbers and other texts": f"{{c}}{_STRING}.cast(polars.Float64, strict=False)",
}


_ARROW_TEXT = "pyarrow.compute.utf8_trim_whitespace({c}.cast(pyarrow.string()))"
_ARROW_DAYS = '.cast("date32").cast("int32"), 10957)'  # since 2000-01-01, and not 1970-01-01
_ARROW_NUMBER = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$"


def _replaced(text: str, old: str, new: str, how: str = "") -> str:
    return f"pyarrow.compute.replace_substring{how}({text}, {old!r}, {new!r})"


_ARROW_DATES = (
    "pyarrow.compute.subtract(pyarrow.compute.strptime("
    f'{_replaced(_ARROW_TEXT, "[ T].*", "", "_regex")}, format="{{format}}", unit="s"){_ARROW_DAYS}'
)
# What pyarrow makes of the column {c}.
_ARROW = {
    "numbers as text": f'{_replaced(_ARROW_TEXT, chr(0x2212), "-")}.cast("float64")',
    "percentages": (
        f'{_replaced(f"pyarrow.compute.utf8_rtrim({_ARROW_TEXT}, {chr(34)}% {chr(34)})", ",", ".")}.cast("float64")'
    ),
    "dates as text": _ARROW_DATES,
    "dates as text, day first": _ARROW_DATES,
    "numbers with thousands separators": f'{_replaced(_ARROW_TEXT, ",", "")}.cast("float64")',
    "numbers with decimal commas": f'{_replaced(_ARROW_TEXT, ",", ".")}.cast("float64")',
    "numbers with decimal commas and thousands separators": (
        f'{_replaced(_replaced(_ARROW_TEXT, ".", ""), ",", ".")}.cast("float64")'
    ),
    "dates": f"pyarrow.compute.subtract({{local}}{_ARROW_DAYS}",
    "date objects": f"pyarrow.compute.subtract({{c}}{_ARROW_DAYS}",
    "durations": 'pyarrow.compute.divide({c}.cast(pyarrow.duration("us")).cast("int64"), 1e6)',
    "times": 'pyarrow.compute.divide({c}.cast(pyarrow.time64("us")).cast("int64"), 1e6)',
    "numbers and other texts": (
        f"pyarrow.compute.if_else(pyarrow.compute.match_substring_regex({_ARROW_TEXT}, {_ARROW_NUMBER!r}), "
        f'{_ARROW_TEXT}, None).cast("float64")'
    ),
}


def known_kinds(library: str) -> Sequence[str]:
    """Kinds of columns that a statement makes numbers of."""
    return list({"pandas": _PANDAS, "polars": _POLARS, "pyarrow": _ARROW}.get(library, {}))


def statement(library: str, label: Any, kind: str, values: Sequence[Any], absent: Sequence[str] = ()) -> str:
    """Makes numbers of the column, which holds these values of a known kind, and these words for missing cells."""
    words = list(absent)
    if library == "pandas":
        column = f"X[{label!r}]" + (f".replace({words!r}, None)" if words else "")
        return f"X[{label!r}] = {_PANDAS[kind].format(c=column)}"
    if library == "pyarrow":
        return _statement_of_arrow(label, kind, values, words)
    column = f"polars.col({label!r})" + (f".replace({words!r}, None)" if words else "")
    made = _POLARS[kind].format(c=column, format=_date_format(values, kind))
    return f"X = X.with_columns({made})"


def _statement_of_arrow(label: Any, kind: str, values: Sequence[Any], words: list[str]) -> str:
    column = f"X[{label!r}]"
    if words:
        column = f"pyarrow.compute.if_else(pyarrow.compute.is_in({column}, pyarrow.array({words!r})), None, {column})"
    zoned = kind == "dates" and getattr(values[0], "tzinfo", None) is not None
    local = f"pyarrow.compute.local_timestamp({column})" if zoned else column
    made = _ARROW[kind].replace("{c}", column).replace("{local}", local).replace("{format}", _date_format(values, kind))
    return f"import pyarrow.compute; X = X.set_column(X.column_names.index({label!r}), {label!r}, {made})"


def dropping(library: str, label: Any) -> str:
    """Leaves the column out."""
    made = {
        "pandas": f"`X = X.drop(columns=[{label!r}])`",
        "polars": f"`X = X.drop({label!r})`",
        "pyarrow": f"`X = X.drop_columns([{label!r}])`",
    }
    return made.get(library, "leave it out")


def indicators(library: str, label: Any) -> str:
    """Makes indicators of the words of the column."""
    made = {
        "pandas": f"`X = pandas.get_dummies(X, columns=[{label!r}], dtype=float)`",
        "polars": f"`X = X.to_dummies([{label!r}])`",
    }
    return made.get(library, "make indicators of its words")


def _date_format(values: Sequence[Any], kind: str) -> str:
    """Of strptime, for dates as text."""
    if not kind.startswith("dates as text"):
        return ""
    date = str(values[0]).split()[0].split("T")[0]
    mark = next((mark for mark in "-/." if mark in date), "-")
    if mark == "-":
        return "%Y-%m-%d"
    year = "%Y" if len(date.rpartition(mark)[2]) == len("2000") else "%y"
    return f"%d.%m.{year}" if mark == "." else f"%m/%d/{year}"
