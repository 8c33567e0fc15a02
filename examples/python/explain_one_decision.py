"""Explain one decision

A decision value is the sum of the bias and the contributions of all kernels. The figure shows this sum for the mass
with the least certain decision, by kernel and by view.
"""

import matplotlib.pyplot as plt
import numpy as np
from kernmix import MKLClassifier
from kernmix.display import ContributionsDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
views = {"mean": "mean *", "error": "* error", "worst": "worst *"}
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

machine = MKLClassifier(views=views, C=10).fit(X_train, y_train)
decisions = machine.decision_function(X_test)
unsure = int(np.argmin(np.abs(decisions)))
print(f"accuracy {machine.score(X_test, y_test):.4f}")
print(f"decision {decisions[unsure]:+.4f}, benign: {bool(y_test.iloc[unsure])}")

ContributionsDisplay.from_estimator(machine, X_test, sample=unsure)
ContributionsDisplay.from_estimator(machine, X_test, sample=unsure, by="view")
plt.show()
