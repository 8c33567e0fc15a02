#!/usr/bin/env python3
"""Are permutation p-values uniform where labels are independent of the data? By simulation.

    tests/simulations/permutations.py KERNMIX --data-sets 200 > table.md

Seeds are fixed. It takes minutes and does not run in CI; `--check` ends with an error where
P(p <= 0.05) is above 0.05 by more than four standard errors of the simulation.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PERMUTATIONS = 19  # the smallest p is 0.05
SETTINGS = {
    "one cross-validation": [],
    "3 repeats": ["--repeats", "3"],
    "groups of 3": ["--groups", "g"],
}


def p_of(kernmix, options, folder, seed):
    rng = np.random.default_rng(seed)
    group = np.arange(45) // 3
    y = rng.permutation(np.arange(15) % 2)[group] if "--groups" in options else rng.permutation(np.arange(45) % 2)
    X = rng.standard_normal((15, 3))[group] + rng.standard_normal((45, 3))
    data, out = folder / "data.csv", folder / "s.json"
    rows = [f"{'ab'[c]},g{g},{','.join(map(repr, x))}" for c, g, x in zip(y, group, X.tolist(), strict=True)]
    data.write_text("y,g,x1,x2,x3\n" + "\n".join(rows) + "\n")
    ignored = [] if "--groups" in options else ["--ignore", "g"]
    command = [kernmix, "stability", data, "--label", "y", "--kernel", "linear", "--folds", "3", "--score", "auc"]
    command += ["--permutations", str(PERMUTATIONS), "--resamples", "2", "--null-runs", "0", "--seed", str(seed)]
    command += ["--threads", "1", "--quiet", "--json", out, *ignored, *options]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(out.read_text())["significance"]["labels"]["p"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernmix")
    parser.add_argument("--data-sets", type=int, default=200)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    print("| folds | P(p <= 0.05) | P(p <= 0.25) | mean p (uniform: 0.525) |")
    print("|---|---|---|---|")
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        for setting, options in SETTINGS.items():
            p = np.array([p_of(asked.kernmix, options, Path(name), seed) for seed in range(asked.data_sets)])
            print(
                f"| {setting} | {np.mean(p <= 0.0501):.3f} | {np.mean(p <= 0.2501):.3f} | {p.mean():.3f} |", flush=True
            )
            if np.mean(p <= 0.0501) > 0.05 + 4.0 * math.sqrt(0.05 * 0.95 / asked.data_sets):
                wrong.append(setting)
    if asked.check and wrong:
        sys.exit("p is too small too often: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
