"""Figures in scikit-learn's style: `from_...` computes, `plot` draws on matplotlib.

Every display has `plot(ax=None)`, which returns the display and sets `ax_` and `figure_`.
matplotlib is imported when a figure is drawn. The colours of Okabe and Ito (2008) are
distinct for colour-blind readers; lines also differ in their dashes and bars in their labels,
so that a figure can be printed in grey.
"""

from .alignment import AlignmentDisplay
from .contributions import ContributionsDisplay
from .curves import PrecisionRecallDisplay, RocDisplay
from .gap import GapDisplay
from .path import WeightPathDisplay
from .weights import KernelWeightsDisplay

__all__ = [
    "AlignmentDisplay",
    "ContributionsDisplay",
    "GapDisplay",
    "KernelWeightsDisplay",
    "PrecisionRecallDisplay",
    "RocDisplay",
    "WeightPathDisplay",
]
