"""Runs `kernmix train`, and reads its result (docs/reference/results.md) and its model
(docs/reference/formats.md).

The tool is what the environment variable KERNMIX names, else build/release/cli/kernmix.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import NamedTuple

REFUSED = 2  # docs/reference/errors.md
NO_RESULT = 4
BEFORE_TOLERANCE = 5  # stopped early, with the best certified answer

# The SimpleMKL protocol (Rakotomamonjy et al. 2008), as benchmarks/protocol.hpp has it.
PROTOCOL = [
    "rbf(width=2^-3..2^6) on all",
    "rbf(width=2^-3..2^6) on all, each",
    "poly(degree=1..3, coef0=1) on all",
    "poly(degree=1..3, coef0=1) on all, each",
]

DEFAULT_KERNELS = "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6})"

# What a command is told wherever a benchmark does not say it, so that what is measured stays when
# defaults of kernmix change.
SETTINGS = {"--normalize": "trace", "--scale": "standard", "--loss": "hinge", "-C": 1}


class Data(NamedTuple):
    """A data set for `kernmix train`: its name, and its file with the options to read it."""

    name: str
    arguments: list


ROOT = pathlib.Path(__file__).resolve().parents[1]
DEMO_FILE = ROOT / "examples" / "data" / "breast_cancer_train.csv"
DEMO = Data("breast cancer", [DEMO_FILE, "--label", "diagnosis", "--id", "sample"])


def data_set(name):
    """FOLDER/NAME/data.libsvm, or `demo`: the data set that comes with kernmix."""
    return DEMO if name == "demo" else Data(pathlib.Path(name).parent.name, [name])


def tool():
    return os.environ.get("KERNMIX", str(ROOT / "build" / "release" / "cli" / "kernmix"))


def kernmix(*arguments):
    """One run of the tool; what it wrote to standard error is kept."""
    command = [tool(), *(str(argument) for argument in arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def kernels(expressions):
    return [word for expression in expressions for word in ("--kernel", expression)]


def settled(arguments):
    """Options of `kernmix train`, with SETTINGS and kernels where they say nothing."""
    said = set(map(str, arguments))
    settings = {"--kernel": "precomputed" if "--gram" in said else DEFAULT_KERNELS} | SETTINGS
    if "--multiclass" in said and "joint" in said:
        settings.pop("--loss")  # crammer-singer follows
    missing = {flag: value for flag, value in settings.items() if flag not in said}
    return [*arguments, *(word for option in missing.items() for word in option)]


def train(*arguments, model=None, may_fail=False):
    """The JSON of `kernmix train` with SETTINGS; None where the parameters are refused (or, with
    `may_fail`, where there is no answer for want of memory or time), which is said on standard
    error. The model is written to `model`, or nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "run.json"
        model = model or pathlib.Path(folder) / "model.kmx"
        done = kernmix("train", *settled(arguments), "--quiet", "--json", result, "-o", model)
        if done.returncode in (0, BEFORE_TOLERANCE):
            return json.loads(result.read_text())
        print(done.stderr.strip(), file=sys.stderr)
        if done.returncode == REFUSED or (may_fail and done.returncode == NO_RESULT):
            return None
        sys.exit(f"kernmix train ended with code {done.returncode}")


def fastest(runs, *arguments):
    """Of several equal runs the one with the shortest solve: other programs only make it longer.
    Runs of more than a second are not repeated."""
    best = None
    for _ in range(runs):
        run = train(*arguments)
        if run is None:
            return None
        if best is None or run["seconds"]["solve"] < best["seconds"]["solve"]:
            best = run
        if run["seconds"]["solve"] > 1:
            break
    return best


def seconds_to(run, gap):
    """Seconds from the start of the solver to its first answer of that relative gap, or None."""
    return next((h["seconds"] for h in run["history"] if h["relative_gap"] <= gap), None)


def supported_solvers(loss, regularizer):
    """Solvers of `kernmix list` for one cell, in its order; parameters do not matter."""

    def name(text):
        return text.split(":")[0]

    shown = kernmix("list", "--json")
    return [
        row["solver"]
        for row in json.loads(shown.stdout)["solvers"]
        if row["supported"]
        and name(row["loss"]) == name(loss)
        and name(row["regularizer"]) == name(regularizer)
    ]


def available(names):
    """Data sets whose files exist; the others are named on standard error."""
    present = []
    for name in names:
        if name == "demo" or pathlib.Path(name).exists():
            present.append(data_set(name))
        else:
            print(f"{name} is not here, skipped", file=sys.stderr)
    return present
