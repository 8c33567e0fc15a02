"""Which kernels matter

Weights of one fit depend on the sample. Fifty fits, each on a random half of the samples, show how much: the whiskers
hold the middle 95 % of a kernel's weights, and the frequency is the fraction of halves that select the kernel, with
the given and with permuted labels. Redundant kernels exchange their weight, so the sums by view are more stable. Scores
without a view show whether it is needed.
"""

import warnings

import matplotlib.pyplot as plt
from kernmix import KernmixWarning, MKLClassifier, explain, significance, weight_stability
from kernmix.display import KernelWeightsDisplay
from sklearn.datasets import load_breast_cancer

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
views = {"mean": "mean *", "error": "* error", "worst": "worst *"}
machine = MKLClassifier(views=views, C=1)

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always", KernmixWarning)
    found = weight_stability(machine, X, y, resamples=50, null_runs=1)
    scores = significance(machine, X, y, permutations=19)
print(found)
print(found.views)
print(scores)
for warning in told:
    print("warning:", warning.message)
print(explain(machine.fit(X, y), X).features.to_pandas().head(5).to_string(index=False))

KernelWeightsDisplay.from_stability(found)
plt.show()
