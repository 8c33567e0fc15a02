"""Each recipe of the page "Clean a table" gives the intended numbers, or stops: over many tables, in all notations."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pandas as pd
import pytest
from recipe_page import recipes

R = recipes()
RNG = np.random.default_rng(64)
ABSENT = ["", "NA", " nan ", None, "?"]


def column(cells):
    return pd.Series(cells, name="c", dtype=object)


def numbers_of(count, digits):
    """Numbers of all sizes and signs with at most so many digits after the point."""
    sizes = 10.0 ** RNG.uniform(-2, 8, count)
    return [round(float(value), digits) for value in sizes * RNG.choice([-1, 1], count)]


def written(number, decimal, group, digits):
    text = f"{number:,.{digits}f}" if group else f"{number:.{digits}f}"
    return text.replace(",", "G").replace(".", decimal).replace("G", group)


def equal(found, wanted):
    return all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(found, wanted, strict=True))


NOTATIONS = [(d, g) for d in ".," for g in ("", " ", "\u00a0", "\u202f", "'", "\u2019", "." if d == "," else ",")]


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 4])
@pytest.mark.parametrize(("decimal", "group"), NOTATIONS)
def test_numbers_in_one_notation(decimal, group, digits):
    for _ in range(20):
        wanted = numbers_of(12, digits)
        cells = [written(number, decimal, group, digits) for number in wanted]
        cells.insert(3, ABSENT[int(RNG.integers(len(ABSENT)))])
        wanted.insert(3, math.nan)
        told = R.numbers(column(cells), decimal=decimal, thousands=group if group in (".", ",") else None)
        assert equal(told, wanted)
        try:
            found = R.numbers(column(cells))
        except ValueError as doubt:  # 1,250 alone
            assert "decimal=" in str(doubt) or "not certain" in str(doubt)
        else:
            assert equal(found, wanted)


def test_a_table_with_decimal_commas_and_some_points():
    """The column is read as intended where the decimal mark is named, or the recipe stops; it is never another number."""
    read = stopped = 0
    for _ in range(300):
        wanted = numbers_of(8, int(RNG.integers(1, 4)))
        marks = [","] * len(wanted)
        for row in RNG.choice(len(wanted), 2, replace=False):
            marks[row] = "."
        cells = [str(number).replace(".", mark) for number, mark in zip(wanted, marks, strict=True)]
        for options in ({}, {"decimal": ","}):
            try:
                found = R.numbers(column(cells), **options)
            except ValueError:
                stopped += 1
            else:
                read += 1
                assert found.tolist() == wanted, cells
    assert read > 50 and stopped > 50


@pytest.mark.parametrize("cell", ["12.34.56", "1,23,456.7.8", "1.2e", "--1", "12a", "1 2", "0.371.000", "01.234,5x"])
def test_what_is_no_number_stops(cell):
    with pytest.raises(ValueError, match="not certain"):
        R.numbers(column(["1.5", "2.5", cell]))


def test_exponents():
    assert R.numbers(column(["1.5D+02", "2d0", "-3e-1", "4"])).tolist() == [150.0, 2.0, -0.3, 4.0]


UNITS = {
    "percent": lambda text: f"{text} %",
    "percent without a blank": lambda text: f"{text}%",
    "dollars": lambda text: f"-${text[1:]}" if text.startswith("-") else f"${text}",
    "dollars before the sign": lambda text: f"${text}",
    "euros": lambda text: f"{text} \u20ac",
    "code": lambda text: f"EUR {text}",
    "kg": lambda text: f"{text} kg",
    "square metres": lambda text: f"{text} m2",
    "parentheses": lambda text: f"({text[1:]})" if text.startswith("-") else text,
}


@pytest.mark.parametrize(("decimal", "group"), [(".", ""), (",", ""), (".", ","), (",", "."), (",", " ")])
@pytest.mark.parametrize("mark", UNITS.values(), ids=UNITS)
def test_units(mark, decimal, group):
    for _ in range(10):
        wanted = numbers_of(10, 2)
        cells = [mark(written(number, decimal, group, 2)) for number in wanted]
        cells.append("NA")
        assert equal(R.units(column(cells)), [*wanted, math.nan])


@pytest.mark.parametrize(
    "cells", [["5 kg", "300 g"], ["5 %", "0.05"], ["$5", "5 \u20ac"], ["5", "7 kg"], ["5 kg", "a lot"], ["kg", "5 kg"]]
)
def test_different_units_stop(cells):
    with pytest.raises(ValueError, match="units|unit"):
        R.units(column(cells))


def test_a_unit_that_is_told():
    assert R.units(column(["5 kg", "7"]), unit="kg").tolist() == [5.0, 7.0]
    with pytest.raises(ValueError, match="different units"):
        R.units(column(["5 kg", "7", "300 g"]), unit="kg")


FORMATS = {
    "ISO": "%Y-%m-%d",
    "ISO with points": "%Y.%m.%d",
    "ISO with time": "%Y-%m-%d %H:%M:%S",
    "ISO of databases": "%Y-%m-%dT%H:%M:%SZ",
    "ISO with fractions": "%Y-%m-%dT%H:%M:%S.%f",
    "ISO with an offset": "%Y-%m-%dT%H:%M:%S+00:00",
    "points": "%d.%m.%Y",
    "points and time": "%d.%m.%Y %H:%M",
    "short year": "%d.%m.%y",
    "day first": "%d/%m/%Y",
    "month first": "%m/%d/%Y",
    "day first with time": "%d/%m/%Y %H:%M:%S",
    "twelve hours": "%m/%d/%Y %I:%M:%S %p",
    "dashes": "%d-%m-%Y",
}
EPOCH = datetime.datetime(2000, 1, 1)


def moments(count, style):
    """Random ones between 1970 and 2068, cut to what the format has."""
    for seconds in RNG.integers(-30 * 365 * 86400, 68 * 365 * 86400, count):
        moment = EPOCH + datetime.timedelta(seconds=int(seconds))
        yield datetime.datetime.strptime(moment.strftime(style), style)


@pytest.mark.parametrize("style", FORMATS.values(), ids=FORMATS)
def test_dates(style):
    unclear = style.startswith(("%d/", "%m/", "%d-"))
    for _ in range(20):
        chosen = list(moments(6, style))
        cells = [moment.strftime(style) for moment in chosen] + ["NA"]
        wanted = [(moment - EPOCH) / datetime.timedelta(days=1) for moment in chosen]
        told = {"day_first": style.startswith("%d")} if unclear else {}
        for options in [told, {}] if unclear else [{}]:
            try:
                found = R.dates(column(cells), **options)
            except ValueError as doubt:
                assert not options and "day_first=" in str(doubt)
                assert unclear and all(moment.day <= 12 for moment in chosen)
                continue
            assert found.tolist()[:-1] == pytest.approx(wanted, abs=1e-9) and math.isnan(found.iloc[-1])


def test_time_zones_are_brought_to_one():
    found = R.dates(column(["2021-03-01T10:00:00Z", "2021-03-01T12:00:00+02:00", "2021-03-01 10:00:00"]))
    assert found.tolist() == [found[0]] * 3


@pytest.mark.parametrize("cells", [["13/03/2004", "03/13/2004"], ["10/03/2004", "11/03/2004"]])
def test_an_order_that_is_not_certain_stops(cells):
    with pytest.raises(ValueError, match="day_first=True or day_first=False"):
        R.dates(column(cells))


@pytest.mark.parametrize("cell", ["31/02/2004", "2004-13-01", "32.01.2004", "2004-01", "yesterday"])
def test_what_is_no_date_stops(cell):
    with pytest.raises(ValueError, match="not certain"):
        R.dates(column(["25/12/2003", cell]))


def test_dates_of_data_frames():
    days = pd.date_range("2020-01-01", periods=4)
    wanted = [7305.0, 7306.0, 7307.0, 7308.0]
    for own in (days, days.date, days.tz_localize("UTC"), [day.to_pydatetime() for day in days]):
        assert R.dates(pd.Series(own, name="c")).tolist() == wanted
    assert R.dates(pd.Series(pd.period_range("2020-01", periods=2, freq="M")).dt.to_timestamp()).diff()[1] == 31


def test_times():
    for _ in range(50):
        hour, minute, second = (int(RNG.integers(end)) for end in (24, 60, 60))
        wanted = 3600.0 * hour + 60 * minute + second
        cells = [f"{hour:02d}:{minute:02d}:{second:02d}", f"{hour:02d}.{minute:02d}.{second:02d}", None]
        assert equal(R.times(column(cells)), [wanted, wanted, math.nan])
    assert R.times(column(["18:30", "0:00:01.5"])).tolist() == [66600.0, 1.5]
    assert R.times(pd.Series(pd.to_timedelta([0, 90], unit="min"))).tolist() == [0.0, 5400.0]
    assert R.times(pd.Series([datetime.time(1, 30)])).tolist() == [5400.0]
    with pytest.raises(ValueError, match="not certain"):
        R.times(column(["18:75"]))


def test_names_in_two_lines():
    rows = pd.DataFrame(
        [["a", "a", "y"], ["x", "z", ""], ["1", "2", "p"], ["", "", ""], ["a", "a", "y"], ["3", "4", "q"]]
    )
    table = R.with_names(rows)
    assert table.to_dict("list") == {"a x": ["1", "3"], "a z": ["2", "4"], "y": ["p", "q"]}
    assert R.with_names(rows.drop(index=1), names=1).columns.tolist() == ["a", "a", "y"]


def test_repeated_rows():
    table = pd.DataFrame({"id": ["a", "b", "a"], "x": [1, 2, 1]})
    assert R.unrepeated(table, "id").index.tolist() == [0, 1]
    with pytest.raises(ValueError, match="'a'"):
        R.unrepeated(table.assign(x=[1, 2, 3]), "id")


def test_formats_are_converted(tmp_path):
    table = pd.DataFrame({"x": [1.5, 2.5], "day": pd.to_datetime(["2020-01-31", "2020-02-29"])})
    for name, write in {"t.parquet": "to_parquet", "t.feather": "to_feather", "t.xlsx": "to_excel"}.items():
        try:
            getattr(table, write)(tmp_path / name, **({"index": False} if name.endswith("x") else {}))
        except ImportError as missing:
            pytest.skip(str(missing).splitlines()[0])
        R.as_csv(tmp_path / name, tmp_path / "new.csv")
        read = pd.read_csv(tmp_path / "new.csv", dtype=str)
        assert read["x"].tolist() == ["1.5", "2.5"]
        assert R.dates(read["day"]).tolist() == [7335.0, 7364.0], name
