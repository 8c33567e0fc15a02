"""The command line tool reads the files that NumPy, SciPy, h5py, anndata and mudata write.

KERNMIX names the tool, as for the tests against independent solvers.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse
import toy

from kernmix import MKLClassifier
from kernmix.adapters import from_anndata

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

N = 40
X = toy.points(N, 5, seed=3)
Y = toy.two_classes(X)
STACK = np.array([X @ X.T, (1 + X @ X.T) ** 2])


def run(folder, *arguments, stdin=None):
    command = [KERNMIX, *arguments]
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, check=False)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def weights(folder, *data):
    done = run(folder, "train", *data, "-o", "m.kmx", "--threads", "1", "--json", "r.json", "-q")
    assert done.returncode == 0, done.stderr
    return [kernel["weight"] for kernel in json.loads((folder / "r.json").read_text())["weights"]]


def refusal(folder, *data):
    done = run(folder, "train", *data, "--label", "y", "-o", "m.kmx", "-q")
    assert done.returncode == 3, done.stderr
    return done.stderr


@pytest.fixture
def table(tmp_path):
    """The weights of the table as CSV."""
    frame = pd.DataFrame(X, columns=[str(j + 1) for j in range(5)])
    frame["y"] = Y
    frame.to_csv(tmp_path / "t.csv", index=False)
    return weights(tmp_path, "t.csv", "--label", "y")


@pytest.fixture
def stack(tmp_path):
    """The weights of the stack as NPY, in the order that is loaded into memory as these files are."""
    np.save(tmp_path / "k.npy", np.asfortranarray(STACK))
    pd.DataFrame({"y": Y}).to_csv(tmp_path / "y.csv", index=False)
    return weights(tmp_path, "y.csv", "--label", "y", "--gram", "k.npy")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz(tmp_path, table, stack, save):
    save(tmp_path / "a.npz", X=X, y=np.asarray(Y, dtype=str), K=STACK, K3=np.moveaxis(STACK, 0, 2))
    assert weights(tmp_path, "a.npz", "--label", "y") == table
    for name in ["K", "K3"]:
        assert weights(tmp_path, "a.npz:y", "--label", "y", "--gram", f"a.npz:{name}") == stack
    save(tmp_path / "k.npz", *STACK)
    assert weights(tmp_path, "y.csv", "--label", "y", "--gram", "k.npz") == stack


def test_stacks_in_other_layouts(tmp_path, stack):
    """n x n x M is read from files of arrays, with a note; of a file that is read in blocks the remedy is said."""
    turned = np.moveaxis(STACK, 0, -1)
    y = ["y.csv", "--label", "y"]
    scipy.io.savemat(tmp_path / "k.mat", {"KH": turned})
    np.savez(tmp_path / "k.npz", KH=turned)
    for name in ("k.mat", "k.npz"):
        done = run(tmp_path, "train", *y, "--gram", f"{name}:KH", "-o", "m.kmx", "-v")
        assert "the shape (40, 40, 2) is read as 2 matrices over the last dimension" in done.stderr
        assert weights(tmp_path, *y, "--gram", f"{name}:KH") == stack
    np.save(tmp_path / "turned.npy", turned)
    statement = re.search(r"numpy\.(moveaxis\(K, -1, 0\))", refusal(tmp_path, *y[:1], "--gram", "turned.npy"))
    assert statement
    np.save(tmp_path / "right.npy", eval(f"np.{statement[1]}", {"np": np, "K": turned}))
    assert weights(tmp_path, *y, "--gram", "right.npy") == pytest.approx(stack, rel=1e-9)  # it is read in blocks
    np.save(tmp_path / "part.npy", STACK[:, :, :30])
    assert "must be 40 x 40 for training, got 40 x 30" in refusal(tmp_path, *y[:1], "--gram", "part.npy")
    run(tmp_path, "train", *y, "--gram", "K=k.npy", "-o", "m.kmx")
    np.save(tmp_path / "new.npy", STACK[:, :7])
    predicted = run(tmp_path, "predict", "m.kmx", "--gram", "K=new.npy").stdout
    np.savez(tmp_path / "new.npz", K=np.moveaxis(STACK[:, :7], 0, -1))
    assert run(tmp_path, "predict", "m.kmx", "--gram", "K=new.npz:K").stdout == predicted
    assert predicted.count("\n") == 8


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_npz(tmp_path, form):
    zeros = np.where(X > 0, X, 0.0)
    scipy.sparse.save_npz(tmp_path / "s.npz", scipy.sparse.csr_matrix(zeros).asformat(form))
    np.save(tmp_path / "s.npy", zeros)
    pd.DataFrame({"y": Y}).to_csv(tmp_path / "y.csv", index=False)
    sparse, dense = ([name, "y.csv", "--label", "y"] for name in ("s.npz", "s.npy"))
    assert weights(tmp_path, *sparse) == weights(tmp_path, *dense)


@pytest.mark.parametrize("compressed", [False, True])
def test_matlab_5(tmp_path, table, stack, compressed):
    arrays = {"KH": np.moveaxis(STACK, 0, 2), "X": X, "y": np.asarray(Y, dtype=str), "c": np.array(["a", 1], object)}
    scipy.io.savemat(tmp_path / "a.mat", arrays, do_compression=compressed)
    assert weights(tmp_path, "a.mat", "--label", "y") == table
    assert weights(tmp_path, "a.mat:y", "--label", "y", "--gram", "a.mat:KH") == stack
    assert "a.mat:c: is a cell array" in refusal(tmp_path, "a.mat:c")


@pytest.fixture
def h5py():
    return pytest.importorskip("h5py")


def has_hdf5(folder):
    (folder / "none.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    return "built without HDF5" not in run(folder, "inspect", "none.h5").stderr


@pytest.mark.parametrize("options", [{}, {"chunks": (7, 2), "compression": "gzip", "shuffle": True}])
def test_hdf5(tmp_path, table, stack, h5py, options):
    if not has_hdf5(tmp_path):
        pytest.skip("the tool was built without HDF5")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("data/X", data=X, **options)
        file["y"] = [str(y) for y in Y]
        file["kernels/K"] = np.moveaxis(STACK, 0, 2)
        file["other"] = X
        file["link"] = h5py.ExternalLink("b.h5", "/X")
        file.create_dataset("lzf", data=X, compression="lzf")
        file["complex"] = X.astype(complex)
    assert weights(tmp_path, "a.h5:/data/X", "--label", "y") == table
    assert weights(tmp_path, "a.h5:/y", "--label", "y", "--gram", "a.h5:/kernels/K") == stack
    assert "/data/X (40, 5) of float64" in refusal(tmp_path, "a.h5")
    assert "is a link to another file" in refusal(tmp_path, "a.h5:link")
    assert "plug-ins are not loaded" in refusal(tmp_path, "a.h5:lzf")
    assert "compound" in refusal(tmp_path, "a.h5:complex")
    listed = run(tmp_path, "inspect", "a.h5").stdout
    assert "/kernels/K" in listed and "(40, 40, 2)" in listed


def test_the_hdf5_library_is_loaded_for_hdf5_files_only(tmp_path, monkeypatch, table):
    tool = pathlib.Path(KERNMIX).read_bytes()
    soname = re.search(rb"libhdf5[\w-]*\.so[.\d]*", tool)
    if not soname or b"which cannot be loaded" not in tool:
        pytest.skip("the tool does not load the HDF5 library: it was linked with it, or built without HDF5")
    (tmp_path / soname[0].decode()).write_bytes(b"")  # cannot be loaded
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    assert weights(tmp_path, "t.csv", "--label", "y") == table
    (tmp_path / "none.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    message = refusal(tmp_path, "none.h5")
    assert f"none.h5: is an HDF5 file, and reading it needs {soname[0].decode()}" in message
    assert len(message.splitlines()) == 1


def annotated(anndata, matrix):
    adata = anndata.AnnData(
        matrix,
        obs=pd.DataFrame(
            {"type": pd.Categorical(np.asarray(Y, dtype=str)), "donor": [f"d{i % 8}" for i in range(N)]},
            index=[f"cell{i}" for i in range(N)],
        ),
        var=pd.DataFrame(index=[f"g{j}" for j in range(5)]),
    )
    adata.layers["log"] = np.log1p(np.abs(X))
    adata.obsm["X_pca"] = X[:, :2].copy()
    adata.raw = adata
    return adata


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix])
def test_anndata_has_the_weights_of_python(tmp_path, form):
    anndata = pytest.importorskip("anndata")
    if not has_hdf5(tmp_path):
        pytest.skip("the tool was built without HDF5")
    adata = annotated(anndata, form(np.where(X > 0, X, 0.0)))
    adata.write_h5ad(tmp_path / "a.h5ad")
    data = ["a.h5ad", "a.h5ad:/layers/log", "a.h5ad:/obsm/X_pca", "a.h5ad:/raw"]
    table = from_anndata(adata, layers=[None, "log"], obsm=["X_pca"])
    raw = from_anndata(adata, layers=["raw"])
    views = table.views | raw.views
    model = MKLClassifier(views=views, n_jobs=1).fit(table.X.join(raw.X), adata.obs["type"])
    assert weights(tmp_path, *data, "--label", "type") == list(model.weights_["weight"])
    done = run(tmp_path, "cv", "a.h5ad", "--label", "type", "--groups", "donor", "--folds", "4", "-q")
    assert done.returncode == 0, done.stderr
    assert "the file holds X, layers/log" in refusal(tmp_path, "a.h5ad:/layers/none")


def test_a_label_that_obs_lacks_names_the_columns_of_obs(tmp_path):
    anndata = pytest.importorskip("anndata")
    obs = pd.DataFrame(
        {"kind": pd.Categorical(Y), "batch": [str(i % 2) for i in range(N)]}, index=[f"c{i}" for i in range(N)]
    )
    anndata.AnnData(X, obs=obs).write_h5ad(tmp_path / "a.h5ad")
    assert "there is no label column 'y'; it may be one of kind, batch" in refusal(tmp_path, "a.h5ad")


def test_files_without_encoding_are_refused(tmp_path, h5py):
    if not has_hdf5(tmp_path):
        pytest.skip("the tool was built without HDF5")
    with h5py.File(tmp_path / "old.h5ad", "w") as file:
        file["X"] = X
        file["obs"] = np.zeros(N, dtype=[("index", "S4"), ("y", "i4")])
        file["var"] = np.zeros(5, dtype=[("index", "S4")])
    assert "rewrite it with a current anndata" in refusal(tmp_path, "old.h5ad")


def test_modalities_are_joined_by_name(tmp_path):
    mudata = pytest.importorskip("mudata")
    anndata = pytest.importorskip("anndata")
    if not has_hdf5(tmp_path):
        pytest.skip("the tool was built without HDF5")
    rna = annotated(anndata, X.copy())
    order = np.random.default_rng(0).permutation(N)
    atac = anndata.AnnData(
        X[order, :3] ** 2,
        obs=pd.DataFrame(index=rna.obs_names[order]),
        var=pd.DataFrame(index=[f"p{j}" for j in range(3)]),
    )
    mudata.MuData({"rna": rna, "atac": atac}).write_h5mu(tmp_path / "m.h5mu")
    table = np.hstack([X, X[:, :3] ** 2])
    model = MKLClassifier(views={"rna": range(5), "atac": range(5, 8)}, n_jobs=1).fit(table, rna.obs["type"])
    assert weights(tmp_path, "m.h5mu", "--label", "rna:type") == list(model.weights_["weight"])


def test_standard_input_is_a_table(tmp_path, table):
    text = (tmp_path / "t.csv").read_bytes()
    done = run(tmp_path, "train", "-", "--label", "y", "-o", "p.kmx", "-q", "--threads", "1", stdin=text)
    assert done.returncode == 0, done.stderr
    assert run(tmp_path, "train", "t.csv", "--label", "y", "-o", "q.kmx", "-q", "--threads", "1").returncode == 0
    assert (tmp_path / "p.kmx").read_bytes() == (tmp_path / "q.kmx").read_bytes()
    groups = run(tmp_path, "cv", "-", "--label", "y", "--groups", "1", "--folds", "3", "-q", stdin=text)
    assert groups.returncode == 0, groups.stderr  # read twice
    assert run(tmp_path, "train", "-", "-", "--label", "y", "-o", "p.kmx", stdin=text).returncode == 2


def test_cells_of_scanpy_have_the_weights_of_python(tmp_path):
    anndata = pytest.importorskip("anndata")
    found = importlib.util.find_spec("scanpy")
    if found is None or not has_hdf5(tmp_path):
        pytest.skip("scanpy is not installed, or the tool was built without HDF5")
    old = pathlib.Path(found.origin).parent / "datasets" / "10x_pbmc68k_reduced.h5ad"
    assert "rewrite it with a current anndata" in refusal(tmp_path, str(old))
    adata = anndata.read_h5ad(old)
    adata.write_h5ad(tmp_path / "pbmc.h5ad")
    table = from_anndata(adata, obsm=["X_pca"])
    model = MKLClassifier(views=table.views, n_jobs=1).fit(table.X, adata.obs["bulk_labels"])
    data = ["pbmc.h5ad", "pbmc.h5ad:/obsm/X_pca", "--label", "bulk_labels"]
    assert weights(tmp_path, *data) == list(model.weights_["weight"])
