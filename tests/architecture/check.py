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

# A part may include itself, what is to its left, and the base. Order is docs/developers/architecture.md.
BASE = {"types", "error", "context", "parallel", "linear_algebra", "lapack", "cholesky", "qr", "symmetric",
        "golden_section", "huge_pages", "text", "blas_threads", "version", "arguments", "range",
        "rounding", "shape", "descriptor", "given_matrix"}
FOUNDATIONS = {"loss", "regularizer", "kernel", "data"}
MAY_INCLUDE = {
    "loss": set(),
    "regularizer": set(),
    "kernel": set(),
    "data": set(),
    "problem": FOUNDATIONS,
    "certificate": FOUNDATIONS | {"problem"},
    "shared_problem": FOUNDATIONS,
    "shared_certificate": FOUNDATIONS | {"certificate", "problem", "shared_problem"},
    "bounded_certificate": FOUNDATIONS | {"problem", "certificate", "shared_certificate", "joint_certificate"},
    "joint_problem": FOUNDATIONS,
    "joint_certificate": FOUNDATIONS | {"certificate", "joint_problem"},
    "bounded_panels": FOUNDATIONS,
    "bounded_shared_certificate": FOUNDATIONS | {"bounded_certificate", "bounded_panels"},
    "bounded_joint_certificate": FOUNDATIONS | {"bounded_certificate", "bounded_panels"},
    "solver": FOUNDATIONS
    | {"problem", "certificate", "shared_problem", "shared_certificate", "joint_problem", "joint_certificate"},
    "selection": FOUNDATIONS | {"problem", "certificate", "solver", "model"},
    "model": FOUNDATIONS | {"problem", "certificate", "shared_problem", "shared_certificate", "joint_problem",
                            "joint_certificate", "bounded_certificate", "solver", "selection"},
    "kernmix": FOUNDATIONS | {"problem", "certificate", "bounded_certificate", "solver", "selection", "model"},
}
# Bookkeeping of a solver, where there is no formula to open with.
NO_FORMULA = {"src/solver/solve.cpp", "src/solver/outer/run.cpp", "src/solver/inner/dual_smo.cpp", "src/solver/inner/active_set.cpp"}
FORBIDDEN_IN_PUBLIC = re.compile(r'#\s*include\s*[<"](Eigen|fmt|nlohmann|hwy|cblas|tbb|toml|pugi)')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
FORMULA = re.compile(r"[=<>^]|\bmin\b|\bmax\b|\bsum")


def sources(*folders):
    for folder in folders:
        yield from sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in {".hpp", ".cpp"})


def part_of(relative):
    """include/kernmix/loss/hinge.hpp -> loss; src/problem.cpp -> problem; cli/... -> cli."""
    parts = pathlib.PurePath(relative).parts
    if parts[0] == "cli":
        return "cli"
    inner = parts[2:] if parts[0] == "include" else parts[1:]
    return inner[0].rsplit(".", 1)[0]


def resolve(file, included):
    """The included file of ours, relative to the root, or None."""
    for base in (file.parent, ROOT / "include", ROOT / "src", ROOT / "cli"):
        target = (base / included).resolve()
        if target.is_file() and target.is_relative_to(ROOT):
            return target.relative_to(ROOT)
    return None


def include_offences():
    for file in sources("include", "src", "cli"):
        relative = file.relative_to(ROOT)
        part = part_of(relative)
        for included in INCLUDE.findall(file.read_text()):
            target = resolve(file, included)
            if target is None:
                continue
            other = part_of(target)
            if other == part or other in BASE or part == "cli":
                continue
            if part in BASE:
                yield f"{relative}: the base must not include {target}"
            elif part not in MAY_INCLUDE:
                yield f"{relative}: part '{part}' is unknown; add it to tests/architecture/check.py"
            elif other not in MAY_INCLUDE[part]:
                yield f"{relative}: {part} must not include {target}"


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
    for file in sources("src/loss", "src/regularizer", "src/solver"):
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
    files = list(sources("include", "src", "cli"))
    lines = [len(f.read_text().splitlines()) for f in files]
    functions = sorted(n for f in files for n in function_lengths(f))
    print(f"files: {len(files)}, median {statistics.median(lines):.0f} lines, longest {max(lines)}")
    print(f"functions: {len(functions)}, 90 % within {functions[int(0.9 * len(functions))]} lines, "
          f"longest {functions[-1]} (budgets: files 120 / 400, functions 30 / 80)")


def main():
    offences = [*include_offences(), *public_header_offences(), *formula_offences(), *property_offences()]
    for offence in offences:
        print(offence)
    report_budgets()
    print(f"architecture: {len(offences)} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
