"""What resamples and permutations say of kernels, views and scores, and what a model looks at."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .table import Table
from .weight_table import WeightTable

_Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class WeightStability:
    """Kernel weights on resamples of the samples. Weights are shares: they add up to 1.

    Attributes
    ----------
    kernels, views : WeightTable
        weight: in the model of all samples; frequency: the part of the resamples in which it is
        chosen; mean, low, high: of its weight over the resamples, with the percentile interval;
        null_frequency: the frequency with permuted labels, NaN where that was not asked for. Of
        separate weights these are of their mean over tasks.
    tasks : dict of WeightTable
        The kernels for each task that has weights of its own, by its name; else empty.
    resamples : int
        How many were finished.
    shares : array (resamples, M)
    mean_chosen : float
        Kernels chosen in a resample.
    stable : int
        How many kernels are chosen in the part `often` of the resamples at least.
    false_bound : float or None
        At most so many of these are expected among kernels that are chosen no more often than a
        kernel is on average (Shah and Samworth 2013); None for the bootstrap.
    null_stable : float or None
        How many would be stable with permuted labels.
    often, level : float
        As they were asked for: the frequency of stable kernels, and that of the intervals.
    complete : bool
        Whether nothing that was asked for is missing.
    """

    kernels: WeightTable
    views: WeightTable
    tasks: dict[str, WeightTable]
    resamples: int
    shares: _Array = field(compare=False)
    mean_chosen: float
    stable: int
    false_bound: float | None
    null_stable: float | None
    often: float
    level: float
    complete: bool

    def __repr__(self) -> str:
        said = f"{self.stable} of {len(self.kernels)} kernels are chosen in {self.often:.0%} of {self.resamples} "
        said += "resamples or more"
        if self.null_stable is not None:
            said += f"; a bank that knows nothing of the labels has {self.null_stable:.1f}"
        return f"{said}.\n{self.kernels!r}"


@dataclass(frozen=True)
class PermutationTest:
    """Scores where the null hypothesis holds, beside the one that was observed.

    Attributes
    ----------
    p : float
        (1 + number of permuted scores at least as good) / (1 + number of permuted scores).
    mean : float
        Of the permuted scores.
    permuted : array
        Those that were finished.
    """

    p: float
    mean: float
    permuted: _Array = field(compare=False, repr=False)


@dataclass(frozen=True, repr=False)
class Significance:
    """Cross-validated scores, tested.

    Attributes
    ----------
    score : str
        The name of the metric; `larger_is_better` says its direction.
    mean : float
        Of the model with all views, over the folds.
    folds : array (K,)
        Its score on each fold.
    labels : PermutationTest or None
        Of the hypothesis that labels have nothing to do with the data.
    views : Table
        For each view: alone and without, the mean scores of the model of this view and of that of
        all others; drop, by how much the score is worse without it; p_drop, of the hypothesis that
        this is 0 (corrected resampled t-test; NaN where all folds agree); explained, the drop as a
        part of what the model is better than permuted labels; where views are permuted
        p_permuted, of the hypothesis that the view has nothing to do with labels and other views.
        NaN: not defined, as without the only view.
    alone, without : array (V, K)
        The scores on each fold behind the means of `views`, NaN where there are none.
    permuted_views : dict of PermutationTest
        Behind p_permuted, by the name of the view.
    complete : bool
        Whether nothing that was asked for is missing.
    """

    score: str
    larger_is_better: bool
    mean: float
    folds: _Array = field(compare=False)
    labels: PermutationTest | None
    views: Table
    alone: _Array = field(compare=False)
    without: _Array = field(compare=False)
    permuted_views: dict[str, PermutationTest]
    complete: bool

    def __repr__(self) -> str:
        said = f"{self.score} {self.mean:.4f} (mean of {len(self.folds)} folds)"
        if self.labels is not None:
            said += f"; with permuted labels {self.labels.mean:.4f}; p = {self.labels.p:.3g} "
            said += f"of {len(self.labels.permuted)} permutations"
        return f"{said}.\n{self.views!r}" if len(self.views) else f"{said}."


@dataclass(frozen=True, repr=False)
class Explanation:
    """What the decisions of a model come from, on some samples.

    Attributes
    ----------
    views : Table
        kernels: how many have weight; share: of the variance of the decision value; deviation: of
        what the view adds to it.
    features : Table
        importance: the change of the decision value by a change of the column by one standard
        deviation, on average; direction: whether larger values raise (1) or lower (-1) it. The most
        important first. Matrices and kernels in Python have no columns here.
    gradients : array (n, features)
        The change of each sample's decision value with each column, in the order of `features`;
        empty where not asked for.

    Where there are several tasks, such as classes, both tables begin with a column task.
    """

    views: Table
    features: Table
    gradients: _Array = field(compare=False)

    def __repr__(self) -> str:
        return f"{self.views!r}\n\n{self.features!r}" if len(self.features) else repr(self.views)
