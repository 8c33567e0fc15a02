"""Certified multiple kernel learning.

from kernmix import MKLClassifier

model = MKLClassifier(views={"color": "color_*", "shape": "shape_*"}, C=10).fit(X, y)
model.weights_, model.certificate_, model.predict(X_new)
"""

from . import _loading, adapters, kernels  # noqa: F401  _loading first
from ._auto import auto
from ._compare import compare
from ._core import DataError, ParameterError, ResourceError, __version__
from ._nested_search import nested_search
from ._warnings import KernmixWarning
from .auto_result import AutoResult
from .classifier import MKLClassifier
from .column_weights import ColumnWeights
from .comparison import Comparison
from .findings import Explanation, PermutationTest, Significance, WeightStability
from .gram_stack import GramStack
from .io import load
from .kernel_bank import KernelBank
from .multilabel import MultilabelMKL
from .one_class import MKLOneClass
from .regressor import MKLRegressor
from .search import MKLSearchCV
from .search_result import Estimate, Expected, SearchResult
from .table import Table
from .trust import explain, significance, weight_stability
from .verification import Verification
from .weight_table import WeightTable

__all__ = [
    "AutoResult",
    "ColumnWeights",
    "Comparison",
    "DataError",
    "Estimate",
    "Expected",
    "Explanation",
    "GramStack",
    "KernelBank",
    "KernmixWarning",
    "MKLClassifier",
    "MKLOneClass",
    "MKLRegressor",
    "MKLSearchCV",
    "MultilabelMKL",
    "ParameterError",
    "PermutationTest",
    "ResourceError",
    "SearchResult",
    "Significance",
    "Table",
    "Verification",
    "WeightStability",
    "WeightTable",
    "__version__",
    "adapters",
    "auto",
    "compare",
    "explain",
    "kernels",
    "load",
    "nested_search",
    "significance",
    "weight_stability",
]
