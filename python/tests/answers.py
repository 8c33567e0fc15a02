"""What the tool, a program of the library and the estimators answer to a random problem, in one form."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from typing import Any

import numpy as np
import pandas as pd
from random_problems import Problem

from kernmix import MKLClassifier, MKLRegressor, MultilabelMKL, _core

KERNMIX = os.environ.get("KERNMIX")
ANSWERS = os.environ.get("KERNMIX_ANSWERS")

SCHEMES = {"one-vs-rest": "ovr", "one-vs-one": "ovo"}
FLAGS = {"seed": "--seed"} | {
    row["name"]: ("-" if len(row["key"]) == 1 else "--") + row["key"]
    for row in _core.settings()
    if row["form"] not in ("list", "shares")
}
Answer = dict[str, Any]  # of new samples: decision, probability, labels (all by name) and scores


def tool(*arguments: object) -> str:
    command = [KERNMIX, *map(str, arguments)]
    command += [] if arguments[0] == "inspect" else ["--quiet", "--threads", "1"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    return done.stdout


def target_flags(problem: Problem) -> list[str]:
    if isinstance(problem.y, pd.DataFrame):
        return ["--labels" if problem.kind == "labels" else "--targets", ",".join(problem.y)]
    return ["--label", "target"]


def data_flags(problem: Problem) -> list[str]:
    return [*target_flags(problem), *([] if problem.ids is None else ["--id", "id"])]


def learning_flags(problem: Problem) -> list[str]:
    flags = [word for name, columns in problem.views.items() for word in ("--view", f"{name}={','.join(columns)}")]
    options = problem.options
    flags += [word for kernel in options["kernels"] for word in ("--kernel", kernel)]
    flags += ["--scale", *options["scaling"]]
    flags += [word for name, flag in FLAGS.items() if name in options for word in (flag, str(options[name]))]
    if options.get("balanced"):
        flags += ["--class-weight", "balanced"]
    for label, weight in options.get("class_weights", {}).items():
        flags += ["--class-weight", f"{label}={weight}"]
    return flags + (["--sample-weight", "w"] if problem.weights is not None else [])


def extra_columns(problem: Problem) -> dict[str, Any]:
    extra = {} if problem.weights is None else {"w": problem.weights.tolist()}
    return extra if problem.groups is None else extra | {"patient": [f"p{g:02}" for g in problem.groups]}


def of_tool(problem: Problem, train: list[str], new: list[str], new_flags: list[str], model: Any) -> Answer:
    grouped = ["--groups", "patient"] if problem.groups is not None else []
    tool("train", *train, *data_flags(problem), *learning_flags(problem), *grouped, "-o", model)
    return predicted_by_tool(model, new, new_flags)


def predicted_by_tool(model: Any, new: list[str], flags: list[str]) -> Answer:
    """Without flags, which say what the true labels are, without scores."""
    rows = list(csv.DictReader(tool("predict", model, *new).splitlines()))
    found = json.loads(
        tool("evaluate", model, *new, *flags, "--json", "-") if flags else tool("inspect", model, "--json", "-")
    )
    names = found.get("names") or []
    scheme = found.get("scheme", "single")
    answer = {
        "decision": columns_of(rows, "prediction" if "prediction" in rows[0] else "decision", names, scheme),
        "probability": columns_of(rows, "probability", names, scheme),
        "labels": [[row[name] == "1" for name in names] for row in rows]
        if scheme == "labels"
        else [r.get("label") for r in rows],
    }
    return answer | {"scores": flat_scores(found)} if flags else answer


def columns_of(rows: list[dict[str, str]], what: str, names: list[str], scheme: str) -> dict[str, np.ndarray]:
    """Arrays (n,) by class, label or target; of a single task its only one is called ""."""
    titles = {"": what} if what in rows[0] else {name: f"{what} {name}" for name in names}
    if scheme == "targets":
        titles = {name: name for name in names} if what == "decision" else {}
    return {n: np.array([float(row[t]) for row in rows]) for n, t in titles.items() if t in rows[0]}


def flat_scores(found: dict[str, Any]) -> dict[str, float | None]:
    """The names that `cv` gives to the numbers of `evaluate`."""
    scores = {metric["name"]: metric["value"] for metric in found["metrics"]}
    if found.get("scheme") != "targets":  # whose means are among the metrics
        for metric in found.get("classwise", []):
            scores |= {f"{k}_{metric['name']}": metric[k] for k in ("micro", "macro", "weighted")}
    return scores


def of_library(folder: Any, runs: list[dict[str, Any]], cv: dict[str, Any] | None = None) -> dict[str, Any]:
    file = folder / "problem.json"
    file.write_text(json.dumps({"runs": runs} | ({"cv": cv} if cv else {})))
    done = subprocess.run([ANSWERS, file], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def for_library(problem: Problem, train: list[str], **more: Any) -> dict[str, Any]:
    spec = {**problem.options, "train": train, "views": list(problem.views.items()), **more}
    spec["ignore"] = list(extra_columns(problem))
    if isinstance(problem.y, pd.DataFrame):
        spec["labels" if problem.kind == "labels" else "targets"] = list(problem.y)
    else:
        spec["label"] = "target"
    if problem.ids is not None:
        spec["id"] = "id"
    if problem.weights is not None:
        spec["sample_weights"] = problem.weights.tolist()
    if problem.groups is not None:
        spec["groups"] = problem.groups.tolist()
    return spec


def answer_of_library(found: dict[str, Any]) -> Answer:
    """As `predicted_by_tool` has it."""
    assert "refused" not in found, found["refused"]
    said = found["prediction"]
    names = said["names"]
    single = len(said["decision"][0]) == 1 and not said["has_label"]

    def by_name(rows: list[list[float | None]]) -> dict[str, np.ndarray]:
        values = np.array([[-np.inf if v is None else v for v in row] for row in rows])  # JSON has no infinities
        return dict(zip([""] if single else names, values.T, strict=True))

    labels = said["labels"] or [None] * len(said["decision"])
    answer = {
        "decision": by_name(said["decision"]),
        "probability": by_name(said["probability"]) if said["probability"] else {},
        "labels": np.reshape(said["has_label"], (-1, len(names))).astype(bool).tolist()
        if said["has_label"]
        else labels,
    }
    return answer | {"scores": found["scores"]} if "scores" in found else answer


def estimator(problem: Problem) -> Any:
    options = problem.options
    same = (
        "regularizer",
        "loss",
        "C",
        "normalization",
        "coupling",
        "calibration",
        "calibration_folds",
        "threshold_folds",
    )
    settings = {name: options[name] for name in same if name in options}
    settings |= {"kernels": options["kernels"] or None, "scaling": options["scaling"][0], "views": problem.views}
    settings |= {"random_state": options["seed"], "n_jobs": 1}
    if problem.kind == "labels":
        return MultilabelMKL(**settings)
    if problem.kind in ("number", "numbers"):
        return MKLRegressor(**settings)
    weights = options.get("class_weights")
    by_class = weights and {c: weights[str(c)] for c in problem.classes if str(c) in weights}
    settings["class_weight"] = "balanced" if options.get("balanced") else by_class
    return MKLClassifier(multi_class=SCHEMES.get(options.get("scheme"), "auto"), **settings)


def fitted(problem: Problem) -> Any:
    model = estimator(problem)
    grouped = {} if isinstance(model, MKLRegressor) else {"groups": problem.groups}
    return model.fit(problem.X, problem.y, problem.weights, **grouped)


def of_estimator(model: Any, problem: Problem, X: pd.DataFrame) -> Answer:
    """As `predicted_by_tool` has it, but for scores and for decision values of two of many classes."""
    if isinstance(model, MKLRegressor):
        values = model.predict(X)
        names = list(problem.y) if values.ndim == 2 else [""]
        decision = dict(zip(names, values.reshape(len(X), -1).T, strict=True))
        return {"decision": decision, "probability": {}, "labels": [None] * len(X)}
    names = [str(c) for c in model.classes_]
    decision, labels = model.decision_function(X), model.predict(X)
    probability = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    if decision.ndim == 1 and problem.kind == "two":
        sign = -1.0 if problem.options.get("positive", names[1]) == names[0] else 1.0
        positive = (
            None if probability is None else probability[:, names.index(problem.options.get("positive", names[1]))]
        )
        return {
            "decision": {"": sign * decision},
            "probability": {} if positive is None else {"": positive},
            "labels": [str(label) for label in labels.tolist()],
        }
    return {
        "decision": {} if decision.ndim == 1 else dict(zip(names, decision.T, strict=True)),
        "probability": {} if probability is None else dict(zip(names, probability.T, strict=True)),
        "labels": labels.astype(bool).tolist() if labels.ndim == 2 else [str(label) for label in labels.tolist()],
    }
