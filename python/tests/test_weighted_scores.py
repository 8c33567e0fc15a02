"""Scores count weights of samples as repetitions: every command says of weighted samples what it says of repeated ones.

The repeated samples carry a column of groups, so that no fold, resample or interval parts the copies of a sample.
KERNMIX names the tool.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from answers import KERNMIX, tool
from sklearn.model_selection import RepeatedStratifiedKFold

pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

FOLDS = 3
KINDS = ("two", "calibrated", "several", "labels", "number", "numbers", "novelty")
SOLVED = ["--tolerance", "1e-9"]  # two answers of one problem differ by the root of it
AGREE = {"rel": 1e-3, "abs": 1e-3}
LEARN = {
    "two": ["--label", "y"],
    "calibrated": ["--label", "y", "--loss", "logistic"],
    "several": ["--label", "y"],
    "labels": ["--labels", "p,q"],
    "number": ["--label", "y", "--loss", "squared"],
    "numbers": ["--targets", "p,q", "--loss", "squared"],
    "novelty": ["--label", "y", "--loss", "one-class:nu=0.3", "--inlier", "a"],
}
SCORE = {"labels": "macro_auc", "number": "rmse", "numbers": "mean_rmse", "two": "auc", "several": "macro_f1"}
ALLOWED = {
    "n_samples",
    "n_trained",
    "trained",
    "remarks",
    "seconds",
    "data",
    "version",
    "solve_seconds",
    "relative_gap",
}


def samples(kind: str, seed: int, most: int = 4) -> list[dict[str, Any]]:
    """Columns a, b, the targets, w, the fold, and which sample it is."""
    rng = np.random.default_rng(seed)
    n = 60
    a, b = rng.normal(size=(2, n))
    signal = a - 0.5 * b**2 + 0.3 * rng.normal(size=n)
    rows = []
    for i in range(n):
        row: dict[str, Any] = {"a": a[i], "b": b[i], "w": rng.integers(1, most), "sample": i}
        if kind in ("labels", "numbers"):
            p, q = signal[i], b[i] + rng.normal()
            row |= {"p": int(p > 0), "q": int(q > 0.3)} if kind == "labels" else {"p": p, "q": q}
        elif kind == "number":
            row["y"] = signal[i]
        elif kind == "several":
            row["y"] = "abc"[int(signal[i] > -0.8) + int(signal[i] > 0.3)]
        else:
            row["y"] = "a" if signal[i] > -0.4 else "b"
        rows.append(row)
    label = "y" if "y" in rows[0] else "p"
    for place, i in enumerate(sorted(range(n), key=lambda i: str(rows[i][label]) if kind != "number" else "")):
        rows[i]["fold"] = place % FOLDS
    return rows


def write(rows: list[dict[str, Any]], path: Path) -> Path:
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return path


def repeated(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "w": 1} for row in rows for _ in range(row["w"])]


def numbers_of(found: Any, at: str = "") -> dict[str, Any]:
    """Every number and text of a JSON document, by its place."""
    if isinstance(found, dict):
        parts = [(str(key), value) for key, value in found.items() if key not in ALLOWED]
    elif isinstance(found, list):
        parts = [(str(k), value) for k, value in enumerate(found)]
    else:
        return {at: found}
    return {place: value for key, part in parts for place, value in numbers_of(part, f"{at}/{key}").items()}


def assert_alike(found: Any, right: Any) -> None:
    left, other = numbers_of(found), numbers_of(right)
    assert set(left) == set(other)
    for place, value in left.items():
        if isinstance(value, float) or isinstance(other[place], float):
            assert value is not None and value == pytest.approx(other[place], **AGREE), place
        else:
            assert value == other[place], place


def both(kind: str, seed: int, folder: Path, command: str, *flags: str, of_samples: str = "--fold-column fold") -> Any:
    """What the command says of weighted samples, and of repeated ones."""
    said = []
    for name, own, counts in (
        ("weighted", samples(kind, seed), True),
        ("repeated", repeated(samples(kind, seed)), False),
    ):
        file, out = write(own, folder / f"{name}.csv"), folder / f"{name}.json"
        left_out = {"sample", "fold"} if counts else {"sample", "fold", "w"}
        left_out -= set(of_samples.split())
        ignored = [word for column in sorted(left_out) for word in ("--ignore", column)]
        weighed = ["--sample-weight", "w"] if counts else []
        tool(command, file, *LEARN[kind], *weighed, *ignored, *of_samples.split(), *flags, "--json", out)
        said.append(json.loads(out.read_text()))
    return said


def of_ranks(metric: dict[str, Any]) -> bool:
    return re.search("average_precision|auc_pr", metric["name"]) is not None


def without_ranks(expected: dict[str, Any]) -> dict[str, Any]:
    """Copies of a sample may differ in the last bit of their decision value, and then they are no tie."""
    kept = [m for m in expected["metrics"] if not of_ranks(m)]
    return {**expected, "metrics": kept}


def values_only(metrics: list[dict[str, Any]]) -> dict[str, Any]:
    return {metric["name"]: metric["value"] for metric in metrics if not of_ranks(metric)}


@pytest.mark.parametrize("kind", KINDS)
def test_cv_scores_every_fold_alike(kind: str, tmp_path: Path) -> None:
    """The folds are given; copies of a sample are units of no interval there, so values alone are compared."""
    weighted, copies = both(kind, 1, tmp_path, "cv", *SOLVED, "--also", "mean: --regularizer average")
    for left, right in zip(weighted["models"], copies["models"], strict=True):
        for own, other in zip(left["folds"], right["folds"], strict=True):
            assert_alike(values_only(own["metrics"]), values_only(other["metrics"]))
        means = ([m for m in model["metrics"] if not of_ranks(m)] for model in (left, right))
        assert_alike(*means)
        own, other = (values_only(without_ranks(model["expected"])["metrics"]) for model in (left, right))
        assert_alike(own, other)
        assert_alike(left["expected"]["majority"], right["expected"]["majority"])
    assert_alike(weighted["comparisons"], copies["comparisons"])


@pytest.mark.parametrize("kind", KINDS)
def test_cv_with_groups_has_the_same_intervals(kind: str, tmp_path: Path) -> None:
    """Each sample is a group in both runs: the folds, the units of intervals and the sentence are the same."""
    weighted, copies = both(kind, 2, tmp_path, "cv", *SOLVED, of_samples="--folds 3 --groups sample")
    assert numbers_of(weighted["models"][0]["expected"]) != {}
    own, other = (without_ranks(found["models"][0]["expected"]) for found in (weighted, copies))
    assert_alike(own, other)


@pytest.mark.parametrize("kind", ["two", "several", "number", "labels"])
def test_tune_and_auto(kind: str, tmp_path: Path) -> None:
    score = ["--score", SCORE[kind]]
    search = ["--grid", "C=0.1,1,10", "-o", str(tmp_path / "m.kmx"), "--nested", "3", "--all-cells", *score, *SOLVED]
    weighted, copies = both(kind, 3, tmp_path, "tune", *search, of_samples="--groups sample --folds 3")
    assert_alike([c["scores"] for c in weighted["candidates"]], [c["scores"] for c in copies["candidates"]])
    assert_alike(weighted["nested"]["folds"], copies["nested"]["folds"])
    own, other = (without_ranks(found["nested"]["expected"]) for found in (weighted, copies))
    assert_alike(own, other)
    weighted, copies = both(
        kind, 4, tmp_path, "auto", *score, "-o", str(tmp_path / "auto"), of_samples="--groups sample --folds 3"
    )
    assert weighted["nested"]["expected"]["majority"] == copies["nested"]["expected"]["majority"]


def test_compare(tmp_path: Path) -> None:
    rows = samples("two", 5)
    for name, own in (("weighted", rows), ("repeated", repeated(rows))):
        write(own, tmp_path / f"{name}.csv")
        counted = 'sample-weight = "w"\nignore = "fold"' if name == "weighted" else 'ignore = ["fold", "w"]'
        (tmp_path / f"{name}.toml").write_text(
            f'[experiment]\nscore = ["accuracy", "auc"]\nsplits = 4\ntest = 0.3\n'
            f'[[data]]\nname = "d"\nfiles = "{tmp_path / name}.csv"\nlabel = "y"\ngroups = "sample"\n{counted}\n'
            '[[method]]\nname = "l1"\ntolerance = 1e-9\n[method.grid]\nC = [0.1, 1, 10]\n'
            '[[method]]\nname = "mean"\nregularizer = "average"\ntolerance = 1e-9\n'
        )
        tool("compare", tmp_path / f"{name}.toml", "--json", tmp_path / f"{name}.json")
    found, right = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("weighted", "repeated"))
    assert_alike(found["scores"], right["scores"])


@pytest.mark.parametrize("kind", KINDS)
def test_evaluate(kind: str, tmp_path: Path) -> None:
    """Of a model, on other samples: values, counts and curves, and the warning of the majority."""
    train = write(samples(kind, 6), tmp_path / "train.csv")
    ignored = [word for column in ("w", "sample", "fold") for word in ("--ignore", column)]
    learn = [*LEARN[kind], *(["--calibrate", "platt"] if kind == "calibrated" else [])]
    learn = [word for word in learn if word not in ("--inlier", "a")]
    tool("train", train, *learn, *ignored, "-o", tmp_path / "m.kmx")
    rows = samples(kind, 7)
    rows[0]["w"] = 0
    truth = [
        word
        for word in LEARN[kind]
        if word != "--loss" and word != "logistic" and ":" not in word and word != "squared"
    ]
    said = []
    for name, own in (("weighted", rows), ("repeated", repeated(rows))):
        counted = ["--sample-weight", "w"] if name == "weighted" else []
        file = write(own, tmp_path / f"{name}.csv")
        tool("evaluate", tmp_path / "m.kmx", file, *truth, *counted, "--json", tmp_path / f"{name}.json")
        said.append(json.loads((tmp_path / f"{name}.json").read_text()))
    for place in ("confusion", "roc"):
        assert_alike(said[0].get(place), said[1].get(place))
    assert_alike(values_only(said[0]["metrics"]), values_only(said[1]["metrics"]))
    assert_alike([c["code"] for c in said[0]["warnings"]], [c["code"] for c in said[1]["warnings"]])
    for left, right in zip(said[0].get("classwise", []), said[1].get("classwise", []), strict=True):
        for average in ("micro", "macro", "weighted"):
            assert_alike(left[average], right[average])
        assert_alike([v["value"] for v in left["values"]], [v["value"] for v in right["values"]])


def test_evaluate_refuses_what_is_no_weight(tmp_path: Path) -> None:
    rows = samples("two", 6)
    ignored = [word for column in ("w", "sample", "fold") for word in ("--ignore", column)]
    tool("train", write(rows, tmp_path / "train.csv"), "--label", "y", *ignored, "-o", tmp_path / "m.kmx")
    rows[3]["w"] = -2
    file = write(rows, tmp_path / "test.csv")
    asked = ("evaluate", tmp_path / "m.kmx", file, "--label", "y", "--sample-weight")
    with pytest.raises(ValueError, match=re.escape("the weight of sample 4 in column 'w' is -2")):
        tool(*asked, "w")
    with pytest.raises(ValueError, match="there is no weight column 'W', did you mean 'w'"):
        tool(*asked, "W")
    with pytest.raises(ValueError, match="the weight of sample 1 in column 'y' is '[ab]'"):
        tool(*asked, "y")
    for row in rows:
        row["w"] = 0
    write(rows, file)
    with pytest.raises(ValueError, match="every sample has the weight 0"):
        tool(*asked, "w")


def test_weights_of_one_change_nothing(tmp_path: Path) -> None:
    file = write(samples("two", 8, most=2), tmp_path / "ones.csv")
    said = []
    for counted in (["--sample-weight", "w"], ["--ignore", "w"]):
        tool(
            "cv",
            file,
            "--label",
            "y",
            "--ignore",
            "sample",
            "--ignore",
            "fold",
            *counted,
            "--json",
            tmp_path / "cv.json",
        )
        said.append(json.loads((tmp_path / "cv.json").read_text())["models"][0])
    for part in said:
        for fold in part["folds"]:
            del fold["solve_seconds"]
    assert said[0] == said[1]


def test_folds_do_not_depend_on_weights(tmp_path: Path) -> None:
    """Of weights that are all different, too: the folds are those of scikit-learn, new ones in each repeat."""
    rows = samples("two", 9, most=6)
    for i, row in enumerate(rows):
        row["w"] = 1.0 + i * 0.37
    file = write(rows, tmp_path / "all.csv")
    ignored = ["--ignore", "sample", "--ignore", "fold", "--folds", "4", "--repeats", "3", "--seed", "5"]
    tool("cv", file, "--label", "y", *ignored, "--sample-weight", "w", "--json", tmp_path / "cv.json")
    tested = json.loads((tmp_path / "cv.json").read_text())["folds"]["tested"]
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=5)
    own = splitter.split(np.zeros((len(rows), 1)), [row["y"] for row in rows])
    assert [[i + 1 for i in test] for _, test in own] == tested
    assert len({tuple(test) for test in tested}) == 12
