#pragma once
/// \file
/// Explanation of a model: attribution of its decisions to views and columns.

#include <string>
#include <vector>

#include "kernmix/counted_views.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// A column inside a view: g_ij = d f_view(x_i) / d x_j is the derivative of the contribution of
/// the view to the decision value with respect to the column as read, and sd_j its standard
/// deviation; for a column whose view is scaled by the rule sqrt, x_j is its square root.
struct FeatureEffect {
  Index task = 0;  ///< in Model::tasks
  std::string view;
  std::string feature;
  /// mean_i abs(g_ij) sd_j: change of the contribution for a change of x_j by one standard
  /// deviation
  double importance = 0.0;
  /// mean_i g_ij / mean_i abs(g_ij), from -1 (larger values always lower the contribution) to 1
  /// (they always raise it); 1 or -1 for a linear function
  double direction = 0.0;
};

/// A view: f_view(x_i) is the contribution of its kernels to the decision value f(x_i).
struct ViewEffect {
  Index task = 0;
  std::string view;
  Index kernels = 0;       ///< number of kernels with weight
  double deviation = 0.0;  ///< standard deviation of f_view
  /// cov(f_view, f) / var(f): shares of one task add up to 1; negative if the view opposes the
  /// others; 0 if all decision values are equal
  double share = 0.0;
};

struct Explanation {
  std::vector<ViewEffect> views;  ///< task by task, in the order of the kernels
  /// Task by task, sorted by importance. Given matrices have no columns and are not listed.
  std::vector<FeatureEffect> features;
  Matrix gradients;  ///< n x features if requested: g_ij, in the order of `features`
};

/// Explains the decisions on samples from the population that the model predicts; labels are not
/// read. Gradients are exact for kernels that are sums and products of columns, and accurate to
/// 1e-8 of their size for others.
/// \param view_of_matrix  the views of matrices that are computed from columns \throws
/// ParameterError for a loss of distances and for fewer than two samples, DataError as predict
[[nodiscard]] Explanation explain(const Model& model, const Dataset& data, const Context& context,
                                  bool gradients = false, const ViewOfMatrix& view_of_matrix = {});

}  // namespace kernmix
