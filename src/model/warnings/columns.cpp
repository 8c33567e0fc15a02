// One or two columns that a kernel reads without a scale of their own have 99 % of the variance

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/linear_algebra.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr double dominant_share = 0.99;

double variance_of(ConstSpan values) {
  const auto x = as_vector(values).array();
  return (x - x.mean()).square().mean();
}

/// Columns that the caller left without a scale of their own.
std::set<std::string> unscaled_columns(const std::vector<ScaledView>& views) {
  std::set<std::string> unscaled;
  for (const ScaledView& view : views) {
    if (view.asked != ScalingRule::none && view.asked != ScalingRule::common) continue;
    unscaled.insert(view.columns.begin(), view.columns.end());
  }
  return unscaled;
}

/// One or two of `columns` that have nearly all of the variance, and leave little to others.
std::vector<std::string> dominant(const FeatureColumns& features,
                                  const std::vector<std::string>& columns) {
  Vector variances;
  for (const std::string& column : columns) {
    variances.push_back(variance_of(features.scaled_column(features.place(column))));
  }
  std::vector<std::size_t> order = index_range<std::size_t>(0, columns.size());
  std::ranges::sort(order, std::ranges::greater(), [&](std::size_t j) { return variances[j]; });
  const double least = dominant_share * as_vector(ConstSpan(variances)).sum();
  std::vector<std::string> found;
  double share = 0.0;
  for (std::size_t k = 0; k < 2 && k + 1 < order.size(); ++k) {
    share += variances[order[k]];
    found.push_back(columns[order[k]]);
    if (share > least) return found;
  }
  return {};
}

}  // namespace

void warn_of_dominant_columns(const TrainingKernels& kernels, std::vector<Warning>& warnings) {
  const std::set<std::string> unscaled = unscaled_columns(kernels.views);
  if (unscaled.empty()) return;
  std::set<std::vector<std::string>> seen;
  std::vector<std::string> found;
  for (const KernelDescription& kernel : kernels.descriptions) {
    const std::vector<std::string>& columns = kernel.columns;
    const bool own_scale = reads_nonnegative(kernel.function) || columns.size() < 2;
    if (own_scale || !seen.insert(columns).second) continue;
    const auto names = dominant(kernels.features, columns);
    const auto is_unscaled = [&](const std::string& name) { return unscaled.contains(name); };
    if (names.empty() || !std::ranges::all_of(names, is_unscaled)) continue;
    found.push_back(fmt::format("{} of {}", comma_list(names, in_quotes), kernel.view));
  }
  if (found.empty()) return;
  warnings.push_back(
      {"column-dominates",
       fmt::format("Columns are not scaled one by one, and one or two have more than "
                   "99 % of the variance of their view: {}. The other columns hardly "
                   "influence the kernels of this view: use --scale auto, "
                   "standard or minmax.",
                   first_names(found)),
       {}});
}

}  // namespace kernmix
