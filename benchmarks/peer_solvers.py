"""The other packages, each as a function fit(tolerance) that returns its answer; None in the place
of a package that is not installed, which is said on standard error.

None of them is told more than its own problem: kernels (or their factors) lie in memory.
"""

import contextlib
import importlib
import io
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")  # peers warn where they stop early; the certificate tells


def package(name):
    try:
        return importlib.import_module(name)
    except Exception as problem:  # whatever an installation can get wrong
        print(f"{name} cannot be imported and is skipped: {problem}", file=sys.stderr)
        return None


# One SVM on a given matrix: (K, y) -> fit(C, tolerance) -> signed dual vector. What only arranges
# the matrix as the package wants it is not in the fit.


def sklearn_svc(K, y):
    svm = package("sklearn.svm")

    def fit(C, tolerance):
        machine = svm.SVC(C=C, kernel="precomputed", tol=tolerance, cache_size=4096).fit(K, y)
        a = np.zeros(len(y))
        a[machine.support_] = machine.dual_coef_[0]  # signed for the second class, which is y = 1
        return a

    return fit


def libsvm(K, y):
    svmutil = package("libsvm.svmutil")
    nodes = np.hstack([np.arange(1, len(y) + 1)[:, None], K])
    problem = svmutil.svm_problem(y, nodes, isKernel=True)

    def fit(C, tolerance):
        model = svmutil.svm_train(problem, f"-t 4 -c {C!r} -e {tolerance!r} -m 4096 -q")
        a = np.zeros(len(y))
        a[np.array(model.get_sv_indices()) - 1] = [row[0] for row in model.get_sv_coef()]
        return a if model.get_labels()[0] == 1 else -a

    return fit


SVM_SOLVERS = {"scikit-learn SVC": ("sklearn.svm", sklearn_svc), "LIBSVM": ("libsvm", libsvm)}


# MKL: kernels, y -> weights. Beside their parameters: what they solve.


def mklpy_weights(name, parameters):
    def weights(K, y):
        mklpy = package("MKLpy.algorithms")
        torch = package("torch")
        torch.set_num_threads(1)
        svc = package("sklearn.svm").SVC(kernel="precomputed")
        solver = getattr(mklpy, name)(learner=svc, **parameters)
        stack = [torch.from_numpy(matrix) for matrix in K]
        with contextlib.redirect_stdout(io.StringIO()):
            d = solver.combine_kernels(stack, torch.from_numpy(y)).weights
        return np.asarray(d, dtype=float)

    return weights


MKL_SOLVERS = {
    "EasyMKL": ({"lam": 0.1}, "margin distribution, one step"),
    "MEMO": ({"theta": 0.0, "max_iter": 100}, "ours with C = infinity, 100 gradient steps"),
    "GRAM": ({"max_iter": 10}, "radius / margin, 10 gradient steps"),
}


# Group lasso: Z (n x columns), sizes of groups, y, lambda, tolerance -> coefficients, for
# 1/2 sum (y - Z w - b)^2 + lambda sum ||w_m||. Theirs has 1/(2n) in the place of 1/2.


def celer_lasso(Z, sizes, y, lam, tolerance):
    model = package("celer").GroupLasso(
        groups=[int(size) for size in sizes], alpha=lam / len(y), tol=tolerance, max_iter=100
    )
    return model.fit(Z, y).coef_


def skglm_lasso(Z, sizes, y, lam, tolerance):
    datafits, penalties = package("skglm.datafits"), package("skglm.penalties")
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    members = np.arange(Z.shape[1], dtype=np.int32)
    penalty = penalties.WeightedGroupL2(lam / len(y), np.ones(len(sizes)), starts, members)
    solver = package("skglm.solvers").GroupBCD(
        tol=tolerance, fit_intercept=True, max_iter=100, max_epochs=1000
    )
    model = package("skglm").GeneralizedLinearEstimator(
        datafits.QuadraticGroup(starts, members), penalty, solver
    )
    return model.fit(Z, y).coef_


def adelie_lasso(Z, sizes, y, lam, tolerance):
    adelie = package("adelie")
    state = adelie.grpnet(
        Z,
        adelie.glm.gaussian(y),
        groups=np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int),
        penalty=np.ones(len(sizes)),
        lmda_path=[lam / len(y)],
        tol=tolerance,
        early_exit=False,
        progress_bar=False,
    )
    return state.betas.toarray()[-1]


GROUP_LASSOS = {
    "celer": ("celer", celer_lasso),
    "skglm": ("skglm", skglm_lasso),
    "adelie": ("adelie", adelie_lasso),
}
