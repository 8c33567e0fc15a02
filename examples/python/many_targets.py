"""Many regression targets

The example predicts the lower half of a handwritten digit, many targets, from the four rows above, four views. All
targets share one combination of kernels. R^2 of a target is split over the views as `r2_score_split` of himalaya
does (Dupre la Tour et al., 2022): the shares add up to it. The maps show the share of each row for each pixel below;
nearly constant pixels are white.
"""

import matplotlib.pyplot as plt
import numpy as np
from kernmix import MKLRegressor
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

X, _ = load_digits(return_X_y=True)
upper, lower = X[:, :32], X[:, 32:]
varies = lower.std(axis=0) > 1
upper, test, y, y_test = train_test_split(upper, lower[:, varies], train_size=500, random_state=0)

views = {f"row {k}": slice(8 * k, 8 * k + 8) for k in range(4)}
kernels = ["rbf(width=near*2) on row*", "linear on row*"]
machine = MKLRegressor(views=views, kernels=kernels, loss="squared", C=1).fit(upper, y)
print(f"{y.shape[1]} targets, mean R^2 {machine.score(test, y_test):.3f}")

shares = machine.explained_by_view(test, y_test)
figure, axes = plt.subplots(1, 4, figsize=(9, 1.9), layout="constrained")
for ax, view in zip(axes, views):
    image = np.full(32, np.nan)
    image[varies] = shares[view]
    drawn = ax.imshow(image.reshape(4, 8), cmap="cividis", vmin=0, vmax=0.4)
    ax.set(title=f"from {view}", xticks=[], yticks=[])
    print(f"{view}: mean share {np.nanmean(image):.3f}")
figure.colorbar(drawn, ax=axes, label="share of R^2")
plt.show()
