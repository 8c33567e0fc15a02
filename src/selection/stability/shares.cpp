// share_m = d_m / sum_j d_j;  frequency_m = #{r : share_rm > threshold} / R

#include "selection/stability/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/identity_kernels.hpp"

namespace kernmix {
namespace {

/// Statistics of one column of shares, given whether it is selected in each row.
WeightStability summarise_column(double whole, Vector shares, Index chosen, double level) {
  const auto R = static_cast<double>(shares.size());
  WeightStability result;
  result.share = whole;
  result.frequency = static_cast<double>(chosen) / R;
  result.mean = std::accumulate(shares.begin(), shares.end(), 0.0) / R;
  std::ranges::sort(shares);
  result.low = quantile(shares, 0.5 * (1.0 - level));
  result.high = quantile(shares, 0.5 * (1.0 + level));
  return result;
}

/// Statistics of a set of kernels: sums of shares, selected if one of them is.
WeightStability summarise_kernels(ConstSpan whole, const Matrix& resampled,
                                  const std::vector<Index>& kernels,
                                  const StabilityOptions& options) {
  Vector sums;
  Index chosen = 0;
  double share = 0.0;
  for (const Index m : kernels) share += whole[to_size(m)];
  for (Index r = 0; r < resampled.rows; ++r) {
    double sum = 0.0;
    bool any = false;
    for (const Index m : kernels) {
      sum += resampled(r, m);
      any = any || resampled(r, m) > *options.threshold;
    }
    sums.push_back(sum);
    chosen += any ? 1 : 0;
  }
  return summarise_column(share, std::move(sums), chosen, options.level);
}

Vector in_views(ConstSpan shares, const ViewsOfKernels& views) {
  if (views.identities.empty()) return {shares.begin(), shares.end()};
  return shares_in_views(shares, views.identities);
}

}  // namespace

ViewsOfKernels::ViewsOfKernels(const std::vector<KernelDescription>& kernels,
                               const ViewOfMatrix& view_of_matrix) {
  for (const KernelDescription& kernel : kernels) {
    const std::string& view = counted_view(kernel, view_of_matrix);
    const auto found = std::ranges::find(names, view);
    of_kernel.push_back(found - names.begin());
    if (found == names.end()) names.push_back(view);
  }
}

std::vector<std::vector<Index>> ViewsOfKernels::kernels() const {
  std::vector<std::vector<Index>> of_view(names.size());
  for (Index m = 0; m < length(of_kernel); ++m) {
    of_view[to_size(of_kernel[to_size(m)])].push_back(m);
  }
  return of_view;
}

Vector shares_of(ConstSpan d) {
  const double sum = std::accumulate(d.begin(), d.end(), 0.0);
  Vector shares(d.begin(), d.end());
  for (double& share : shares) share = sum > 0.0 ? share / sum : 0.0;
  return shares;
}

Matrix shares_of(const Model& model) {
  const Index tasks = model.weights.rows > 1 ? model.weights.rows : 0;
  Matrix shares(1 + tasks, length(model.kernels));
  std::ranges::copy(shares_of(kernel_weights(model)), shares.row(0).begin());
  for (Index k = 0; k < tasks; ++k) {
    std::ranges::copy(shares_of(model.weights.row(k)), shares.row(1 + k).begin());
  }
  return shares;
}

double quantile(ConstSpan sorted, double at) {
  const double place = at * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - std::floor(place));
}

TaskStability summarise(const std::string& name, ConstSpan whole, const Matrix& resampled,
                        const ViewsOfKernels& views, const StabilityOptions& options) {
  TaskStability result{name, {}, {}};
  for (Index m = 0; m < resampled.cols; ++m) {
    result.kernels.push_back(summarise_kernels(whole, resampled, {m}, options));
  }
  const Vector counted = in_views(whole, views);
  Matrix counted_in(resampled.rows, resampled.cols);
  for (Index r = 0; r < resampled.rows; ++r) {
    std::ranges::copy(in_views(resampled.row(r), views), counted_in.row(r).begin());
  }
  for (const std::vector<Index>& kernels : views.kernels()) {
    result.views.push_back(summarise_kernels(counted, counted_in, kernels, options));
  }
  return result;
}

double mean_chosen(const Matrix& shares, double threshold) {
  const auto chosen =
      std::ranges::count_if(shares.values, [&](double share) { return share > threshold; });
  return static_cast<double>(chosen) / static_cast<double>(shares.rows);
}

Index count_stable(const Matrix& shares, double threshold, double often) {
  Index stable = 0;
  for (Index m = 0; m < shares.cols; ++m) {
    Index chosen = 0;
    for (Index r = 0; r < shares.rows; ++r) chosen += shares(r, m) > threshold ? 1 : 0;
    const double frequency = static_cast<double>(chosen) / static_cast<double>(shares.rows);
    stable += frequency >= often ? 1 : 0;
  }
  return stable;
}

}  // namespace kernmix
