// var(x_j) > 0.99 sum_k var(x_k) of the columns that a kernel reads unscaled

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/linear_algebra.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr double dominant_share = 0.99;

double variance_of(ConstSpan values) {
  const auto x = as_vector(values).array();
  return (x - x.mean()).square().mean();
}

/// The place in `columns` of one that has nearly all of their variance, or -1.
Index dominant(const FeatureColumns& features, const std::vector<std::string>& columns) {
  Vector variances;
  for (const std::string& column : columns) {
    variances.push_back(variance_of(features.raw_column(features.place(column))));
  }
  const auto largest = std::ranges::max_element(variances);
  return *largest > dominant_share * as_vector(ConstSpan(variances)).sum()
             ? largest - variances.begin()
             : -1;
}

}  // namespace

void warn_of_dominant_columns(const TrainingKernels& kernels, std::vector<Warning>& warnings) {
  const FeatureColumns& features = kernels.features;
  if (features.scaling().rule != ScalingRule::none) return;
  std::set<std::vector<std::string>> seen;
  std::vector<std::string> found;
  for (const KernelDescription& kernel : kernels.descriptions) {
    if (kernel.columns.size() < 2 || !seen.insert(kernel.columns).second) continue;
    const Index j = dominant(features, kernel.columns);
    if (j < 0) continue;
    found.push_back(fmt::format("'{}' of {}", kernel.columns[to_size(j)], kernel.view));
  }
  if (found.empty()) return;
  warnings.push_back({"column-dominates",
                      fmt::format("Columns are not scaled, and one has more than 99 % of the "
                                  "variance of its view: {}. Kernels of that view hardly see the "
                                  "others: use --scale standard or minmax.",
                                  first_names(found)),
                      {}});
}

}  // namespace kernmix
