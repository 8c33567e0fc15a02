"""The methods of peers.py: what a package offers for given kernels, with fit and predict.

Nobody is told more than its own problem. SVMs have C = 10 on kernels whose mean diagonal is 1.
himalaya chooses its penalty by cross-validation within `fit`, which is what it is made for, and
treats classes as numbers, one target for each.
"""

import contextlib
import io

import numpy as np

C = 10.0


class Machine:
    """Kernels, new kernels, y, and two functions over them."""

    def __init__(self, fit, predict):
        self._fit, self._predict, self._state = fit, predict, None

    def fit(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self._state = self._fit()

    def predict(self):
        with contextlib.redirect_stdout(io.StringIO()):
            return np.asarray(self._predict(self._state))


def kernmix(regularizer, **more):
    def make(K, cross, y):
        from kernmix import GramStack, MKLClassifier, MKLRegressor

        numbers = y.dtype.kind == "f"
        options = {"regularizer": regularizer, "C": C, "normalization": "none", "n_jobs": 1}
        options |= {"loss": "squared"} if numbers else {"loss": "hinge"} | more
        machine = (MKLRegressor if numbers else MKLClassifier)(**options)
        train, test = GramStack(K), GramStack(cross)
        return Machine(lambda: machine.fit(train, y), lambda fitted: fitted.predict(test))

    return make


def svc(K, cross, y):
    from sklearn.svm import SVC

    machine = SVC(C=C, kernel="precomputed", cache_size=1000)
    return Machine(
        lambda: machine.fit(K.mean(axis=0), y),
        lambda fitted: fitted.predict(cross.mean(axis=0)),
    )


def kernel_ridge(K, cross, y):
    from sklearn.kernel_ridge import KernelRidge

    machine = KernelRidge(alpha=1 / C, kernel="precomputed")
    return Machine(
        lambda: machine.fit(K.mean(axis=0), y - y.mean()),
        lambda fitted: fitted.predict(cross.mean(axis=0)) + y.mean(),
    )


def mklpy(name, **options):
    def make(K, cross, y):
        import MKLpy.algorithms
        import torch
        from sklearn.svm import SVC

        torch.set_num_threads(1)
        machine = getattr(MKLpy.algorithms, name)(learner=SVC(C=C), **options)
        train = [torch.from_numpy(matrix) for matrix in K]
        test = [torch.from_numpy(matrix) for matrix in cross]
        labels = torch.from_numpy(y)
        return Machine(lambda: machine.fit(train, labels), lambda fitted: fitted.predict(test))

    return make


def himalaya(**options):
    def make(K, cross, y):
        from himalaya.kernel_ridge import MultipleKernelRidgeCV

        classes = None if y.dtype.kind == "f" else np.unique(y)
        targets = y[:, None] if classes is None else np.where(y[:, None] == classes, 1.0, -1.0)
        center = targets.mean(axis=0)
        solver_params = {"alphas": np.logspace(-4, 3, 15), "progress_bar": False, **options}
        machine = MultipleKernelRidgeCV(
            kernels="precomputed", solver_params=solver_params, random_state=0
        )

        def predict(fitted):
            numbers = fitted.predict(cross) + center
            return numbers[:, 0] if classes is None else classes[numbers.argmax(axis=1)]

        return Machine(lambda: machine.fit(K, targets - center), predict)

    return make


def about(package, solves, tasks=("classes",)):
    return {"package": package, "solves": solves, "tasks": tasks}


BOTH, NUMBERS = ("classes", "numbers"), ("numbers",)
METHODS = {
    "scikit-learn SVC": (svc, about("scikit-learn", "mean kernel")),
    "scikit-learn KernelRidge": (kernel_ridge, about("scikit-learn", "mean kernel", NUMBERS)),
    "kernmix average": (kernmix("average"), about("kernmix", "mean kernel", BOTH)),
    "MKLpy AverageMKL": (mklpy("AverageMKL"), about("MKLpy", "mean kernel")),
    "kernmix l1": (kernmix("l1"), about("kernmix", "L1, gap 1e-3", BOTH)),
    "kernmix lp:p=2": (kernmix("lp:p=2"), about("kernmix", "L2 norm, gap 1e-3", BOTH)),
    "kernmix easy": (
        kernmix("easy:lambda=0.1", coupling="separate"),
        about("kernmix", "EasyMKL's weights"),
    ),
    "MKLpy EasyMKL": (mklpy("EasyMKL", lam=0.1), about("MKLpy", "EasyMKL's weights")),
    "kernmix alignf": (
        kernmix("alignf", coupling="separate"),
        about("kernmix", "alignf's weights"),
    ),
    "MKLpy CKA": (mklpy("CKA"), about("MKLpy", "alignf's, of either sign")),
    "MKLpy GRAM": (mklpy("GRAM", max_iter=100), about("MKLpy", "radius / margin, 100 steps")),
    "MKLpy MEMO": (mklpy("MEMO", max_iter=100), about("MKLpy", "margin, 100 steps")),
    "himalaya MultipleKernelRidgeCV": (
        himalaya(n_iter=100),
        about("himalaya", "random search, 100 x 15", BOTH),
    ),
}
