"""kernmix as a user types it: files of samples, `kernmix train` or `auto`, `kernmix predict`."""

import csv
import json

import numpy as np
from sklearn.datasets import dump_svmlight_file

import train
from bank import shares
from problem import Answer
from sets import CLASSES


def write(problem, rows, folder):
    """The samples of these rows, as the arguments of kernmix that read them."""
    folder.mkdir()
    y = problem.data.y[rows]
    if problem.data.views:
        files = []
        for name, X in problem.data.views.items():
            files.append(folder / f"{name}.libsvm")
            dump_svmlight_file(X[rows], y, str(files[-1]), zero_based=False)
        return files
    arguments = []
    for name, K in problem.data.grams.items():
        np.save(folder / f"{name}.npy", K[np.ix_(rows, problem.train)])
        arguments += ["--gram", folder / f"{name}.npy"]
    return arguments


def write_labels(problem, folder):
    """Of Gram matrices, which hold none."""
    file = folder / "labels.csv"
    file.write_text("y\n" + "".join(f"{label:.17g}\n" for label in problem.data.y[problem.train]))
    return [file, "--label", "y"]


def run(*arguments):
    done = train.kernmix(*arguments, "--quiet", "--threads", 1)
    if done.returncode not in (0, train.BEFORE_TOLERANCE):
        lines = done.stderr.strip().splitlines() or [f"code {done.returncode}"]
        raise RuntimeError(f"kernmix {arguments[0]}: {lines[-1]}")


def read(problem, file):
    """Predictions and probabilities from the CSV file of `kernmix predict`."""
    with open(file, newline="") as lines:
        rows = list(csv.DictReader(lines))
    if problem.classes is None:
        return np.array([float(row["prediction"]) for row in rows]), None
    predicted = np.array([float(row["label"]) for row in rows])
    if "probability" in rows[0]:
        positive = np.array([float(row["probability"]) for row in rows])
        return predicted, np.column_stack([1 - positive, positive])
    columns = [f"probability {label}" for label in problem.classes]
    if columns[0] not in rows[0]:
        return predicted, None
    return predicted, np.array([[float(row[column]) for column in columns] for row in rows])


def weights_by_view(result):
    kernels = json.loads(result.read_text()).get("weights") or []
    if not kernels or any(kernel.get("weight") is None for kernel in kernels):
        return None
    names = [kernel.get("view") or kernel["kernel"] for kernel in kernels]
    return shares(names, [kernel["weight"] for kernel in kernels])


def kernmix(command, *options):
    """A contestant: `kernmix COMMAND OPTIONS` on the training files, then `kernmix predict`."""

    def prepare(problem, folder):
        samples = write(problem, problem.train, folder / "train")
        new = write(problem, problem.test, folder / "test")
        if problem.data.grams:
            samples = [*write_labels(problem, folder), *samples]
        samples += ["--loss", "hinge" if problem.data.task == CLASSES else "squared"]
        model, result = folder / "model.kmx", folder / "run.json"
        output = ["-o", model, "--json", result]
        if command == "auto":
            output = ["-o", folder / "auto"]
            model, result = folder / "auto" / "model.kmx", folder / "auto" / "run.json"

        def answer():
            run(command, *samples, *options, *output)
            run("predict", model, *new, "-o", folder / "predictions.csv")
            predictions, probabilities = read(problem, folder / "predictions.csv")
            return Answer(predictions, probabilities, weights_by_view(result))

        return answer

    return prepare
