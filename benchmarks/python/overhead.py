"""What Python adds: seconds of a fit beside those that the library itself counts, and of the import.

python benchmarks/python/overhead.py [REPEATS]        # the installed package
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import numpy as np

from kernmix import _core

N, COLUMNS, VIEWS = 1000, 50, 10
KERNELS = ["rbf(width=median*2^-5..2^4) on *"]  # 10 on each of 10 views

IMPORT = """
import time, numpy, sklearn, sklearn.base, sklearn.utils.validation
before = time.perf_counter()
import kernmix
print(time.perf_counter() - before)
"""


def data_of(X: np.ndarray, labels: list[str]) -> _core.Data:
    columns = [f"c{j}" for j in range(COLUMNS)]
    data = _core.Data()
    data.set_table(X, columns)
    for v in range(VIEWS):
        data.add_view(f"v{v}", columns[v::VIEWS])
    data.set_labels(labels)
    return data


def fit_seconds(X: np.ndarray, labels: list[str]) -> tuple[float, float]:
    """From arrays to a model whose weights are read; and what the library says of that."""
    begin = time.perf_counter()
    settings = {"loss": "hinge", "normalization": "trace", "scaling": "standard"}
    result = _core.train(data_of(X, labels), kernels=KERNELS, memory=4 << 30, **settings)
    weights = result.model.weights
    history = result.history["relative_gap"]
    seconds = time.perf_counter() - begin
    assert weights.shape == (1, 100) and len(history) > 0
    return seconds, result.seconds["total"]


def import_seconds() -> float:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    generator = np.random.default_rng(0)
    X = generator.normal(size=(N, COLUMNS))
    labels = np.where(X[:, 0] + X[:, 7] ** 2 + generator.normal(size=N) > 1, "yes", "no").tolist()
    pairs = [fit_seconds(X, labels) for _ in range(repeats)]
    outside = statistics.median(fit for fit, _ in pairs)
    added = statistics.median(fit - library for fit, library in pairs)
    print(
        f"fit of {N} samples, 100 kernels: {outside:.3f} s, of these {1e3 * added:.2f} ms beside the library's own "
        f"({100 * added / outside:.2f} %)"
    )
    print(
        f"import kernmix after numpy and scikit-learn: "
        f"{1e3 * statistics.median(import_seconds() for _ in range(repeats)):.0f} ms"
    )


if __name__ == "__main__":
    main()
