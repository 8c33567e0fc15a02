"""The tool reads files by name: columns, files, rows, words and lists of names mean what the user wrote, or are refused.

KERNMIX names the tool.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

from kernmix import MKLClassifier, load

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

N, D = 48, 5
RNG = np.random.default_rng(7)
X = RNG.normal(size=(N, D)).round(4)
Y = np.where(X[:, 0] - X[:, 2] + 0.2 * RNG.normal(size=N) > 0, "p", "q")


def run(folder, *arguments, code=0):
    done = subprocess.run([KERNMIX, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


def refusal(folder, *arguments):
    return run(folder, *arguments, code=3).stderr


def decisions(folder, *arguments):
    return pd.read_csv(io.StringIO(run(folder, "predict", *arguments).stdout))["decision"].to_numpy()


def table(first=0, columns=range(D), labels=False):
    frame = pd.DataFrame(X[:, list(columns)], columns=[str(j + first) for j in columns])
    return frame.assign(y=Y) if labels else frame


def write(folder, frame, name="new.csv", quoting=csv.QUOTE_MINIMAL):
    frame.to_csv(folder / name, index=False, quoting=quoting)
    return name


def write_numbers(folder, frame, name="new.csv"):
    """With quotes around names, which may then be any numbers."""
    return write(folder, frame, name, csv.QUOTE_NONNUMERIC)


def train(folder, name, *options, label="y"):
    return run(folder, "train", name, "--label", label, "-o", "m.kmx", "--threads", "1", *options)


# Columns that are counted


@pytest.fixture(params=["csv", "npz", "python", "no-header"])
def counted_from_one(request, tmp_path):
    """The folder of a model of columns 1 to D that reads columns 1 and 3 alone."""
    if request.param == "python":
        MKLClassifier("linear", views={"a": [0, 2]}, n_jobs=1).fit(X, Y).save(tmp_path / "m.kmx")
    elif request.param == "npz":
        np.savez(tmp_path / "t.npz", X=X, y=Y)
        train(tmp_path, "t.npz", "--view", "a=1,3")
    elif request.param == "csv":
        train(tmp_path, write(tmp_path, table(1, labels=True), "t.csv"), "--view", "a=1,3")
    else:
        table(1, labels=True).to_csv(tmp_path / "t.csv", index=False, header=False)
        train(tmp_path, "t.csv", "--no-header", "--view", "a=1,3", label=str(D + 1))
    return tmp_path


@pytest.mark.parametrize("columns", [range(D), range(D - 1), [0, 1, 2, 3], [0, 1, 3], [3, 0, 1, 2, 4]])
def test_columns_counted_from_zero_are_not_read_one_off(counted_from_one, columns):
    write_numbers(counted_from_one, table(0, columns, labels=True), "zero.csv")
    assert "counted from 0" in refusal(counted_from_one, "predict", "m.kmx", "zero.csv")
    assert "counted from 0" in refusal(counted_from_one, "evaluate", "m.kmx", "zero.csv", "--label", "y")


def test_columns_counted_as_in_training_are_read(counted_from_one):
    expected = decisions(counted_from_one, "m.kmx", write_numbers(counted_from_one, table(1)))
    for columns in ([0, 2], [2, 0], [4, 3, 2, 1, 0]):
        got = decisions(counted_from_one, "m.kmx", write_numbers(counted_from_one, table(1, columns)))
        assert np.array_equal(got, expected)
    # Column 0 of a longer table, which may be no feature, is said and names decide.
    longer = table(1).assign(**{"0": 9.0})
    done = run(counted_from_one, "predict", "m.kmx", write_numbers(counted_from_one, longer))
    assert np.array_equal(pd.read_csv(io.StringIO(done.stdout))["decision"], expected)
    assert "counted from 0" in done.stderr and "by name" in done.stderr
    assert np.array_equal(
        decisions(counted_from_one, "m.kmx", write_numbers(counted_from_one, longer[["0", "1", "3"]]), "--ignore", "0"),
        expected,
    )


def test_the_reverse_shift_is_refused(tmp_path):
    train(tmp_path, write_numbers(tmp_path, table(0, labels=True), "t.csv"), "--view", "a=0,2")
    assert "counted from 1" in refusal(tmp_path, "predict", "m.kmx", write_numbers(tmp_path, table(1)))
    np.save(tmp_path / "new.npy", X)
    assert "counted from 1" in refusal(tmp_path, "predict", "m.kmx", "new.npy")
    rows = (" ".join(["1", *(f"{j + 1}:{value}" for j, value in enumerate(row))]) for row in X + 0.5)
    (tmp_path / "new.svm").write_text("\n".join(rows))
    assert "counted from 1" in refusal(tmp_path, "predict", "m.kmx", "new.svm")
    # Without the first column, which the model does not read, names are those of training.
    train(tmp_path, "t.csv", "--view", "a=1,3")
    whole = decisions(tmp_path, "m.kmx", write_numbers(tmp_path, table(0)))
    assert np.array_equal(decisions(tmp_path, "m.kmx", write_numbers(tmp_path, table(0, range(1, D)))), whole)


# Files whose columns have equal names


def two_files(folder, *, both=False):
    ids = [f"s{i}" for i in range(N)]
    one = pd.DataFrame(X[:, :2], columns=["g1", "g2"]).assign(id=ids, y=Y)
    two = pd.DataFrame(X[:, 2:4], columns=["g1", "g2"]).assign(id=ids)
    one.to_csv(folder / "rna.csv", index=False)
    (two if both else two[: N // 2]).to_csv(folder / "prot.csv", index=False)
    run(folder, "train", "rna.csv", "prot.csv", "--id", "id", "--label", "y", "-o", "m.kmx", "--threads", "1")
    return one, two


def test_one_of_two_files_is_known_by_its_name(tmp_path):
    one, _ = two_files(tmp_path)
    one.to_csv(tmp_path / "new.csv", index=False)
    alone = decisions(tmp_path, "m.kmx", "rna.csv", "--id", "id")
    assert np.array_equal(decisions(tmp_path, "m.kmx", "rna=new.csv", "--id", "id"), alone)


@pytest.mark.parametrize("order", [("rna_new.csv", "prot_new.csv"), ("prot_new.csv", "rna_new.csv")])
@pytest.mark.parametrize("both", [False, True])
def test_new_names_of_files_are_refused_with_the_remedy(tmp_path, order, both):
    one, two = two_files(tmp_path, both=both)
    one.to_csv(tmp_path / "rna_new.csv", index=False)
    two.to_csv(tmp_path / "prot_new.csv", index=False)
    said = refusal(tmp_path, "predict", "m.kmx", *order, "--id", "id")
    assert "rna=rna_new.csv" in said and "prot=prot_new.csv" in said
    expected = decisions(tmp_path, "m.kmx", "rna=rna_new.csv", "prot=prot_new.csv", "--id", "id")
    again = decisions(tmp_path, "m.kmx", *(f"{name[:-8]}={name}" for name in order), "--id", "id")
    assert np.array_equal(again, expected)
    # A view that may be absent is not absent because its file has another name.
    assert "prot=prot_new.csv" in refusal(tmp_path, "predict", "m.kmx", "rna.csv", "prot_new.csv", "--id", "id")


# Rows of results


def left_out(way):
    frame = table(1, labels=True)
    frame.columns = [*"abcde", "y"]
    out = [0, 1, 7, N - 2]
    if way == "weights":
        return frame.assign(w=[0 if i in out else 1 + i % 2 for i in range(N)]), ["--sample-weight", "w"], out
    frame.loc[out, ["d", "e"]] = np.nan
    return frame, ["--absent", "drop", "--view", "one=a,b,c", "--view", "two=d,e"], out


@pytest.mark.parametrize("way", ["weights", "absent"])
def test_rows_are_those_of_the_file(tmp_path, way):
    frame, options, out = left_out(way)
    write(tmp_path, frame, "t.csv")
    kept = sorted(set(range(1, N + 1)) - {i + 1 for i in out})
    run(tmp_path, "cv", "t.csv", "--label", "y", *options, "--predictions", "p.csv", "--json", "cv.json", "-q")
    predictions = pd.read_csv(tmp_path / "p.csv")
    assert sorted(predictions["sample"]) == kept
    assert (frame["y"].to_numpy()[predictions["sample"] - 1] == predictions["true"]).all()
    assert sorted(itertools.chain(*json.loads((tmp_path / "cv.json").read_text())["folds"]["tested"])) == kept
    for more in ([], ["--landmarks", "12"]):
        train(tmp_path, "t.csv", *options, *more)
        alphas = pd.read_csv(io.StringIO(run(tmp_path, "inspect", "m.kmx", "--alphas", "-").stdout))
        assert list(alphas.columns) == ["row", "alpha"]
        assert ((alphas["alpha"] > 0) == (frame["y"].to_numpy()[alphas["row"] - 1] == "q")).all()
        document = json.loads(run(tmp_path, "inspect", "m.kmx", "--full", "--json", "-").stdout)
        assert [vector["row"] for vector in document["support_vectors"]] == list(alphas["row"])
        if more:
            assert set(document["landmarks"]["rows"]) <= set(kept) and document["landmarks"]["ids"] == []
        loaded = load(tmp_path / "m.kmx")
        if not more:
            assert list(loaded.support_ + 1) == list(alphas["row"])
        weights = options[:2] if way == "weights" else []
        run(tmp_path, "verify", "m.kmx", "t.csv", "--label", "y", *weights)


def test_absent_samples_and_weights_are_left_out_together(tmp_path):
    frame, options, out = left_out("absent")
    frame["w"] = [0 if i in (3, 4) else 1 for i in range(N)]
    write(tmp_path, frame, "t.csv")
    train(tmp_path, "t.csv", *options, "--sample-weight", "w")
    run(tmp_path, "verify", "m.kmx", "t.csv", "--label", "y", "--sample-weight", "w")
    rows = pd.read_csv(io.StringIO(run(tmp_path, "inspect", "m.kmx", "--alphas", "-").stdout))
    assert ((rows["alpha"] > 0) == (frame["y"].to_numpy()[rows["row"] - 1] == "q")).all()
    assert not set(rows["row"]) & {i + 1 for i in [*out, 3, 4]}


# Words that are also read as missing cells


def smokers(word):
    kind = np.arange(N) % 3
    y = np.where((kind == 0) + 0.3 * RNG.normal(size=N) > 0.5, "p", "q")
    return pd.DataFrame({"a": X[:, 0], "smoking": np.array([word, "light", "heavy"])[kind]}), y


@pytest.mark.parametrize("word", ["none", "None", "NA", "nan", "null", "N/A"])
def test_a_level_of_the_model_is_a_word(tmp_path, word):
    frame, y = smokers(word)
    write(tmp_path, frame.assign(y=y), "t.csv")
    model = MKLClassifier(categorical="auto", missing="mean", n_jobs=1).fit(frame, y)
    model.save(tmp_path / "py.kmx")
    assert np.allclose(decisions(tmp_path, "py.kmx", "t.csv"), model.decision_function(frame), rtol=0, atol=1e-12)
    run(tmp_path, "verify", "py.kmx", "t.csv", "--label", "y")
    # The tool reads the word as missing, says so, and names the option by which it is a level.
    options = ["--categorical", "auto", "--missing", "mean"]
    said = train(tmp_path, "t.csv", *options).stderr
    assert f"16 cells '{word}' of the column 'smoking'" in said and f"--na '!{word}'" in said
    assert "read as missing" not in train(tmp_path, "t.csv", *options, "--na", f"!{word}").stderr
    assert np.allclose(decisions(tmp_path, "m.kmx", "t.csv"), model.decision_function(frame), rtol=0, atol=1e-9)
    quoted = (tmp_path / "t.csv").read_text().replace(f",{word},", f',"{word}",')
    (tmp_path / "quoted.csv").write_text(quoted)
    assert np.array_equal(decisions(tmp_path, "m.kmx", "quoted.csv"), decisions(tmp_path, "m.kmx", "t.csv"))


def test_a_kept_word_is_missing_among_numbers(tmp_path):
    frame, y = smokers("none")
    frame = frame.astype({"a": object})
    frame.loc[5, "a"] = "none"
    write(tmp_path, frame.assign(y=y), "t.csv")
    train(tmp_path, "t.csv", "--categorical", "smoking", "--missing", "mean", "--na", "!none")
    assert "none" in run(tmp_path, "inspect", "m.kmx").stdout


@pytest.mark.parametrize("word", ["None", "NA", "null"])
def test_a_class_may_be_called_none(tmp_path, word):
    frame = table(1).assign(y=np.where(Y == "p", word, "severe"))
    write(tmp_path, frame, "t.csv")
    said = refusal(tmp_path, "train", "t.csv", "--label", "y", "-o", "m.kmx")
    assert f"--na '!{word}'" in said
    train(tmp_path, "t.csv", "--na", f"!{word}")
    assert set(
        pd.read_csv(io.StringIO(run(tmp_path, "predict", "m.kmx", "t.csv").stdout), keep_default_na=False).label
    ) == {
        word,
        "severe",
    }
    run(tmp_path, "evaluate", "m.kmx", "t.csv", "--label", "y")
    run(tmp_path, "verify", "m.kmx", "t.csv", "--label", "y")


def test_one_rule_for_equal_numbers(tmp_path):
    frame = table(1).assign(y=Y, g=[["1", "1.0", "2", "2e0", "3", "03"][i % 6] for i in range(N)])
    write(tmp_path, frame, "t.csv")
    write(tmp_path, frame.assign(g=[str(1 + i % 6 // 2) for i in range(N)]), "plain.csv")
    cv = [
        run(tmp_path, "cv", name, "--label", "y", "--groups", "g", "--folds", "3").stdout
        for name in ("t.csv", "plain.csv")
    ]
    cv[1] = cv[1].replace("columns of plain", "columns of t")
    assert cv[0].split("seconds per fold")[0] == cv[1].split("seconds per fold")[0]
    folds = [
        json.loads(run(tmp_path, "cv", name, "--label", "y", "--fold-column", "g", "--json", "-", "-q").stdout)["folds"]
        for name in ("t.csv", "plain.csv")
    ]
    assert folds[0] == folds[1]


# Look-alikes

PAIRS = [
    ("pos", "Pos", "case or blanks"),
    ("pos", "po s", "case or blanks"),
    ("pos", "pos\u00a0", "a no-break space"),
    ("pos", "po\u202fs", "a no-break space"),
    ("pos", "pos\u200b", "a zero-width character"),
    ("caf\u00e9", "cafe\u0301", "letters that are one character or two"),
    ("\u1ec7", "e\u0323\u0302", "letters that are one character or two"),
    ("\u0439", "\u0438\u0306", "letters that are one character or two"),
    ("\ud55c", "\u1112\u1161\u11ab", "letters that are one character or two"),
    ("\u00c9", "e\u0301", "case or blanks and letters that are one character or two"),
]


@pytest.mark.parametrize(("left", "right", "differ"), PAIRS)
@pytest.mark.parametrize("place", ["label", "level", "group", "id"])
def test_words_that_look_alike_are_named(tmp_path, left, right, differ, place):
    frame = table(1)[["1", "2"]].assign(y=Y, c=np.where(np.arange(N) % 3 == 0, "other", left))
    alike = np.arange(N) % 4 == 1
    options = []
    if place == "label":
        frame["y"] = np.where(alike, right, np.where(Y == "p", left, "neg"))
        frame = frame.drop(columns="c")
    elif place == "level":
        frame.loc[alike, "c"] = right
        options = ["--categorical", "c"]
    elif place == "group":
        frame["c"] = [f"g{i // 2}" for i in range(N)]
        frame.loc[:3, "c"] = [left, left, right, right]
    else:
        frame["c"] = [f"s{i}" for i in range(N)]
        frame.loc[:1, "c"] = [left, right]
        options = ["--id", "c"]
    write(tmp_path, frame, "t.csv")
    command = (
        ["cv", "t.csv", "--groups", "c", "--folds", "2"] if place == "group" else ["train", "t.csv", "-o", "m.kmx"]
    )
    assert f"differ only in {differ}" in run(tmp_path, *command, "--label", "y", *options).stderr
    if place != "id":
        return
    frame.loc[0, "c"] = "s0"  # in two files, each has one of the two
    write(tmp_path, frame, "t.csv")
    write(tmp_path, pd.DataFrame({"c": [left, *frame["c"][2:], "s0"], "z": X[:, 3]}), "u.csv")
    said = run(
        tmp_path, "train", "t.csv", "u.csv", "--label", "y", "--id", "c", "--absent", "drop", "-o", "m.kmx"
    ).stderr
    assert f"differ only in {differ}" in said


def test_different_words_are_not_said_to_look_alike(tmp_path):
    frame = table(1).assign(y=[["a", "\u00e4", "b"][i % 3] for i in range(N)])
    assert "differ only" not in train(tmp_path, write(tmp_path, frame, "t.csv")).stderr


# Files of names

FORMS = {
    "plain": lambda lines: "\n".join(lines).encode(),
    "byte order mark": lambda lines: ("\ufeff" + "\n".join(lines) + "\n").encode(),
    "UTF-16": lambda lines: "\r\n".join(lines).encode("utf-16"),
    "quotes": lambda lines: "".join(f'"{line}"\n' for line in lines).encode(),
    "blank lines": lambda lines: ("\n\n".join(f"  {line}\t" for line in lines) + "\n\n").encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_files_of_names_are_read_as_tables_are(tmp_path, form):
    write(tmp_path, table(1, labels=True).assign(id=[f"s{i}" for i in range(N)]), "t.csv")
    (tmp_path / "marks.txt").write_bytes(FORMS[form]([f"s{i}" for i in range(0, N, 4)]))
    train(tmp_path, "t.csv", "--id", "id", "--landmarks", "marks.txt")
    found = json.loads(run(tmp_path, "inspect", "m.kmx", "--json", "-").stdout)["landmarks"]
    assert found == {"rows": list(range(1, N + 1, 4)), "ids": [f"s{i}" for i in range(0, N, 4)]}
    splits = [" ".join(str(i + 1) for i in range(k, N, 2)) for k in range(2)]
    masks = ["".join(str(int(i % 2 != k)) for i in range(N)) for k in range(2)]
    for lines in (splits, masks):
        (tmp_path / "splits.txt").write_bytes(FORMS[form](lines))
        done = run(
            tmp_path, "cv", "t.csv", "--label", "y", "--id", "id", "--split-file", "splits.txt", "--json", "-", "-q"
        )
        assert json.loads(done.stdout)["folds"]["tested"] == [list(range(k + 1, N + 1, 2)) for k in range(2)]


GMT = ["A\td\t1\t2", "B\td\t3\t4\t5"]


@pytest.mark.parametrize(
    "form", ["plain", "byte order mark", "UTF-16", "blank lines", "no-break space", "quoted fields"]
)
def test_sets_are_read_as_tables_are(tmp_path, form):
    write(tmp_path, table(1, labels=True), "t.csv")
    changed = {"no-break space": ("\t", "\u00a0\t\u00a0"), "quoted fields": ("\t", '"\t"')}.get(form)
    lines = [f'"{line}"' if form == "quoted fields" else line for line in GMT]
    lines = [line.replace(*changed) for line in lines] if changed else lines
    (tmp_path / "s.gmt").write_bytes(FORMS.get(form, FORMS["plain"])(lines))
    found = json.loads(run(tmp_path, "inspect", "t.csv", "--label", "y", "--sets", "s.gmt", "--json", "-").stdout)
    assert [(s["name"], s["named"], s["matched"]) for s in found["sets"]] == [("A", 2, 2), ("B", 3, 3)]


def test_gmt_without_descriptions_is_named(tmp_path):
    write(tmp_path, table(1, labels=True), "t.csv")
    (tmp_path / "s.gmt").write_text("A\t1\t2\nB\t3\t4\t5\n")
    assert "the descriptions of 2 of 2 sets are columns" in train(tmp_path, "t.csv", "--sets", "s.gmt").stderr
    with pytest.warns(UserWarning, match="the descriptions of 2 of 2 sets are columns"):
        MKLClassifier(groups=tmp_path / "s.gmt", n_jobs=1).fit(table(1), Y)
    (tmp_path / "s.gmt").write_text("A\td\t2\nB\t\t4\t5\nC\t1\t3\n")
    assert "descriptions" not in train(tmp_path, "t.csv", "--sets", "s.gmt").stderr


def test_sets_of_several_files(tmp_path):
    two_files(tmp_path, both=True)
    (tmp_path / "s.gmt").write_text("A\t\trna.g1\tprot.g1\nB\t\trna.g2\n")
    arguments = ["rna.csv", "prot.csv", "--id", "id", "--label", "y", "-o", "m.kmx"]
    said = run(tmp_path, "train", *arguments, "--sets", "s.gmt").stderr
    assert "1 of 2 sets has columns of several files (prot, rna): 'A'" in said and "NAME=s.gmt" in said
    assert "several files" not in run(tmp_path, "train", *arguments, "--sets", "rna=s.gmt").stderr


# Arrays that are not read


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"X": X, "y": Y.astype(object)}, ["a.npz:y", "object"]),
        ({"X": X.astype("f2"), "y": Y}, ["X", "f2"]),
        ({"X": X + 0j, "y": Y}, ["X", "c16"]),
        ({"X": X[:, :, None], "y": Y}, ["X", "3 dimensions", "(48, 5, 1)"]),
    ],
)
def test_arrays_that_are_not_read_are_named(tmp_path, arrays, words):
    np.savez(tmp_path / "a.npz", **arrays)
    said = refusal(tmp_path, "train", "a.npz", "--label", "y", "-o", "m.kmx")
    assert all(word in said for word in words), said


def nullable(labels, ids):
    anndata = pytest.importorskip("anndata")
    data = anndata.AnnData(pd.DataFrame(X, index=ids, columns=list("abcde")))
    for name, values in labels.items():
        data.obs[name] = values.set_axis(ids)
    return data


def test_nullable_columns_of_anndata(tmp_path):
    anndata = pytest.importorskip("anndata")
    anndata.settings.allow_write_nullable_strings = True
    ids = [f"s{i}" for i in range(N)]
    words = pd.Series(Y, dtype="string")
    labels = {
        "words": words,
        "categories": words.astype("category"),
        "integers": pd.Series((Y == "p").astype(int), dtype="Int64"),
        "booleans": pd.Series(Y == "p", dtype="boolean"),
    }
    data = nullable(labels, pd.Index(ids, dtype="string"))
    data.write_h5ad(tmp_path / "n.h5ad")
    if "built without HDF5" in run(tmp_path, "inspect", "n.h5ad").stdout:
        pytest.skip("the tool was built without HDF5")
    write(tmp_path, pd.DataFrame(X, columns=list("abcde")).assign(y=Y), "t.csv")
    train(tmp_path, "t.csv")
    expected = np.abs(decisions(tmp_path, "m.kmx", "t.csv"))
    for label in labels:
        train(tmp_path, "n.h5ad", label=label)
        assert np.allclose(np.abs(decisions(tmp_path, "m.kmx", "t.csv")), expected, rtol=0, atol=1e-3)


# Compressed text


def test_gzip_is_read(tmp_path):
    frame = table(1, labels=True)
    text = frame.to_csv(index=False).encode()
    lines = text.splitlines(keepends=True)
    (tmp_path / "t.csv").write_bytes(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text))
    (tmp_path / "members.csv.gz").write_bytes(b"".join(gzip.compress(line) for line in lines) + b"\0" * 64)
    (tmp_path / "t.tsv.gz").write_bytes(gzip.compress(text.replace(b",", b"\t")))
    svm = "".join(
        f"{y} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(row)) + "\n" for y, row in zip(Y, X, strict=True)
    )
    (tmp_path / "t.svm.gz").write_bytes(gzip.compress(svm.encode()))
    train(tmp_path, "t.csv")
    expected = decisions(tmp_path, "m.kmx", "t.csv")
    for name in ("t.csv.gz", "members.csv.gz", "t.tsv.gz"):
        train(tmp_path, name)
        assert np.array_equal(decisions(tmp_path, "m.kmx", name), expected)
    run(tmp_path, "train", "t.svm.gz", "-o", "m.kmx")
    assert np.array_equal(decisions(tmp_path, "m.kmx", "t.csv"), expected)
    one, _ = two_files(tmp_path)
    (tmp_path / "rna.csv.gz").write_bytes(gzip.compress(one.to_csv(index=False).encode()))
    plain, packed = (decisions(tmp_path, "m.kmx", name, "--id", "id") for name in ("rna.csv", "rna.csv.gz"))
    assert np.array_equal(plain, packed)


def test_damaged_and_endless_gzip_is_refused(tmp_path):
    text = table(1, labels=True).to_csv(index=False).encode()
    packed = gzip.compress(text)
    for cut in (5, 20, len(packed) // 2, len(packed) - 9):
        (tmp_path / "cut.csv.gz").write_bytes(packed[:cut])
        assert "cut.csv.gz" in refusal(tmp_path, "train", "cut.csv.gz", "--label", "y", "-o", "m.kmx")
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"a,b,y\n" + b"0,0,p\n" * 20_000_000))
    said = run(tmp_path, "train", "bomb.csv.gz", "--label", "y", "-o", "m.kmx", "--memory", "50M", code=4).stderr
    assert "--memory" in said


# Tables that are not what they seem


@pytest.mark.parametrize("id_name", ["id", "gene"])
@pytest.mark.parametrize("order", [0, 1])
def test_a_transposed_table_is_recognised(tmp_path, id_name, order):
    ids = [f"s{i}" for i in range(N)]
    write(tmp_path, pd.DataFrame({"id": ids, "y": Y, "age": X[:, 4]}), "pheno.csv")
    wide = pd.DataFrame(X[:, :4].T, columns=ids)
    wide.insert(0, id_name, [f"g{j}" for j in range(4)])
    write(tmp_path, wide, "expr.csv")
    files = ["pheno.csv", "expr.csv"][:: -1 if order else 1]
    for options in (["--id", "id"], []):
        said = refusal(tmp_path, "train", *files, "--label", "y", *options, "-o", "m.kmx")
        assert "expr.csv: its columns are samples" in said and "transpose" in said
    turned = wide.set_index(id_name).T.rename_axis("id").reset_index()
    write(tmp_path, turned, "expr.csv")
    run(tmp_path, "train", *files, "--label", "y", "--id", "id", "-o", "m.kmx")


def test_inspect_names_constant_columns_and_sentinels(tmp_path):
    frame = table(1, labels=True).assign(same=3.5, level=np.arange(N) % 2)
    frame.loc[frame.index[::7], "1"] = -200
    frame.loc[frame.index[::5], "2"] = 999
    frame["days"] = np.where(np.arange(N) % 3 == 0, -1, np.arange(N) % 11)
    write(tmp_path, frame, "t.csv")
    found = json.loads(run(tmp_path, "inspect", "t.csv", "--label", "y", "--json", "-").stdout)
    assert found["constant"] == ["same"]
    assert [(one["column"], one["value"], one["cells"]) for one in found["sentinels"]] == [
        ("1", -200, len(frame.index[::7])),
        ("2", 999, len(frame.index[::5])),
        ("days", -1, len(range(0, N, 3))),
    ]
    text = run(tmp_path, "inspect", "t.csv", "--label", "y").stdout
    assert "constant: 1: same" in text and "1: the smallest value, 7 times -200: --na -200" in text
    codes = json.loads(run(tmp_path, "inspect", "t.csv", "--label", "y", "--na", "-200,999,-1", "--json", "-").stdout)
    assert codes["sentinels"] == []
