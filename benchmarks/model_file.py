"""Reads weights and dual vectors from a model file (docs/reference/formats.md), with numpy."""

import json
import pathlib
import struct

import numpy as np


def read_model(file, n):
    """Kernel weights d (M), dual vector a (n) and the second one `proof` (n), or None without."""
    content = pathlib.Path(file).read_bytes()
    (size,) = struct.unpack_from("<Q", content, 16)
    header = json.loads(content[24 : 24 + size])
    blocks = {}
    for block in header["blocks"]:
        count = block["rows"] * block["cols"]
        offset = 24 + size + block["offset"]
        blocks[block["name"]] = np.frombuffer(content, "<f8", count, offset)
    support = blocks["support"].astype(int)

    def full(name):
        if blocks.get(name) is None or len(blocks[name]) == 0:
            return None
        vector = np.zeros(n)
        vector[support] = blocks[name]
        return vector

    weights = np.array([kernel["weight"] for kernel in header["kernels"]])
    return weights, full("coefficients"), full("proof")
