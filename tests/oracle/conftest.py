"""Runs the installed or built `kernmix` tool; its path comes from the environment variable KERNMIX."""

import json
import os
import subprocess

import numpy as np
import pytest


@pytest.fixture(scope="session")
def kernmix():
    path = os.environ.get("KERNMIX")
    if not path:
        pytest.skip("set KERNMIX to the path of the kernmix tool")
    return path


@pytest.fixture
def train(kernmix, tmp_path):
    """train(K, y, *options) -> the run JSON; K is (M, n, n); groups number the kernels' groups."""

    def run(K, y, *options, groups=None):
        np.save(tmp_path / "K.npy", K)
        lines = ["y"] + [f"{label:g}" for label in y]
        (tmp_path / "y.csv").write_text("\n".join(lines) + "\n")
        command = [kernmix, "train", tmp_path / "y.csv", "--label", "y"]
        command += ["--gram", tmp_path / "K.npy", "--normalize", "none", "--quiet"]
        for m, group in enumerate(groups or []):
            command += ["--kernel", f"precomputed on 'K[{m}]', group=g{group}"]
        command += [*options, "-o", tmp_path / "m.kmx", "--json", tmp_path / "run.json"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads((tmp_path / "run.json").read_text())

    return run


def random_problem(seed, n=24, M=5):
    """M Gaussian, linear and polynomial kernels on random column subsets, two overlapping classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = [1.0, -1.0]
    kernels = []
    for m in range(M):
        Z = X[:, rng.choice(4, size=rng.integers(1, 5), replace=False)]
        dot = Z @ Z.T
        square = np.diag(dot)[:, None] + np.diag(dot)[None, :] - 2.0 * dot
        K = [np.exp(-0.5 * square), dot, (dot + 1.0) ** 2][m % 3]
        kernels.append(K / np.mean(np.diag(K)))
    return np.stack(kernels), y
