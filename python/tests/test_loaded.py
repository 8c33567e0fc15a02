"""A model that was trained anywhere and loaded: the same decisions, probabilities, classes and columns."""

from __future__ import annotations

import itertools
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

import kernmix
from kernmix import MKLClassifier, MultilabelMKL

KERNMIX = os.environ.get("KERNMIX")
RNG = np.random.default_rng(11)
X = RNG.normal(size=(60, 4))
FIRST = X[:, 0] + X[:, 3] > 0.3
NEW = RNG.normal(size=(15, 4))
LABELS = [
    ("no", "yes"),
    (0, 1),
    (-1, 1),
    (False, True),
    ("10", "9"),
    ("1.0", "2"),
    (2.0, 10.0),
    ("01", "1a"),
    ("True", "maybe"),
    (9, 10),
]
COLUMNS = ["b", "a", "d", "c"]
FRAME, NEW_FRAME = pd.DataFrame(X, columns=COLUMNS), pd.DataFrame(NEW, columns=COLUMNS)
VIEWS = {"late": ["c", "a"], "early": ["d", "b"]}


def saved(model, path):
    model.save(path)
    return kernmix.load(path)


def assert_same_answers(left, right, new):
    assert left.classes_.tolist() == right.classes_.tolist()
    assert left.classes_.dtype.kind == right.classes_.dtype.kind
    for question in ("decision_function", "predict", "predict_proba", "contributions"):
        if hasattr(left, question):
            assert np.array_equal(getattr(left, question)(new), getattr(right, question)(new)), question
    assert np.array_equal(left.intercept_, right.intercept_)
    assert np.array_equal(left.dual_coef_, right.dual_coef_)


@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize(
    "options", [{}, {"loss": "logistic"}, {"calibration": "platt", "calibration_folds": 2}], ids=str
)
def test_a_fitted_model_is_the_same_when_it_is_loaded(labels, options, tmp_path):
    y = np.array(labels)[FIRST.astype(int)]
    model = MKLClassifier(views=VIEWS, C=10, **options).fit(FRAME, y)
    again = saved(model, tmp_path / "m.kmx")
    assert_same_answers(model, again, NEW_FRAME)
    assert (
        np.array_equal(again.decision_function(NEW_FRAME) > 0, again.predict(NEW_FRAME) == again.classes_[1]) or options
    )


@pytest.mark.parametrize("y", [np.array(["10", "9", "8"]), np.array([10, 9, 8]), np.array([2.0, 3.0, 10.0])], ids=str)
def test_many_classes_keep_their_columns(y, tmp_path):
    y = y[np.digitize(X[:, 0], [-0.5, 0.5])]
    for scheme in ("ovr", "ovo", "joint"):
        model = MKLClassifier(multi_class=scheme, C=10).fit(X, y)
        assert_same_answers(model, saved(model, tmp_path / "m.kmx"), NEW)


def test_labels_keep_their_columns(tmp_path):
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, X[:, 2] > 0.1])
    for y in (Y, pd.DataFrame(Y, columns=["z", "10", "9"])):
        model = MultilabelMKL().fit(X, y)
        assert_same_answers(model, saved(model, tmp_path / "m.kmx"), NEW)


def test_columns_are_read_by_name_and_arrays_in_the_order_of_training(tmp_path):
    y = np.where(FIRST, "in", "out")
    model = MKLClassifier(views=VIEWS, C=10).fit(FRAME, y)
    again = saved(model, tmp_path / "m.kmx")
    expected = model.decision_function(NEW_FRAME)
    for order in itertools.permutations(COLUMNS):
        frame = NEW_FRAME[list(order)].assign(more="words")
        assert np.array_equal(model.decision_function(frame), expected)
        assert np.array_equal(again.decision_function(frame), expected)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert np.array_equal(again.decision_function(NEW), expected)
    with pytest.raises(ValueError, match="no column"):
        again.decision_function(NEW_FRAME.drop(columns="c"))
    refit = MKLClassifier(**again.get_params()).fit(FRAME, y)
    assert np.allclose(refit.decision_function(NEW_FRAME), expected, atol=1e-10)


def test_columns_that_are_called_by_numbers_are_read_by_them(tmp_path):
    wavelengths = [410, 400, 430, 420]
    y = np.where(FIRST, "in", "out")
    model = MKLClassifier(C=10).fit(pd.DataFrame(X, columns=wavelengths), y)
    new = pd.DataFrame(NEW, columns=wavelengths)
    assert np.array_equal(model.predict(new[sorted(wavelengths)]), model.predict(new))
    assert np.array_equal(model.predict(pd.DataFrame(NEW)), model.predict(new))
    with pytest.raises(ValueError, match="X has no column 430"):
        model.predict(new.rename(columns={430: 431}))


def test_arrays_keep_their_columns(tmp_path):
    y = np.where(FIRST, "in", "out")
    model = MKLClassifier(views={"late": [3, 1], "early": [2]}, C=10).fit(X, y)
    again = saved(model, tmp_path / "m.kmx")
    assert np.array_equal(again.decision_function(NEW), model.decision_function(NEW))
    assert again.get_params()["views"] == {"late": [3, 1], "early": [2]}
    refit = MKLClassifier(**again.get_params()).fit(X, y)
    assert np.allclose(refit.decision_function(NEW), model.decision_function(NEW), atol=1e-10)


def test_columns_that_count_from_zero_are_those_of_arrays(tmp_path):
    """As those of a LIBSVM file whose indices count from 0."""
    y = np.where(FIRST, "in", "out")
    columns = [str(i) for i in range(X.shape[1])]
    model = MKLClassifier(views={"late": ["3", "1"], "early": ["2", "0"]}, C=10).fit(
        pd.DataFrame(X, columns=columns), y
    )
    again = saved(model, tmp_path / "m.kmx")
    expected = model.decision_function(pd.DataFrame(NEW, columns=columns))
    assert np.array_equal(again.decision_function(NEW), expected)
    assert again.get_params()["views"] == {"late": [3, 1], "early": [2, 0]}
    with pytest.raises(ValueError, match="features"):
        again.decision_function(NEW[:, 1:])


def kernmix_cli(folder, *arguments):
    done = subprocess.run([KERNMIX, *arguments], cwd=folder, capture_output=True, check=False, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")
@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize("positive", [0, 1])
def test_a_model_of_the_command_line_is_the_same_in_python(labels, positive, tmp_path):
    y = np.array(labels, dtype=object)[FIRST.astype(int)]
    FRAME.assign(y=y).to_csv(tmp_path / "d.csv", index=False)
    NEW_FRAME.to_csv(tmp_path / "new.csv", index=False)
    views = ["--view", "late=c,a", "--view", "early=d,b"]
    options = ["--label", "y", "--positive", str(labels[positive]), "-C", "10", "--calibrate", "platt", "-q"]
    kernmix_cli(tmp_path, "train", "d.csv", *views, *options, "-o", "m.kmx")
    kernmix_cli(tmp_path, "predict", "m.kmx", "new.csv", "-o", "p.csv")
    told = pd.read_csv(tmp_path / "p.csv", dtype={"label": str}, float_precision="round_trip")
    model = kernmix.load(tmp_path / "m.kmx")
    names = [str(c) for c in model.classes_]
    sign = 1 if names[1] == str(labels[positive]) else -1
    for new in (NEW_FRAME, NEW_FRAME[["d", "c", "b", "a"]], NEW):
        assert np.array_equal(model.decision_function(new), sign * told["decision"])
        assert [str(c) for c in model.predict(new)] == told["label"].tolist()
        column = names.index(str(labels[positive]))
        assert np.array_equal(model.predict_proba(new)[:, column], told["probability"])


ARFF = "@relation r\n@attribute smoker {{{values}}}\n@attribute age numeric\n@attribute y {{bad,good}}\n@data\n{rows}"


@pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")
def test_words_are_read_by_name_whatever_the_header_says(tmp_path):
    words = np.where(X[:, 0] > 0, "yes", "no")
    y = np.where(X[:, 0] > 0, "good", "bad")
    rows = [f"{word},{age:.4f},{label}" for word, age, label in zip(words, X[:, 1], y, strict=True)]

    def write(name, values, lines):
        (tmp_path / name).write_text(ARFF.format(values=values, rows="\n".join(lines)))

    write("train.arff", "no,yes", rows)
    write("other.arff", "yes,no", rows)
    write(
        "sparse.arff",
        "yes,no",
        ["{" + f"0 {r.split(',')[0]},1 {r.split(',')[1]},2 {r.split(',')[2]}" + "}" for r in rows],
    )
    write("default.arff", "yes,no", ["{1 " + r.split(",")[1] + ",2 good}" for r in rows if r.startswith("yes")])
    write("more.arff", "maybe,no,yes", rows)
    write("unseen.arff", "maybe,no", [row.replace("yes", "maybe") for row in rows])
    (tmp_path / "words.csv").write_text(
        "age,smoker,y\n" + "\n".join(",".join(r.split(",")[i] for i in (1, 0, 2)) for r in rows)
    )
    kernmix_cli(tmp_path, "train", "train.arff", "--label", "y", "-C", "10", "-q", "-o", "m.kmx")
    expected = kernmix_cli(tmp_path, "predict", "m.kmx", "train.arff", "--label", "y")
    for other in ("other.arff", "sparse.arff", "more.arff", "words.csv"):
        assert kernmix_cli(tmp_path, "predict", "m.kmx", other, "--label", "y") == expected
        assert "agrees" in kernmix_cli(tmp_path, "verify", "m.kmx", other, "--label", "y")
        assert kernmix_cli(tmp_path, "evaluate", "m.kmx", other, "--label", "y") == kernmix_cli(
            tmp_path, "evaluate", "m.kmx", "train.arff", "--label", "y"
        )
    assert "bad" not in kernmix_cli(tmp_path, "predict", "m.kmx", "default.arff", "--label", "y")
    done = subprocess.run(
        [KERNMIX, "predict", "m.kmx", "unseen.arff", "--label", "y"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 3
    assert "column 'smoker': 'maybe' is not one of the values in the training data, no, yes" in done.stderr
    model = kernmix.load(tmp_path / "m.kmx")
    frame = pd.DataFrame({"age": X[:, 1].round(4), "smoker": words})
    told = [line.split(",")[1] for line in expected.splitlines()[1:]]
    assert np.allclose(model.decision_function(frame), np.array(told, dtype=float), rtol=0, atol=1e-12)
    coded = frame.assign(smoker=(words == "yes").astype(int))
    assert np.array_equal(model.decision_function(coded), model.decision_function(frame))
    assert np.array_equal(model.decision_function(frame.astype({"smoker": "category"})), model.decision_function(frame))
    with pytest.raises(ValueError, match="has the value 'maybe'"):
        model.decision_function(frame.replace({"smoker": {"yes": "maybe"}}))
    with pytest.raises(ValueError, match="column 'smoker' of sample 1 is 2"):
        model.decision_function(coded.assign(smoker=2))
