"""Samples that have names keep them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

import kernmix
from kernmix import GramStack, KernelBank, MKLClassifier, MKLOneClass, MKLRegressor, MKLSearchCV, significance
from kernmix.adapters import from_mudata, from_views

RNG = np.random.default_rng(0)
IDS = [f"patient{i:02d}" for i in range(40)]
X = RNG.normal(size=(40, 4))
Y = pd.Series(np.where(X[:, 0] + X[:, 2] > 0, "bad", "good"), IDS)
RNA = pd.DataFrame(X[:, :2], IDS, ["g1", "g2"])
METH = pd.DataFrame(X[:, 2:], IDS, ["m1", "m2"])
ORDER = RNG.permutation(40)


def test_views_are_brought_into_the_order_of_the_first():
    table = from_views({"rna": RNA, "meth": METH.iloc[ORDER], "array": X})
    assert np.array_equal(table.X, np.hstack([X, X]))
    assert table.samples == IDS and table.to_pandas().index.tolist() == IDS
    counted = RNA.reset_index(drop=True)
    assert np.array_equal(from_views([counted, counted.iloc[ORDER]]).X, np.hstack([X[:, :2]] * 2))
    by_position = from_views({"rna": RNA, "meth": METH.iloc[ORDER].to_numpy()})
    assert np.array_equal(by_position.X, np.hstack([X[:, :2], X[ORDER, 2:]]))


@pytest.mark.parametrize("other", [METH.rename(index=lambda name: "x" + name), METH.iloc[[0, *range(39)]]])
def test_views_of_other_samples_are_refused(other):
    with pytest.raises(ValueError, match=r"(other samples|occur twice).*\.to_numpy\(\)"):
        from_views({"rna": RNA, "meth": other})


def test_targets_and_weights_of_other_samples_are_refused():
    model = MKLClassifier()
    model.fit(RNA, Y).fit(RNA, Y.to_numpy()).fit(RNA.to_numpy(), Y.iloc[ORDER]).fit(RNA, Y.reset_index(drop=True))
    for change in ({"y": Y.iloc[ORDER]}, {"sample_weight": pd.Series(1.0, IDS).iloc[ORDER]}):
        with pytest.raises(ValueError, match=r"the index of \w+ names the same samples in another order.*X.index"):
            model.fit(RNA, **{"y": Y, **change})
    with pytest.raises(ValueError, match="names other samples than X"):
        model.fit(RNA, Y.rename(index=str.upper))
    with pytest.raises(ValueError, match="the index of y names"):
        model.fit(RNA, Y).verify(RNA, Y.iloc[ORDER])
    assert model.verify(RNA.reset_index(drop=True), Y)
    assert cross_val_score(model, RNA, Y).shape == (5,)


def gram(A, B):
    return pd.DataFrame(A.to_numpy() @ B.to_numpy().T, A.index, B.index)


def test_matrices_are_matched_by_name(tmp_path):
    A, B = gram(RNA, RNA), gram(METH, METH)
    new = np.arange(30, 40)
    old = ORDER[ORDER < 30]
    stack = GramStack([A.iloc[:30, :30], B.iloc[old, old[::-1]]])
    plain = GramStack([A.to_numpy()[:30, :30], B.to_numpy()[:30, :30]])
    assert all(np.array_equal(a, b) for a, b in zip(stack.matrices(), plain.matrices(), strict=True))
    assert stack.row_names == stack.column_names == IDS[:30] and stack[[3, 1]].row_names == [IDS[3], IDS[1]]
    model = MKLClassifier(C=10).fit(stack, Y[:30])
    expected = model.decision_function(GramStack([A.to_numpy()[new][:, :30], B.to_numpy()[new][:, :30]]))
    model.save(tmp_path / "m.kmx")
    for estimator in (model, kernmix.load(tmp_path / "m.kmx")):
        for columns in (np.arange(30), old, ORDER):
            shuffled = GramStack([A.iloc[new, columns], B.iloc[new[::-1], columns[::-1]]])
            assert np.array_equal(estimator.decision_function(shuffled), expected)
        support = set(np.array(IDS)[model.support_])
        lacking = [i for i in range(30) if IDS[i] != min(support)]
        with pytest.raises(ValueError, match=f"no column of the training sample '{min(support)}'"):
            estimator.predict(GramStack([A.iloc[new, lacking], B.iloc[new, lacking]]))
    with pytest.raises(ValueError, match="the index of y names"):
        model.fit(stack, Y[:30][::-1])
    part = MKLClassifier(C=10).fit(stack[::2], Y[:30:2])
    assert np.array_equal(part.predict(stack[1::2]), MKLClassifier(C=10).fit(plain[::2], Y[:30:2]).predict(plain[1::2]))


@pytest.mark.parametrize("seed", range(5))
def test_any_order_and_more_samples_give_the_bits_of_the_plain_order(seed):
    rng = np.random.default_rng(seed)
    first = rng.permutation(40)[:30]
    A, B = gram(RNA, RNA), gram(METH, METH)
    y = Y.iloc[first]
    rows, columns = rng.permutation(40), rng.permutation(40)
    with pytest.warns(UserWarning, match="rows of matrix 1 are not in the first matrix and are left out"):
        stack = GramStack([A.iloc[first, rng.permutation(first)], B.iloc[rows, columns]])
    plain = GramStack([K.to_numpy()[np.ix_(first, first)] for K in (A, B)])
    assert all(np.array_equal(a, b) for a, b in zip(stack.matrices(), plain.matrices(), strict=True))
    model, expected = (MKLClassifier(C=10).fit(given, y) for given in (stack, plain))
    assert np.array_equal(model.dual_coef_, expected.dual_coef_)
    assert model.verify(stack, y)
    scores = [cross_val_score(MKLClassifier(C=10), given, y.to_numpy()) for given in (stack, plain)]
    assert np.array_equal(*scores)


@pytest.mark.parametrize("extra", [0, 1, 5])
def test_columns_of_new_matrices_that_are_not_read_are_counted(extra):
    K = gram(RNA, RNA)
    model = MKLClassifier(C=10).fit(GramStack([K.iloc[:20, :20]]), Y[:20])
    new = K.iloc[30:, : 20 + extra]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = model.decision_function(GramStack([new]))
    texts = [str(one.message) for one in said]
    if extra == 0:
        assert texts == []
    else:
        (text,) = texts
        assert f"{extra} of {20 + extra} columns of the new matrices are neither training samples nor" in text
        assert said[0].filename == __file__
    assert np.array_equal(found, model.decision_function(GramStack([K.iloc[30:, :20]])))
    known = ORDER[(ORDER < 20) | (ORDER >= 30)]  # training samples and new ones
    assert np.array_equal(found, model.decision_function(GramStack([K.iloc[30:, known]])))


def test_a_matrix_of_more_samples_than_y_is_answered_with_its_part():
    K = gram(RNA, RNA)
    with pytest.raises(ValueError, match=r"y lacks 10 samples of X.*K.loc\[y.index, y.index\]"):
        MKLClassifier(kernels="precomputed").fit(K, Y[:30])
    assert MKLClassifier(kernels="precomputed").fit(K.loc[Y[:30].index, Y[:30].index], Y[:30])


@pytest.mark.parametrize(
    ("matrices", "sentence"),
    [
        (
            [gram(RNA, RNA), gram(METH, METH).rename(index=str.upper)],
            "rows of matrix 1 and those of the first are of other",
        ),
        ([gram(RNA, RNA), gram(METH, METH).rename(columns=str.upper)], "columns of matrix 1 and those of the first"),
        ([gram(RNA, RNA).rename(columns=str.upper)], "the rows and the columns of the matrices name different samples"),
    ],
)
def test_matrices_of_other_samples_are_refused(matrices, sentence):
    with pytest.raises(ValueError, match=sentence):
        MKLClassifier().fit(GramStack(matrices), Y)


def test_a_precomputed_frame_is_matched_by_name():
    K = gram(RNA, RNA)
    model = MKLClassifier(kernels="precomputed", C=10).fit(K.iloc[:30, :30], Y[:30])
    shuffled = MKLClassifier(kernels="precomputed", C=10).fit(K.iloc[:30, ORDER[ORDER < 30]], Y[:30])
    new = K.iloc[30:, :30]
    assert np.array_equal(shuffled.decision_function(new), model.decision_function(new))
    assert np.array_equal(model.decision_function(K.iloc[30:, ORDER[ORDER < 30]]), model.decision_function(new))
    assert model.verify(K.iloc[:30, :30], Y[:30])
    bank = KernelBank().fit(GramStack([K.iloc[:30, :30]]))
    assert np.array_equal(bank.transform(GramStack([K.iloc[30:, ORDER]])), bank.transform(GramStack([new])))


def test_modalities_in_another_order_are_matched():
    anndata, mudata = pytest.importorskip("anndata"), pytest.importorskip("mudata")
    mods = {"rna": anndata.AnnData(RNA), "meth": anndata.AnnData(METH.iloc[ORDER])}
    assert np.array_equal(from_mudata(mudata.MuData(mods)).X, X)
    fewer = from_mudata(mudata.MuData({"rna": mods["rna"], "meth": mods["meth"][:30].copy()}))
    lacking = np.isin(np.arange(len(X)), ORDER[30:])
    assert np.array_equal(fewer.X, np.where(lacking[:, None] & (np.arange(X.shape[1]) >= 2), np.nan, X), equal_nan=True)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ([np.eye(6), np.eye(6)], "GramStack.*from_views"),
        ((RNA, METH), "from_views"),
        ({"a": X[:, :1], "b": X[:, 1:]}, "from_views"),
        (np.zeros((2, 6, 6)), r"as kernmix.GramStack\(X\)"),
        (np.zeros((6, 6, 2)), r"GramStack\(numpy.moveaxis\(X, -1, 0\)\)"),
        (np.zeros((2, 6, 3)), r"from_views\(list\(X\)\)"),
        (GramStack(np.ones((6, 6, 3))), r"GramStack\(numpy.moveaxis\(K, -1, 0\)\)"),
        (GramStack(np.ones((3, 6, 9))), "must be square, n x n; got 6 x 9: features"),
        (GramStack(np.ones((3, 9, 6))), "must be square, n x n; got 9 x 6"),
    ],
)
def test_other_shapes_are_answered_with_the_right_one(bad, sentence):
    with pytest.raises(ValueError, match=sentence):
        MKLClassifier().fit(bad, [0, 1] * 3)


def test_rectangles_are_no_kernels_of_training():
    K = X @ X.T
    for part in (K[:30], K[10:], K[:, :30]):
        with pytest.raises(ValueError, match=f"must be square, n x n; got {part.shape[0]} x {part.shape[1]}"):
            MKLClassifier(kernels="precomputed").fit(part, Y[: len(part)].to_numpy())
    model = MKLClassifier().fit(GramStack(K[:30, :30]), Y[:30])
    for new, sentence in ((K[30:, 30:], "are 10 x 10 and need 30 columns"), (K[:30, 30:], "the transpose would fit")):
        with pytest.raises(ValueError, match=sentence):
            model.predict(GramStack(new))


def test_everything_of_samples_is_checked_by_name():
    """Not y and weights of fit alone: groups, scores and searches, too, and an index of shuffled numbers."""
    frame, other = pd.concat([RNA, METH], axis=1), "the index of {} names the same samples in another order"
    groups = pd.Series(np.arange(40) // 2, IDS).iloc[ORDER]
    weights = pd.Series(1.0 + np.arange(40), IDS).iloc[ORDER]
    model = MKLClassifier("linear", calibration="platt").fit(frame, Y)
    regressor = MKLRegressor("linear").fit(frame, pd.Series(X[:, 0], IDS))
    novelty = MKLOneClass("rbf", nu=0.3).fit(frame)
    for name, call in {
        "groups": lambda: MKLClassifier("linear", calibration="platt").fit(frame, Y, groups=groups),
        "groups ": lambda: significance(MKLClassifier("linear"), frame, Y, groups=groups),
        "groups  ": lambda: MKLSearchCV(MKLClassifier("linear"), {"C": [1]}).fit(frame, Y, groups=groups),
        "y": lambda: MKLSearchCV(MKLClassifier("linear"), {"C": [1]}).fit(frame, Y.iloc[ORDER]),
        "y ": lambda: model.score(frame, Y.iloc[ORDER]),
        "y  ": lambda: regressor.score(frame, pd.Series(X[:, 0], IDS).iloc[ORDER]),
        "y   ": lambda: novelty.score(frame, Y.iloc[ORDER]),
        "sample_weight": lambda: model.score(frame, Y, sample_weight=weights),
        "y    ": lambda: MKLClassifier("linear").fit(
            frame.reset_index(drop=True), Y.reset_index(drop=True).iloc[ORDER]
        ),
    }.items():
        with pytest.raises(ValueError, match=other.format(name.strip())):
            call()
    assert model.score(frame, Y) == model.score(frame.to_numpy(), Y.to_numpy())
    part = np.sort(ORDER[:20])  # rows of a split keep their numbers, and their order
    MKLClassifier("linear").fit(frame.reset_index(drop=True), Y.reset_index(drop=True))
    MKLClassifier("linear").fit(frame.iloc[part].reset_index(drop=True), Y.reset_index(drop=True).iloc[part])
    cross_val_score(MKLClassifier("linear"), frame, Y, cv=3)


@pytest.mark.parametrize("seed", range(5))
def test_whole_number_names_of_columns_are_names(seed):
    order = np.random.default_rng(seed).permutation(X.shape[1])
    table = pd.DataFrame(X)
    model = MKLClassifier("linear").fit(table[order], Y.to_numpy())
    expected = model.decision_function(table[order])
    assert np.array_equal(model.decision_function(table), expected)
    assert np.array_equal(model.decision_function(table[order[::-1]]), expected)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_samples_without_a_group_are_refused(missing):
    groups = np.array([f"g{i // 4}" for i in range(40)], dtype=object)
    groups[3] = missing
    frame = pd.concat([RNA, METH], axis=1)
    with pytest.raises(ValueError, match="sample 3 has no group"):
        MKLClassifier("linear", calibration="platt").fit(frame, Y, groups=groups)
    with pytest.raises(ValueError, match="sample 3 has no group"):
        significance(MKLClassifier("linear"), frame, Y, permutations=1, views=False, permute_within=groups)


def test_masked_blocks_are_refused():
    blocks = np.ma.masked_array(np.arange(40) // 4, mask=np.arange(40) == 7)
    with pytest.raises(ValueError, match="permute_within"):
        significance(MKLClassifier("linear"), X, Y.to_numpy(), permutations=1, views=False, permute_within=blocks)
