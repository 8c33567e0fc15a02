"""Any entry, any order of rows, columns and views: the answer of the original order, or a refusal."""

from __future__ import annotations

import itertools
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernmix
from kernmix import (
    ColumnWeights,
    GramStack,
    KernelBank,
    MKLClassifier,
    MKLRegressor,
    MKLSearchCV,
    MultilabelMKL,
    explain,
    significance,
    weight_stability,
)
from kernmix.adapters import from_anndata, from_mudata, from_views

pd = pytest.importorskip("pandas")

N = 48
RNG = np.random.default_rng(5)
IDS = [f"p{i:02d}" for i in RNG.permutation(N)]
VIEWS = {"rna": ["g1", "g2", "g3"], "clinic": ["age", "crp", "ldl"]}  # of one width: a swap fits in size
COLUMNS = [column for columns in VIEWS.values() for column in columns]
FRAME = pd.DataFrame(RNG.normal(size=(N, 6)) * [1, 2, 3, 4, 5, 6], IDS, COLUMNS)
Y = pd.Series(np.where(FRAME["g1"] + FRAME["age"] / 4 > 0, "ill", "well"), IDS)
TRAIN, NEW = FRAME.iloc[:36], FRAME.iloc[36:]
Y_TRAIN = Y.iloc[:36]
SHUFFLED = RNG.permutation(36)


def parts_of(frame, order="as in training"):
    """The views of a frame with the columns, or the views, or both in another order."""
    step = -1 if order in ("columns", "both") else 1
    names = list(VIEWS)[::-1] if order in ("views", "both") else list(VIEWS)
    return {name: frame[VIEWS[name][::step]] for name in names}


def of_anndata(parts):
    anndata = pytest.importorskip("anndata")
    return from_anndata(anndata.AnnData(pd.concat(parts.values(), axis=1)))


def of_mudata(parts):
    anndata, mudata = pytest.importorskip("anndata"), pytest.importorskip("mudata")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return from_mudata(mudata.MuData({name: anndata.AnnData(part) for name, part in parts.items()}))


def of_sparse_anndata(parts):
    anndata = pytest.importorskip("anndata")
    frame = pd.concat(parts.values(), axis=1)
    adata = anndata.AnnData(scipy.sparse.csr_matrix(frame.to_numpy()))
    adata.obs_names, adata.var_names = frame.index, frame.columns
    return from_anndata(adata)


def of_sets(parts):
    anndata = pytest.importorskip("anndata")
    sets = {"first": ["g1", "age", "crp"], "second": ["g2", "g3", "crp"]}
    return from_anndata(anndata.AnnData(pd.concat(parts.values(), axis=1)), groups=sets)


def of_polars(parts):
    polars = pytest.importorskip("polars")
    return from_views({name: polars.DataFrame(part.reset_index(drop=True)) for name, part in parts.items()})


FORMS = {
    "frames": from_views,
    "AnnData": of_anndata,
    "sparse AnnData": of_sparse_anndata,
    "gene sets of an AnnData": of_sets,
    "MuData": of_mudata,
    "polars": of_polars,
    "gene sets of frames": lambda parts: from_views(parts, groups={"first": ["g1", "age"], "second": ["crp", "g3"]}),
    "sets of one table": lambda parts: from_views(parts, groups={"rna": {"pair": ["g1", "g3"]}}),
}
NAMED_VIEWS_ALONE = {
    "arrays": lambda parts: from_views({name: part.to_numpy() for name, part in parts.items()}),
    "sparse": lambda parts: from_views({k: scipy.sparse.csr_matrix(v.to_numpy()) for k, v in parts.items()}),
}


@pytest.mark.parametrize("form", [*FORMS, *NAMED_VIEWS_ALONE])
@pytest.mark.parametrize("order", ["columns", "views", "both"])
def test_new_tables_are_read_by_name(form, order):
    if form in NAMED_VIEWS_ALONE and order != "views":
        pytest.skip("arrays have no names of columns")
    make = {**FORMS, **NAMED_VIEWS_ALONE}[form]
    data = make(parts_of(TRAIN))
    model = MKLClassifier(views=data.views, n_jobs=1).fit(data.X, Y_TRAIN.to_numpy())
    expected = model.decision_function(make(parts_of(NEW)).X)
    assert np.ptp(expected) > 0
    found = model.decision_function(make(parts_of(NEW, order)).X)
    np.testing.assert_array_equal(found, expected)
    others = make(parts_of(TRAIN, order))  # the views of one table choose the columns of another
    again = MKLClassifier(views=data.views, n_jobs=1).fit(others.X, Y_TRAIN.to_numpy())
    np.testing.assert_allclose(again.decision_function(make(parts_of(NEW)).X), expected, atol=1e-3 * np.ptp(expected))


@pytest.mark.parametrize("form", FORMS)
def test_tables_with_other_columns_are_refused(form):
    data = FORMS[form](parts_of(TRAIN))
    model = MKLClassifier("rbf(width=median)", views=data.views, regularizer="average", n_jobs=1)
    model.fit(data.X, Y_TRAIN.to_numpy())
    other = NEW.rename(columns={"g1": "h1", "crp": "crp2"})
    parts = {"rna": other[["h1", "g2", "g3"]], "clinic": other[["age", "crp2", "ldl"]]}
    with pytest.raises(ValueError), warnings.catch_warnings():  # the adapter or the model says it
        warnings.simplefilter("ignore")
        model.predict(FORMS[form](parts).X)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "polars"])
def test_labels_in_another_order_are_refused(form):
    data = FORMS[form](parts_of(TRAIN))
    machine = MKLClassifier(views=data.views, n_jobs=1)
    assert machine.fit(data.X, Y_TRAIN).score(data.X, Y_TRAIN) > 0.8
    assert data.samples == list(Y_TRAIN.index)
    for y in (Y_TRAIN.iloc[SHUFFLED], Y_TRAIN.iloc[::-1], Y_TRAIN.rename(index=str.upper)):
        with pytest.raises(ValueError, match="the index of y names"):
            machine.fit(data.X, y)


ROWS = {
    "names shuffled": lambda y: y.iloc[SHUFFLED],
    "names reversed": lambda y: y.iloc[::-1],
    "numbers shuffled": lambda y: y.reset_index(drop=True).iloc[SHUFFLED],
    "numbers reversed": lambda y: y.reset_index(drop=True).iloc[::-1],
}
LABELS = pd.DataFrame({"a": (Y_TRAIN == "ill").astype(int), "b": (TRAIN["g2"] > 0).astype(int)}, TRAIN.index)
NUMBERS = pd.DataFrame({"s": TRAIN["g1"] + TRAIN["age"], "t": TRAIN["g2"]}, TRAIN.index)
FOLDS = StratifiedKFold(3)
CLASSIFIER = MKLClassifier("linear", n_jobs=1)
WEIGHTS = pd.Series(1.0 + np.arange(36) % 3, TRAIN.index)
GROUPS = pd.Series(np.arange(36) // 2, TRAIN.index)
ENTRIES = {
    "fit": lambda X, s: clone(CLASSIFIER).fit(X, s(Y_TRAIN)),
    "fit of weights": lambda X, s: clone(CLASSIFIER).fit(X, Y_TRAIN.to_numpy(), sample_weight=s(WEIGHTS)),
    "fit of groups": lambda X, s: clone(CLASSIFIER).fit(X, Y_TRAIN.to_numpy(), groups=s(GROUPS)),
    "fit of labels": lambda X, s: MultilabelMKL("linear", n_jobs=1).fit(X, s(LABELS)),
    "fit of numbers": lambda X, s: MKLRegressor("linear", n_jobs=1).fit(X, s(NUMBERS)),
    "score": lambda X, s: clone(CLASSIFIER).fit(X, Y_TRAIN.to_numpy()).score(X, s(Y_TRAIN)),
    "verify": lambda X, s: clone(CLASSIFIER).fit(X, Y_TRAIN.to_numpy()).verify(X, s(Y_TRAIN)),
    "explained_by_view": lambda X, s: (
        MKLRegressor("linear").fit(X, NUMBERS.to_numpy()).explained_by_view(X, s(NUMBERS))
    ),
    "ColumnWeights": lambda X, s: ColumnWeights(max_iter=5).fit(X, s(Y_TRAIN)),
    "MKLSearchCV": lambda X, s: MKLSearchCV(CLASSIFIER, {"C": [1]}, cv=2).fit(X, s(Y_TRAIN)),
    "search of a pipeline": lambda X, s: MKLSearchCV(
        make_pipeline(StandardScaler(), CLASSIFIER), {"mklclassifier__C": [1]}, cv=2
    ).fit(X, s(Y_TRAIN)),
    "significance": lambda X, s: significance(CLASSIFIER, X, s(Y_TRAIN), cv=FOLDS),
    "significance of a pipeline": lambda X, s: significance(
        make_pipeline(StandardScaler(), CLASSIFIER), X, s(Y_TRAIN), cv=FOLDS
    ),
    "weight_stability of a pipeline": lambda X, s: weight_stability(
        make_pipeline(StandardScaler(), CLASSIFIER), X, s(Y_TRAIN), resamples=4, null_runs=0
    ),
    "weight_stability": lambda X, s: weight_stability(CLASSIFIER, X, s(Y_TRAIN), resamples=4, null_runs=0),
    "auto": lambda X, s: kernmix.auto(X, s(Y_TRAIN), kernels="linear", folds=2, n_jobs=1),
    "nested_search": lambda X, s: kernmix.nested_search(CLASSIFIER, {"C": [1]}, X, s(Y_TRAIN), nested=None, folds=2),
    "compare": lambda X, s: kernmix.compare(X, s(Y_TRAIN), {"l1": {}}, splits=2, baselines=False, kernels="linear"),
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("rows", ROWS)
def test_targets_weights_and_groups_in_another_order_are_refused(entry, rows):
    X = TRAIN.reset_index(drop=True) if rows.startswith("numbers") else TRAIN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match=r"the index of \w+ names the same samples in another order"):
            ENTRIES[entry](X, ROWS[rows])


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_same_order_is_taken(entry):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ENTRIES[entry](TRAIN.iloc[::-1], lambda y: y if isinstance(y, np.ndarray) else y.iloc[::-1])


def fitted(frame, kernels="rbf(width=median)"):
    return MKLClassifier(kernels, views=VIEWS, calibration="platt", n_jobs=1, random_state=0).fit(frame, Y_TRAIN)


ANSWERS = {
    "predict": lambda model, X: model.predict(X),
    "decision_function": lambda model, X: model.decision_function(X),
    "predict_proba": lambda model, X: model.predict_proba(X),
    "contributions": lambda model, X: model.contributions(X),
    "explain": lambda model, X: explain(model, X).features["importance"],
    "pickle": lambda model, X: pickle.loads(pickle.dumps(model)).decision_function(X),
    "verify": lambda model, X: np.array(bool(model.verify(X, Y.loc[X.index]))),
    "score": lambda model, X: np.array(model.score(X, Y.loc[X.index])),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_do_not_depend_on_the_order_of_columns(answer, tmp_path):
    model = fitted(TRAIN)
    samples = TRAIN if answer == "verify" else NEW
    expected = ANSWERS[answer](model, samples)
    model.save(tmp_path / "model.kmx")
    loaded = kernmix.load(tmp_path / "model.kmx")
    for columns in itertools.islice(itertools.permutations(COLUMNS), 1, 720, 97):
        for machine in (model, loaded):
            np.testing.assert_array_equal(ANSWERS[answer](machine, samples[list(columns)]), expected)


@pytest.mark.parametrize("labels", [range(6), [10, 20, 30, 40, 50, 60]], ids=["counted", "numbers"])
def test_numbers_of_columns_are_names_too(labels, tmp_path):
    train, new = (frame.set_axis(list(labels), axis=1) for frame in (TRAIN, NEW))
    if labels == range(6):
        train.columns = pd.RangeIndex(6)
    model = MKLClassifier("rbf(width=median)", n_jobs=1).fit(train, Y_TRAIN)
    expected = model.decision_function(new)
    other = new[new.columns[[3, 1, 0, 2, 5, 4]]]
    np.testing.assert_array_equal(model.decision_function(other), expected)
    with pytest.raises(ValueError, match="X has no column"):
        model.predict(new.set_axis([7, 8, 9, 11, 12, 13], axis=1))
    model.save(tmp_path / "model.kmx")
    loaded = kernmix.load(tmp_path / "model.kmx")
    if labels == range(6):
        np.testing.assert_array_equal(loaded.decision_function(other), expected)
    else:
        with pytest.raises(ValueError, match="the model file has no names of columns"):
            loaded.predict(other)
    np.testing.assert_array_equal(loaded.decision_function(new.to_numpy()), expected)


def test_names_given_as_a_parameter_are_names():
    model = MKLClassifier("rbf(width=median)", feature_names=COLUMNS, n_jobs=1).fit(TRAIN.to_numpy(), Y_TRAIN)
    expected = model.decision_function(NEW.to_numpy())
    np.testing.assert_array_equal(model.decision_function(NEW[COLUMNS[::-1]]), expected)
    with pytest.raises(ValueError, match="X has no column 'g1'"):
        model.predict(NEW.rename(columns={"g1": "h1"}))


@pytest.mark.parametrize(("estimator", "Y_frame"), [(MultilabelMKL, LABELS), (MKLRegressor, NUMBERS)])
def test_columns_of_several_targets_are_matched_by_name(estimator, Y_frame):
    model = estimator("rbf(width=median)", n_jobs=1).fit(TRAIN, Y_frame)
    other = Y_frame[Y_frame.columns[::-1]]
    assert model.score(TRAIN, other) == model.score(TRAIN, Y_frame)
    assert model.verify(TRAIN, other)
    with pytest.raises(ValueError, match="there is no column"):
        model.score(TRAIN, Y_frame.set_axis(["a", "z"], axis=1))


def test_objects_of_narwhals_keep_the_names_they_wrap():
    narwhals = pytest.importorskip("narwhals")
    wrapped = narwhals.from_native(TRAIN)
    model = fitted(wrapped)
    np.testing.assert_array_equal(model.decision_function(NEW), fitted(TRAIN).decision_function(NEW))
    with pytest.raises(ValueError, match="the index of y names the same samples in another order"):
        MKLClassifier().fit(wrapped, Y_TRAIN.iloc[::-1])


def test_tables_of_xarray_keep_their_names():
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(TRAIN.to_numpy(), {"sample": TRAIN.index, "gene": COLUMNS}, ("sample", "gene"))
    model = MKLClassifier(views=VIEWS).fit(array, Y_TRAIN)
    np.testing.assert_array_equal(model.predict(array[:, ::-1]), model.predict(TRAIN))
    with pytest.raises(ValueError, match="the index of y names"):
        model.fit(array, Y_TRAIN.iloc[::-1])


def test_matrices_of_a_dict_are_matched_by_name():
    grams = {name: FRAME[columns] @ FRAME[columns].T for name, columns in VIEWS.items()}
    train = GramStack({name: K.iloc[:36, :36] for name, K in grams.items()})
    assert train.names == list(VIEWS)
    model = MKLClassifier(n_jobs=1).fit(train, Y_TRAIN)
    new = GramStack({name: K.iloc[36:, :36] for name, K in grams.items()})
    expected = model.decision_function(new)
    for order in (SHUFFLED, np.arange(36)[::-1]):
        other = GramStack({name: grams[name].iloc[36:, order] for name in list(grams)[::-1]})
        np.testing.assert_array_equal(model.decision_function(other), expected)
    arrays = GramStack({name: grams[name].to_numpy()[36:, :36] for name in list(grams)[::-1]})
    np.testing.assert_array_equal(model.decision_function(arrays), expected)
    with pytest.raises(ValueError, match="leave names out"):
        GramStack(grams, names=["a", "b"])
    with pytest.raises(ValueError, match="empty"):
        GramStack({})
    with pytest.raises(ValueError, match="the index of y names"):
        model.fit(train, Y_TRAIN.iloc[::-1])


def test_a_matrix_that_names_its_columns_alone_is_refused():
    polars = pytest.importorskip("polars")
    K = (TRAIN @ TRAIN.T).to_numpy()
    named = polars.DataFrame(K, schema=list(TRAIN.index))
    for use in (GramStack, lambda K: MKLClassifier(kernels="precomputed").fit(K, Y_TRAIN.to_numpy())):
        with pytest.raises(ValueError, match=r"whose rows have none.*to_numpy"):
            use(named)
        use(polars.DataFrame(K))


def test_kernel_bank_reads_by_name():
    bank = KernelBank(views=VIEWS).fit(TRAIN)
    np.testing.assert_array_equal(bank.transform(NEW[COLUMNS[::-1]]), bank.transform(NEW))


def test_a_modality_that_is_absent_is_read_as_the_tool_reads_a_file_that_is_absent():
    train = {"rna": TRAIN[VIEWS["rna"]], "clinic": TRAIN[VIEWS["clinic"]].iloc[:30]}
    data = from_views(train)
    model = MKLClassifier(views=data.views, n_jobs=1).fit(data.X, Y_TRAIN)
    whole = from_views(parts_of(NEW))
    lacking = whole.X.copy()
    lacking[data.views["clinic"]] = np.nan
    expected = model.decision_function(lacking)
    for views in ({"rna": NEW[VIEWS["rna"]]}, {"rna": NEW[VIEWS["rna"]], "clinic": None}):
        with pytest.warns(kernmix.KernmixWarning, match=r"none of the 12 samples has view 'clinic'.*clinic:age"):
            np.testing.assert_array_equal(model.decision_function(from_views(views).X), expected)
    anndata, mudata = pytest.importorskip("anndata"), pytest.importorskip("mudata")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mdata = mudata.MuData({"rna": anndata.AnnData(NEW[VIEWS["rna"]])})
        np.testing.assert_array_equal(model.decision_function(from_mudata(mdata).X), expected)


def test_sets_that_name_columns_of_two_tables_are_refused():
    parts = {"rna": TRAIN[["g1", "g2"]], "methylation": TRAIN[["g1", "g3"]]}
    with pytest.raises(ValueError, match=r"the set 's' names 'g1', which 'rna' and 'methylation' have"):
        from_views(parts, groups={"s": ["g1", "g2"]})
    data = from_views(parts, groups={"rna": {"s": ["g1"]}, "methylation": {"s": ["g1", "g3"]}})
    assert data.views == {"rna.s": ["rna:g1"], "methylation.s": ["methylation:g1", "methylation:g3"]}


def test_columns_of_one_name_are_refused():
    twice = pd.concat([TRAIN[["g1"]], TRAIN[["g1"]]], axis=1)
    with pytest.raises(ValueError, match="two columns of 'a' are called 'g1'"):
        from_views({"a": twice})
