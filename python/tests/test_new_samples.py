"""What a model does with new samples that differ from its training samples, in the tool and in Python."""

import csv
import io
import os
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest

from kernmix import KernmixWarning, MKLClassifier, MKLRegressor

KERNMIX = os.environ.get("KERNMIX")
needs_tool = pytest.mark.skipif(not KERNMIX, reason="KERNMIX does not name the tool")
SCALES = ("auto", "standard", "minmax", "common", "none", "sqrt")
VALUES = (2023.0, 0.0, 7.0, 1e9)
NEW = (2024.0, 0.0, 1e6, 3e9)


def columns(seed: int = 0, n: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.uniform(1, 3, size=(n, 2)), columns=["a", "b"])
    return X, np.where(X.a + 0.7 * X.b + 0.3 * rng.normal(size=n) > 3.4, "p", "q")


def codes(caught: list) -> list[str]:
    return [one.message.code for one in caught if isinstance(one.message, KernmixWarning)]


def tool(*arguments: str, cwd) -> subprocess.CompletedProcess:
    return subprocess.run([KERNMIX, *arguments], check=False, cwd=cwd, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("scaling", SCALES)
@pytest.mark.parametrize("constant", VALUES)
def test_a_constant_column_has_no_influence(scaling, constant):
    X, y = columns()
    T = X.assign(year=constant)
    with pytest.warns(KernmixWarning, match="'year'") as caught:
        machine = MKLClassifier(scaling=scaling).fit(T, y)
    assert codes(caught).count("constant-columns") == 1
    same = machine.decision_function(X.assign(year=constant))
    for new in NEW:
        np.testing.assert_array_equal(machine.decision_function(X.assign(year=new)), same)
    if scaling != "none":  # where kernels read the value of training
        plain = MKLClassifier(scaling=scaling).fit(X, y)
        np.testing.assert_array_equal(machine.decision_function(X.assign(year=NEW[0])), plain.decision_function(X))


@pytest.mark.parametrize("kernel", ["chi2", "intersection", "rbf(width=median)", "linear"])
@pytest.mark.parametrize("scaling", SCALES)
def test_no_kernel_reads_a_constant_column(kernel, scaling):
    X, y = columns(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine = MKLClassifier(kernel, scaling=scaling).fit(X.assign(year=5.0), y)
    same = machine.decision_function(X.assign(year=5.0))
    np.testing.assert_array_equal(machine.decision_function(X.assign(year=900.0)), same)


def test_rounding_is_no_variation():
    X, y = columns(2)
    noisy = np.where(np.arange(len(X)) % 2 == 0, 1e9, np.nextafter(1e9, 2e9))
    with pytest.warns(KernmixWarning, match="'c'"):
        machine = MKLClassifier().fit(X.assign(c=noisy), y)
    np.testing.assert_array_equal(
        machine.decision_function(X.assign(c=5.0)), MKLClassifier().fit(X, y).decision_function(X)
    )


@pytest.mark.parametrize("scaling", ["standard", "minmax", "common"])
def test_a_column_is_constant_among_the_samples_that_have_its_view(scaling):
    X, y = columns(3)
    own = X.assign(c=4.0, d=np.random.default_rng(3).uniform(size=len(X)))
    own.loc[::3, ["c", "d"]] = np.nan
    views = {"x": ["a", "b"], "v": ["c", "d"]}
    with pytest.warns(KernmixWarning, match="'c'"):
        machine = MKLClassifier(scaling=scaling, views=views).fit(own, y)
    other = own.assign(c=own.c * 100)
    np.testing.assert_array_equal(machine.decision_function(other), machine.decision_function(own))


def test_folds_do_not_warn_of_constant_columns():
    from sklearn.model_selection import cross_val_score

    X, y = columns(4)
    word = np.where(np.arange(len(X)) == 0, "rare", "usual")  # constant in folds without the first sample
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        MKLClassifier(categorical=["w"]).fit(X.assign(w=word), y)
        cross_val_score(MKLClassifier(categorical=["w"]), X.assign(w=word), y, cv=3)
    assert codes(caught).count("constant-columns") <= 3


def test_a_category_of_half_of_the_samples_is_not_filled():
    X, y = columns(5)
    word = np.array(["u", "v"] * (len(X) // 2), dtype=object)
    word[-2:] = None
    machine = MKLClassifier(categorical=["w"], missing="median").fit(X.assign(w=word), y)
    gone = machine.decision_function(X.assign(w=np.full(len(X), None, dtype=object)))
    unseen = X.assign(w="z")  # no indicator of the column is 1
    with pytest.warns(KernmixWarning, match="unseen"):
        np.testing.assert_array_equal(machine.decision_function(unseen), gone)


def test_common_has_one_divisor_for_all_columns_of_a_view():
    rng = np.random.default_rng(6)
    X = pd.DataFrame(rng.normal(size=(50, 3)) * [1, 10, 100], columns=["a", "b", "c"])
    y = np.where(X.a + X.b / 10 > 0, "p", "q")
    views = {"one": ["a", "b"], "two": ["b", "c"]}
    machine = MKLClassifier("rbf(width=median)", scaling="common", views=views).fit(X, y)
    c = machine.decision_function(X)
    # The variance of `b`, which the first view scales, counts in the second one: b of both views.
    shrunk = MKLClassifier("rbf(width=median)", scaling="common", views=views).fit(X.assign(b=X.b / 1000), y)
    assert not np.allclose(c, shrunk.decision_function(X.assign(b=X.b / 1000)))


def views_of(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.repeat(["ill", "well"], n // 2)
    X = pd.DataFrame(rng.normal(size=(n, 4)) + (y == "ill")[:, None], columns=["a1", "a2", "b1", "b2"])
    return X, y


@pytest.mark.parametrize("sharing", [None, "three classes"])
def test_new_samples_may_lack_a_view_that_all_training_samples_had(sharing):
    X, y = views_of(40, 7)
    if sharing:
        y = np.where(np.arange(len(y)) % 3 == 0, "other", y)
    views = {"a": ["a1", "a2"], "b": ["b1", "b2"]}
    machine = MKLClassifier(views=views).fit(X, y)
    complete = machine.decision_function(X)
    new = X.copy()
    new.loc[:4, ["b1", "b2"]] = np.nan
    with pytest.warns(KernmixWarning, match="5 of 40") as caught:
        found = machine.decision_function(new)
    assert codes(caught) == ["incomplete-views"]
    np.testing.assert_array_equal(found[5:], complete[5:])
    assert np.isfinite(found[:5]).all()
    # The lacked view adds the same to each sample: the other view alone distinguishes them.
    other = new.copy()
    other.loc[:4, ["a1", "a2"]] = new.loc[0, ["a1", "a2"]].to_numpy(float)
    with pytest.warns(KernmixWarning):
        equal = machine.decision_function(other)[:5]
    np.testing.assert_allclose(equal, np.broadcast_to(equal[0], equal.shape), rtol=1e-12)


def test_the_mean_of_a_lacked_view_is_that_of_the_support_vectors():
    X, y = views_of(40, 8)
    views = {"a": ["a1", "a2"], "b": ["b1", "b2"]}
    machine = MKLClassifier("linear", views=views, normalization="none").fit(X, y)
    new = X.iloc[[0]].copy()
    new[["b1", "b2"]] = np.nan
    support = X.iloc[machine.support_]
    average = X.iloc[[0]].copy()
    average[["b1", "b2"]] = support[["b1", "b2"]].mean().to_numpy()
    with pytest.warns(KernmixWarning):
        found = machine.decision_function(new)
    np.testing.assert_allclose(found, machine.decision_function(average), rtol=1e-9)


def test_a_sample_without_any_view_is_refused():
    X, y = views_of(40, 9)
    machine = MKLClassifier(views={"a": ["a1", "a2"], "b": ["b1", "b2"]}).fit(X, y)
    new = X.copy()
    new.iloc[3] = np.nan
    with pytest.raises(ValueError, match="none of the views"):
        machine.predict(new)


@pytest.mark.parametrize("scaling", ["auto", "standard", "minmax", "common", "none"])
@pytest.mark.parametrize("unit", [1000.0, -500.0])
def test_samples_in_another_unit_are_named(scaling, unit):
    X, y = columns(10, 100)
    machine = MKLClassifier(scaling=scaling).fit(X, y)
    with pytest.warns(KernmixWarning, match="'a' is") as caught:
        machine.predict(X.assign(a=X.a * unit))
    assert codes(caught) == ["far-samples"]


@pytest.mark.parametrize("scaling", ["auto", "standard", "minmax", "common", "none"])
@pytest.mark.parametrize("draw", ["normal", "lognormal", "rare", "counts"])
def test_ordinary_new_samples_are_not_far(scaling, draw):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = {
            "normal": lambda r=rng: r.normal(size=(400, 5)),
            "lognormal": lambda r=rng: np.exp(r.normal(size=(400, 5))),
            "rare": lambda r=rng: (r.random(size=(400, 5)) < [0.5, 0.1, 0.05, 0.02, 0.3]).astype(float),
            "counts": lambda r=rng: r.poisson(2.0, size=(400, 5)).astype(float),
        }[draw]()
        y = np.where(X[:, 0] + rng.normal(size=400) > np.median(X[:, 0]), "p", "q")
        machine = MKLClassifier("rbf(width=median)", scaling=scaling).fit(X[:100], y[:100])
        with warnings.catch_warnings():
            warnings.simplefilter("error", KernmixWarning)
            machine.predict(X[100:])


def rare(n: int = 400, share: float = 0.06, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    score = X[:, 0] + X[:, 1] + 2 * rng.normal(size=n)
    return X, np.where(score > np.quantile(score, 1 - share), "yes", "no")


def test_an_optimum_close_to_one_answer_is_named():
    X, y = rare()
    with pytest.warns(KernmixWarning, match="always saying 'no'") as caught:
        MKLClassifier("rbf(width=median)", C=0.01).fit(X, y)
    assert "hardly-better-than-one-answer" in codes(caught)
    numbers = np.random.default_rng(1).normal(size=len(X))
    with pytest.warns(KernmixWarning, match="one number"):
        MKLRegressor("rbf(width=median)", C=1e-4).fit(X, numbers)


def test_a_useful_optimum_is_not_named():
    X, y = rare(share=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error", KernmixWarning)
        MKLClassifier("rbf(width=median)", C=1).fit(X, y)


@needs_tool
def test_patients_without_a_view_are_predicted(tmp_path):
    X, y = views_of(40, 11)
    ids = [f"p{i:02}" for i in range(40)]
    pd.DataFrame({"id": ids, "y": y}).to_csv(tmp_path / "y.csv", index=False)
    for view in "ab":
        own = X[[f"{view}1", f"{view}2"]].assign(id=ids)
        own.to_csv(tmp_path / f"{view}.csv", index=False)
        own.iloc[: 5 if view == "a" else 3].to_csv(tmp_path / f"{view}_new.csv", index=False)
    trained = tool("train", "y.csv", "a.csv", "b.csv", "--id", "id", "--label", "y", "-o", "m.kmx", cwd=tmp_path)
    assert trained.returncode == 0, trained.stderr
    found = tool("predict", "m.kmx", "a_new.csv", "b_new.csv", "--id", "id", cwd=tmp_path)
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert [row["sample"] for row in rows] == ids[:5]
    assert "[incomplete-views]" in found.stderr and "2 of 5 samples lack view 'b'" in found.stderr
    forgotten = tool("predict", "m.kmx", "a_new.csv", "--id", "id", cwd=tmp_path)
    assert forgotten.returncode == 3 and "'b'" in forgotten.stderr


@needs_tool
def test_columns_beside_matrices_are_features_only_by_name(tmp_path):
    _, y = views_of(40, 12)
    ids = [f"p{i:02}" for i in range(40)]
    noise = np.random.default_rng(12).normal(size=(40, 3))
    K = pd.DataFrame(noise @ noise.T, index=ids, columns=ids)
    K.to_csv(tmp_path / "K.csv")
    table = pd.DataFrame({"id": ids, "dx": y, "severity": (y == "ill") * 5.0, "centre": "north"})
    table.to_csv(tmp_path / "pheno.csv", index=False)
    options = ["pheno.csv", "--label", "dx", "--id", "id", "--gram", "K.csv"]
    plain = tool("cv", *options, "--json", "a.json", cwd=tmp_path)
    assert plain.returncode == 0, plain.stderr
    assert "severity" in plain.stderr
    ignored = tool("cv", *options, "--ignore", "severity,centre", cwd=tmp_path)
    times = "kernels used"  # the table with seconds follows
    assert plain.stdout.split(times)[0] == ignored.stdout.split(times)[0]
    assert "views  K: gram matrix" in plain.stdout
    by_view = tool("cv", *options, "--view", "s=severity", "--ignore", "centre", cwd=tmp_path)
    assert "s: 1 column of pheno" in by_view.stdout
    assert "accuracy" in by_view.stdout and by_view.stdout != plain.stdout


def metrics_of(text: str) -> dict[str, str]:
    """The first two words of lines that begin with a metric."""
    lines = [line.split() for line in text.splitlines()]
    return {line[0]: line[1] for line in lines if len(line) > 1 and line[0] in ("recall", "auc")}


@needs_tool
def test_labels_by_a_threshold(tmp_path):
    X, y = rare(share=0.2)
    pd.DataFrame(X).assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    options = ["t.csv", "--label", "y", "--positive", "yes", "-q"]
    assert tool("train", *options, "--loss", "logistic", "-o", "m.kmx", cwd=tmp_path).returncode == 0
    assert tool("train", *options, "-o", "h.kmx", cwd=tmp_path).returncode == 0
    for option in (["--threshold", "0.1"], ["--cost", "9:1"]):
        rows = list(csv.DictReader(io.StringIO(tool("predict", "m.kmx", "t.csv", *option, cwd=tmp_path).stdout)))
        assert all((row["label"] == "yes") == (float(row["probability"]) >= 0.1) for row in rows)
        refused = tool("predict", "h.kmx", "t.csv", *option, cwd=tmp_path)
        assert refused.returncode == 2 and "--calibrate" in refused.stderr
    default = metrics_of(tool("evaluate", "m.kmx", "t.csv", "--label", "y", cwd=tmp_path).stdout)
    at_cost = metrics_of(tool("evaluate", "m.kmx", "t.csv", "--label", "y", "--cost", "1:99", cwd=tmp_path).stdout)
    assert float(at_cost["recall"]) < float(default["recall"]) and at_cost["auc"] == default["auc"]
    for option in (
        ["--threshold", "1.5"],
        ["--cost", "10"],
        ["--cost", "a:b"],
        ["--threshold", "0.5", "--cost", "1:1"],
    ):
        assert tool("predict", "m.kmx", "t.csv", *option, cwd=tmp_path).returncode == 2
