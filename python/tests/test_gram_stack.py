"""Given matrices as X."""

import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.preprocessing import scale

import kernmix
from kernmix import DataError, GramStack, MKLClassifier, MKLRegressor, ParameterError, _core


@pytest.fixture(scope="module")
def kernels():
    X, y = load_breast_cancer(return_X_y=True)
    X, y = scale(X[:200]), y[:200]
    return np.stack([rbf_kernel(X[:, :10], gamma=0.1), rbf_kernel(X, gamma=0.01), linear_kernel(X)]), y


def test_rows_are_split_and_columns_stay(kernels):
    stack = GramStack(kernels[0])
    part = stack[[5, 3]][[1]]
    assert stack.shape == (200, 200) and part.shape == (1, 200)
    assert part.rows.tolist() == [3]
    assert np.array_equal(part.matrices(np.array([7, 2]))[2], kernels[0][2][np.ix_([3], [7, 2])])
    assert stack[np.arange(200) < 4].shape == stack[:4].shape == (4, 200)
    assert stack[7].shape == (1, 200)
    with pytest.raises(IndexError, match="split by rows"):
        stack[:, :3]


def test_a_stack_for_a_precomputed_kernel_is_split_like_an_array(kernels):
    K, y = kernels
    machine = MKLClassifier(kernels="precomputed", C=10)
    scores = cross_val_score(machine, GramStack(K[1]), y, cv=3, error_score="raise")
    assert scores.tolist() == cross_val_score(machine, K[1], y, cv=3, error_score="raise").tolist()
    with pytest.raises(IndexError, match="split by rows"):
        GramStack(K)[np.arange(3), np.arange(3)]


def test_the_whole_stack_is_not_copied(kernels):
    for matrix, plane in zip(GramStack(kernels[0]).matrices(), kernels[0], strict=True):
        assert np.shares_memory(matrix, plane)


def test_folds_are_those_of_matrices_cut_by_hand(kernels):
    K, y = kernels
    train, test = train_test_split(np.arange(len(y)), random_state=0, stratify=y)
    stack = GramStack(K)
    model = MKLClassifier(C=10).fit(stack[train], y[train])
    by_hand = MKLClassifier(C=10).fit(GramStack(K[:, train][:, :, train]), y[train])
    # The parts of a stack are read in other blocks than a matrix, whose sums round otherwise.
    assert np.allclose(model.weights_["weight"], by_hand.weights_["weight"], rtol=1e-9, atol=1e-12)
    decision = model.decision_function(stack[test])
    assert np.allclose(decision, by_hand.decision_function(GramStack(K[:, test][:, :, train])), rtol=1e-9, atol=1e-9)
    assert model.verify(stack[train], y[train])


def test_parts_are_read_where_they_lie(kernels):
    K, y = kernels
    stack = GramStack(K)[50:150]
    for part, plane in zip(stack._parts(stack.rows), K, strict=True):
        assert np.shares_memory(part.values, plane)
        assert np.array_equal(part.values[part.places()], plane[50:150, 50:150])
    single = GramStack(K.astype(np.float32))[50:150]
    model = MKLClassifier(tol=1e-4).fit(single, y[50:150])
    assert np.allclose(model.objective_, MKLClassifier(tol=1e-4).fit(stack, y[50:150]).objective_, rtol=1e-3)


def test_parts_of_a_file_lie_in_its_map(kernels, tmp_path):
    file = tmp_path / "bank.npy"
    np.save(file, kernels[0])
    odd = pickle.loads(pickle.dumps(GramStack(file)[::2]))  # as a worker gets it
    for part in (odd, odd[[3, 1]], odd[np.arange(100) % 5 > 0]):
        for m, piece in enumerate(part._parts(part.rows)):
            assert isinstance(piece.values, np.memmap) and piece.values.filename == str(file)
            assert np.shares_memory(piece.values, odd._matrices[m])
            assert np.array_equal(piece.values[piece.places()], kernels[0][m][np.ix_(part.rows, part.rows)])


def test_a_part_that_is_not_finite_is_named(kernels):
    K = kernels[0].copy()
    K[1, 60, 70] = K[1, 70, 60] = np.nan
    y = kernels[1]
    with pytest.raises(DataError, match=r"matrix 'gram\[1\]': row 11, column 21: nan is not a finite number"):
        MKLClassifier().fit(GramStack(K)[50:150], y[50:150])
    assert MKLClassifier().fit(GramStack(K)[100:], y[100:]).dual_gap_ >= 0
    with pytest.raises(DataError, match=r"matrix 'gram\[1\]': precomputed needs finite values"):
        MKLClassifier().fit(GramStack(K), y)


def test_refusals_have_the_numbers_of_the_matrix_given():
    rng = np.random.default_rng(0)
    F = rng.integers(0, 5, size=(24, 5)).astype(float)
    F[::2, 0] += 2
    y = np.arange(24) % 2
    K = F @ F.T
    K[3, 3] -= 60
    smallest = np.linalg.eigvalsh(K)[0]
    for normalization in ("auto", "trace", "cosine" if (K.diagonal() > 0).all() else "none"):
        model = MKLClassifier(normalization=normalization)
        with pytest.raises(ValueError, match="smallest eigenvalue is") as refusal:
            model.fit(GramStack(K), y)
        told = float(re.search(r"eigenvalue is (-[\d.e-]+)", str(refusal.value))[1])
        assert told == pytest.approx(smallest, rel=1e-5)
        model.fit(GramStack(K - 1.01 * told * np.eye(24)), y)
    A = F @ F.T + np.eye(24)
    A[2, 9] += 1e-3
    with pytest.raises(ValueError, match="is not symmetric") as refusal:
        MKLClassifier().fit(GramStack(A), y)
    assert str(A[2, 9]) in str(refusal.value) and str(A[9, 2]) in str(refusal.value)


def test_distances_are_told_from_kernels():
    D = np.abs(np.subtract.outer(np.arange(20.0), np.arange(20.0)))
    with pytest.raises(ValueError, match='kind="distance"'):
        MKLClassifier().fit(GramStack(D), np.arange(20) % 2)
    MKLClassifier("rbf(width=median)").fit(GramStack(D, kind="distance"), np.arange(20) % 2)
    with pytest.raises(ValueError, match='kind="gram"'):
        MKLClassifier("rbf(width=median)").fit(GramStack(np.exp(-D), kind="distance"), np.arange(20) % 2)


def test_places_outside_a_matrix_are_refused():
    data = _core.Data()
    with pytest.raises(ParameterError, match="matrix 'K' has 3 columns, there is no place 3"):
        data.add_matrix("K", "gram", np.eye(3), np.arange(3), np.array([0, 3]))
    with pytest.raises(ParameterError, match="matrix 'K' has 3 rows, there is no place -1"):
        data.add_matrix("K", "gram", np.eye(3), np.array([-1]))
    data.add_matrix("K", "gram", np.eye(3), np.arange(6)[::2][:2])
    assert data.samples == 2 and data.addresses == {"": data.addresses[""]}


PEAK = """
import sys
import numpy as np
from kernmix import GramStack, MKLClassifier

def own():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/smaps_rollup") if line.startswith("Anonymous"))

file, copies = sys.argv[1], []
y = np.where(np.arange(900) % 3, 1, -1)
rows = np.arange(0, 900, 2)
MKLClassifier(tol=0.5, max_iter=1, time_limit=60).fit(np.eye(9), np.arange(9) % 2)  # what is made once
stack = GramStack(file)[rows]
before = own()
MKLClassifier(tol=0.5, callback=lambda *a: copies.append(own() - before)).fit(stack, y[rows])
print(max(copies), 20 * 8 * 450 * 450)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="needs /proc")
def test_a_part_of_a_mapped_stack_is_not_copied(tmp_path):
    X = np.random.default_rng(0).standard_normal((20, 900))
    np.save(tmp_path / "k.npy", np.exp(-10 * (X[:, :, None] - X[:, None]) ** 2) + np.eye(900))
    command = [sys.executable, "-c", PEAK, str(tmp_path / "k.npy")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    own, part = map(int, done.stdout.split())
    print(f"{own >> 20} MiB of its own beside a part of {part >> 20} MiB")
    assert own < 0.6 * part  # kernels in single precision, a quarter of it, and what solves


def test_cross_validation_and_searches_work(kernels):
    K, y = kernels
    stack = GramStack(K)
    scores = cross_val_score(MKLClassifier(C=10), stack, y, cv=3)
    assert scores.min() > 0.85
    search = GridSearchCV(MKLClassifier(), {"C": [0.1, 10]}, cv=3, n_jobs=2).fit(stack, y)
    assert search.best_score_ > 0.85
    assert search.predict(stack[:5]).shape == (5,)


def test_one_matrix_as_scikit_learn_gives_it(kernels):
    K, y = kernels
    model = MKLClassifier("precomputed", C=10).fit(K[0], y)
    stacked = MKLClassifier(C=10).fit(GramStack(K[0]), y)
    assert np.array_equal(model.decision_function(K[0]), stacked.decision_function(GramStack(K[0])))
    assert cross_val_score(MKLClassifier("precomputed", C=10), K[0], y, cv=3).min() > 0.85


def test_samples_of_weight_zero_are_left_out(kernels):
    K, y = kernels
    weights = np.tile([1.0, 0.0], 100)
    model = MKLClassifier().fit(GramStack(K), y, weights)
    kept = np.flatnonzero(weights)
    without = MKLClassifier().fit(GramStack(K)[kept], y[kept])
    assert np.array_equal(model.decision_function(GramStack(K)), without.decision_function(GramStack(K)))
    assert set(model.support_) <= set(kept)


def test_a_mapped_stack_stays_in_its_file(kernels, tmp_path):
    K, y = kernels
    np.save(tmp_path / "bank.npy", K)
    stack = GramStack(tmp_path / "bank.npy")
    assert stack.names == ["bank[0]", "bank[1]", "bank[2]"]
    data = pickle.dumps(stack[10:60])
    assert len(data) < 5000
    again = pickle.loads(data)
    assert again.shape == (50, 200)
    assert np.array_equal(again.matrices()[1], K[1, 10:60])
    assert len(pickle.dumps(pickle.loads(data))) < 5000
    in_memory = MKLClassifier().fit(GramStack(K, names="bank"), y)
    mapped = MKLClassifier().fit(stack, y)
    # What is read from a file is summed in other blocks than what lies in memory.
    assert np.allclose(mapped.weights_["weight"], in_memory.weights_["weight"], rtol=1e-9, atol=0)


def test_a_fortran_file_stays_too(kernels, tmp_path):
    np.save(tmp_path / "bank.npy", np.asfortranarray(kernels[0]))
    stack = pickle.loads(pickle.dumps(GramStack(tmp_path / "bank.npy")))
    assert np.array_equal(stack.matrices()[2], kernels[0][2])


def test_distances_take_kernels_of_distances(kernels):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = scale(X[:100]), y[:100]
    distances = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    given = MKLClassifier("rbf(width=median)").fit(GramStack(distances, kind="distance"), y)
    columns = MKLClassifier("rbf(width=median)", scaling="none").fit(X, y)
    assert np.allclose(given.objective_, columns.objective_, rtol=1e-3)


def test_an_estimator_without_data_is_small(kernels):
    assert len(pickle.dumps(MKLClassifier(views={"a": [0]}, kernels=["rbf"]))) < 10_000


@pytest.mark.parametrize(
    ("given", "options", "sentence"),
    [
        (np.zeros(3), {}, "must have the shape"),
        (np.zeros((0, 3, 3)), {}, "must have the shape"),
        ([np.eye(3), np.eye(4)], {}, "matrix 1 has the shape"),
        (np.full((2, 2), "a"), {}, "holds no real numbers"),
        (np.eye(3), {"kind": "kernel"}, "kind must be"),
        (np.eye(3)[None].repeat(2, 0), {"names": ["a"]}, "1 names for 2 matrices"),
        (np.eye(3)[None].repeat(2, 0), {"names": ["a", "a"]}, "names must differ"),
    ],
)
def test_what_is_no_stack_is_refused(given, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        GramStack(given, **options)


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "text.npy").write_text("no numbers")
    with pytest.raises(ValueError, match="is no .npy file"):
        GramStack(tmp_path / "text.npy")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda K: K.__setitem__((1, 3, 5), 7.0), r"gram\[1\].*symmetric"),
        (lambda K: K.__setitem__((2, 3, 3), np.nan), "finite values, but row 4, column 4 is nan"),
        (lambda K: K.__setitem__((0, 3, 3), -50.0), r"gram\[0\].*positive semidefinite"),
    ],
)
def test_a_matrix_that_is_no_kernel_is_named(kernels, change, sentence):
    K = kernels[0].copy()
    change(K)
    with pytest.raises(ValueError, match=sentence):
        MKLClassifier().fit(GramStack(K), kernels[1])


def test_what_does_not_go_with_a_stack_is_refused(kernels):
    K, y = kernels
    with pytest.raises(ValueError, match="give a stack of Gram matrices as kernmix.GramStack"):
        MKLClassifier().fit(K, y)
    with pytest.raises(ValueError, match="views is for tables"):
        MKLClassifier(views={"a": [0]}).fit(GramStack(K), y)
    with pytest.raises(ValueError, match="reads columns, and a GramStack has none"):
        MKLClassifier(linear_kernel).fit(GramStack(K), y)
    with pytest.raises(ValueError, match="matrices between the same samples"):
        MKLClassifier().fit(GramStack(K[:, :, :100]), y)
    model = MKLClassifier().fit(GramStack(K), y)
    with pytest.raises(ValueError, match="trained on a GramStack"):
        model.predict(np.zeros((2, 200)))
    with pytest.raises(ValueError, match="are 200 x 100 and need 200 columns, one for each sample"):
        model.predict(GramStack(K[:, :, :100]))


def test_workers_share_the_file(kernels, tmp_path):
    np.save(tmp_path / "bank.npy", kernels[0])
    stack = GramStack(os.fspath(tmp_path / "bank.npy"))
    alone = cross_val_score(MKLClassifier(), stack, kernels[1], cv=3)
    assert np.array_equal(alone, cross_val_score(MKLClassifier(), stack, kernels[1], cv=3, n_jobs=2))


SHRINKS = """
import os, sys, threading, time
import numpy as np
from kernmix import GramStack, MKLClassifier

file, dtype, order = sys.argv[1:]
X = np.random.default_rng(0).standard_normal((300, 5))
K = np.asarray(np.stack([X @ X.T + 1, (X @ X.T + 1) ** 2]), dtype, order)
y = np.where(X[:, 0] > 0, "a", "b")
refused = fitted = 0
for trial in range(12):
    np.save(file, K)
    stack = GramStack(file)
    seconds = trial * 0.002
    thread = threading.Thread(target=lambda: (time.sleep(seconds), os.truncate(file, 4096)))
    if trial == 0:
        os.truncate(file, 4096)
    thread.start()
    try:
        for _ in range(3):
            MKLClassifier(tol=0.1).fit(stack, y)
            fitted += 1
    except ValueError as error:
        assert file in str(error), error
        refused += 1
    thread.join()
assert refused > 0
"""


@pytest.mark.parametrize(("dtype", "order"), [("float64", "C"), ("float64", "F"), ("float32", "C")])
def test_a_file_that_becomes_shorter_is_an_error_and_no_crash(tmp_path, dtype, order):
    command = [sys.executable, "-c", SHRINKS, str(tmp_path / "k.npy"), dtype, order]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_file_that_was_replaced_is_refused(kernels, tmp_path, order):
    K, y = kernels
    file = tmp_path / "bank.npy"
    np.save(file, np.asarray(K, order=order))
    stack = GramStack(file)
    state = pickle.dumps(stack)
    again = pickle.loads(state)
    np.save(tmp_path / "new.npy", np.asarray(K * 2, order=order))
    os.replace(tmp_path / "new.npy", file)
    for use in (lambda: pickle.loads(state), stack.matrices, again.matrices, lambda: MKLClassifier().fit(stack, y)):
        with pytest.raises(ValueError, match="has changed since a GramStack was mapped"):
            use()
    file.unlink()
    with pytest.raises(ValueError, match="cannot be read"):
        pickle.loads(state)


def test_a_stack_of_an_earlier_version_is_unpickled(kernels, tmp_path):
    np.save(tmp_path / "bank.npy", kernels[0])
    stack = GramStack(tmp_path / "bank.npy")
    state = stack.__getstate__()
    del state["_files"]
    old = GramStack.__new__(GramStack)
    old.__setstate__(state)
    assert np.array_equal(old.matrices()[1], kernels[0][1])


def test_changes_that_a_mapping_keeps_to_itself_count(kernels, tmp_path):
    K, y = kernels
    np.save(tmp_path / "bank.npy", K)
    own = np.load(tmp_path / "bank.npy", mmap_mode="c")
    own += np.eye(len(y))
    of_own, in_memory = (MKLClassifier().fit(GramStack(k, names="k"), y) for k in (own, K + np.eye(len(y))))
    assert np.array_equal(of_own.weights_["weight"], in_memory.weights_["weight"])


def unaligned(values):
    """The same numbers one byte off."""
    space = np.zeros(values.nbytes + 1, np.uint8)
    moved = space[1:].view(values.dtype).reshape(values.shape)
    moved[...] = values
    assert not moved.flags.aligned
    return moved


def test_unaligned_arrays_are_copied(kernels):
    K, y = kernels
    X = np.random.default_rng(0).standard_normal((len(y), 4))
    model = MKLClassifier().fit(X, y, np.ones(len(y)))
    same = MKLClassifier().fit(unaligned(X), y, unaligned(np.ones(len(y))))
    assert np.array_equal(model.decision_function(X), same.decision_function(unaligned(X)))
    numbers = MKLRegressor().fit(X, X[:, 0])
    assert np.array_equal(MKLRegressor().fit(unaligned(X), unaligned(X[:, 0].copy())).predict(X), numbers.predict(X))
    stack = MKLClassifier().fit(GramStack(K), y)
    moved = MKLClassifier().fit(GramStack(unaligned(K)), y)
    assert np.array_equal(stack.weights_["weight"], moved.weights_["weight"])
    own = MKLClassifier(lambda A, B: unaligned(A @ B.T)).fit(X, y)
    assert np.array_equal(own.decision_function(X), MKLClassifier(lambda A, B: A @ B.T).fit(X, y).decision_function(X))
    assert np.array_equal(kernmix.kernels.linear()(unaligned(X)), kernmix.kernels.linear()(X))


@pytest.mark.parametrize("values", [1j, np.complex64(1), 1 + 0j])
def test_complex_values_of_a_kernel_are_refused(kernels, values):
    X, y = kernels[0][0][:, :3], kernels[1]
    with pytest.raises(ValueError, match="'wave' gave complex numbers"):
        MKLClassifier(kernmix.kernels.function(lambda A, B: (A @ B.T) * values, name="wave")).fit(X, y)
    with pytest.raises(ValueError, match="holds no real numbers but complex"):
        GramStack(kernels[0] * values)


SPARSE = """
import resource
import numpy as np
import scipy.sparse
from kernmix import MKLClassifier, ResourceError

def table(columns, entries):
    rows, places = np.arange(entries) % 60, np.arange(entries) * (columns // entries)
    return scipy.sparse.csr_matrix((np.ones(entries), (rows, places)), (60, columns))

y = ["a", "b"] * 30
MKLClassifier("linear").fit(table(300, 300), y).predict(table(300, 300))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""

TRAINS = """
wide = MKLClassifier("linear", memory="50M", views={views}).fit(table(30_000_000, 300), y)
narrow = MKLClassifier("linear", memory="50M").fit(table(300, 300), y)
assert wide.n_features_in_ == 30_000_000
assert np.array_equal(
    wide.decision_function(table(30_000_000, 300)), narrow.decision_function(table(300, 300))
)
wide.predict(scipy.sparse.csr_matrix(([1.0], ([0], [77])), (1, 30_000_000)))  # a column that training has not
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""

REFUSES = """
try:
    MKLClassifier("linear", memory="10M").fit(table(30_000_000, 300_000), y)
except ResourceError as error:
    assert "60 x 300000" in str(error), error
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("script", [TRAINS.format(views=None), REFUSES])
def test_a_wide_sparse_table_takes_memory_for_the_columns_that_hold_an_entry(script):
    done = subprocess.run(
        [sys.executable, "-c", SPARSE + script], check=True, capture_output=True, text=True, timeout=120
    )
    assert int(done.stdout) < 40_000  # KiB


def test_a_view_of_a_wide_sparse_table_has_its_columns_that_hold_an_entry():
    X = scipy.sparse.csr_matrix((np.ones(60), (np.arange(60), np.arange(60) * 2000)), (60, 200_000))
    y = ["a", "b"] * 30
    by_views = MKLClassifier("linear", views={"low": slice(0, 60_000), "high": slice(60_000, 200_000)}).fit(X, y)
    dense = MKLClassifier("linear", views={"low": slice(0, 30), "high": slice(30, 60)}).fit(np.eye(60), y)
    assert np.array_equal(by_views.decision_function(X), dense.decision_function(np.eye(60)))
    with pytest.raises(ValueError, match="view 'none': X has no entry other than zero"):
        MKLClassifier("linear", views={"none": [7, 9]}).fit(X, y)
