"""What messages about data frames name: a parameter, or a recipe of the page "Clean a table", which the test follows. The
estimator then fits, on the numbers that the cells mean."""

import io
import math
import re

import numpy as np
import pandas
import polars
import pytest
from recipe_page import named_in, recipes

from kernmix import KernelBank, KernmixWarning, MKLClassifier, MKLRegressor

R = recipes()
SAMPLES = 24
LABELS = np.array(["a", "b"] * (SAMPLES // 2))
COUNT = range(SAMPLES)
DAYS = pandas.date_range("2020-01-01", periods=SAMPLES)
DATES = [7305.0 + i for i in COUNT]
# A column, its recipe, its numbers, and what only the user knows.
COLUMNS = {
    "dates": (DAYS, "dates", DATES, {}),
    "dates of a zone": (DAYS.tz_localize("UTC").tz_convert("Europe/Berlin"), "dates", DATES, {}),
    "dates as text": ([f"2020-01-{i + 1:02d}" for i in COUNT], "dates", DATES, {}),
    "times of days": ([f"2020-01-{i + 1:02d} 12:00" for i in COUNT], "dates", [day + 0.5 for day in DATES], {}),
    "ISO 8601": ([f"2020-01-{i + 1:02d}T12:00:00Z" for i in COUNT], "dates", [day + 0.5 for day in DATES], {}),
    "German dates": ([f"{i + 1:02d}.06.2013" for i in COUNT], "dates", [4900.0 + i for i in COUNT], {}),
    "short German dates": ([f"{i + 1}.06.13" for i in COUNT], "dates", [4900.0 + i for i in COUNT], {}),
    "American dates": ([f"1/{i + 1}/2020" for i in COUNT], "dates", DATES, {}),
    "British dates": ([f"{i + 1}/1/2020" for i in COUNT], "dates", DATES, {}),
    "unclear dates": (
        [f"1/{i % 12 + 1}/2020" for i in COUNT],
        "dates",
        [7305.0 + i % 12 for i in COUNT],
        {"day_first": False},
    ),
    "objects of dates": (pandas.Series(DAYS).dt.date, "dates", DATES, {}),
    "times": (
        pandas.Series(pandas.date_range("2020-01-01", periods=SAMPLES, freq="h")).dt.time,
        "times",
        [3600.0 * i for i in COUNT],
        {},
    ),
    "times as text": ([f"{i:02d}:30" for i in COUNT], "times", [3600.0 * i + 1800 for i in COUNT], {}),
    "times with points": ([f"{i:02d}.00.00" for i in COUNT], "times", [3600.0 * i for i in COUNT], {}),
    "durations": (pandas.to_timedelta(COUNT, unit="h"), "times", [3600.0 * i for i in COUNT], {}),
    "numbers as text": ([f"{i}" for i in COUNT], "numbers", list(COUNT), {}),
    "numbers of a category": (pandas.Categorical([f"{i % 7}" for i in COUNT]), "numbers", [i % 7 for i in COUNT], {}),
    "signs of typesetters": ([f"\u2212{i}.5" for i in COUNT], "numbers", [-i - 0.5 for i in COUNT], {}),
    "decimal commas": ([f"{i},5" for i in COUNT], "numbers", [i + 0.5 for i in COUNT], {}),
    "commas and missing cells": (
        [None, *(f"{i},25" for i in range(1, SAMPLES))],
        "numbers",
        [math.nan, *(i + 0.25 for i in range(1, SAMPLES))],
        {},
    ),
    "commas of a text type": (
        pandas.array([None, *(f"{i},25" for i in range(1, SAMPLES))], dtype="string"),
        "numbers",
        [math.nan, *(i + 0.25 for i in range(1, SAMPLES))],
        {},
    ),
    "commas and a point": (
        ["12.5", *(f"{i},25" for i in range(1, SAMPLES))],
        "numbers",
        [12.5, *(i + 0.25 for i in range(1, SAMPLES))],
        {"decimal": ","},
    ),
    "points and commas": ([f"1.{i:03d},5" for i in COUNT], "numbers", [1000.5 + i for i in COUNT], {}),
    "thousands": ([f"1,{i:03d},000" for i in COUNT], "numbers", [1e6 + 1000 * i for i in COUNT], {}),
    "either": ([f"1,{i:03d}" for i in COUNT], "numbers", [1 + i / 1000 for i in COUNT], {"decimal": ","}),
    "percentages": ([f"{i},5 %" for i in COUNT], "units", [i + 0.5 for i in COUNT], {}),
    "money": ([f"${i}.25" for i in COUNT], "units", [i + 0.25 for i in COUNT], {}),
    "euros": ([f"1.00{i % 10},25 \u20ac" for i in COUNT], "units", [1000.25 + i % 10 for i in COUNT], {}),
}
OTHERS = {
    "periods": (pandas.period_range("2020-01", periods=SAMPLES, freq="M"), ["dates"]),
    "numbers and a word": ([1.0, "unknown", *(float(i) for i in range(2, SAMPLES))], ["missing"]),
    "texts of numbers and a word": (["unknown", *(str(i) for i in range(1, SAMPLES))], ["missing"]),
    "names": ([f"id {i}" for i in COUNT], []),
    "lists": ([[1, 2]] * SAMPLES, []),
    "complex numbers": (np.arange(SAMPLES) * 1j, []),
}
MACHINES = {"estimator": MKLClassifier("linear", missing="mean"), "bank": KernelBank()}
WORDS = ["u", "v", "w"] * (SAMPLES // 3)


def frame_with(values):
    return pandas.DataFrame({"x": np.sin(np.arange(SAMPLES)), "c": values})


def message_of(machine, X):
    with pytest.raises(ValueError, match="column") as caught:
        machine.fit(X, LABELS)
    return str(caught.value)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS.keys())
def test_the_recipe_that_is_named_makes_the_numbers(column, machine, library):
    values, recipe, wanted, known = column
    X = frame_with(values)
    if library != "pandas":
        pytest.importorskip("pyarrow")
        X = polars.from_pandas(X)
        X = X if library == "polars" else X.to_arrow()
    assert named_in(message_of(machine, X)) == [recipe]
    table = X.copy() if library == "pandas" else X.to_pandas()
    table["c"] = getattr(R, recipe)(table["c"], **known)
    assert table["c"].tolist() == pytest.approx(wanted, abs=1e-9, nan_ok=True)
    machine.fit(table if machine is MACHINES["estimator"] else table.fillna(0.0), LABELS)


@pytest.mark.parametrize(("values", "named"), OTHERS.values(), ids=OTHERS.keys())
def test_other_columns_can_be_left_out(values, named):
    message = message_of(MACHINES["estimator"], frame_with(values))
    assert named_in(message) == named and "leave the column out" in message


def test_a_word_among_numbers_is_missing_if_the_user_says_so():
    cells = ["unknown", *(str(i) for i in range(1, SAMPLES))]
    assert 'missing="mean"' in message_of(MACHINES["estimator"], frame_with(cells))
    with pytest.raises(ValueError, match="unknown"):
        R.numbers(pandas.Series(cells))
    R.MISSING.add("unknown")
    made = R.numbers(pandas.Series(cells))
    R.MISSING.remove("unknown")
    assert math.isnan(made[0]) and made[1:].tolist() == list(range(1, SAMPLES))
    MACHINES["estimator"].fit(frame_with(made), LABELS)


def test_words_of_a_bank_become_indicators():
    message = message_of(KernelBank(), frame_with(WORDS))
    assert named_in(message) == ["indicators"] and "its 3 different words" in message
    KernelBank().fit(pandas.get_dummies(frame_with(WORDS), columns=["c"], dtype=float), LABELS)


ORDERS = {
    "day first": (["10/03/2004", "13/03/2004"], ", with the day first: "),
    "month first": (["03/10/2004", "03/13/2004"], ", with the month first: "),
    "either": (["10/03/2004", "11/03/2004"], ", whose order of day and month is not certain: "),
    "both": (["13/03/2004", "03/13/2004"], ", whose order of day and month is not certain: "),
    "points": (["10.03.2004", "11.03.2004"], "such as 10.03.2004: "),
    "year first": (["2004/03/10", "2004/03/11"], "such as 2004/03/10: "),
}


@pytest.mark.parametrize(("days", "said"), ORDERS.values(), ids=ORDERS.keys())
def test_the_order_of_a_date_is_told_from_all_cells(days, said):
    for order in (days, days[::-1]):
        message = message_of(MKLClassifier(), frame_with(order * (SAMPLES // 2))).replace(order[0], days[0])
        assert said in message


LIBRARIES = {"pandas": pandas.DataFrame, "polars": polars.DataFrame}


@pytest.mark.parametrize("library", [*LIBRARIES, "numpy"])
@pytest.mark.parametrize("views", [None, {"u": [0], "v": [1, 2]}])
@pytest.mark.parametrize("cell", [np.inf, -np.inf])
def test_an_infinite_cell_is_named(library, views, cell):
    values = {"x": np.sin(np.arange(SAMPLES)), "c": np.cos(np.arange(SAMPLES)), "d": np.arange(SAMPLES) * 1.0}
    values["c"][[3, 7]] = cell
    X = LIBRARIES.get(library, lambda own: np.column_stack(list(own.values())))(values)
    machine = MKLClassifier("linear", views=views, missing="mean")
    message = message_of(machine, X)
    name = "1" if library == "numpy" else "'c'"
    assert (
        f"Input X contains infinity or a value too large for dtype('float64'), in column {name}, row 3 of X" in message
    )
    assert "(2 cells)" in message and named_in(message) == ["missing"]
    assert "column" in message_of(KernelBank(), X)
    absent = {own: np.where(np.isinf(numbers), np.nan, numbers) for own, numbers in values.items()}
    machine.fit(LIBRARIES.get(library, lambda own: np.column_stack(list(own.values())))(absent), LABELS)
    with pytest.raises(ValueError, match=rf"column {name}, row 3 of X"):
        machine.predict(X)


@pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES.keys())
def test_a_missing_cell_is_named(library):
    X = library({"x": np.sin(np.arange(SAMPLES)), "c": [1.0, None, *np.arange(2.0, SAMPLES)]})
    assert "Input X contains NaN, in column 'c', row 1 of X: MKLClassifier(missing=" in message_of(MKLClassifier(), X)


READERS = {"pandas": pandas.read_csv, "polars": polars.read_csv}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
@pytest.mark.parametrize("categorical", [None, "auto"])
@pytest.mark.parametrize("parts", [2, 3])
def test_headers_repeated_inside_a_file_are_named(read, categorical, parts):
    header = "x,c,y\n"
    lines = [f"{i * 7 % 12}.25,{'uvw'[i % 3] if categorical else i},{LABELS[i]}\n" for i in COUNT]
    text = (header + "".join(lines[:8])) * (parts - 1) + header + "".join(lines[8:])
    table = read(io.BytesIO(text.encode()))
    rest = "" if parts == 2 else ", and 1 more row does"
    with pytest.raises(
        ValueError, match=rf"row 8 of X repeats the names of the columns{rest}: remove repeated headers"
    ):
        MKLClassifier(categorical=categorical).fit(table[["x", "c"]], table["y"])
    table = read(io.BytesIO((header + text.replace(header, "")).encode()))
    machine = MKLClassifier(categorical=categorical).fit(table[["x", "c"]], table["y"])
    new = read(io.BytesIO(text.encode()))
    with pytest.raises(ValueError, match="row 8 of X repeats"):
        machine.predict(new[["x", "c"]])


def test_the_parameter_for_words_is_one_that_fits():
    X = frame_with(WORDS)
    parameter = re.search(r"categorical=(\[[^]]+\])", message_of(MKLClassifier(), X))[1]
    MKLClassifier(categorical=eval(parameter)).fit(X, LABELS)


def test_columns_of_one_name_are_refused():
    X = pandas.concat([frame_with(np.arange(SAMPLES)), frame_with(np.arange(SAMPLES))], axis=1)
    with pytest.raises(ValueError, match="two columns of X are called 'x': rename or remove one of them"):
        MKLClassifier().fit(X, LABELS)


def test_all_columns_without_numbers_are_counted():
    X = pandas.DataFrame({"dates": DAYS, "words": WORDS, "names": OTHERS["names"][0], "lists": [[1, 2]] * SAMPLES})
    message = message_of(MKLClassifier(), X)
    assert message.startswith("4 columns of X hold no numbers; the first three are\n  column 'dates'")
    assert message.count("column '") == 3


def test_missing_cells_of_any_type_are_missing():
    for cells in (
        [None] * SAMPLES,
        [1, None] * 12,
        pandas.array([True, None] * 12, dtype="boolean"),
        [True, None] * 12,
    ):
        machine = MKLClassifier(missing="mean").fit(frame_with(cells), LABELS)
        assert machine.predict(frame_with(cells)).shape == (SAMPLES,)


def test_labels_that_are_none_are_named():
    with pytest.raises(ValueError, match="y contains None, for 8 of 24 samples, the first at 2"):
        MKLClassifier().fit(frame_with(np.arange(SAMPLES)), np.array(["a", "b", None] * 8, dtype=object))


def test_new_samples_have_no_advice_for_training():
    machine = MKLClassifier().fit(frame_with(np.arange(SAMPLES)), LABELS)
    with pytest.raises(ValueError, match="holds words") as caught:
        machine.predict(frame_with(WORDS))
    assert "categorical" not in str(caught.value)


MISSING_WORDS = {
    "decimal commas": ["", "NA", *(f"{i},25" for i in range(2, SAMPLES))],
    "numbers": ["nan", *(f"{i}" for i in range(1, SAMPLES))],
    "dates": [" ", "null", *(f"2020-01-{i + 1:02d}" for i in range(2, SAMPLES))],
}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("cells", MISSING_WORDS.values(), ids=MISSING_WORDS.keys())
def test_words_for_missing_cells_are_missing(library, cells):
    module = pytest.importorskip(library)
    frame = (module.table if library == "pyarrow" else module.DataFrame)({"x": np.sin(np.arange(SAMPLES)), "c": cells})
    message = message_of(MACHINES["estimator"], frame)
    assert "for missing cells" in message
    [recipe] = named_in(message)
    table = frame.copy() if library == "pandas" else frame.to_pandas()
    table["c"] = getattr(R, recipe)(table["c"])
    words = sum(cell.strip() in ("", "NA", "nan", "null") for cell in cells)
    assert table["c"].isna().sum() == words
    MACHINES["estimator"].fit(table, LABELS)


def test_a_word_among_others_is_a_word():
    assert "'NA'" not in message_of(MKLClassifier(), frame_with(["NA", "b", "c"] * 8))


def test_line_breaks_are_not_repeated():
    assert "such as two lines" in message_of(MKLClassifier(), frame_with(["two\nlines", "b", "c"] * 8))


def test_a_leading_zero_is_no_group_of_digits():
    message = message_of(MKLClassifier(), frame_with([f"0,{i + 100}" for i in COUNT]))
    assert "holds numbers with decimal commas" in message


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_samples_without_a_label_can_be_left_out(library):
    module = pytest.importorskip(library)
    labels = ["a", None, *["a", "b"] * 11]
    X = {"x": np.sin(np.arange(SAMPLES))}
    X = module.table(X) if library == "pyarrow" else module.DataFrame(X)
    y = module.chunked_array([labels]) if library == "pyarrow" else module.Series(labels)
    with pytest.raises(ValueError, match="for 1 of 24 samples, the first at 1: leave these samples out") as caught:
        MKLClassifier().fit(X, y)
    assert named_in(str(caught.value)) == ["missing"]


def test_targets_that_are_missing_are_named():
    y = np.arange(SAMPLES) * 1.0
    y[[3, 5]] = np.nan
    with pytest.raises(
        ValueError, match="Input y contains NaN, for 2 of 24 samples, the first at 3: leave these samples"
    ):
        MKLRegressor().fit(frame_with(np.arange(SAMPLES)), y)


def test_labels_spelled_in_two_ways_are_named():
    with pytest.warns(KernmixWarning, match="'Yes' and 'yes' differ only in case or blanks"):
        MKLClassifier().fit(frame_with(np.arange(SAMPLES)), ["yes", "no", "Yes"] * 8)


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame], ids=["pandas", "polars"])
def test_control_characters_are_shown_as_escapes(library):
    """A name and a cell cannot change what a terminal shows, or end the message."""
    evil = "\x1b[31mred\x00end"
    for name, cell in ((evil, "word"), ("c", evil)):
        message = message_of(MKLClassifier(), library({"x": np.sin(np.arange(SAMPLES)), name: [cell] * SAMPLES}))
        assert message.isprintable() and "\\x1b[31mred\\x00end" in message
