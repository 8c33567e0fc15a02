"""Figures in scikit-learn's style: `from_...` computes, `plot` draws on matplotlib.

Every display has `plot(ax=None)`, which returns the display, and after it `ax_` and `figure_`.
matplotlib is imported when something is drawn. Colours are those of Okabe and Ito (2008), which
colour-blind people can tell apart; lines differ by their dashes, and bars by their labels, as well,
so that a figure can be read in grey.
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
