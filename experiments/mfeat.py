"""The multi-feature digits of UCI: 2000 samples, 10 classes, six views; experiments/get-data fetches
them into DATA/mfeat."""

import sys

VIEWS = ["fou", "fac", "kar", "pix", "zer", "mor"]
NEAR = "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6}) on *"
OPTIONS = ["--label", "digit"]


def split(options, counts):
    """Files for training, validation and tests, one list of a file for each view and one with the
    labels: the first counts[0] samples of each class, the next counts[1], the rest. None, with a
    word, where the data are not here."""
    source = options.data / "mfeat"
    if not source.exists():
        print(f"{source} is not here (experiments/get-data fetches it): no digits", file=sys.stderr)
        return None
    target = source / f"split-{counts[0]}-{counts[1]}"
    target.mkdir(exist_ok=True)
    ends = [0, counts[0], counts[0] + counts[1], 200]
    return [
        [write_part(source, target, view, part, ends[part : part + 2]) for view in VIEWS]
        for part in range(3)
    ]


def write_part(source, target, view, part, places):
    """Samples of all classes at these places within their class; 200 rows a class, in order."""
    header, *rows = (source / f"{view}.csv").read_text().splitlines()
    kept = [row for i, row in enumerate(rows) if places[0] <= i % 200 < places[1]]
    file = target / f"{view}-{part}.csv"
    file.write_text("\n".join([header, *kept]) + "\n")
    return f"{view}={file}"


def class_auc(evaluation):
    """{class: AUC}."""
    found = next(entry for entry in evaluation["classwise"] if entry["name"] == "auc")
    return {entry["name"]: entry["value"] for entry in found["values"]}
