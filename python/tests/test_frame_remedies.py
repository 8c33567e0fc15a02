"""Remedies that messages give for data frames: a test executes exactly that text, and the estimator then fits."""

import re

import numpy as np
import pandas
import pytest

from kernmix import KernelBank, MKLClassifier

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
    scope = {"X": X.copy(), "pandas": pandas}
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
