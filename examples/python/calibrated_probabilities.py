"""Calibrated probabilities

Decision values of a support vector machine are not probabilities. `CalibratedClassifierCV` of scikit-learn fits a
map from one to the other on held-out folds; the loss `logistic` gives probabilities directly. The closer a curve is to
the diagonal, the better the probabilities are calibrated.
"""

import matplotlib.pyplot as plt
from kernmix import MKLClassifier
from sklearn.calibration import CalibratedClassifierCV, CalibrationDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import train_test_split

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.filter(regex="texture|smoothness|symmetry")  # an easy problem made harder
views = {"mean": "mean *", "error": "* error", "worst": "worst *"}
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)

machines = {
    "hinge, calibrated": CalibratedClassifierCV(MKLClassifier(views=views), cv=5),
    "logistic": MKLClassifier(views=views, loss="logistic"),
    "logistic, calibrated": CalibratedClassifierCV(MKLClassifier(views=views, loss="logistic"), cv=5),
}
figure, ax = plt.subplots(figsize=(5.4, 5), layout="constrained")
for (name, machine), marker in zip(machines.items(), "os^"):
    probability = machine.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    loss = brier_score_loss(y_test, probability)
    print(f"{name:21} Brier score {loss:.4f}")
    CalibrationDisplay.from_predictions(
        y_test, probability, n_bins=6, strategy="quantile", name=name, ax=ax, marker=marker
    )
plt.show()
