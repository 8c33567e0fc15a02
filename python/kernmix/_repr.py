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
    certificate = estimator.certificate_
    said = f"objective {certificate.primal:.6g}, certified to within {100 * certificate.relative_gap:.2g} % of the best"
    return f"<p>{escape(said)}</p>{estimator.weights_._repr_html_()}"
