"""Time and memory that calls on fitted kernels and models may take."""

import numpy as np
import pytest
import toy

from kernmix import GramStack, KernelBank, MKLClassifier, MKLRegressor, MultilabelMKL, ResourceError, explain
from kernmix.kernels import Function

X = toy.points(60, 4)
Y = toy.two_classes(X)
NEVER = 1e-9  # seconds, which are over when the work begins
VIEWS = {"a": [0, 1], "b": [2, 3]}
WITHOUT = np.where(np.arange(60)[:, None] % 5 == 0, [[1, 1, np.nan, np.nan]], X)
MACHINES = {
    "table": (MKLClassifier("rbf(width=median)"), X, Y),
    "views": (MKLClassifier("linear", views=VIEWS), WITHOUT, Y),
    "matrices": (MKLClassifier(), GramStack([X @ X.T, (X @ X.T) ** 2]), Y),
    "functions": (MKLClassifier([Function(lambda A, B: A @ B.T)]), X, Y),
    "numbers": (MKLRegressor("rbf(width=median)"), X, X[:, 0]),
    "labels": (MultilabelMKL("rbf(width=median)"), X, np.column_stack([X[:, 0] > 0, X[:, 1] > 0]).astype(int)),
}


@pytest.mark.parametrize("name", MACHINES)
def test_questions_to_an_estimator_have_its_time_limit(name):
    machine, given, y = MACHINES[name]
    model = machine.fit(given, y).set_params(time_limit=NEVER)
    calls = [lambda: model.predict(given), lambda: model.contributions(given), lambda: model.verify(given, y)]
    if not isinstance(given, GramStack) and name != "functions":
        calls.append(lambda: explain(model, given))
    for call in calls:
        with pytest.raises(ResourceError, match="time limit"):
            call()
    model.set_params(time_limit=None).predict(given)


@pytest.mark.parametrize("name", ["table", "views", "matrices", "functions"])
def test_a_bank_has_limits(name):
    given = X if name == "views" else MACHINES[name][1]
    kernels = {"matrices": None, "functions": [Function(lambda A, B: A @ B.T)]}.get(name, "rbf(width=median)")
    views = VIEWS if name == "views" else None
    bank = KernelBank(kernels, views=views).fit(given)
    expected = bank.stack(given)
    for limits, match in (({"time_limit": NEVER}, "time limit"), ({"memory": 1000}, "MiB|memory")):
        limited = KernelBank(kernels, views=views, **limits)
        bank.set_params(**limits)
        for call in (bank.stack, bank.transform):
            with pytest.raises(ResourceError, match=match):
                call(given)
        if "time_limit" in limits:
            with pytest.raises(ResourceError, match=match):
                limited.fit(given)
        bank.set_params(time_limit=None, memory=None)
    enough = KernelBank(kernels, views=views, memory="1G", time_limit=1e6).fit(given)
    np.testing.assert_array_equal(enough.stack(given), expected)


def test_the_values_of_a_bank_are_counted_before_they_are_computed():
    bank = KernelBank(["linear", "rbf(width=median)"], memory="64K").fit(X[:10])
    assert bank.stack(X[:20]).shape == (2, 20, 10)
    with pytest.raises(
        ResourceError, match="all values of 2 kernels between 600 and 10 samples take 93.8 KiB, and 64 KiB may"
    ):
        bank.stack(np.tile(X, (10, 1)))
