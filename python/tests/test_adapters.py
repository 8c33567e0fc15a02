"""Samples that do not come as one table."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from kernmix import MKLClassifier
from kernmix.adapters import from_anndata, from_mudata, from_views


def test_a_dict_of_views_is_one_table(rng):
    A, B = rng.normal(size=(30, 2)), rng.normal(size=(30, 3))
    table = from_views({"a": pd.DataFrame(A, columns=["p", "q"]), "b": scipy.sparse.csr_array(B)})
    assert np.array_equal(table.X, np.hstack([A, B])) and list(table.X.columns) == table.columns
    assert table.views == {"a": ["a:p", "a:q"], "b": ["b:1", "b:2", "b:3"]}
    assert table.columns == ["a:p", "a:q", "b:1", "b:2", "b:3"]
    y = B[:, 0] > 0
    model = MKLClassifier("linear", views=table.views, C=100).fit(table.X, y)
    assert model.weights_["weight"].argmax() == 1
    frame = table.to_pandas()
    by_name = MKLClassifier("linear", views={"a": "a:*", "b": "b:*"}, C=100).fit(frame, y)
    assert np.array_equal(by_name.weights_["weight"], model.weights_["weight"])


def test_a_list_of_views_is_numbered(rng):
    table = from_views([np.ones((2, 1)), np.ones((2, 2))])
    assert {name: places.tolist() for name, places in table.views.items()} == {"view1": [0], "view2": [1, 2]}
    assert isinstance(table.X, np.ndarray) and table.X.flags.c_contiguous


@pytest.mark.parametrize(
    ("views", "sentence"),
    [
        ({}, "views is empty"),
        ({"a": np.ones(3)}, "view 'a' must have the shape"),
        ({"a": np.ones((3, 1)), "b": np.ones((4, 1))}, "same samples, got a 3, b 4"),
    ],
)
def test_views_that_do_not_fit_are_refused(views, sentence):
    with pytest.raises(ValueError, match=sentence):
        from_views(views)


@pytest.fixture
def adata(rng):
    anndata = pytest.importorskip("anndata")
    counts = scipy.sparse.csr_matrix(rng.poisson(2.0, size=(40, 6)).astype(np.float32))
    adata = anndata.AnnData(
        counts,
        obs=pd.DataFrame({"type": ["T", "B"] * 20}, index=[f"cell{i}" for i in range(40)]),
        var=pd.DataFrame({"set": list("aabbc") + [None]}, index=[f"g{i}" for i in range(6)]),
    )
    adata.layers["log"] = np.log1p(counts.toarray())
    adata.obsm["X_pca"] = rng.normal(size=(40, 3))
    return adata


def test_layers_and_embeddings_are_views(adata):
    table = from_anndata(adata, layers=[None, "log"], obsm=["X_pca"])
    assert list(table.views) == ["X", "log", "X_pca"]
    assert np.array_equal(table.X[table.views["log"]], adata.layers["log"])
    assert table.columns[:2] == ["X:g0", "X:g1"]
    assert MKLClassifier(views=table.views).fit(table.X, adata.obs["type"]).classes_.tolist() == ["B", "T"]


def test_raw_is_a_view(adata):
    adata.raw = adata.copy()
    adata = adata[:, :2].copy()
    table = from_anndata(adata, layers=[None, "raw"])
    assert {name: len(places) for name, places in table.views.items()} == {"X": 2, "raw": 6}
    assert np.array_equal(table.X[table.views["raw"]], adata.raw.X.toarray())
    with pytest.raises(ValueError, match="without groups"):
        from_anndata(adata, layers=["raw"], groups={"one": ["g0"]})


def test_gene_sets_are_views(adata):
    sets = {"one": ["g0", "g5"], "two": ["g1"]}
    table = from_anndata(adata, layers=["log"], groups=sets)
    assert np.array_equal(table.X[table.views["one"]], adata.layers["log"][:, [0, 5]])
    by_column = from_anndata(adata, groups="set")
    assert {name: len(places) for name, places in by_column.views.items()} == {"a": 2, "b": 2, "c": 1}
    assert list(from_anndata(adata, layers=[None, "log"], groups="set").views)[:2] == ["X:a", "X:b"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"layers": ["raw"]}, "layers has no 'raw': there are log"),
        ({"obsm": ["X_umap"]}, "obsm has no 'X_umap'"),
        ({"groups": "pathway"}, "adata.var has no column 'pathway'"),
        (
            {"groups": {"one": ["g9"]}},
            "no name in 1 set is a column of adata.var_names: 'g9' of the set 'one' is no column",
        ),
        ({"layers": []}, "no views"),
    ],
)
def test_what_adata_does_not_have_is_refused(adata, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        from_anndata(adata, **options)


def test_modalities_are_views(adata):
    mudata = pytest.importorskip("mudata")
    mdata = mudata.MuData({"rna": adata.copy(), "atac": adata[:, :2].copy()})
    table = from_mudata(mdata)
    assert {name: len(places) for name, places in table.views.items()} == {"rna": 6, "atac": 2}
    mdata = mudata.MuData({"rna": adata.copy(), "atac": adata[:30].copy()})
    table = from_mudata(mdata)
    lacking = np.isnan(table.X[table.views["atac"]].to_numpy()).all(axis=1)
    assert [name in adata.obs_names[:30] for name in table.samples] == (~lacking).tolist()
    present = table.X[~lacking]
    np.testing.assert_array_equal(present[table.views["atac"]], present[table.views["rna"]])
