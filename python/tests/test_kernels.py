"""Kernels as Python values, and kernels written in Python."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import chi2_kernel, laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kernmix import KernelBank, MKLClassifier, MKLRegressor, kernels


@pytest.mark.parametrize(
    ("kernel", "reference"),
    [
        (kernels.linear(), lambda X, Z: X @ Z.T),
        (kernels.rbf(gamma=0.3), lambda X, Z: rbf_kernel(X, Z, gamma=0.3)),
        (kernels.rbf(), lambda X, Z: rbf_kernel(X, Z)),
        (kernels.poly(degree=3, coef0=1), lambda X, Z: polynomial_kernel(X, Z, 3, 1, 1)),
        (kernels.laplacian(width=2.0), lambda X, Z: laplacian_kernel(X, Z, gamma=0.5)),
        (kernels.chi2(gamma=0.5), lambda X, Z: chi2_kernel(X, Z, gamma=0.5)),
    ],
    ids=lambda value: value.name if isinstance(value, kernels.Kernel) else "",
)
def test_functions_agree_with_scikit_learn(kernel, reference, rng):
    X, Z = rng.uniform(size=(7, 3)), rng.uniform(size=(5, 3))
    assert np.allclose(kernel(X, Z), reference(X, Z), atol=1e-14)
    assert np.allclose(kernel(X), reference(X, X), atol=1e-14)


def test_every_function_of_the_library_is_there():
    assert {"linear", "rbf", "minmax"} <= set(kernels.names()) <= set(dir(kernels))
    for name in kernels.names():
        assert getattr(kernels, name)().name == name
    assert "exp(-gamma |x - z|^2)" in kernels.rbf.__doc__
    with pytest.raises(AttributeError, match="there is no kernel 'rfb'"):
        _ = kernels.rfb


@pytest.mark.parametrize(
    ("kernel", "expression"),
    [
        (kernels.linear(), "linear"),
        (kernels.rbf(gamma=0.1), "rbf(gamma=0.1)"),
        (kernels.rbf(gamma=[0.1, 1]), "rbf(gamma={0.1; 1})"),
        (kernels.rbf(gamma="2^-2..2^2"), "rbf(gamma=2^-2..2^2)"),
        (kernels.poly(degree=range(1, 3)).on("a", "b*"), "poly(degree={1; 2}) on a|b*"),
        (kernels.linear().on("all"), "linear on all"),
        (kernels.linear().on("my view", each=True), 'linear on "my view", each'),
        (
            kernels.rbf(width="median").on("a", normalize="center+trace", group="g"),
            "rbf(width=median) on a, normalize=center+trace, group=g",
        ),
    ],
)
def test_a_kernel_is_its_expression(kernel, expression):
    assert str(kernel) == expression


def test_kernels_and_expressions_train_alike(rng):
    X = rng.normal(size=(50, 4))
    y = X[:, 0] * X[:, 1] > 0
    views = {"my view": [0, 1], "b": [2, 3]}
    by_value = [kernels.rbf(gamma="2^-2..2^2").on("my view"), kernels.linear().on("b", each=True)]
    by_text = ['rbf(gamma=2^-2..2^2) on "my view"', "linear on b, each"]
    first = MKLClassifier(by_value, views=views).fit(X, y)
    second = MKLClassifier(by_text, views=views).fit(X, y)
    assert np.array_equal(first.weights_["weight"], second.weights_["weight"])
    assert first.kernel_names_.tolist() == second.kernel_names_.tolist()
    assert clone(first).kernels == by_value


def product(A, B):
    return (A @ B.T + 1) ** 2


def test_a_kernel_in_python_is_that_of_the_library(rng):
    X = rng.normal(size=(60, 4))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    options = {"scaling": "none", "tol": 1e-9, "loss": "squared-hinge"}
    own = MKLClassifier([product, "linear"], **options).fit(X, y)
    library = MKLClassifier(["poly(degree=2, coef0=1)", "linear"], **options).fit(X, y)
    assert np.allclose(own.objective_, library.objective_, rtol=1e-7)
    assert np.allclose(own.decision_function(X), library.decision_function(X), atol=1e-4)
    assert own.kernel_names_.tolist() == ["precomputed on product", "linear on data"]
    assert own.verify(X, y)
    again = pickle.loads(pickle.dumps(own))
    assert np.array_equal(again.decision_function(X), own.decision_function(X))


def test_a_kernel_in_python_reads_a_view(rng):
    X = rng.normal(size=(60, 4))
    y = X[:, 2] + X[:, 3]
    kernel = kernels.function(product, view="b", name="square")
    model = MKLRegressor([kernel, "linear"], views={"a": [0, 1], "b": [3, 2]}, C=10).fit(X, y)
    assert model.groups_.tolist() == ["b", "a", "b"]
    assert model.kernel_names_[0] == "precomputed on square"
    expected = product(X[:, [3, 2]], X[:, [3, 2]])
    bank = KernelBank([kernel], views={"b": [3, 2]}, normalization="none").fit(X)
    assert np.allclose(bank.stack(X)[0], expected)


def test_two_kernels_of_one_name_are_told_apart(rng):
    X = rng.normal(size=(30, 2))
    model = MKLClassifier([product, product]).fit(X, X[:, 0] > 0)
    assert model.kernel_names_.tolist() == ["precomputed on product", "precomputed on product-2"]


@pytest.mark.parametrize(
    ("kernel", "error", "sentence"),
    [
        (lambda A, B: np.ones((2, 2)), ValueError, r"gave an array of shape \(2, 2\) for 30 and 30"),
        (lambda A, B: np.full((len(A), len(B)), np.inf), ValueError, "not finite"),
        (lambda A, B: A @ B.T - 5 * np.eye(len(A)), ValueError, "positive semidefinite"),
        (lambda A, B: A[:, :1] + 0 * B[:, 0], ValueError, "symmetric"),
        (kernels.function(product, view="c"), ValueError, "reads the view 'c': there are data"),
        (3, TypeError, "expressions, kernmix.kernels or functions"),
        ("rfb", ValueError, "did you mean 'rbf'"),
        ("rbf on c", ValueError, "c"),
        ("rbf(gamma=-1)", ValueError, "gamma"),
    ],
)
def test_what_is_no_kernel_is_refused(kernel, error, sentence, rng):
    X = rng.normal(size=(30, 2))
    with pytest.raises(error, match=sentence):
        MKLClassifier([kernel]).fit(X, X[:, 0] > 0)


def test_an_error_in_a_kernel_is_passed_on(rng):
    def broken(A, B):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        MKLClassifier(broken).fit(rng.normal(size=(10, 2)), [0, 1] * 5)


def test_the_bank_is_a_step_of_a_pipeline(rng):
    X = rng.normal(size=(80, 4))
    y = X[:, 0] ** 2 + X[:, 1] ** 2 > 1.4
    bank = KernelBank(["rbf(width=median)", "poly(degree=2)"], views={"v": [0, 1]})
    assert cross_val_score(make_pipeline(bank, SVC(kernel="precomputed")), X, y).mean() > 0.85


def test_the_bank_has_the_kernels_of_training(rng):
    X = rng.normal(size=(40, 3))
    settings = {"scaling": "minmax", "normalization": "none"}
    bank = KernelBank("rbf(gamma={0.1; 1})", **settings).fit(X[:30])
    low, high = X[:30].min(axis=0), X[:30].max(axis=0)
    scaled = (X - low) / (high - low)
    expected = [rbf_kernel(scaled, scaled[:30], gamma=gamma) for gamma in (0.1, 1)]
    assert np.allclose(bank.stack(X), expected)
    assert np.allclose(bank.transform(X), np.mean(expected, axis=0))
    weighted = KernelBank("rbf(gamma={0.1; 1})", weights=[2, 0], **settings).fit(X[:30])
    assert np.allclose(weighted.transform(X), 2 * expected[0])


def test_the_bank_gives_frames(rng):
    X = rng.normal(size=(10, 3))
    frame = KernelBank("linear").set_output(transform="pandas").fit_transform(X)
    assert frame.shape == (10, 10) and frame.columns[3] == "kernelbank3"


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [[1.0, 1.0]], [np.nan, 1.0]])
def test_weights_that_do_not_fit_the_bank_are_refused(weights, rng):
    with pytest.raises(ValueError, match="weights must be 2 numbers >= 0"):
        KernelBank(["linear", "rbf"], weights=weights).fit(rng.normal(size=(10, 3)))
