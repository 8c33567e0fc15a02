"""Displays: what they draw is what they were given, and wrong input is refused in one sentence."""

import subprocess
import sys
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from kernmix.display import (
    AlignmentDisplay,
    ContributionsDisplay,
    GapDisplay,
    KernelWeightsDisplay,
    PrecisionRecallDisplay,
    RocDisplay,
    WeightPathDisplay,
)
from kernmix.display.alignment import centered_alignments
from kernmix.weight_table import WeightTable

NAMES = ["rbf(gamma=1) on a", "linear on b", "poly(degree=2) on a", "rbf(gamma=4) on b"]
WEIGHTS = np.array([0.4, 0.3, 0.2, 0.0])


@pytest.fixture(autouse=True)
def no_figure_stays():
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


class Fitted(BaseEstimator):
    """What displays read of an estimator."""

    kernel_names_ = NAMES
    history_: ClassVar = {"seconds": [0.1, 0.2, 0.4], "relative_gap": [1.0, 0.01, 0.0]}
    tol = 1e-3
    intercept_ = np.array([0.5])
    classes_ = np.array(["no", "yes"])

    def fit(self):
        return self

    def contributions(self, X):
        return np.tile([0.3, -0.2, 0.1, 0.0], (len(X), 1))

    def decision_function(self, X):
        return X[:, 0]


def fitted(weights=WEIGHTS, **tasks):
    """With the mean `weights`, and those of tasks that have their own."""
    estimator = Fitted()
    own = {f"weight[{task}]": row for task, row in tasks.items()}
    table = {"kernel": NAMES, "view": ["a", "b", "a", "b"], "weight": weights, **own}
    estimator.weights_ = WeightTable(table, tuple(own))
    return estimator


def texts(display):
    display.figure_.canvas.draw()
    return [tick.get_text() for tick in display.ax_.get_yticklabels()]


def overlap_free(display):
    """No label lies outside of its figure."""
    display.figure_.canvas.draw()
    frame = display.figure_.bbox
    boxes = [tick.get_window_extent() for tick in display.ax_.get_yticklabels()]
    return all(box.x0 >= frame.x0 - 1 and box.y1 <= frame.y1 + 1 for box in boxes)


def test_no_figure_no_matplotlib():
    code = "import kernmix.display, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_weights_are_the_bars():
    display = KernelWeightsDisplay.from_estimator(fitted())
    assert [bar.get_width() for bar in display.bars_] == [0.4, 0.2, 0.3]
    assert [text for text in texts(display) if "  " not in text] == [
        "rbf(gamma=1)",
        "poly(degree=2)",
        "linear",
    ]
    assert "1 kernels without weight" in display.ax_.get_xlabel()
    assert overlap_free(display)


def test_weights_beyond_what_can_be_read_are_summed():
    display = KernelWeightsDisplay(np.full(50, 0.02), [f"k{m} on v{m % 3}" for m in range(50)])
    display.plot(max_bars=10)
    assert len(display.bars_) == 11
    assert texts(display)[-1] == "40 other kernels together"
    assert display.bars_[-1].get_width() == pytest.approx(0.8)


def test_weights_by_class():
    estimator = fitted((WEIGHTS + WEIGHTS[::-1]) / 2, cat=WEIGHTS, dog=WEIGHTS[::-1])
    display = KernelWeightsDisplay.from_estimator(estimator, task="dog")
    assert display.weights.tolist() == WEIGHTS[::-1].tolist()
    assert KernelWeightsDisplay.from_estimator(estimator).title == "mean over 2 tasks"
    with pytest.raises(ValueError, match="no task 'cow'; those with weights are cat, dog"):
        KernelWeightsDisplay.from_estimator(estimator, task="cow")


def test_weights_with_intervals():
    display = KernelWeightsDisplay(WEIGHTS, NAMES, low=WEIGHTS - 0.1, high=WEIGHTS + 0.2).plot()
    segments = display.ax_.collections[0].get_segments()
    assert sorted((round(a[0], 9), round(b[0], 9)) for a, b in segments) == [
        (0.1, 0.4),
        (0.2, 0.5),
        (0.3, 0.6),
    ]
    with pytest.raises(ValueError, match="both ends"):
        KernelWeightsDisplay(WEIGHTS, NAMES, low=WEIGHTS)


def test_weights_of_nothing():
    display = KernelWeightsDisplay(np.zeros(4), NAMES).plot()
    assert len(display.bars_) == 0
    assert "4 kernels without weight" in display.ax_.get_xlabel()


def test_gap_against_time():
    display = GapDisplay.from_estimator(fitted(), name="one")
    assert display.line_.get_xdata().tolist() == [0.1, 0.2, 0.4]
    assert display.line_.get_ydata()[:2].tolist() == [1.0, 0.01]
    assert display.line_.get_ydata()[2] > 0
    again = GapDisplay.from_estimator(fitted(), name="two", ax=display.ax_)
    assert again.line_.get_linestyle() != display.line_.get_linestyle()
    assert sum(line.get_gid() == "tolerance" for line in again.ax_.lines) == 1


def test_path_of_weights():
    estimators = [fitted(WEIGHTS), fitted(WEIGHTS[::-1])]
    display = WeightPathDisplay.from_estimators([0.1, 10], estimators)
    assert display.weights.tolist() == [WEIGHTS.tolist(), WEIGHTS[::-1].tolist()]
    assert display.ax_.get_xscale() == "log"
    by_view = WeightPathDisplay.from_estimators([0.1, 10], estimators, by="view")
    assert by_view.names == ["a", "b"]
    assert by_view.weights == pytest.approx(np.array([[0.6, 0.3], [0.3, 0.6]]))
    shares = display.plot(share=True)
    assert sum(line.get_ydata() for line in shares.ax_.lines) == pytest.approx([1, 1])
    few = display.plot(max_lines=2)
    assert "2 others together" in [text.get_text() for text in few.ax_.get_legend().get_texts()]


def test_alignments_by_definition():
    rng = np.random.default_rng(0)
    stack = [Z @ Z.T for Z in rng.normal(size=(3, 8, 4))]
    y = np.array([0, 1] * 4)
    H = np.eye(8) - 1 / 8
    centered = [H @ K @ H for K in [*stack, (y[:, None] == y) * 1.0]]
    expected = [[np.sum(A * B) / np.linalg.norm(A) / np.linalg.norm(B) for B in centered] for A in centered]
    assert centered_alignments(stack, y) == pytest.approx(np.array(expected), abs=1e-12)
    display = AlignmentDisplay.from_stack(stack, NAMES[:3], y)
    assert np.asarray(display.image_.get_array()) == pytest.approx(np.array(expected), abs=1e-12)
    assert texts(display)[-1] == "target"


@pytest.mark.parametrize("name", ["k{}", "rbf(width=near*{}.35) on methylation_of_tumours"])
@pytest.mark.parametrize("count", [1, 3, 7, 12, 15, 30])
def test_numbers_of_alignments_stay_in_their_cells(count, name):
    import matplotlib.pyplot as plt

    alignments = -0.5 * np.ones((count, count))
    for drawn in (None, plt.subplots(figsize=(4, 3))[1]):
        display = AlignmentDisplay(alignments, [name.format(k) for k in range(count)]).plot(drawn)
        display.figure_.canvas.draw()
        cell = display.ax_.get_window_extent().width / count
        numbers = [text.get_window_extent() for text in display.ax_.texts]
        assert all(box.width < cell and box.height < cell for box in numbers)
        if drawn is None and count <= 12:
            assert len(numbers) == count * count


def test_constant_kernel_has_no_alignment():
    assert centered_alignments([np.ones((4, 4)), np.eye(4)])[0].tolist() == [0, 0]


def test_curves_of_folds():
    rng = np.random.default_rng(1)
    truths = [np.array(["no", "yes"] * 20)] * 3
    scores = [(truth == "yes") + rng.normal(size=40) for truth in truths]
    from sklearn.metrics import average_precision_score, roc_auc_score

    roc = RocDisplay.from_predictions(truths, scores, name="model")
    assert roc.areas == pytest.approx([roc_auc_score(t, s) for t, s in zip(truths, scores, strict=True)])
    curve = PrecisionRecallDisplay.from_predictions(truths, scores)
    expected = [average_precision_score(t == "yes", s) for t, s in zip(truths, scores, strict=True)]
    assert curve.areas == pytest.approx(expected)
    for display in (roc, curve):
        assert display.curves.shape == (3, 201)
        assert display.curves.min() >= 0
        assert display.curves.max() <= 1
        assert len(display.ax_.collections) == 1  # the band


def test_perfect_and_reversed_scores():
    truth = np.array([0, 0, 1, 1])
    assert RocDisplay.from_predictions(truth, truth).curves[0, 1:].min() == 1
    assert RocDisplay.from_predictions(truth, -truth).curves[0, :-1].max() == 0
    assert PrecisionRecallDisplay.from_predictions(truth, truth).curves.min() == 1


def test_curve_of_an_estimator():
    X = np.array([[-1.0], [2.0], [0.5], [1.0]])
    display = RocDisplay.from_estimator(fitted(), X, ["no", "yes", "no", "yes"])
    assert display.areas.tolist() == [1.0]


def test_curves_from_cross_validation():
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_validate

    X, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression(max_iter=10000)
    results = cross_validate(model, X[:, :3], y, cv=3, scoring="roc_auc", return_estimator=True, return_indices=True)
    display = RocDisplay.from_cv_results(results, X[:, :3], y)
    assert display.areas == pytest.approx(results["test_score"])
    with pytest.raises(ValueError, match="return_estimator=True"):
        RocDisplay.from_cv_results({}, X, y)


def test_contributions_add_up():
    display = ContributionsDisplay.from_estimator(fitted(), np.zeros((2, 1)), sample=1)
    assert display.decision == pytest.approx(0.7)
    lefts = [bar.get_x() for bar in display.ax_.patches]
    widths = [bar.get_width() for bar in display.ax_.patches]
    for row in range(1, len(widths) - 1):  # each step begins where the one before ends
        assert lefts[row] == pytest.approx(lefts[row - 1] + widths[row - 1])
    assert widths[-1] == pytest.approx(0.7)
    estimator = fitted()
    estimator.contributions = lambda X: np.arange(2 * 3 * 4.0).reshape(2, 3, 4)
    estimator.intercept_ = np.array([0.0, 1.0, 2.0])
    third = ContributionsDisplay.from_estimator(estimator, None, sample=1, task=2)
    assert third.contributions.tolist() == [20, 21, 22, 23]
    assert third.bias == 2
    views = ContributionsDisplay.from_estimator(fitted(), np.zeros((2, 1)), by="view")
    assert views.names == ["a", "b"]
    assert views.contributions == pytest.approx([0.4, -0.2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KernelWeightsDisplay([1.0], NAMES), "4 names but 1 weights"),
        (lambda: GapDisplay([1, 2], [1]), "one gap for each time"),
        (lambda: WeightPathDisplay([1, 2], [[1.0]], ["k"]), "2 rows and 1 columns"),
        (lambda: AlignmentDisplay(np.eye(3), NAMES), "4 x 4 alignments"),
        (lambda: ContributionsDisplay([1.0], NAMES), "4 names need as many"),
        (lambda: RocDisplay.from_predictions([0, 1, 2], [1, 2, 3]), "y_true has 3"),
        (lambda: ContributionsDisplay.from_estimator(fitted(), [[0]], by="row"), "by must be"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("display", [KernelWeightsDisplay, GapDisplay], ids=lambda display: display.__name__)
def test_unfitted(display):
    from sklearn.exceptions import NotFittedError
    from sklearn.svm import SVC

    with pytest.raises(NotFittedError):
        display.from_estimator(SVC())


def stability(**tasks):
    kernels = WeightTable(
        {
            "kernel": NAMES,
            "view": ["a", "b", "a", "b"],
            "weight": [0.5, 0.3, 0.2, 0.0],
            "mean": WEIGHTS,
            "low": np.maximum(WEIGHTS - 0.1, 0),
            "high": WEIGHTS + 0.2,
        }
    )
    own = dict.fromkeys(tasks, kernels)
    return SimpleNamespace(kernels=kernels, tasks=own, resamples=40, level=0.9)


def test_intervals_are_those_of_the_resamples():
    display = KernelWeightsDisplay.from_stability(stability())
    assert [bar.get_width() for bar in display.bars_] == pytest.approx([0.4, 0.2, 0.3])
    (whiskers,) = (c for c in display.ax_.collections if len(c.get_segments()) == 3)
    ends = sorted(tuple(segment[:, 0]) for segment in whiskers.get_segments())
    np.testing.assert_allclose(ends, [(0.1, 0.4), (0.2, 0.5), (0.3, 0.6)])
    assert display.ax_.get_title() == "mean of 40 resamples, 90% intervals"


def test_stability_of_a_task_by_its_name():
    display = KernelWeightsDisplay.from_stability(stability(red=0), task="red")
    assert display.ax_.get_title().startswith("of red: mean")
    with pytest.raises(ValueError, match="There is no task 'blue'; those with weights of their own are red"):
        KernelWeightsDisplay.from_stability(stability(red=0), task="blue")
    with pytest.raises(ValueError, match="are none, for all share them"):
        KernelWeightsDisplay.from_stability(stability(), task="red")


HALLMARKS = ["HALLMARK_INTERFERON_ALPHA_RESPONSE", "HALLMARK_INTERFERON_GAMMA_RESPONSE", "other"]
LONG = [
    HALLMARKS,
    [f"GOBP_{'REGULATION_OF_' * 6}{end}" for end in ("AXON", "AXONS", "AXON_GROWTH", "DENDRITE")],
    [f"{start}_{'X' * 60}" for start in ("A", "B", "AB")],
    [f"{'P' * 50}{k:03d}{'S' * 50}" for k in range(30)],
    ["same", "same", "same (2)"],
    ["\u00e4" * 60 + end for end in "abc"],
]


@pytest.mark.parametrize("names", LONG, ids=range(len(LONG)))
@pytest.mark.parametrize("most", [20, 30, 44])
def test_shortened_labels_stay_different(names, most):
    from kernmix.display._figure import labels

    for order in (names, names[::-1]):
        made = labels(order, most)
        assert len(set(made)) == len(names)
        for name, label in zip(order, made, strict=True):
            assert label.startswith(name) or "…" in label
            assert len(label) <= most + len(" (2)") and label[0] == name[0]


def texts_of(ax):
    ticks = [tick.get_text() for tick in [*ax.get_yticklabels(), *ax.get_xticklabels()]]
    legend = ax.get_legend()
    return ticks + ([text.get_text() for text in legend.get_texts()] if legend else [])


def test_no_figure_gives_two_names_one_label():
    kernels = [f"rbf(width=median) on {name}" for name in HALLMARKS]
    weights = np.array([0.5, 0.3, 0.2])
    figures = [
        KernelWeightsDisplay(weights, kernels, HALLMARKS).plot(),
        ContributionsDisplay(weights, HALLMARKS).plot(),
        AlignmentDisplay(np.eye(3), HALLMARKS).plot(),
        WeightPathDisplay([1, 2], [weights, weights], HALLMARKS).plot(),
    ]
    for figure in figures:
        texts = texts_of(figure.ax_)
        for part in ("ALPHA", "GAMMA"):
            assert any(part in text for text in texts), type(figure).__name__


def test_kernels_of_single_columns_keep_the_column():
    names = [f"linear on a:x{j}" for j in range(3)]
    display = KernelWeightsDisplay([0.5, 0.3, 0.2], names, ["a"] * 3).plot()
    texts = [text for text in texts_of(display.ax_) if "linear" in text]
    assert len(set(texts)) == 3
    assert all(f"x{j}" in texts[j] for j in range(3))


def test_paths_read_weights_by_the_names_of_kernels():
    class Reversed(Fitted):
        kernel_names_ = NAMES[::-1]

    first, second = fitted(), Reversed()
    second.weights_ = WeightTable({"kernel": NAMES[::-1], "view": list("baba"), "weight": WEIGHTS[::-1]})
    display = WeightPathDisplay.from_estimators([1, 2], [first, second])
    np.testing.assert_array_equal(display.weights, [WEIGHTS, WEIGHTS])
    second.kernel_names_ = ["other", *NAMES[1:]]
    with pytest.raises(ValueError, match="different kernels"):
        WeightPathDisplay.from_estimators([1, 2], [first, second])


def test_curves_compare_the_names_of_samples():
    pd = pytest.importorskip("pandas")
    index = list("abcdef")
    truth = pd.Series(["no", "yes"] * 3, index)
    score = pd.Series(np.arange(6.0), index)
    RocDisplay.from_predictions(truth, score)
    with pytest.raises(ValueError, match="the same samples in another order"):
        RocDisplay.from_predictions(truth.iloc[::-1], score)
    K = pd.DataFrame(np.eye(6), index, index)
    with pytest.raises(ValueError, match="the same samples in another order"):
        AlignmentDisplay.compute([K], ["one"], truth.iloc[::-1])
