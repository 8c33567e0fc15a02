"""`kernmix.compare` gives the numbers of `kernmix compare`, to the last digit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from study_data import COLUMNS, FRAME, NUMBER, TABLE, VIEWS, X, ignored, known, result, tool, with_tool, write_samples

import kernmix
from kernmix import MKLClassifier, MKLRegressor

pytestmark = pytest.mark.filterwarnings("ignore::kernmix.KernmixWarning")

METHODS = {"l1": {"regularizer": "l1"}, "l2": {"regularizer": "lp:p=2", "C": [1]}, "tight": MKLClassifier(tol=1e-4)}
EXPERIMENT = """
[experiment]
splits = 4
test = 0.25
inner-folds = 3
seed = 5
score = {scores}
grid = {{C = [0.1, 10]}}

{data}
[[method]]
name = "l1"
regularizer = "l1"
{loss}

[[method]]
name = "l2"
regularizer = "lp:p=2"
grid = {{C = [1]}}
{loss}

[[method]]
name = "tight"
tolerance = 1e-4
{loss}
"""
CASES = {
    "classes": (["two"], ["accuracy", "auc"], "hinge", {}),
    "groups": (["two"], ["accuracy"], "hinge", {"groups": "group"}),
    "numbers": (["number"], ["r2"], "squared", {}),
    "two data sets": (["two", "three"], ["accuracy"], "hinge", {}),
}


def data_table(name, label, file, loss, options):
    lines = [f'[[data]]\nname = "{name}"\nfiles = "{file}"\nlabel = "{label}"\nloss = "{loss}"']
    lines.append(f"ignore = {ignored(label, *options.values())}")
    lines.append("view = " + str([view + "=" + ",".join(columns) for view, columns in VIEWS.items()]))
    lines += [f'{key} = "{column}"\nsplits = 4' for key, column in options.items()]  # groups ask for folds otherwise
    return "\n".join(lines) + "\n\n"


def by_tool(folder, labels, scores, loss, options):
    file = write_samples(folder)
    data = "".join(data_table(label, label, file.name, loss, options) for label in labels)
    text = EXPERIMENT.format(scores=scores, data=data, loss=f'loss = "{loss}"')
    (folder / "experiment.toml").write_text(text)
    tool("compare", folder / "experiment.toml", "--json", folder / "compare.json")
    return result(folder / "compare.json")


def by_python(labels, scores, loss, options):
    tight = MKLRegressor(tol=1e-4) if loss == "squared" else MKLClassifier(tol=1e-4)
    methods = {**METHODS, "tight": tight}
    groups = TABLE[options["groups"]] if options else None
    if len(labels) > 1:
        data = {label: FRAME for label in labels}, {label: TABLE[label] for label in labels}
    else:
        data = FRAME, TABLE[labels[0]]
    settings = {"splits": 4, "test": 0.25, "inner_folds": 3, "random_state": 5, "score": scores, "groups": groups}
    return kernmix.compare(*data, methods, grid={"C": [0.1, 10]}, views=VIEWS, memory="2G", n_jobs=2, **settings)


@with_tool
@pytest.mark.parametrize("case", CASES)
def test_the_tool_and_python_find_the_same(case, tmp_path):
    theirs, found = by_tool(tmp_path, *CASES[case]), by_python(*CASES[case])
    assert found.methods == theirs["methods"] and found.complete
    for score in theirs["scores"]:
        own = found.means(score["score"])
        means = [mean for data in score["data"] for mean in data["methods"]]
        assert known(own["mean"]) == [mean["mean"] for mean in means]
        assert known(own["sd"]) == [mean["sd"] for mean in means]
        pairs = [pair for data in score["data"] for pair in data["differences"]]
        differences = found.differences(score["score"])
        for name in ("mean", "low", "high", "t", "p", "p_holm"):
            assert known(differences[name]) == [pair[name] for pair in pairs], name
        assert differences["wins"].tolist() == [pair["signs"]["wins"] for pair in pairs]
        assert found.ranks(score["score"])["rank"].tolist() == score["ranks"]["average_ranks"]
        tests = found.tests(score["score"])
        assert tests["critical_difference"] == score["ranks"]["critical_difference"]
        assert tests["friedman"] == score["ranks"]["friedman"]
        for name in ("wilcoxon_p", "p_holm", "nemenyi_p") if score["ranks"]["pairs"] else ():
            assert tests["pairs"][name].tolist() == [pair[name] for pair in score["ranks"]["pairs"]]
    cells = [(split, cell) for split in theirs["splits"] for cell in split["methods"]]
    assert found.splits["chosen"].tolist() == [cell["chosen"] for _, cell in cells]
    assert found.splits["relative_gap"].tolist() == [cell["relative_gap"] for _, cell in cells]
    assert found.splits["n_test"].tolist() == [split["n_test"] for split, _ in cells]
    own = [remark.replace("tests()", "the JSON") for remark in found.remarks]
    name = CASES[case][0][0] if found.data == ["data"] else "data"  # Python's name of the only data set
    assert own == [remark.replace(name, "data") for remark in theirs["remarks"]]
    assert own and found.remarks[0] in repr(found)


def test_splits_of_scikit_learn_are_taken():
    splitter = StratifiedKFold(3, shuffle=True, random_state=1)
    found = kernmix.compare(X, TABLE["two"], {"l1": {}}, splits=splitter, baselines=False)
    scores = [
        MKLClassifier().fit(X[train], TABLE["two"][train]).score(X[test], TABLE["two"][test])
        for train, test in splitter.split(X, TABLE["two"])
    ]
    np.testing.assert_allclose(found.splits["accuracy"], scores, atol=1e-12)
    assert found.means().row(0)["se"] == pytest.approx(np.std(scores, ddof=1) / np.sqrt(3))
    assert "accuracy, mean over splits" in repr(found) and "l1" in found._repr_html_()


def test_samples_of_weight_zero_are_in_no_split():
    found = kernmix.compare(X, TABLE["two"], {"l1": {}}, splits=2, sample_weight=TABLE["weight"], baselines=False)
    assert (found.splits["n_train"] + found.splits["n_test"]).tolist() == [int((TABLE["weight"] > 0).sum())] * 2


def test_views_of_a_mapping_and_single_kernels():
    parts = {"a": X[:, :3], "b": X[:, 3:]}
    found = kernmix.compare(parts, TABLE["two"], {"l1": {}}, splits=2, kernels="linear")
    assert found.methods == ["average kernel", "best single kernel", "l1"]
    assert {"linear on a", "linear on b"} >= set(found.splits["chosen"][found.splits["method"] == "best single kernel"])


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"methods": {}, "baselines": False}, ValueError, "methods is empty"),
        ({"methods": {"l1": "l1"}}, TypeError, "dict of its parameters"),
        ({"methods": {"l1": MKLRegressor()}}, ValueError, "is a MKLRegressor"),
        ({"methods": {"l1": {"regularisers": "l1"}}}, ValueError, "no parameter"),
        ({"methods": {"average kernel": {}}}, ValueError, "average kernel"),
        ({"splits": 0}, ValueError, "split"),
        ({"test": 1.5}, ValueError, "test"),
        ({"inner_folds": 1}, ValueError, "inner folds"),
        ({"score": "acuracy"}, ValueError, "accuracy"),
        ({"grid": {"views": [None]}}, ValueError, "views is the same"),
        ({"y": NUMBER, "loss": "hinge"}, ValueError, "continuous"),
    ],
    ids=range(11),
)
def test_refuses_what_cannot_be(options, error, said):
    asked = {"y": TABLE["two"], "methods": {"l1": {}}, **options}
    with pytest.raises(error, match=said):
        kernmix.compare(X, asked.pop("y"), asked.pop("methods"), **asked)


def test_columns_of_a_frame_are_known_by_name():
    found = kernmix.compare(FRAME, TABLE["two"], {"l1": {}}, splits=2, views={"all": COLUMNS}, baselines=False)
    assert len(found.splits) == 2
