"""Which columns a view has, and how X is read."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.compose import make_column_selector

import kernmix._samples
from kernmix import MKLClassifier, ResourceError
from kernmix.views import resolve_views

NAMES = ["mean_a", "mean_b", "se_a", "se_b", "area"]


def places(selection, X=None, names=NAMES):
    return resolve_views({"v": selection}, X, len(NAMES), names)["v"].tolist()


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ("area", [4]),
        ("mean_*", [0, 1]),
        ("*_a", [0, 2]),
        (["se_b", "mean_*"], [3, 0, 1]),
        (["area", "area"], [4]),
        (2, [2]),
        (-1, [4]),
        ([3, 0], [3, 0]),
        (range(1, 3), [1, 2]),
        (np.array([1, -1]), [1, 4]),
        (slice(1, None, 2), [1, 3]),
        (slice("mean_b", "se_b"), [1, 2, 3]),
        ([True, False, False, False, True], [0, 4]),
        (pd.Index(["se_a", "area"]), [2, 4]),
        (lambda X: ["area"], [4]),
    ],
)
def test_a_selection_has_its_columns(selection, expected):
    assert places(selection) == expected


def test_a_selector_of_scikit_learn_chooses_by_name():
    frame = pd.DataFrame(np.zeros((2, 5)), columns=NAMES)
    assert places(make_column_selector(pattern="^se_"), frame) == [2, 3]


def test_pairs_are_views_in_their_order():
    assert list(resolve_views([("b", 0), ("a", 1)], None, 2, None)) == ["b", "a"]


def test_no_views_is_one_of_all_columns():
    assert resolve_views(None, None, 3, None)["data"].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("selection", "error", "sentence"),
    [
        ("mean_c", ValueError, "view 'v': X has no column 'mean_c', did you mean 'mean_"),
        ("median_*", ValueError, "view 'v': no column has a name like 'median_*'"),
        (5, ValueError, "view 'v': X has no column 5, its 5 columns are 0 to 4"),
        ([], ValueError, "view 'v' selects no column of the 5"),
        (slice(3, 3), ValueError, "view 'v' selects no column"),
        ([False] * 5, ValueError, "view 'v' selects no column"),
        ([True, False], ValueError, "a mask must have one entry for each of the 5 columns, got 2"),
        ([0, "area"], TypeError, "by names or by numbers, not by both"),
        (1.5, TypeError, "columns are chosen by names"),
        ([[0, 1]], TypeError, "columns are chosen by names"),
        (None, TypeError, "neither the name nor the index"),
    ],
)
def test_a_selection_that_cannot_be_is_refused(selection, error, sentence):
    with pytest.raises(error) as refusal:
        places(selection)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("views", "error", "sentence"),
    [
        ({}, ValueError, "views is empty"),
        ([("a", 0), ("a", 1)], ValueError, "view 'a' occurs twice"),
        (["mean_*"], TypeError, "a dict of names and columns"),
        ([(1, 0)], TypeError, "the name of a view must be a text"),
    ],
)
def test_views_that_cannot_be_are_refused(views, error, sentence):
    with pytest.raises(error, match=sentence):
        resolve_views(views, None, 2, None)


def test_names_need_a_table_with_names():
    with pytest.raises(ValueError, match="X has no column names to find 'area' in"):
        places("area", names=None)


def table(rng):
    X = rng.normal(size=(40, 5))
    return X, np.where(X[:, 0] + X[:, 3] > 0, "yes", "no")


VIEWS = {"mean": [0, 1], "se": [2, 3]}


@pytest.mark.parametrize(
    "container",
    [
        lambda X: pd.DataFrame(X, columns=NAMES),
        lambda X: pl.DataFrame(X, schema=NAMES),
        np.asfortranarray,
        scipy.sparse.csr_matrix,
        scipy.sparse.coo_array,
        lambda X: X.tolist(),
    ],
    ids=["pandas", "polars", "fortran", "csr", "coo", "list"],
)
def test_every_container_gives_the_same_answer(container, rng):
    X, y = table(rng)
    plain = MKLClassifier(views=VIEWS).fit(X, y)
    model = MKLClassifier(views=VIEWS).fit(container(X), y)
    assert np.array_equal(model.weights_["weight"], plain.weights_["weight"])
    assert np.array_equal(model.decision_function(container(X)), plain.decision_function(X))


def test_columns_outside_the_views_may_hold_anything(rng):
    X, y = table(rng)
    frame = pd.DataFrame(X, columns=NAMES).assign(note="text", area=np.nan)
    views = {"mean": "mean_*", "se": "se_*"}
    model = MKLClassifier(views=views).fit(frame, y)
    assert model.views_ == {"mean": ["mean_a", "mean_b"], "se": ["se_a", "se_b"]}
    assert list(model.feature_names_in_) == [*NAMES, "note"]
    assert model.score(frame, y) > 0.8
    assert model.verify(frame, y)


def test_a_column_of_texts_in_a_view_is_named(rng):
    X, y = table(rng)
    frame = pd.DataFrame(X, columns=NAMES).assign(note="text")
    with pytest.raises(ValueError, match="column 'note' of X holds words, such as text: leave the column out"):
        MKLClassifier().fit(frame, y)


def test_views_may_overlap(rng):
    X, y = table(rng)
    model = MKLClassifier(views={"a": [0, 1], "b": [1, 2]}).fit(X, y)
    assert model.views_ == {"a": ["1", "2"], "b": ["2", "3"]}


def test_a_sparse_table_that_would_not_fit_is_refused(rng, monkeypatch):
    monkeypatch.setattr(kernmix._core, "default_memory_budget", lambda: 1000)
    X, y = table(rng)
    with pytest.raises(ResourceError, match="40 x 5 numbers take"):
        MKLClassifier().fit(scipy.sparse.csr_array(X), y)


def test_a_table_of_doubles_is_not_copied(rng):
    seen = []

    def linear(A, B):
        seen.append(A)
        return A @ B.T

    X, y = table(rng)
    model = MKLClassifier(linear).fit(X, y)
    assert seen[0] is X or np.shares_memory(seen[0], X)
    model.predict(X)
    assert np.shares_memory(seen[1], X)
