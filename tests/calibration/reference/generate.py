#!/usr/bin/env python3
"""Writes calibration.json beside itself: decision values and the probabilities that scikit-learn's calibrators give
them, for calibration_reference_test.cpp. scikit-learn has no beta calibration: scipy minimises its objective.

Decision values are multiples of 1/8, so that there are ties and every number is exact.
"""

import json
import pathlib

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

ASKED = np.arange(-40, 41) / 8


def platt_targets(y, weights):
    positive, negative = weights[y > 0].sum(), weights[y < 0].sum()
    return np.where(y > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))


def beta_map(y, decision, weights):
    """a, b >= 0 and c of Kull et al., on the decision values squeezed by the logistic function."""
    scale = np.sqrt(np.mean(decision ** 2))
    target = platt_targets(y, weights)

    def probability(theta, f):
        return theta[1] * np.logaddexp(0, f / scale) - theta[0] * np.logaddexp(0, -f / scale) + theta[2]

    def objective(theta):
        z = probability(theta, decision)
        p = expit(z) - target
        slopes = [-np.logaddexp(0, -decision / scale), np.logaddexp(0, decision / scale), np.ones(len(decision))]
        return (np.sum(weights * (np.logaddexp(0, z) - target * z)), np.array([np.sum(weights * p * s) for s in slopes]))

    best = minimize(objective, [1.0, 1.0, 0.0], jac=True, method="L-BFGS-B", bounds=[(0, None), (0, None), (None, None)],
                    options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10000})
    return expit(probability(best.x, ASKED))


def case(y, decision, weights):
    sigmoid = _SigmoidCalibration().fit(decision, (y > 0).astype(int), weights)
    raw = IsotonicRegression(out_of_bounds="clip").fit(decision, (y > 0).astype(float), weights)
    pulled = IsotonicRegression(out_of_bounds="clip").fit(decision, platt_targets(y, weights), weights)
    probability = sigmoid.predict(ASKED)
    return {"y": y.tolist(), "decision": decision.tolist(), "weights": weights.tolist(), "asked": ASKED.tolist(),
            "platt": probability.tolist(), "isotonic": pulled.predict(ASKED).tolist(),
            "isotonic_of_labels": raw.predict(ASKED).tolist(), "beta": beta_map(y, decision, weights).tolist()}


class Given(ClassifierMixin, BaseEstimator):
    """Its decision values are the columns of X."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return X

    def predict(self, X):
        return self.classes_[X.argmax(1)]


def classes_case(rng):
    """One-vs-rest of CalibratedClassifierCV(ensemble=False), whose cross-fitted values are those given."""
    y = rng.integers(0, 3, 90)
    decision = np.round(8 * (rng.normal(size=(90, 3)) + 1.2 * np.eye(3)[y])) / 8
    model = CalibratedClassifierCV(Given(), method="sigmoid", ensemble=False, cv=3).fit(decision, y)
    probability = model.predict_proba(decision)
    return {"y": y.tolist(), "decision": decision.tolist(), "platt": probability.tolist(),
            "log_loss": log_loss(y, probability), "brier_score": float(np.mean(((probability - np.eye(3)[y]) ** 2).sum(1)))}


def losses_case(rng):
    y = np.where(rng.random(50) < 0.4, 1, -1)
    p = np.round(64 * rng.random(50)) / 64
    p[:2], y[:2] = [0.0, 1.0], [-1, 1]
    return {"y": y.tolist(), "p": p.tolist(), "log_loss": log_loss(y, p), "brier_score": brier_score_loss(y, p)}


def main():
    rng = np.random.default_rng(30)
    cases = []
    for n, shift, weighted in [(40, 1.0, False), (300, 0.6, False), (300, 0.4, True), (120, 3.0, False), (15, 1.0, True)]:
        y = np.where(rng.random(n) < 0.4, 1, -1)
        decision = np.round(8 * (rng.normal(size=n) + shift * y + 0.3)) / 8
        weights = np.round(8 * rng.uniform(0.25, 3, n)) / 8 if weighted else np.ones(n)
        cases.append(case(y, decision, weights))
    result = {"cases": cases, "classes": classes_case(rng), "losses": losses_case(rng)}
    path = pathlib.Path(__file__).with_name("calibration.json")
    path.write_text(json.dumps(result, indent=None, separators=(",", ":")).replace('],"', '],\n"') + "\n")


if __name__ == "__main__":
    main()
