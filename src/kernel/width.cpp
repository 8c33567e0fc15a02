// median { |x_i - x_j| > 0 : i < j }, and their 0.1 % quantile
//
// The median heuristic: Jaakkola, Diekhans and Haussler, Using the Fisher kernel method to detect
// remote protein homologies, ISMB 1999; Garreau, Jitkrittum and Kanagawa, arXiv:1707.07269, 2017.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "kernel/feature_rows.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

constexpr Index most_compared = 1000;
constexpr double near_share = 1e-3;  ///< of the pairs
constexpr double least_near_of_median =
    0.25;  ///< because with few columns some pairs nearly coincide

/// Distances of pairs of samples, weighted by the product of the weights of the two samples.
class PairDistances {
 public:
  /// \param weights of `samples`, to whose positions add() refers; {}: all 1
  PairDistances(std::span<const Index> samples, ConstSpan weights)
      : weights_(entries_at(weights, samples)) {}

  /// Adds the distances of the sample at `first` to those from `others` on; distances of 0 are
  /// ignored.
  void add(std::size_t first, std::size_t others, ConstSpan distances) {
    for (std::size_t k = 0; k < distances.size(); ++k) {
      if (!(distances[k] > 0.0)) continue;
      distances_.push_back(distances[k]);
      if (!weights_.empty()) counts_.push_back(weights_[first] * weights_[others + k]);
    }
  }

  [[nodiscard]] TypicalDistances summarise() {
    if (distances_.empty()) return {};
    if (!counts_.empty()) sort();
    const double median = quantile(0.5);
    return {median, std::max(quantile(near_share), least_near_of_median * median)};
  }

 private:
  [[nodiscard]] double quantile(double share) {
    return counts_.empty() ? quantile_of_pairs(share) : quantile_of_counted(share);
  }

  /// The interpolated quantile of the sorted distances.
  [[nodiscard]] double quantile_of_pairs(double share) {
    const double place = share * static_cast<double>(distances_.size() - 1);
    const double below = std::floor(place);
    const auto lower = distances_.begin() + static_cast<Index>(below);
    std::ranges::nth_element(distances_, lower);
    if (place == below) return *lower;
    const double upper = *std::min_element(lower + 1, distances_.end());
    return *lower + (place - below) * (upper - *lower);
  }

  /// The mean over [place, place + unit] of the step function in which each sorted distance has the
  /// length of its count. With integer counts the unit is 1, and this is the quantile of repeated
  /// distances; for smaller counts the unit is the mean count of a drawn pair, so that a common
  /// factor of all weights has no effect.
  [[nodiscard]] double quantile_of_counted(double share) const {
    double total = 0.0;
    double squares = 0.0;
    for (const double count : counts_) {
      total += count;
      squares += count * count;
    }
    const double unit = std::min(1.0, squares / total);
    const double begin = share * (total - unit);
    const double end = begin + unit;
    double passed = 0.0;
    std::size_t k = 0;
    while (k + 1 < counts_.size() && passed + counts_[k] <= begin) passed += counts_[k++];
    double value = distances_[k];
    for (; k + 1 < counts_.size(); ++k) {
      passed += counts_[k];
      if (passed >= end) break;
      value += (end - passed) / unit * (distances_[k + 1] - distances_[k]);
    }
    return value;
  }

  /// Sorts distances together with their counts.
  void sort() {
    std::vector<Index> order = all_samples(length(distances_));
    std::ranges::sort(order, {}, [&](Index k) { return distances_[to_size(k)]; });
    distances_ = entries_at(distances_, order);
    counts_ = entries_at(counts_, order);
  }

  Vector weights_;
  Vector distances_;
  Vector counts_;  ///< of each distance; empty without weights
};

/// The length to which a width is relative, from the comparison of two samples.
double length_of(Comparison comparison, double compared) {
  if (comparison == Comparison::squared_distance) return std::sqrt(compared);
  if (comparison != Comparison::cosine) return compared;
  constexpr double rounding = 1e-14;  // of the cosine of a sample with itself
  return compared > 1.0 - rounding ? 0.0 : std::sqrt(2.0 - 2.0 * compared);
}

/// The lexicographic order of rows, as of dense ones.
bool is_before(const SparseMatrix& samples, Index i, Index j) {
  const auto x_columns = samples.columns_of(i);
  const auto z_columns = samples.columns_of(j);
  const ConstSpan x = samples.values_of(i);
  const ConstSpan z = samples.values_of(j);
  std::size_t k = 0;
  while (k < x.size() && k < z.size() && x_columns[k] == z_columns[k] && x[k] == z[k]) ++k;
  // In the first column that differs, the one without an entry is 0.
  const bool in_x = k < x.size() && (k == z.size() || x_columns[k] <= z_columns[k]);
  const bool in_z = k < z.size() && (k == x.size() || z_columns[k] <= x_columns[k]);
  return (in_x ? x[k] : 0.0) < (in_z ? z[k] : 0.0);
}

}  // namespace

std::vector<Index> representative_samples(const FeatureRows& samples) {
  std::vector<Index> order = all_samples(samples.rows());
  std::ranges::sort(order, [&](Index i, Index j) {
    return samples.sparse() != nullptr ? is_before(samples.sparse()->numbers(), i, j)
                                       : std::ranges::lexicographical_compare(
                                             samples.dense().row(i), samples.dense().row(j));
  });
  std::vector<Index> chosen;
  for (const Index k : spaced_samples(samples.rows(), most_compared)) {
    chosen.push_back(order[to_size(k)]);
  }
  return chosen;
}

std::vector<Index> representative_samples(const ConstMatrix& samples) {
  return representative_samples(FeatureRows(samples));
}

std::string distance_name(TypicalDistance distance) {
  return distance == TypicalDistance::near ? "near" : "median";
}

TypicalDistance parse_distance(const std::string& name) {
  for (const TypicalDistance distance : {TypicalDistance::median, TypicalDistance::near}) {
    if (name == distance_name(distance)) return distance;
  }
  throw ParameterError(fmt::format("unknown distance '{}'; there are median and near", name));
}

std::string RelativeWidth::text() const {
  if (factor == 1.0) return distance_name(distance);
  return fmt::format("{}*{}", distance_name(distance), factor);
}

TypicalDistances typical_distances(const KernelFunction& function, const ConstMatrix& samples,
                                   ConstSpan weights) {
  return typical_distances(function, FeatureRows(samples), weights);
}

TypicalDistances typical_distances(const KernelFunction& function, const FeatureRows& samples,
                                   ConstSpan weights) {
  constexpr std::size_t rows_at_once = 64;
  const Comparison comparison = find_kernel(function.name).comparison;
  const std::vector<Index> chosen = representative_samples(samples);
  const std::span<const Index> rows(chosen);
  PairDistances pairs(rows, weights);
  for (std::size_t begin = 0; begin < rows.size(); begin += rows_at_once) {
    const auto block = rows.subspan(begin, std::min(rows_at_once, rows.size() - begin));
    const auto others = rows.subspan(begin);
    Vector found(block.size() * others.size());
    compare(comparison, samples, block, samples, others, found);
    for (double& value : found) value = length_of(comparison, value);
    for (std::size_t r = 0; r < block.size(); ++r) {
      const auto row = ConstSpan(found).subspan(r * others.size(), others.size());
      pairs.add(begin + r, begin + r + 1, row.subspan(r + 1));
    }
  }
  return pairs.summarise();
}

TypicalDistances typical_given_distances(const GivenMatrix& distances, ConstSpan weights) {
  const std::vector<Index> chosen = spaced_samples(distances.rows(), most_compared);
  Matrix between(length(chosen), length(chosen));
  distances.block(chosen, chosen, between.values);
  PairDistances pairs(chosen, weights);
  for (Index i = 0; i < between.rows; ++i) {
    pairs.add(to_size(i), to_size(i + 1), ConstSpan(between.row(i)).subspan(to_size(i + 1)));
  }
  return pairs.summarise();
}

bool takes_width(const KernelFunction& function) {
  return find_kernel(function.name).gamma_of_width != nullptr;
}

KernelFunction with_width(const KernelFunction& function, double width) {
  auto parameters = function.parameters;
  parameters.erase("gamma");
  parameters["width"] = width;
  return make_kernel_function(function.name, parameters);
}

}  // namespace kernmix
