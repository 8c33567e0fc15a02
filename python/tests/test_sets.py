"""Views from named sets of columns: `groups` of the estimators."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import pickle
import re
import subprocess
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernmix
from kernmix import MKLClassifier, MKLOneClass, MKLRegressor, MultilabelMKL, explain, weight_stability
from kernmix.adapters import from_anndata

pd = pytest.importorskip("pandas")
KERNMIX = os.environ.get("KERNMIX")
needs_tool = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

N, NAMES = 60, [f"g{j}" for j in range(10)]
Y = np.arange(N) % 2
X = np.random.default_rng(3).normal(size=(N, len(NAMES)))
X[:, :3] += 1.5 * Y[:, None]
FRAME = pd.DataFrame(X, columns=NAMES)
SETS = {"informative genes": ["g1", "g0", "g2", "TP53"], "noise": ["g2", "g3", "g4", "g5"]}
VIEWS = {"informative genes": ["g1", "g0", "g2"], "noise": ["g2", "g3", "g4", "g5"]}


def written(folder, sets, name="sets.gmt"):
    path = folder / name
    path.write_text("".join("\t".join([name, "d", *members]) + "\n" for name, members in sets.items()))
    return path


def weight_of(model, view):
    by_view = model.weights_.by("view")
    return float(by_view["weight"][by_view["view"] == view].sum())


@pytest.fixture(scope="module")
def plain():
    return MKLClassifier(views=VIEWS).fit(FRAME, Y)


@pytest.mark.parametrize("form", ["dict", "text", "path"])
def test_sets_are_views_like_others(plain, tmp_path, form):
    groups = {"dict": SETS, "text": str(written(tmp_path, SETS)), "path": written(tmp_path, SETS)}[form]
    model = MKLClassifier(groups=groups).fit(FRAME, Y)
    assert model.views_ == plain.views_
    np.testing.assert_array_equal(model.decision_function(FRAME), plain.decision_function(FRAME))
    np.testing.assert_array_equal(model.decision_function(FRAME[NAMES[::-1]]), plain.decision_function(FRAME))
    assert [dict(row) for row in model.sets_] == [
        {"set": "informative genes", "matched": 3, "named": 4},
        {"set": "noise", "matched": 4, "named": 4},
    ]
    assert weight_of(model, "informative genes") > 0.5
    assert model.verify(FRAME, Y)


def test_names_of_an_array(plain):
    for table in (X, scipy.sparse.csr_matrix(X), pd.DataFrame(X)):
        model = MKLClassifier(groups=SETS, feature_names=NAMES).fit(table, Y)
        np.testing.assert_array_equal(model.decision_function(table), plain.decision_function(FRAME))
    features = explain(model, X).features["feature"].tolist()
    assert set(features) <= set(NAMES)
    views = MKLClassifier(views={"v": "g*"}, feature_names=NAMES).fit(X, Y).views_
    assert views == {"v": [str(j + 1) for j in range(len(NAMES))]}


def test_the_estimator_behaves_like_those_of_scikit_learn(plain, tmp_path):
    estimator = MKLClassifier(groups=SETS)
    assert clone(estimator).get_params()["groups"] == SETS
    model = pickle.loads(pickle.dumps(clone(estimator).fit(FRAME, Y)))
    np.testing.assert_array_equal(model.decision_function(FRAME), plain.decision_function(FRAME))
    assert list(model.feature_names_in_) == NAMES
    search = GridSearchCV(estimator, {"C": [0.1, 1.0], "groups": [SETS, {"all of them": NAMES}]}, cv=3).fit(FRAME, Y)
    assert search.best_score_ > 0.8
    own = kernmix.MKLSearchCV(estimator, {"groups": [SETS, {"all of them": NAMES}]}, cv=3).fit(FRAME, Y)
    assert own.best_score_ > 0.8
    steps = make_pipeline(StandardScaler(), MKLClassifier(groups=SETS, feature_names=NAMES)).fit(FRAME, Y)
    assert steps.score(FRAME, Y) > 0.9
    model.save(tmp_path / "model.kmx")
    loaded = kernmix.load(tmp_path / "model.kmx")
    np.testing.assert_array_equal(loaded.decision_function(FRAME[NAMES[::-1]]), plain.decision_function(FRAME))


@pytest.mark.parametrize("cls", [MKLClassifier, MKLRegressor, MultilabelMKL, MKLOneClass])
def test_every_estimator_has_sets(cls):
    y = {MKLRegressor: X[:, 0], MultilabelMKL: np.column_stack([Y, 1 - Y]), MKLOneClass: None}.get(cls, Y)
    assert list(cls(groups=SETS).fit(FRAME, y).views_) == list(SETS)


def test_sets_stand_beside_views():
    model = MKLClassifier(views={"clinical": ["g9"]}, groups=SETS).fit(FRAME, Y)
    assert list(model.views_) == ["clinical", *SETS]


def test_stability_lists_the_sizes_of_sets():
    machine = MKLClassifier("linear", views={"clinical": ["g9"]}, groups=SETS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kernmix.KernmixWarning)  # few resamples
        found = weight_stability(machine, FRAME, Y, resamples=10, null_runs=0).views.to_pandas()
    assert found["view"].tolist() == ["clinical", *SETS]
    np.testing.assert_array_equal(found["matched"], [np.nan, 3, 4])
    np.testing.assert_array_equal(found["named"], [np.nan, 4, 4])
    assert (found["low"] <= found["high"]).all()


def test_studies_take_sets():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kernmix.KernmixWarning)
        found = kernmix.auto(FRAME, Y, sets=SETS, kernels="linear", folds=3)
        assert list(found.best_estimator_.views_) == list(SETS)
        compared = kernmix.compare(
            FRAME, Y, {"l1": {"regularizer": "l1"}}, splits=2, inner_folds=2, baselines=False, sets=SETS
        )
        assert compared.methods == ["l1"]
        search = kernmix.nested_search(MKLClassifier("linear", groups=SETS), {"C": [1, 10]}, FRAME, Y, nested=None)
        assert list(search.best_estimator_.views_) == list(SETS)


def test_names_that_do_not_match_are_warnings():
    with pytest.warns(kernmix.KernmixWarning, match="'TP53' of the set 'b' is no column; the table has 'g2'"):
        MKLClassifier(groups={"a": ["g0", "g1"], "b": ["TP53", "MYC", "KRAS"]}).fit(FRAME, Y)
    with pytest.warns(kernmix.KernmixWarning, match="1 of 2 sets is left out because no name in it is a column: 'b'"):
        model = MKLClassifier(groups={"a": ["g0", "g1"], "b": ["TP53"]}).fit(FRAME, Y)
    assert model.sets_["matched"].tolist() == [2, 0]
    with pytest.warns(kernmix.KernmixWarning, match="'G1' of the set 'a' is no column, did you mean 'g1'?"):
        MKLClassifier(groups={"a": ["g0", "G1"]}).fit(FRAME, Y)


@pytest.mark.parametrize(
    ("groups", "more", "table", "reason"),
    [
        ({"a": ["TP53"]}, {}, FRAME, "groups: no name in 1 set is a column of X: 'TP53' of the set 'a'"),
        ({}, {}, FRAME, "groups is empty"),
        ({"a": ["g1"], "b": []}, {}, FRAME, "groups: the set 'b' has no members"),
        ({"": ["g1"]}, {}, FRAME, "groups: a set has no name"),
        ({"a": "g1"}, {}, FRAME, "must be a list of names of columns"),
        ({"a": [1]}, {}, FRAME, "has 1, which is not the name of a column"),
        ({"all": ["g1"]}, {}, FRAME, "'all' is a word of the kernel language"),
        ({"a": ["g1"]}, {"views": {"a": ["g2"]}}, FRAME, "'a' is a view and a set of groups"),
        ({"a": ["g1"]}, {}, X, "give a data frame or feature_names"),
        ({"a": ["g1"]}, {"feature_names": NAMES[1:]}, X, "different names of the 10 columns of X, got 9"),
        ({"a": ["g1"]}, {"feature_names": ["g1"] * 10}, X, "some are equal"),
        ({"a": ["g1"]}, {"feature_names": NAMES[::-1]}, FRAME, "differ from the names of the columns"),
        ({"a": ["g1"]}, {}, kernmix.GramStack([X @ X.T]), "a GramStack has none"),
        ("none.gmt", {}, FRAME, "none.gmt: no such file"),
    ],
)
def test_refusals(groups, more, table, reason):
    with pytest.raises((ValueError, TypeError), match=reason):
        MKLClassifier(groups=groups, **more).fit(table, Y)


def test_bad_files_are_refused_by_line(tmp_path):
    path = tmp_path / "bad.gmt"
    path.write_text("a\td\tg1\nb\n")
    with pytest.raises(ValueError, match=r"bad\.gmt:2: 'b' has no tab"):
        MKLClassifier(groups=path).fit(FRAME, Y)


def trained_by_the_tool(folder, *arguments):
    command = [KERNMIX, "train", *arguments, "-o", "model.kmx", "--json", "run.json", "--threads", "1"]
    subprocess.run(list(map(str, command)), cwd=folder, check=True, capture_output=True)
    return [kernel["weight"] for kernel in json.loads((folder / "run.json").read_text())["weights"]]


@needs_tool
def test_the_tool_has_the_same_weights(tmp_path):
    FRAME.assign(y=Y).to_csv(tmp_path / "t.csv", index=False)
    groups = written(tmp_path, SETS)
    model = MKLClassifier(groups=groups, n_jobs=1).fit(FRAME, Y)
    found = trained_by_the_tool(tmp_path, "t.csv", "--label", "y", "--sets", groups)
    assert found == model.weights_["weight"].tolist()


# Lines of GMT files: the set, its description and members, separated by blanks here.
FILES = {
    "a repeated name": "A d g0 g1\nB d g2\nA d g3\n",
    "no members": "A d g0 g1\nB d\n",
    "no tab": "A d g0 g1\nB\n",
    "no name": "A d g0 g1\n d g2\n",
    "a word of the language": "A d g0 g1\nall d g2\n",
    "no known name": "A d TP53 MYC\nB d KRAS\n",
    "another case": "A d G0 G1\nB d KRAS\n",
    "sets without a known name": "A d g0 g1 g2\nB d TP53\nC d MYC\n",
    "fewer than half": "A d g0 g1 TP53\nB d g2 MYC KRAS EGFR\n",
    "half": "A d g0 g1 TP53\nB d MYC\n",
    "one of another case": "A d g0 g1 G2\n",
    "members that occur twice": "A d g0 g0 g1 g1\nB d g2 g2 TP53 TP53\n",
    "the same members": "A d g0 g1\nB d g1 g0\n",
}


def said_by_python(groups):
    """Whether fit succeeds, and its messages about sets."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = MKLClassifier("linear", groups=groups, n_jobs=1).fit(FRAME, Y)
        except ValueError as error:
            return None, [str(error)]
    about = [one for one in caught if "set" in str(one.message) and "[" not in str(one.message)]
    assert all(one.filename == __file__ for one in about)
    return model, [str(one.message) for one in about]


@needs_tool
@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_files_and_dicts_of_sets_are_judged_alike(tmp_path, text):
    lines = [line.split(" ") for line in text.splitlines()]
    path = tmp_path / "sets.gmt"
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    FRAME.assign(y=Y).to_csv(tmp_path / "t.csv", index=False)
    command = [KERNMIX, "train", "t.csv", "--label", "y", "--sets", "sets.gmt", "--kernel", "linear on *"]
    done = subprocess.run(
        [*command, "-o", "m.kmx", "--threads", "1", "--json", "r.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    notes = [line.removeprefix("kernmix: ") for line in done.stderr.splitlines()]
    own = [note.replace("t.csv", "X") for note in notes if note.startswith("sets.gmt")]
    model, said = said_by_python(path)
    assert [message.replace(str(path), "sets.gmt") for message in said] == own
    assert done.returncode == (3 if model is None else 0), done.stderr
    if model is not None:
        weights = [kernel["weight"] for kernel in json.loads((tmp_path / "r.json").read_text())["weights"]]
        assert weights == model.weights_["weight"].tolist()
    sets = {line[0]: line[2:] for line in lines}
    if len(sets) < len(lines) or any(len(line) < 2 for line in lines):
        return  # no dict can have them
    same, said = said_by_python(sets)
    assert (same is None) == (model is None)
    without_places = [re.sub(r"^sets\.gmt(:\d+)?", "groups", message) for message in own]
    if model is not None or not re.search("members|before its first tab", without_places[0]):
        assert said == without_places
    if model is not None:
        assert same.sets_.to_pandas().equals(model.sets_.to_pandas())
        np.testing.assert_array_equal(same.decision_function(FRAME), model.decision_function(FRAME))


def test_adapters_take_sets(tmp_path):
    anndata = pytest.importorskip("anndata")
    adata = anndata.AnnData(FRAME.set_index(pd.Index([f"s{i}" for i in range(N)])))
    for groups in (SETS, str(written(tmp_path, SETS)), written(tmp_path, SETS)):
        table = from_anndata(adata, groups=groups)
        assert table.views == {name: [f"X:{column}" for column in columns] for name, columns in VIEWS.items()}
        assert len(table.columns) == 6  # once, those of both sets, too
    assert MKLClassifier(groups=SETS).fit(adata.to_df(), Y).views_ == VIEWS
    with pytest.raises(ValueError, match=r"X is an AnnData: give X.to_df\(\)"):
        MKLClassifier(groups=SETS).fit(adata, Y)
    found = kernmix.auto(adata, Y, sets=SETS, kernels="linear", folds=3)
    assert list(found.best_estimator_.views_) == list(SETS)


def informative_sets(adata, y, size=20):
    """Sets of genes in their order, one of those that separate the classes best."""
    values = np.asarray(adata.X)
    means = np.array([values[y == label].mean(axis=0) for label in np.unique(y)])
    order = np.argsort(-np.ptp(means, axis=0) / values.std(axis=0))
    genes = np.asarray(adata.var_names)
    rest = np.sort(order[size:])[: 10 * size]
    sets = {"INFORMATIVE": genes[order[:size]].tolist()}
    for k in range(10):
        members = rest[k * size : (k + 1) * size]
        shuffled = np.argsort(-np.ptp(means[:, members], axis=0))
        sets[f"OTHER_{k}"] = genes[members[shuffled[size // 2 :]]].tolist()
    return sets


@needs_tool
def test_the_informative_set_of_genes_has_the_weight(tmp_path):
    anndata = pytest.importorskip("anndata")
    found = importlib.util.find_spec("scanpy")
    if found is None:
        pytest.skip("scanpy is not installed")
    adata = anndata.read_h5ad(pathlib.Path(found.origin).parent / "datasets" / "10x_pbmc68k_reduced.h5ad")
    y = adata.obs["bulk_labels"].astype(str).to_numpy()
    kept = np.isin(y, ["CD14+ Monocyte", "CD19+ B"])
    adata, y = adata[kept].copy(), y[kept]
    sets = informative_sets(adata, y)
    groups = written(tmp_path, sets)
    frame = adata.to_df().astype(float)  # a CSV file has the digits of doubles
    model = MKLClassifier(groups=groups, n_jobs=1).fit(frame, y)
    assert weight_of(model, "INFORMATIVE") > 0.9
    frame.assign(label=y).to_csv(tmp_path / "cells.csv", index=False)
    found = trained_by_the_tool(tmp_path, "cells.csv", "--label", "label", "--sets", groups)
    assert found == model.weights_["weight"].tolist()
