"""Data sets that are defined by a distribution: lists of rows and of labels, from a seed.

Ringnorm, twonorm and waveform are those of Breiman (Bias, variance and arcing classifiers, 1996;
Arcing classifiers, 1998; waveform: Breiman et al., CART, 1984).
"""

import math
import random


def labelled(n, draw, seed):
    """n samples, half of each class, in the order +1, -1, +1, ...; draw(random, y) gives one."""
    rng = random.Random(seed)
    y = [1 if i % 2 == 0 else -1 for i in range(n)]
    return [draw(rng, label) for label in y], y


def ringnorm(n, seed):
    """+1: N(0, 4 I); -1: N(a 1, I) with a = 2 / sqrt(20), in 20 dimensions."""
    shift = 2 / math.sqrt(20)

    def draw(rng, y):
        return [rng.gauss(0, 2) if y > 0 else rng.gauss(shift, 1) for _ in range(20)]

    return labelled(n, draw, seed)


def twonorm(n, seed):
    """N(a 1, I) and N(-a 1, I) with a = 2 / sqrt(20), in 20 dimensions."""
    shift = 2 / math.sqrt(20)
    return labelled(n, lambda rng, y: [rng.gauss(y * shift, 1) for _ in range(20)], seed)


def waveform(n, seed):
    """+1: mixtures of the triangles 1 and 2, -1: of 1 and 3 (two of the three classes), with noise
    of variance 1, in 21 dimensions."""

    def triangle(centre, i):
        return max(6 - abs(i - centre), 0)

    def draw(rng, y):
        u = rng.random()
        other = 15 if y > 0 else 7
        return [u * triangle(11, i) + (1 - u) * triangle(other, i) + rng.gauss(0, 1) for i in range(1, 22)]

    return labelled(n, draw, seed)


def sparse_gaussians(n, relevant, seed, columns=50, distance=1.75):
    """The toy of Kloft et al. (JMLR 2011, section 6.1): N(mu, I) and N(-mu, I) in 50 dimensions,
    where the first `relevant` entries of mu are equal, the others 0, and its norm is 1.75."""
    shift = distance / math.sqrt(relevant)

    def draw(rng, y):
        return [rng.gauss(y * shift if j < relevant else 0, 1) for j in range(columns)]

    return labelled(n, draw, seed)


def many_labels(n, count, columns, seed):
    """N(0, I) samples with `count` labels in {0, 1} each, all as hard: label k is 1 where
    x_a + x_b x_c plus noise of deviation 0.5 is positive, for three columns of its own."""
    rows = noise(n, columns, seed)
    rng = random.Random(seed + 1)
    places = triples(range(columns), count, seed + 2)
    labels = [[int(row[a] + row[b] * row[c] + rng.gauss(0, 0.5) > 0) for a, b, c in places] for row in rows]
    return rows, labels


def subsets(columns, count, seed):
    """`count` random sets of columns 0, 1, ..., each in with probability 1/2, none empty."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        chosen = [j for j in range(columns) if rng.random() < 0.5]
        if chosen:
            found.append(chosen)
    return found


def triples(columns, count, seed):
    """`count` random sets of three of the columns."""
    rng = random.Random(seed)
    return [sorted(rng.sample(list(columns), 3)) for _ in range(count)]


def noise(n, columns, seed):
    """Rows of N(0, I)."""
    rng = random.Random(seed)
    return [[rng.gauss(0, 1) for _ in range(columns)] for _ in range(n)]


def write_csv(file, rows, labels):
    """x1, x2, ... and y; y1, y2, ... where each sample has a list of labels."""
    many = isinstance(labels[0], list)
    names = [f"y{k + 1}" for k in range(len(labels[0]))] if many else ["y"]
    with open(file, "w") as out:
        out.write(",".join([f"x{j + 1}" for j in range(len(rows[0]))] + names) + "\n")
        for row, label in zip(rows, labels, strict=True):
            words = [f"{value:.6g}" for value in row] + [str(y) for y in (label if many else [label])]
            out.write(",".join(words) + "\n")
    return file
