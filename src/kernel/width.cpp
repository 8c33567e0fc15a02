// median { |x_i - x_j| > 0 : i < j }, and their 0.1 % quantile
//
// The median heuristic: Jaakkola, Diekhans and Haussler, Using the Fisher kernel method to detect
// remote protein homologies, ISMB 1999; Garreau, Jitkrittum and Kanagawa, arXiv:1707.07269, 2017.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/samples.hpp"
#include "kernel/functions/definition.hpp"
#include "kernel/pairwise.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

constexpr Index most_compared = 1000;
constexpr double near_share = 1e-3;            ///< of the pairs
constexpr double least_near_of_median = 0.25;  ///< on few columns some pairs nearly coincide

/// The value that stands at `place`, a number that need not be whole, of the sorted ones.
double value_at(double place, Vector& values) {
  const double below = std::floor(place);
  const auto lower = values.begin() + static_cast<Index>(below);
  std::ranges::nth_element(values, lower);
  if (place == below) return *lower;
  const double upper = *std::min_element(lower + 1, values.end());
  return *lower + (place - below) * (upper - *lower);
}

TypicalDistances summarise(Vector distances) {
  if (distances.empty()) return {};
  const double last = static_cast<double>(distances.size() - 1);
  const double median = value_at(0.5 * last, distances);
  return {median, std::max(value_at(near_share * last, distances), least_near_of_median * median)};
}

/// What a width is compared with, from what two samples are compared by.
double length_of(Comparison comparison, double compared) {
  if (comparison == Comparison::squared_distance) return std::sqrt(compared);
  if (comparison == Comparison::cosine) return std::sqrt(std::max(2.0 - 2.0 * compared, 0.0));
  return compared;
}

void add_positive(ConstSpan distances, Vector& all) {
  std::ranges::copy_if(distances, std::back_inserter(all), [](double d) { return d > 0.0; });
}

}  // namespace

std::vector<Index> representative_samples(const ConstMatrix& samples) {
  std::vector<Index> order = all_samples(samples.rows);
  std::ranges::sort(order, [&](Index i, Index j) {
    return std::ranges::lexicographical_compare(samples.row(i), samples.row(j));
  });
  std::vector<Index> chosen;
  for (const Index k : spaced_samples(samples.rows, most_compared)) {
    chosen.push_back(order[to_size(k)]);
  }
  return chosen;
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

TypicalDistances typical_distances(const KernelFunction& function, const ConstMatrix& samples) {
  constexpr std::size_t rows_at_once = 64;
  const Comparison comparison = find_kernel(function.name).comparison;
  const std::vector<Index> chosen = representative_samples(samples);
  const std::span<const Index> rows(chosen);
  Vector distances;
  for (std::size_t begin = 0; begin < rows.size(); begin += rows_at_once) {
    const auto block = rows.subspan(begin, std::min(rows_at_once, rows.size() - begin));
    const auto others = rows.subspan(begin);
    Vector found(block.size() * others.size());
    compare(comparison, samples, block, samples, others, found);
    for (double& value : found) value = length_of(comparison, value);
    for (std::size_t r = 0; r < block.size(); ++r) {
      add_positive(ConstSpan(found).subspan(r * others.size() + r + 1, others.size() - r - 1),
                   distances);
    }
  }
  return summarise(std::move(distances));
}

TypicalDistances typical_given_distances(const GivenMatrix& distances) {
  const std::vector<Index> chosen = spaced_samples(distances.rows(), most_compared);
  Matrix between(length(chosen), length(chosen));
  distances.block(chosen, chosen, between.values);
  Vector found;
  for (Index i = 0; i < between.rows; ++i) {
    add_positive(between.row(i).subspan(to_size(i) + 1), found);
  }
  return summarise(std::move(found));
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
