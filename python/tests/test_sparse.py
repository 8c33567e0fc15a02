"""Sparse tables give the models and predictions of the same numbers in a dense table."""

from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone

from kernmix import MKLClassifier, MKLRegressor, ResourceError, _core

ROWS, COLUMNS = 160, 1200  # large enough for a table to be stored as sparse
KERNELS = {
    "linear": ["linear"],
    "gaussian": ["rbf(width=median)", "linear"],
    "poly": ["poly(degree=2)"],
    "minmax": ["minmax"],
    "cosine": ["cosine"],
}


def table(seed: int, rows: int = ROWS) -> scipy.sparse.csr_matrix:
    draw = np.random.default_rng(seed)
    return scipy.sparse.random(rows, COLUMNS, 0.03, "csr", random_state=draw, data_rvs=lambda n: draw.integers(1, 9, n))


def target(X: scipy.sparse.csr_matrix) -> np.ndarray:
    return np.asarray(X[:, :200].sum(axis=1) - X[:, 200:400].sum(axis=1)).ravel()


@pytest.mark.parametrize("kernels", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("scale", ["auto", "none", "standard", "minmax", "common", "sqrt", "sqrt+standard"])
def test_a_sparse_table_has_the_model_of_a_dense_one(scale: str, kernels: list[str]) -> None:
    X, new = table(1), table(2, rows=30)
    y = target(X) > 0
    assert _core.is_better_sparse(X.nnz, *X.shape)
    fitted = MKLClassifier(kernels, C=1.0, scaling=scale, tol=1e-9).fit(X, y)
    dense = clone(fitted).fit(X.toarray(), y)
    assert scipy.sparse.issparse(fitted._model.support_values)
    assert fitted._model.training_hash == dense._model.training_hash
    expected = dense.decision_function(new.toarray())
    for values in (new, new.toarray(), new.tocsc(), scipy.sparse.csr_array(new)):
        np.testing.assert_allclose(fitted.decision_function(values), expected, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(dense.decision_function(values), expected, rtol=1e-9, atol=1e-9)


def test_verification_and_model_files_know_sparse_tables(tmp_path) -> None:
    X = table(3)
    y = target(X)
    fitted = MKLRegressor("linear", C=1.0).fit(X, y)
    assert fitted.verify(X, y).agrees
    assert fitted.verify(X.toarray(), y).agrees
    fitted.save(tmp_path / "m.kmx")
    again = type(fitted).load(tmp_path / "m.kmx")
    np.testing.assert_allclose(again.predict(table(4)), fitted.predict(table(4)), rtol=1e-12)


def test_numbers_that_are_not_finite_are_refused_and_filled_as_in_a_dense_table() -> None:
    X = table(5)
    y = target(X) > 0
    X.data[7] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        MKLClassifier("linear").fit(X, y)
    filled = MKLClassifier("linear", missing="mean").fit(X, y)
    dense = MKLClassifier("linear", missing="mean").fit(X.toarray(), y)
    new = table(6)
    np.testing.assert_array_equal(filled.decision_function(new), dense.decision_function(new))


def test_duplicates_and_unsorted_indices_are_summed_and_sorted() -> None:
    X = table(8).tocoo()
    y = target(X.tocsr()) > 0
    rows, columns, values = np.tile(X.row, 2)[::-1], np.tile(X.col, 2)[::-1], np.tile(X.data / 2.0, 2)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=ROWS))])
    order = np.argsort(rows, kind="stable")
    untidy = scipy.sparse.csr_matrix((values[::-1][order], columns[order], starts), shape=X.shape)
    tidy = MKLClassifier("linear").fit(untidy, y)
    np.testing.assert_array_equal(
        tidy.decision_function(untidy), MKLClassifier("linear").fit(X.tocsr(), y).decision_function(X.tocsr())
    )
    assert not untidy.has_canonical_format  # the matrix of the caller is unchanged


def test_memory_counts_entries() -> None:
    X = scipy.sparse.vstack([table(seed) for seed in range(9, 13)], format="csr")  # beside which names are small
    y = target(X) > 0
    dense_size = 8 * X.shape[0] * COLUMNS
    with pytest.raises(ResourceError):
        MKLClassifier("linear", memory=dense_size * 3 // 4).fit(X.toarray() + 1.0, y)
    MKLClassifier("linear", memory=dense_size * 3 // 4).fit(X, y)


@pytest.mark.skipif("KERNMIX" not in os.environ, reason="the environment variable KERNMIX does not name the tool")
@pytest.mark.parametrize("form", ["libsvm", "npz", "h5ad", "arff"])
def test_the_tool_reads_each_sparse_file_as_a_sparse_table(tmp_path, form: str) -> None:
    X = table(10)
    y = target(X) > 0
    data, label = tmp_path / f"data.{form}", tmp_path / "labels.csv"
    label.write_text("y\n" + "".join(f"{value}\n" for value in y))
    files = [str(data), str(label)]
    if form == "libsvm":
        rows = (" ".join(f"{j + 1}:{v:g}" for j, v in zip(X[i].indices, X[i].data, strict=True)) for i in range(ROWS))
        lines = [f"{row}\n" for row in rows]
        lines[-1] = lines[-1].rstrip() + f" {COLUMNS}:0\n" if COLUMNS - 1 not in X[-1].indices else lines[-1]
        data.write_text("".join(lines))
    elif form == "npz":
        scipy.sparse.save_npz(data, X)
    elif form == "arff":
        header = "@relation r\n" + "".join(f"@attribute {j + 1} numeric\n" for j in range(COLUMNS)) + "@data\n"
        entries = (", ".join(f"{j} {v:g}" for j, v in zip(X[i].indices, X[i].data, strict=True)) for i in range(ROWS))
        data.write_text(header + "".join(f"{{{row}}}\n" for row in entries))
    else:
        anndata = pytest.importorskip("anndata")
        adata = anndata.AnnData(X.astype(np.float64))
        adata.obs["y"] = [str(value) for value in y]
        adata.write_h5ad(data)
        files = [str(data)]
    model = tmp_path / "m.kmx"
    command = [os.environ["KERNMIX"], "train", *files, "--label", "y", "--kernel", "linear", "-C", "1", "-q"]
    done = subprocess.run([*command, "-o", str(model)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    tool = _core.Model.load(str(model))
    assert scipy.sparse.issparse(tool.support_values), form
    fitted = MKLClassifier("linear", C=1.0).fit(X, y)
    np.testing.assert_allclose(tool.support_values.sum(), fitted._model.support_values.sum())
