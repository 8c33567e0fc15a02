#!/usr/bin/env python3
"""Do the 95 % intervals that `kernmix cv` prints hold the truth? By simulation on fresh data.

The truth is the mean performance, on many fresh samples, of models that are trained on as many
samples as a fold trains on: of each setting, `--models` of them on data sets of their own.

    tests/simulations/expected.py KERNMIX --data-sets 200 --models 60 > table.md

It writes the table of docs/explanation/expected-performance.md. Seeds are fixed. It takes minutes
and does not run in CI; `--check` ends with an error where a coverage lies below 0.90 or above 0.99
by more than four standard errors of the simulation.
"""

import argparse
import csv
import itertools
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

FOLDS = 5
FRESH = 3000
CLASSES = ["accuracy", "balanced_accuracy", "auc", "average_precision", "log_loss", "brier_score"]
NUMBERS = ["r2", "mse"]


class Setting:
    """n samples with p columns; of classes the share of positive ones; groups of some size."""

    def __init__(self, n, positive, group, repeats=1, columns=5):
        self.n, self.positive, self.group, self.repeats, self.columns = n, positive, group, repeats, columns

    def name(self):
        target = "regression" if self.positive is None else f"{self.positive:.0%} positive"
        groups = f", groups of {self.group}" if self.group > 1 else ""
        repeats = f", {self.repeats} repeats" if self.repeats > 1 else ""
        return f"{target}, n = {self.n}{groups}{repeats}"

    def draw(self, n, rng):
        """X, y and groups; half of the variance of each column and of the noise is of the group."""
        group = np.arange(n) // self.group
        shared = rng.standard_normal((group[-1] + 1, self.columns))[group]
        X = math.sqrt(0.5) * (shared + rng.standard_normal((n, self.columns)))
        if self.positive is None:
            noise = math.sqrt(0.5) * (rng.standard_normal(group[-1] + 1)[group] + rng.standard_normal(n))
            return X, X[:, 0] + 0.5 * X[:, 1] + noise, group
        y = (rng.random(group[-1] + 1) < self.positive).astype(int)[group]
        X[:, 0] += 1.3 * y
        return X, np.array(["no", "yes"])[y], group

    def draw_with_classes(self, n, rng):
        """With enough samples of each class for every fold to train on."""
        while True:
            X, y, group = self.draw(n, rng)
            if self.positive is None or min(len(set(group[y == c])) for c in ("no", "yes")) > 2:
                return X, y, group


def write(file, X, y, group):
    with file.open("w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["y", "g", *(f"x{j}" for j in range(X.shape[1]))])
        rows.writerows([label, f"g{g}", *map(repr, row)] for label, g, row in zip(y, group, X.tolist(), strict=True))


def run(kernmix, *arguments):
    done = subprocess.run(
        [kernmix, *map(str, arguments), "--threads", "1", "--quiet"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stderr}")


def learning(setting):
    return ["--label", "y", "--kernel", "linear", "--loss", "squared" if setting.positive is None else "logistic"]


def truth_of(kernmix, setting, models, folder, rng):
    """The mean of each metric over models, each trained on as many samples as a fold trains on."""
    fresh, train, model, out = (folder / name for name in ("fresh.csv", "train.csv", "m.kmx", "e.json"))
    write(fresh, *setting.draw(FRESH * setting.group, rng))
    found = {}
    for _ in range(models):
        write(train, *setting.draw_with_classes(setting.n * (FOLDS - 1) // FOLDS, rng))
        run(kernmix, "train", train, *learning(setting), "--ignore", "g", "-o", model)
        run(kernmix, "evaluate", model, fresh, "--label", "y", "--json", out)
        for metric in json.loads(out.read_text())["metrics"]:
            found.setdefault(metric["name"], []).append(metric["value"])
    return {name: np.mean(values) for name, values in found.items()}


def expected_of(kernmix, setting, folder, seed, rng):
    data, out = folder / "data.csv", folder / "cv.json"
    write(data, *setting.draw_with_classes(setting.n, rng))
    dealt = ["--groups", "g"] if setting.group > 1 else ["--ignore", "g"]
    repeats = ["--repeats", setting.repeats] if setting.repeats > 1 else []
    run(kernmix, "cv", data, *learning(setting), *dealt, *repeats, "--folds", FOLDS, "--seed", seed, "--json", out)
    expected = json.loads(out.read_text())["models"][0]["expected"]
    return {metric["name"]: metric for metric in expected["metrics"]}


def simulate(kernmix, setting, data_sets, models):
    """For each metric: the truth, the mean estimate, how often there is an interval, its coverage."""
    rng = np.random.default_rng(setting.n)
    names = NUMBERS if setting.positive is None else CLASSES
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        truth = truth_of(kernmix, setting, models, folder, rng)
        all_found = [expected_of(kernmix, setting, folder, seed, rng) for seed in range(data_sets)]
    for metric in names:
        values = [found[metric]["value"] for found in all_found if found[metric]["value"] is not None]
        shown = [found[metric] for found in all_found if found[metric]["low"] is not None]
        holds = [m["low"] <= truth[metric] <= m["high"] for m in shown]
        width = np.mean([m["high"] - m["low"] for m in shown]) if shown else None
        rows.append((metric, truth[metric], np.mean(values), len(shown), np.mean(holds) if holds else None, width))
    return rows


def settings():
    for n, group in itertools.product((60, 200), (1, 2)):
        for positive in (0.5, 0.15, None):
            yield Setting(n, positive, group)
    yield Setting(60, 0.5, 1, repeats=10)
    yield Setting(60, None, 1, repeats=10)


def number(value, form):
    return "-" if value is None else format(value, form)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernmix")
    parser.add_argument("--data-sets", type=int, default=200)
    parser.add_argument("--models", type=int, default=60)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    print("| setting | metric | truth | mean of the estimates | intervals | coverage | mean width |")
    print("|---|---|---|---|---|---|---|")
    wrong = []
    for setting in settings():
        for metric, truth, mean, shown, coverage, width in simulate(
            asked.kernmix, setting, asked.data_sets, asked.models
        ):
            print(
                f"| {setting.name()} | {metric} | {truth:.3f} | {mean:.3f} | {shown} of {asked.data_sets} | "
                f"{number(coverage, '.3f')} | {number(width, '.2f')} |",
                flush=True,
            )
            if shown < 20:
                continue
            slack = 4.0 * math.sqrt(0.05 * 0.95 / shown)
            if not 0.90 - slack <= coverage <= 0.99 + slack:
                wrong.append(f"{setting.name()}, {metric}: {coverage:.3f}")
    if asked.check and wrong:
        sys.exit("coverage outside of 90 to 99 %:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
