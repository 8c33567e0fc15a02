"""What a user's type checker sees of the extension module: checked by `mypy --strict`, not run."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernmix import DataError, _core


def accuracy(X: NDArray[np.float64], labels: list[str]) -> float:
    data = _core.Data()
    data.set_table(X, [f"c{j}" for j in range(X.shape[1])])
    data.add_view("all", ["c0", "c1"])
    data.set_labels(labels)
    try:
        result = _core.train(data, kernels=["rbf"], C=2.0, progress=lambda stage, done, total, gap: None)
    except DataError as error:
        raise SystemExit(str(error)) from error
    names: list[str] = result.model.names
    winner = result.model.predict(data).winner
    return float(np.mean([names[k] == label for k, label in zip(winner, labels, strict=True)]))
