"""Written by hand until the build makes it (nanobind_add_stub): what the extension module offers.

Arrays given are float64 unless stated; C-contiguous ones are borrowed and never copied, and must not change while in use.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

__version__: str

class ParameterError(ValueError): ...
class DataError(ValueError): ...
class ResourceError(MemoryError): ...

@final
class Data:
    """Samples with their views, as `train`, `predict` and `verify` read them."""

    def __init__(self) -> None: ...
    def set_table(self, values: NDArray[np.float64], columns: Sequence[str], source: str = "X") -> None:
        """(n, D), rows contiguous (a row stride may be larger than D). Borrowed."""
    def add_view(self, name: str, columns: Sequence[str]) -> None: ...
    def add_matrix(self, name: str, kind: Literal["gram", "distance"], values: NDArray[np.float64]) -> None:
        """(n, n) in training, (new, n_train) or (new, n_support) in prediction. Borrowed, with its row stride."""
    def add_matrix_file(self, name: str, kind: Literal["gram", "distance"], path: str | PathLike[str]) -> list[str]:
        """.npy of (n, n) or (M, n, n), read where it lies; the names: name, or name[0], name[1], ..."""
    def set_labels(self, labels: Sequence[str]) -> None:
        """n class labels. A model's names are sorted as numbers where all are numbers, else by bytes."""
    def set_numbers(self, y: NDArray[np.float64], names: Sequence[str] | None = None) -> None:
        """(n,), or (n, T) with T names."""
    def set_multilabel(self, y: NDArray[np.bool_] | NDArray[np.uint8], names: Sequence[str]) -> None:
        """(n, T)."""
    def set_ids(self, ids: Sequence[str]) -> None: ...
    @property
    def samples(self) -> int: ...
    @property
    def addresses(self) -> dict[str, int]:
        """Where the numbers of the table (key "") and of each matrix lie: tells that nothing was copied."""

@final
class TrainResult:
    model: Model
    status: Literal["converged", "iteration-limit", "time-limit", "interrupted", "stalled"]
    history: dict[str, Any]
    """Columns: number, primal, dual, relative_gap, seconds, svm_solves, bank_passes, inner_iterations, active_kernels
    (arrays), step (list of str), weights (list of arrays, empty ones for a single task)."""
    seconds: dict[str, float]
    """kernels, solve, certify, total."""
    warnings: list[tuple[str, str, list[int]]]
    """code, message, kernels."""
    svm_solves: int
    inner_iterations: int
    bank_passes: int
    plan: dict[str, Any]
    """total_bytes, bank_bytes, data_bytes, combined_bytes, workspace_bytes, storage (list of str), rank, bytes."""

def train(
    data: Data,
    *,
    kernels: Sequence[str] = (),
    regularizer: str = "l1",
    loss: str = "hinge",
    C: float = 1.0,
    bias: str = "free",
    class_weights: dict[str, float] = {},
    sample_weights: NDArray[np.float64] | None = None,
    positive: str = "",
    scaling: str = "standard",
    normalization: str = "trace",
    assume_psd: bool = False,
    solver: str = "auto",
    tolerance: float = 1e-3,
    max_iterations: int = 1000,
    without: Sequence[str] = (),
    scheme: str | None = None,
    coupling: str = "sum",
    threshold_folds: int = 0,
    time_limit: float | None = None,
    memory: int | None = None,
    threads: int = 1,
    seed: int = 0,
    progress: Callable[[str, int, int, float], object] | None = None,
    log: Callable[[str], object] | None = None,
) -> TrainResult:
    """progress(stage, done, total, relative_gap) and log(message) are called with the GIL, from any thread of the run
    but never two at a time; an exception that they raise stops the run and is raised here.

    Ctrl-C raises KeyboardInterrupt; where the solver had an answer it is certified and attached as `exception.result`
    (a TrainResult of status "interrupted"). memory: bytes, None: 80 % of what is available, 0: no limit.
    """

@final
class Model:
    @staticmethod
    def load(path: str | PathLike[str]) -> Model: ...
    @staticmethod
    def from_bytes(data: bytes) -> Model: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def to_bytes(self) -> bytes:
        """The bytes of a model file. Pickling, copying use it."""
    settings: dict[str, Any]
    """loss, regularizer, solver, status, bias, C, class_weights (list over names), tolerance, seed, version."""
    target: Literal["classes", "numbers", "none"]
    scheme: Literal["single", "one-vs-rest", "one-vs-one", "joint", "labels", "targets"]
    coupling: Literal["sum", "minimax", "separate", "joint"]
    names: list[str]
    """Single: [negative, positive]; novelty: ["outlier", "inlier"]; regression: []."""
    tasks: list[dict[str, Any]]
    """name, positive, negative, support (indices into Model.support), coefficients, witness, bias, threshold, primal, gap."""
    weights: NDArray[np.float64]
    """(1, M) shared or (T, M) separate."""
    norms: NDArray[np.float64]
    """(T, M)."""
    gamma: NDArray[np.float64]
    """(T,)."""
    coefficients: NDArray[np.float64]
    """(|support|, T): 0 where a task has none."""
    certificate: dict[str, float]
    """primal, dual, gap, relative_gap, inner_gap, outer_gap, least_size, slack."""
    kernels: list[dict[str, Any]]
    """name, view, group, function, parameters (dict), columns, from_matrix, normalization, scale, weight, norm, raw_weight."""
    columns: list[str]
    scaling: dict[str, Any]
    """rule, offset, divisor."""
    training_samples: int
    training_hash: int
    sample_weights: NDArray[np.float64]
    matrices: list[str]
    support: NDArray[np.int64]
    support_ids: list[str]
    support_values: NDArray[np.float64]

    def predict(
        self,
        data: Data,
        *,
        contributions: bool = False,
        memory: int | None = None,
        threads: int = 1,
        progress: Callable[[str, int, int, float], object] | None = None,
    ) -> Prediction: ...
    def verify(
        self,
        data: Data,
        *,
        memory: int | None = None,
        threads: int = 1,
        progress: Callable[[str, int, int, float], object] | None = None,
    ) -> Verification: ...

@final
class Prediction:
    task_decision: NDArray[np.float64]
    """(n, T)."""
    decision: NDArray[np.float64]
    """(n, outputs)."""
    winner: NDArray[np.int64]
    """(n,) places in Model.names; empty of regression and labels."""
    has_label: NDArray[np.bool_]
    """(n, T) of labels, else (0, 0)."""
    probability: NDArray[np.float64]
    """(n, outputs), or (0, 0): of the positive class of a single task, of each label."""
    contributions: NDArray[np.float64]
    """(n, kernels with weight), or (0, 0)."""
    contributing: NDArray[np.int64]

@final
class Verification:
    claims: list[dict[str, Any]]
    """name, agrees, finding, reported, recomputed."""
    reported: dict[str, float]
    recomputed: dict[str, float]
    biases: NDArray[np.float64]
    difference: float
    same_data: bool
    agrees: bool

default_kernels: str

def kernel_functions() -> list[dict[str, Any]]:
    """name, formula, parameters, reads, always_psd."""

def losses() -> list[dict[str, str]]:
    """name, formula, target, example."""

def regularizers() -> list[dict[str, str]]:
    """name, weights, norm, example."""

def solvers(coupling: Literal["separate", "sum", "minimax"] = "separate") -> list[str]: ...
def strategies() -> list[dict[str, str]]:
    """name, what."""

def support_matrix(coupling: Literal["separate", "sum", "minimax"] = "separate") -> list[dict[str, Any]]:
    """solver, regularizer, loss, supported, reason."""

def expand_kernels(
    data: Data, kernels: Sequence[str] = (), normalization: str = "trace"
) -> list[dict[str, Any]]:
    """The base kernels that training on `data` would have, as Model.kernels without fitted numbers (gamma NaN where the
    width follows from the data)."""

def kernel_matrix(
    function: str,
    X: NDArray[np.float64],
    Z: NDArray[np.float64] | None = None,
    *,
    threads: int = 1,
) -> NDArray[np.float64]:
    """(|X|, |Z|) of "rbf(gamma=0.5)": one function without views or families; of `precomputed` on distances X."""

@final
class KernelStack:
    """Normalised kernels fitted on training data, for transformers; pickles hold the training columns that it reads."""

    def __init__(
        self,
        data: Data,
        kernels: Sequence[str] = (),
        *,
        scaling: str = "standard",
        normalization: str = "trace",
        threads: int = 1,
    ) -> None: ...
    kernels: list[dict[str, Any]]
    def training(self, *, threads: int = 1) -> NDArray[np.float64]:
        """(M, n, n)."""
    def between(self, data: Data, *, threads: int = 1) -> NDArray[np.float64]:
        """(M, new, n)."""
    def alignment(self, y: NDArray[np.float64], *, threads: int = 1) -> NDArray[np.float64]:
        """(M,) centred alignments of the training kernels with y y'."""
