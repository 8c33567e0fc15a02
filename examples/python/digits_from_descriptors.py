"""Digits from several descriptors

Handwritten digits have four descriptions: their pixels, the sums of rows and columns, the strengths of low
frequencies, and a histogram of edge directions. Ten classifiers, one for each digit, share one combination of
kernels. Then each has its own, and the map shows the weight of each descriptor for each digit.
"""

import matplotlib.pyplot as plt
import numpy as np
from kernmix import MKLClassifier
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

X, y = load_digits(return_X_y=True)
images = X.reshape(-1, 8, 8)

down, across = np.gradient(images, axis=(1, 2))
strength, angle = np.hypot(down, across), np.arctan2(down, across) % np.pi
edges = [(strength * (angle // (np.pi / 8) == k)).reshape(-1, 4, 2, 8).sum((2, 3)) for k in range(8)]
descriptors = {
    "pixels": X,
    "sums": np.hstack([images.sum(axis=1), images.sum(axis=2)]),
    "frequencies": np.abs(np.fft.rfft2(images))[:, :4, :4].reshape(len(X), -1),
    "edges": np.hstack(edges),
}
ends = np.cumsum([0, *(part.shape[1] for part in descriptors.values())])
views = {name: slice(a, b) for name, a, b in zip(descriptors, ends, ends[1:])}
table = np.hstack(list(descriptors.values()))
train, test, y_train, y_test = train_test_split(table, y, train_size=600, random_state=0)

shared = MKLClassifier(views=views, C=10).fit(train, y_train)
print(f"shared weights:    accuracy {shared.score(test, y_test):.4f}")
own = MKLClassifier(views=views, C=10, coupling="separate").fit(train, y_train)
print(f"separate weights:  accuracy {own.score(test, y_test):.4f}")
for name, columns in views.items():
    alone = MKLClassifier(views={name: columns}, C=10).fit(train, y_train)
    print(f"{name + ' alone:':18} accuracy {alone.score(test, y_test):.4f}")

weights = np.asarray(own.weights_)
of_view = [[name.endswith(f" on {view}") for name in own.kernel_names_] for view in views]
shares = np.array([weights[:, part].sum(axis=1) for part in of_view]) / weights.sum(axis=1)
figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
image = ax.imshow(shares, cmap="cividis", vmin=0, vmax=1)
ax.set_xticks(range(10))
ax.set_yticks(range(len(views)), views)
ax.set_xlabel("digit against all others")
figure.colorbar(image, label="share of the weights")
plt.show()
