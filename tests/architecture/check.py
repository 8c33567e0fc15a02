#!/usr/bin/env python3
"""Who may include whom, what public headers may show, that mathematics opens with its formula, and that
properties are asserted.

Prints every offence and exits 1; prints the size budgets as a report that never fails.
"""

import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A room may include itself and the rooms on the right of its line. docs/developers/architecture.md draws them.
FOUNDATIONS = ["base", "loss", "regularizer", "kernel", "bank"]
MAY_INCLUDE = {
    "base": [],
    "data": ["base"],
    "kernel": ["base"],
    "bank": ["base", "kernel"],
    "loss": ["base"],
    "regularizer": ["base"],
    "problem": FOUNDATIONS,
    "svm": [*FOUNDATIONS, "problem"],
    "weights": [*FOUNDATIONS, "problem", "svm"],
    "classical": [*FOUNDATIONS, "problem", "svm", "weights"],
    "solve": [*FOUNDATIONS, "problem", "svm", "weights", "classical"],
    "metrics": ["base", "data", "loss"],
    "folds": ["base"],
    "calibration": ["base"],
    "model": [*FOUNDATIONS, "data", "problem", "svm", "weights", "classical", "solve", "metrics", "folds", "calibration"],
}
MAY_INCLUDE["selection"] = [*MAY_INCLUDE["model"], "model"]
MAY_INCLUDE["study"] = [*MAY_INCLUDE["selection"], "selection"]
MAY_INCLUDE["report"] = [*MAY_INCLUDE["study"], "study"]
MAY_INCLUDE["cli"] = [*MAY_INCLUDE["report"], "report"]
MAY_INCLUDE["python"] = MAY_INCLUDE["cli"]
# Public headers that stand in no folder named as their room.
PUBLIC_ROOMS = {"types": "base", "error": "base", "context": "base", "range": "base", "given_matrix": "base", "sparse_matrix": "base", "repair": "base",
                "version": "base", "process": "base", "certificate": "problem", "answer": "problem", "bounded_certificate": "problem",
                "paired_tests": "metrics", "table_summary": "data", "matrix_files": "data", "sets": "data", "two_stage": "solve", "train": "model", "fitted_kernels": "model", "kernel_similarity": "model", "identity_kernels": "model", "training": "model", "settings": "model", "explain": "model", "far_samples": "model", "counted_views": "model", "documents": "report", "kernmix": "cli"}
# Only the bank's own folder includes what is under it.
PRIVATE_FOLDERS = ("src/bank/",)
MOST_FILES = 30
# Bookkeeping of a solver, where there is no formula to open with.
NO_FORMULA = {"src/solve/solve.cpp", "src/solve/solver_table.cpp", "src/svm/smo/smo.cpp", "src/weights/objective.cpp",
              "src/weights/best_answer.cpp", "src/weights/strategies/strategies.cpp",
              "src/classical/gmkl/weight_penalty.cpp",
              "src/svm/smo/dual_smo.cpp", "src/svm/smo/active_set.cpp"}
FORBIDDEN_IN_PUBLIC = re.compile(r'#\s*include\s*[<"](Eigen|fmt|nlohmann|hwy|cblas|tbb|toml|pugi)')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
FORMULA = re.compile(r"[=<>^]|\bmin\b|\bmax\b|\bsum")


def sources(*folders):
    for folder in folders:
        yield from sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in {".hpp", ".cpp"})


def room_of(relative):
    """include/kernmix/loss.hpp -> loss; src/problem/certificate.cpp -> problem; cli/... -> cli."""
    parts = pathlib.PurePath(relative).parts
    if parts[0] in ("cli", "python", "report"):
        return parts[0]
    inner = (parts[2:] if parts[0] == "include" else parts[1:])[0].rsplit(".", 1)[0]
    return PUBLIC_ROOMS.get(inner, inner)


def resolve(file, included):
    """The included file of ours, relative to the root, or None."""
    for base in (file.parent, ROOT / "include", ROOT / "src", ROOT / "cli", ROOT, ROOT / "report/documents"):
        target = (base / included).resolve()
        if target.is_file() and target.is_relative_to(ROOT):
            return target.relative_to(ROOT)
    return None


def include_offences():
    for file in sources("include", "src", "report", "cli", "python/src"):
        relative = file.relative_to(ROOT)
        room = room_of(relative)
        if room not in MAY_INCLUDE:
            yield f"{relative}: room '{room}' is unknown; add it to tests/architecture/check.py"
            continue
        for included in INCLUDE.findall(file.read_text()):
            target = resolve(file, included)
            if target is None:
                continue
            other = room_of(target)
            if other != room and other not in MAY_INCLUDE[room]:
                yield f"{relative}: {room} must not include {target}"
            if room == "python" and target.parts[0] == "src":
                yield f"{relative}: the package is built on an installed library, which has no {target}"
            if other != room and str(target).startswith(PRIVATE_FOLDERS):
                yield f"{relative}: {target} is private to its room"


def folder_offences():
    for folder in sorted(p for p in (ROOT / "src").rglob("*") if p.is_dir()):
        count = sum(1 for p in folder.iterdir() if p.is_file())
        if count > MOST_FILES:
            yield f"{folder.relative_to(ROOT)}: {count} files, more than {MOST_FILES}"
    for file in (ROOT / "src").iterdir():
        if file.is_file():
            yield f"{file.relative_to(ROOT)}: every source file stands in a room"


def definitions():
    """Each type that is defined in a named namespace, with the file."""
    for file in sources("include", "src", "report", "cli"):
        spaces = []
        for line in file.read_text().splitlines():
            if opened := re.match(r"namespace\s*([\w:]*)\s*\{", line):
                spaces.append(opened[1])
            elif re.match(r"\}\s*// namespace", line):
                spaces.pop()
            elif "" not in spaces and (found := re.match(r"(?:struct|class|enum class) (\w+)(?!\w|::)[^;]*\{", line)):
                yield "::".join([*spaces, found[1]]), file.relative_to(ROOT)


def definition_offences():
    """Inline functions of one type would be linked for those of the other, in silence."""
    first = {}
    for name, file in definitions():
        if name in first:
            yield f"{file}: {name} is defined in {first[name]} too: a program would mix the two"
        first.setdefault(name, file)


def public_header_offences():
    for file in sources("include"):
        for line in file.read_text().splitlines():
            if FORBIDDEN_IN_PUBLIC.match(line):
                yield f"{file.relative_to(ROOT)}: public headers show no third-party type: {line}"


def opening_comment(file):
    lines = []
    for line in file.read_text().splitlines()[:60]:
        if line.lstrip().startswith("//"):
            lines.append(line)
    return "\n".join(lines)


def formula_offences():
    for file in sources("src/loss", "src/regularizer", "src/svm", "src/weights", "src/classical", "src/solve"):
        if file.suffix != ".cpp" or str(file.relative_to(ROOT)) in NO_FORMULA:
            continue
        header = ROOT / "include/kernmix" / file.relative_to(ROOT / "src").with_suffix(".hpp")
        beside = file.with_suffix(".hpp")
        texts = [opening_comment(f) for f in (file, header, beside) if f.exists()]
        if not any(FORMULA.search(text) for text in texts):
            yield f"{file.relative_to(ROOT)}: neither it nor its header opens with its formula"


def property_offences():
    """rc::check only says whether a property holds: a test that does not look passes."""
    for file in sources("tests"):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if re.match(r"\s*rc::check\(", line):
                yield f"{file.relative_to(ROOT)}:{number}: EXPECT_TRUE(rc::check(...)), else nothing fails"


def function_lengths(file):
    """Lengths of the brace blocks that a clang-formatted definition opens at column 0."""
    start = None
    for number, line in enumerate(file.read_text().splitlines()):
        if re.match(r"^[\w\[].*\{$", line) and not re.match(r"^(namespace|struct|class|enum)\b", line):
            start = number
        elif line == "}" and start is not None:
            yield number - start + 1
            start = None


def report_budgets():
    files = list(sources("include", "src", "report", "cli"))
    lines = [len(f.read_text().splitlines()) for f in files]
    functions = sorted(n for f in files for n in function_lengths(f))
    print(f"files: {len(files)}, median {statistics.median(lines):.0f} lines, longest {max(lines)}")
    print(f"functions: {len(functions)}, 90 % within {functions[int(0.9 * len(functions))]} lines, "
          f"longest {functions[-1]} (budgets: files 120 / 400, functions 30 / 80)")


def main():
    offences = [*include_offences(), *folder_offences(), *definition_offences(), *public_header_offences(), *formula_offences(), *property_offences()]
    for offence in offences:
        print(offence)
    report_budgets()
    print(f"architecture: {len(offences)} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
