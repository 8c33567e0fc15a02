"""The extension module: train, predict, verify, models, kernels, lists."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import toy

from kernmix import DataError, ParameterError, ResourceError, _core

X = toy.points()


def trained(**options):
    options.setdefault("kernels", toy.KERNELS)
    return _core.train(toy.data_of(X, y=toy.two_classes(X)), **options)


def test_training_is_certified():
    result = trained(tolerance=1e-6)
    bounds = result.model.certificate
    assert result.status == "converged"
    assert 0 <= bounds["gap"] <= 1e-6 * bounds["primal"]
    assert bounds["primal"] - bounds["dual"] == pytest.approx(bounds["gap"])
    assert result.history["relative_gap"][-1] <= 1e-6
    assert len(result.history["step"]) == len(result.history["number"])
    assert result.seconds["total"] >= result.seconds["solve"] > 0
    assert result.plan["total_bytes"] >= result.plan["bank_bytes"] > 0


def test_a_model_tells_its_parts():
    model = trained().model
    M, T = len(model.kernels), len(model.tasks)
    assert (M, T, model.names, model.scheme) == (8, 1, ["no", "yes"], "single")
    assert model.weights.shape == (1, M) and model.norms.shape == (T, M) and model.gamma.shape == (T,)
    np.testing.assert_array_equal(model.weights[0], [kernel["weight"] for kernel in model.kernels])
    assert model.weights.sum() == pytest.approx(1)
    assert model.coefficients.shape == (len(model.support), T)
    assert model.support_values.shape == (len(model.support), len(model.columns))
    columns = [int(name[1:]) - 1 for name in model.columns]
    np.testing.assert_array_equal(model.support_values, X[np.ix_(model.support, columns)])
    assert model.training_samples == len(X)
    with pytest.raises(ValueError):
        model.weights[0, 0] = 1.0  # to read only


def test_arrays_outlive_the_model():
    model = trained().model
    expected = np.array(model.support_values)
    values, coefficients = model.support_values, model.tasks[0]["coefficients"]
    kept = np.array(coefficients)
    del model
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(coefficients, kept)


def test_predictions_are_sums_of_contributions():
    model = trained().model
    prediction = model.predict(toy.data_of(X), contributions=True)
    bias = model.tasks[0]["bias"]
    np.testing.assert_allclose(prediction.contributions.sum(axis=1) + bias, prediction.decision[:, 0], rtol=1e-12)
    np.testing.assert_array_equal(prediction.winner, prediction.decision[:, 0] >= 0)
    assert (np.array(model.names)[prediction.winner] == toy.two_classes(X)).mean() > 0.9
    assert prediction.probability.shape == (0, 0) and prediction.has_label.shape == (0, 0)


def test_files_bytes_pickles_and_copies_are_the_same_model(tmp_path):
    model = trained().model
    model.save(tmp_path / "model.kmx")
    bytes_ = model.to_bytes()
    assert (tmp_path / "model.kmx").read_bytes() == bytes_
    for other in (
        _core.Model.load(tmp_path / "model.kmx"),
        _core.Model.load(str(tmp_path / "model.kmx").encode()),
        _core.Model.from_bytes(bytes_),
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
    ):
        assert other.to_bytes() == bytes_
    with pytest.raises(DataError, match="checksum"):
        _core.Model.from_bytes(bytes_[:-1] + b"x")
    with pytest.raises(DataError, match="missing.kmx"):
        _core.Model.load(tmp_path / "missing.kmx")


def test_verification_agrees_with_the_data_and_not_with_others():
    model = trained().model
    data = toy.data_of(X, y=toy.two_classes(X))
    verification = model.verify(data)
    assert verification.agrees and verification.same_data and verification.difference < 1e-9
    assert {claim["name"] for claim in verification.claims} >= {"data", "bounds", "weights"}
    other = X.copy()
    other[0, 0] += 1
    assert not model.verify(toy.data_of(other, y=toy.two_classes(X))).agrees


@pytest.mark.parametrize("scheme", ["one-vs-rest", "one-vs-one", "joint"])
def test_three_classes(scheme):
    labels = toy.three_classes(X)
    model = _core.train(toy.data_of(X, y=labels), kernels=toy.KERNELS, scheme=scheme, C=10.0).model
    assert (model.scheme, model.names, len(model.tasks)) == (scheme, ["a", "b", "c"], 3)
    prediction = model.predict(toy.data_of(X))
    assert prediction.decision.shape == (len(X), 3)
    assert (np.array(model.names)[prediction.winner] == labels).mean() > 0.8


def test_several_labels():
    data = toy.data_of(X)
    marks = np.column_stack([X[:, 0] > 0, X[:, 1] > 0])
    data.set_multilabel(marks, ["first", "second"])
    model = _core.train(data, kernels=toy.KERNELS, loss="logistic", coupling="minimax", C=10.0).model
    prediction = model.predict(toy.data_of(X))
    assert prediction.has_label.dtype == bool and prediction.has_label.shape == (len(X), 2)
    assert (prediction.has_label == marks).mean() > 0.9
    assert ((prediction.probability > 0.5) == prediction.has_label).all()


def test_regression_and_novelty():
    y = X[:, 0] + X[:, 1] ** 2
    model = _core.train(toy.data_of(X, y=y), kernels=toy.KERNELS, loss="squared", C=100.0).model
    prediction = model.predict(toy.data_of(X))
    assert np.corrcoef(prediction.decision[:, 0], y)[0, 1] > 0.9 and len(prediction.winner) == 0
    novelty = _core.train(toy.data_of(X), kernels=toy.KERNELS, loss="one-class:nu=0.2").model
    assert novelty.names == ["outlier", "inlier"]


def test_given_matrices_of_any_row_stride(tmp_path):
    stack = toy.gram_stack(X)
    wide = np.zeros((3, len(X), len(X) + 5))
    wide[:, :, : len(X)] = stack
    np.save(tmp_path / "k.npy", stack)

    def model(add):
        data = _core.Data()
        data.set_labels(list(toy.two_classes(X)))
        add(data)
        return _core.train(data).model

    def arrays(data, values):
        for m in range(3):
            data.add_matrix(f"k[{m}]", "gram", values[m])

    def file(data):
        assert data.add_matrix_file("k", "gram", tmp_path / "k.npy") == ["k[0]", "k[1]", "k[2]"]

    bytes_ = model(lambda data: arrays(data, stack)).to_bytes()
    assert model(lambda data: arrays(data, wide[:, :, : len(X)])).to_bytes() == bytes_
    assert model(file).to_bytes() == bytes_


def test_weights_of_samples_and_classes():
    """Weights of samples, unlike those of classes, count in scaling, widths and normalization, too."""
    labels = toy.two_classes(X)
    as_given = {"kernels": ["rbf(gamma=0.5)", "linear"], "scaling": ["none"], "normalization": "none"}
    by_class = trained(class_weights={"yes": 2.0}, **as_given).model
    by_sample = trained(sample_weights=np.where(labels == "yes", 2.0, 1.0), **as_given).model
    np.testing.assert_array_equal(by_class.weights, by_sample.weights)
    np.testing.assert_array_equal(by_class.coefficients, by_sample.coefficients)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"regularizer": "l7"}, ParameterError, "l7"),
        ({"kernels": ["rfb"]}, ParameterError, "did you mean 'rbf'"),
        ({"C": -1.0}, ParameterError, "C"),
        ({"C": float("nan")}, ParameterError, "C"),
        ({"tolerance": 2.0}, ParameterError, "tolerance"),
        ({"threads": 0}, ParameterError, "threads"),
        ({"time_limit": -1.0}, ParameterError, "time_limit"),
        ({"memory": 1000}, ResourceError, r"\(memory\)"),
        ({"sample_weights": np.ones(3)}, ParameterError, "sample weight"),
        ({"scheme": "all"}, ParameterError, "one-vs-rest"),
        ({"loss": "squared"}, DataError, "number"),
        ({"unknown": 1}, TypeError, "training has no option 'unknown'"),
        ({"C": "1"}, TypeError, "the option 'C' must be float"),
        ({"sample_weights": np.ones(48, "f4")}, TypeError, "the option 'sample_weights' must be"),
    ],
)
def test_refusals(options, error, message):
    with pytest.raises(error, match=message) as caught:
        trained(**options)
    if error is not TypeError:
        assert "\n" not in str(caught.value) or "^" in str(caught.value)


def test_data_that_is_refused():
    data = _core.Data()
    with pytest.raises(ParameterError, match="column names"):
        data.set_table(X, ["a"])
    with pytest.raises(TypeError):
        data.set_table(X.astype("float32"), [f"c{j}" for j in range(6)])
    with pytest.raises(ParameterError, match="ascontiguousarray"):
        data.set_table(X.T[:5].T[:, ::2], ["a", "b", "c"])
    with pytest.raises(ParameterError, match="gram or distance"):
        data.add_matrix("k", "graph", X)
    bad = X.copy()
    bad[3, 2] = np.nan
    with pytest.raises(DataError, match="c3"):
        _core.train(toy.data_of(bad, y=toy.two_classes(X)), kernels=toy.KERNELS)
    with pytest.raises(DataError):
        trained().model.predict(toy.data_of(bad))
    assert issubclass(DataError, ValueError) and issubclass(ResourceError, MemoryError)
    assert pickle.loads(pickle.dumps(DataError("x"))).args == ("x",)


def test_kernels_by_themselves():
    Z = toy.points(7, seed=1)
    distances = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    np.testing.assert_allclose(_core.kernel_matrix("rbf(gamma=0.5)", X, Z), np.exp(-0.5 * distances), rtol=1e-10)
    np.testing.assert_allclose(_core.kernel_matrix("linear", X, threads=2), X @ X.T, rtol=1e-10, atol=1e-12)
    with pytest.raises(ParameterError, match="3 kernels"):
        _core.kernel_matrix("poly(degree=1..3)", X)


def test_a_stack_of_fitted_kernels():
    data = toy.data_of(X, y=toy.two_classes(X))
    stack = _core.KernelStack(data, toy.KERNELS)
    training = stack.training(threads=2)
    model = trained().model
    assert [kernel["name"] for kernel in stack.kernels] == [kernel["name"] for kernel in model.kernels]
    variances = training.diagonal(axis1=1, axis2=2).mean(axis=1) - training.mean(axis=(1, 2))
    np.testing.assert_allclose(variances, 1, rtol=1e-9)
    np.testing.assert_allclose(stack.between(toy.data_of(X)), training, rtol=1e-9, atol=1e-12)
    decision = np.einsum("m,mij,j->i", model.weights[0], training[:, :, model.support], model.coefficients[:, 0])
    predicted = model.predict(toy.data_of(X)).decision[:, 0]
    np.testing.assert_allclose(decision + model.tasks[0]["bias"], predicted, rtol=1e-9, atol=1e-10)
    y = np.where(toy.two_classes(X) == "yes", 1.0, -1.0)
    H = np.eye(len(X)) - 1 / len(X)
    centred = H @ training @ H
    z = H @ y
    expected = np.einsum("i,mij,j->m", z, centred, z) / np.sqrt((centred**2).sum(axis=(1, 2))) / (z @ z)
    np.testing.assert_allclose(stack.alignment(y), expected, rtol=1e-8)


def test_expressions_expand_as_in_training():
    names = [kernel["name"] for kernel in _core.expand_kernels(toy.data_of(X), toy.KERNELS)]
    assert len(names) == 8 and names[0] == "rbf(width=median*0.5) on v1"
    assert len(_core.expand_kernels(toy.data_of(X))) == 10


def test_lists():
    assert {"rbf", "linear", "precomputed"} <= {kernel["name"] for kernel in _core.kernel_functions()}
    assert any(loss["target"] == "numbers" for loss in _core.losses())
    assert "newton" in _core.solvers() and _core.solvers("sum")
    cells = _core.support_matrix("sum")
    assert all(cell["supported"] or cell["reason"] for cell in cells)
    assert _core.regularizers()[0]["name"] == "l1" and _core.strategies()
