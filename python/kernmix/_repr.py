"""How estimators are shown in notebooks: scikit-learn's diagram, and after `fit` the weights."""

from __future__ import annotations

from html import escape
from typing import Any

from sklearn.utils import estimator_html_repr


class HtmlMixin:
    """Adds certificate and kernel weights to scikit-learn's diagram."""

    def _repr_html_inner(self) -> str:
        return estimator_html_repr(self) + _fitted_html(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += _fitted_html(self)
        return bundle


def _fitted_html(estimator: Any) -> str:
    if not hasattr(estimator, "weights_"):
        return ""
    gap, product = estimator.certificate_.relative_gap, estimator.product_
    said = (
        f"a local optimum, stationarity {product['stationarity']:.2g}"
        if product
        else f"certified to within {100 * gap:.2g} % of the best"
    )
    said = f"objective {estimator.objective_:.6g}, {said}"
    return f"<p>{escape(said)}</p>{estimator.weights_._repr_html_()}"
