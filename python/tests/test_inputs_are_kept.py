"""No command overwrites a file that it reads: every command, input, output and spelling of the name.

The options come from the help, so that a new one has to be listed here. KERNMIX names the tool.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

OUTPUTS = ["-o", "--json", "--journal", "--csv", "--latex", "--figure", "--predictions", "--alphas", "--gradients"]
# An input, and how an option names it.
INPUTS = {
    "MODEL": ["m.kmx"],
    "DATA": ["d.csv", "view=d.csv", "a.npz:x"],
    "FILE": ["d.csv"],
    "RUN": ["run.json"],
    "EXPERIMENT": ["e.toml"],
    "--config": ["c.toml"],
    "--gram": ["k.csv", "name=k.csv", "k.npz:x"],
    "--distance": ["k.csv", "name=k.csv"],
    "--sets": ["s.gmt", "name=s.gmt"],
    "--landmarks": ["ids.txt"],
    "--split-file": ["splits.txt"],
    "--trace": ["d.csv"],
    "--labels": ["labels.xml"],
    "--targets": ["labels.xml"],
    "--gather": ["part.jsonl"],
    "--evaluation": ["run.json"],
    "--stability": ["run.json"],
    "--search": ["run.json"],
    "--also": ["x: --landmarks ids.txt"],
    "--grid": ["landmarks=50,ids.txt"],
}
NO_FILE = {"--ignore", "--categorical", "--view"}  # words with names of columns
POSITIONAL = {"MODEL", "DATA", "FILE", "RUN", "EXPERIMENT"}
RESULTS_OF_AUTO = ["model.kmx", "run.json", "tune.json", "held_out.json", "report.html"]
COMMANDS = [
    "auto", "train", "predict", "evaluate", "explain", "verify", "cv", "tune", "stability", "compare", "inspect",
    "list", "report", "completion",
]  # fmt: skip


def run(folder, *arguments):
    return subprocess.run([KERNMIX, *arguments], cwd=folder, capture_output=True, text=True, check=False)


@functools.cache
def options_of(command):
    """The options of the help with their words."""
    text = run(".", command, "--help").stdout
    found = re.findall(r"^  ((?:-\w,)?--[\w-]+|[A-Z]+) ([^\s]+)", text, re.MULTILINE)
    return {names.split(",")[0]: word for names, word in found}


def names_files(word):
    return any(
        part in word for part in ("FILE", "FOLDER", "DATA", ".kmx", ".json", ".html", "COLUMNS", "KEY=VALUES", "NAME:")
    )


def inputs_of(command):
    return [option for option in options_of(command) if option in INPUTS]


def outputs_of(command):
    return [option for option in options_of(command) if option in OUTPUTS]


def file_of(text):
    """The file that a value names."""
    return re.search(r"[\w.]+\.(?:kmx|csv|npz|jsonl|json|toml|gmt|txt|xml)", text)[0]


def prepare(folder):
    files = {file_of(text) for texts in INPUTS.values() for text in texts}
    for name in files:
        if name.endswith(".npz"):
            np.savez(folder / name, x=np.eye(2))
        else:
            (folder / name).write_text('memory = "1G"\n' if name.endswith(".toml") else f"content of {name}\n")
    return {name: (folder / name).read_bytes() for name in files}


def with_input(command, option, text):
    if option not in POSITIONAL:
        return [option, text]
    return ["another.kmx", text] if option == "DATA" and "MODEL" in options_of(command) else [text]


def test_all_commands_are_listed():
    listed = re.findall(r"^  ([a-z]+) +[A-Z]", run(".", "--help").stdout, re.MULTILINE)
    assert set(COMMANDS) == set(listed)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_with_a_file_is_an_input_or_an_output(command):
    for option, word in options_of(command).items():
        if names_files(word) and option not in NO_FILE:
            assert option in INPUTS or option in OUTPUTS, f"{command} {option} {word}"


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("list", "completion")])
def test_no_output_is_an_input(tmp_path, command):
    content = prepare(tmp_path)
    tried = 0
    for option in inputs_of(command):
        for text in INPUTS[option]:
            for output in outputs_of(command):
                if command == "auto" and output == "-o":
                    continue
                done = run(tmp_path, command, *with_input(command, option, text), output, file_of(text))
                assert done.returncode == 2, (option, output, done.stderr)
                assert "is also an input and would be overwritten" in done.stderr, (option, output, done.stderr)
                tried += 1
    assert {name: (tmp_path / name).read_bytes() for name in content} == content
    assert tried >= len(outputs_of(command))


SPELLINGS = {
    "the same": lambda folder, name: name,
    "from here": lambda folder, name: f"./{name}",
    "over a folder": lambda folder, name: f"sub/../{name}",
    "absolute": lambda folder, name: str(folder / name),
    "symbolic link": lambda folder, name: linked(folder / "link", folder / name, os.symlink),
    "hard link": lambda folder, name: linked(folder / "hard", folder / name, os.link),
    "linked folder": lambda folder, name: linked(folder / "here", folder, os.symlink) + f"/{name}",
}


def linked(link: Path, target: Path, link_to) -> str:
    link_to(target, link)
    return link.name


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
@pytest.mark.parametrize(
    ("command", "output"),
    [("train", "-o"), ("predict", "-o"), ("evaluate", "--json"), ("report", "-o"), ("compare", "--csv")],
)
def test_every_spelling_of_a_name_is_the_file(tmp_path, command, output, spelling):
    content = prepare(tmp_path)
    (tmp_path / "sub").mkdir()
    done = run(tmp_path, command, "--config", "c.toml", output, spelling(tmp_path, "c.toml"))
    assert done.returncode == 2 and "would be overwritten" in done.stderr, done.stderr
    assert (tmp_path / "c.toml").read_bytes() == content["c.toml"]


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("list", "completion", "inspect")])
def test_an_output_in_the_configuration_is_an_output(tmp_path, command):
    for output in outputs_of(command):
        if command == "auto" and output == "-o":
            continue
        key = "output" if output == "-o" else output[2:]
        text = f'{key} = "c.toml"\n'
        (tmp_path / "c.toml").write_text(text)
        done = run(tmp_path, command, "--config", "c.toml")
        assert done.returncode == 2 and "would be overwritten" in done.stderr, (output, done.stderr)
        assert (tmp_path / "c.toml").read_text() == text


@pytest.mark.parametrize("command", [name for name in COMMANDS if len(OUTPUTS) and name not in ("list", "completion")])
def test_two_outputs_are_two_files(tmp_path, command):
    (tmp_path / "real").mkdir()
    (tmp_path / "same").symlink_to("real")
    outputs = outputs_of(command)
    for first in outputs:
        for second in outputs:
            if first == second or (command == "auto" and "-o" in (first, second)):
                continue
            for names in (("out", "out"), ("real/out", "same/out")):
                done = run(tmp_path, command, first, names[0], second, names[1])
                assert done.returncode == 2 and "both name" in done.stderr, (first, second, done.stderr)
    assert not list((tmp_path / "real").iterdir())


@pytest.mark.parametrize("name", RESULTS_OF_AUTO)
def test_the_folder_of_auto_keeps_its_inputs(tmp_path, name):
    folder = tmp_path / "result"
    folder.mkdir()
    # As a result of an earlier run begins: other files of the folder are refused anyway.
    (folder / name).write_text("KERNMIX\n0")
    for option in [option for option in inputs_of("auto") if option not in ("--labels", "--targets")]:
        data = [] if option == "DATA" else ["d.csv"]
        (tmp_path / "d.csv").write_text("x,y\n1,a\n2,b\n")
        value = [f"result/{name}"] if option == "DATA" else [option, f"result/{name}"]
        if option == "--config":
            continue  # a model is no configuration
        done = run(tmp_path, "auto", *data, *value, "--label", "y", "-o", "result")
        assert done.returncode == 2 and "would be overwritten" in done.stderr, (option, done.stderr)
        assert (folder / name).read_text() == "KERNMIX\n0"


EXPERIMENT = """
[experiment]
folds = 2
{experiment}
[[data]]
name = "d"
files = "d.csv"
label = "y"
{data}
[[method]]
name = "m"
{method}
"""
PLACES = {
    "the experiment": ("e.toml", {}),
    "data": ("d.csv", {}),
    "a matrix": ("k.csv", {"data": 'gram = "k=k.csv"'}),
    "sets": ("s.gmt", {"data": 'sets = "s.gmt"'}),
    "splits": ("splits.txt", {"data": 'split-file = "splits.txt"'}),
    "labels": ("labels.xml", {"data": 'labels = "labels.xml"'}),
    "landmarks of all": ("ids.txt", {"experiment": 'landmarks = "ids.txt"'}),
    "landmarks of data": ("ids.txt", {"data": 'landmarks = "ids.txt"'}),
    "landmarks of a method": ("ids.txt", {"method": 'landmarks = "ids.txt"'}),
    "landmarks of a grid": ("ids.txt", {"method": 'grid = {landmarks = ["50", "ids.txt"]}'}),
    "landmarks of a common grid": ("ids.txt", {"experiment": 'grid = {landmarks = ["ids.txt"]}'}),
}


@pytest.mark.parametrize(("file", "tables"), PLACES.values(), ids=PLACES.keys())
def test_the_files_of_an_experiment_are_inputs(tmp_path, file, tables):
    prepare(tmp_path)
    text = EXPERIMENT.format(**{"experiment": "", "data": "", "method": "", **tables})
    (tmp_path / "e.toml").write_text(text)
    before = (tmp_path / file).read_bytes()
    for output in outputs_of("compare"):
        done = run(tmp_path, "compare", "e.toml", output, file)
        assert done.returncode == 2 and "would be overwritten" in done.stderr, (output, done.stderr)
        assert (tmp_path / file).read_bytes() == before


TESTED_ONLY = [
    ["--folds", "1000000000000000000"],
    ["--folds", "5"],
    ["--repeats", "9223372036854775807"],
    ["--split-file", "nosuch"],
    ["--fold-column", "f"],
    ["--groups", "g"],
    ["--leave-one-out"],
    ["--no-shuffle"],
    ["--score", "auc"],
]


@pytest.mark.parametrize("options", TESTED_ONLY, ids=" ".join)
def test_stability_takes_no_option_that_it_ignores(tmp_path, options):
    (tmp_path / "d.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(12)))
    done = run(tmp_path, "stability", "d.csv", "--label", "y", *options)
    assert done.returncode == 2 and f"{options[0]} is for the cross-validated score" in done.stderr, done.stderr
