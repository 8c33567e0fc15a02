"""The view that tells the classes has the largest weight with the defaults; kernels that act as the identity count nowhere."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from kernmix import MKLClassifier


def largest_view(X, y, views, **settings):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = MKLClassifier(views=views, **settings).fit(X, y)
    by_view = model.weights_.by("view")
    codes = {getattr(warning.message, "code", "") for warning in caught}
    return by_view["view"][np.argmax(by_view["weight"])], codes, model


def counts_of_sets(seed, sets=12, genes=150, n=600):
    """Counts of genes in cells of different size; a part of the first set is higher in one class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    rates = np.tile(np.exp(np.random.default_rng(99).normal(-2, 1, sets * genes)), (n, 1))
    rates[y == 1, : 2 * genes // 5] *= 1.6
    X = rng.poisson(rates * rng.gamma(2, 0.5, n)[:, None]).astype(float)
    return X, y, {f"set{k}": slice(k * genes, (k + 1) * genes) for k in range(sets)}


def beside_noise(seed, n=300):
    """Ten columns that tell the classes, beside fifty of noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 60))
    signal = X[:, 0] + X[:, 1] if seed % 2 else X[:, 0] ** 2 + X[:, 1] ** 2 - 2
    y = (signal + 0.5 * rng.normal(size=n) > 0).astype(int)
    return X, y, {"told": slice(0, 10), "noise": slice(10, 60)}


@pytest.mark.parametrize("seed", range(3))
def test_the_informative_set_has_the_largest_weight(seed):
    X, y, views = counts_of_sets(seed)
    view, codes, _ = largest_view(X, y, views)
    assert view == "set0"
    assert "kernel-near-identity" not in codes


@pytest.mark.parametrize("seed", range(4))
def test_noise_beside_it_has_less_weight(seed):
    view, codes, _ = largest_view(*beside_noise(seed))
    assert view == "told"
    assert "kernel-near-identity" not in codes


def test_a_kernel_that_acts_as_the_identity_is_warned_of_and_counts_nowhere():
    X, y, views = beside_noise(2)
    kernels = ["rbf(width=near*0.35) on noise", "rbf(width=median) on told"]
    view, codes, model = largest_view(X, y, views, kernels=kernels)
    assert "kernel-near-identity" in codes
    assert view == "told"
    by_view = model.weights_.by("view")
    weight = dict(zip(by_view["view"], by_view["weight"], strict=True))
    assert weight["noise"] == 0
    assert model.weights_["weight"][0] > 0
    alone = largest_view(X, y, views, kernels=kernels[:1])[2].weights_.by("view")
    assert alone["weight"].sum() > 0  # there is nothing else to count
