"""The multi-feature digits of UCI: 2000 samples, 10 classes, six views. experiments/get-data
fetches them into DATA/mfeat."""

import sys

VIEWS = ["fou", "fac", "kar", "pix", "zer", "mor"]
OPTIONS = ["--label", "digit"]
TRAIN = [*OPTIONS, *(word for view in VIEWS for word in ("--view", f"{view}={view}*"))]
KERNELS = ["--kernel", "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6}) on *"]


def split(options, counts, shift=0):
    """Files for training, validation and tests: counts[0] samples of each class from its place
    `shift` on, the next counts[1], the rest. None, with a word, where the data are not here."""
    source = options.data / "mfeat"
    if not source.exists():
        print(f"{source} is not here (experiments/get-data fetches it): no digits", file=sys.stderr)
        return None
    views = [(source / f"{view}.csv").read_text().splitlines() for view in VIEWS]
    header, *rows = [",".join(line) for line in zip(*views, strict=True)]
    files = []
    for part, kept in enumerate(divide(rows, counts, shift)):
        files.append(source / f"split-{counts[0]}-{counts[1]}-{shift}-{part}.csv")
        files[-1].write_text("\n".join([header, *kept]) + "\n")
    return files


def divide(rows, counts, shift):
    """Rows for training, validation and tests; each class has 200 rows, which follow each other."""
    parts = [[], [], []]
    for i, row in enumerate(rows):
        place = (i - shift) % 200
        parts[(place >= counts[0]) + (place >= counts[0] + counts[1])].append(row)
    return parts
