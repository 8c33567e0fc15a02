"""What is no table is refused at once, with the call that makes one; cells and indices are checked."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse

import kernmix
from kernmix import ColumnWeights, GramStack, KernelBank, MKLClassifier, MKLOneClass, MKLRegressor, MKLSearchCV
from kernmix.adapters import from_views

RNG = np.random.default_rng(2)
X = RNG.normal(size=(40, 6))
Y = np.where(X[:, 0] + X[:, 1] > 0, "a", "b")
ENTRIES = {
    "fit": lambda given: MKLClassifier("linear").fit(given, Y),
    "fit of numbers": lambda given: MKLRegressor("linear").fit(given, X[:, 0]),
    "fit of one class": lambda given: MKLOneClass("rbf").fit(given),
    "predict": lambda given: MKLClassifier("linear").fit(X, Y).predict(given),
    "decision_function": lambda given: MKLClassifier("linear").fit(X, Y).decision_function(given),
    "contributions": lambda given: MKLClassifier("linear").fit(X, Y).contributions(given),
    "score": lambda given: MKLClassifier("linear").fit(X, Y).score(given, Y),
    "verify": lambda given: MKLClassifier("linear").fit(X, Y).verify(given, Y),
    "explain": lambda given: kernmix.explain(MKLClassifier("linear").fit(X, Y), given),
    "significance": lambda given: kernmix.significance(MKLClassifier("linear"), given, Y),
    "stability": lambda given: kernmix.weight_stability(MKLClassifier("linear"), given, Y, resamples=4),
    "search": lambda given: MKLSearchCV(MKLClassifier("linear"), {"C": [1]}, cv=2).fit(given, Y),
    "bank": lambda given: KernelBank("linear").fit(given),
    "transform": lambda given: KernelBank("linear").fit(X).transform(given),
    "ColumnWeights": lambda given: ColumnWeights(max_iter=3).fit(given, Y),
    "kernel": lambda given: kernmix.kernels.linear()(given),
}
WITH_ADAPTERS = {
    "auto": lambda given: kernmix.auto(given, Y, kernels="linear", folds=2),
    "compare": lambda given: kernmix.compare(given, Y, {"l1": {}}, splits=2, baselines=False, kernels="linear"),
}


def anndata_of(values):
    anndata = pytest.importorskip("anndata")
    return anndata.AnnData(values.astype(np.float32))


def mudata_of(values):
    mudata = pytest.importorskip("mudata")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mudata.MuData({"a": anndata_of(values[:, :3]), "b": anndata_of(values[:, 3:])})


class Endless:
    """Reads like a sequence that never ends."""

    def __len__(self):
        return 40

    def __getitem__(self, key):
        return self


CONTAINERS = {
    "AnnData": (anndata_of, "from_anndata"),
    "MuData": (mudata_of, "from_mudata"),
    "dict": (lambda values: {"a": values[:, :3], "b": values[:, 3:]}, r"from_views.*GramStack\(X\)"),
    "generator": (lambda values: (row for row in values), r"numpy.array\(list\(X\)\)"),
    "set": (lambda values: {1.0, 2.0}, r"numpy.array\(list\(X\)\)"),
    "endless": (lambda values: Endless(), "no table"),
    "lazy": (lambda values: pytest.importorskip("polars").LazyFrame(values), r"X.collect\(\)"),
    "frames": (lambda values: [pytest.importorskip("polars").DataFrame(values)] * 2, "from_views"),
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_other_containers_are_refused_with_a_remedy(entry, container):
    make, remedy = CONTAINERS[container]
    with pytest.raises(ValueError, match=remedy):
        ENTRIES[entry](make(X))


@pytest.mark.parametrize("container", ["AnnData", "MuData", "Endless"])
def test_other_containers_are_no_targets(container):
    y = {"AnnData": anndata_of, "MuData": mudata_of, "Endless": lambda values: Endless()}[container](X)
    with pytest.raises(ValueError, match="y is an? "):
        MKLClassifier().fit(X, y)


def damaged(kind):
    """A sparse matrix that SciPy would read outside of its arrays."""
    form, attribute, damage = DAMAGES[kind]
    matrix = scipy.sparse.csr_matrix(X).asformat(form)
    setattr(matrix, attribute, damage(getattr(matrix, attribute)))
    return matrix


def _with(values, place, value):
    values = values.copy()
    values[place] = value
    return values


DAMAGES = {
    "index beyond the columns": ("csr", "indices", lambda own: _with(own, 0, 10**6)),
    "negative index": ("csr", "indices", lambda own: _with(own, 0, -5)),
    "row beyond the entries": ("csr", "indptr", lambda own: _with(own, 3, 10**8)),
    "row that ends before it begins": ("csr", "indptr", lambda own: _with(own, 2, own[5])),
    "too few numbers": ("csr", "data", lambda own: own[:5]),
    "index beyond the rows": ("csc", "indices", lambda own: _with(own, 0, 4000)),
    "place outside": ("coo", "col", lambda own: own + 5),
    "too few numbers for the places": ("coo", "data", lambda own: own[:5]),
    "list with a place outside": ("lil", "rows", lambda own: _with(own, 0, [77])),
    "list without numbers": ("lil", "data", lambda own: _with(own, 0, [])),
}


@pytest.mark.parametrize("entry", [*ENTRIES, *WITH_ADAPTERS])
@pytest.mark.parametrize("kind", DAMAGES)
def test_damaged_sparse_matrices_are_refused(entry, kind):
    with pytest.raises(ValueError, match=r"damaged sparse matrix|[Ss]parse"):
        {**ENTRIES, **WITH_ADAPTERS}[entry](damaged(kind))


def test_damaged_sparse_matrices_of_labels_and_views_are_refused():
    s = scipy.sparse.csr_matrix((X > 0).astype(float))
    s.indices[0] = 10**6
    with pytest.raises(ValueError, match="y is a damaged sparse matrix"):
        kernmix.MultilabelMKL().fit(X, s)
    with pytest.raises(ValueError, match="view 'a' is a damaged sparse matrix"):
        from_views({"a": s})


def test_indices_beyond_a_wide_matrix_are_refused():
    wide = scipy.sparse.random(40, 70_000, 0.001, "csr", random_state=0)
    wide.indices[0] = 70_001
    with pytest.raises(ValueError, match="damaged"):
        MKLClassifier().fit(wide, Y)


@pytest.mark.parametrize("estimator", [MKLClassifier("linear"), KernelBank("linear"), ColumnWeights(max_iter=3)])
def test_masked_cells_are_missing_cells(estimator):
    masked = np.ma.masked_array(X, mask=np.zeros_like(X, bool))
    estimator.fit(masked, Y)
    masked.mask[3, 1] = True
    with pytest.raises(ValueError, match="NaN"):
        estimator.fit(masked, Y)


def test_masked_cells_are_filled_as_missing_ones():
    holes = RNG.random(X.shape) < 0.1
    masked = np.ma.masked_array(np.where(holes, 1e6, X), mask=holes)
    machine = MKLClassifier("linear", missing="mean")
    found, expected = (machine.fit(t, Y).decision_function(t) for t in (masked, np.where(holes, np.nan, X)))
    np.testing.assert_array_equal(found, expected)
    whole = from_views([masked[:, :3], masked[:, 3:]]).X
    np.testing.assert_array_equal(whole, np.where(holes, np.nan, X))
    integers = np.ma.masked_array(np.arange(240).reshape(40, 6) % 7, mask=holes)
    assert np.isnan(kernmix._arrays.doubles(integers)[holes]).all()


@pytest.mark.parametrize("name", ["y", "sample_weight", "groups"])
def test_masked_targets_weights_and_groups_are_refused(name):
    given = {"y": Y, "sample_weight": np.ones(40), "groups": np.arange(40)}
    values = given[name]
    given[name] = np.ma.masked_array(values, mask=[i == 7 for i in range(40)])
    with pytest.raises(ValueError, match=f"1 of 40 cells of {name} are masked"):
        MKLClassifier("linear").fit(X, **given)
    given[name] = np.ma.masked_array(values)
    MKLClassifier("linear").fit(X, **given)


def test_masked_entries_of_matrices_are_no_numbers():
    K = np.ma.masked_array(X @ X.T, mask=np.zeros((40, 40), bool))
    K.mask[2, 3] = True
    with pytest.raises(ValueError, match="finite"):
        MKLClassifier().fit(GramStack([K]), Y)


@pytest.mark.parametrize("view", [None, "v"])
def test_kernel_functions_cannot_write(view):
    def wrong(A, B):
        A[:] = 0
        return A @ B.T

    def right(A, B):
        assert not A.flags.writeable
        assert not B.flags.writeable
        assert A is B or not np.shares_memory(A, B)
        return A @ B.T

    before = X.copy()
    machine = MKLClassifier(kernmix.kernels.function(wrong, view=view), views={"v": range(6)})
    with pytest.raises(ValueError, match="read-only"):
        machine.fit(X, Y)
    np.testing.assert_array_equal(X, before)
    MKLClassifier(kernmix.kernels.function(right, view=view), views={"v": range(6)}).fit(X, Y).predict(X[:5])
    assert X.flags.writeable


BIG = [[10**400 if (i, j) == (3, 1) else float(X[i, j]) for j in range(6)] for i in range(40)]


@pytest.mark.parametrize("entry", [*ENTRIES, *WITH_ADAPTERS])
@pytest.mark.parametrize("form", ["list", "array", "frame"])
def test_whole_numbers_beyond_doubles_are_refused(entry, form):
    table = {"list": lambda: BIG, "array": lambda: np.array(BIG, dtype=object)}.get(
        form, lambda: pytest.importorskip("pandas").DataFrame(np.array(BIG, dtype=object))
    )()
    with pytest.raises(ValueError, match=r"beyond the range of doubles|too large"):
        {**ENTRIES, **WITH_ADAPTERS}[entry](table)


def test_targets_and_weights_beyond_doubles_are_refused():
    numbers = [10**400, *range(39)]
    with pytest.raises(ValueError, match="beyond"):
        MKLRegressor().fit(X, numbers)
    with pytest.raises(ValueError, match="beyond"):
        MKLClassifier().fit(X, Y, sample_weight=numbers)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("machine", [MKLClassifier("rbf"), MKLRegressor("rbf"), MKLOneClass("rbf"), KernelBank("rbf")])
def test_estimators_are_pickled_by_every_protocol(machine, protocol):
    y = X[:, 0] if isinstance(machine, MKLRegressor) else Y
    machine.fit(X, y)
    copied = pickle.loads(pickle.dumps(machine, protocol))
    ask = (lambda m: m.transform(X)) if isinstance(machine, KernelBank) else (lambda m: m.predict(X))
    np.testing.assert_array_equal(ask(copied), ask(machine))
    if hasattr(machine, "_model"):
        again = pickle.loads(pickle.dumps(machine._model, protocol))
        assert again.to_bytes() == machine._model.to_bytes()


def test_skops_writes_and_reads_estimators():
    skops = pytest.importorskip("skops.io")
    model = MKLClassifier("rbf(width=median)").fit(X, Y)
    written = skops.dumps(model)
    unknown = skops.get_untrusted_types(data=written)
    assert any("kernmix" in name for name in unknown)
    read = skops.loads(written, trusted=unknown)
    np.testing.assert_array_equal(read.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("views", [None, {"a": ["c0", "c1"], "b": ["c4", "c5", "c3"]}])
def test_a_copy_without_names_compares_none(views):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(6)])
    model = MKLClassifier("rbf(width=median)", views=views).fit(frame, Y)
    machine = copy.deepcopy(model)
    machine.feature_names_in_ = None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(machine.decision_function(X), model.decision_function(frame))
        kernmix.explain(machine, X)
    np.testing.assert_array_equal(machine.decision_function(frame[frame.columns[::-1]]), model.decision_function(frame))
    with pytest.raises(ValueError, match="features"):
        machine.predict(X[:, :5])


def test_shap_explains_a_model_of_a_frame():
    shap, pd = pytest.importorskip("shap"), pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = MKLClassifier("rbf(width=median)").fit(frame, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explainer = shap.KernelExplainer(model.decision_function, frame.iloc[:5])
        values = explainer.shap_values(frame.iloc[:2], nsamples=30, silent=True)
    total = values.sum(axis=1) + explainer.expected_value
    np.testing.assert_allclose(total, model.decision_function(frame.iloc[:2]), atol=1e-6)


_LEAVE = """
import sys, threading, time, numpy as np, kernmix
X = np.random.default_rng(0).normal(size=(900, 15)); y = X[:, 0] > 0
def kernel(A, B):
    time.sleep(0.01)
    return A @ B.T
started = threading.Event()
def told(*moment):
    started.set()
    sum(range(3000))
def fit():
    while True:
        machine = kernmix.MKLClassifier({kernels}, C=100, tol=1e-9, callback={callback})
        {callback} or started.set()
        machine.fit(X, y).predict(X)
for _ in range(3): threading.Thread(target=fit, daemon=True).start()
started.wait(30); time.sleep({wait})
"""


@pytest.mark.parametrize("wait", [0.0, 0.05, 0.2])
@pytest.mark.parametrize(
    ("kernels", "callback"), [("None", "told"), ("None", "None"), ("['linear', kernel]", "told"), ("kernel", "None")]
)
def test_leaving_python_while_a_daemon_thread_trains(kernels, callback, wait):
    code = _LEAVE.format(kernels=kernels, callback=callback, wait=wait)
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


_OWNED = """
import sys, numpy as np, kernmix
from scipy.sparse import csr_array
X = np.random.default_rng(0).normal(size=(40, 3)); y = X[:, 0] > 0
def table():
    data = kernmix._core.Data()
    data.set_table(X, ["a", "b", "c"])
    return data
kept = {owner}
kept_by_itself = [kept]; kept_by_itself.append(kept_by_itself)  # until the last collection
"""


@pytest.mark.parametrize(
    "owner",
    [
        "kernmix.MKLClassifier().fit(X, y)",
        "kernmix.MKLClassifier().fit(csr_array(X), y)",
        "kernmix.MKLClassifier(lambda A, B: A @ B.T).fit(X, y)",
        "kernmix.MKLClassifier('precomputed').fit(X @ X.T, y)",
        "kernmix.KernelBank().fit(X)",
        "kernmix.GramStack([X @ X.T, X @ X.T])",
        "table()",
    ],
)
def test_leaving_python_with_arrays_that_the_library_has(owner):
    command = [sys.executable, "-W", "ignore", "-c", _OWNED.format(owner=owner)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
