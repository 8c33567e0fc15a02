"""Remedies that messages give for data frames: a test executes exactly that text, and the estimator then fits."""

import datetime
import io
import re

import numpy as np
import pandas
import polars
import pytest

from kernmix import KernelBank, KernmixWarning, MKLClassifier, MKLRegressor

SAMPLES = 24
LABELS = np.array(["a", "b"] * (SAMPLES // 2))
COUNT = range(SAMPLES)
COLUMNS = {
    "dates": pandas.date_range("2020-01-01", periods=SAMPLES),
    "dates of a zone": pandas.date_range("2020-01-01", periods=SAMPLES, tz="Europe/Berlin"),
    "dates as text": [f"2020-01-{i + 1:02d}" for i in COUNT],
    "times of days": [f"2020-01-{i + 1:02d} 12:30" for i in COUNT],
    "German dates": [f"{i + 1:02d}.06.2013" for i in COUNT],
    "objects of dates": pandas.Series(pandas.date_range("2020-01-01", periods=SAMPLES)).dt.date,
    "times": pandas.Series(pandas.date_range("2020-01-01", periods=SAMPLES, freq="h")).dt.time,
    "periods": pandas.period_range("2020-01", periods=SAMPLES, freq="M"),
    "durations": pandas.to_timedelta(COUNT, unit="h"),
    "numbers as text": [f"{i}" for i in COUNT],
    "numbers of a category": pandas.Categorical([f"{i % 7}" for i in COUNT]),
    "signs of typesetters": [f"\u2212{i}.5" for i in COUNT],
    "decimal commas": [f"{i},5" for i in COUNT],
    "commas and missing cells": [None, *(f"{i},25" for i in range(1, SAMPLES))],
    "commas of a text type": pandas.array([None, *(f"{i},25" for i in range(1, SAMPLES))], dtype="string"),
    "points and commas": [f"1.{i:03d},5" for i in COUNT],
    "thousands": [f"1,{i:03d},000" for i in COUNT],
    "either": [f"1,{i:03d}" for i in COUNT],
    "percentages": [f"{i},5 %" for i in COUNT],
    "numbers and a word": [1.0, "unknown", *(float(i) for i in range(2, SAMPLES))],
    "texts of numbers and a word": ["unknown", *(str(i) for i in range(1, SAMPLES))],
    "words": ["u", "v", "w"] * (SAMPLES // 3),
    "names": [f"id {i}" for i in COUNT],
    "lists": [[1, 2]] * SAMPLES,
    "complex numbers": np.arange(SAMPLES) * 1j,
}


def frame_with(values):
    return pandas.DataFrame({"x": np.sin(np.arange(SAMPLES)), "c": values})


def message_of(machine, X):
    with pytest.raises(ValueError, match="column") as caught:
        machine.fit(X, LABELS)
    return str(caught.value)


def followed(statement, X):
    scope = {"X": X if isinstance(X, polars.DataFrame) else X.copy(), "numpy": np, "pandas": pandas, "polars": polars}
    exec(statement, scope)  # noqa: S102 (a message of ours)
    return scope["X"]


@pytest.mark.parametrize("machine", [MKLClassifier(missing="mean"), KernelBank()], ids=["estimator", "bank"])
@pytest.mark.parametrize("values", COLUMNS.values(), ids=COLUMNS.keys())
def test_each_statement_makes_the_frame_usable(values, machine):
    X = frame_with(values)
    statements = re.findall(r"`([^`]+)`", message_of(machine, X))
    assert statements
    for statement in statements:
        usable = followed(statement, X)
        if usable.isna().any().any() and isinstance(machine, KernelBank):
            usable = usable.dropna()
        machine.fit(usable, LABELS[: len(usable)])


OF_POLARS = {
    **{
        name: list(COLUMNS[name])
        for name in COLUMNS
        if isinstance(COLUMNS[name], list) and name not in ("lists", "numbers and a word")
    },
    "dates": polars.Series([datetime.datetime(2020, 1, i + 1, 12, 30) for i in COUNT]),
    "dates of a zone": polars.Series(
        [datetime.datetime(2020, 1, i + 1, tzinfo=datetime.timezone.utc) for i in COUNT]
    ).dt.convert_time_zone("Europe/Berlin"),
    "days": [datetime.date(2020, 1, i + 1) for i in COUNT],
    "times": [datetime.time(i, 30) for i in COUNT],
    "durations": [datetime.timedelta(hours=i) for i in COUNT],
    "dates as ISO 8601": [f"2020-01-{i + 1:02d}T12:30:00Z" for i in COUNT],
    "American dates": [f"1/{i + 1}/2020" for i in COUNT],
    "short dates": [f"1/{i + 1}/20" for i in COUNT],
    "short German dates": [f"{i + 1}.06.13" for i in COUNT],
    "numbers of a category": polars.Series([f"{i % 7}" for i in COUNT], dtype=polars.Categorical),
    "lists": [[1, 2]] * SAMPLES,
}
MACHINES = {"estimator": MKLClassifier("linear", missing="mean"), "bank": KernelBank()}


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
@pytest.mark.parametrize("values", OF_POLARS.values(), ids=OF_POLARS.keys())
def test_each_statement_makes_a_frame_of_polars_usable(values, machine):
    X = polars.DataFrame({"x": np.sin(np.arange(SAMPLES)), "c": values})
    statements = re.findall(r"`([^`]+)`", message_of(machine, X))
    assert statements
    for statement in statements:
        usable = followed(statement, X)
        usable = usable.drop_nulls() if isinstance(machine, KernelBank) else usable
        machine.fit(usable, LABELS[: len(usable)])


def test_the_statements_of_polars_make_the_numbers_of_pandas():
    for name, expected in {
        "decimal commas": np.arange(SAMPLES) + 0.5,
        "points and commas": np.arange(SAMPLES) + 1000.5,
        "thousands": 1e6 + 1e3 * np.arange(SAMPLES),
        "signs of typesetters": -(np.arange(SAMPLES) + 0.5),
        "German dates": 4900 + np.arange(SAMPLES),
        "short German dates": 4900 + np.arange(SAMPLES),
        "American dates": 7305 + np.arange(SAMPLES),
        "short dates": 7305 + np.arange(SAMPLES),
        "dates": 7305 + np.arange(SAMPLES),
        "dates of a zone": 7305 + np.arange(SAMPLES),
        "dates as ISO 8601": 7305 + np.arange(SAMPLES),
        "days": 7305 + np.arange(SAMPLES),
        "durations": 3600.0 * np.arange(SAMPLES),
        "percentages": np.arange(SAMPLES) + 0.5,
    }.items():
        X = polars.DataFrame({"x": np.sin(np.arange(SAMPLES)), "c": OF_POLARS[name]})
        statement = re.findall(r"`([^`]+)`", message_of(MKLClassifier(), X))[0]
        assert followed(statement, X)["c"].to_list() == expected.tolist(), name


LIBRARIES = {"pandas": pandas.DataFrame, "polars": polars.DataFrame}


@pytest.mark.parametrize("library", [*LIBRARIES, "numpy"])
@pytest.mark.parametrize("views", [None, {"u": [0], "v": [1, 2]}])
@pytest.mark.parametrize("cell", [np.inf, -np.inf])
def test_an_infinite_cell_is_named_and_can_be_made_missing(library, views, cell):
    values = {"x": np.sin(np.arange(SAMPLES)), "c": np.cos(np.arange(SAMPLES)), "d": np.arange(SAMPLES) * 1.0}
    values["c"][[3, 7]] = cell
    X = LIBRARIES.get(library, lambda own: np.column_stack(list(own.values())))(values)
    machine = MKLClassifier("linear", views=views, missing="mean")
    message = message_of(machine, X)
    name = "1" if library == "numpy" else "'c'"
    assert (
        f"Input X contains infinity or a value too large for dtype('float64'), in column {name}, row 3 of X" in message
    )
    assert "(2 cells)" in message
    statement = re.findall(r"`([^`]+)`", message)[0]
    machine.fit(followed(statement, X), LABELS)
    assert "column" in message_of(KernelBank(), X)
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


def test_the_statements_keep_the_numbers():
    for name, expected in {
        "decimal commas": np.arange(SAMPLES) + 0.5,
        "points and commas": np.arange(SAMPLES) + 1000.5,
        "thousands": 1e6 + 1e3 * np.arange(SAMPLES),
        "signs of typesetters": -(np.arange(SAMPLES) + 0.5),
        "German dates": 4900 + np.arange(SAMPLES),
        "durations": 3600.0 * np.arange(SAMPLES),
        "percentages": np.arange(SAMPLES) + 0.5,
    }.items():
        X = frame_with(COLUMNS[name])
        statement = re.findall(r"`([^`]+)`", message_of(MKLClassifier(), X))[0]
        assert followed(statement, X)["c"].tolist() == expected.tolist(), name


def test_the_parameter_for_words_is_one_that_fits():
    X = frame_with(COLUMNS["words"])
    parameter = re.search(r"categorical=(\[[^]]+\])", message_of(MKLClassifier(), X))[1]
    MKLClassifier(categorical=eval(parameter)).fit(X, LABELS)


def test_columns_of_one_name_are_refused_with_a_statement():
    X = pandas.concat([frame_with(np.arange(SAMPLES)), frame_with(np.arange(SAMPLES))], axis=1)
    with pytest.raises(ValueError, match="two columns of X are called 'x'") as caught:
        MKLClassifier().fit(X, LABELS)
    MKLClassifier().fit(followed(re.findall(r"`([^`]+)`", str(caught.value))[0], X), LABELS)


def test_all_columns_without_numbers_are_counted():
    X = pandas.DataFrame({name: COLUMNS[name] for name in ("dates", "words", "names", "lists")})
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
        machine.predict(frame_with(COLUMNS["words"]))
    assert "categorical" not in str(caught.value)


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
@pytest.mark.parametrize("values", OF_POLARS.values(), ids=OF_POLARS.keys())
def test_each_statement_makes_a_table_of_arrow_usable(values, machine):
    arrow = pytest.importorskip("pyarrow")
    X = polars.DataFrame({"x": np.sin(np.arange(SAMPLES)), "c": values}).to_arrow()
    statements = re.findall(r"`([^`]+)`", message_of(machine, X))
    assert statements
    for statement in statements:
        scope = {"X": X, "pyarrow": arrow}
        exec(statement, scope)  # noqa: S102 (a message of ours)
        usable = scope["X"].drop_null() if isinstance(machine, KernelBank) else scope["X"]
        machine.fit(usable, LABELS[: len(usable)])


def test_the_statements_of_arrow_make_the_numbers_of_polars():
    arrow = pytest.importorskip("pyarrow")
    for name in ("decimal commas", "thousands", "percentages", "German dates", "dates of a zone", "times", "durations"):
        X = polars.DataFrame({"x": np.sin(np.arange(SAMPLES)), "c": OF_POLARS[name]})
        expected = followed(re.findall(r"`([^`]+)`", message_of(MKLClassifier(), X))[0], X)["c"].to_list()
        scope = {"X": X.to_arrow(), "pyarrow": arrow}
        exec(re.findall(r"`([^`]+)`", message_of(MKLClassifier(), scope["X"]))[0], scope)  # noqa: S102 (ours)
        assert scope["X"]["c"].to_pylist() == pytest.approx(expected, rel=1e-12), name


def test_an_infinite_cell_of_arrow_can_be_made_missing():
    arrow = pytest.importorskip("pyarrow")
    scope = {"X": arrow.table({"x": np.sin(np.arange(SAMPLES)), "c": [np.inf] + [0.5] * 23}), "pyarrow": arrow}
    machine = MKLClassifier("linear", missing="mean")
    exec(re.findall(r"`([^`]+)`", message_of(machine, scope["X"]))[0], scope)  # noqa: S102 (ours)
    machine.fit(scope["X"], LABELS)


MISSING_WORDS = {
    "decimal commas": ["", "NA", *(f"{i},25" for i in range(2, SAMPLES))],
    "numbers": ["nan", *(f"{i}" for i in range(1, SAMPLES))],
    "dates": [" ", "null", *(f"2020-01-{i + 1:02d}" for i in range(2, SAMPLES))],
}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("cells", MISSING_WORDS.values(), ids=MISSING_WORDS.keys())
def test_words_for_missing_cells_are_missing(library, cells):
    module = pytest.importorskip(library)
    frame = module.table if library == "pyarrow" else module.DataFrame
    scope = {"X": frame({"x": np.sin(np.arange(SAMPLES)), "c": cells}), library: module}
    machine = MKLClassifier("linear", missing="mean")
    message = message_of(machine, scope["X"])
    assert "for missing cells" in message
    exec(re.findall(r"`([^`]+)`", message)[0], scope)  # noqa: S102 (a message of ours)
    machine.fit(scope["X"], LABELS)
    words = sum(cell.strip() in ("", "NA", "nan", "null") for cell in cells)
    assert np.isnan(np.asarray(scope["X"]["c"], dtype=float)).sum() == words


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
    scope = {
        "X": module.table(X) if library == "pyarrow" else module.DataFrame(X),
        "y": module.chunked_array([labels]) if library == "pyarrow" else module.Series(labels),
        library: module,
    }
    with pytest.raises(ValueError, match="for 1 of 24 samples, the first at 1: ") as caught:
        MKLClassifier().fit(scope["X"], scope["y"])
    exec(re.findall(r"`([^`]+)`", str(caught.value))[0], scope)  # noqa: S102 (a message of ours)
    assert MKLClassifier().fit(scope["X"], scope["y"]).support_.max() < SAMPLES - 1


def test_targets_that_are_missing_are_named():
    y = np.arange(SAMPLES) * 1.0
    y[[3, 5]] = np.nan
    with pytest.raises(ValueError, match="Input y contains NaN, for 2 of 24 samples, the first at 3: leave them out"):
        MKLRegressor().fit(frame_with(np.arange(SAMPLES)), y)


def test_labels_spelled_in_two_ways_are_named():
    with pytest.warns(KernmixWarning, match="'Yes' and 'yes' differ only in case or blanks"):
        MKLClassifier().fit(frame_with(np.arange(SAMPLES)), ["yes", "no", "Yes"] * 8)
