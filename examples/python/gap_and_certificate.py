"""The gap and the certificate

Every solution comes with a lower and an upper bound on the optimal objective. The curves show how fast solvers close
the gap; `verify` recomputes the bounds from the samples, without the solver.
"""

import matplotlib.pyplot as plt
from kernmix import MKLClassifier
from kernmix.display import GapDisplay
from sklearn.datasets import load_digits

X, y = load_digits(return_X_y=True)
X, y = X[:900], y[:900]
odd = y % 2
views = {f"row {k}": slice(8 * k, 8 * k + 8) for k in range(8)}

ax = None
for solver in ("auto", "simple", "level"):
    machine = MKLClassifier(views=views, C=10, solver=solver, tol=1e-4, max_iter=100).fit(X, odd)
    print(f"{solver:7} gap {machine.certificate_.relative_gap:.1e} after {machine.n_iter_} iterations")
    ax = GapDisplay.from_estimator(machine, name=solver, ax=ax).ax_

claims = MKLClassifier(views=views, C=10).fit(X, odd).verify(X, odd)
print(claims)
plt.show()
