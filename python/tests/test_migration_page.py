"""The calls in the tables of docs/python/migration.md: each is constructed and fitted."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV

import kernmix

PAGE = Path(__file__).resolve().parents[2] / "docs/python/migration.md"
CALL = re.compile(r"(?:machine = )?((?:MKL\w+|GridSearchCV)\(.*?\))(?:\.fit\(X, y\))?")
SETTING = re.compile(r"(?:kernels|regularizer|normalization|scaling|solver|tol)=.+")


def calls():
    """Every call, or setting as a call, in the second column of a table."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    found = []
    for row in rows:
        for code in re.findall(r"`([^`]+)`", row.replace(r"\|", "").split("|")[2]):
            if SETTING.fullmatch(code):
                found.append(f"MKLClassifier({code})")
            elif match := CALL.fullmatch(code):
                found.append(match[1])
    return sorted(set(found))


@pytest.fixture(scope="module")
def samples():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:90, :10], y[:90]


def test_the_page_has_calls_for_each_estimator():
    text = " ".join(calls())
    assert all(name in text for name in ("MKLClassifier(", "MKLRegressor(", "MKLOneClass(", "GridSearchCV("))


@pytest.mark.parametrize("call", calls())
def test_a_call_of_the_page_fits(call, samples):
    X, y = samples
    machine = eval(call, {**vars(kernmix), "GridSearchCV": GridSearchCV})
    if "GridSearchCV" in call:
        y = np.stack([X[:, 0], X[:, 1]], axis=1)
    elif "multi_class" in call:
        y = np.arange(len(y)) % 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kernmix.KernmixWarning)
        machine.fit(X, y)
    assert np.isfinite(machine.predict(X)).all()
