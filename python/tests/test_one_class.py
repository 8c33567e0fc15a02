"""Novelty detectors are scored by the same inliers, whatever the labels are called."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

import kernmix
from kernmix import KernmixWarning, MKLOneClass

RNG = np.random.default_rng(3)
OUT = np.arange(60) % 6 == 0
X = RNG.normal(size=(60, 2)) + 2.5 * OUT[:, None]
MODEL = MKLOneClass("rbf(gamma=0.3)", nu=0.2)


@pytest.mark.parametrize(
    ("inlier", "outlier"), [("inlier", "outlier"), ("a", "Anomaly"), ("z", "novel"), (1, -1), ("in", "out"), (0, 1)]
)
def test_the_score_is_of_the_inliers(inlier, outlier, tmp_path):
    y = np.where(OUT, outlier, inlier)
    model = MODEL.fit(X, y)
    expected = roc_auc_score(~OUT, model.decision_function(X))
    assert model.score(X, y) == expected
    model.save(tmp_path / "m.kmx")
    assert kernmix.load(tmp_path / "m.kmx").score(X, y) == expected
    scores = cross_val_score(MODEL, X, y, cv=StratifiedKFold(3))
    assert np.array_equal(scores, cross_val_score(MODEL, X, np.where(OUT, -1, 1), cv=StratifiedKFold(3)))


def test_a_guess_is_told_and_training_decides():
    y = np.where(OUT, "x", "y")
    model = MODEL.fit(X)
    with pytest.warns(KernmixWarning, match="the larger class, 'y', is taken for the inliers"):
        model.score(X, y)
    few = np.r_[np.flatnonzero(OUT), np.flatnonzero(~OUT)[:3]]  # more outliers than inliers
    learned = MODEL.fit(X, y)
    assert learned.score(X[few], y[few]) == roc_auc_score(~OUT[few], learned.decision_function(X[few]))
    assert np.isnan(learned.score(X[OUT], y[OUT]))
