#include "kernel/mean_entry.hpp"

#include <algorithm>

#include "base/mean.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/alike.hpp"

namespace kernmix {
namespace {

constexpr Index rows_of_a_band = 64;

/// Rows begin .. end-1 of the triangle of one group of kernels.
struct Band {
  const std::vector<Index>* kernels;
  std::span<const Index> samples;
  Index begin;
  Index end;
  ConstSpan weights;  ///< of the samples from `begin` on; {}: all 1
  double total;       ///< of all samples of the group
};

/// The sum over a band of the differences of entries from k(x_1, x_1), off-diagonal blocks twice:
/// the rounding error of a large common constant would exceed the differences between samples.
double sum_of(Vector& entries, Index rows, Index columns, double first, ConstSpan weights) {
  for (double& entry : entries) entry -= first;
  double sum = 0.0;
  for (Index i = 0; i < rows; ++i) {
    const auto row = MutableSpan(entries).subspan(to_size(i * columns), to_size(columns));
    double own = 1.0;
    if (!weights.empty()) {
      own = weights[to_size(i)];
      for (std::size_t j = 0; j < row.size(); ++j) row[j] *= weights[j];
    }
    sum += own * (sum_in_order(row.first(to_size(rows))) +
                  2.0 * sum_in_order(row.subspan(to_size(rows))));
  }
  return sum;
}

}  // namespace

Vector mean_entries(const std::vector<const KernelSource*>& sources,
                    const std::function<std::span<const Index>(Index)>& samples_of,
                    ConstSpan weights, const Context& context) {
  const auto source = [&](Index k) -> const KernelSource& { return *sources[to_size(k)]; };
  const auto groups = alike(index_range(0, length(sources)), source);
  Vector first(sources.size());
  std::vector<Band> bands;
  std::vector<Vector> counts;  // of each group
  counts.reserve(groups.size());
  for (const std::vector<Index>& group : groups) {
    const std::span<const Index> samples = samples_of(group.front());
    const Vector& own = counts.emplace_back(entries_at(weights, samples));
    const double total = own.empty() ? static_cast<double>(samples.size()) : sum_in_order(own);
    for (const Index k : group) {
      source(k).block(samples.first(1), samples.first(1), {&first[to_size(k)], 1});
    }
    for (Index begin = 0; begin < length(samples); begin += rows_of_a_band) {
      bands.push_back({&group, samples, begin, std::min(begin + rows_of_a_band, length(samples)),
                       own.empty() ? ConstSpan() : ConstSpan(own).subspan(to_size(begin)), total});
    }
  }
  std::vector<Vector> sums(bands.size());
  parallel_for(context, length(bands), [&](Index b) {
    stop_if_asked(context);
    const auto& [kernels, samples, begin, end, own_weights, total] = bands[to_size(b)];
    const auto rows = slice(samples, begin, end);
    const auto columns = samples.subspan(to_size(begin));
    Vector compared(rows.size() * columns.size());
    source(kernels->front()).compare(rows, columns, compared);
    Vector entries;
    for (const Index k : *kernels) {
      entries = compared;
      source(k).finish(rows, columns, entries);
      sums[to_size(b)].push_back(
          sum_of(entries, length(rows), length(columns), first[to_size(k)], own_weights));
    }
  });
  Vector means = first;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const double s = bands[b].total;
    for (std::size_t k = 0; k < sums[b].size(); ++k) {
      means[to_size((*bands[b].kernels)[k])] += sums[b][k] / s / s;
    }
  }
  return means;
}

}  // namespace kernmix
