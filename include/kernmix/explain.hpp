#pragma once
/// \file
/// What matters inside a model: which views its decisions come from, and which columns they change
/// with.

#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// A column inside a view: with g_ij = d f_view(x_i) / d x_j, the change of what the kernels of the
/// view add to the decision value with the column as it was read, and sd_j its standard deviation;
/// of a column whose view is scaled by the rule sqrt, x_j is its square root.
struct FeatureEffect {
  Index task = 0;  ///< in Model::tasks
  std::string view;
  std::string feature;
  /// mean_i abs(g_ij) sd_j: the change of the decision value by a change of x_j of one deviation
  double importance = 0.0;
  /// mean_i g_ij / mean_i abs(g_ij), from -1 to 1: whether larger values always lower or raise the
  /// decision value, 0 where they do as much of either; 1 or -1 for a linear function
  double direction = 0.0;
};

/// A view: with f_view(x_i) what its kernels add to the decision value f(x_i).
struct ViewEffect {
  Index task = 0;
  std::string view;
  Index kernels = 0;       ///< with weight
  double deviation = 0.0;  ///< standard deviation of f_view
  /// cov(f_view, f) / var(f): shares of one task add up to 1; negative where the view speaks
  /// against the others; 0 where all decision values are equal
  double share = 0.0;
};

struct Explanation {
  std::vector<ViewEffect> views;  ///< task by task, in the order of the kernels
  /// Task by task, the most important first. Given matrices have no columns and no rows here.
  std::vector<FeatureEffect> features;
  Matrix gradients;  ///< n x features where asked for: g_ij, in the order of `features`
};

/// On samples like those that the model is asked about; labels are not read. Gradients are exact
/// for kernels that are sums and products of columns, and to 1e-8 of their size for others. \throws
/// ParameterError for a loss of distances and fewer than two samples, DataError as predict
[[nodiscard]] Explanation explain(const Model& model, const Dataset& data, const Context& context,
                                  bool gradients = false);

}  // namespace kernmix
