"""Results of resampling, permutation tests and explanations."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .table import Table
from .weight_table import WeightTable

_Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class WeightStability:
    """Kernel weights on resamples of the data. Weights are shares and sum to 1.

    Attributes
    ----------
    kernels, views : WeightTable
        weight: weight in the model of all samples; frequency: fraction of the resamples in which the
        kernel or view is selected; mean, low, high: mean of the weight over the resamples, and its
        percentile interval; null_frequency and null_mean: the frequency and the mean weight with permuted
        labels, NaN if they were not requested. Separate weights are averaged over the tasks. With `groups`, views also has matched and
        named: the numbers of columns and of names of each set.
    tasks : dict of WeightTable
        For separate weights the kernels of each task, by its name; otherwise empty.
    resamples : int
        Number of finished resamples.
    shares : array (resamples, M)
        Weights of each resample.
    mean_chosen : float
        Mean number of kernels selected in a resample.
    stable : int
        Number of kernels that are selected in at least the fraction `often` of the resamples.
    false_bound : float or None
        Upper bound on the expected number of stable kernels among those that are selected no more often
        than an average kernel (Shah and Samworth 2013); None for the bootstrap.
    null_stable : float or None
        Mean number of stable kernels with permuted labels.
    often, level : float
        The requested frequency of stable kernels and level of the intervals.
    complete : bool
        False if the time limit ended the computation early.
    sparse : bool
        Whether the regularizer sets weights to zero. Otherwise every kernel has weight, and `mean` is to be
        compared with `null_mean` instead of counts of selected kernels.
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
    sparse: bool = True

    def __repr__(self) -> str:
        if not self.sparse:
            said = "The regularizer gives every kernel weight: compare mean with null_mean, under permuted labels"
            return f"{said}.\n{self.kernels!r}"
        said = f"{self.stable} of {len(self.kernels)} kernels are chosen in at least {self.often:.0%} of "
        said += f"{self.resamples} resamples"
        if self.null_stable is not None:
            said += f"; with permuted labels: {self.null_stable:.1f} on average"
        return f"{said}.\n{self.kernels!r}"


@dataclass(frozen=True)
class PermutationTest:
    """A permutation test: the p-value and the scores under the null hypothesis.

    Attributes
    ----------
    p : float
        (1 + number of permuted scores at least as good) / (1 + number of permuted scores).
    mean : float
        Mean of the permuted scores.
    permuted : array
        Scores of the finished permutations.
    """

    p: float
    mean: float
    permuted: _Array = field(compare=False, repr=False)


@dataclass(frozen=True, repr=False)
class Significance:
    """Cross-validated scores with permutation tests and tests of each view.

    Attributes
    ----------
    score : str
        The name of the metric; `larger_is_better` gives its direction.
    mean : float
        Mean score of the model with all views over the folds.
    folds : array (K,)
        Its score on each fold.
    labels : PermutationTest or None
        Test of the hypothesis that labels and data are independent.
    views : Table
        For each view: alone, the mean score of the model with this view only; without, the mean score
        with all other views; drop, the decrease of the score without the view; p_drop, p-value of the
        hypothesis that the drop is 0 (corrected resampled t-test; NaN if all folds agree); p_holm, the
        same adjusted for all views (Holm); explained, the drop as a share of the improvement over permuted labels; and, if views are permuted,
        p_permuted, p-value of the hypothesis that the view is independent of labels and other views.
        Undefined values, as without the only view, are NaN.
    alone, without : array (V, K)
        The scores on each fold behind the means of `views`, NaN if undefined.
    permuted_views : dict of PermutationTest
        The tests behind p_permuted, by the name of the view.
    complete : bool
        False if the time limit ended the computation early.
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
    """Contributions of views and columns to the decisions of a model on some samples.

    Attributes
    ----------
    views : Table
        kernels: number of kernels with weight; share: share of the variance of the decision value;
        deviation: standard deviation of the contribution of the view.
    features : Table
        importance: mean change of the contribution of the view to the decision value when the column
        changes by one standard deviation; direction: whether larger values raise (1) or lower (-1) this
        contribution. A column of several views has a row for each of them. Rows are sorted by
        importance. Given matrices and Python kernels have no columns in this table.
    gradients : array (n, features)
        For each sample and each row of `features` the derivative of the contribution of the view with
        respect to the column; empty unless requested.

    With several tasks, such as classes, both tables begin with a column task.
    """

    views: Table
    features: Table
    gradients: _Array = field(compare=False)

    def __repr__(self) -> str:
        return f"{self.views!r}\n\n{self.features!r}" if len(self.features) else repr(self.views)
