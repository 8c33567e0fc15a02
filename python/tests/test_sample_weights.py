"""A sample of weight 0 is left out and one of weight 2 is the sample twice, in the tool as in Python."""

from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pytest

import kernmix

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

RNG = np.random.default_rng(0)
N = 60
X = RNG.normal(size=(N, 2)) + (np.arange(N) % 2)[:, None]
WEIGHT = np.where(np.arange(N) % 10 == 9, 0.0, 1 + np.arange(N) % 3)
PATIENT = np.arange(N) // 3


def write(path, rows):
    lines = [f"{X[i, 0]!r},{X[i, 1]!r},{WEIGHT[i]},p{PATIENT[i]},{i % 2}" for i in rows]
    path.write_text(
        "\n".join(["a,b,w,patient,y", *(line.replace("np.float64(", "").replace(")", "") for line in lines)])
    )
    return path


@pytest.fixture
def files(tmp_path):
    return write(tmp_path / "all.csv", range(N)), write(tmp_path / "kept.csv", np.flatnonzero(WEIGHT))


def run(*arguments):
    return subprocess.run(
        [KERNMIX, *map(str, arguments), "--threads", "1"], capture_output=True, text=True, check=False
    )


OPTIONS = ("--label", "y", "--sample-weight", "w", "--groups", "patient")


@pytest.mark.parametrize("more", [(), ("--calibrate", "platt")])
def test_samples_of_weight_zero_are_left_out(files, tmp_path, more):
    models = [tmp_path / "all.kmx", tmp_path / "kept.kmx"]
    done = [run("train", data, *OPTIONS, *more, "-o", model) for data, model in zip(files, models, strict=True)]
    assert [one.returncode for one in done] == [0, 0], done
    assert "6 of 60 samples have the weight 0 and are left out" in done[0].stderr
    decisions = [kernmix.load(model).decision_function(X) for model in models]
    np.testing.assert_array_equal(*decisions)
    checked = run("verify", models[0], files[0], "--label", "y", "--sample-weight", "w")
    assert checked.returncode == 0, checked.stdout
    assert run("verify", models[0], files[1], "--label", "y").returncode == 0


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--calibrate", "platt"),
        ("--class-weight", "balanced", "--scale", "minmax", "--loss", "logistic"),
        ("--loss", "nu-svc:nu=0.3", "--normalize", "center+trace"),
    ],
)
def test_samples_of_weight_two_are_samples_that_occur_twice(files, tmp_path, more):
    """Copies are of one patient, who stays in one fold."""
    repeated = write(tmp_path / "repeated.csv", np.repeat(np.arange(N), WEIGHT.astype(int)))
    options = ("--label", "y", "--groups", "patient", "--tolerance", "1e-10", *more)
    runs = [(files[0], ("--sample-weight", "w")), (repeated, ("--ignore", "w"))]
    models = [tmp_path / "once.kmx", tmp_path / "repeated.kmx"]
    for (data, weights), model in zip(runs, models, strict=True):
        done = run("train", data, *options, *weights, "-o", model)
        assert done.returncode == 0, done.stderr
    once, twice = (kernmix.load(model) for model in models)
    np.testing.assert_allclose(once.decision_function(X), twice.decision_function(X), rtol=1e-4, atol=1e-4)
    if "--calibrate" in more:
        np.testing.assert_allclose(once.predict_proba(X), twice.predict_proba(X), atol=1e-4)
    checked = run("verify", models[0], files[0], "--label", "y", "--sample-weight", "w")
    assert checked.returncode == 0, checked.stdout


def test_commands_that_deal_samples_out(files, tmp_path):
    out = tmp_path / "out.json"
    found = []
    for data in files:
        assert run("cv", data, *OPTIONS, "--folds", "3", "--json", out).returncode == 0
        cv = json.loads(out.read_text())
        extra = ("--resamples", "2", "--null-runs", "0", "--views")
        assert run("stability", data, *OPTIONS, "--folds", "3", *extra, "--json", out).returncode == 0
        stability = json.loads(out.read_text())
        cv["folds"]["tested"] = [len(test) for test in cv["folds"]["tested"]]  # rows are those of the file
        found.append(
            (cv["folds"], cv["models"][0]["metrics"], stability["significance"]["folds"], stability["kernels"])
        )
    assert found[0] == found[1]


@pytest.mark.parametrize("weight", ["-1", "nan", "inf"])
def test_other_weights_are_refused_by_line(tmp_path, weight):
    path = tmp_path / "wrong.csv"
    path.write_text(f"a,w,y\n1,1,0\n2,{weight},1\n3,0,1\n4,1,0\n")
    done = run("train", path, "--label", "y", "--sample-weight", "w", "-o", tmp_path / "m.kmx")
    assert done.returncode == 3
    assert ("sample 2 in column 'w'" if weight == "-1" else "wrong.csv:3") in done.stderr


def test_nothing_left_is_refused(tmp_path):
    path = tmp_path / "none.csv"
    path.write_text("a,w,y\n1,0,0\n2,0,1\n3,0,1\n")
    done = run("train", path, "--label", "y", "--sample-weight", "w", "-o", tmp_path / "m.kmx")
    assert done.returncode == 3
    assert "every sample has the weight 0" in done.stderr
