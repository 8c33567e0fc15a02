"""What fitted estimators say of themselves."""

import logging
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.special import expit
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import log_loss, r2_score
from sklearn.model_selection import GridSearchCV, cross_validate, permutation_test_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC, OneClassSVM

from kernmix import KernmixWarning, MKLClassifier, MKLOneClass, MKLRegressor, MultilabelMKL, kernels, load

VIEWS = {"mean": range(10), "se": range(10, 20), "worst": range(20, 30)}
ONE_RBF = {"kernels": "rbf(gamma=0.1)", "scaling": "none", "normalization": "none", "tol": 1e-8}


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:250], y[:250]


@pytest.fixture(scope="module")
def fitted(cancer):
    return MKLClassifier(views=VIEWS).fit(*cancer)


def test_one_kernel_is_the_svm_of_scikit_learn(cancer):
    X, y = StandardScaler().fit_transform(cancer[0]), cancer[1]
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    ours = MKLClassifier(**ONE_RBF, C=3, class_weight="balanced").fit(X, y, weights)
    # That of SVC counts each sample once.
    balanced = {label: weights.sum() / (2 * weights[y == label].sum()) for label in (0, 1)}
    svc = SVC(gamma=0.1, C=3, tol=1e-8, class_weight=balanced).fit(X, y, weights)
    assert np.allclose(ours.decision_function(X), svc.decision_function(X), atol=1e-3)
    assert np.allclose(ours.intercept_, svc.intercept_, atol=1e-3)
    support = np.zeros(len(y))
    support[svc.support_] = svc.dual_coef_[0]
    mine = np.zeros(len(y))
    mine[ours.support_] = ours.dual_coef_[0]
    assert np.allclose(mine, support, atol=2e-2)


def test_novelties_are_those_of_scikit_learn(cancer):
    X = StandardScaler().fit_transform(cancer[0])
    ours = MKLOneClass(**ONE_RBF, nu=0.2).fit(X)
    theirs = OneClassSVM(gamma=0.1, nu=0.2, tol=1e-8).fit(X)
    scale = 0.2 * len(X)  # scikit-learn's dual variables add up to nu n, ours to 1
    assert np.allclose(scale * ours.decision_function(X), theirs.decision_function(X), atol=1e-3)
    assert np.allclose(scale * ours.offset_, theirs.offset_, atol=1e-3)


def test_attributes_agree_with_each_other(cancer, fitted):
    X = cancer[0]
    count = len(fitted.kernel_names_)
    assert count == 15 and fitted.groups_.tolist() == ["mean"] * 5 + ["se"] * 5 + ["worst"] * 5
    assert np.isclose(np.asarray(fitted.weights_).sum(), 1)
    assert fitted.objective_ - fitted.certificate_.dual == pytest.approx(fitted.dual_gap_)
    assert fitted.dual_gap_ <= 1e-3 * fitted.objective_
    assert fitted.dual_coef_.shape == (1, len(fitted.support_))
    assert fitted.history_["relative_gap"][-1] <= 1e-3 and fitted.n_iter_ == fitted.history_["number"][-1]
    assert fitted.status_ == "converged" and fitted.seconds_["total"] > 0
    parts = fitted.contributions(X)
    assert np.allclose(parts.sum(axis=1) + fitted.intercept_, fitted.decision_function(X))
    assert not parts[:, fitted.weights_["weight"] == 0].any()


def test_verification_finds_what_was_changed(cancer, fitted):
    X, y = cancer
    found = fitted.verify(X, y)
    assert found and found.agrees and "all claims agree" in repr(found)
    other = X.copy()
    other[3, 3] += 1
    assert not fitted.verify(other, y)
    weights = np.tile([2.0, 0.0], 125)
    weighted = MKLClassifier(views=VIEWS).fit(X, y, weights)
    assert weighted.verify(X, y, weights)
    assert not fitted.verify(X, 1 - y)


def test_the_table_of_weights_sums_and_converts(fitted):
    table = fitted.weights_
    assert table.columns == ["kernel", "view", "group", "weight", "norm", "raw_weight"]
    by_view = table.by("view")
    assert by_view["view"].tolist() == list(VIEWS)
    identities = np.asarray(fitted._model.weights_in_views) < table["weight"]  # they count for no view
    assert by_view["weight"].sum() + table["weight"][identities].sum() == pytest.approx(1, abs=1e-6)
    for view, weight in zip(by_view["view"], by_view["weight"], strict=True):
        assert weight == pytest.approx(table["weight"][(table["view"] == view) & ~identities].sum())
    assert all("near*0.35" in kernel for kernel in table["kernel"][identities])
    assert by_view["norm"][0] == pytest.approx(np.linalg.norm(table["norm"][:5]))
    assert len(table) == len(list(table)) == 15 and table.row(0)["view"] == "mean"
    frame = table.to_pandas()
    assert isinstance(frame, pd.DataFrame) and frame["weight"].tolist() == table["weight"].tolist()
    assert table.to_polars().shape == (15, 6)
    heaviest = table["kernel"][table["weight"].argmax()]
    assert repr(table).splitlines()[1].startswith(heaviest)
    assert heaviest in table._repr_html_()
    with pytest.raises(KeyError, match="no column 'wight'"):
        table["wight"]


def test_notebooks_show_weights_after_fit(fitted):
    bundle = fitted._repr_mimebundle_()["text/html"]
    assert bundle.count("<th>raw_weight</th>") == 1 and "certified to within" in bundle
    assert fitted._repr_html_().count("<th>raw_weight</th>") == 1
    assert "raw_weight" not in MKLClassifier()._repr_mimebundle_()["text/html"]
    assert "raw_weight" not in repr(fitted)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_loss_of_all_classes_is_the_joint_hinge(classes):
    X, y = load_wine(return_X_y=True)
    X, y = X[y < classes], y[y < classes]
    named = MKLClassifier(loss="crammer-singer").fit(X, y)
    joint = MKLClassifier(multi_class="joint").fit(X, y)
    assert np.array_equal(named.decision_function(X), joint.decision_function(X))
    assert np.array_equal(named.dual_coef_, joint.dual_coef_)
    assert named.certificate_ == joint.certificate_
    assert not hasattr(named, "predict_proba")
    for wrong in ({"multi_class": "ovr"}, {"coupling": "minimax"}, {"bias": "penalised"}, {"solver": "silp"}):
        with pytest.raises(ValueError, match=r"classes|joint"):
            named.set_params(**wrong).fit(X, y)
        named = clone(joint).set_params(loss="crammer-singer", multi_class="auto")


@pytest.mark.parametrize("multi_class", ["auto", "ovr", "ovo", "joint"])
@pytest.mark.parametrize("coupling", ["sum", "minimax", "separate"])
def test_many_classes(multi_class, coupling):
    if multi_class == "joint" and coupling != "sum":
        pytest.skip("joint has no coupling to choose")
    X, y = load_wine(return_X_y=True)
    names = np.array(["9", "10", "red"])[y]
    views = {"a": range(7), "b": range(7, 13)}
    model = MKLClassifier(views=views, multi_class=multi_class, coupling=coupling, C=10).fit(X, names)
    assert model.classes_.tolist() == ["10", "9", "red"]
    assert model.score(X, names) > 0.97
    decision = model.decision_function(X)
    assert np.array_equal(model.classes_[decision.argmax(axis=1)], model.predict(X))
    assert model.dual_coef_.shape == (3, len(model.support_))
    if multi_class != "ovo":
        assert np.allclose(model.contributions(X).sum(axis=2) + model.intercept_, decision)
    if coupling == "separate":
        assert np.asarray(model.weights_).shape == (3, 10)
        assert model.weights_.columns[-1].startswith("weight[")
    assert model.verify(X, names)


def test_numbers_as_texts_keep_the_order_of_classes():
    X, y = load_wine(return_X_y=True)
    numbers = np.array(["9", "10", "100"])[y]  # 10, 100, 9 as texts
    model = MKLClassifier(C=10).fit(X, numbers)
    assert model.classes_.tolist() == ["10", "100", "9"]
    assert model.score(X, numbers) > 0.97
    decision = model.decision_function(X)
    assert np.array_equal(model.classes_[decision.argmax(axis=1)], model.predict(X))
    two = MKLClassifier(C=10).fit(X[y < 2], numbers[y < 2])
    assert np.array_equal(two.classes_[(two.decision_function(X) > 0).astype(int)], two.predict(X))
    assert two.score(X[y < 2], numbers[y < 2]) > 0.97


@pytest.mark.parametrize("labels", [[False, True], [-1.0, 1.0], [0, 7], ["no", "yes"]])
def test_labels_of_every_kind_come_back(labels, cancer):
    X, y = cancer
    y = np.array(labels)[y]
    model = MKLClassifier().fit(X, y)
    assert model.predict(X).dtype == y.dtype and model.score(X, y) > 0.9


def test_two_classes_with_shared_weights_have_one_decision_value(cancer):
    X, y = cancer
    model = MKLClassifier(coupling="minimax", loss="logistic").fit(X, y)
    decision = model.decision_function(X)
    assert decision.shape == (len(y),)
    assert np.array_equal(model.predict(X), (decision > 0).astype(int))
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)


def test_probabilities_agree_with_predictions():
    X, y = load_iris(return_X_y=True)
    binary = MKLClassifier(loss="logistic").fit(X[:100], y[:100])
    probability = binary.predict_proba(X)
    assert np.allclose(probability[:, 1], expit(binary.decision_function(X)))
    many = MKLClassifier(loss="logistic").fit(X, y)
    probability = many.predict_proba(X)
    assert np.allclose(probability.sum(axis=1), 1)
    assert np.array_equal(probability.argmax(axis=1), many.predict(X))
    assert np.allclose(many.predict_log_proba(X), np.log(probability))
    assert not hasattr(MKLClassifier(), "predict_proba")
    assert not hasattr(MKLClassifier(loss="logistic", multi_class="ovo"), "predict_proba")


@pytest.mark.parametrize("calibration", ["platt", "isotonic", "beta"])
@pytest.mark.parametrize("multi_class", ["auto", "ovr", "ovo", "joint"])
@pytest.mark.parametrize("classes", [2, 3])
def test_calibrated_probabilities_agree_with_predictions(calibration, multi_class, classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y > 2 - classes], y[y > 2 - classes]  # with 2: those that overlap
    names = np.array(["9", "10", "100"])[y]  # 10, 100, 9 as texts
    model = MKLClassifier(calibration=calibration, calibration_folds=3, multi_class=multi_class).fit(X, names)
    probability = model.predict_proba(X)
    assert probability.shape == (len(y), classes)
    assert np.allclose(probability.sum(axis=1), 1) and (probability > 0).all()
    assert np.array_equal(model.classes_[probability.argmax(axis=1)], model.predict(X))
    assert np.allclose(model.predict_log_proba(X), np.log(probability))
    assert model.score(X, names) > 0.9 and log_loss(names, probability) < 0.3
    assert model.verify(X, names)


def test_calibrated_models_come_back_from_their_file(tmp_path, cancer):
    X, y = cancer
    model = MKLClassifier(calibration="beta", calibration_folds=3, random_state=2).fit(X, y)
    model.save(tmp_path / "m.kmx")
    back = load(tmp_path / "m.kmx")
    assert (back.calibration, back.calibration_folds) == ("beta", 3)
    assert np.array_equal(back.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), model.predict_proba(X))


def test_calibration_without_time_is_no_probability(cancer):
    X, y = cancer
    model = MKLClassifier(calibration="platt").fit(X, y)
    model._model = MKLClassifier().fit(X, y)._model  # as after a time limit
    with pytest.raises(ValueError, match="time ran out before the calibration"):
        model.predict_proba(X)


def test_calibrated_labels():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    Y = np.column_stack([X[:, 0] > 0.3 * rng.normal(size=80), X[:, 1] > 0.5]).astype(int)
    model = MultilabelMKL(calibration="platt").fit(X, Y)
    assert np.array_equal(model.predict(X), (model.predict_proba(X) > 0.5).astype(int))
    assert model.verify(X, Y)


def test_labels():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0.3, X[:, 2] + X[:, 3] > 0]).astype(int)
    model = MultilabelMKL(views={"a": [0, 1], "b": [2, 3]}, C=10, loss="logistic").fit(X, Y)
    assert model.score(X, Y) > 0.8 and model.predict(X).shape == Y.shape
    assert np.array_equal(model.predict(X), (model.decision_function(X) > 0).astype(int))
    assert np.allclose(model.predict_proba(X), expit(model.decision_function(X)))
    assert model.verify(X, Y)
    frame = pd.DataFrame(Y, columns=["p", "q", "r"])
    named = MultilabelMKL(coupling="separate", threshold_folds=3).fit(X, frame)
    assert named.classes_.tolist() == ["p", "q", "r"]
    assert np.asarray(named.weights_).shape[0] == 3 and named.verify(X, Y)
    assert cross_validate(MultilabelMKL(), X, Y, cv=3)["test_score"].shape == (3,)


def test_shares_of_views_add_up():
    X, y = load_diabetes(return_X_y=True)
    views = {"body": [0, 1, 2, 3], "blood": range(4, 10)}
    model = MKLRegressor(views=views, C=10).fit(X[:300], y[:300])
    new, target = X[300:], y[300:]
    split = model.explained_by_view(new, target)
    f = model.predict(new)
    missed = (target.mean() - f.mean()) ** 2 / target.var()
    assert list(split) == ["body", "blood"]
    assert sum(split.values()) - missed == pytest.approx(r2_score(target, f))
    product = model.explained_by_view(new, target, measure="product")
    assert sum(product.values()) == pytest.approx(np.cov(target, f, ddof=0)[0, 1] / target.var())
    with pytest.raises(ValueError, match="y is constant"):
        model.explained_by_view(new, np.ones(len(new)))
    with pytest.raises(ValueError, match="measure must be"):
        model.explained_by_view(new, target, measure="shapley")


def test_weight_zero_is_removal(cancer):
    X, y = cancer
    weights = np.random.default_rng(1).integers(0, 2, len(y)).astype(float)
    weighted = MKLClassifier().fit(X, y, weights)
    kept = weights > 0
    without = MKLClassifier().fit(X[kept], y[kept])
    assert np.array_equal(weighted.decision_function(X), without.decision_function(X))
    assert kept[weighted.support_].all()
    for model in (MKLRegressor(), MKLOneClass()):
        some = clone(model).fit(X, y.astype(float), weights)
        assert np.array_equal(some.predict(X), clone(model).fit(X[kept], y[kept].astype(float)).predict(X))


def test_the_answer_does_not_depend_on_jobs(cancer):
    X, y = cancer
    one, two = (MKLClassifier(n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert np.array_equal(one.dual_coef_, two.dual_coef_)


def test_pickles_and_clones(cancer, fitted):
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.decision_function(cancer[0]), fitted.decision_function(cancer[0]))
    assert not hasattr(clone(fitted), "weights_")
    callable_kernel = MKLClassifier([kernels.rbf(gamma=1.0), "linear"])
    assert clone(callable_kernel).get_params()["kernels"] == callable_kernel.kernels


def test_searches_pipelines_and_meta_estimators_work(cancer):
    X, y = cancer
    grid = {"mklclassifier__regularizer": ["l1", "lp:p=2"], "mklclassifier__C": [1, 10]}
    search = GridSearchCV(make_pipeline(StandardScaler(), MKLClassifier()), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    split = ColumnTransformer([("first", StandardScaler(), slice(0, 10))], remainder="passthrough")
    assert make_pipeline(split, MKLClassifier(views=VIEWS)).fit(X, y).score(X, y) > 0.9
    calibrated = CalibratedClassifierCV(MKLClassifier(), cv=3, ensemble=False).fit(X, y)
    assert calibrated.predict_proba(X).shape == (len(y), 2)
    score, _, p = permutation_test_score(MKLClassifier(C=1), X[:80], y[:80], n_permutations=9, cv=2)
    assert score > 0.8 and p == pytest.approx(0.1)


def test_weights_are_routed(cancer):
    X, y = cancer
    weights = np.tile([1.0, 0.0], 125)
    with sklearn.config_context(enable_metadata_routing=True):
        model = MKLClassifier().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipeline = make_pipeline(FunctionTransformer(), model).fit(X, y, sample_weight=weights)
        cross_validate(model, X, y, params={"sample_weight": weights}, cv=2)
    assert set(pipeline[-1].support_) <= set(np.flatnonzero(weights))


def test_a_missed_tolerance_is_a_warning(cancer):
    with pytest.warns(ConvergenceWarning, match="iteration limit.*above tol=1e-06"):
        model = MKLClassifier(solver="silp", tol=1e-6, max_iter=2).fit(*cancer)
    assert model.status_ == "iteration limit" and model.dual_gap_ > 0
    assert model.verify(*cancer)


def test_warnings_of_the_library_have_a_code(cancer):
    X, y = cancer
    with pytest.warns(KernmixWarning, match=r"\[kernel-near-identity\]") as caught:
        MKLClassifier(["rbf(gamma=1e4)", "linear"]).fit(X, y)
    told = next(w.message for w in caught if w.message.code == "kernel-near-identity")
    assert told.kernels == ("rbf(gamma=10000) on data",)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MKLClassifier("rbf(width=median)").fit(X, y)


def test_progress_and_log_are_quiet_unless_asked(cancer, capfd, caplog):
    X, y = cancer
    MKLClassifier().fit(X, y)
    captured = capfd.readouterr()
    assert captured.out == "" and captured.err == "" and not caplog.records
    seen = []
    MKLClassifier(callback=lambda *moment: seen.append(moment)).fit(X, y)
    stages = [stage for stage, *_ in seen]
    assert "solve" in stages and seen[-1][3] <= 1e-3
    with caplog.at_level(logging.INFO, logger="kernmix"):
        MKLClassifier(regularizer="alignf").fit(X, y)
    assert all(record.name == "kernmix" for record in caplog.records) and caplog.records
    capfd.readouterr()
    MKLClassifier(verbose=True).fit(X, y)
    assert capfd.readouterr().out == ""


def test_an_error_in_the_callback_ends_the_run(cancer):
    def stop(*moment):
        raise KeyboardInterrupt

    model = MKLClassifier(callback=stop)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*cancer)
    with pytest.raises(NotFittedError):
        model.predict(cancer[0])
    assert model.set_params(callback=None).fit(*cancer).score(*cancer) > 0.9


def test_a_frame_has_its_columns_by_name(cancer):
    X, y = cancer
    frame = pd.DataFrame(X, columns=load_breast_cancer().feature_names)
    views = {"mean": "mean *", "worst": ["worst radius", "worst texture"]}
    model = MKLClassifier("linear", views=views).fit(frame, y)
    assert model.views_["worst"] == ["worst radius", "worst texture"]
    assert model.n_features_in_ == 30 and len(model.feature_names_in_) == 30
    assert np.array_equal(model.predict(frame[frame.columns[::-1]]), model.predict(frame))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)


@pytest.mark.parametrize("coupling", ["sum", "separate", "minimax"])
def test_many_targets(coupling):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    Y = np.column_stack([X[:, 0] ** 2, X[:, 3] + 0.1 * X[:, 4], X[:, 1] * X[:, 4]])
    views = {"a": [0, 1, 2], "b": [3, 4, 5]}
    model = MKLRegressor(views=views, C=100, coupling=coupling).fit(X, Y)
    assert model.predict(X).shape == (80, 3) and model.score(X, Y) > 0.95
    assert model.intercept_.shape == (3,)
    assert model.verify(X, Y)
    parts = model.contributions(X)
    assert parts.shape == (80, 3, 10)
    assert np.allclose(parts.sum(axis=2) + model.intercept_, model.predict(X))
    shares = model.explained_by_view(X, Y)
    total = shares["a"] + shares["b"] - (Y.mean(0) - model.predict(X).mean(0)) ** 2 / Y.var(0)
    assert np.allclose(total, r2_score(Y, model.predict(X), multioutput="raw_values"))
    if coupling == "separate":
        alone = MKLRegressor(views=views, C=100).fit(X, Y[:, 0])
        assert np.allclose(np.asarray(model.weights_)[0], alone.weights_["weight"], atol=1e-2)
        assert model.weights_.by("view")["weight[1]"][0] > 0.9
        assert shares["a"][0] > 0.9 and shares["b"][1] > 0.9
    named = MKLRegressor(coupling="separate").fit(X, pd.DataFrame(Y, columns=["p", "q", "r"]))
    assert named.verify(X, Y)
    assert named.weights_.columns[-3:] == ["weight[p]", "weight[q]", "weight[r]"]
    assert MKLRegressor().fit(X, Y[:, :1]).predict(X).shape == (80,)
    assert cross_validate(model, X, Y, cv=3)["test_score"].shape == (3,)


def test_a_fit_that_fails_leaves_no_fitted_estimator(cancer):
    X, y = cancer
    model = MKLClassifier().fit(X, y)
    with pytest.raises(ValueError, match="unknown solver"):
        model.set_params(solver="none").fit(X[:, :3], y)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_no_kernel_may_have_weight(rng):
    frame = pd.DataFrame(rng.normal(size=(30, 2)), columns=["a", "b"]).assign(note="text")
    model = MKLRegressor(views={"v": ["a", "b"]}, regularizer="l1-unsquared:lambda=1e6").fit(frame, frame["a"] + 1)
    assert not model.weights_["weight"].any()
    assert np.allclose(model.predict(frame), model.intercept_[0])


def test_other_parameters_do_not_change_a_fitted_estimator(cancer):
    X, y = cancer
    model = MKLClassifier("precomputed").fit(X @ X.T, y)
    before = model.decision_function(X @ X.T)
    assert np.array_equal(model.set_params(kernels="linear").decision_function(X @ X.T), before)
