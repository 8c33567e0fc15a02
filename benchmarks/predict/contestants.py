"""Who predicts in benchmarks/predict. Every choice is made inside the training samples; what a
package chooses by itself, its defaults, stays."""

import contextlib
import importlib.util
import io
import shutil
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV, RidgeCV
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import train
from bank import bank, blocks, cosine_kernels, shares
from problem import Answer
from sets import CLASSES, NUMBERS
from tool import kernmix

FOLDS = 5
COSTS = np.logspace(-1, 3, 5)
PENALTIES = np.logspace(-4, 0, 5)
GAMMAS = 4.0 ** np.arange(-2, 2)  # over the number of columns


def folds(problem):
    """Parts of the training samples to choose by, classes in their proportions."""
    if problem.classes is None:
        return KFold(FOLDS, shuffle=True, random_state=0)
    largest = np.bincount(problem.y).max()
    return StratifiedKFold(min(FOLDS, max(2, largest)), shuffle=True, random_state=0)


def chosen(problem, machine, scoring=None, **grid):
    return GridSearchCV(machine, grid, cv=folds(problem), scoring=scoring)


def predicted(problem, machine, X, new):
    """The answer of an estimator of scikit-learn, probabilities included where it has them."""
    machine.fit(X, problem.y)
    probabilities = None
    if problem.classes is not None and hasattr(machine, "predict_proba"):
        probabilities = machine.predict_proba(new)
    return Answer(problem.decoded(machine.predict(new)), probabilities)


def columns(problem):
    """All views side by side, unscaled."""
    X = np.hstack(list(problem.data.views.values()))
    return X[problem.train], X[problem.test]


def scaled_columns(problem):
    """All views side by side, each scaled by its kind; a sparse matrix where all are sparse."""
    X = np.hstack([problem.scaled(X) for X in problem.data.views.values()])
    X = csr_matrix(X) if problem.data.sparse() else X
    return X[problem.train], X[problem.test]


def grid_of_svc(problem):
    """StandardScaler and an SVM with a Gaussian: 5 C x 4 gamma."""
    D = sum(X.shape[1] for X in problem.data.views.values())
    machine = SVC() if problem.classes is not None else SVR()
    grid = {"C": COSTS, "gamma": GAMMAS / D}
    grid = {f"{type(machine).__name__.lower()}__{key}": values for key, values in grid.items()}
    return chosen(problem, make_pipeline(StandardScaler(), machine), **grid)


def svc(problem, _):
    if problem.data.grams:
        K, new = blocks(problem, bank(problem)[0])
        machine = chosen(problem, SVC(kernel="precomputed"), C=COSTS)
        return lambda: predicted(problem, machine, K.mean(axis=0), new.mean(axis=0))
    X, new = columns(problem)

    def answer():
        machine = grid_of_svc(problem)
        found = predicted(problem, machine, X, new)
        if problem.classes is None:
            return found
        return found._replace(probabilities=lambda: platt(problem, machine.best_estimator_, X, new))

    return answer


def platt(problem, machine, X, new):
    """Probabilities by sigmoids of the decision values of held-out folds."""
    parts = list(folds(problem).split(X, problem.y))
    calibrated = CalibratedClassifierCV(clone(machine), cv=parts, ensemble=False)
    return calibrated.fit(X, problem.y).predict_proba(new)


def cosine(problem, _):
    K, new = blocks(problem, [np.mean(list(cosine_kernels(problem).values()), axis=0)])
    machine = chosen(problem, SVC(kernel="precomputed"), C=COSTS)
    return lambda: predicted(problem, machine, K[0], new[0])


def best_view(problem, _):
    """An SVM on the cosine kernel of one view, the one with the best score on held-out folds."""
    kernels = cosine_kernels(problem)
    K, new = blocks(problem, list(kernels.values()))

    def answer():
        machines = [
            chosen(problem, SVC(kernel="precomputed"), C=COSTS).fit(one, problem.y) for one in K
        ]
        found = [
            problem.decoded(one.predict(rows)) for one, rows in zip(machines, new, strict=True)
        ]
        best = int(np.argmax([one.best_score_ for one in machines]))
        scores = [problem.score(predictions) for predictions in found]
        return Answer(found[best], alone=dict(zip(kernels, scores, strict=True)))

    return answer


def logistic(problem, _):
    """C has the least log loss where every fold can have every class, else the best accuracy."""
    X, new = scaled_columns(problem)
    scoring = "neg_log_loss" if np.bincount(problem.y).min() >= FOLDS else None
    machine = chosen(problem, LogisticRegression(max_iter=1000), scoring, C=np.logspace(-2, 3, 6))
    return lambda: predicted(problem, machine, X, new)


def ridge(problem, _):
    X, new = scaled_columns(problem)
    make = RidgeCV if problem.classes is None else RidgeClassifierCV
    return lambda: predicted(problem, make(np.logspace(-3, 4, 15)), X, new)


def kernel_ridge(problem, _):
    X, new = columns(problem)
    machine = make_pipeline(StandardScaler(), KernelRidge(kernel="rbf"))
    grid = {"kernelridge__alpha": PENALTIES, "kernelridge__gamma": GAMMAS / X.shape[1]}
    return lambda: predicted(problem, chosen(problem, machine, **grid), X, new)


def forest(problem, _):
    X, new = columns(problem)
    make = RandomForestRegressor if problem.classes is None else RandomForestClassifier
    return lambda: predicted(problem, make(500, random_state=0), X, new)


def xgboost(problem, _):
    import xgboost

    X, new = scaled_columns(problem) if problem.data.sparse() else columns(problem)
    make = xgboost.XGBRegressor if problem.classes is None else xgboost.XGBClassifier
    return lambda: predicted(problem, make(n_jobs=1, random_state=0), X, new)


def mklpy(name, **options):
    """A method of MKLpy 0.4.3 with SVMs; C is that of the average kernel."""

    def prepare(problem, _):
        import joblib
        import sklearn.utils

        sklearn.utils.parallel_backend = joblib.parallel_backend  # its place until scikit-learn 1.5
        import MKLpy.algorithms

        kernels, names = bank(problem)
        K, new = blocks(problem, kernels)

        def answer():
            average = chosen(problem, SVC(kernel="precomputed"), C=COSTS)
            C = average.fit(K.mean(axis=0), problem.y).best_params_["C"]
            machine = getattr(MKLpy.algorithms, name)(learner=SVC(C=C), **options)
            with contextlib.redirect_stdout(io.StringIO()):
                machine.fit(list(K), problem.y)
                codes = machine.predict(list(new))
            tasks = machine.solution
            tasks = list(tasks.values()) if isinstance(tasks, dict) else [tasks]
            weights = np.mean([task.weights for task in tasks], axis=0)
            return Answer(problem.decoded(codes), weights=shares(names, weights))

        return answer

    return prepare


def himalaya(problem, _):
    """It chooses weights and penalty by its own cross-validation, for each class as a number."""
    from himalaya.kernel_ridge import MultipleKernelRidgeCV

    kernels, names = bank(problem)
    K, new = blocks(problem, kernels)
    targets = problem.y[:, None]
    if problem.classes is not None:
        targets = np.where(targets == np.arange(len(problem.classes)), 1.0, -1.0)
    center = targets.mean(axis=0)
    parts = list(folds(problem).split(problem.y, problem.y))  # of classes, not of targets
    settings = {"n_iter": 50, "alphas": np.logspace(-4, 3, 15), "progress_bar": False}
    machine = MultipleKernelRidgeCV(
        kernels="precomputed", solver_params=settings, cv=parts, random_state=0
    )

    def answer():
        machine.fit(K, targets - center)
        found = machine.predict(new) + center
        weights = np.exp(machine.deltas_).mean(axis=1)
        codes = found if problem.classes is None else found.argmax(axis=1)
        return Answer(problem.decoded(codes), weights=shares(names, weights))

    return answer


class Contestant(NamedTuple):
    """prepare(problem, folder) does what is not timed and gives a function that is: it trains and
    returns an Answer."""

    title: str
    prepare: object
    package: str = "sklearn"
    tasks: tuple = (CLASSES, NUMBERS)
    grams: bool = False  # takes Gram matrices, too
    one_view: bool = True  # runs on sets of one view, too
    ranked: bool = True
    kernel_machine: bool = False

    def takes(self, data):
        if data.task not in self.tasks or (data.grams and not self.grams):
            return False
        return self.one_view or len(data.views or data.grams) > 1

    def is_installed(self):
        if self.package == "kernmix":
            return shutil.which(train.tool()) is not None
        if importlib.util.find_spec(self.package) is None:
            return False
        return self.package != "MKLpy" or version("MKLpy").startswith("0.4.")  # later: torch


ONLY_CLASSES, ONLY_NUMBERS = (CLASSES,), (NUMBERS,)
OURS = ("default", "auto", "platt")
METHODS = {
    "default": Contestant("kernmix default", kernmix("train"), "kernmix", grams=True),
    "auto": Contestant("kernmix auto", kernmix("auto"), "kernmix", grams=True),
    "platt": Contestant(
        "kernmix default, Platt",
        kernmix("train", "--calibrate", "platt"),
        "kernmix",
        tasks=ONLY_CLASSES,
        grams=True,
        ranked=False,
    ),
    "svc": Contestant("SVC, grid", svc, grams=True, kernel_machine=True),
    "cosine": Contestant("cosine", cosine, tasks=ONLY_CLASSES, grams=True),
    "best-view": Contestant(
        "best view", best_view, tasks=ONLY_CLASSES, grams=True, one_view=False, ranked=False
    ),
    "logistic": Contestant("logistic", logistic, tasks=ONLY_CLASSES),
    "ridge": Contestant("ridge", ridge),
    "kernel-ridge": Contestant(
        "kernel ridge, grid", kernel_ridge, tasks=ONLY_NUMBERS, kernel_machine=True
    ),
    "xgboost": Contestant("XGBoost", xgboost, "xgboost"),
    "forest": Contestant("forest", forest),
    "easymkl": Contestant("EasyMKL", mklpy("EasyMKL"), "MKLpy", ONLY_CLASSES, grams=True),
    "averagemkl": Contestant("AverageMKL", mklpy("AverageMKL"), "MKLpy", ONLY_CLASSES, grams=True),
    "himalaya": Contestant("himalaya", himalaya, "himalaya", grams=True, kernel_machine=True),
}
